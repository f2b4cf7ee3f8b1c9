"""What goes wrong while turns are read: judge fails or answers nonsense, jobs run twice, at once, or are killed."""

import asyncio
import math
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest
from candor.judge.v1 import extraction_pb2
from candor.memory.v1 import memory_pb2

from services.ingest import runner
from shared import clock, config
from shared.clock import new_id
from shared.config import child_environment
from shared.domain.errors import UpstreamUnavailable
from shared.domain.extraction.facts import Fact
from shared.rpc import server
from shared.store import migrate
from tests.services.ingest.conversation import Conversation, day, fact
from tests.services.ingest.stand_in import StandIn

pytestmark = pytest.mark.anyio
NONE = extraction_pb2.PROTECTION_NONE
LISBON = fact("User lives in Lisbon.", "slot.residence", "Lisbon")


def score(importance: float) -> extraction_pb2.ImportanceScore:
    return extraction_pb2.ImportanceScore(
        importance=importance, memory_type=memory_pb2.MEMORY_TYPE_SEMANTIC, protection=NONE
    )


async def untouched(talk: Conversation, tenant: UUID, reason: str) -> None:
    """The turn is as it was said, and its job says why and waits."""
    rows = await talk.ingest.rows("SELECT kind, state FROM memory WHERE tenant_id = $1", tenant)
    assert rows == [("turn", "active")]
    assert await talk.jobs(tenant) == [("queued", 1, reason, None)]


async def then_read(talk: Conversation, tenant: UUID) -> None:
    talk.extractor.error, talk.extractor.scores = None, None
    talk.ingest.clock.tick(3)
    await talk.read()
    assert await talk.active(tenant) == ["User lives in Lisbon."]
    assert (await talk.jobs(tenant))[0][:3] == ("done", 2, None)


@pytest.mark.parametrize("reason", ["MODEL_ANSWER_INVALID", "MODEL_UNAVAILABLE"])
async def test_a_judge_that_fails_leaves_the_turn_and_is_asked_again(
    talk: Conversation, tenant: UUID, reason: str
) -> None:
    talk.extractor.error = UpstreamUnavailable(reason, "no")
    await talk.tell(tenant, "I moved.", LISBON)
    await untouched(talk, tenant, reason)
    await then_read(talk, tenant)


@pytest.mark.parametrize("scores", [[], [score(0.5), score(0.5)], [score(math.nan)], [score(1.5)], [score(-0.1)]])
async def test_scores_that_do_not_fit_are_refused(talk: Conversation, tenant: UUID, scores: list[Any]) -> None:
    talk.extractor.scores = scores
    await talk.tell(tenant, "I moved.", LISBON)
    await untouched(talk, tenant, "JUDGE_ANSWER_INVALID")
    await then_read(talk, tenant)


@pytest.mark.parametrize(
    "wrong",
    [
        fact(" "),
        fact("x", "residence", "Lisbon"),
        fact("x", "slot.residence", ""),
        fact("x" * 40_000),
        fact("x", subject="s" * 600),
        fact("x", "slot.note", "v" * 70_000),
    ],
)
async def test_a_fact_that_cannot_be_one_is_refused_with_all_of_its_turn(
    talk: Conversation, tenant: UUID, wrong: Fact
) -> None:
    await talk.tell(tenant, "I moved.", LISBON, wrong)
    await untouched(talk, tenant, "JUDGE_ANSWER_INVALID")
    talk.extractor.script["I moved."] = [LISBON]
    await then_read(talk, tenant)


async def test_an_embedder_that_is_down_leaves_the_turn(talk: Conversation, tenant: UUID) -> None:
    await talk.say(tenant, "I moved.", LISBON)
    talk.ingest.embeddings.is_down = True
    await talk.read()
    talk.ingest.embeddings.is_down = False
    await untouched(talk, tenant, "EMBEDDER_UNAVAILABLE")
    await then_read(talk, tenant)


async def ask_again(talk: Conversation, tenant: UUID, times: int) -> None:
    """Put the jobs of a tenant into the queue anew, each so many times, as if nobody knew of the others."""
    rows = await talk.ingest.rows("SELECT parameters::text FROM job WHERE tenant_id = $1", tenant)
    for (parameters,) in rows:
        for _ in range(times):
            await talk.ingest.look.execute(
                """INSERT INTO job (job_id, tenant_id, kind, parameters, max_attempts, due_at, created_at, status)
                VALUES ($1, $2, 'enrich_turn', $3::text::json, 9, $4, $4, 'queued')""",
                new_id(),
                tenant,
                parameters,
                talk.ingest.clock.time,
            )


async def believed(talk: Conversation, tenant: UUID) -> dict[str, list[str]]:
    """Return all that a tenant has, but jobs and the statistics of its terms."""
    await talk.ingest.statistics.flush()
    tables = await talk.ingest.contents(tenant)
    return {name: rows for name, rows in tables.items() if name not in ("job", "term_stat", "tenant_stat")}


