"""The ledger: which money a memory puts on record, and when two memories put the same money on record.

Rules: an invoice with a readable total is an entry, sales as revenue and all others as purchase; a payroll event with a
readable employer cost is one, and beside it, added to nothing, each employee's share. Nothing else is. An unlisted or
absent currency is unknown. An amount that can be read in two ways is no entry. Of entries with one dedup key the latest
recorded counts.
It does not know memories' lives, nor sums.
Source: archon-behaviour 7.8; REQUIREMENTS E4.
"""

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from enum import StrEnum, unique
from hashlib import sha256

from shared.domain import dates
from shared.domain.errors import InvalidArgument
from shared.domain.metadata import NumberLiteral, parse_literals
from shared.domain.money import amounts
from shared.domain.money.cash import CashStatus, cash_of
from shared.domain.text import company_key, fold
from shared.domain.types import Draft, MemoryKind

_TOTALS = ("total", "amount")
_ENDLESS = Decimal(10) ** 15  # as amounts.AMOUNT_MAX: what is larger is no amount of money


@unique
class Side(StrEnum):
    """Which side of the P&L an entry stands on."""

    REVENUE = "revenue"
    PURCHASE = "purchase"
    PAYROLL = "payroll"
    EMPLOYEE = "employee"  # one's share of a payroll: told beside it, added to nothing


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """Money one memory puts on record.

    Units: amounts in major units, whole minor ones where the currency is known. `amount` is the face value of an
    invoice or the employer cost of a payroll; `cash` is what moved of it (of a payroll the net that the bank paid),
    None when unknown. `dedup_key` has 64 hex digits. What stands below `dedup_key` is only given where the side has it.
    """

    side: Side
    company: str | None
    company_key: str
    period: str | None
    currency: str | None
    amount: Decimal
    cash: Decimal | None
    cash_status: CashStatus
    dedup_key: str
    gross: Decimal | None = None
    employer_social_security: Decimal | None = None
    employee_social_security: Decimal | None = None
    tax: Decimal | None = None
    employee_count: int | None = None
    party: str | None = None  # vendor or customer
    number: str | None = None  # the invoice's own
    dated: date | None = None


def entries_of(
    kind: str,
    company: str | None,
    period: str | None,
    source_ref: str | None,
    record: str | None,
    metadata_json: str,
    counterparty: str | None = None,
) -> tuple[LedgerEntry, ...]:
    """Return the entries that a memory's fields put on record: none or one. `metadata_json` is checked metadata."""
    if kind not in (MemoryKind.INVOICE, MemoryKind.PAYROLL_EVENT):
        return ()
    fields = _Fields(parse_literals(metadata_json))
    named = (company, company_key(company or ""), period)
    # An explicit record names one thing; a source may hold several.
    reference = record or source_ref
    if kind == MemoryKind.PAYROLL_EVENT:
        entry = _payroll(fields, *named) or _employee(fields, *named)
        alone = f"{named[1]}:{period or ''}"
        party = "" if entry is None or entry.side is Side.PAYROLL else fold(entry.number or "")
    else:
        entry = _invoice(fields, *named, counterparty)
        alone = "" if entry is None else f"{entry.dated or ''}:{amounts.plain(entry.amount)}"
        party = "" if entry is None else fold(entry.party or "")
        # Of one party an invoice's own number says most: it is the same in whatever memory tells of it.
        reference = fields.text("invoice_number") or fields.text("vendor_ref") or reference
    if entry is None:
        return ()
    key = (entry.side, named[1], period or "", entry.currency or "", party, fold(reference) if reference else alone)
    return (replace(entry, dedup_key=_hashed(key)),)


def entries_of_draft(draft: Draft) -> tuple[LedgerEntry, ...]:
    """Return the entries that a memory puts on record: none or one."""
    return entries_of(
        draft.kind,
        draft.company,
        draft.period,
        draft.source_ref,
        draft.record,
        draft.metadata_json,
        draft.counterparty,
    )


