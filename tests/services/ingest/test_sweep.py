"""The sweep: what fades is dated at every write and forgotten when its date has come; what is protected stays."""

import asyncio
from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import forgetting_pb2 as pb
from candor.ingest.v1 import memories_pb2
from candor.memory.v1 import memory_pb2

from services.ingest import refreshing, sweep
from services.ingest.revising import Revisions
from services.ingest.runner import JobRunner
from services.ingest.upkeep import SWEEP_KIND
from shared.clock import new_id
from shared.rpc import life_stubs
from shared.stemmer import stemmer
from shared.store.pool import run
from shared.store.writes import fading
from tests.services.ingest.judging import invalidate, restore
from tests.services.ingest.test_reinforcement import used
from tests.services.ingest.test_upkeep import KNOWN, TRUTH
from tests.services.ingest.workplace import TERM_KEY, Workplace, batch, memory

pytestmark = pytest.mark.anyio
EPISODIC = memory_pb2.MEMORY_TYPE_EPISODIC
HALF_LIFE = timedelta(hours=72)
AGE_OF_TRIVIA = 3 * HALF_LIFE  # importance 0.4, floor 0.05: three half-lives
USE = "SELECT fades_at, is_protected FROM memory_use WHERE tenant_id = $1 AND memory_id = $2"
STATE = "SELECT state, state_reason FROM memory WHERE tenant_id = $1 AND memory_id = $2"


async def trivia(ingest: Workplace, tenant: UUID, content: str = "a trifle", **given: Any) -> str:
    made = await ingest.create(tenant, content, **{"memory_type": EPISODIC, **given})
    return made.memory.memory_id


async def swept(ingest: Workplace, tenant: UUID, request_id: str = "") -> pb.SweepMemoriesResponse:
    request = pb.SweepMemoriesRequest(tenant_id=str(tenant), actor="sweeper", request_id=request_id)
    return await life_stubs.forgetting(ingest.via).SweepMemories(request)


async def date_of(ingest: Workplace, tenant: UUID, memory_id: str) -> datetime | None:
    found: datetime | None = await ingest.value(USE, tenant, UUID(memory_id))
    return found


async def test_a_memory_is_forgotten_when_its_salience_is_at_the_floor_and_not_before(
    ingest: Workplace, tenant: UUID
) -> None:
    memory_id = await trivia(ingest, tenant)
    began = ingest.clock.time
    assert await date_of(ingest, tenant, memory_id) == began + AGE_OF_TRIVIA
    ingest.clock.time = began + AGE_OF_TRIVIA - timedelta(seconds=1)
    answer = await swept(ingest, tenant)
    assert (answer.examined, answer.faded, list(answer.operation_ids)) == (0, 0, [])
    assert answer.next_fades_at.ToDatetime(began.tzinfo) == began + AGE_OF_TRIVIA
    ingest.clock.tick(1)
    answer = await swept(ingest, tenant, "r1")
    assert (answer.examined, answer.faded, answer.kept, answer.truncated) == (1, 1, 0, False)
    assert not answer.HasField("next_fades_at")
    assert await ingest.rows(STATE, tenant, UUID(memory_id)) == [("forgotten", "faded")]
    assert await ingest.rows(USE, tenant, UUID(memory_id)) == [(None, False)]
    noted = await ingest.rows("SELECT action, actor FROM operation WHERE tenant_id = $1", tenant)
    assert ("sweep", "sweeper") in noted
    assert await swept(ingest, tenant, "r1") == answer
    assert (await swept(ingest, tenant)).examined == 0


