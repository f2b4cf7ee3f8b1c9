"""Batches: all or none, in order, duplicates once, in one embedding call."""

import asyncio
from uuid import UUID

import pytest

from shared.domain.errors import Conflict, InvalidArgument, TooLarge, UpstreamUnavailable
from shared.rpc.clients import rpc_errors
from tests.services.ingest.workplace import Workplace, batch, memory

pytestmark = pytest.mark.anyio


async def test_a_batch_answers_in_its_order_and_embeds_once(ingest: Workplace, tenant: UUID) -> None:
    known = await ingest.create(tenant, "fact 3")
    ingest.embeddings.texts.clear()
    facts = [memory(f"fact {number}") for number in (5, 3, 1, 5, 4)]
    answer = await ingest.writer.BatchCreateMemories(batch(tenant, facts))
    assert [wrote.existing for wrote in answer.memories] == [False, True, False, True, False]
    assert answer.memories[0].memory_id == answer.memories[3].memory_id
    assert answer.memories[1].memory_id == known.memory.memory_id
    for fact, wrote in zip(facts, answer.memories, strict=True):
        content = await ingest.value("SELECT content FROM memory WHERE memory_id = $1", UUID(wrote.memory_id))
        assert content == fact.content
    assert ingest.embeddings.texts == [["fact 5", "fact 1", "fact 4"]]
    events = await ingest.rows("SELECT DISTINCT operation_id FROM memory_event WHERE tenant_id = $1", tenant)
    assert len(events) == 2


async def test_one_bad_memory_keeps_all_others_out(ingest: Workplace, tenant: UUID) -> None:
    facts = [memory(f"fact {number}") for number in range(6)]
    facts[3].content = ""
    facts[4].period = "soon"
    facts[4].derived_from.append("nobody")
    with pytest.raises(InvalidArgument) as caught, rpc_errors():
        await ingest.writer.BatchCreateMemories(batch(tenant, facts, request_id="r1"))
    assert {(v.field, v.reason) for v in caught.value.violations} == {
        ("memories[3].content", "CONTENT_EMPTY"),
        ("memories[4].period", "PERIOD_INVALID"),
        ("memories[4].derived_from[0]", "MEMORY_ID_INVALID"),
    }
    assert await ingest.contents(tenant) == {}
    assert ingest.embeddings.texts == []


async def test_without_an_embedder_no_memory_of_a_batch_is_written(ingest: Workplace, tenant: UUID) -> None:
    await ingest.create(tenant, "fact 0")
    before = await ingest.contents(tenant)
    ingest.embeddings.is_down = True
    with pytest.raises(UpstreamUnavailable), rpc_errors():
        await ingest.writer.BatchCreateMemories(batch(tenant, [memory(f"fact {n}") for n in range(3)], request_id="r"))
    assert await ingest.contents(tenant) == before


async def test_a_batch_is_answered_once(ingest: Workplace, tenant: UUID) -> None:
    request = batch(tenant, [memory("fact 1"), memory("fact 2")], request_id="r1")
    first = await ingest.writer.BatchCreateMemories(request)
    assert await ingest.writer.BatchCreateMemories(request) == first
    turned = batch(tenant, [memory("fact 2"), memory("fact 1")], request_id="r1")
    with pytest.raises(Conflict), rpc_errors():
        await ingest.writer.BatchCreateMemories(turned)


async def test_batches_that_overlap_in_opposite_order_make_each_memory_once(ingest: Workplace, tenant: UUID) -> None:
    facts = [memory(f"fact {number}") for number in range(60)]
    answers = await asyncio.gather(
        *(ingest.writer.BatchCreateMemories(batch(tenant, facts[:: 1 if number % 2 else -1])) for number in range(8))
    )
    assert len({wrote.memory_id for answer in answers for wrote in answer.memories}) == len(facts)
    assert await ingest.value("SELECT count(*) FROM memory WHERE tenant_id = $1", tenant) == len(facts)
    assert sum(not wrote.existing for answer in answers for wrote in answer.memories) == len(facts)


async def test_the_size_of_a_batch_is_bounded(ingest: Workplace, tenant: UUID) -> None:
    with pytest.raises(InvalidArgument) as empty, rpc_errors():
        await ingest.writer.BatchCreateMemories(batch(tenant, []))
    assert empty.value.reason == "MEMORIES_EMPTY"
    with pytest.raises(TooLarge) as full, rpc_errors():
        await ingest.writer.BatchCreateMemories(batch(tenant, [memory("x")] * 1_001))
    assert full.value.reason == "BATCH_TOO_LARGE"
    answer = await ingest.writer.BatchCreateMemories(batch(tenant, [memory(f"{n}") for n in range(1_000)]))
    assert len(answer.memories) == 1_000
    assert [len(texts) for texts in ingest.embeddings.texts] == [512, 488]


async def test_connections_that_die_in_a_transaction_leave_nothing(ingest: Workplace, tenant: UUID) -> None:
    """End each writing session when memories and vectors are written and the terms wait for a lock."""
    request = batch(tenant, [memory(f"fact {number}") for number in range(20)], request_id="r1")
    waiting = "SELECT pid FROM pg_locks WHERE relation = 'memory_lexical'::regclass AND NOT granted"
    killed = 0
    async with ingest.look.transaction():
        await ingest.look.execute("LOCK TABLE memory_lexical IN ACCESS EXCLUSIVE MODE")
        sent = asyncio.ensure_future(ingest.writer.BatchCreateMemories(request))
        while not sent.done():
            for (pid,) in await ingest.rows(waiting):
                killed += await ingest.pool.fetchval("SELECT pg_terminate_backend($1)", pid)
        with pytest.raises(UpstreamUnavailable) as caught, rpc_errors():
            await sent
    assert caught.value.reason == "DATABASE_UNAVAILABLE"
    assert killed >= 3  # the client tries an idempotent call three times
    assert await ingest.contents(tenant) == {}
    again = await ingest.writer.BatchCreateMemories(request)
    assert [wrote.existing for wrote in again.memories] == [False] * 20
