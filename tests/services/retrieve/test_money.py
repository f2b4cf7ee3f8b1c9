"""Profit and loss over real PostgreSQL: what ingest wrote, corrected, decided and undid is what the account says."""

import csv
import io
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import memories_pb2 as ingest_pb
from candor.retrieve.v1 import ledger_pb2 as ledger_pb
from candor.retrieve.v1 import pnl_pb2 as pb
from candor.retrieve.v1.pnl_pb2_grpc import MoneyServiceStub

from services.retrieve.money import Money
from services.retrieve.pnl_table import HEADER, guarded
from shared.clock import new_id
from shared.domain.errors import Conflict, InvalidArgument
from shared.rpc import wire
from shared.rpc.clients import rpc_errors
from shared.store import migrate
from shared.store.pool import open_pool
from tests.services.ingest import judging
from tests.services.ingest.workplace import Workplace, batch, memory, workplace
from tests.services.running import role

pytestmark = pytest.mark.anyio

TOKEN_KEY = b"k" * 32


@dataclass
class Books:
    """Ingest that writes and retrieve that sums, on one clock, for one tenant."""

    ingest: Workplace
    reader: MoneyServiceStub
    tenant: UUID = field(default_factory=new_id)

    async def write(self, content: str, kind: str, metadata: dict[str, Any], **given: Any) -> str:
        wanted = memory(content, kind, metadata=json.dumps(metadata), **given)
        made = await self.ingest.writer.BatchCreateMemories(batch(self.tenant, [wanted]))
        self.ingest.clock.tick()
        return made.memories[0].memory_id

    async def invoice(self, number: str, total: object, currency: str | None = "EUR", **given: Any) -> str:
        fields = {"type": "purchase", "vendor": "Acme", "company": "Northwind", "period": "2026-05"} | given
        own = {name: fields.pop(name) for name in ("company", "period")}
        own |= {name: fields.pop(name) for name in ("observed_at", "expires_at") if name in fields}
        metadata = {"invoice_number": number, "total": total, **fields} | ({"currency": currency} if currency else {})
        return await self.write(f"Invoice {number} over {total}.", "invoice", metadata, record=number, **own)

    async def payroll(self, cost: object, net: object, currency: str | None = "EUR", **given: Any) -> str:
        period = given.pop("period", "2026-05")
        metadata = {"employer_cost_total": cost, "bank_net_total": net, "employee_count": 3} | given
        metadata |= {"currency": currency} if currency else {}
        ref = f"evt-{period}-{currency}"
        return await self.write(
            "Payroll.", "payroll_event", metadata, company="Northwind", period=period, source_ref=ref
        )

    async def account(self, *, at: datetime | None = None, **given: Any) -> pb.GetProfitAndLossResponse:
        self.ingest.clock.tick()
        request = pb.GetProfitAndLossRequest(tenant_id=str(self.tenant), known_at=wire.to_timestamp(at), **given)
        with rpc_errors():
            return await self.reader.GetProfitAndLoss(request)

    async def entries(self, **given: Any) -> ledger_pb.ListLedgerEntriesResponse:
        self.ingest.clock.tick()
        with rpc_errors():
            return await self.reader.ListLedgerEntries(
                ledger_pb.ListLedgerEntriesRequest(tenant_id=str(self.tenant), **given)
            )


@pytest.fixture(scope="module")
async def running(module_database: migrate.Dsns, anyio_backend: str) -> AsyncIterator[Books]:
    async with workplace(module_database) as ingest:
        pool = await open_pool(module_database.reader, size=2, application_name="test")
        async with role("retrieve", Money(pool, TOKEN_KEY, ingest.clock.now)) as via:
            yield Books(ingest, MoneyServiceStub(via))
        await pool.close()


@pytest.fixture
def books(running: Books) -> Books:
    return Books(running.ingest, running.reader)


