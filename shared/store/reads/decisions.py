"""Decisions as they were taken: who decided what, when and why, and what was undone.

Rules: decisions are numbered in the order in which they were taken; a page is cut by number, so none moves while others
are taken. It does not know whether a decision can be undone.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from shared.domain.decision import Action
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/decisions")
NEWEST = 2**31 - 1  # above every number


@dataclass(frozen=True, slots=True)
class Wanted:
    """Filters joined by and; None filters nothing."""

    tenant_id: UUID
    memory_id: UUID | None = None
    company_key: str | None = None
    record_key: str | None = None
    attribute: str | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision."""

    decision_id: str
    number: int
    action: Action
    finding_id: str | None
    company: str | None
    subject: str | None
    attribute: str | None
    selected_memory_id: UUID | None
    operation_id: UUID
    actor: str
    reason: str
    recorded_at: datetime
    undone_at: datetime | None
    undone_by: str | None
    undone_reason: str | None
    target_memory_ids: tuple[UUID, ...]
    correction_memory_id: UUID | None


async def get(connection: Connection, tenant_id: UUID, decision_id: str) -> Decision | None:
    """Read one decision."""
    row = await connection.fetchrow(_composed("get"), tenant_id, decision_id)
    return _decision(row) if row else None


async def page(connection: Connection, wanted: Wanted, below: int, limit: int) -> list[Decision]:
    """Read decisions below a number, newest first."""
    filters = (wanted.memory_id, wanted.company_key, wanted.record_key, wanted.attribute)
    rows = await connection.fetch(_composed("page"), wanted.tenant_id, below, *filters, limit)
    return [_decision(row) for row in rows]


def _composed(name: str) -> str:
    return _SQL[name].replace(":columns", _SQL["columns"])


def _decision(row: asyncpg.Record) -> Decision:
    values = dict(row) | {
        "action": Action(row["action"]),
        "target_memory_ids": tuple(row["target_memory_ids"]),
    }
    return Decision(**values)
