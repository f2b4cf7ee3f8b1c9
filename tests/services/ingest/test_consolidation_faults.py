"""Passes at the same time do what one does; nothing is lost or cannot be recalled at any instant, kills included."""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import consolidation_pb2 as pb

from services.ingest import consolidation_job
from services.ingest.runner import JobRunner
from services.ingest.upkeep import CONSOLIDATE_KIND
from shared import clock, config
from shared.clock import new_id
from shared.config import child_environment
from shared.domain.errors import Conflict
from shared.rpc import server
from shared.store import migrate
from shared.store.pool import Connection, run
from shared.store.writes import jobs
from shared.store.writes.jobs import NewJob
from tests.services.ingest.stand_in import StandIn
from tests.services.ingest.test_consolidation import consolidate, passed, told
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio
TOPICS = ("tea", "rowing", "opera")
# What was told and is neither active nor spoken for by an active digest that recall finds by words and by meaning.
LOST = """SELECT count(*) FROM memory AS m
    WHERE m.tenant_id = $1 AND m.memory_id = ANY ($2::uuid[]) AND NOT EXISTS (
        SELECT FROM memory AS h
        JOIN memory_lexical AS l ON l.tenant_id = $1 AND l.memory_id = h.memory_id
        JOIN memory_vector_g1 AS v ON v.tenant_id = $1 AND v.memory_id = h.memory_id
        WHERE h.tenant_id = $1 AND h.state = 'active'
          AND h.memory_id = CASE WHEN m.state = 'merged' THEN m.superseded_by ELSE m.memory_id END
    )"""
DIGESTS = """SELECT d.content, count(*)
    FROM memory AS d JOIN memory AS m ON m.tenant_id = $1 AND m.superseded_by = d.memory_id
    WHERE d.tenant_id = $1 AND d.state = 'active' AND d.memory_type = 'consolidated' GROUP BY d.memory_id, d.content
    ORDER BY d.content"""


async def topics(ingest: Workplace, tenant: UUID) -> list[UUID]:
    """Tell each topic three times."""
    ids = [await told(ingest, tenant, *[f"User is fond of {topic}."] * 3) for topic in TOPICS]
    return [UUID(one) for part in ids for one in part]


async def counted(ingest: Workplace, tenant: UUID) -> list[tuple[str, int]]:
    return [(content.partition(" (")[0], number) for content, number in await ingest.rows(DIGESTS, tenant)]


EXPECTED = sorted((f"User is fond of {topic}.", 3) for topic in TOPICS)


async def test_twenty_passes_at_once_do_what_one_does_and_all_is_there_at_any_instant(
    ingest: Workplace, tenant: UUID
) -> None:
    ids = await topics(ingest, tenant)
    plans = await asyncio.gather(*(consolidate(ingest, tenant, preview=True) for _ in range(20)))
    assert {len(plan.digests) for plan in plans} == {3}

    async def confirm(plan: pb.ConsolidateMemoriesResponse) -> list[str]:
        try:
            done = await consolidate(ingest, tenant, plan_id=plan.plan_id)
        except Conflict as error:
            assert error.reason == "PLAN_STALE"
            return []
        return [one.memory_id for one in done.digests if one.applied]

    running = asyncio.gather(passed(ingest, tenant), asyncio.gather(*(confirm(plan) for plan in plans)))
    polls = 0

    async def lost(connection: Connection) -> int:
        return int(await connection.fetchval(LOST, tenant, ids))

    while not running.done():
        assert await run(ingest.pool, tenant, lost, read_only=True) == 0
        polls += 1
    job, confirmed = await running
    assert polls > 3
    assert job.startswith("done ")
    assert await counted(ingest, tenant) == EXPECTED
    written = [one for part in confirmed for one in part]
    assert len(written) == len(set(written)) <= 3
    live = "SELECT count(*) FROM memory WHERE tenant_id = $1 AND state = 'active'"
    assert await ingest.value(live, tenant) == 3


@asynccontextmanager
async def worker_process(database: migrate.Dsns) -> AsyncIterator[tuple[asyncio.subprocess.Process, StandIn]]:
    """Run the worker as a process of its own with a stand-in embedder; kill it at the end."""
    embeddings = StandIn()

    async def embed(host: server.Host) -> None:
        host.add(embeddings)

    role = await server.start("embed", embed, config.Settings(drain_seconds=0.2))
    variables = {
        "CANDOR_WRITER_DSN": database.writer,
        "CANDOR_SECRET": "s" * 32,
        "CANDOR_LOG_LEVEL": "error",
        "CANDOR_EMBED_TARGET": f"127.0.0.1:{role.port}",
    }
    command = (sys.executable, "-m", "services.ingest.worker")
    worker = await asyncio.create_subprocess_exec(*command, env=child_environment(variables))
    try:
        yield worker, embeddings
    finally:
        if worker.returncode is None:
            worker.kill()
        await worker.wait()
        embeddings.gate.set()
        await role.stop()


async def until(holds: Callable[[], Awaitable[Any]], seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110  # what another process has done is only seen by looking
            await asyncio.sleep(0.02)


async def test_a_worker_that_is_killed_loses_nothing_and_another_goes_on(
    ingest: Workplace, tenant: UUID, module_database: migrate.Dsns
) -> None:
    ids = await topics(ingest, tenant)
    job = NewJob(new_id(), tenant, CONSOLIDATE_KIND, ingest.clock.time, ingest.clock.time, 5)
    await run(ingest.pool, tenant, partial(jobs.enqueue, job=job))
    lock = "hashtextextended('consolidate ' || $1::uuid, 0)"
    await ingest.look.execute(f"SELECT pg_advisory_lock({lock})", tenant)
    async with worker_process(module_database) as (worker, _):
        waiting = "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        await until(lambda: ingest.value(waiting))  # in the midst of the transaction of all digests
        worker.kill()
        await worker.wait()
    await ingest.look.execute(f"SELECT pg_advisory_unlock({lock})", tenant)
    assert await counted(ingest, tenant) == []
    assert await ingest.value(LOST, tenant, ids) == 0
    await ingest.look.execute("UPDATE job SET lease_until = due_at WHERE status = 'running'")
    handler = partial(consolidation_job.handle, means=ingest.means)
    later = max(clock.now(), ingest.clock.time) + timedelta(minutes=5)
    assert await JobRunner(ingest.pool, {CONSOLIDATE_KIND: handler}, now=lambda: later).step()
    assert await counted(ingest, tenant) == EXPECTED
    assert await ingest.value(LOST, tenant, ids) == 0