class _Fields:
    """Metadata, read as money."""

    def __init__(self, entries: dict[str, object]) -> None:
        self._entries = entries
        self.currency = amounts.known_currency(self.text("currency"))

    def text(self, name: str) -> str | None:
        value = self._entries.get(name)
        return str(value).strip() or None if isinstance(value, str) else None

    def flag(self, name: str) -> bool | None:
        value = self._entries.get(name)
        return value if isinstance(value, bool) else None

    def amount(self, *names: str) -> Decimal | None:
        """Return the first readable amount; a currency that its text names is taken over where none is given."""
        for name in names:
            value = self._entries.get(name)
            if isinstance(value, NumberLiteral):
                number = Decimal(value)
            elif isinstance(value, str):
                try:
                    read = amounts.read_amount(name, value, self.currency)
                except InvalidArgument:
                    continue
                self.currency = self.currency or amounts.known_currency(read.currency)
                number = read.number
            else:
                continue
            if number.is_finite() and abs(number) <= _ENDLESS:
                return amounts.rounded(number, self.currency)
        return None

    def count(self, name: str) -> int | None:
        value = self._entries.get(name)
        text = str(value) if isinstance(value, str) else ""
        return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None

    def day(self, name: str) -> date | None:
        found = dates.readings(fold(self.text(name) or ""))
        return date.fromisoformat(found[0]) if len(found) == 1 and len(found[0]) == len("2026-05-27") else None


def _payroll(fields: _Fields, company: str | None, key: str, period: str | None) -> LedgerEntry | None:
    cost = fields.amount("employer_cost_total")
    if cost is None:
        return None
    gross = fields.amount("gross_total")
    contribution = fields.amount("employer_social_security_total")
    if contribution is None and gross is not None:
        contribution = cost - gross
    net = fields.amount("bank_net_total")
    return LedgerEntry(
        side=Side.PAYROLL,
        company=company,
        company_key=key,
        period=period,
        currency=fields.currency,
        amount=cost,
        cash=net,
        cash_status=CashStatus.UNKNOWN if net is None else CashStatus.PAID,
        dedup_key="",
        gross=gross,
        employer_social_security=contribution,
        employee_social_security=fields.amount("employee_social_security_total"),
        tax=fields.amount("tax_withheld_total"),
        employee_count=fields.count("employee_count"),
    )


def _employee(fields: _Fields, company: str | None, key: str, period: str | None) -> LedgerEntry | None:
    number, cost = fields.text("employee_id"), fields.amount("employer_cost")
    if number is None or cost is None:
        return None
    net = fields.amount("net")
    return LedgerEntry(
        side=Side.EMPLOYEE,
        company=company,
        company_key=key,
        period=period,
        currency=fields.currency,
        amount=cost,
        cash=net,
        cash_status=CashStatus.UNKNOWN if net is None else CashStatus.PAID,
        dedup_key="",
        gross=fields.amount("gross"),
        party=fields.text("name"),
        number=number,
    )


def _invoice(
    fields: _Fields, company: str | None, key: str, period: str | None, counterparty: str | None
) -> LedgerEntry | None:
    total = fields.amount(*_TOTALS)
    if total is None:
        return None
    is_sale = fold(fields.text("type") or "") == "sales"
    cash = cash_of(
        total,
        paid_amount=fields.amount("paid_amount"),
        paid=fields.flag("paid"),
        payment_status=fold(fields.text("payment_status") or fields.text("status") or "") or None,
        tolerance=amounts.minor_unit(fields.currency),
    )
    return LedgerEntry(
        side=Side.REVENUE if is_sale else Side.PURCHASE,
        company=company,
        company_key=key,
        period=period,
        currency=fields.currency,
        amount=total,
        cash=cash.amount,
        cash_status=cash.status,
        dedup_key="",
        party=fields.text("customer" if is_sale else "vendor") or counterparty,
        number=fields.text("invoice_number") or fields.text("vendor_ref"),
        dated=fields.day("invoice_date") or fields.day("date"),
    )


def _hashed(parts: tuple[str, ...]) -> str:
    """Return one digest of parts that cannot run into each other."""
    return sha256("\x1f".join(f"{len(part)}:{part}" for part in parts).encode("utf-8", "surrogatepass")).hexdigest()
