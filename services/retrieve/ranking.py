"""Ranking: from a checked question to the memories that answer it, with the conflicts of their records.

Rules: candidates, content and conflicts are read in one snapshot. Scores are fused, in a hybrid recall each memory's
place in its session counts too; salience decides near ties, but not as of an earlier instant, when use was another. Of
memories that say the same of one record one is kept; those that name no record of their own, such as the parts of one
document, are no duplicates of each other.
Conflicts are judged by the function that the audit uses, over the same assertions. Reads only.
It does not know messages, nor how an arm ranks or values are compared.
Source: REQUIREMENTS B1 to B8.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from candor.retrieve.v1 import recall_pb2 as pb

from services.retrieve.hints import Hints, Known
from services.retrieve.question import Question, Questions
from services.retrieve.recall_pages import NOTHING_SHOWN, Shown
from shared.domain import bm25
from shared.domain.errors import FailedPrecondition
from shared.domain.findings import Contradiction
from shared.domain.fusion import Fused, fuse, group_slots
from shared.domain.names import companies_named, named
from shared.domain.opposition import judge_group
from shared.domain.ranking_weights import RankingWeights, weights_for
from shared.domain.salience import is_small_talk
from shared.domain.structure import structured
from shared.domain.tie_break import contenders, presence, ties_broken
from shared.store.pool import Connection, Pool, run
from shared.store.reads import conflicts, hits, recall
from shared.store.reads.memories import Memory
from shared.store.reads.recall import EVERY_COPY, Candidate, Candidates, Keeping, Neighbour, Query
from shared.store.reads.scopes import Scope
from shared.store.reads.statistics import Generation

POSTINGS_BUDGET = bm25.POSTINGS_BUDGET
KEPT_LEAST, KEPT_PER_HIT = 40, 4  # candidates; on LoCoMo 40, 60 and 100 rank alike; 80 hold 97 % of 100,000's best 20
EXPANDED_LEAST = 20  # whose neighbours are read; on LoCoMo 20, 40 and all rank alike (measured)
COPIES_MAX = 2  # candidates that say the same of a record: its place may raise the second (chosen, untested)
MISMATCH = "EMBEDDING_GENERATION_MISMATCH"
FREQUENT = "lexical: FREQUENT_TERMS"  # even the rarest word is in more memories than are scored


@dataclass(frozen=True, slots=True)
class Asked:
    """A checked question and the scope it is asked of."""

    text: str
    scope: Scope
    limit: int
    mode: pb.Mode.ValueType = pb.MODE_HYBRID
    min_score: float = 0.0
    is_ungrouped: bool = False
    shown: Shown = NOTHING_SHOWN  # not to be hits again

    @property
    def depth(self) -> int:
        """How many hits are looked for, those shown before among them."""
        return len(self.shown) + self.limit


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory in its place, what made its score, its best passage, and the conflicts that its record is part of;
    `predecessor_of` is the hit that took its place.
    """

    memory: Memory
    parts: Fused[UUID]
    passage: tuple[int, int, int] | None  # number, first character, character after the last
    contradictions: tuple[Contradiction, ...]
    predecessor_of: UUID | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """The answer to a question: hits, best first, and each conflict of theirs once."""

    hits: tuple[Hit, ...]
    contradictions: tuple[Contradiction, ...]
    question: Question
    is_exact: bool
    candidates: int
    known_at: datetime
    has_more: bool  # there may be hits beyond these


