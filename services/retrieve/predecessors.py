"""What held before: superseded memories behind the hits that took their place, where a question asks for the past.

Rules: only the first hits are followed, each back to a bound; a predecessor stands right behind its hit with that hit's
score, comes beyond the limit of hits, and never twice. It is read after the hits: what was restored meanwhile is left
out. It does not know which questions ask for the past (shared/domain/history_questions).
Source: REQUIREMENTS B6, D3.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from services.retrieve.ranking import Asked, Hit, Ranked
from services.retrieve.reranking import NOT_ASKED, Reranking
from shared.domain.fusion import Fused
from shared.domain.history_questions import asks_for_past
from shared.domain.types import MemoryState
from shared.store.pool import Pool, run
from shared.store.reads import predecessors
from shared.store.reads.memories import Memory

FOLLOWED_HITS = 10  # what ranks lower is seldom what the question is about (chosen, untested)
CHAIN_MAX = 8  # predecessors of one hit; the contract's


async def with_predecessors(
    pool: Pool, asked: Asked, ranked: Ranked, reranking: Reranking = NOT_ASKED, *, most: int | None = None
) -> Ranked:
    """Return what was ranked with the predecessors of its first hits; at most so many hits in all."""
    if asked.scope.state is not MemoryState.ACTIVE or not ranked.hits or not asks_for_past(asked.text):
        return ranked
    tenant_id = asked.scope.tenant_id
    followed = [hit.memory.memory_id for hit in ranked.hits[:FOLLOWED_HITS]]
    found = await run(
        pool,
        tenant_id,
        lambda connection: predecessors.read(connection, asked.scope, followed, CHAIN_MAX),
        read_only=True,
    )
    return replace(ranked, hits=tuple(_placed(ranked.hits, found, reranking))[:most])


def _placed(hits: Sequence[Hit], found: Mapping[UUID, Sequence[Memory]], reranking: Reranking) -> Iterator[Hit]:
    told = {hit.memory.memory_id for hit in hits}
    for hit in hits:
        yield hit
        score = reranking.score_of(hit)
        for memory in found.get(hit.memory.memory_id, ()):
            if memory.memory_id not in told:
                told.add(memory.memory_id)
                parts = Fused(memory.memory_id, score, None, None, None, None, 0.0, 0.0)
                yield Hit(memory, parts, None, (), predecessor_of=hit.memory.memory_id)
