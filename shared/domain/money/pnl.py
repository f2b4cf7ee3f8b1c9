"""Profit and loss out of the ledger's sums, one whole report for each currency.

Rules: sums of different currencies are never added. With one known currency and nothing of unknown currency the report
has that currency's figures at the top; otherwise the figures at the top are None, and each known currency keeps its own
whole. What has no known currency stands beside, and changes no known currency's figures. Cash that is unknown is
counted apart, and makes the net cash outflow unknown. Sums do not depend on the order of entries.
It does not know entries one by one, periods and databases.
Source: archon-behaviour 7.8; REQUIREMENTS E4.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import ROUND_HALF_EVEN, Context, Decimal
from enum import StrEnum, unique
from functools import reduce
from typing import Any

from shared.domain.money.amounts import minor_unit
from shared.domain.money.cash import CashStatus
from shared.domain.money.ledger import LedgerEntry, Side
from shared.domain.money.payroll import percent

PERCENT_STEP = "0.01"  # archon-behaviour 7.8
_ZERO = Decimal(0)
_WIDE = Context(prec=80)  # digits; sums of a tenant's whole ledger


@unique
class CurrencyStatus(StrEnum):
    """Which currencies the evidence is in."""

    EMPTY = "empty"
    SINGLE = "single"
    MIXED = "mixed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Sums:
    """What the entries of one currency add up to. `records` counts all of them, `events` the payrolls."""

    currency: str | None
    records: int = 0
    events: int = 0
    employee_count: int = 0
    employer_cost_total: Decimal = _ZERO
    gross_total: Decimal = _ZERO
    employer_social_security_total: Decimal = _ZERO
    employee_social_security_total: Decimal = _ZERO
    tax_withheld_total: Decimal = _ZERO
    cash_out_total: Decimal = _ZERO  # the net that banks paid
    cash_out_unknown_count: int = 0  # payrolls whose net is unknown
    off_bank_cost: Decimal = _ZERO  # employer cost above the net, of payrolls whose net is known
    purchases_total: Decimal = _ZERO
    purchase_cash_out_total: Decimal = _ZERO
    purchase_cash_unknown_total: Decimal = _ZERO  # face value
    purchase_cash_unknown_count: int = 0
    revenue_total: Decimal = _ZERO


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one currency. Units: money in major units; percentages rounded to two decimals."""

    sums: Sums
    total_expenses: Decimal
    net_profit: Decimal
    net_cash_outflow: Decimal | None
    net_profit_margin_pct: Decimal | None
    off_bank_cost_pct: Decimal | None
    cost_gap_pct: Decimal | None
    avg_cost_per_employee: Decimal | None


@dataclass(frozen=True, slots=True)
class Report:
    """A P&L. `top` is None when the currencies are mixed or unknown; `unknown` stands beside the known currencies."""

    currency: str | None
    currency_status: CurrencyStatus
    events: int
    employee_count: int
    unknown_currency_records: int
    top: Figures | None
    by_currency: tuple[Figures, ...]
    unknown: Figures | None


@dataclass(frozen=True, slots=True)
class Change:
    """How a figure moved. `pct` is None when the former one is not positive."""

    before: Decimal
    after: Decimal
    amount: Decimal
    pct: Decimal | None


def sums_of(entry: LedgerEntry) -> Sums:
    """Return what one entry adds to its currency."""
    if entry.side is Side.EMPLOYEE:
        return Sums(entry.currency)
    if entry.side is Side.REVENUE:
        return Sums(entry.currency, records=1, revenue_total=entry.amount)
    unknown = entry.cash is None or entry.cash_status is CashStatus.UNKNOWN
    cash = _ZERO if entry.cash is None or unknown else entry.cash
    if entry.side is Side.PURCHASE:
        return Sums(
            entry.currency,
            records=1,
            purchases_total=entry.amount,
            purchase_cash_out_total=cash,
            purchase_cash_unknown_total=entry.amount if unknown else _ZERO,
            purchase_cash_unknown_count=int(unknown),
        )
    return Sums(
        entry.currency,
        records=1,
        events=1,
        employee_count=entry.employee_count or 0,
        employer_cost_total=entry.amount,
        gross_total=entry.gross or _ZERO,
        employer_social_security_total=entry.employer_social_security or _ZERO,
        employee_social_security_total=entry.employee_social_security or _ZERO,
        tax_withheld_total=entry.tax or _ZERO,
        cash_out_total=cash,
        cash_out_unknown_count=int(unknown),
        off_bank_cost=_ZERO if unknown else entry.amount - cash,
    )


