"""Operations: who asked for a write, why, and what it left in the history of each memory it touched.

Rules: history is only ever added to. An operation that wrote nothing is not kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/events")


@dataclass(frozen=True, slots=True)
class Operation:
    """One write as it was asked for."""

    tenant_id: UUID
    operation_id: UUID
    action: str
    actor: str
    reason: str
    request_id: str
    recorded_at: datetime
    parts: Mapping[UUID, UUID] = field(default_factory=dict)
    """Operations written together, by the memories they touch: each its own, of one actor, action and reason."""

    def of(self, memory_id: UUID) -> UUID:
        """Return the id of the operation that touches a memory."""
        return self.parts.get(memory_id, self.operation_id)

    @property
    def ids(self) -> list[UUID]:
        """The ids of the operations that are written together."""
        return list(dict.fromkeys(self.parts.values())) or [self.operation_id]


@dataclass(frozen=True, slots=True)
class Event:
    """What an operation did to one memory: the revision it left behind and the changes as JSON."""

    event_id: UUID
    memory_id: UUID
    revision: int
    changes: str


async def insert(connection: Connection, operation: Operation, action: str, events: Sequence[Event]) -> None:
    """Keep an operation and its events, all of one action."""
    await insert_operation(connection, operation)
    await insert_events(connection, operation, action, events)


async def insert_operation(connection: Connection, operation: Operation) -> None:
    """Keep an operation whose events follow."""
    o = operation
    await connection.execute(
        _SQL["insert_operation"],
        o.tenant_id,
        o.ids,
        o.action,
        o.actor,
        o.reason,
        o.request_id,
        o.recorded_at,
    )


async def insert_events(connection: Connection, operation: Operation, action: str, events: Sequence[Event]) -> None:
    """Keep events of an operation, all of one action: created, updated, ended, restored, weighed, decided, enriched."""
    o = operation
    await connection.execute(
        _SQL["insert_events"],
        *(o.tenant_id, [o.of(e.memory_id) for e in events], o.actor, o.reason, o.recorded_at, action),
        *([e.event_id for e in events], [e.memory_id for e in events]),
        *([e.revision for e in events], [e.changes for e in events]),
    )
