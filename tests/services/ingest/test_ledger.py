"""The ledger follows every change of what memories say of money, and keeps how it stood at every instant before."""

import asyncio
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from json import dumps
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import erasure_pb2
from candor.ingest.v1 import memories_pb2 as pb
from candor.ingest.v1.erasure_pb2_grpc import ErasureServiceStub

from services.ingest import ledger_filling
from services.ingest.runner import Handler, JobRunner
from shared.clock import new_id
from tests.services.ingest.judging import feedback, invalidate, invoice, resolve, restore, undo
from tests.services.ingest.workplace import Workplace, batch, memory

pytestmark = pytest.mark.anyio

PURCHASE = {"type": "purchase", "currency": "EUR", "invoice_number": "INV-1"}


async def known(ingest: Workplace, tenant: UUID, at: datetime | None = None) -> list[tuple[Any, ...]]:
    """Return (memory, amount, cash status, lenders) of what is on record at an instant, by default now."""
    return await ingest.rows(
        """SELECT memory_id::text, amount::text, cash_status, decided_from::text[] FROM ledger_entry
        WHERE tenant_id = $1 AND recorded_at <= $2 AND (ended_at IS NULL OR ended_at > $2)
        ORDER BY written_at, memory_id""",
        tenant,
        at or ingest.clock.tick(),
    )


async def paper(ingest: Workplace, tenant: UUID, total: object, **metadata: Any) -> str:
    return await invoice(ingest, tenant, total, metadata=PURCHASE | metadata)


async def update(ingest: Workplace, tenant: UUID, memory_id: str, metadata: Mapping[str, Any]) -> None:
    ingest.clock.tick()
    await ingest.writer.UpdateMemory(
        pb.UpdateMemoryRequest(
            tenant_id=str(tenant),
            actor="tester",
            memory_id=memory_id,
            patch=pb.MemoryPatch(metadata=dumps(metadata)),
            update_mask={"paths": ["metadata"]},  # type: ignore[arg-type]
        )
    )


async def test_a_write_is_on_record_and_what_is_no_money_is_not(ingest: Workplace, tenant: UUID) -> None:
    payroll = {"employer_cost_total": 14600, "gross_total": "12000.00", "bank_net_total": 10800, "currency": "EUR"}
    made = await ingest.writer.BatchCreateMemories(
        batch(
            tenant,
            [
                memory("Payroll.", "payroll_event", company="N", period="2026-05", metadata=dumps(payroll)),
                memory("An employee's share.", "payroll_event", company="N", metadata='{"net": 4500}'),
                memory("A note of it.", metadata=dumps(payroll)),
                memory("What recall told.", "payroll_event", metadata=dumps(payroll), derived_from=[str(new_id())]),
            ],
        )
    )
    rows = await ingest.rows(
        """SELECT memory_id::text, side, amount::text, cash::text, gross::text, employer_social_security::text,
            currency, period_start::text, period_end::text, ordinal, ended_at FROM ledger_entry WHERE tenant_id = $1""",
        tenant,
    )
    first = made.memories[0].memory_id
    days = ("2026-05-01", "2026-05-31")
    assert rows == [(first, "payroll", "14600.00", "10800.00", "12000.00", "2600.00", "EUR", *days, 1, None)]


async def test_paying_an_invoice_is_a_version_and_the_former_one_is_kept(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant, 8400, payment_status="unpaid")
    before = ingest.clock.tick()
    await update(ingest, tenant, memory_id, {"total": 8400, "payment_status": "paid"} | PURCHASE)
    assert await known(ingest, tenant) == [(memory_id, "8400.00", "paid", [])]
    assert await known(ingest, tenant, before) == [(memory_id, "8400.00", "unpaid", [])]
    await update(ingest, tenant, memory_id, {"vendor": "nothing of money"})
    assert await known(ingest, tenant) == []


async def test_what_ends_leaves_the_ledger_and_comes_back_with_it(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant, 8400)
    there = await known(ingest, tenant)
    before = ingest.clock.tick()
    await invalidate(ingest, tenant, memory_id)
    without = ingest.clock.tick()
    assert await known(ingest, tenant) == []
    await restore(ingest, tenant, memory_id)
    assert await known(ingest, tenant) == there == [(memory_id, "8400.00", "unknown", [])]
    assert (await known(ingest, tenant, before), await known(ingest, tenant, without)) == (there, [])


