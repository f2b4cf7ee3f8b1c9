"""RecallService: what memory holds about a question, and where it disagrees with itself.

Rules: candidates, content and conflicts are read in one snapshot. Scores are fused, then one hit for each record is
kept: memories that name no record of their own, such as the parts of one document, are no duplicates of each other.
Conflicts are judged by the function that the audit uses, over the same assertions. Reads only.
It does not know how an arm ranks, nor how values are compared.
Source: REQUIREMENTS B1 to B8.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from candor.retrieve.v1 import recall_pb2 as pb
from candor.retrieve.v1.recall_pb2_grpc import RecallServiceServicer

from services.retrieve.filters import Reader, scope_of
from services.retrieve.hints import Hints
from services.retrieve.memory_message import memory_message
from services.retrieve.question import Question, Questions
from shared.domain import bm25
from shared.domain.errors import FailedPrecondition, InvalidArgument
from shared.domain.findings import Contradiction
from shared.domain.fusion import Fused, fuse, group_slots, weights_for
from shared.domain.opposition import Assertion, judge_group
from shared.domain.text import nfc, refused_character
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run
from shared.store.reads import conflicts, recall
from shared.store.reads.recall import Candidate, Candidates, Hit, Query
from shared.store.reads.scopes import Scope
from shared.store.reads.statistics import Generation

QUERY_MAX_CHARS = 4_000  # the contract's
DEFAULT_LIMIT = 10  # the contract's
POSTINGS_BUDGET = 4_000  # between 2,000 and 5,000 (B1); chosen, untested
MISMATCH = "EMBEDDING_GENERATION_MISMATCH"


@dataclass(frozen=True, slots=True)
class Asked:
    """A checked request."""

    text: str
    scope: Scope
    limit: int
    mode: pb.Mode.ValueType
    min_score: float
    is_ungrouped: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What one snapshot gave."""

    fused: Sequence[Fused[UUID]]
    candidates: Mapping[UUID, Candidate]
    hits: Sequence[Hit]
    groups: Sequence[Sequence[Assertion]]
    is_exact: bool
    question: Question