class Ranker:
    """Ranks the memories in the database of one pool."""

    def __init__(
        self,
        pool: Pool,
        questions: Questions,
        hints: Hints,
        weights: Callable[[str], RankingWeights] = weights_for,
    ) -> None:
        self._pool = pool
        self._questions = questions
        self._hints = hints
        self._weights = weights

    async def ranked(self, asked: Asked, now: datetime) -> Ranked:
        """Return what memory holds about a question.

        Raises: UpstreamUnavailable EMBEDDER_UNAVAILABLE, DATABASE_UNAVAILABLE; FailedPrecondition
        EMBEDDING_GENERATION_MISMATCH, SCHEMA_INCOMPLETE.
        """
        tenant_id = asked.scope.tenant_id
        known = await self._known(tenant_id, now)
        question = await self._questions.read(tenant_id, asked.text, asked.mode, known)
        return await run(
            self._pool,
            tenant_id,
            lambda connection: self._rank(connection, asked, question, known.speakers, now),
            read_only=True,
        )

    async def _known(self, tenant_id: UUID, now: datetime) -> Known:
        known = self._hints.tenant(tenant_id, now)
        if known is not None:
            return known
        return await run(
            self._pool,
            tenant_id,
            lambda connection: self._hints.read_tenant(
                connection, tenant_id, self._questions.language_ids(tenant_id), now
            ),
            read_only=True,
        )

    async def _rank(
        self, connection: Connection, asked: Asked, question: Question, speakers: tuple[str, ...], now: datetime
    ) -> Ranked:
        generation = await self._hints.generation(connection, now)
        if question.embedding and not _fits(question, generation):
            generation = await self._hints.generation(connection, now, again=True)
            if not _fits(question, generation):
                question = _without_vector(question, asked.mode)
        if generation is None:
            raise FailedPrecondition("SCHEMA_INCOMPLETE", "the database has no embedding generation yet")
        frequencies = await self._hints.frequencies(connection, asked.scope.tenant_id, question.term_ids or (), now)
        chosen = bm25.choose(
            question.words or (), frequencies.by_term, frequencies.memories, postings_budget=POSTINGS_BUDGET
        )
        terms = chosen.terms
        idfs = bm25.idfs(question.words or (), frequencies.by_term, frequencies.memories)
        is_frequent = sum(frequencies.by_term[term] for term in terms) > recall.MATCHES_MAX
        if is_frequent and question.embedding:
            # Such a word only weighs what meaning finds. One that is not counted yet may have been written just now.
            terms = tuple(term for term in terms if not frequencies.by_term[term])
        query = Query(
            vector=question.embedding.vector if question.embedding else None,
            terms=list(idfs.items()),
            indexed_terms=[(term, idfs[term]) for term in terms],
            pairs=chosen.pairs,
        )
        weights = self._weights(generation.model)
        keeping = _keeping(asked, question, query, weights)
        brought = await recall.candidates(
            connection, asked.scope, query, generation, keeping, tenant_memories=frequencies.memories
        )
        if is_frequent and not brought.is_exact:
            question = replace(question, degraded=(*question.degraded, FREQUENT))
        by_id = {candidate.memory_id: candidate for candidate in brought.found}
        turns = _turns(brought, asked, weights)
        beside = await recall.neighbours(connection, asked.scope, query, generation, brought, turns) if turns else []
        order = _order(brought, beside, question, keeping, weights, asked, named(asked.text, speakers))
        by_id = {n.candidate.memory_id: n.candidate for n in beside} | by_id
        # What lies beyond a full pool scores less than what is in it; with a least score it is taken to be below that.
        has_more = len(order) > asked.limit or (len(brought.found) >= keeping.kept and not asked.min_score)
        order = contenders(order, asked.limit)
        read = await hits.read(connection, asked.scope, [by_id[item.key] for item in order]) if order else []
        told = {hit.memory.memory_id: hit for hit in read}
        traces = {key: hit.trace for key, hit in told.items() if hit.trace}
        order = ties_broken(
            order,
            {key: presence(trace, now) for key, trace in traces.items()},
            {key for key, trace in traces.items() if is_small_talk(trace)},
        )
        order = order[: asked.limit]
        judged = await self._conflicts(connection, asked.scope, [told[item.key] for item in order], now)
        by_record: dict[tuple[str, str], list[Contradiction]] = {}
        for contradiction in judged:
            by_record.setdefault((contradiction.company_key, contradiction.record_key), []).append(contradiction)
        return Ranked(
            hits=tuple(_hit(item, told[item.key].memory, by_id, by_record) for item in order),
            contradictions=tuple(judged),
            question=question,
            is_exact=brought.is_exact,
            candidates=len(by_id),
            known_at=asked.scope.known_at or now,
            has_more=has_more,
        )

    async def _conflicts(
        self, connection: Connection, scope: Scope, chosen: Sequence[hits.Hit], now: datetime
    ) -> list[Contradiction]:
        keys = {(hit.memory.company_key, hit.memory.record_key or "", name) for hit in chosen for name in hit.contested}
        if not keys:
            return []
        policy = await self._hints.policy(connection, scope.tenant_id, now)
        groups = await conflicts.groups(connection, conflicts.Limits(scope.tenant_id), sorted(keys), scope.known_at)
        return [contradiction for group in groups for contradiction in judge_group(group, policy).contradictions]


