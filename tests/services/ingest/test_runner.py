"""The job runner: once to effect, tenants in turn, again after errors, whatever happens to a worker."""

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest

from services.ingest import indexing, runner
from services.ingest.runner import Handler, JobRunner, LostAttempt, Turn
from shared import clock
from shared.clock import new_id
from shared.config import child_environment
from shared.domain.errors import UpstreamUnavailable
from shared.store import migrate
from shared.store.pool import Connection, run, run_without_tenant
from shared.store.writes import jobs
from shared.store.writes.jobs import NewJob
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio
KIND = "test"
STATE = "SELECT status, attempts, last_error FROM job WHERE tenant_id = $1 ORDER BY due_at"


@pytest.fixture(autouse=True)
async def no_jobs_of_others(ingest: Workplace) -> AsyncIterator[None]:
    yield
    await ingest.look.execute("DELETE FROM job")


def at(ingest: Workplace, handler: Handler, *, now: Callable[[], datetime] | None = None) -> JobRunner:
    return JobRunner(ingest.pool, {KIND: handler}, now=now or ingest.clock.now)


async def ask(ingest: Workplace, tenant: UUID, *, key: str | None = "", after: float = 0, attempts: int = 3) -> UUID:
    now = ingest.clock.time
    job = NewJob(new_id(), tenant, KIND, now + timedelta(seconds=after), now, attempts, key)
    return await run(ingest.pool, tenant, partial(jobs.enqueue, job=job))


async def nothing(turn: Turn) -> Mapping[str, int]:
    return {}


def writing(done: list[UUID]) -> Handler:
    """Return a handler that notes the job after a transaction that stands."""

    async def handle(turn: Turn) -> Mapping[str, int]:
        async def work(connection: Connection) -> int:
            return int(await connection.fetchval("SELECT 1"))

        await turn.write(work, progress=lambda one: one, total=1)
        done.append(turn.attempt.job_id)
        return {"done": 1}

    return handle


async def test_a_job_is_done_once_and_says_so(ingest: Workplace, tenant: UUID) -> None:
    done: list[UUID] = []
    job_id = await ask(ingest, tenant)
    work = at(ingest, writing(done))
    assert await work.step()
    assert not await work.step()
    assert done == [job_id]
    shown = "SELECT status, attempts, progress, total, result::text, lease_until FROM job WHERE job_id = $1"
    assert await ingest.rows(shown, job_id) == [("done", 1, 1, 1, '{"done": 1}', None)]


async def test_a_job_waits_for_its_time(ingest: Workplace, tenant: UUID) -> None:
    await ask(ingest, tenant, after=30)
    assert not await at(ingest, nothing).step()
    ingest.clock.tick(31)
    assert await at(ingest, nothing).step()


async def test_a_failed_job_is_tried_ever_later_and_given_up(ingest: Workplace, tenant: UUID) -> None:
    async def fail(turn: Turn) -> Mapping[str, int]:
        raise UpstreamUnavailable("PROVIDER_DOWN", "down")

    await ask(ingest, tenant, attempts=3)
    work, waits = at(ingest, fail), []
    for _ in range(3):
        began = ingest.clock.time
        while not await work.step():
            ingest.clock.tick(1)
        waits.append((ingest.clock.time - began).total_seconds())
        assert not await work.step()
    assert waits == [0, 2, 4]
    assert await ingest.rows(STATE, tenant) == [("failed", 3, "PROVIDER_DOWN")]
    ingest.clock.tick(10_000)
    assert not await work.step()


async def test_a_defect_fails_the_job_and_not_the_worker(ingest: Workplace, tenant: UUID) -> None:
    async def broken(turn: Turn) -> Mapping[str, int]:
        raise KeyError("a secret of the tenant")

    await ask(ingest, tenant)
    assert await at(ingest, broken).step()
    assert await ingest.rows(STATE, tenant) == [("queued", 1, "INTERNAL")]