async def test_a_correction_keeps_the_money_whole_and_is_undone(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant, 8400, paid=True)
    before = ingest.clock.tick()
    answer = await feedback(
        ingest, tenant, memory_id, "incorrect", corrected_fact="Over 8900.", corrected_metadata='{"total": 8900.00}'
    )
    corrected = ingest.clock.tick()
    assert await known(ingest, tenant) == [(answer.corrected_memory_id, "8900.00", "paid", [])]
    await undo(ingest, tenant, answer.feedback_id)
    assert await known(ingest, tenant) == await known(ingest, tenant, before) == [(memory_id, "8400.00", "paid", [])]
    assert await known(ingest, tenant, corrected) == [(answer.corrected_memory_id, "8900.00", "paid", [])]


async def test_a_correction_of_the_words_alone_keeps_the_money(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant, 8400)
    answer = await feedback(ingest, tenant, memory_id, "incorrect", corrected_fact="Said better.")
    assert await known(ingest, tenant) == [(answer.corrected_memory_id, "8400.00", "unknown", [])]


async def test_a_resolved_total_stands_on_both_sides_until_it_is_undone(ingest: Workplace, tenant: UUID) -> None:
    first, second = await paper(ingest, tenant, 8400), await paper(ingest, tenant, 8900, paid=True)
    both = await known(ingest, tenant)
    before = ingest.clock.tick()
    decision = (await resolve(ingest, tenant, first)).decision_id
    settled = [(first, "8400.00", "unknown", []), (second, "8400.00", "paid", [first])]
    assert await known(ingest, tenant) == settled
    assert await known(ingest, tenant, before) == both
    await undo(ingest, tenant, decision)
    assert await known(ingest, tenant) == both == [(first, "8400.00", "unknown", []), (second, "8900.00", "paid", [])]
    numbers = await ingest.rows(
        "SELECT ordinal FROM ledger_entry WHERE tenant_id = $1 AND memory_id = $2", tenant, UUID(second)
    )
    assert sorted(numbers) == [(1,), (2,), (3,)]


async def test_each_side_may_win_an_attribute(ingest: Workplace, tenant: UUID) -> None:
    first, second = (
        await paper(ingest, tenant, 8400, paid_amount=100),
        await paper(ingest, tenant, 8900, paid_amount=200),
    )
    await resolve(ingest, tenant, first)
    await resolve(ingest, tenant, second, attribute="paid_amount")
    amounts = "SELECT DISTINCT amount::text, cash::text FROM ledger_entry WHERE tenant_id = $1 AND ended_at IS NULL"
    assert await ingest.rows(amounts, tenant) == [("8400.00", "200.00")]
    assert await known(ingest, tenant) == [
        (first, "8400.00", "partial", [second]),
        (second, "8400.00", "partial", [first]),
    ]


async def test_a_value_that_was_chosen_goes_with_its_memory(ingest: Workplace, tenant: UUID) -> None:
    first, _ = await paper(ingest, tenant, 8400), await paper(ingest, tenant, 8900)
    await resolve(ingest, tenant, first)
    settled = await known(ingest, tenant)
    await invalidate(ingest, tenant, first)
    assert await known(ingest, tenant) == [], "what it said was chosen, and what the other said was not"
    await restore(ingest, tenant, first)
    assert await known(ingest, tenant) == settled
    await update(ingest, tenant, first, PURCHASE | {"total": 8500, "vendor": "Acme"})
    assert await known(ingest, tenant) == [(first, "8500.00", "unknown", [])]


async def test_a_note_may_say_what_an_invoice_comes_to(ingest: Workplace, tenant: UUID) -> None:
    bill = await paper(ingest, tenant, 8400)
    note = await invoice(ingest, tenant, 8900, kind="note", metadata={"currency": "EUR"})
    await resolve(ingest, tenant, note)
    assert await known(ingest, tenant) == [(bill, "8900.00", "unknown", [note])]
    await invalidate(ingest, tenant, note)
    assert await known(ingest, tenant) == []