def added(one: Sums, other: Sums) -> Sums:
    """Return the sums of both. Raises: ValueError when their currencies differ."""
    if one.currency != other.currency:
        raise ValueError("sums of different currencies are never added")
    names = [field.name for field in fields(Sums) if field.name != "currency"]
    return Sums(one.currency, **{name: _plus(getattr(one, name), getattr(other, name)) for name in names})


def by_currency(entries: Iterable[LedgerEntry]) -> tuple[Sums, ...]:
    """Return the sums of entries by currency, known ones in the order of their codes, then the unknown."""
    grouped: dict[str | None, list[Sums]] = {}
    for entry in entries:
        grouped.setdefault(entry.currency, []).append(sums_of(entry))
    return tuple(reduce(added, grouped[code]) for code in sorted(grouped, key=_order))


def figures(sums: Sums) -> Figures:
    """Return what follows from the sums of one currency."""
    expenses = sums.employer_cost_total + sums.purchases_total
    profit = sums.revenue_total - expenses
    is_cash_known = not (sums.purchase_cash_unknown_count or sums.cash_out_unknown_count)
    average = None
    if sums.employee_count > 0:
        average = _WIDE.divide(sums.employer_cost_total, Decimal(sums.employee_count))
        average = average.quantize(minor_unit(sums.currency), rounding=ROUND_HALF_EVEN, context=_WIDE)
    return Figures(
        sums=sums,
        total_expenses=expenses,
        net_profit=profit,
        net_cash_outflow=sums.cash_out_total + sums.purchase_cash_out_total if is_cash_known else None,
        net_profit_margin_pct=percent(profit, sums.revenue_total, PERCENT_STEP),
        off_bank_cost_pct=percent(sums.off_bank_cost, sums.cash_out_total, PERCENT_STEP),
        cost_gap_pct=percent(sums.employer_social_security_total, sums.cash_out_total, PERCENT_STEP),
        avg_cost_per_employee=average,
    )


def report(sums: Iterable[Sums]) -> Report:
    """Return the P&L of sums, of which each currency is there once, the unknown one as None."""
    whole = sorted((part for part in sums if part.records), key=lambda part: _order(part.currency))
    known = tuple(figures(part) for part in whole if part.currency is not None)
    unknown = next((figures(part) for part in whole if part.currency is None), None)
    status, top = _status(known, unknown)
    return Report(
        currency=known[0].sums.currency if status is CurrencyStatus.SINGLE else None,
        currency_status=status,
        events=sum(part.events for part in whole),
        employee_count=sum(part.employee_count for part in whole),
        unknown_currency_records=unknown.sums.records if unknown else 0,
        top=top,
        by_currency=known,
        unknown=unknown,
    )


def change(before: Decimal, after: Decimal) -> Change:
    """Return how a figure moved from one period to the next."""
    return Change(before, after, after - before, percent(after - before, before, PERCENT_STEP))


def _status(known: tuple[Figures, ...], unknown: Figures | None) -> tuple[CurrencyStatus, Figures | None]:
    if not known:
        if unknown is None:
            return CurrencyStatus.EMPTY, figures(Sums(None))
        return CurrencyStatus.UNKNOWN, None
    if len(known) == 1 and unknown is None:
        return CurrencyStatus.SINGLE, known[0]
    return CurrencyStatus.MIXED, None


def _order(currency: str | None) -> tuple[bool, str]:
    return currency is None, currency or ""


def _plus(one: Any, other: Any) -> Any:
    return _WIDE.add(one, other) if isinstance(one, Decimal) else one + other
