"""What enrichment asks judge: the facts of a turn, how much they matter, and which pairs exclude each other.

Rules: an answer is checked before it is used: one that does not fit is an error, and nothing is written. What judge can
say nothing about for now is an error too, so that it is asked again; of a pair it cannot read it says nothing. It does
not know the database.
Source: REQUIREMENTS C6, D3.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from candor.judge.v1 import contradictions_pb2, extraction_pb2
from candor.judge.v1.contradictions_pb2_grpc import ContradictionsServiceStub
from candor.judge.v1.extraction_pb2_grpc import ExtractionServiceStub
from candor.judge.v1.models_pb2 import GetModelsRequest
from candor.judge.v1.models_pb2_grpc import ModelsServiceStub
from candor.memory.v1 import verdict_pb2

from services.ingest.enrichment_turn import invalid
from shared.domain.errors import UpstreamUnavailable
from shared.domain.extraction.facts import Fact, Heard, Importance, Weighed
from shared.rpc import wire
from shared.rpc.clients import rpc_errors

MODEL_SECONDS = 90.0  # of one call, above judge's own limit for all attempts at one answer (chosen, untested)
BATCH_PAIRS = 25  # that judge takes at once
FACTS_MAX = 32
_SLOT = re.compile(r"slots?(?:\.[\w-]{1,64}){1,4}")  # which kind, and of what: slot.due.grant_report
_UNREADABLE = "STATEMENT_TOO_LONG"
MEANING = "meaning"
WORDS = {
    verdict_pb2.VERDICT_CONTRADICTION: "contradiction",
    verdict_pb2.VERDICT_SUPERSEDED: "superseded",
    verdict_pb2.VERDICT_CONSISTENT: "consistent",
}


@dataclass(frozen=True, slots=True)
class Description:
    """Who judges meaning."""

    model: str
    prompt_version: str
    local: bool


@dataclass(frozen=True, slots=True)
class Word:
    """What was said of a pair; empty `verdict` where nothing can be said of it."""

    verdict: str
    confidence: float = 0.0
    reason: str = ""

    @property
    def excludes(self) -> bool:
        """Whether both cannot hold at one time."""
        return self.verdict in ("contradiction", "superseded")


class Judge:
    """The judge role, as enrichment sees it."""

    def __init__(
        self, extraction: ExtractionServiceStub, contradictions: ContradictionsServiceStub, models: ModelsServiceStub
    ) -> None:
        self._extraction = extraction
        self._contradictions = contradictions
        self._models = models

    async def facts(self, tenant_id: UUID, heard: Heard) -> list[Fact]:
        """Return what a turn tells. Raises: as judge; UpstreamUnavailable JUDGE_ANSWER_INVALID."""
        request = extraction_pb2.ExtractFactsRequest(
            tenant_id=str(tenant_id),
            user_text=heard.user_text,
            assistant_text=heard.assistant_text,
            speaker=heard.speaker,
            observed_at=wire.to_timestamp(heard.observed_at),
            known=[
                extraction_pb2.KnownValue(subject=one.subject, slot=one.slot, value=one.value) for one in heard.known
            ],
        )
        with rpc_errors():
            answer = await self._extraction.ExtractFacts(request, timeout=MODEL_SECONDS)
        if len(answer.facts) > FACTS_MAX:
            raise invalid(f"{len(answer.facts)} facts of one turn")
        return [_fact(message) for message in answer.facts]

    async def weigh(self, tenant_id: UUID, statements: Sequence[Weighed]) -> list[Importance]:
        """Return how much statements matter. Raises: as judge; UpstreamUnavailable JUDGE_ANSWER_INVALID."""
        request = extraction_pb2.ScoreImportanceRequest(
            tenant_id=str(tenant_id),
            statements=[
                extraction_pb2.ScoredStatement(text=one.text, slot=one.slot, evidence=one.evidence)
                for one in statements
            ],
        )
        with rpc_errors():
            answer = await self._extraction.ScoreImportance(request, timeout=MODEL_SECONDS)
        scores = [wire.importance_of(message) for message in answer.scores]
        if len(scores) != len(statements):
            raise invalid(f"{len(scores)} scores for {len(statements)} statements")
        if not all(math.isfinite(one.importance) and 0 <= one.importance <= 1 for one in scores):
            raise invalid("an importance is not between 0 and 1")
        return scores

    async def describe(self) -> Description:
        """Return who judges meaning. Raises: UpstreamUnavailable JUDGE_UNAVAILABLE."""
        with rpc_errors():
            answer = await self._models.GetModels(GetModelsRequest())
        for model in answer.models:
            if model.role == MEANING:
                return Description(model.model, model.prompt_version, model.local)
        raise UpstreamUnavailable("JUDGE_UNAVAILABLE", "nothing judges meaning")

    async def words(
        self, tenant_id: UUID, pairs: Sequence[contradictions_pb2.StatementPair], *, is_last_time: bool
    ) -> list[Word]:
        """Return what is said of every pair, in order.

        Raises: as judge; UpstreamUnavailable JUDGE_INCONCLUSIVE where it can say nothing for now and is to be asked
        again.
        """
        words: list[Word] = []
        for begin in range(0, len(pairs), BATCH_PAIRS):
            batch = pairs[begin : begin + BATCH_PAIRS]
            request = contradictions_pb2.JudgeContradictionsRequest(tenant_id=str(tenant_id), pairs=batch)
            with rpc_errors():
                answer = await self._contradictions.JudgeContradictions(request, timeout=MODEL_SECONDS)
            if len(answer.verdicts) != len(batch):
                raise invalid(f"{len(answer.verdicts)} verdicts for {len(batch)} pairs")
            words += [_word(verdict, is_last_time=is_last_time) for verdict in answer.verdicts]
        return words


def _word(message: verdict_pb2.PairVerdict, *, is_last_time: bool) -> Word:
    if message.verdict in WORDS:
        return Word(WORDS[message.verdict], message.confidence, message.reason)
    if message.cause == _UNREADABLE or is_last_time:
        return Word("")
    raise UpstreamUnavailable("JUDGE_INCONCLUSIVE", f"a pair has no verdict: {message.cause or 'no cause given'}")


def _fact(message: extraction_pb2.Fact) -> Fact:
    """Read a fact. Raises: UpstreamUnavailable JUDGE_ANSWER_INVALID."""
    fact = wire.fact_of(message)
    if not message.HasField("valid_from") or not fact.text.strip():
        raise invalid("a fact has no text or no time")
    if fact.slot and not _SLOT.fullmatch(fact.slot):
        raise invalid("a slot has a name that is none")
    if fact.slot and not fact.value and not fact.ends:
        raise invalid("a slot has no value and does not end")
    return fact
