"""What only consolidation writes: its order, its plans, its cursor, and what a digest inherits of its sources' uses.

Rules: a plan holds ids and revisions, nothing of what the memories say. The lock ends with the transaction. What is
written of digests and their sources goes through writing.py and endings.py.
Source: REQUIREMENTS D4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.store.pool import Connection
from shared.store.reads.consolidation import Place
from shared.store.statements import load
from shared.store.writes import enrichment, fading
from shared.store.writes.events import Operation

_SQL = load("writes/consolidation")


@dataclass(frozen=True, slots=True)
class PlannedDigest:
    """A digest that is to be written, and its members: ids and revisions, by id."""

    digest_id: UUID
    members: tuple[tuple[UUID, int], ...]

    @property
    def ids(self) -> list[UUID]:
        """The ids of its members."""
        return [memory_id for memory_id, _ in self.members]


@dataclass(frozen=True, slots=True)
class Plan:
    """The digests that are to be written, and since when that is planned."""

    digests: tuple[PlannedDigest, ...]
    recorded_at: datetime


async def serialise(connection: Connection, tenant_id: UUID) -> None:
    """Let neither another digest nor a turn of the tenant be written until the transaction ends."""
    await connection.execute(_SQL["serialise"], tenant_id)
    await enrichment.serialise(connection, tenant_id)


async def keep_plan(connection: Connection, operation: Operation, plan: Plan) -> None:
    """Keep a plan under the operation's id."""
    rows = [(n, *member) for n, planned in enumerate(plan.digests) for member in planned.members]
    columns: Sequence[list[object]] = [list(column) for column in zip(*rows, strict=True)] or [[], [], []]
    ids = [planned.digest_id for planned in plan.digests]
    values = (operation.tenant_id, operation.operation_id, plan.recorded_at, ids, *columns)
    await connection.execute(_SQL["keep_plan"], *values)


async def find_plan(connection: Connection, tenant_id: UUID, plan_id: UUID) -> Plan | None:
    """Read a plan."""
    row = await connection.fetchrow(_SQL["plan"], tenant_id, plan_id)
    if row is None:
        return None
    members: list[list[tuple[UUID, int]]] = [[] for _ in row["digest_ids"]]
    for number, memory_id, revision in zip(row["numbers"], row["memory_ids"], row["revisions"], strict=True):
        members[number].append((memory_id, revision))
    digests = zip(row["digest_ids"], members, strict=True)
    return Plan(tuple(PlannedDigest(digest_id, tuple(of)) for digest_id, of in digests), row["recorded_at"])


async def inherit(connection: Connection, tenant_id: UUID, digests: Sequence[PlannedDigest]) -> None:
    """Give digests the uses of their sources."""
    pairs = [(planned.digest_id, memory_id) for planned in digests for memory_id in planned.ids]
    await connection.execute(_SQL["inherit"], tenant_id, *zip(*pairs, strict=True))
    await fading.refresh(connection, tenant_id, [planned.digest_id for planned in digests])


async def advance(connection: Connection, tenant_id: UUID, place: Place) -> None:
    """Note up to where the tenant's memories were looked at."""
    await connection.execute(_SQL["advance"], tenant_id, str(place.commit_xid), place.memory_id)


async def merged_into(connection: Connection, tenant_id: UUID, digest_id: UUID) -> tuple[list[UUID], list[UUID]]:
    """Return which sources of a digest can come back, and which are said by another memory by now."""
    rows = await connection.fetch(_SQL["merged"], tenant_id, digest_id)
    back = [row["memory_id"] for row in rows if not row["is_said"]]
    return back, [row["memory_id"] for row in rows if row["is_said"]]


async def digest_of(connection: Connection, tenant_id: UUID, operation_id: UUID) -> tuple[UUID | None, list[UUID]]:
    """Return the digest that an operation wrote, None if it is not active, and what was merged into it."""
    rows = await connection.fetch(_SQL["made"], tenant_id, operation_id)
    ids = [row["memory_id"] for row in rows if not row["is_digest"]]
    return next((row["memory_id"] for row in rows if row["is_digest"] and row["is_active"]), None), ids
