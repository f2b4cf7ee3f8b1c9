"""The job recount_terms: puts the statistics of a tenant's terms right.

Rules: what is true and what is known are read in one snapshot; the difference is added, so what writes add meanwhile is
kept. What was committed in the last half second before the snapshot and flushed after it counts twice, until the next
recount. Memory is bounded by the number of distinct terms. It may run again at any point: it counts from the start.
"""

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from services.ingest.runner import Turn
from shared.store.pool import Connection
from shared.store.writes import recount, statistics

CHUNK_TERMS = 5_000  # rows of one transaction, which flushes of the same terms wait for; chosen, untested
MERGE_FROM = 2_000_000  # entries held before equal terms are merged: 32 MB; chosen


class _Sum:
    """Frequencies by term, added up."""

    def __init__(self) -> None:
        self._parts: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        self._held = 0

    def add(self, piece: recount.Piece, sign: int) -> None:
        """Add a piece (1) or take it away (-1)."""
        self._parts.append((piece.terms, sign * piece.frequencies))
        self._held += piece.terms.size
        if self._held > MERGE_FROM:
            self._parts = [self.merged()]
            self._held = min(self._parts[0][0].size, MERGE_FROM // 2)

    def merged(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the terms in rising order with their sums, those of zero left out."""
        if not self._parts:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        terms, places = np.unique(np.concatenate([terms for terms, _ in self._parts]), return_inverse=True)
        sums = np.zeros(terms.size, np.int64)
        np.add.at(sums, places, np.concatenate([frequencies for _, frequencies in self._parts]))
        return terms[sums != 0], sums[sums != 0]


async def handle(turn: Turn) -> Mapping[str, int]:
    """Recount a tenant's statistics."""
    tenant_id = turn.attempt.tenant_id

    async def compare(connection: Connection) -> tuple[_Sum, int, int, int]:
        lacking, memories, length = _Sum(), 0, 0
        async for piece in recount.counted(connection, tenant_id):
            lacking.add(piece, 1)
            memories, length = memories + piece.memories, length + piece.length
        async for piece in recount.known(connection, tenant_id):
            lacking.add(piece, -1)
        said_memories, said_length = await recount.totals(connection, tenant_id)
        return lacking, memories, memories - said_memories, length - said_length

    lacking, memories, lacking_memories, lacking_length = await turn.read(compare)
    terms, differences = lacking.merged()
    for start in range(0, max(terms.size, 1), CHUNK_TERMS):
        part = slice(start, start + CHUNK_TERMS)
        is_first = start == 0
        add = partial(
            statistics.add,
            tenant_id=tenant_id,
            frequencies=dict(zip(terms[part].tolist(), differences[part].tolist(), strict=True)),
            memories=lacking_memories if is_first else 0,
            terms=lacking_length if is_first else 0,
        )
        await turn.write(add, progress=lambda _: memories, total=memories)
    return {"memories": memories, "corrected_terms": int(terms.size), "corrected_memories": lacking_memories}
