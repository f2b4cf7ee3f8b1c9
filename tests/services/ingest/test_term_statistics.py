"""Statistics of terms: gathered beside the writes, flushed in their own transactions, lost by no outage."""

import asyncio
from uuid import UUID

import pytest

from services.ingest.term_statistics import TermStatistics
from shared.domain.draft import check
from shared.domain.lexicon import Lexicon
from shared.domain.revision import revise
from shared.domain.tokens import term_id, unstemmed
from shared.store.pool import open_pool
from tests.services.ingest.test_update import update
from tests.services.ingest.workplace import TERM_KEY, Workplace, batch, memory

pytestmark = pytest.mark.anyio


async def frequencies(ingest: Workplace, tenant: UUID, *words: str) -> list[int]:
    rows = dict(await ingest.rows("SELECT term_id, memories FROM term_stat WHERE tenant_id = $1", tenant))
    return [rows.get(term_id(tenant, word, TERM_KEY), 0) for word in words]


async def totals(ingest: Workplace, tenant: UUID) -> list[tuple[int, ...]]:
    return await ingest.rows("SELECT memories, terms FROM tenant_stat WHERE tenant_id = $1", tenant)


async def test_memories_are_counted_once_each(ingest: Workplace, tenant: UUID) -> None:
    facts = [memory("apple apple pear"), memory("apple plum"), memory("plum"), memory("plum")]
    await ingest.writer.BatchCreateMemories(batch(tenant, facts, request_id="r1"))
    await ingest.writer.BatchCreateMemories(batch(tenant, facts, request_id="r1"))
    assert await totals(ingest, tenant) == []
    await ingest.statistics.flush()
    await ingest.statistics.flush()
    assert await frequencies(ingest, tenant, "appl", "pear", "plum") == [2, 1, 2]
    assert await totals(ingest, tenant) == [(3, 6)]


async def test_a_patch_takes_away_what_it_replaces(ingest: Workplace, tenant: UUID) -> None:
    made = await ingest.create(tenant, "apple pear")
    await ingest.statistics.flush()
    await ingest.writer.UpdateMemory(update(tenant, made.memory.memory_id, content="pear plum grape"))
    await ingest.statistics.flush()
    assert await frequencies(ingest, tenant, "appl", "pear", "plum") == [0, 1, 1]
    assert await totals(ingest, tenant) == [(1, 3)]


async def test_twins_are_counted_once(ingest: Workplace, tenant: UUID) -> None:
    await asyncio.gather(*(ingest.create(tenant, "apple") for _ in range(10)))
    await ingest.statistics.flush()
    assert await frequencies(ingest, tenant, "appl") == [1]


async def test_flushes_at_once_add_up(ingest: Workplace, tenant: UUID) -> None:
    words = [f"word{number}" for number in range(300)]
    several = [TermStatistics(ingest.pool) for _ in range(4)]
    for number, statistics in enumerate(several):
        mixed = words[number * 50 :] + words[: number * 50]
        draft = check(kind="note", content=" ".join(mixed))
        statistics.add(tenant, [revise(tenant, draft, term_key=TERM_KEY, lexicon=Lexicon(lambda language: unstemmed))])
    await asyncio.gather(*(statistics.flush() for statistics in several))
    assert set(await frequencies(ingest, tenant, *words)) == {4}


async def test_what_cannot_be_written_is_kept(ingest: Workplace, tenant: UUID) -> None:
    nowhere = await open_pool("postgresql://nobody:x@127.0.0.1:1/none", size=1, application_name="test")
    statistics = TermStatistics(nowhere)
    statistics.add(
        tenant,
        [
            revise(
                tenant,
                check(kind="note", content="apple"),
                term_key=TERM_KEY,
                lexicon=Lexicon(lambda language: unstemmed),
            )
        ],
    )
    await statistics.flush()
    statistics._pool = ingest.pool  # the database is back
    await statistics.flush()
    assert await frequencies(ingest, tenant, "apple") == [1]
    await nowhere.close()


async def test_weights_know_the_average_length(ingest: Workplace, tenant: UUID) -> None:
    await ingest.writer.BatchCreateMemories(batch(tenant, [memory("apple"), memory("apple " + "pear " * 40)]))
    weight = "SELECT weights::text FROM memory_lexical WHERE tenant_id = $1 AND cardinality(terms) = $2"
    [(short,)] = await ingest.rows(weight, tenant, 1)
    [(long,)] = await ingest.rows(weight, tenant, 2)
    apple = str(term_id(tenant, "appl", TERM_KEY) + 1)
    [in_long] = [part for part in long[1:].partition("}")[0].split(",") if part.startswith(apple + ":")]
    assert float(short[1:].partition("}")[0].partition(":")[2]) > float(in_long.partition(":")[2])
