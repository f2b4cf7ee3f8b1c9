"""Recorded findings: one, in pages, and what changed since a cursor.

Rules: a page is cut by (first seen, id). Changes come in the order of the transactions that made them, below the oldest
one still running, so that none is passed over; a cursor is worth something on its own cluster only, because a restored
database counts transactions anew. `detail` is the finding's message, unread.
Source: REQUIREMENTS C8; PostgreSQL 18, "Transaction ID and Snapshot Information Functions".
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias
from uuid import UUID

import asyncpg

from shared.domain.findings import FindingKind, FindingState
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/findings")

Place: TypeAlias = tuple[datetime, str]  # first seen, falling; then id
Cursor: TypeAlias = tuple[int, str]  # transaction; then id


@dataclass(frozen=True, slots=True)
class Wanted:
    """Filters joined by and; None filters nothing."""

    tenant_id: UUID
    state: FindingState | None = None
    kind: FindingKind | None = None
    company_key: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding and where it stands."""

    finding_id: str
    kind: FindingKind
    state: FindingState
    company: str | None
    subject: str | None
    attribute: str | None
    detail: bytes
    first_seen_at: datetime
    last_seen_at: datetime
    changed_at: datetime
    changed_by: str | None
    reason: str | None
    decision_id: str | None
    commit_xid: int
    memory_ids: tuple[UUID, ...]

    @property
    def place(self) -> Place:
        """Where it stands in a list."""
        return self.first_seen_at, self.finding_id

    @property
    def cursor(self) -> Cursor:
        """Where its last change stands among the changes."""
        return self.commit_xid, self.finding_id


@dataclass(frozen=True, slots=True)
class Horizon:
    """From which transaction on changes may still come, and in which cluster."""

    transaction: int
    cluster: int


async def get(connection: Connection, tenant_id: UUID, finding_id: str) -> Finding | None:
    """Read one finding."""
    row = await connection.fetchrow(_composed("get"), tenant_id, finding_id)
    return _finding(row) if row else None


async def page(connection: Connection, wanted: Wanted, after: Place | None, limit: int) -> list[Finding]:
    """Read the next findings, newest first."""
    rows = await connection.fetch(_composed("page"), *_parameters(wanted), limit, *(after or (None, None)))
    return [_finding(row) for row in rows]


async def changes(connection: Connection, wanted: Wanted, after: Cursor, limit: int) -> list[Finding]:
    """Read the next findings that changed after a cursor, in the order of their changes."""
    rows = await connection.fetch(_composed("changes"), *_parameters(wanted), limit, *after)
    return [_finding(row) for row in rows]


async def horizon(connection: Connection) -> Horizon:
    """Read from where on changes may still come."""
    row = await connection.fetchrow(_SQL["horizon"])
    if row is None:
        raise ValueError("a function without rows")
    return Horizon(row["horizon"], row["cluster"])


def _composed(name: str) -> str:
    return _SQL[name].replace(":columns", _SQL["columns"])


def _parameters(wanted: Wanted) -> tuple[object, ...]:
    return wanted.tenant_id, wanted.state, wanted.kind, wanted.company_key


def _finding(row: asyncpg.Record) -> Finding:
    values = dict(row) | {
        "kind": FindingKind(row["kind"]),
        "state": FindingState(row["state"]),
        "detail": bytes(row["detail"]),
        "memory_ids": tuple(row["memory_ids"]),
    }
    return Finding(**values)
