"""RecallService: what memory holds about a question, and where it disagrees with itself.

Rules: every wrong field of a request is named; nothing is changed by asking. `hit_message` and `retrieval_message` are
how every answer of retrieve writes a hit and how it was found.
It does not know how hits are ranked.
Source: REQUIREMENTS B1 to B8.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from candor.memory.v1.finding_pb2 import Contradiction as Message
from candor.retrieve.v1 import recall_pb2 as pb
from candor.retrieve.v1.recall_pb2_grpc import RecallServiceServicer

from services.retrieve.filters import Reader, scope_of
from services.retrieve.memory_message import memory_message
from services.retrieve.page_tokens import Tokens
from services.retrieve.predecessors import with_predecessors
from services.retrieve.ranking import Asked, Hit, Ranked
from services.retrieve.recall_pages import DEPTH_MAX, shown_before
from services.retrieve.reranking import NOT_ASKED, Reranker, Reranking
from shared.domain import budget, valid_time
from shared.domain.errors import InvalidArgument
from shared.domain.findings import Contradiction
from shared.domain.notice import shortened
from shared.domain.text import nfc, refused_character
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Pool

QUERY_MAX_CHARS = 4_000  # the contract's
DEFAULT_LIMIT, DEFAULT_LIMIT_WITH_BUDGET = 10, 50  # the contract's
TOKEN_BUDGET_MAX = 100_000  # the contract's
CONFLICT_VALUES_MAX = 8  # of one conflict in a recall (B8)


class Recall(RecallServiceServicer):
    """Answers with what the ranker finds, put in order by a model where that is asked for."""

    def __init__(self, pool: Pool, reranker: Reranker, token_key: bytes, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._reranker = reranker
        self._token_key = token_key
        self._now = now

    async def RecallMemories(self, request: pb.RecallMemoriesRequest, context: Context) -> pb.RecallMemoriesResponse:
        """Rank the memories in scope."""
        now = self._now()
        asked = _read(request, now)
        tokens = Tokens(self._token_key, asked.scope.tenant_id, request, "page_token")
        shown = shown_before(tokens, request.page_token)
        asked = replace(asked, limit=min(asked.limit, DEPTH_MAX - len(shown)), shown=shown)
        ranked, reranking = await self._reranker.ranked(asked, now, rerank=request.rerank)
        tenant_id = asked.scope.tenant_id
        hits, text, tokens_used = ranked.hits, "", 0
        if request.HasField("token_budget"):
            hits = (await with_predecessors(self._pool, asked, ranked, reranking)).hits
            told = budget.packed([told_hit(hit, reranking, ranked.known_at) for hit in hits], request.token_budget)
            hits, text, tokens_used = tuple(hits[place] for place in told.places), told.text, told.tokens
        ranking = [hit.memory.memory_id for hit in hits if hit.predecessor_of is None]
        has_more = ranked.has_more or len(ranking) < len(ranked.hits)
        after = shown.with_these(ranking)
        contested = {contradiction.id(tenant_id) for hit in hits for contradiction in hit.contradictions}
        return pb.RecallMemoriesResponse(
            hits=[hit_message(hit, tenant_id, reranking) for hit in hits],
            conflicts=[conflict_message(c, tenant_id) for c in ranked.contradictions if c.id(tenant_id) in contested],
            retrieval=retrieval_message(ranked, reranking),
            text=text,
            tokens_used=tokens_used,
            next_page_token=after.seal(tokens) if ranking and has_more else "",
        )


def query_text(reader: Reader, field: str, given: str) -> str:
    """Return a question as it is asked; the reader collects what is wrong with it."""
    text = nfc(given).strip()
    name = refused_character(given)
    if name is not None:
        reader.refuse(field, "FORBIDDEN_CHARACTER", f"holds {name}")
    elif not text:
        reader.refuse(field, "QUERY_EMPTY", "must not be blank")
    elif len(text) > QUERY_MAX_CHARS:
        reader.refuse(field, "QUERY_TOO_LONG", f"has {len(text)} characters; at most {QUERY_MAX_CHARS}")
    return text


def conflict_message(contradiction: Contradiction, tenant_id: UUID) -> Message:
    """Write a conflict with as many values as a recall tells."""
    return wire.contradiction(shortened(contradiction, CONFLICT_VALUES_MAX), tenant_id)


def hit_message(hit: Hit, tenant_id: UUID, reranking: Reranking = NOT_ASKED) -> pb.Hit:
    """Write a hit."""
    parts, passage = hit.parts, hit.passage
    return pb.Hit(
        memory=memory_message(hit.memory),
        score=reranking.score_of(hit),
        explanation=pb.Explanation(
            dense=parts.dense,
            dense_rank=parts.dense_rank,
            lexical=parts.lexical,
            lexical_rank=parts.lexical_rank,
            fused=parts.fused,
            structure=parts.structure,
            subject=parts.subject,
            salience=parts.salience,
            reranked=reranking.scores.get(hit.memory.memory_id),
            predecessor_of=str(hit.predecessor_of) if hit.predecessor_of else None,
        ),
        passage=pb.Passage(number=passage[0], start=passage[1], end=passage[2]) if passage else None,
        conflict_ids=[contradiction.id(tenant_id) for contradiction in hit.contradictions],
    )


def retrieval_message(ranked: Ranked, reranking: Reranking = NOT_ASKED) -> pb.Retrieval:
    """Write how hits were found."""
    question = ranked.question
    arms = (question.embedding is not None, question.words is not None)
    mode = {(True, True): pb.MODE_HYBRID, (True, False): pb.MODE_DENSE}.get(arms, pb.MODE_LEXICAL)
    return pb.Retrieval(
        mode=mode,
        exact=ranked.is_exact,
        candidates=ranked.candidates,
        degraded=question.degraded,
        embedding_model=question.embedding.model if question.embedding else "",
        known_at=wire.to_timestamp(ranked.known_at),
        reranker=pb.Reranker(
            status=pb.RerankStatus.Value(f"RERANK_STATUS_{reranking.status}"),
            model_id=reranking.model,
            duration_ms=reranking.milliseconds,
            reason=reranking.reason,
        ),
    )


def _read(request: pb.RecallMemoriesRequest, now: datetime) -> Asked:
    """Check a request. Raises: InvalidArgument naming every wrong field."""
    reader = Reader(request)
    text = query_text(reader, "query", request.query)
    if request.mode not in pb.Mode.values():
        raise InvalidArgument.of("mode", "MODE_INVALID", f"{request.mode} is not one of the values")
    scope = scope_of(request, reader, now)
    has_budget = request.HasField("token_budget")
    limit = reader.limit(DEFAULT_LIMIT_WITH_BUDGET if has_budget else DEFAULT_LIMIT)
    if has_budget and not 1 <= request.token_budget <= TOKEN_BUDGET_MAX:
        reader.refuse("token_budget", "TOKEN_BUDGET_OUT_OF_RANGE", f"must be between 1 and {TOKEN_BUDGET_MAX}")
    min_score = reader.share("min_score", "SCORE_OUT_OF_RANGE") or 0.0
    reader.check()
    return Asked(text, scope, limit, request.mode or pb.MODE_HYBRID, min_score, request.ungrouped)


def told_hit(hit: Hit, reranking: Reranking, at: datetime) -> budget.Told:
    """Return a hit as a line tells it at an instant."""
    memory, passage = hit.memory, hit.passage
    until = valid_time.held_until(memory.state, memory.valid_to, memory.ended_at, at)
    lasts = valid_time.lasts(memory.kind, memory.memory_type)
    return budget.Told(
        memory.content,
        passage[1:] if passage else None,
        memory.speaker,
        valid_time.told(memory.valid_from, memory.recorded_at, until, is_lasting=lasts),
        reranking.score_of(hit),
    )