async def test_a_job_that_runs_again_changes_nothing(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Berlin", 1)
    await talk.lives(tenant, "Lisbon", 5)
    await talk.lives(tenant, "Lisbon", 6)
    await talk.tell(tenant, "Rain.")
    before = await believed(talk, tenant)
    await ask_again(talk, tenant, 1)
    assert await talk.read() == 4
    assert await believed(talk, tenant) == before


async def test_twenty_at_once_are_one(talk: Conversation, tenant: UUID) -> None:
    turn_id = UUID((await talk.say(tenant, "I moved.", LISBON, fact("User likes rain."))).memory.memory_id)
    await ask_again(talk, tenant, 19)
    await read_at_once(talk, 20)
    assert sorted(await talk.active(tenant)) == ["User likes rain.", "User lives in Lisbon."]
    assert {job[:3] for job in await talk.jobs(tenant)} <= {("done", 1, None), ("done", 2, None)}
    assert sum(1 for job in await talk.jobs(tenant) if job[3] and job[3].get("written")) == 1
    noted = "SELECT count(*) FROM memory_event WHERE tenant_id = $1 AND memory_id = $2 AND action = 'enriched'"
    assert await talk.ingest.value(noted, tenant, turn_id) == 1


async def read_at_once(talk: Conversation, jobs: int) -> None:
    """Read so many turns at once: judge answers none before it was asked for all."""
    talk.extractor.gate.clear()
    talk.extractor.entered = asyncio.Semaphore(0)
    steps = []
    for _ in range(jobs):
        steps.append(asyncio.create_task(talk.runner.step()))
        await asyncio.wait_for(talk.extractor.entered.acquire(), 30)
    talk.extractor.gate.set()
    assert await asyncio.gather(*steps) == [True] * jobs
    talk.ingest.clock.tick(3)
    await talk.read()


async def test_turns_read_at_once_and_in_any_order_leave_the_same(talk: Conversation) -> None:
    cities = [("Berlin", 1), ("Lisbon", 4), ("Porto", 6), ("Lisbon", 9)]
    for order in list(permutations(cities))[::3]:
        tenant = new_id()
        for city, at in order:
            told = fact(f"User lives in {city}.", "slot.residence", city)
            await talk.say(tenant, f"I live in {city} ({at})", told, at=at)
        await read_at_once(talk, len(cities))
        rows = await talk.ingest.rows(
            """SELECT metadata->>'slot.residence', state, valid_to FROM memory
            WHERE tenant_id = $1 AND kind = 'note' AND state IN ('active', 'superseded') ORDER BY valid_from""",
            tenant,
        )
        assert [row for row in rows if row[1] == "active"] == [("Lisbon", "active", None)], order
        assert ("Berlin", "superseded", day(4)) in rows, order
        assert ("Porto", "superseded", day(9)) in rows, order


async def test_two_turns_at_once_that_exclude_each_other_are_judged(talk: Conversation, tenant: UUID) -> None:
    await talk.say(tenant, "Coffee!", fact("User loves coffee."), at=1)
    await talk.say(tenant, "No coffee!", fact("User hates coffee."), at=2)
    await read_at_once(talk, 2)
    assert await talk.facts(tenant) == [("User loves coffee.", "superseded"), ("User hates coffee.", "active")]


@asynccontextmanager
async def worker_process(
    talk: Conversation, database: migrate.Dsns
) -> AsyncIterator[tuple[asyncio.subprocess.Process, StandIn]]:
    """Run the worker as a process of its own, with the tests' judge and an embedder; kill it at the end."""
    embeddings, settings = StandIn(), config.Settings(drain_seconds=0.2)

    async def embed(host: server.Host) -> None:
        host.add(embeddings)

    async def judge(host: server.Host) -> None:
        for servicer in talk.judges:
            host.add(servicer)

    roles = [await server.start("embed", embed, settings), await server.start("judge", judge, settings)]
    variables = {
        "CANDOR_WRITER_DSN": database.writer,
        "CANDOR_SECRET": "s" * 32,
        "CANDOR_LOG_LEVEL": "error",
        "CANDOR_EMBED_TARGET": f"127.0.0.1:{roles[0].port}",
        "CANDOR_JUDGE_TARGET": f"127.0.0.1:{roles[1].port}",
    }
    command = (sys.executable, "-m", "services.ingest.worker")
    worker = await asyncio.create_subprocess_exec(*command, env=child_environment(variables))
    try:
        yield worker, embeddings
    finally:
        if worker.returncode is None:
            worker.kill()
        await worker.wait()
        talk.extractor.gate.set()
        for one in roles:
            await one.stop()


async def until(holds: Callable[[], Awaitable[Any]], seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110  # what another process has done is only seen by looking
            await asyncio.sleep(0.02)


async def test_a_worker_that_is_killed_loses_nothing(
    talk: Conversation, tenant: UUID, module_database: migrate.Dsns
) -> None:
    await talk.lives(tenant, "Berlin", -400)
    before = await believed(talk, tenant)
    await talk.say(tenant, "I moved.", LISBON)
    said = await believed(talk, tenant)
    look, lock = talk.ingest.look, "hashtextextended('enrich ' || $1::uuid, 0)"
    talk.extractor.gate.clear()
    talk.extractor.entered = asyncio.Semaphore(0)
    async with worker_process(talk, module_database) as (worker, _):
        await asyncio.wait_for(talk.extractor.entered.acquire(), 30)
        worker.kill()  # while judge reads the turn
        await worker.wait()
    assert await believed(talk, tenant) == said
    await look.execute("UPDATE job SET lease_until = due_at WHERE status = 'running'")
    await look.execute(f"SELECT pg_advisory_lock({lock})", tenant)
    try:
        async with worker_process(talk, module_database) as (worker, _):
            waiting = "SELECT count(*) > 0 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            await until(lambda: talk.ingest.value(waiting))
            worker.kill()  # in the midst of the writing transaction
            await worker.wait()
    finally:
        await look.execute(f"SELECT pg_advisory_unlock({lock})", tenant)
    assert await believed(talk, tenant) == said
    assert before != said
    later = runner.JobRunner(
        talk.ingest.pool,
        {"enrich_turn": talk.enrichment.handle},
        now=lambda: max(clock.now(), talk.ingest.clock.time) + timedelta(minutes=5),
    )
    await until(later.step)
    assert await talk.facts(tenant) == [("User lives in Berlin.", "superseded"), ("User lives in Lisbon.", "active")]
    assert [(job[0], job[1]) for job in await talk.jobs(tenant)] == [("done", 1), ("done", 3)]