def test_waits_are_bounded() -> None:
    assert [runner.backoff(n) for n in (1, 3)] == [timedelta(seconds=2), timedelta(seconds=8)]
    assert runner.backoff(10_000) == runner.BACKOFF_MAX


async def test_tenants_take_turns(ingest: Workplace, tenant: UUID) -> None:
    small, busy = tenant, new_id()
    for _ in range(6):
        await ask(ingest, busy, key=None)
    for _ in range(2):
        await ask(ingest, small, key=None, after=5)
    ingest.clock.tick(10)
    order: list[UUID] = []

    async def note(turn: Turn) -> Mapping[str, int]:
        order.append(turn.attempt.tenant_id)
        ingest.clock.tick(1)
        return {}

    work = at(ingest, note)
    while await work.step():
        pass
    assert order == [busy, small, busy, small, busy, busy, busy, busy]


async def test_two_workers_do_each_job_once(ingest: Workplace, tenant: UUID) -> None:
    wanted = {await ask(ingest, owner, key=None) for owner in (tenant, new_id()) for _ in range(10)}
    done: list[UUID] = []

    async def drain() -> None:
        work = at(ingest, writing(done))
        while await work.step():
            pass

    await asyncio.gather(*(drain() for _ in range(4)))
    while await at(ingest, writing(done)).step():
        pass  # a worker stops early when all that is left is locked
    assert Counter(done) == Counter(wanted)


async def test_one_open_job_for_a_key(ingest: Workplace, tenant: UUID) -> None:
    first = await ask(ingest, tenant, after=100)
    assert await ask(ingest, tenant, after=10) == first
    assert await ask(ingest, tenant, after=50) == first
    assert await ask(ingest, tenant, key="another") != first
    assert await ask(ingest, new_id()) != first
    due = await ingest.value("SELECT due_at FROM job WHERE job_id = $1", first)
    assert due == ingest.clock.time + timedelta(seconds=10)
    ingest.clock.tick(100)
    while await at(ingest, nothing).step():
        pass
    assert await ask(ingest, tenant) != first


async def test_what_is_asked_for_while_it_runs_runs_again(ingest: Workplace, tenant: UUID) -> None:
    runs = 0

    async def handle(turn: Turn) -> Mapping[str, int]:
        nonlocal runs
        runs += 1
        if runs == 1:
            assert await ask(ingest, tenant, after=5) == turn.attempt.job_id
        return {}

    await ask(ingest, tenant)
    work = at(ingest, handle)
    assert await work.step()
    assert await ingest.rows(STATE, tenant) == [("queued", 0, None)]
    assert not await work.step()
    ingest.clock.tick(6)
    assert await work.step()
    assert runs == 2
    assert await ingest.rows(STATE, tenant) == [("done", 1, None)]


async def test_a_worker_that_was_taken_for_dead_changes_nothing(ingest: Workplace, tenant: UUID) -> None:
    entered, go = asyncio.Event(), asyncio.Event()
    lost: list[str] = []

    async def slow(turn: Turn) -> Mapping[str, int]:
        entered.set()
        await go.wait()
        add = "INSERT INTO tenant_stat (tenant_id, memories, terms) VALUES ($1, 1, 1)"
        try:
            await turn.write(lambda connection: connection.execute(add, tenant), progress=lambda _: 1)
        except LostAttempt:
            lost.append("lost")
            raise
        return {}

    await ask(ingest, tenant)
    late = asyncio.create_task(at(ingest, slow).step())
    await entered.wait()
    ingest.clock.tick(runner.LEASE.total_seconds())
    done: list[UUID] = []
    assert await at(ingest, writing(done)).step()
    go.set()
    await late
    assert (len(done), lost) == (1, ["lost"])
    assert await ingest.rows("SELECT * FROM tenant_stat WHERE tenant_id = $1", tenant) == []
    assert await ingest.rows(STATE, tenant) == [("done", 2, None)]