async def test_erasure_takes_what_was_lent_too(ingest: Workplace, tenant: UUID) -> None:
    first, second = await paper(ingest, tenant, 8400), await paper(ingest, tenant, 8900)
    await resolve(ingest, tenant, first)
    ingest.clock.tick()
    receipt = await ErasureServiceStub(ingest.via).EraseMemories(
        erasure_pb2.EraseMemoriesRequest(tenant_id=str(tenant), actor="boss", memory_ids=[first], reason="asked for")
    )
    assert {rows.table: rows.rows for rows in receipt.rows}["ledger_entry"] == 2
    left = await ingest.rows(
        "SELECT memory_id::text, amount::text, decided_from FROM ledger_entry WHERE tenant_id = $1", tenant
    )
    assert left == [(second, "8900.00", [])], "what it said itself, until the decision"
    assert await known(ingest, tenant) == []


async def test_an_amount_beyond_all_money_hinders_no_write(ingest: Workplace, tenant: UUID) -> None:
    await paper(ingest, tenant, 10**300)
    assert await known(ingest, tenant) == []


async def test_what_was_written_before_there_was_a_ledger_is_put_on_record(ingest: Workplace, tenant: UUID) -> None:
    first, second = await paper(ingest, tenant, 8400), await paper(ingest, tenant, 8900)
    gone = await paper(ingest, tenant, 9000)
    await invalidate(ingest, tenant, gone)
    await resolve(ingest, tenant, first)
    there = await known(ingest, tenant)
    before = await ingest.rows("SELECT min(recorded_at) FROM memory WHERE tenant_id = $1", tenant)
    for _ in range(2):
        await ingest.look.execute(
            "DELETE FROM ledger_entry WHERE tenant_id = $1 AND memory_id = $2", tenant, UUID(first)
        )
        await ingest.look.execute(
            """INSERT INTO job (job_id, tenant_id, kind, parameters, status, max_attempts, due_at, created_at)
            VALUES (gen_random_uuid(), $1, 'fill_ledger', '{}', 'queued', 1, $2, $2)""",
            tenant,
            ingest.clock.time,
        )
        handlers: dict[str, Handler] = {ledger_filling.KIND: partial(ledger_filling.handle, new_id=new_id)}
        assert await JobRunner(ingest.pool, handlers, now=ingest.clock.now).step()
        assert await known(ingest, tenant) == there
    since = "SELECT recorded_at FROM ledger_entry WHERE tenant_id = $1 AND memory_id = $2"
    assert await ingest.rows(since, tenant, UUID(first)) == before
    assert {row[0] for row in there} == {first, second}


async def test_correcting_a_payroll_keeps_its_cost(ingest: Workplace, tenant: UUID) -> None:
    payroll = {"employer_cost_total": 14600, "bank_net_total": 10800, "employee_count": 3, "currency": "EUR"}
    made = await ingest.create(
        tenant, "Payroll.", kind="payroll_event", company="N", period="2026-05", record="evt-1", metadata=dumps(payroll)
    )
    answer = await feedback(
        ingest, tenant, made.memory.memory_id, "incorrect", corrected_metadata='{"bank_net_total": 10900}'
    )
    assert await known(ingest, tenant) == [(answer.corrected_memory_id, "14600.00", "paid", [])]
    cash = "SELECT cash::text FROM ledger_entry WHERE tenant_id = $1 AND ended_at IS NULL"
    assert await ingest.rows(cash, tenant) == [("10900.00",)]


async def test_changes_at_once_leave_one_entry_of_each_memory(ingest: Workplace, tenant: UUID) -> None:
    first, second = await paper(ingest, tenant, 8400), await paper(ingest, tenant, 8900)
    await resolve(ingest, tenant, first)
    answers = await asyncio.gather(
        *(update(ingest, tenant, first, PURCHASE | {"total": 8400, "vendor": "Acme", "n": n}) for n in range(6)),
        *(update(ingest, tenant, second, PURCHASE | {"total": 8900, "vendor": "Acme", "n": n}) for n in range(6)),
        return_exceptions=True,
    )
    assert any(answer is None for answer in answers), answers
    open_ = "SELECT memory_id::text, amount::text FROM ledger_entry WHERE tenant_id = $1 AND ended_at IS NULL"
    assert dict(await ingest.rows(open_, tenant)) == {first: "8400.00", second: "8400.00"}
    rows = "SELECT count(*) FROM ledger_entry WHERE tenant_id = $1 AND ended_at IS NULL"
    assert await ingest.value(rows, tenant) == 2
