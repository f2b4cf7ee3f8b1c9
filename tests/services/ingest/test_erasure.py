"""Erasure through ingest: a secret planted everywhere is nowhere afterwards, and what is not meant stays as it was."""

from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import erasure_pb2 as pb

from shared.clock import new_id
from shared.domain.errors import CandorError, NotFound
from shared.rpc import life_stubs
from shared.rpc.clients import rpc_errors
from tests.services.ingest.conversation import Conversation, fact
from tests.services.ingest.judging import feedback, invoice, resolve
from tests.services.ingest.test_findings import contradiction, record
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio
SECRET = "Zanzibar"


async def erase(ingest: Workplace, tenant: UUID, **given: Any) -> pb.EraseMemoriesResponse:
    ingest.clock.tick()
    with rpc_errors():
        return await life_stubs.erasure(ingest.via).EraseMemories(
            pb.EraseMemoriesRequest(tenant_id=str(tenant), actor="officer", **given)
        )


async def where(ingest: Workplace, tenant: UUID, text: str) -> dict[str, int]:
    """Return in how many rows of which tables a text stands, as text or inside of bytes."""
    found = await ingest.contents(tenant)
    spellings = [form for word in (text, text.casefold()) for form in (word.casefold(), word.encode().hex())]
    held = {name: sum(any(s in row.casefold() for s in spellings) for row in rows) for name, rows in found.items()}
    return {name: count for name, count in held.items() if count}


async def state(ingest: Workplace, memory_id: str | UUID) -> str:
    found: str = await ingest.value("SELECT state FROM memory WHERE memory_id = $1", UUID(str(memory_id)))
    return found


async def test_a_planted_secret_is_nowhere_afterwards(
    ingest: Workplace, tenant: UUID, caplog: pytest.LogCaptureFixture
) -> None:
    first = await invoice(ingest, tenant, f"8400 {SECRET}", content=f"{SECRET} pays", tags=[SECRET], request_id="one")
    second = await invoice(ingest, tenant, "8900", content="another session")
    echo = await ingest.create(tenant, f"As we said: {SECRET} pays", derived_from=[first])
    plain = await ingest.create(tenant, "nothing of it")
    values = ((UUID(first), f'"8400 {SECRET}"'), (UUID(second), '"8900"'))
    await record(ingest, tenant, contradiction(f"finding of {tenant}", *values))
    await resolve(ingest, tenant, first, reason=f"{SECRET} is right")
    await feedback(ingest, tenant, first, "correct")
    planted = await where(ingest, tenant, SECRET)
    assert {"memory", "memory_tag", "assertion", "memory_event", "finding", "decision"} <= planted.keys()

    receipt = await erase(ingest, tenant, memory_ids=[first], reason="asked for", request_id="gone")

    assert await where(ingest, tenant, SECRET) == {}
    assert SECRET.casefold() not in caplog.text.casefold()
    assert (receipt.erased, receipt.derived) == (2, 1)
    assert [await state(ingest, i) for i in (first, echo.memory.memory_id)] == ["erased", "erased"]
    assert await state(ingest, plain.memory.memory_id) == "active"
    rows = {row.table: row.rows for row in receipt.rows}
    assert rows["memory"] == 2 and rows["finding"] == 1 and rows["decision"] >= 1 and rows["assertion"] >= 2
    assert SECRET not in str(receipt)
    assert await erase(ingest, tenant, memory_ids=[first], reason="asked for", request_id="gone") == receipt


async def test_a_repeated_request_does_not_write_an_erased_memory_again(ingest: Workplace, tenant: UUID) -> None:
    made = await ingest.create(tenant, SECRET, request_id="w")
    await erase(ingest, tenant, memory_ids=[made.memory.memory_id])
    again = await ingest.create(tenant, SECRET, request_id="w")
    assert again.memory.memory_id == made.memory.memory_id
    assert await where(ingest, tenant, SECRET) == {}