async def test_a_job_that_loses_every_worker_is_given_up(ingest: Workplace, tenant: UUID) -> None:
    await ask(ingest, tenant, attempts=2)
    for _ in range(2):  # each dies at once
        now = ingest.clock.time
        take = partial(jobs.claim, kinds=[KIND], now=now, lease_until=now + runner.LEASE)
        assert await run_without_tenant(ingest.pool, take)
        ingest.clock.tick(runner.LEASE.total_seconds())
    assert not await at(ingest, nothing).step()
    assert await ingest.rows(STATE, tenant) == [("failed", 2, "WORKER_LOST")]


async def test_a_worker_that_is_stopped_gives_its_job_back(ingest: Workplace, tenant: UUID) -> None:
    entered = asyncio.Event()

    async def slow(turn: Turn) -> Mapping[str, int]:
        entered.set()
        await asyncio.Event().wait()
        return {}

    await ask(ingest, tenant)
    stopped = asyncio.create_task(at(ingest, slow).step())
    await entered.wait()
    stopped.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopped
    assert await ingest.rows(STATE, tenant) == [("queued", 0, None)]
    assert await at(ingest, nothing).step()


async def test_a_long_job_keeps_its_lease(ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "BEAT_SECONDS", 0.01)
    lease = "SELECT lease_until FROM job WHERE tenant_id = $1"

    async def slow(turn: Turn) -> Mapping[str, int]:
        before = await ingest.value(lease, tenant)
        ingest.clock.tick(30)
        async with asyncio.timeout(10):
            while await ingest.value(lease, tenant) <= before:
                pass
        return {}

    await ask(ingest, tenant)
    assert await at(ingest, slow).step()
    assert await ingest.rows(STATE, tenant) == [("done", 1, None)]


STAGED = 4_000
STAGE = """INSERT INTO memory_vector_g1_staging (tenant_id, memory_id, passage_no, char_start, char_end, embedding)
SELECT $1, gen_random_uuid(), 0, 0, 1,
       (SELECT array_agg(random()) FROM generate_series(1, 384) WHERE n > 0)::real[]::vector::halfvec
FROM generate_series(1, $2) AS n"""


async def until(holds: Callable[[], Awaitable[Any]]) -> None:
    async with asyncio.timeout(60):
        while not await holds():
            pass


async def test_a_killed_worker_is_replaced_and_nothing_is_moved_twice(
    ingest: Workplace, tenant: UUID, module_database: migrate.Dsns
) -> None:
    await ingest.look.execute(STAGE, tenant, STAGED)
    now = clock.now()
    job = NewJob(new_id(), tenant, indexing.KIND, now, now, indexing.MAX_ATTEMPTS)
    await run(ingest.pool, tenant, partial(jobs.enqueue, job=job))
    variables = {"CANDOR_WRITER_DSN": module_database.writer, "CANDOR_SECRET": "s" * 32, "CANDOR_LOG_LEVEL": "error"}
    command = (sys.executable, "-m", "services.ingest.worker")
    worker = await asyncio.create_subprocess_exec(*command, env=child_environment(variables))
    moved = "SELECT count(*) FROM memory_vector_g1 WHERE tenant_id = $1"
    try:
        await until(lambda: ingest.value("SELECT progress > 0 FROM job WHERE job_id = $1", job.job_id))
    finally:
        worker.kill()  # SIGKILL: nothing is given back
        await worker.wait()
    status = "SELECT status FROM job WHERE job_id = $1"
    assert 0 < await ingest.value(moved, tenant) < STAGED
    assert await ingest.value(status, job.job_id) == "running"
    later = JobRunner(ingest.pool, {indexing.KIND: indexing.handle}, now=lambda: clock.now() + 2 * runner.LEASE)
    await until(later.step)
    assert await ingest.value(moved, tenant) == STAGED
    assert await ingest.value("SELECT count(*) FROM memory_vector_g1_staging WHERE tenant_id = $1", tenant) == 0
    assert await ingest.rows("SELECT status, attempts FROM job WHERE job_id = $1", job.job_id) == [("done", 2)]
