"""Memories that are accepted without vectors, and the worker that makes them."""

from functools import partial
from uuid import UUID

import pytest

from services.ingest import vector_filling
from shared.clock import new_id
from shared.store.pool import run_without_tenant
from shared.store.writes import pending
from tests.services.ingest.test_update import update
from tests.services.ingest.workplace import Workplace, batch, memory

pytestmark = pytest.mark.anyio

VECTORS = "SELECT count(*) FROM memory_vector_g1 WHERE tenant_id = $1"
PENDING = "SELECT count(*) FROM pending_vector WHERE tenant_id = $1"
FLAGGED = "SELECT count(*) FROM memory WHERE tenant_id = $1 AND vector_pending"


async def state(ingest: Workplace, tenant: UUID) -> tuple[int, int, int]:
    """Return how many vectors there are, how many memories wait, and how many say so."""
    return (
        await ingest.value(VECTORS, tenant),
        await ingest.value(PENDING, tenant),
        await ingest.value(FLAGGED, tenant),
    )


async def test_vectors_follow_when_the_embedder_is_back(ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.is_down = True
    facts = [memory("fact one"), memory("fact two", speaker="Ann")]
    answer = await ingest.writer.BatchCreateMemories(batch(tenant, facts, allow_pending_vector=True))
    assert all(wrote.vector_pending for wrote in answer.memories)
    assert await state(ingest, tenant) == (0, 2, 2)
    assert await ingest.value("SELECT count(*) FROM memory_lexical WHERE tenant_id = $1", tenant) == 2

    await ingest.worker.fill()
    assert await state(ingest, tenant) == (0, 2, 2)
    attempts = "SELECT DISTINCT attempts, last_error FROM pending_vector WHERE tenant_id = $1"
    assert await ingest.rows(attempts, tenant) == [(1, "EMBEDDER_UNAVAILABLE")]

    ingest.embeddings.is_down = False
    ingest.embeddings.texts.clear()
    assert await ingest.worker.fill() == 0  # not due yet
    ingest.clock.tick()
    assert await ingest.worker.fill() == 2
    assert await state(ingest, tenant) == (2, 0, 0)
    assert sorted(ingest.embeddings.texts[0]) == ["Ann: fact two", "fact one"]


async def test_a_repetition_says_that_the_vector_is_pending(ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.is_down = True
    await ingest.create(tenant, allow_pending_vector=True)
    again = await ingest.create(tenant)
    assert (again.memory.existing, again.memory.vector_pending) == (True, True)
    ingest.embeddings.is_down = False
    await ingest.worker.fill()
    assert not (await ingest.create(tenant)).memory.vector_pending


async def test_with_the_embedder_up_nothing_is_pending(ingest: Workplace, tenant: UUID) -> None:
    answer = await ingest.create(tenant, allow_pending_vector=True)
    assert not answer.memory.vector_pending
    assert await state(ingest, tenant) == (1, 0, 0)


async def test_a_loan_is_nobody_elses_until_it_ends(ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.is_down = True
    await ingest.create(tenant, allow_pending_vector=True)
    ingest.embeddings.is_down = False
    now = ingest.clock.time
    claim = partial(pending.claim, now=now, until=now + vector_filling.LOAN, limit=10)

    async def taken() -> list[UUID]:
        return [loan.tenant_id for loan in await run_without_tenant(ingest.pool, claim)]

    assert tenant in await taken()
    assert await taken() == []  # the worker that took it died
    assert await ingest.worker.fill() == 0
    ingest.clock.tick(vector_filling.LOAN.total_seconds())
    await ingest.worker.fill()
    assert await state(ingest, tenant) == (1, 0, 0)


async def test_a_patch_with_vectors_ends_the_wait(ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.is_down = True
    made = await ingest.create(tenant, allow_pending_vector=True)
    ingest.embeddings.is_down = False
    patched = await ingest.writer.UpdateMemory(update(tenant, made.memory.memory_id, content="another"))
    assert not patched.memory.vector_pending
    assert await state(ingest, tenant) == (1, 0, 0)


async def test_a_patch_without_vectors_leaves_the_wait(ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.is_down = True
    made = await ingest.create(tenant, allow_pending_vector=True)
    patched = await ingest.writer.UpdateMemory(update(tenant, made.memory.memory_id, company="Acme"))
    assert patched.memory.vector_pending
    ingest.embeddings.is_down = False
    await ingest.worker.fill()
    assert await state(ingest, tenant) == (1, 0, 0)


async def test_a_memory_that_ended_meanwhile_gets_no_vectors(ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.is_down = True
    await ingest.create(tenant, allow_pending_vector=True)
    ingest.embeddings.is_down = False
    await ingest.look.execute("UPDATE memory SET state = 'incorrect', ended_at = now() WHERE tenant_id = $1", tenant)
    await ingest.worker.fill()
    assert (await state(ingest, tenant))[:2] == (0, 0)


async def test_one_refused_text_does_not_hold_up_the_others(ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.is_down = True
    facts = [memory("good"), memory("a poisoned text"), memory("fine")]
    await ingest.writer.BatchCreateMemories(batch(tenant, facts, allow_pending_vector=True))
    ingest.embeddings.is_down = False
    await ingest.worker.fill()
    assert await state(ingest, tenant) == (2, 1, 1)
    refused = "SELECT last_error FROM pending_vector WHERE tenant_id = $1"
    assert await ingest.rows(refused, tenant) == [("TEXT_REFUSED",)]


async def test_one_tenants_refusal_does_not_hold_up_another(ingest: Workplace, tenant: UUID) -> None:
    other = new_id()
    ingest.embeddings.is_down = True
    for owner in (tenant, other):
        await ingest.create(owner, allow_pending_vector=True)
    ingest.embeddings.is_down = False
    ingest.embeddings.refused.add(str(tenant))
    await ingest.worker.fill()
    assert await state(ingest, tenant) == (0, 1, 1)
    assert await state(ingest, other) == (1, 0, 0)
