"""What memories took the place of: the superseded ones before them.

Rules: a chain is followed back to a bound, through what was merged on the way; only what was superseded is told,
because it was true. As known at an instant, what ended later is no predecessor yet. Filters of the scope hold for
predecessors too, but for its state.
It does not know when a question wants them.
Source: REQUIREMENTS D3.
"""

from collections.abc import Sequence
from uuid import UUID

from shared.store.pool import Connection
from shared.store.reads.memories import Memory, memory_of
from shared.store.reads.scopes import Scope, compose
from shared.store.statements import load

_SQL = load("reads/predecessors")

LOOKED_MAX = 200  # members of one chain that are read, what was merged among them (chosen, untested)


async def read(connection: Connection, scope: Scope, memory_ids: Sequence[UUID], most: int) -> dict[UUID, list[Memory]]:
    """Read the predecessors of active memories, nearest first, at most so many of each."""
    found: dict[UUID, list[Memory]] = {}
    statement = compose(_SQL["predecessors"])
    rows = await connection.fetch(statement, *scope.parameters(), scope.known_at, memory_ids, most, LOOKED_MAX)
    for row in rows:
        found.setdefault(row["successor"], []).append(memory_of(row, scope.known_at))
    return found