async def test_nothing_is_an_empty_account(books: Books) -> None:
    report = await books.account()
    assert report.currency_status == pb.CURRENCY_STATUS_EMPTY
    assert (report.revenue_total, report.net_profit, report.HasField("currency")) == ("0", "0", False)
    assert not (report.by_currency or report.purchases or report.by_period or report.truncated)


async def test_the_demo_gives_the_figures_of_the_reference(books: Books) -> None:
    payroll = await books.payroll(
        14600, 10800, gross_total=12000, employer_social_security_total=2600, tax_withheld_total=830
    )
    sales = [
        await books.invoice(
            f"INV-SALES-10{n}", total, type="sales", customer=who, period=None, invoice_date=f"2026-05-{n}0"
        )
        for n, total, who in ((1, 28500, "Chop Suey Chinese"), (2, 14200, "Alfreds Futterkiste"))
    ]
    report = await books.account(company="NORTHWIND ")
    assert (report.currency, report.currency_status) == ("EUR", pb.CURRENCY_STATUS_SINGLE)
    assert (report.revenue_total, report.employer_cost_total, report.net_profit) == ("42700.00", "14600.00", "28100.00")
    assert (report.cash_out_total, report.off_bank_cost, report.net_cash_outflow) == ("10800.00", "3800.00", "10800.00")
    assert (report.off_bank_cost_pct, report.net_profit_margin_pct) == ("35.19", "65.81")
    assert (report.avg_cost_per_employee, report.cost_gap_pct) == ("4866.67", "24.07")
    assert [(line.customer, line.amount, line.date) for line in report.sales] == [
        ("Alfreds Futterkiste", "14200.00", "2026-05-20"),
        ("Chop Suey Chinese", "28500.00", "2026-05-10"),
    ]
    [figures] = report.by_currency
    assert {source.side: list(source.memory_ids) for source in figures.sources} == {
        ledger_pb.LEDGER_SIDE_REVENUE: sales[::-1],
        ledger_pb.LEDGER_SIDE_PAYROLL: [payroll],
    }
    assert (await books.account(company="somebody else")).currency_status == pb.CURRENCY_STATUS_EMPTY


async def test_each_currency_is_whole_and_nothing_is_assumed(books: Books) -> None:
    await books.invoice("A", "10.10", "EUR", paid=True)
    await books.invoice("B", "0.2", "EUR", paid=False)
    await books.invoice("C", 5, "USD")
    await books.invoice("D", "1200", "JPY", type="sales")
    await books.invoice("E", 1.005, "KWD", type="sales")
    unknown = await books.payroll(999, 700, None)
    report = await books.account()
    assert (report.currency_status, report.unknown_currency_records) == (pb.CURRENCY_STATUS_MIXED, 1)
    for name in ("currency", "net_profit", "revenue_total", "employer_cost_total", "net_cash_outflow"):
        assert not report.HasField(name), name
    found = {f.currency: (f.revenue_total, f.purchases_total, f.net_profit) for f in report.by_currency}
    assert found == {
        "EUR": ("0.00", "10.30", "-10.30"),
        "USD": ("0.00", "5.00", "-5.00"),
        "JPY": ("1200", "0", "1200"),
        "KWD": ("1.005", "0.000", "1.005"),
    }
    cash = {f.currency: (f.purchase_cash_out_total, f.purchase_cash_unknown_total) for f in report.by_currency}
    assert (cash["EUR"], cash["USD"]) == (("10.10", "0.00"), ("0.00", "5.00"))
    [usd] = [f for f in report.by_currency if f.currency == "USD"]
    assert not usd.HasField("net_cash_outflow")
    assert (report.events, list(report.unknown.sources[0].memory_ids)) == (1, [unknown])
    assert [e.memory_id for e in (await books.entries(currency="unknown")).entries] == [unknown]


async def test_only_unknown_evidence_is_no_account(books: Books) -> None:
    await books.payroll(999, 700, None)
    report = await books.account()
    assert (report.currency_status, report.HasField("employer_cost_total")) == (pb.CURRENCY_STATUS_UNKNOWN, False)