async def test_use_a_patch_and_a_restore_date_a_memory_anew(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await trivia(ingest, tenant)
    first = await date_of(ingest, tenant, memory_id)
    ingest.clock.tick(3600)
    await ingest.uses.ReinforceMemories(used(tenant, "r1", memory_id))
    second = await date_of(ingest, tenant, memory_id)
    assert first is not None and second is not None and second > first + timedelta(hours=1)
    for patch, fades in (({"pinned": True}, False), ({"pinned": False}, True), ({"importance": 0.9}, True)):
        change = memories_pb2.MemoryPatch(**patch)
        await ingest.writer.UpdateMemory(
            memories_pb2.UpdateMemoryRequest(tenant_id=str(tenant), memory_id=memory_id, patch=change)
        )
        assert (await date_of(ingest, tenant, memory_id) is not None) == fades
    third = await date_of(ingest, tenant, memory_id)
    dated = ingest.clock.time
    assert third is not None and third > dated + timedelta(hours=720)  # important: a lasting half-life
    await invalidate(ingest, tenant, memory_id)
    assert await date_of(ingest, tenant, memory_id) is None
    ingest.clock.tick(60)
    await restore(ingest, tenant, memory_id)
    assert await date_of(ingest, tenant, memory_id) == third + (ingest.clock.time - dated)


async def test_what_is_protected_and_what_is_evidence_has_no_date(ingest: Workplace, tenant: UUID) -> None:
    pinned = await trivia(ingest, tenant, "pinned", pinned=True)
    evidence = await trivia(ingest, tenant, "an invoice", kind="invoice")
    guarded = [await trivia(ingest, tenant, guard) for guard in ("safety", "explicit", "commitment")]
    for memory_id, guard in zip(guarded, ("safety", "explicit", "commitment"), strict=True):
        await ingest.look.execute("UPDATE memory SET protection = $1 WHERE memory_id = $2", guard, UUID(memory_id))
    ingest.clock.tick(AGE_OF_TRIVIA.total_seconds())
    answer = await swept(ingest, tenant)  # guarded behind our back: dated, found, dated again
    assert (answer.examined, answer.faded, answer.kept) == (3, 0, 3)
    for memory_id in (pinned, *guarded):
        assert await ingest.rows(USE, tenant, UUID(memory_id)) == [(None, True)]
    assert await ingest.rows(USE, tenant, UUID(evidence)) == []
    ingest.clock.tick(10 * 365 * 86_400)
    assert (await swept(ingest, tenant)).examined == 0


async def test_a_commitment_is_kept_until_its_date_and_fades_from_then_on(ingest: Workplace, tenant: UUID) -> None:
    due = ingest.clock.time + timedelta(days=90)
    memory_id = await trivia(ingest, tenant, "hand in the report", expires_at=due)
    await ingest.look.execute("UPDATE memory SET protection = 'commitment' WHERE memory_id = $1", UUID(memory_id))
    ingest.clock.time = due - timedelta(days=1)
    assert (await swept(ingest, tenant)).kept == 1
    assert await date_of(ingest, tenant, memory_id) == due + AGE_OF_TRIVIA
    ingest.clock.time = due + AGE_OF_TRIVIA
    assert (await swept(ingest, tenant)).faded == 1


async def test_the_capacity_takes_what_would_fade_next_and_never_what_is_protected(
    ingest: Workplace, tenant: UUID
) -> None:
    pinned = await trivia(ingest, tenant, "pinned", pinned=True)
    ids = []
    for number in range(5):
        ids.append(await trivia(ingest, tenant, f"fact {number}"))
        ingest.clock.tick(60)
    await ingest.uses.ReinforceMemories(used(tenant, "r1", ids[0]))
    await ingest.look.execute(
        """INSERT INTO tenant_setting VALUES ($1, 1, '{"capacity": 3}', 'a', '', $1, now())""", tenant
    )
    answer = await swept(ingest, tenant)
    assert (answer.examined, answer.faded, answer.surplus) == (3, 0, 3)
    live = "SELECT memory_id FROM memory WHERE tenant_id = $1 AND ended_at IS NULL"
    assert {row[0] for row in await ingest.rows(live, tenant)} == {UUID(pinned), UUID(ids[0]), UUID(ids[4])}


async def test_what_faded_and_is_written_again_comes_back_as_it_was(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await trivia(ingest, tenant, "The bakery closes at six.")
    ingest.clock.tick(AGE_OF_TRIVIA.total_seconds())
    await swept(ingest, tenant)
    again = (await ingest.create(tenant, "The bakery closes at six.", memory_type=EPISODIC)).memory
    assert (again.memory_id, again.existing) == (memory_id, True)
    assert await ingest.rows(STATE, tenant, UUID(memory_id)) == [("active", None)]
    assert await date_of(ingest, tenant, memory_id) == ingest.clock.time + AGE_OF_TRIVIA
    await invalidate(ingest, tenant, memory_id)
    assert (
        await ingest.create(tenant, "The bakery closes at six.", memory_type=EPISODIC)
    ).memory.memory_id != memory_id


async def test_pieces_are_operations_of_a_bounded_size_and_the_statistics_of_terms_stay_right(
    ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "PIECE_MEMORIES", 2)
    monkeypatch.setattr(sweep, "OPERATION_MEMORIES", 4)
    for number in range(7):
        await trivia(ingest, tenant, f"apple pear word{number}")
        await trivia(ingest, tenant, f"plum pear word{number}", kind="document")
    ingest.clock.tick(AGE_OF_TRIVIA.total_seconds())
    answers = await asyncio.gather(*(swept(ingest, tenant) for _ in range(3)))  # at once: nothing is forgotten twice
    assert sum(answer.faded for answer in answers) == 7
    made = [operation_id for answer in answers for operation_id in answer.operation_ids]
    counts = "SELECT count(*) FROM memory_event WHERE tenant_id = $1 AND action = 'ended' GROUP BY operation_id"
    held = [row[0] for row in await ingest.rows(counts, tenant)]
    assert (len(held), sum(held), max(held) <= 4) == (len(made), 7, True)
    await ingest.statistics.flush()
    assert await ingest.rows(KNOWN, tenant) == await ingest.rows(TRUTH, tenant)
    assert await ingest.value("SELECT memories FROM tenant_stat WHERE tenant_id = $1", tenant) == 7


async def test_the_job_runs_the_same_pass_and_asks_for_itself_again(ingest: Workplace, tenant: UUID) -> None:
    await ingest.writer.BatchCreateMemories(
        batch(tenant, [memory(f"fact {number}", memory_type=EPISODIC) for number in range(3)])
    )
    lasting = await trivia(ingest, tenant, "lasts", memory_type=memory_pb2.MEMORY_TYPE_SEMANTIC)
    ingest.clock.tick(AGE_OF_TRIVIA.total_seconds())
    await run(ingest.pool, tenant, partial(_ask, tenant=tenant, at=ingest.clock.time))
    revisions = Revisions(ingest.pool, TERM_KEY, stemmer, now=ingest.clock.now)
    handlers = {
        SWEEP_KIND: partial(sweep.handle, revisions=revisions, statistics=ingest.statistics, new_id=new_id),
        refreshing.KIND: partial(refreshing.handle, new_id=new_id),
    }
    worker = JobRunner(ingest.pool, handlers, now=ingest.clock.now)
    while await worker.step():
        pass
    jobs = "SELECT kind, status, result::text FROM job WHERE tenant_id = $1 ORDER BY kind"
    assert await ingest.rows(jobs, tenant) == [
        ("refresh_fading", "done", '{"dated": 4}'),
        ("sweep_memories", "queued", '{"examined": 3, "forgotten": 3}'),
    ]
    due = "SELECT due_at FROM job WHERE tenant_id = $1 AND status = 'queued'"
    assert await ingest.value(due, tenant) == await date_of(ingest, tenant, lasting)


async def _ask(connection: Any, tenant: UUID, at: datetime) -> None:
    """Lose the dates, as of memories that were written before there were any, and ask for them."""
    await connection.execute("UPDATE memory_use SET fades_at = NULL WHERE tenant_id = $1", tenant)
    await refreshing.ask(connection, tenant, at, new_id)


async def test_a_sweep_reads_the_index_of_dates_and_nothing_else(ingest: Workplace, tenant: UUID) -> None:
    await ingest.look.execute(
        """INSERT INTO memory_use (tenant_id, memory_id, recall_count, fades_at)
        SELECT $1, gen_random_uuid(), 0, timestamptz '2030-01-01' + n * interval '1 minute'
        FROM generate_series(1, 20000) AS n""",
        tenant,
    )
    await ingest.look.execute("ANALYZE memory_use")

    async def explained(connection: Any) -> str:
        statement = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) " + fading.SQL["due"]
        at = datetime.fromisoformat("2030-01-01T00:10:00Z")
        return "\n".join(row[0] for row in await connection.fetch(statement, tenant, at, 500))

    plan = await run(ingest.pool, tenant, explained)
    assert "fades_at" in plan and "Seq Scan" not in plan and "Index" in plan, plan
    assert "rows=10.00" in plan or "rows=10 " in plan, plan
