"""Vectors that wait for the graph of their generation.

Rules: a vector is either here or in the indexed table, in every snapshot: the move is one statement. Recall searches
this table whole, so what waits in it is bounded by whoever fills it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import for_generation, load
from shared.store.writes.vectors import Embedded, rows_of

_SQL = load("writes/staging")
START = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Moved:
    """What a move did: how many vectors, and the last memory it looked at; None at the end."""

    vectors: int
    last: UUID | None


async def insert(
    connection: Connection, tenant_id: UUID, generation: int, rows: Iterable[tuple[UUID, Embedded]]
) -> None:
    """Insert the vectors of memories that have none."""
    if made := rows_of(rows):
        await connection.execute(for_generation(_SQL["insert"], generation), tenant_id, *zip(*made, strict=True))


async def move(connection: Connection, tenant_id: UUID, generation: int, after: UUID, limit: int) -> Moved:
    """Move at most `limit` vectors of the memories after one, in the order of their ids, into the indexed table."""
    row = await connection.fetchrow(for_generation(_SQL["move"], generation), tenant_id, after, limit)
    return Moved(row["moved"], row["last"]) if row else Moved(0, None)


async def count(connection: Connection, tenant_id: UUID, generation: int, limit: int) -> int:
    """Count the vectors that wait, at most `limit`."""
    return int(await connection.fetchval(for_generation(_SQL["count"], generation), tenant_id, limit))
