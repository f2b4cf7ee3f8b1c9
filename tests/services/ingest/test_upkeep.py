"""The regular jobs of a tenant: recounted terms equal the truth, and what is old goes."""

from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import TypeVar
from uuid import UUID

import pytest

from services.ingest import expiry, recount, upkeep
from services.ingest.runner import Handler, JobRunner, Turn
from services.ingest.upkeep import CONSOLIDATE_KIND, EXPIRE_KIND, RECOUNT_KIND, SWEEP_KIND
from shared.clock import new_id
from shared.store.pool import Connection, run
from shared.store.writes import recount as pieces
from shared.store.writes import statistics
from tests.services.ingest.test_reinforcement import used
from tests.services.ingest.test_update import update
from tests.services.ingest.workplace import Workplace, batch, memory

T = TypeVar("T")
pytestmark = pytest.mark.anyio
DAY = timedelta(days=1).total_seconds()
TRUTH = """SELECT term, count(*) FROM memory_lexical, unnest(terms) AS t (term) WHERE tenant_id = $1
    GROUP BY term ORDER BY term"""
KNOWN = "SELECT term_id, memories FROM term_stat WHERE tenant_id = $1 AND memories <> 0 ORDER BY term_id"
TOTALS = "SELECT memories, terms FROM tenant_stat WHERE tenant_id = $1"
OPEN = "SELECT kind, due_at FROM job WHERE tenant_id = $1 AND status = 'queued' ORDER BY kind"


def worker(ingest: Workplace) -> JobRunner:
    handlers: dict[str, Handler] = {RECOUNT_KIND: recount.handle, EXPIRE_KIND: partial(expiry.handle, new_id=new_id)}
    return JobRunner(ingest.pool, handlers, now=ingest.clock.now)


async def drain(ingest: Workplace) -> None:
    work = worker(ingest)
    while await work.step():
        pass


async def recounted(ingest: Workplace, tenant: UUID) -> None:
    ingest.upkeep.note(tenant, upkeep.RECOUNT_AFTER_MEMORIES)
    await ingest.upkeep.flush()
    ingest.clock.tick(61)
    await drain(ingest)
    assert await ingest.rows(KNOWN, tenant) == await ingest.rows(TRUTH, tenant)


async def test_a_recount_equals_the_truth(ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE_MEMORIES", 7)
    monkeypatch.setattr(pieces, "PIECE_TERMS", 11)
    monkeypatch.setattr(recount, "CHUNK_TERMS", 5)
    monkeypatch.setattr(recount, "MERGE_FROM", 20)
    # Nine terms each: word7 is an identifier, a word and a number.
    facts = [memory(f"apple apple pear word{number} word{number % 5}") for number in range(30)]
    made = await ingest.writer.BatchCreateMemories(batch(tenant, facts))
    await ingest.writer.UpdateMemory(update(tenant, made.memories[0].memory_id, content="plum plum plum"))
    await recounted(ingest, tenant)  # nothing was ever flushed: the worst drift
    assert await ingest.rows(TOTALS, tenant) == [(30, 29 * 9 + 3)]
    await ingest.look.execute("UPDATE term_stat SET memories = memories + 5 WHERE tenant_id = $1", tenant)
    await ingest.look.execute("INSERT INTO term_stat VALUES ($1, 77, 4)", tenant)
    await ingest.look.execute("UPDATE tenant_stat SET memories = -1, terms = 9 WHERE tenant_id = $1", tenant)
    await recounted(ingest, tenant)
    assert await ingest.rows(TOTALS, tenant) == [(30, 29 * 9 + 3)]


async def test_what_is_added_during_a_recount_is_kept(ingest: Workplace, tenant: UUID) -> None:
    await ingest.writer.BatchCreateMemories(batch(tenant, [memory("apple")]))

    class Disturbed(Turn):
        async def read(self, work: Callable[[Connection], Awaitable[T]]) -> T:
            found = await super().read(work)
            add = partial(statistics.add, tenant_id=tenant, frequencies={5: 1}, memories=1, terms=3)
            await run(ingest.pool, tenant, add)
            return found

    async def meanwhile(turn: Turn) -> Mapping[str, int]:
        return await recount.handle(Disturbed(ingest.pool, turn.attempt, turn.now))

    ingest.upkeep.note(tenant, upkeep.RECOUNT_AFTER_MEMORIES)
    await ingest.upkeep.flush()
    ingest.clock.tick(61)
    assert await JobRunner(ingest.pool, {RECOUNT_KIND: meanwhile}, now=ingest.clock.now).step()
    assert await ingest.rows(TOTALS, tenant) == [(2, 4)]
    assert (5, 1) in await ingest.rows(KNOWN, tenant)


async def test_a_tenant_that_writes_has_its_jobs(ingest: Workplace, tenant: UUID) -> None:
    await ingest.create(tenant, "one")
    await ingest.upkeep.flush()
    began = ingest.clock.time
    daily = [(kind, began + timedelta(days=1)) for kind in (CONSOLIDATE_KIND, EXPIRE_KIND, RECOUNT_KIND)]
    daily.append((SWEEP_KIND, began + timedelta(hours=1)))
    assert await ingest.rows(OPEN, tenant) == daily
    ingest.clock.tick(600)
    await ingest.create(tenant, "two")
    await ingest.upkeep.flush()
    assert await ingest.rows(OPEN, tenant) == daily
    ingest.upkeep.note(tenant, upkeep.RECOUNT_AFTER_MEMORIES)
    await ingest.upkeep.flush()
    assert (RECOUNT_KIND, ingest.clock.time + upkeep.SOON) in await ingest.rows(OPEN, tenant)


async def test_what_is_old_goes_and_what_is_young_stays(
    ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(expiry, "ROWS", 2)
    facts = [await ingest.create(tenant, f"fact {number}", request_id=f"old-{number}") for number in range(5)]
    await ingest.uses.ReinforceMemories(used(tenant, "old-recall", facts[0].memory.memory_id))
    await ingest.upkeep.flush()
    ingest.clock.tick(29 * DAY)
    await drain(ingest)
    await ingest.create(tenant, "young", request_id="young")
    count = "SELECT count(*) FROM request WHERE tenant_id = $1"
    assert await ingest.value(count, tenant) == 6
    ingest.clock.tick(2 * DAY)
    await drain(ingest)
    assert await ingest.rows("SELECT request_id FROM request WHERE tenant_id = $1", tenant) == [("young",)]
    assert await ingest.rows("SELECT * FROM memory_use_event WHERE tenant_id = $1", tenant) == []
    used_once = "SELECT * FROM memory_use WHERE tenant_id = $1 AND recall_count = 1"
    assert len(await ingest.rows(used_once, tenant)) == 1
    again = [due for kind, due in await ingest.rows(OPEN, tenant) if kind == EXPIRE_KIND]
    assert again and again[0] <= ingest.clock.time + expiry.KEPT
    ingest.clock.tick(31 * DAY)
    await drain(ingest)
    assert await ingest.value(count, tenant) == 0
    finished = "SELECT count(*) FROM job WHERE tenant_id = $1 AND finished_at < $2"
    assert await ingest.value(finished, tenant, ingest.clock.time - expiry.KEPT) == 0
