"""What history tells of times: moves between states, and what a memory's salience depends on.

Rules: what is counted was recorded; of a memory that was erased its states are. It does not know salience.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from shared.domain.population import Move
from shared.domain.retention import Standing
from shared.domain.types import MemoryState
from shared.store.pool import Connection
from shared.store.standings import standing_of
from shared.store.statements import load

_SQL = load("reads/timeline")


async def moves(connection: Connection, tenant_id: UUID, bounds: Sequence[datetime]) -> list[Move]:
    """Count moves between states before the last bound, by the piece of time between bounds."""
    rows = await connection.fetch(_SQL["moves"], tenant_id, bounds, bounds[-1])
    return [
        Move(
            row["piece"],
            MemoryState(row["before"]) if row["before"] else None,
            MemoryState(row["after"]),
            row["memories"],
        )
        for row in rows
    ]


async def standing(connection: Connection, tenant_id: UUID, memory_id: UUID) -> tuple[MemoryState, Standing] | None:
    """Read where a memory stands and what its salience depends on."""
    row = await connection.fetchrow(_SQL["standing"], tenant_id, memory_id)
    return (MemoryState(row["state"]), standing_of(row)) if row else None
