"""Pairs to verdicts: what was said before stands, the rest is asked for, and what is new is kept.

Rules: every pair that goes in comes out, in order, with a verdict or with the cause why there is none. What judge does
not answer, answers short or in vain is inconclusive, and inconclusive is never kept. Keeping is best effort: an audit
neither waits long for it nor fails by it. Verdicts of a judge that costs nothing are not kept. It does not know where
pairs come from.
Source: REQUIREMENTS C5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import structlog
from candor.audit.v1.meaning_pb2 import JudgeDescription
from candor.ingest.v1.verdicts_pb2 import RecordVerdictsRequest
from candor.ingest.v1.verdicts_pb2_grpc import VerdictsServiceStub
from candor.judge.v1.contradictions_pb2 import JudgeContradictionsRequest, JudgeContradictionsResponse
from candor.judge.v1.contradictions_pb2_grpc import ContradictionsServiceStub
from candor.judge.v1.models_pb2 import GetModelsRequest
from candor.judge.v1.models_pb2_grpc import ModelsServiceStub
from candor.memory.v1 import verdict_pb2
from candor.retrieve.v1.pairs_pb2 import MemoryPair

from services.audit.meaning_pairs import Judged, to_judge, to_record
from shared.domain.errors import CandorError, UpstreamUnavailable
from shared.rpc import context as calls
from shared.rpc.clients import rpc_errors

MEANING = "meaning"
BATCH_PAIRS = 25  # that judge takes at once
JUDGE_SECONDS = 60.0  # for a batch, where the caller sets no limit of its own (chosen, untested)
ANSWER_SECONDS = 1.0  # kept of the caller's time for the answer (chosen, untested)
RECORD_SECONDS = 2.0  # (chosen, untested)
_log = structlog.stdlib.get_logger("candor.audit")


@dataclass(frozen=True, slots=True)
class Judging:
    """Asks judge, and has ingest keep what it said."""

    models: ModelsServiceStub
    contradictions: ContradictionsServiceStub
    verdicts: VerdictsServiceStub

    async def describe(self) -> JudgeDescription:
        """Return who judges. Raises: UpstreamUnavailable JUDGE_UNAVAILABLE."""
        try:
            with rpc_errors():
                answer = await self.models.GetModels(GetModelsRequest())
        except UpstreamUnavailable as error:
            raise UpstreamUnavailable(
                "JUDGE_UNAVAILABLE", "the judge cannot be reached", retry_after_seconds=error.retry_after_seconds or 2.0
            ) from error
        for model in answer.models:
            if model.role == MEANING:
                return JudgeDescription(model=model.model, prompt_version=model.prompt_version, local=model.local)
        raise UpstreamUnavailable("JUDGE_UNAVAILABLE", "nothing judges meaning", retry_after_seconds=2.0)

    async def judge(self, tenant_id: UUID, judge: JudgeDescription, pairs: Sequence[MemoryPair]) -> list[Judged]:
        """Return every pair with a verdict or a cause, in order."""
        new = [pair for pair in pairs if not pair.HasField("verdict")]
        said: dict[int, verdict_pb2.PairVerdict] = {}
        for begin in range(0, len(new), BATCH_PAIRS):
            batch = new[begin : begin + BATCH_PAIRS]
            said.update(zip(map(id, batch), await self._ask(tenant_id, judge, batch), strict=True))
        judged = [
            Judged(pair, pair.verdict, True) if pair.HasField("verdict") else Judged(pair, said[id(pair)], False)
            for pair in pairs
        ]
        if not judge.local:
            await self._record(tenant_id, judge, [one for one in judged if one.is_conclusive and not one.is_cached])
        return judged

    async def _ask(
        self, tenant_id: UUID, judge: JudgeDescription, batch: Sequence[MemoryPair]
    ) -> list[verdict_pb2.PairVerdict]:
        request = JudgeContradictionsRequest(tenant_id=str(tenant_id), pairs=map(to_judge, batch))
        try:
            with rpc_errors():
                answer = await self.contradictions.JudgeContradictions(request, timeout=_seconds())
        except CandorError as error:
            return [_none(error.reason, error.message)] * len(batch)
        if not _fits(answer, judge, len(batch)):
            told = "judge answered for another number of pairs, or another judge answered"
            return [_none("JUDGE_ANSWER_INVALID", told)] * len(batch)
        return list(answer.verdicts)

    async def _record(self, tenant_id: UUID, judge: JudgeDescription, new: Sequence[Judged]) -> None:
        if not new:
            return
        request = RecordVerdictsRequest(
            tenant_id=str(tenant_id),
            model=judge.model,
            prompt_version=judge.prompt_version,
            verdicts=map(to_record, new),
        )
        try:
            with rpc_errors():
                await self.verdicts.RecordVerdicts(request, timeout=RECORD_SECONDS)
        except CandorError as error:
            _log.warning("verdicts not kept", reason=error.reason, pairs=len(new))


def _fits(answer: JudgeContradictionsResponse, judge: JudgeDescription, pairs: int) -> bool:
    who = (answer.model, answer.prompt_version) == (judge.model, judge.prompt_version)
    return who and len(answer.verdicts) == pairs


def _seconds() -> float:
    """Return how long judge may take."""
    call = calls.current()
    left = call.remaining_seconds() if call else None
    return JUDGE_SECONDS if left is None else max(min(JUDGE_SECONDS, left - ANSWER_SECONDS), 0.001)


def _none(cause: str, reason: str) -> verdict_pb2.PairVerdict:
    return verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_INCONCLUSIVE, cause=cause, reason=reason)