async def test_what_tells_of_the_same_money_counts_once_and_the_last_word_holds(books: Books) -> None:
    first = await books.invoice("INV-1", 8400)
    second = await books.invoice("INV-1", 8900)
    report = await books.account()
    assert (report.purchases_total, [line.memory_id for line in report.purchases]) == ("8900.00", [second])
    assert list(report.by_currency[0].sources[0].memory_ids) == [second]
    assert [e.memory_id for e in (await books.entries()).entries] == [second]
    assert not (await books.entries(memory_id=first)).entries
    await judging.invalidate(books.ingest, books.tenant, second)
    assert (await books.account()).purchases_total == "8400.00"


async def test_the_account_follows_a_correction_a_decision_and_a_payment_and_knows_how_it_was(books: Books) -> None:
    ingest, tenant, clock = books.ingest, books.tenant, books.ingest.clock
    first = await books.invoice("INV-1", 8400, payment_status="unpaid")
    second = await books.invoice("INV-1", 8900, payment_status="unpaid")
    moments = [clock.tick()]
    figures = [("8900.00", "0.00")]

    async def noted() -> None:
        report = await books.account()
        figures.append((report.purchases_total, report.purchase_cash_out_total))
        moments.append(clock.tick())

    given = {"company": "Northwind"}
    decision = await judging.resolve(ingest, tenant, first, [second], **given)
    await noted()
    corrected = await judging.feedback(
        ingest, tenant, second, "incorrect", corrected_fact="It is over 9000.", corrected_metadata='{"total": 9000}'
    )
    await noted()
    patch = ingest_pb.MemoryPatch(
        metadata=json.dumps(
            {
                "invoice_number": "INV-1",
                "total": 9000,
                "type": "purchase",
                "vendor": "Acme",
                "currency": "EUR",
                "payment_status": "paid",
            }
        )
    )
    clock.tick()
    await ingest.writer.UpdateMemory(
        ingest_pb.UpdateMemoryRequest(
            tenant_id=str(tenant), actor="bo", memory_id=corrected.corrected_memory_id, patch=patch
        )
    )
    await noted()
    assert figures == [("8900.00", "0.00"), ("8400.00", "0.00"), ("9000.00", "0.00"), ("9000.00", "9000.00")]
    for moment, (total, cash) in zip(moments, figures, strict=True):
        then = await books.account(at=moment)
        assert (then.purchases_total, then.purchase_cash_out_total) == (total, cash), moment
        assert wire.to_datetime(then.known_at) == moment
    with pytest.raises(Conflict):
        await judging.undo(ingest, tenant, decision.decision_id)


async def test_a_decision_undone_is_undone_in_the_account(books: Books) -> None:
    first, second = await books.invoice("INV-1", 8400), await books.invoice("INV-1", 8900)
    decision = await judging.resolve(books.ingest, books.tenant, first, [second], company="Northwind")
    settled = await books.account()
    assert settled.purchases_total == "8400.00"
    assert set(settled.by_currency[0].sources[0].memory_ids) == {first, second}
    moment = books.ingest.clock.tick()
    await judging.undo(books.ingest, books.tenant, decision.decision_id)
    assert (await books.account()).purchases_total == "8900.00"
    assert (await books.account(at=moment)).purchases_total == "8400.00"