def _hit(
    item: Fused[UUID],
    memory: Memory,
    by_id: Mapping[UUID, Candidate],
    by_record: Mapping[tuple[str, str], Sequence[Contradiction]],
) -> Hit:
    contradictions = by_record.get((memory.company_key, memory.record_key or ""), ())
    return Hit(memory, item, by_id[item.key].passage, tuple(contradictions))


def _fits(question: Question, generation: Generation | None) -> bool:
    embedding = question.embedding
    return (
        embedding is not None
        and generation is not None
        and (embedding.model, embedding.dimensions) == (generation.model, generation.dimensions)
    )


def _without_vector(question: Question, mode: pb.Mode.ValueType) -> Question:
    """Leave the dense arm out. Raises: FailedPrecondition EMBEDDING_GENERATION_MISMATCH when no arm is left."""
    if question.words is None:
        raise FailedPrecondition(MISMATCH, "the embedder's vectors are not of the generation that is stored")
    return replace(question, embedding=None, degraded=(*question.degraded, f"dense: {MISMATCH}"))


def _keeping(asked: Asked, question: Question, query: Query, weights: RankingWeights) -> Keeping:
    """Return how many candidates are worth a look, and by which weights."""
    dense_share, lexical_share = weights.fusion.shares(
        dense=question.embedding is not None, lexical=question.words is not None
    )
    idfs = dict(query.terms or ())
    return Keeping(
        kept=max(KEPT_LEAST, KEPT_PER_HIT * asked.depth),
        dense_share=dense_share,
        lexical_share=lexical_share,
        dense_floor=weights.fusion.dense_floor,
        full_score=weights.fusion.full_match * sum(idfs[word[0]] for word in question.words or ()),
        copies=EVERY_COPY if asked.is_ungrouped else COPIES_MAX,
        least=asked.depth,
    )


def _turns(brought: Candidates, asked: Asked, weights: RankingWeights) -> list[Candidate]:
    """Return the turns whose neighbours count: of the first ones, as they are believed now."""
    if asked.mode != pb.MODE_HYBRID or not weights.structure.neighbour or asked.scope.known_at is not None:
        return []
    first = brought.found[: max(EXPANDED_LEAST, asked.depth)]
    return [candidate for candidate in first if candidate.session is not None and candidate.revision == 0]


def _order(
    brought: Candidates,
    beside: Sequence[Neighbour],
    question: Question,
    keeping: Keeping,
    weights: RankingWeights,
    asked: Asked,
    speakers: frozenset[str],
) -> list[Fused[UUID]]:
    """Return all that may be hits in the order of their relevance, with what made their scores."""
    known = {candidate.memory_id: candidate for candidate in brought.found}
    by_id = {n.candidate.memory_id: n.candidate for n in beside} | known
    dense = {key: c.cosine for key, c in by_id.items() if c.cosine is not None} if question.embedding else None
    lexical = {key: c.bm25 for key, c in by_id.items() if c.bm25 is not None} if question.words else None
    best_bm25 = max(brought.best_bm25 or 0.0, keeping.full_score)
    fused = fuse(dense, lexical, weights.fusion, best_dense=brought.best_cosine, best_lexical=best_bm25)
    if asked.mode == pb.MODE_HYBRID:
        companies = companies_named(asked.text, {candidate.company_key for candidate in by_id.values()})
        fused = structured(
            fused,
            by_id,
            [(n.of, n.candidate.memory_id) for n in beside],
            [key for key, c in by_id.items() if c.session is not None and c.speaker in speakers],
            [key for key, c in by_id.items() if c.company_key in companies],
            weights.structure,
        )
    context = {n.candidate.memory_id for n in beside if not n.in_scope}
    fused = [item for item in fused if item.key not in context and item.fused >= asked.min_score]
    if asked.shown:  # they count as the first that say what they say
        fused = sorted(fused, key=lambda item: item.key not in asked.shown)
    if not asked.is_ungrouped:
        fused = group_slots(fused, lambda item: by_id[item.key].slot)
    return [item for item in fused if item.key not in asked.shown] if asked.shown else fused
