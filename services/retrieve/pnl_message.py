"""A P&L as the contract writes it, with the memories behind every figure.

Rules: money is a decimal string with as many decimals as its currency has. It does not know what was asked, nor how
sums come about.
Source: DESIGN 5.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from candor.retrieve.v1 import figures_pb2 as figures_pb
from candor.retrieve.v1 import ledger_pb2 as ledger_pb
from candor.retrieve.v1 import pnl_pb2 as pb

from shared.domain.money import pnl
from shared.domain.money.amounts import plain, rounded
from shared.domain.money.cash import CashStatus
from shared.domain.money.ledger import Side
from shared.domain.money.periodic import PeriodFigures, by_currency, by_period
from shared.rpc import wire
from shared.rpc.wire import money
from shared.store.reads.ledger import Employee, Entry, Group

PERIOD_LINES_MAX = 1_200  # the contract's: a century of months of one currency
_PAID = {CashStatus.PAID: True, CashStatus.PARTIAL: False, CashStatus.UNPAID: False}
_SUMS = (
    *("employer_cost_total", "gross_total", "employer_social_security_total", "employee_social_security_total"),
    *("tax_withheld_total", "cash_out_total", "off_bank_cost", "purchases_total", "purchase_cash_out_total"),
    *("purchase_cash_unknown_total", "revenue_total"),
)
_RATES = ("off_bank_cost_pct", "cost_gap_pct", "net_profit_margin_pct")
_RESULTS = ("avg_cost_per_employee", "total_expenses", "net_cash_outflow", "net_profit")


@dataclass(frozen=True, slots=True)
class Found:
    """What was read: every sum, the newest entries of each side and currency, and the employees who cost most."""

    groups: Sequence[Group]
    entries: Sequence[Entry]
    employees: Sequence[Employee] = ()


def report_message(found: Found, known_at: datetime) -> pb.GetProfitAndLossResponse:
    """Write a report."""
    parts = [(group.period, group.sums) for group in found.groups]
    report = pnl.report(by_currency(parts))
    counted: dict[tuple[Side, str | None], int] = defaultdict(int)
    for group in found.groups:
        counted[group.side, group.sums.currency] += group.sums.records
    listed: dict[tuple[Side, str | None], list[Entry]] = defaultdict(list)
    for entry in found.entries:
        listed[entry.side, entry.currency].append(entry)
    sources = {key: _source(key[0], number, listed[key]) for key, number in counted.items()}
    lines = by_period(parts)
    message = pb.GetProfitAndLossResponse(
        currency=report.currency,
        currency_status=money.to_currency_status(report.currency_status),
        unknown_currency_records=report.unknown_currency_records,
        events=report.events,
        employee_count=report.employee_count,
        purchase_cash_unknown_count=sum(sums.purchase_cash_unknown_count for _, sums in parts),
        by_currency=[_figures(one, sources) for one in report.by_currency],
        unknown=_figures(report.unknown, sources) if report.unknown else None,
        purchases=map(_purchase, _of(Side.PURCHASE, found.entries)),
        sales=map(_sale, _of(Side.REVENUE, found.entries)),
        by_company=map(_company, _of(Side.PAYROLL, found.entries)),
        top_employees=map(_employee, found.employees),
        by_period=map(_line, lines[-PERIOD_LINES_MAX:]),
        truncated=len(lines) > PERIOD_LINES_MAX or any(source.truncated for source in sources.values()),
        known_at=wire.to_timestamp(known_at),
    )
    if report.top is not None:
        for name, text in _texts(report.top).items():
            setattr(message, name, text)
    return message


def entry_message(entry: Entry) -> ledger_pb.LedgerEntry:
    """Write an entry."""
    shown = {
        name: _shown(getattr(entry, name), entry.currency)
        for name in ("cash", "gross", "employer_social_security", "employee_social_security", "tax")
    }
    return ledger_pb.LedgerEntry(
        memory_id=str(entry.memory_id),
        revision=entry.revision,
        side=money.to_side(entry.side),
        currency=entry.currency,
        amount=_text(entry.amount, entry.currency),
        cash_status=money.to_cash_status(entry.cash_status),
        employee_count=entry.employee_count,
        company=entry.company,
        period=entry.period,
        party=entry.party,
        invoice_number=entry.invoice_number,
        date=entry.dated.isoformat() if entry.dated else None,
        decided_from=map(str, entry.decided_from),
        written_at=wire.to_timestamp(entry.written_at),
        recorded_at=wire.to_timestamp(entry.recorded_at),
        ended_at=wire.to_timestamp(entry.ended_at),
        **shown,
    )


def _of(side: Side, entries: Sequence[Entry]) -> list[Entry]:
    return [entry for entry in entries if entry.side is side]


def _source(side: Side, number: int, entries: Sequence[Entry]) -> figures_pb.MoneySource:
    ids = dict.fromkeys(i for entry in entries for i in (entry.memory_id, *entry.decided_from))
    truncated = len(entries) < number
    return figures_pb.MoneySource(
        side=money.to_side(side), entries=number, memory_ids=map(str, ids), truncated=truncated
    )


def _figures(
    figures: pnl.Figures, sources: dict[tuple[Side, str | None], figures_pb.MoneySource] | None = None
) -> figures_pb.MoneyFigures:
    sums = figures.sums
    own = [sources[side, sums.currency] for side in Side if (side, sums.currency) in sources] if sources else []
    return figures_pb.MoneyFigures(
        currency=sums.currency,
        records=sums.records,
        events=sums.events,
        employee_count=sums.employee_count,
        cash_out_unknown_count=sums.cash_out_unknown_count,
        purchase_cash_unknown_count=sums.purchase_cash_unknown_count,
        sources=own,
        **_texts(figures),
    )


def _texts(figures: pnl.Figures) -> dict[str, str]:
    """Return every amount and percentage that is known, by its name."""
    currency = figures.sums.currency
    found = {name: _shown(getattr(figures.sums, name), currency) for name in _SUMS}
    found |= {name: _shown(getattr(figures, name), currency) for name in _RESULTS}
    found |= {name: _shown(getattr(figures, name), None) for name in _RATES}
    return {name: text for name, text in found.items() if text is not None}


def _purchase(entry: Entry) -> figures_pb.PurchaseLine:
    return figures_pb.PurchaseLine(
        vendor=entry.party,
        invoice_number=entry.invoice_number,
        amount=_text(entry.amount, entry.currency),
        date=entry.dated.isoformat() if entry.dated else None,
        paid=_PAID.get(entry.cash_status),
        currency=entry.currency,
        cash_status=money.to_cash_status(entry.cash_status),
        paid_amount=_shown(entry.cash, entry.currency),
        company=entry.company,
        period=entry.period,
        memory_id=str(entry.memory_id),
    )


def _sale(entry: Entry) -> figures_pb.SalesLine:
    return figures_pb.SalesLine(
        customer=entry.party,
        invoice_number=entry.invoice_number,
        amount=_text(entry.amount, entry.currency),
        date=entry.dated.isoformat() if entry.dated else None,
        currency=entry.currency,
        company=entry.company,
        period=entry.period,
        memory_id=str(entry.memory_id),
    )


def _company(entry: Entry) -> figures_pb.CompanyLine:
    return figures_pb.CompanyLine(
        company=entry.company,
        period=entry.period,
        currency=entry.currency,
        employer_cost_total=_text(entry.amount, entry.currency),
        cash_out_total=_shown(entry.cash, entry.currency),
        off_bank_cost=_shown(None if entry.cash is None else entry.amount - entry.cash, entry.currency),
        employee_count=entry.employee_count,
        memory_id=str(entry.memory_id),
    )


def _employee(employee: Employee) -> figures_pb.EmployeeLine:
    return figures_pb.EmployeeLine(
        employee_id=employee.employee_id,
        name=employee.name,
        company=employee.company,
        currency=employee.currency,
        employer_cost_total=_text(employee.amount, employee.currency),
        payrolls=employee.shares,
        memory_ids=map(str, employee.memory_ids),
    )


def _line(line: PeriodFigures) -> figures_pb.PeriodLine:
    currency = line.figures.sums.currency
    return figures_pb.PeriodLine(
        period=line.period,
        figures=_figures(line.figures),
        previous_period=line.previous,
        revenue_change=_change(line.revenue, currency),
        expenses_change=_change(line.expenses, currency),
        net_profit_change=_change(line.net_profit, currency),
    )


def _change(change: pnl.Change | None, currency: str | None) -> figures_pb.MoneyChange | None:
    if change is None:
        return None
    before, after, amount = (_text(one, currency) for one in (change.before, change.after, change.amount))
    return figures_pb.MoneyChange(before=before, after=after, amount=amount, pct=_shown(change.pct, None))


def _shown(amount: Decimal | None, currency: str | None) -> str | None:
    return None if amount is None else _text(amount, currency)


def _text(amount: Decimal, currency: str | None) -> str:
    return plain(rounded(amount, currency))