async def test_the_dearest_employees_are_told_beside_the_account(books: Books) -> None:
    await books.payroll(14600, 10800)
    shares = {}
    for period, costs in (("2026-05", (5900, 4700, 4000)), ("2026-06", (5900, 6000, 100))):
        for name, cost in zip(("E-01", "E-02", "E-03"), costs, strict=True):
            metadata = {"employee_id": name, "net": 1, "employer_cost": cost, "currency": "EUR"}
            given = {"company": "Northwind", "period": period, "source_ref": f"evt-{period}:{name}"}
            shares[name, period] = await books.write(f"{name} in {period}.", "payroll_event", metadata, **given)
    report = await books.account()
    assert (report.employer_cost_total, report.events) == ("14600.00", 1)
    assert [(line.employee_id, line.employer_cost_total, line.payrolls) for line in report.top_employees] == [
        ("E-01", "11800.00", 2),
        ("E-02", "10700.00", 2),
        ("E-03", "4100.00", 2),
    ]
    assert list(report.top_employees[0].memory_ids) == [shares["E-01", "2026-06"], shares["E-01", "2026-05"]]
    may = (await books.account(period="2026-05")).top_employees
    assert [line.employer_cost_total for line in may] == ["5900.00", "4700.00", "4000.00"]
    assert len((await books.entries()).entries) == 1
    listed = (await books.entries(side="LEDGER_SIDE_EMPLOYEE")).entries
    assert {entry.memory_id for entry in listed} == set(shares.values())


async def test_an_invoices_own_number_tells_it_wherever_it_was_written(books: Books) -> None:
    metadata = {"type": "purchase", "vendor": "Acme", "currency": "EUR", "total": 5}
    given = {"company": "Northwind", "period": "2026-05", "source_ref": "mail/7"}
    for number in ("A-1", "A-2"):
        await books.write(f"{number} of one mail.", "invoice", metadata | {"invoice_number": number}, **given)
    await books.write(
        "A-1 again.", "invoice", metadata | {"invoice_number": "a-1", "total": 6}, company="Northwind", period="2026-05"
    )
    await books.write("Of the same mail, by record.", "invoice", metadata, record="A-3", **given)
    assert (await books.account()).purchases_total == "16.00"


async def test_periods_are_ranges_and_months_are_compared(books: Books) -> None:
    for period, total in (
        ("2025-12", 50),
        ("2026-01", 100),
        ("2026-02", 150),
        ("2026-02-17", 50),
        ("2026-Q1", 7),
        ("2027", 1),
    ):
        await books.invoice(f"S-{period}", total, type="sales", period=period)
    await books.invoice("P", 20, period="2026-02")
    lines = (await books.account()).by_period
    assert [(line.period, line.figures.revenue_total) for line in lines] == [
        ("2025-12", "50.00"),
        ("2026-01", "100.00"),
        ("2026-02", "200.00"),
        ("2026-Q1", "7.00"),
        ("2027", "1.00"),
    ]
    assert [line.previous_period for line in lines] == ["", "2025-12", "2026-01", "", ""]
    february = lines[2]
    assert (february.revenue_change.amount, february.revenue_change.pct) == ("100.00", "100.00")
    assert (february.net_profit_change.before, february.net_profit_change.after) == ("100.00", "180.00")
    assert (february.expenses_change.amount, february.expenses_change.HasField("pct")) == ("20.00", False)

    async def revenue(**given: Any) -> str:
        return (await books.account(**given)).revenue_total

    assert await revenue(period="2026") == "307.00"
    assert await revenue(period="2026-02") == "200.00"
    assert await revenue(period="2026-Q1") == "307.00"
    assert await revenue(period_from="2025-12", period_to="2026-01") == "150.00"
    assert await revenue(period_from="2026-02") == "201.00"
    assert await revenue(period="2026", period_to="2026-01") == "100.00"


async def test_what_held_and_what_has_expired(books: Books) -> None:
    start = books.ingest.clock.tick()
    later = wire.to_timestamp(start.replace(year=start.year + 1))
    await books.invoice("A", 1, observed_at=wire.to_timestamp(start))
    await books.invoice("B", 2, observed_at=later)
    soon = books.ingest.clock.tick(3600)
    await books.invoice(
        "C", 4, expires_at=wire.to_timestamp(soon.replace(minute=(soon.minute + 30) % 60, hour=soon.hour + 1))
    )
    assert (await books.account()).purchases_total == "7.00"
    assert (await books.account(valid_at=wire.to_timestamp(start))).purchases_total == "5.00"
    moment = books.ingest.clock.tick()
    books.ingest.clock.tick(2 * 3600)
    assert (await books.account()).purchases_total == "3.00"
    assert (await books.account(at=moment)).purchases_total == "7.00"


