"""Plans of what is to be forgotten, kept as they were shown; and what an operation ended.

Rules: a plan holds ids, revisions and dates, nothing of what the memories say. It does not know who is forgotten, nor
why.
Source: REQUIREMENTS D5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from shared.domain.types import MemoryKind
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes.events import Operation

_SQL = load("writes/forgetting")


class PlannedEnd(NamedTuple):
    """A memory that is to end, as it was when the plan was made; `fades_at` None: never."""

    memory_id: UUID
    revision: int
    fades_at: datetime | None


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to end, and since when that is planned."""

    ends: tuple[PlannedEnd, ...]
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Filter:
    """Which live memories are meant; None: any."""

    kind: MemoryKind | None = None
    company_key: str | None = None
    session: str | None = None
    recorded_before: datetime | None = None


async def matching(connection: Connection, tenant_id: UUID, wanted: Filter, limit: int) -> list[UUID]:
    """Return some live memories, the first to be recorded first."""
    values = (wanted.kind, wanted.company_key, wanted.session, wanted.recorded_before, limit)
    return [row["memory_id"] for row in await connection.fetch(_SQL["matching"], tenant_id, *values)]


async def keep_plan(connection: Connection, operation: Operation, plan: Plan) -> None:
    """Keep a plan under the operation's id."""
    columns: Sequence[list[object]] = [list(column) for column in zip(*plan.ends, strict=True)] or [[], [], []]
    await connection.execute(_SQL["keep_plan"], operation.tenant_id, operation.operation_id, plan.recorded_at, *columns)


async def find_plan(connection: Connection, tenant_id: UUID, plan_id: UUID) -> Plan | None:
    """Read a plan."""
    row = await connection.fetchrow(_SQL["plan"], tenant_id, plan_id)
    if row is None:
        return None
    ends = zip(row["memory_ids"], row["revisions"], row["fade_dates"], strict=True)
    return Plan(tuple(PlannedEnd(*end) for end in ends), row["recorded_at"])


async def ended_by(connection: Connection, tenant_id: UUID, operation_id: UUID) -> tuple[list[UUID], list[UUID]]:
    """Return which of the memories that an operation ended can come back, and which cannot."""
    rows = await connection.fetch(_SQL["ended_by"], tenant_id, operation_id)
    back = [row["memory_id"] for row in rows if row["is_back"]]
    return back, [row["memory_id"] for row in rows if not row["is_back"]]
