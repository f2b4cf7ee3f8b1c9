"""Invoices move from state to state as one memory; whole payroll events are taken as they are, once."""

import json
from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import documents_pb2 as pb
from candor.ingest.v1 import payroll_pb2 as payroll_pb

from shared.domain.errors import Conflict, InvalidArgument
from shared.rpc.clients import rpc_errors
from tests.services.ingest.judging import feedback
from tests.services.ingest.paperwork import Desk, desk
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio
STAFF = (("E-1", 5000, 150, 350, 4500, 900, 5900), ("E-2", 4000, 120, 280, 3600, 700, 4700))
PAY = ("employee_id", "gross", "employee_social_security", "tax", "net", "employer_social_security", "employer_cost")
EVENT: dict[str, Any] = {
    "event_id": "evt-1",
    "company": "Halden Mills",
    "period": "2026-05",
    "currency": "EUR",
    "employee_count": 2,
    "bank_net_total": "8100",
    "gross_total": "9000",
    "employer_social_security_total": "1600",
    "employee_social_security_total": "270",
    "tax_withheld_total": "630",
    "employer_cost_total": '"10.600,00 EUR"',
    "employees": [dict(zip(PAY, map(str, row), strict=True)) for row in STAFF],
}


@pytest.fixture
async def papers(ingest: Workplace) -> AsyncIterator[Desk]:
    async with desk(ingest) as found:
        yield found


async def event(papers: Desk, tenant: UUID, request_id: str = "", **changed: Any) -> pb.IngestPayrollEventResponse:
    given = payroll_pb.NewPayrollEvent(**(EVENT | changed))
    request = pb.IngestPayrollEventRequest(tenant_id=str(tenant), actor="clerk", event=given, request_id=request_id)
    papers.ingest.clock.tick()
    with rpc_errors():
        return await papers.documents.IngestPayrollEvent(request)


async def ledger(papers: Desk, tenant: UUID, at: object = None) -> list[tuple[Any, ...]]:
    """Return what the ledger believed at an instant, by default now."""
    return await papers.ingest.rows(
        """SELECT amount, cash_status, cash FROM ledger_entry
        WHERE tenant_id = $1 AND recorded_at <= $2 AND (ended_at IS NULL OR ended_at > $2) AND side <> 'employee'""",
        tenant,
        at or papers.ingest.clock.now(),
    )


async def test_an_invoice_moves_as_revisions_of_one_memory(papers: Desk, tenant: UUID) -> None:
    states = (
        ({"status": "unpaid"}, "unpaid", Decimal(0)),
        ({"status": "partial", "paid_amount": "400", "payment_date": "2026-05-20"}, "partial", Decimal(400)),
        ({"status": "paid"}, "paid", Decimal(8400)),
        ({"status": "refund", "paid_amount": "-8400"}, "refund", Decimal(-8400)),
    )
    instants = []
    ids = set()
    for number, (given, status, cash) in enumerate(states, start=1):
        made = await papers.invoice(tenant, **given)
        ids.add(made.id)
        assert (made.revision, made.existing, made.cash_status) == (number, False, status)
        assert await ledger(papers, tenant) == [(Decimal(8400), status, cash)]
        instants.append(papers.ingest.clock.now())
    assert len(ids) == 1
    assert [(await ledger(papers, tenant, at))[0][1] for at in instants] == ["unpaid", "partial", "paid", "refund"]
    counted = "SELECT count(*)::int FROM memory_revision WHERE tenant_id = $1"
    assert await papers.ingest.value(counted, tenant) == 3