async def test_a_turn_takes_its_fact_along_and_a_fact_gives_its_turn_back(talk: Conversation, tenant: UUID) -> None:
    home = fact(f"User lives in {SECRET}.", "slot.residence", SECRET)
    turn = await talk.tell(tenant, f"I live in {SECRET}.", home)
    fact_id = str(
        await talk.ingest.value("SELECT memory_id FROM memory WHERE tenant_id = $1 AND kind = 'note'", tenant)
    )
    shown = await erase(talk.ingest, tenant, memory_ids=[fact_id], preview=True)
    assert (shown.erased, shown.revived, list(shown.remaining_source_ids)) == (1, 1, [str(turn)])
    assert (shown.operation_id, list(shown.rows)) == ("", []) and await state(talk.ingest, fact_id) == "active"

    receipt = await erase(talk.ingest, tenant, memory_ids=[fact_id])
    assert (receipt.erased, receipt.revived, await state(talk.ingest, turn)) == (1, 1, "active")
    assert await where(talk.ingest, tenant, SECRET) != {}  # the turn said it too, and was not named

    await erase(talk.ingest, tenant, memory_ids=[str(turn)])
    assert await where(talk.ingest, tenant, SECRET) == {}

    turn = await talk.tell(tenant, f"I live in {SECRET}.", home, session="s2")
    receipt = await erase(talk.ingest, tenant, memory_ids=[str(turn)])
    assert (receipt.erased, receipt.derived) == (2, 1)
    assert await where(talk.ingest, tenant, SECRET) == {}


async def test_a_company_goes_whole_and_no_other(ingest: Workplace, tenant: UUID) -> None:
    await ingest.create(tenant, "one", company="Northwind Ltd", metadata='{"total": 5}', record="R-1")
    await ingest.create(tenant, "two", company="NORTHWIND  ltd")
    kept = await ingest.create(tenant, "three", company="Northwind Inc")
    receipt = await erase(ingest, tenant, company="northwind ltd")
    assert receipt.erased == 2
    assert (await where(ingest, tenant, "northwind")).keys() == {"memory"}
    assert await state(ingest, kept.memory.memory_id) == "active"
    assert (await erase(ingest, tenant, company="northwind ltd")).erased == 0


async def test_a_whole_tenant_leaves_a_receipt_and_nothing_else(ingest: Workplace, tenant: UUID) -> None:
    other = new_id()
    await ingest.create(other, SECRET)
    before = await ingest.contents(other)
    for number in range(3):
        await ingest.create(tenant, f"{SECRET} {number}", company="Northwind", request_id=str(number))
    receipt = await erase(ingest, tenant, whole_tenant=True, reason="the contract ended", request_id="all")
    assert receipt.erased == 3 and {row.table for row in receipt.rows} >= {"memory", "memory_event", "request"}
    assert (await ingest.contents(tenant)).keys() == {"operation", "request"}
    assert await where(ingest, tenant, SECRET) == {}
    assert await ingest.contents(other) == before


async def test_another_tenants_memory_is_not_there(ingest: Workplace, tenant: UUID) -> None:
    theirs = await ingest.create(new_id(), SECRET)
    with pytest.raises(NotFound):
        await erase(ingest, tenant, memory_ids=[theirs.memory.memory_id])
    assert await state(ingest, theirs.memory.memory_id) == "active"


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "ERASURE_EMPTY"),
        ({"company": " "}, "ERASURE_EMPTY"),
        ({"company": "A", "whole_tenant": True}, "ERASURE_CONTRADICTORY"),
        ({"memory_ids": ["x"]}, "MEMORY_ID_INVALID"),
        ({"memory_ids": [str(UUID(int=1))] * 1_001}, "TOO_MANY_IDS"),
        ({"memory_ids": [str(UUID(int=1))]}, "MEMORY_NOT_FOUND"),
    ],
)
async def test_a_wrong_request_is_named(ingest: Workplace, tenant: UUID, given: dict[str, Any], reason: str) -> None:
    with pytest.raises(CandorError) as caught:
        await erase(ingest, tenant, **given)
    assert reason in (caught.value.reason, *(violation.reason for violation in caught.value.violations))
