"""How memories end and come back: what leaves the live tables, what returns, and what a second end or patch does."""

from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import memories_pb2
from candor.memory.v1 import memory_pb2

from shared.clock import new_id
from shared.domain.errors import CandorError, Conflict, FailedPrecondition, InvalidArgument, NotFound
from tests.services.ingest.judging import dump, invalidate, invoice, restore, totals
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio

LIVE = ("memory_vector_g1", "memory_vector_g1_staging", "memory_lexical", "memory_tag", "reference", "pending_vector")


async def live(ingest: Workplace, tenant: UUID) -> list[int]:
    return [await ingest.value(f"SELECT count(*) FROM {table} WHERE tenant_id = $1", tenant) for table in LIVE]


async def test_an_ended_memory_leaves_every_live_table_and_stays_in_the_histories(
    ingest: Workplace, tenant: UUID
) -> None:
    memory_id = await invoice(ingest, tenant, 8400)
    before = await live(ingest, tenant)
    assert before == [1, 0, 1, 1, 1, 0]
    await invalidate(ingest, tenant, memory_id, state=memory_pb2.STATE_SUPERSEDED)
    assert await live(ingest, tenant) == [0] * 6
    for table in ("memory_vector_g1_history", "memory_lexical_history"):
        assert await ingest.rows(f"SELECT revision FROM {table} WHERE tenant_id = $1", tenant) == [(1,)]
    [row] = await ingest.look.fetch("SELECT * FROM memory WHERE tenant_id = $1", tenant)
    assert (row["state"], row["state_reason"], row["ended_at"]) == ("superseded", "wrong", ingest.clock.time)
    ends = await ingest.rows("SELECT DISTINCT ended_reason, ended_at FROM assertion WHERE tenant_id = $1", tenant)
    assert ends == [("superseded", ingest.clock.time)]
    events = await ingest.rows("SELECT action, actor, reason FROM memory_event WHERE tenant_id = $1", tenant)
    assert ("ended", "judge", "wrong") in events


async def test_a_restored_memory_is_as_it_was_and_can_end_and_change_again(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant, 8400)
    other = await invoice(ingest, tenant, 1, record="INV-2")
    before = await dump(ingest, tenant)
    for _ in range(2):
        await invalidate(ingest, tenant, memory_id)
        assert await dump(ingest, tenant) != before
        await restore(ingest, tenant, memory_id)
        assert await dump(ingest, tenant) == before
    for _ in range(2):
        patch = memories_pb2.MemoryPatch(content=f"changed at {ingest.clock.tick()}")
        await ingest.writer.UpdateMemory(
            memories_pb2.UpdateMemoryRequest(tenant_id=str(tenant), memory_id=memory_id, patch=patch)
        )
    history = "SELECT revision FROM memory_vector_g1_history WHERE tenant_id = $1 ORDER BY 1"
    assert await ingest.rows(history, tenant) == [(1,), (2,)]
    assert other


async def test_only_what_ended_with_the_memory_comes_back(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant, 8400, metadata={"due": "2026-07-01"})
    at = ingest.clock.time
    patch = memories_pb2.MemoryPatch(metadata='{"total": 8900}')
    await ingest.writer.UpdateMemory(
        memories_pb2.UpdateMemoryRequest(tenant_id=str(tenant), memory_id=memory_id, patch=patch)
    )
    before = await dump(ingest, tenant)
    ingest.clock.time = at  # a clock that stands still: ends in the very instant of the patch
    ingest.clock.tick(-60)
    await invalidate(ingest, tenant, memory_id, state=memory_pb2.STATE_SUPERSEDED)
    assert await ingest.value("SELECT ended_at FROM memory WHERE tenant_id = $1", tenant) == at
    await restore(ingest, tenant, memory_id)
    assert await dump(ingest, tenant) == before
    assert [(raw, reason) for raw, reason, _ in await totals(ingest, tenant)] == [
        ("8400", "superseded"),
        ("8900", None),
    ]


async def test_a_memory_that_waited_for_vectors_waits_again(ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.is_down = True
    memory_id = (await ingest.create(tenant, "late", allow_pending_vector=True)).memory.memory_id
    await invalidate(ingest, tenant, memory_id)
    await restore(ingest, tenant, memory_id)
    assert await ingest.value("SELECT vector_pending FROM memory WHERE tenant_id = $1", tenant)
    ingest.embeddings.is_down = False
    await ingest.worker.fill()
    assert await live(ingest, tenant) == [1, 0, 1, 0, 0, 0]


async def test_one_whose_place_was_taken_is_not_restored(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant, 8400)
    await invalidate(ingest, tenant, memory_id)
    again = await invoice(ingest, tenant, 8400)
    assert again != memory_id
    before = await ingest.contents(tenant)
    with pytest.raises(Conflict) as caught:
        await restore(ingest, tenant, memory_id)
    assert caught.value.reason == "MEMORY_IDENTICAL"
    assert await ingest.contents(tenant) == before


@pytest.mark.parametrize(
    ("call", "memory_id", "options", "kind", "reason"),
    [
        (invalidate, "x", {}, InvalidArgument, "MEMORY_ID_INVALID"),
        (invalidate, str(new_id()), {}, NotFound, "MEMORY_NOT_FOUND"),
        (invalidate, "", {"state": memory_pb2.STATE_MERGED}, InvalidArgument, "STATE_INVALID"),
        (invalidate, "", {"state": 99}, InvalidArgument, "STATE_INVALID"),
        (invalidate, "", {"request_id": "x" * 129}, InvalidArgument, "REQUEST_ID_TOO_LONG"),
        (restore, "", {}, FailedPrecondition, "MEMORY_ACTIVE"),
        (restore, str(new_id()), {}, NotFound, "MEMORY_NOT_FOUND"),
    ],
)
async def test_a_wrong_request_is_named_and_nothing_written(
    ingest: Workplace,
    tenant: UUID,
    call: Any,
    memory_id: str,
    options: dict[str, Any],
    kind: type[CandorError],
    reason: str,
) -> None:
    made = await invoice(ingest, tenant, 8400)
    before = await ingest.contents(tenant)
    with pytest.raises(kind) as caught:
        await call(ingest, tenant, memory_id or made, **options)
    assert caught.value.reason == reason
    assert await ingest.contents(tenant) == before


async def test_a_memory_ends_once_and_a_repeated_request_is_the_same(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant, 8400)
    await invalidate(ingest, tenant, memory_id, request_id="end")
    before = await ingest.contents(tenant)
    await invalidate(ingest, tenant, memory_id, request_id="end")
    with pytest.raises(FailedPrecondition) as caught:
        await invalidate(ingest, tenant, memory_id)
    assert caught.value.reason == "MEMORY_ENDED"
    assert await ingest.contents(tenant) == before
