"""Reranking: a model behind judge puts the best hits in order, or the fused order stands.

Rules: one call, over at most CANDIDATES_MAX hits, within a time limit; all of them get a score in [0, 1], else none
counts. A tenth of the fused score is added, so that equal scores keep an order. Whatever goes wrong is named, never
raised: the caller has an order already. Of fewer than two hits there is only one order, and no call is made.
It does not know how hits were found, nor what a model is told.
Source: REQUIREMENTS B10; the reference's contract of reranking.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum, unique
from math import isfinite
from uuid import UUID

import structlog
from candor.judge.v1 import rerank_pb2 as judge
from candor.judge.v1.rerank_pb2_grpc import RerankServiceStub

from services.retrieve.ranking import Asked, Hit, Ranked, Ranker
from services.retrieve.spent import NOTHING, Spent, spent
from shared.domain.errors import CandorError, Internal
from shared.domain.excerpt import excerpt
from shared.domain.figures import utc_day
from shared.rpc.clients import rpc_errors

CANDIDATES_MAX = 20  # the contract's
CANDIDATES_PER_HIT = 4  # as in the reference
FUSED_SHARE = 0.1  # B10
TEXT_MAX_CHARS = 4_000  # what judge shows of a candidate
GRACE_SECONDS = 0.25  # for the way to judge and back, beyond the time that judge is given; chosen, untested
TOKENS_SHARE = 0.5  # of a ceiling on tokens that reranking may take: the rest is for the answer; chosen, untested
_log = structlog.stdlib.get_logger("candor.retrieve.reranking")


@unique
class Status(StrEnum):
    """What became of reranking."""

    APPLIED = "APPLIED"
    FALLBACK = "FALLBACK"
    DISABLED = "DISABLED"


@dataclass(frozen=True, slots=True)
class Reranking:
    """How it went, and the model's score of each hit where it went well."""

    status: Status = Status.DISABLED
    model: str = ""
    milliseconds: int = 0
    reason: str = ""
    scores: Mapping[UUID, float] = field(default_factory=dict)
    spent: Spent = NOTHING

    def score_of(self, hit: Hit) -> float:
        """Return what orders a hit, in [0, 1]."""
        score = self.scores.get(hit.memory.memory_id)
        fused = hit.parts.score
        return fused if score is None else (score + FUSED_SHARE * fused) / (1 + FUSED_SHARE)


NOT_ASKED = Reranking()


def pool_size(limit: int) -> int:
    """Return how many hits to rank when `limit` of them will be kept after reranking."""
    return max(limit, min(CANDIDATES_MAX, CANDIDATES_PER_HIT * limit))


class Reranker:
    """Ranks, then asks judge where that is wanted."""

    def __init__(self, ranker: Ranker, judge_stub: RerankServiceStub, timeout_seconds: float) -> None:
        self._ranker = ranker
        self._judge = judge_stub
        self._timeout_seconds = timeout_seconds

    async def ranked(
        self, asked: Asked, now: datetime, *, rerank: bool, max_total_tokens: int = 0
    ) -> tuple[Ranked, Reranking]:
        """Return what memory holds about a question, the best hits first, and how reranking went.

        Units: `max_total_tokens` is the ceiling of the whole answer; 0: none.
        Raises: as Ranker.
        """
        if not rerank:
            return await self._ranker.ranked(asked, now), NOT_ASKED
        ranked = await self._ranker.ranked(replace(asked, limit=pool_size(asked.limit)), now)
        return await self._reranked(ranked, asked, max_total_tokens)

    async def _reranked(self, ranked: Ranked, asked: Asked, max_total_tokens: int) -> tuple[Ranked, Reranking]:
        limit = asked.limit
        first, rest = ranked.hits[:CANDIDATES_MAX], ranked.hits[CANDIDATES_MAX:]
        if len(first) < 2:
            return _kept(ranked, ranked.hits[:limit]), Reranking(Status.APPLIED)
        started = time.perf_counter()
        try:
            told = await self._ask(first, asked, max_total_tokens)
        except CandorError as error:
            milliseconds = round((time.perf_counter() - started) * 1000)
            if error.reason == "RERANKER_NOT_CONFIGURED":
                told = NOT_ASKED
            else:
                _log.info("not reranked", reason=error.reason)
                told = Reranking(Status.FALLBACK, milliseconds=milliseconds, reason=error.reason)
        else:
            told = replace(told, milliseconds=round((time.perf_counter() - started) * 1000))
            first = tuple(sorted(first, key=lambda hit: -told.score_of(hit)))
        return _kept(ranked, (*first, *rest)[:limit]), told

    async def _ask(self, hits: Sequence[Hit], asked: Asked, max_total_tokens: int) -> Reranking:
        """Have hits scored. Raises: as judge; Internal SCORES_INCOMPLETE."""
        ceiling = max(1, int(max_total_tokens * TOKENS_SHARE)) if max_total_tokens else 0
        request = judge.RerankMemoriesRequest(
            tenant_id=str(asked.scope.tenant_id),
            question=asked.text,
            candidates=[judge.Candidate(memory_id=str(hit.memory.memory_id), text=_text(hit)) for hit in hits],
            timeout_ms=round(self._timeout_seconds * 1000),
            max_total_tokens=ceiling,
        )
        with rpc_errors():
            response = await self._judge.RerankMemories(request, timeout=self._timeout_seconds + GRACE_SECONDS)
        scores = {score.memory_id: score.score for score in response.scores}
        wanted = {str(hit.memory.memory_id) for hit in hits}
        if scores.keys() != wanted or not all(isfinite(score) and 0 <= score <= 1 for score in scores.values()):
            raise Internal("SCORES_INCOMPLETE", "judge gave scores that are not one in [0, 1] for each candidate")
        by_id = {hit.memory.memory_id: scores[str(hit.memory.memory_id)] for hit in hits}
        return Reranking(Status.APPLIED, response.model, scores=by_id, spent=spent(response.usage))


def _kept(ranked: Ranked, hits: tuple[Hit, ...]) -> Ranked:
    """Return what was ranked with these hits alone and the conflicts that are theirs."""
    theirs = [contradiction for hit in hits for contradiction in hit.contradictions]
    return replace(
        ranked,
        hits=hits,
        contradictions=tuple(found for found in ranked.contradictions if found in theirs),
        has_more=ranked.has_more or len(hits) < len(ranked.hits),
    )


def _text(hit: Hit) -> str:
    """Return what a model reads of a hit: whose and when, then the text around the best passage."""
    memory = hit.memory
    day = utc_day(memory.valid_from) if memory.valid_from else None
    about = ", ".join(part for part in (memory.company, memory.period, memory.speaker, day) if part)
    head = f"({about}) " if about else ""
    _, start, end = hit.passage or (0, 0, 0)
    return head + excerpt(memory.content, start, end, TEXT_MAX_CHARS - len(head))