class Recall(RecallServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, questions: Questions, hints: Hints, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._questions = questions
        self._hints = hints
        self._now = now

    async def RecallMemories(self, request: pb.RecallMemoriesRequest, context: Context) -> pb.RecallMemoriesResponse:
        """Rank the memories in scope."""
        now = self._now()
        asked = _read(request, now)
        tenant_id = asked.scope.tenant_id
        question = await self._questions.read(tenant_id, asked.text, asked.mode)
        found = await run(
            self._pool, tenant_id, lambda connection: self._find(connection, asked, question, now), read_only=True
        )
        judged = [verdict for group in found.groups for verdict in judge_group(group).contradictions]
        return pb.RecallMemoriesResponse(
            hits=_hits(found, judged, tenant_id),
            conflicts=[wire.contradiction(contradiction, tenant_id) for contradiction in judged],
            retrieval=_retrieval(found, asked.scope.known_at or now),
        )

    async def _find(self, connection: Connection, asked: Asked, question: Question, now: datetime) -> Found:
        generation = await self._hints.generation(connection, now)
        if question.embedding and not _fits(question, generation):
            generation = await self._hints.generation(connection, now, again=True)
            if not _fits(question, generation):
                question = _without_vector(question, asked.mode)
        if generation is None:
            raise FailedPrecondition("SCHEMA_INCOMPLETE", "the database has no embedding generation yet")
        term_ids = question.term_ids
        frequencies = await self._hints.frequencies(connection, asked.scope.tenant_id, term_ids or (), now)
        query = Query(
            vector=question.embedding.vector if question.embedding else None,
            terms=[(term, bm25.idf(count, frequencies.memories)) for term, count in frequencies.by_term.items()],
            indexed_terms=bm25.choose_terms(frequencies.by_term, frequencies.memories, postings_budget=POSTINGS_BUDGET),
        )
        brought = await recall.candidates(
            connection, asked.scope, query, generation, tenant_memories=frequencies.memories
        )
        fused, by_id = _rank(brought, question, generation, asked)
        hits = await recall.hits(connection, asked.scope, [by_id[item.key] for item in fused]) if fused else []
        keys = {(hit.memory.company_key, hit.memory.record_key or "", name) for hit in hits for name in hit.contested}
        limits = conflicts.Limits(asked.scope.tenant_id)
        groups = await conflicts.groups(connection, limits, sorted(keys), asked.scope.known_at) if keys else []
        return Found(fused, by_id, hits, groups, brought.is_exact, question)


def _read(request: pb.RecallMemoriesRequest, now: datetime) -> Asked:
    """Check a request. Raises: InvalidArgument naming every wrong field."""
    reader = Reader(request)
    text = nfc(request.query).strip()
    name = refused_character(request.query)
    if name is not None:
        reader.refuse("query", "FORBIDDEN_CHARACTER", f"holds {name}")
    elif not text:
        reader.refuse("query", "QUERY_EMPTY", "must not be blank")
    elif len(text) > QUERY_MAX_CHARS:
        reader.refuse("query", "QUERY_TOO_LONG", f"has {len(text)} characters; at most {QUERY_MAX_CHARS}")
    if request.mode not in pb.Mode.values():
        raise InvalidArgument.of("mode", "MODE_INVALID", f"{request.mode} is not one of the values")
    scope = scope_of(request, reader, now)
    limit = reader.limit(DEFAULT_LIMIT)
    min_score = reader.share("min_score", "SCORE_OUT_OF_RANGE") or 0.0
    reader.check()
    return Asked(text, scope, limit, request.mode or pb.MODE_HYBRID, min_score, request.ungrouped)


def _fits(question: Question, generation: Generation | None) -> bool:
    embedding = question.embedding
    return (
        embedding is not None
        and generation is not None
        and (embedding.model, embedding.dimensions) == (generation.model, generation.dimensions)
    )


def _without_vector(question: Question, mode: pb.Mode.ValueType) -> Question:
    """Leave the dense arm out. Raises: FailedPrecondition EMBEDDING_GENERATION_MISMATCH when no arm is left."""
    if question.term_ids is None:
        raise FailedPrecondition(MISMATCH, "the embedder's vectors are not of the generation that is stored")
    return replace(question, embedding=None, degraded=(*question.degraded, f"dense: {MISMATCH}"))


def _rank(
    brought: Candidates, question: Question, generation: Generation, asked: Asked
) -> tuple[list[Fused[UUID]], dict[UUID, Candidate]]:
    by_id = {candidate.memory_id: candidate for candidate in brought.found}
    dense = {c.memory_id: c.cosine for c in brought.found if c.cosine is not None} if question.embedding else None
    lexical = {c.memory_id: c.bm25 for c in brought.found if c.bm25 is not None} if question.term_ids else None
    fused = [item for item in fuse(dense, lexical, weights_for(generation.model)) if item.score >= asked.min_score]
    if not asked.is_ungrouped:
        fused = group_slots(fused, lambda item: by_id[item.key].slot)
    return fused[: asked.limit], by_id


def _hits(found: Found, judged: Sequence[Contradiction], tenant_id: UUID) -> list[pb.Hit]:
    ids: dict[tuple[str, str], list[str]] = {}
    for contradiction in judged:
        ids.setdefault((contradiction.company_key, contradiction.record_key), []).append(contradiction.id(tenant_id))
    return [
        _hit(item, hit, found.candidates[item.key], ids.get((hit.memory.company_key, hit.memory.record_key or ""), []))
        for item, hit in zip(found.fused, found.hits, strict=True)
    ]


def _hit(item: Fused[UUID], hit: Hit, candidate: Candidate, conflict_ids: Sequence[str]) -> pb.Hit:
    passage = candidate.passage
    return pb.Hit(
        memory=memory_message(hit.memory),
        score=item.score,
        explanation=pb.Explanation(
            dense=item.dense,
            dense_rank=item.dense_rank,
            lexical=item.lexical,
            lexical_rank=item.lexical_rank,
            fused=item.score,
        ),
        passage=pb.Passage(number=passage[0], start=passage[1], end=passage[2]) if passage else None,
        conflict_ids=conflict_ids,
    )


def _retrieval(found: Found, known_at: datetime) -> pb.Retrieval:
    question = found.question
    arms = (question.embedding is not None, question.term_ids is not None)
    mode = {(True, True): pb.MODE_HYBRID, (True, False): pb.MODE_DENSE}.get(arms, pb.MODE_LEXICAL)
    return pb.Retrieval(
        mode=mode,
        exact=found.is_exact,
        candidates=len(found.candidates),
        degraded=question.degraded,
        embedding_model=question.embedding.model if question.embedding else "",
        known_at=wire.to_timestamp(known_at),
    )
