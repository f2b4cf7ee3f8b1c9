"""The statements of a recall asked of PostgreSQL directly, as the reader role under row-level security.

Rules: the same statements in the same transaction as the recall service's, from shared/store/reads, with vectors and
terms made beforehand; what is left out is everything around them: HTTP, gRPC, the embedding call, fusion, messages.
Also one arm, or the candidates of a scope, alone.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TypeVar
from uuid import UUID

from candor.retrieve.v1.recall_pb2 import MODE_HYBRID

from services.retrieve.hints import Hints
from services.retrieve.question import Question, Questions
from services.retrieve.ranking import COPIES_MAX, EXPANDED_LEAST, KEPT_LEAST, POSTINGS_BUDGET
from services.retrieve.recall import DEFAULT_LIMIT
from shared import clock
from shared.domain import bm25
from shared.domain.ranking_weights import weights_for
from shared.rpc import clients
from shared.stemmer import stemmer
from shared.store.pool import Connection, Pool, open_pool, run, run_without_tenant
from shared.store.reads import conflicts, hits, recall, statistics
from shared.store.reads.scopes import Scope
from tests.bench.speed.homes import Home

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question as the statements take it; `frequencies` are of its terms, `all_idf` is what all its words tell."""

    text: str
    query: recall.Query
    words: tuple[tuple[int, ...], ...]
    frequencies: dict[int, int]
    memories: int
    all_idf: float


@dataclass(frozen=True, slots=True)
class Direct:
    """A tenant of a home, asked as the reader."""

    home: Home
    pool: Pool
    tenant_id: UUID
    generation: statistics.Generation

    async def run(self, work: Callable[[Connection], Awaitable[T]]) -> T:
        """Run reads in one transaction of the tenant."""
        return await run(self.pool, self.tenant_id, work, read_only=True)

    def scope(self) -> Scope:
        """Return the tenant's whole memory."""
        return Scope(self.tenant_id, expired_at=clock.now())

    async def prepare(self, texts: Sequence[str]) -> list[Prepared]:
        """Make questions ready as the service does: their terms with frequencies, and their vectors."""
        hints, now = Hints(), clock.now()
        async with clients.channel(self.home.settings.embed_target, caller="bench") as channel:
            questions = Questions(clients.embeddings(channel), self.home.key_of_terms(), stemmer)
            ids = questions.language_ids(self.tenant_id)
            known = await self.run(lambda c: hints.read_tenant(c, self.tenant_id, ids, now))
            asked = [await questions.read(self.tenant_id, text, MODE_HYBRID, known) for text in texts]

        async def every(connection: Connection) -> list[Prepared]:
            return [await self._one(connection, *pair) for pair in zip(texts, asked, strict=True)]

        return await self.run(every)

    async def _one(self, connection: Connection, text: str, question: Question) -> Prepared:
        words = question.words or ()
        known = await statistics.frequencies(connection, self.tenant_id, question.term_ids or ())
        idfs = bm25.idfs(words, known.by_term, known.memories)
        chosen = bm25.choose(words, known.by_term, known.memories, postings_budget=POSTINGS_BUDGET)
        query = recall.Query(
            question.embedding.vector if question.embedding else None,
            list(idfs.items()),
            [(term, idfs[term]) for term in chosen.terms],
            chosen.pairs,
        )
        all_idf = sum(idfs[word[0]] for word in words)
        return Prepared(text, query, words, known.by_term, known.memories, all_idf)

    def keeping(self, prepared: Prepared, kept: int = KEPT_LEAST, *, ungrouped: bool = False) -> recall.Keeping:
        """Return how candidates are kept, as the service asks for them."""
        fusion = weights_for(self.generation.model).fusion
        return recall.Keeping(
            kept,
            fusion.dense,
            fusion.lexical,
            fusion.dense_floor,
            full_score=fusion.full_match * prepared.all_idf,
            copies=recall.EVERY_COPY if ungrouped else COPIES_MAX,
            least=0 if ungrouped else DEFAULT_LIMIT,
        )

    async def ask(self, prepared: Prepared) -> int:
        """Run the statements of one recall; return how many hits it has."""
        return await self.run(partial(self._recall, prepared=prepared))

    async def _recall(self, connection: Connection, prepared: Prepared) -> int:
        scope, query, keeping = self.scope(), prepared.query, self.keeping(prepared)
        brought = await recall.candidates(
            connection, scope, query, self.generation, keeping, tenant_memories=prepared.memories
        )
        turns = [candidate for candidate in brought.found[:EXPANDED_LEAST] if candidate.session is not None]
        if turns:
            await recall.neighbours(connection, scope, query, self.generation, brought, turns)
        told = await hits.read(connection, scope, brought.found[:DEFAULT_LIMIT])
        keys = {(hit.memory.company_key, hit.memory.record_key or "", name) for hit in told for name in hit.contested}
        if keys:
            await conflicts.groups(connection, conflicts.Limits(self.tenant_id), sorted(keys), None)
        return len(told)


@asynccontextmanager
async def directly(home: Home, tenant: str) -> AsyncIterator[Direct]:
    """Open connections to a home's database as the reader."""
    pool = await open_pool(home.dsns.reader, size=home.settings.pool_size, application_name="candor-bench")
    try:
        generation = await run_without_tenant(pool, statistics.current_generation)
        if generation is None:
            raise SystemExit("speed: the database has no embedding generation")
        yield Direct(home, pool, UUID(home.tenants[tenant]), generation)
    finally:
        await pool.close()
