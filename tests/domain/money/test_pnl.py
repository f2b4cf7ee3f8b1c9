"""The ledger and its P&L: sums of parts in any order, currencies never mixed, the unknown beside."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.money import pnl
from shared.domain.money.cash import CashStatus
from shared.domain.money.ledger import LedgerEntry, Side, entries_of
from shared.domain.money.pnl import CurrencyStatus


def entry(side: Side, amount: str, currency: str | None, cash: str | None = None, count: int = 0) -> LedgerEntry:
    status = CashStatus.UNKNOWN if cash is None else CashStatus.PAID
    moved = None if cash is None else Decimal(cash)
    return LedgerEntry(
        side, "Halden", "halden", "2026-05", currency, Decimal(amount), moved, status, "", employee_count=count
    )


def of(kind: str, metadata: dict[str, Any], **more: Any) -> tuple[LedgerEntry, ...]:
    fields: dict[str, Any] = {"company": "Halden", "period": "2026-05", "source_ref": None, "record": None} | more
    return entries_of(kind, metadata_json=json.dumps(metadata), **fields)


PARTS = st.builds(
    entry,
    st.sampled_from(Side),
    st.decimals("0", "1000000000", places=3).map(str),
    st.sampled_from(["EUR", "JPY", "KWD", None]),
    st.none() | st.decimals("-100", "1000000000", places=3).map(str),
    st.integers(0, 500),
)


@given(st.lists(PARTS, max_size=12), st.randoms(use_true_random=False))
def test_totals_are_the_sum_of_parts_in_any_order(parts: list[LedgerEntry], random: Any) -> None:
    report = pnl.report(pnl.by_currency(parts))
    shuffled = list(parts)
    random.shuffle(shuffled)
    assert report == pnl.report(pnl.by_currency(shuffled))
    for figures in (*report.by_currency, *([report.unknown] if report.unknown else [])):
        own = [p for p in parts if p.currency == figures.sums.currency and p.side is not Side.EMPLOYEE]
        revenue = sum((p.amount for p in own if p.side is Side.REVENUE), Decimal(0))
        expenses = sum((p.amount for p in own if p.side in (Side.PURCHASE, Side.PAYROLL)), Decimal(0))
        assert (figures.sums.revenue_total, figures.total_expenses) == (revenue, expenses)
        assert figures.net_profit == revenue - expenses
        assert figures.sums.records == len(own)
    assert report.events == sum(p.side is Side.PAYROLL for p in parts)


def test_one_currency_is_at_the_top() -> None:
    parts = [entry(Side.PAYROLL, "14600", "EUR", "10800", 3), entry(Side.REVENUE, "42700", "EUR")]
    report = pnl.report(pnl.by_currency(parts))
    assert (report.currency, report.currency_status) == ("EUR", CurrencyStatus.SINGLE)
    assert report.top is not None
    assert (report.top.net_profit, report.top.net_cash_outflow) == (Decimal(28100), Decimal(10800))
    assert report.top.net_profit_margin_pct == Decimal("65.81")


def test_mixed_currencies_are_whole_each_and_never_added() -> None:
    parts = [entry(Side.REVENUE, "5", code) for code in ("USD", "EUR", "JPY", "KWD")] + [
        entry(Side.PAYROLL, "7", None, "6", 2)
    ]
    report = pnl.report(pnl.by_currency(parts))
    assert (report.currency_status, report.top, report.currency) == (CurrencyStatus.MIXED, None, None)
    assert [f.sums.currency for f in report.by_currency] == ["EUR", "JPY", "KWD", "USD"]
    assert {f.net_profit for f in report.by_currency} == {5}
    assert report.unknown is not None and report.unknown.total_expenses == 7
    assert (report.unknown_currency_records, report.events, report.employee_count) == (1, 1, 2)


def test_nothing_is_zero_and_only_unknown_is_unknown() -> None:
    empty = pnl.report([])
    assert empty.currency_status is CurrencyStatus.EMPTY and empty.top is not None and empty.top.net_profit == 0
    assert pnl.report(pnl.by_currency([entry(Side.PURCHASE, "1", None)])).currency_status is CurrencyStatus.UNKNOWN


def test_unknown_cash_is_counted_apart() -> None:
    parts = [entry(Side.PURCHASE, "100", "EUR", "40"), entry(Side.PURCHASE, "60", "EUR")]
    (sums,) = pnl.by_currency(parts)
    assert (sums.purchases_total, sums.purchase_cash_out_total, sums.purchase_cash_unknown_total) == (
        Decimal(160),
        Decimal(40),
        Decimal(60),
    )
    assert sums.purchase_cash_unknown_count == 1 and pnl.figures(sums).net_cash_outflow is None


@pytest.mark.parametrize(
    ("kind", "metadata"),
    [
        ("document", {"total": 5, "currency": "EUR"}),
        ("payroll_event", {"net": 5, "gross": 6, "currency": "EUR"}),
        ("invoice", {"currency": "EUR"}),
        ("invoice", {"total": "1,234"}),
        ("invoice", {"total": None}),
        ("invoice", {"total": True}),
        ("invoice", {"total": "1" + "0" * 30}),
    ],
)
def test_no_money_no_entry(kind: str, metadata: dict[str, Any]) -> None:
    assert of(kind, metadata) == ()


def test_an_invoice_is_read_as_it_stands() -> None:
    (found,) = of("invoice", {"type": "sales", "total": "1.250,00 EUR", "customer": "Pell", "invoice_number": "7"})
    assert (found.side, found.amount, found.currency, found.party) == (Side.REVENUE, Decimal(1250), "EUR", "Pell")
    (odd,) = of("invoice", {"total": 10, "currency": "gold pieces", "paid": False})
    assert (odd.currency, odd.side, odd.cash_status) == (None, Side.PURCHASE, CashStatus.UNPAID)


def test_a_payroll_without_contribution_derives_it() -> None:
    (found,) = of("payroll_event", {"employer_cost_total": 14600, "gross_total": 12000, "employee_count": 3})
    assert (found.employer_social_security, found.cash, found.currency) == (Decimal(2600), None, None)
    assert found.cash_status is CashStatus.UNKNOWN


def test_the_dedup_key_tells_invoices_apart_and_spellings_together() -> None:
    def key(metadata: dict[str, Any], **more: Any) -> str:
        return of("invoice", {"total": 5, "currency": "EUR", "vendor": "Orrin"} | metadata, **more)[0].dedup_key

    assert key({}, source_ref="INV-1") == key({"total": 6, "vendor": "ORRIN"}, source_ref="inv-1")
    others = [key({}, source_ref="INV-2"), key({"vendor": "Pell"}, source_ref="INV-1"), key({"total": 6}), key({})]
    others += [key({"currency": "USD"}, source_ref="INV-1"), key({"type": "sales"}, source_ref="INV-1")]
    assert len({key({}, source_ref="INV-1"), *others}) == 7
