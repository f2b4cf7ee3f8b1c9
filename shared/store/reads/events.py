"""What happened to a memory, oldest first.

Rules: pages are cut by (revision, recorded time, id); the history only grows, so a page never changes.
It does not know whether the memory exists.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/events")

Place: TypeAlias = tuple[int, datetime, UUID]
BEGINNING: Place = (0, datetime(1, 1, 1, tzinfo=UTC), UUID(int=0))


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to a memory; `changes` is a JSON object."""

    event_id: UUID
    action: str
    revision: int
    actor: str
    reason: str
    operation_id: UUID
    recorded_at: datetime
    changes: str

    @property
    def place(self) -> Place:
        """Where it stands in the order of its memory's events."""
        return self.revision, self.recorded_at, self.event_id


async def page(connection: Connection, tenant_id: UUID, memory_id: UUID, after: Place, limit: int) -> list[Event]:
    """Read the next events of one memory after a place."""
    rows = await connection.fetch(_SQL["page"], tenant_id, memory_id, *after, limit)
    return [Event(**row) for row in rows]
