"""Counting the statistics of terms anew: what is true and what is known, read in one snapshot, piece by piece.

Rules: the difference between the two is *added* later, so what others add meanwhile is kept. It does not write.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/recount")
_NONE = UUID(int=0)

PIECE_MEMORIES = 5_000  # about 50 ms of PostgreSQL; chosen, untested
PIECE_TERMS = 50_000


@dataclass(frozen=True, slots=True)
class Piece:
    """In how many of these memories each term occurs, how many they are, and how many terms they hold together."""

    terms: NDArray[np.int64]
    frequencies: NDArray[np.int64]
    memories: int = 0
    length: int = 0


async def counted(connection: Connection, tenant_id: UUID) -> AsyncIterator[Piece]:
    """Yield what all live memories hold."""
    after = _NONE
    while True:
        row = await connection.fetchrow(_SQL["count"], tenant_id, after, PIECE_MEMORIES)
        if row is None or not row["memories"]:
            return
        yield Piece(_array(row["terms"]), _array(row["frequencies"]), row["memories"], row["length"])
        after = row["last"]


async def known(connection: Connection, tenant_id: UUID) -> AsyncIterator[Piece]:
    """Yield what the statistics say of terms."""
    after = -1
    while True:
        row = await connection.fetchrow(_SQL["known"], tenant_id, after, PIECE_TERMS)
        if row is None or row["last"] is None:
            return
        yield Piece(_array(row["terms"]), _array(row["frequencies"]))
        after = row["last"]


async def totals(connection: Connection, tenant_id: UUID) -> tuple[int, int]:
    """Read what the statistics say of the tenant: memories, and terms in all of them together."""
    row = await connection.fetchrow(_SQL["totals"], tenant_id)
    return (row["memories"], row["terms"]) if row else (0, 0)


def _array(values: list[int]) -> NDArray[np.int64]:
    return np.array(values, np.int64)
