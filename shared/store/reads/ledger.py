"""The ledger: what memories put on record of money, summed and listed, as believed at any instant.

Rules: of entries that tell of the same money the one written last counts. Sums are made per side, currency and period,
never across currencies. A list is ordered by when its memories were written and cut by place, so none is told twice.
It does not know what a profit is (shared/domain/money/pnl.py).
Source: REQUIREMENTS E4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import NamedTuple
from uuid import UUID

import asyncpg

from shared.domain.money.cash import CashStatus
from shared.domain.money.ledger import Side
from shared.domain.money.pnl import Sums
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/ledger")


@dataclass(frozen=True, slots=True)
class Scope:
    """Filters joined by and; None filters nothing.

    Units: `first_day` and `last_day` bound whole periods; `known_at` is an instant in recorded time, `valid_at` one in
    the world; an expiry counts when it is not after `expired_at`.
    """

    tenant_id: UUID
    expired_at: datetime
    company_key: str | None = None
    first_day: date | None = None
    last_day: date | None = None
    known_at: datetime | None = None
    valid_at: datetime | None = None
    side: Side | None = None

    def parameters(self) -> tuple[object, ...]:
        """Return the values of $1 to $8."""
        return (
            *(self.tenant_id, self.company_key, self.first_day, self.last_day),
            *(self.known_at, self.valid_at, self.expired_at, self.side),
        )


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry as it stands. `currency` None: unknown. `decided_from`: memories whose values a decision gave it."""

    memory_id: UUID
    ordinal: int
    revision: int
    side: Side
    currency: str | None
    amount: Decimal
    cash: Decimal | None
    cash_status: CashStatus
    gross: Decimal | None
    employer_social_security: Decimal | None
    employee_social_security: Decimal | None
    tax: Decimal | None
    employee_count: int | None
    company: str | None
    period: str | None
    party: str | None
    invoice_number: str | None
    dated: date | None
    decided_from: tuple[UUID, ...]
    written_at: datetime
    recorded_at: datetime
    ended_at: datetime | None


class Group(NamedTuple):
    """What the entries of one side, period and currency add up to."""

    side: Side
    period: str | None
    sums: Sums


class Only(NamedTuple):
    """What a list holds besides its scope; None filters nothing. `currency` "": those of unknown currency."""

    currency: str | None = None
    memory_id: UUID | None = None


class Employee(NamedTuple):
    """What one employee of a company cost over so many shares of payrolls; the memories of the last of those."""

    currency: str | None
    company: str | None
    employee_id: str
    name: str | None
    amount: Decimal
    shares: int
    memory_ids: tuple[UUID, ...]


class Place(NamedTuple):
    """Where a list of entries goes on."""

    written_at: datetime
    memory_id: UUID
    ordinal: int


async def totals(connection: Connection, scope: Scope) -> list[Group]:
    """Sum what counts, by side, currency and period."""
    rows = await connection.fetch(statement_of("totals"), *scope.parameters())
    return [Group(Side(row["side"]), row["period"], _sums(row)) for row in rows]


async def latest(
    connection: Connection, scope: Scope, groups: Sequence[tuple[Side, str | None]], limit: int
) -> list[Entry]:
    """Read at most `limit` entries of each side and currency, the last written first."""
    if not groups:
        return []
    sides, currencies = [side for side, _ in groups], [currency or "" for _, currency in groups]
    rows = await connection.fetch(statement_of("latest"), *scope.parameters(), sides, currencies, limit)
    return [_entry(row) for row in rows]


async def dearest(connection: Connection, scope: Scope, *, limit: int, memories: int) -> list[Employee]:
    """Read the employees who cost most in each currency, and at most so many memories of each."""
    rows = await connection.fetch(statement_of("dearest"), *scope.parameters(), memories, limit)
    return [
        Employee(
            *(row["currency"] or None, row["company"], row["employee_id"], row["name"]),
            *(row["amount"], row["shares"], tuple(row["memory_ids"])),
        )
        for row in rows
    ]


async def page(connection: Connection, scope: Scope, only: Only, after: Place | None, limit: int) -> list[Entry]:
    """Read entries after a place, the last written first."""
    values = (*scope.parameters(), only.currency, only.memory_id, *(after or (None, None, None)), limit)
    return [_entry(row) for row in await connection.fetch(statement_of("page"), *values)]


@cache
def statement_of(name: str) -> str:
    """Return a statement with the filters put in."""
    scope = _SQL["scope"]
    counts = _SQL["counts"].replace(":scope", scope.replace("e.", "later."))
    return _SQL[name].replace(":columns", _SQL["columns"]).replace(":counts", counts).replace(":scope", scope)


def _sums(row: asyncpg.Record) -> Sums:
    currency, records, amount = row["currency"] or None, row["records"], row["amount"]
    match Side(row["side"]):
        case Side.REVENUE:
            return Sums(currency, records=records, revenue_total=amount)
        case Side.PURCHASE:
            return Sums(
                currency,
                records=records,
                purchases_total=amount,
                purchase_cash_out_total=row["cash"],
                purchase_cash_unknown_total=row["amount_cash_unknown"],
                purchase_cash_unknown_count=row["cash_unknown"],
            )
        case Side.PAYROLL:
            return Sums(
                currency,
                records=records,
                events=records,
                employee_count=row["employee_count"],
                employer_cost_total=amount,
                gross_total=row["gross"],
                employer_social_security_total=row["employer_social_security"],
                employee_social_security_total=row["employee_social_security"],
                tax_withheld_total=row["tax"],
                cash_out_total=row["cash"],
                cash_out_unknown_count=row["cash_unknown"],
                off_bank_cost=amount - row["amount_cash_unknown"] - row["cash"],
            )
        case Side.EMPLOYEE:
            return Sums(currency)


def _entry(row: asyncpg.Record) -> Entry:
    values = dict(row) | {
        "side": Side(row["side"]),
        "currency": row["currency"] or None,
        "cash_status": CashStatus(row["cash_status"]),
        "decided_from": tuple(row["decided_from"]),
    }
    return Entry(**values)