async def test_lists_are_cut_and_say_so_and_pages_hold_every_entry_once(books: Books) -> None:
    ids = [await books.invoice(f"N-{number}", number + 1) for number in range(7)]
    report = await books.account(limit=3)
    assert (report.purchases_total, report.truncated) == ("28.00", True)
    assert [line.memory_id for line in report.purchases] == ids[:-4:-1]
    [source] = report.by_currency[0].sources
    assert (source.entries, list(source.memory_ids), source.truncated) == (7, ids[:-4:-1], True)
    assert not (await books.account(limit=7)).truncated
    seen: list[str] = []
    page = await books.entries(limit=3)
    await books.invoice("later", 1000)
    await judging.invalidate(books.ingest, books.tenant, ids[0])
    while True:
        seen += [entry.memory_id for entry in page.entries]
        if not page.next_page_token:
            break
        page = await books.entries(limit=3, page_token=page.next_page_token)
    assert seen == ids[::-1]
    assert [entry.memory_id for entry in (await books.entries(memory_id=ids[2])).entries] == [ids[2]]


async def test_entries_are_filtered_by_side_and_currency(books: Books) -> None:
    bought, sold = await books.invoice("A", 1), await books.invoice("B", 2, "usd", type="sales")
    paid = await books.payroll(3, 2)
    wanted = {
        "side": ("LEDGER_SIDE_REVENUE", [sold]),
        "currency": ("$", [sold]),
        "period": ("2026-05", [paid, sold, bought]),
        "company": ("nobody", []),
    }
    for name, (value, ids) in wanted.items():
        assert [entry.memory_id for entry in (await books.entries(**{name: value})).entries] == ids, name


async def test_wrong_fields_are_named(books: Books) -> None:
    for given, reason in (
        ({"period": "May"}, "PERIOD_INVALID"),
        ({"period_to": "2026-13"}, "PERIOD_INVALID"),
        ({"limit": 1001}, "LIMIT_OUT_OF_RANGE"),
    ):
        with pytest.raises(InvalidArgument) as error:
            await books.account(**given)
        assert error.value.violations[0].reason == reason
    for given, reason in (
        ({"currency": "euro money"}, "CURRENCY_INVALID"),
        ({"side": 99}, "SIDE_INVALID"),
        ({"page_token": "x"}, "PAGE_TOKEN_INVALID"),
        ({"memory_id": "x"}, "MEMORY_ID_INVALID"),
    ):
        with pytest.raises(InvalidArgument) as error:
            await books.entries(**given)
        assert error.value.violations[0].reason == reason


async def test_the_table_has_a_row_for_each_currency_and_period(books: Books) -> None:
    memory_id = await books.invoice("A", 8400)
    await books.invoice("B", 100, None, period="2026-04")
    assert not (await books.account()).csv
    text = (await books.account(format=pb.REPORT_FORMAT_CSV)).csv
    rows = list(csv.DictReader(io.StringIO(text)))
    assert (text.splitlines()[0], text.endswith("\r\n")) == (",".join(HEADER), True)
    shown = [(row["row"], row["period"], row["currency"], row["purchases_total"], row["net_profit"]) for row in rows]
    assert shown == [
        ("total", "", "EUR", "8400.00", "-8400.00"),
        ("total", "", "unknown", "100", "-100"),
        ("period", "2026-05", "EUR", "8400.00", "-8400.00"),
    ]
    assert rows[0]["memory_ids"] == memory_id


def test_no_cell_is_a_formula() -> None:
    for text in ("=1+1", "+cmd", "-2+3", "@SUM(A1)", "\tx", "\r=1"):
        assert guarded(text) == f"'{text}"
    for text in ("-8400.00", "8400", "Acme = best", ""):
        assert guarded(text) == text
