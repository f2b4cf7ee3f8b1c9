"""The statements of a recall asked of PostgreSQL directly, as the reader role under row-level security.

Rules: the same statements in the same transaction as the recall service's, from shared/store/reads, with vectors and
terms made beforehand; what is left out is everything around them: HTTP, gRPC, the embedding call, fusion, messages.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from services.retrieve.ranking import COPIES_MAX, EXPANDED_LEAST, KEPT_LEAST, POSTINGS_BUDGET
from services.retrieve.recall import DEFAULT_LIMIT
from shared import clock
from shared.domain import bm25, tokens
from shared.domain.ranking_weights import weights_for
from shared.stemmer import stemmer
from shared.store.pool import Connection, Pool, run
from shared.store.reads import conflicts, hits, recall, statistics
from shared.store.reads.scopes import Scope


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question as the statements take it."""

    query: recall.Query
    memories: int


async def prepare(
    pool: Pool, tenant_id: UUID, term_key: bytes, texts: Sequence[str], vectors: NDArray[np.float32]
) -> list[Prepared]:
    """Make questions ready: their terms with frequencies, and their vectors."""

    async def one(connection: Connection, text: str, vector: NDArray[np.float32]) -> Prepared:
        words = dict.fromkeys(tokens.terms(text, stem=stemmer()))
        term_ids = [tokens.term_id(tenant_id, word, term_key) for word in words]
        known = await statistics.frequencies(connection, tenant_id, term_ids)
        terms = [(term, bm25.idf(count, known.memories)) for term, count in known.by_term.items()]
        chosen = bm25.choose_terms(known.by_term, known.memories, postings_budget=POSTINGS_BUDGET)
        return Prepared(recall.Query(vector, terms, chosen), known.memories)

    async def every(connection: Connection) -> list[Prepared]:
        return [await one(connection, text, vector) for text, vector in zip(texts, vectors, strict=True)]

    return await run(pool, tenant_id, every, read_only=True)


async def ask(pool: Pool, tenant_id: UUID, generation: statistics.Generation, prepared: Prepared) -> int:
    """Run the statements of one recall; return how many hits it has."""
    scope = Scope(tenant_id, expired_at=clock.now())

    fusion = weights_for(generation.model).fusion
    keeping = recall.Keeping(
        KEPT_LEAST, fusion.dense, fusion.lexical, fusion.dense_floor, copies=COPIES_MAX, least=DEFAULT_LIMIT
    )

    async def work(connection: Connection) -> int:
        query = prepared.query
        brought = await recall.candidates(
            connection, scope, query, generation, keeping, tenant_memories=prepared.memories
        )
        turns = [candidate for candidate in brought.found[:EXPANDED_LEAST] if candidate.session is not None]
        if turns:
            await recall.neighbours(connection, scope, query, generation, brought, turns)
        told = await hits.read(connection, scope, brought.found[:DEFAULT_LIMIT])
        keys = {(hit.memory.company_key, hit.memory.record_key or "", name) for hit in told for name in hit.contested}
        if keys:
            await conflicts.groups(connection, conflicts.Limits(tenant_id), sorted(keys), None)
        return len(told)

    return await run(pool, tenant_id, work, read_only=True)