async def test_the_same_invoice_again_writes_nothing(papers: Desk, tenant: UUID) -> None:
    first = await papers.invoice(tenant, status="unpaid")
    before = await papers.ingest.contents(tenant)
    for given in ({"status": "unpaid"}, {"status": "unpaid", "vendor": "ORRIN  paper", "total": '"8.400,00"'}, {}):
        again = await papers.invoice(tenant, **given)
        assert (again.id, again.revision, again.existing, again.operation_id) == (first.id, 1, True, "")
    assert await papers.ingest.contents(tenant) == before


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"total": "8401"}, "INVOICE_CONTRADICTS"),
        ({"currency": "USD"}, "INVOICE_CONTRADICTS"),
        ({"date": "2026-05-11"}, "INVOICE_CONTRADICTS"),
        ({"status": "unpaid"}, "INVOICE_STATE_PAST"),
        ({"status": "partial", "paid_amount": "300"}, "INVOICE_STATE_PAST"),
    ],
)
async def test_what_cannot_follow_is_a_conflict(papers: Desk, tenant: UUID, given: dict[str, str], reason: str) -> None:
    await papers.invoice(tenant, status="partial", paid_amount="400")
    before = await papers.ingest.contents(tenant)
    with pytest.raises(Conflict) as refusal:
        await papers.invoice(tenant, **given)
    assert refusal.value.reason == reason
    assert await papers.ingest.contents(tenant) == before


async def test_a_payment_follows_a_correction(papers: Desk, tenant: UUID) -> None:
    made = await papers.invoice(tenant, status="unpaid")
    await feedback(papers.ingest, tenant, made.id, "incorrect", corrected_metadata=json.dumps({"total": 8900}))
    with pytest.raises(Conflict):
        await papers.invoice(tenant, status="paid")
    paid = await papers.invoice(tenant, status="paid", total="8900")
    assert paid.id != made.id and paid.revision == 2
    assert await ledger(papers, tenant) == [(Decimal(8900), "paid", Decimal(8900))]


async def test_every_wrong_field_of_an_invoice_is_named(papers: Desk, tenant: UUID) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        await papers.invoice(tenant, currency="", total='"1,234"', vendor="")
    assert {v.field: v.reason for v in refusal.value.violations} == {
        "currency": "CURRENCY_MISSING",
        "total": "AMOUNT_AMBIGUOUS",
        "vendor": "LABEL_MISSING",
    }


async def test_a_whole_event_is_written_once(papers: Desk, tenant: UUID) -> None:
    first = await event(papers, tenant)
    assert first.written == len(first.ids) == 4
    assert await ledger(papers, tenant) == [(Decimal(10600), "paid", Decimal(8100))]
    before = await papers.ingest.contents(tenant)
    again = await event(papers, tenant)
    assert list(again.ids) == list(first.ids) and again.operation_id == ""
    assert await papers.ingest.contents(tenant) == before


async def test_other_figures_for_an_event_are_a_conflict(papers: Desk, tenant: UUID) -> None:
    await event(papers, tenant, request_id="e-1")
    with pytest.raises(Conflict) as refusal:
        await event(papers, tenant, currency="USD", employer_cost_total="10600")
    assert refusal.value.reason == "EVENT_CONTRADICTS"
    with pytest.raises(Conflict) as refusal:
        await event(papers, tenant, request_id="e-1", period="2026-06")
    assert refusal.value.reason == "REQUEST_ID_REUSED"


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"bank_net_total": "8101.02"}, "bank_net_total"),
        ({"employer_cost_total": "1"}, "employer_cost_total"),
        ({"employee_count": 3}, "employee_count"),
        ({"tax_withheld_total": ""}, "event.tax_withheld_total"),
        ({"gross_total": "true"}, "event.gross_total"),
        ({"gross_total": "1e999999"}, "event.gross_total"),
        ({"currency": "EURO"}, "event.currency"),
        ({"period": "May"}, "event.period"),
        ({"company": " "}, "event.company"),
        ({"employees": EVENT["employees"][:1] * 2}, "event.employees"),
    ],
)
async def test_an_event_that_does_not_add_up_is_refused(
    papers: Desk, tenant: UUID, changed: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        await event(papers, tenant, **changed)
    assert field in {violation.field for violation in refusal.value.violations}
    assert await papers.ingest.contents(tenant) == {}
