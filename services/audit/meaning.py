"""MeaningAuditService: has the nearest eligible pairs judged, resolves what contradicts, and never writes to a memory.

Rules: pairs come from retrieve in falling similarity; at most a batch of them is in hand. Coverage is told: how many
memories and pairs there are, how many were compared, how many have a verdict, and each that has none. An audit is ok
only when it is complete and found no contradiction. A stream's lines bear the token of the batch before, the last one
of a batch its own, so an audit that goes on from any line loses nothing. It does not know the database, how pairs are
found, or who judges.
Source: REQUIREMENTS C4, C5; field names of the reference product's semantic audit.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

from candor.audit.v1 import meaning_pb2 as pb
from candor.audit.v1.meaning_pb2_grpc import MeaningAuditServiceServicer
from candor.memory.v1 import verdict_pb2
from candor.retrieve.v1.pairs_pb2 import CountPairsRequest, MemoryPair, PairTotals, StreamPairsRequest
from candor.retrieve.v1.pairs_pb2_grpc import PairsServiceStub

from services.audit.meaning_judging import BATCH_PAIRS, Judging
from services.audit.meaning_pairs import Judged, finding, order_of, without_verdict
from shared.domain.errors import InvalidArgument
from shared.domain.ladder import POLICY_VERSION
from shared.rpc import wire
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context

MAX_PAIRS = 25
SCAN_SECONDS = 10  # of an answer in one message: most of its time belongs to the judge (chosen, untested)

Request: TypeAlias = pb.AuditMeaningRequest | pb.StreamMeaningAuditRequest | pb.CountMeaningPairsRequest


@dataclass(slots=True)
class Batch:
    """Pairs that are judged together, how much there is in all, and where to go on."""

    totals: PairTotals
    pairs: list[MemoryPair] = field(default_factory=list)
    resume_token: str = ""


@dataclass(slots=True)
class Tally:
    """What came of the pairs so far."""

    tenant_id: UUID
    judge: pb.JudgeDescription
    answer: pb.AuditMeaningResponse = field(default_factory=pb.AuditMeaningResponse)

    def count(self, judged: Judged) -> None:
        """Count a pair."""
        answer = self.answer
        answer.compared += 1
        answer.cached += judged.is_cached
        answer.asked += not judged.is_cached
        answer.judged += judged.is_conclusive
        answer.failed += not judged.is_conclusive

    def line(self, judged: Judged) -> pb.StreamMeaningAuditResponse | None:
        """Return what is told of a pair; None where both statements may hold."""
        if not judged.is_conclusive:
            return pb.StreamMeaningAuditResponse(error=without_verdict(judged))
        if judged.verdict.verdict == verdict_pb2.VERDICT_CONTRADICTION:
            found = finding(judged, self.tenant_id, self.judge.model)
            return pb.StreamMeaningAuditResponse(contradiction=found)
        if judged.verdict.verdict == verdict_pb2.VERDICT_SUPERSEDED:
            return pb.StreamMeaningAuditResponse(superseded=finding(judged, self.tenant_id, self.judge.model))
        return None

    def summary(self, totals: PairTotals, *, left_out: bool, contradictions: int) -> pb.AuditMeaningResponse:
        """Return the answer, apart from findings."""
        answer = self.answer
        answer.total_memories, answer.audited = totals.memories, totals.audited
        answer.candidate_pairs, answer.restatements = totals.eligible, totals.restatements
        answer.truncated = left_out or totals.audited < totals.memories or not totals.complete
        if answer.compared and not answer.judged:
            answer.status = "inconclusive"
        else:
            answer.status = "partial" if answer.failed or answer.truncated else "complete"
        answer.ok = answer.status == "complete" and not contradictions
        answer.judge.CopyFrom(self.judge)
        answer.similarity_threshold, answer.embedding_model = totals.similarity_threshold, totals.embedding_model
        answer.policy_version = POLICY_VERSION
        return answer


class MeaningAudit(MeaningAuditServiceServicer):
    """Audits by retrieve's pairs and judge's verdicts."""

    def __init__(self, pairs: PairsServiceStub, judging: Judging) -> None:
        self._pairs = pairs
        self._judging = judging

    async def AuditMeaning(self, request: pb.AuditMeaningRequest, context: Context) -> pb.AuditMeaningResponse:
        """Judge the nearest pairs, in one answer."""
        tenant_id = wire.tenant(request)
        most = request.max_pairs if request.HasField("max_pairs") else MAX_PAIRS
        if not 1 <= most <= MAX_PAIRS:
            raise InvalidArgument.of("max_pairs", "MAX_PAIRS_OUT_OF_RANGE", f"must be from 1 to {MAX_PAIRS}")
        tally = Tally(tenant_id, await self._judging.describe())
        asked = _asked(request, tally, max_pairs=most, max_scan_seconds=SCAN_SECONDS)
        async with aclosing(self._batches(asked)) as batches:
            batch = await anext(batches)
        lines = []
        for judged in await self._judging.judge(tenant_id, tally.judge, batch.pairs):
            tally.count(judged)
            lines.append(tally.line(judged))
        answer = tally.answer
        told = [line for line in lines if line is not None]
        answer.errors.extend(line.error for line in told if line.HasField("error"))
        found = sorted((line.contradiction for line in told if line.HasField("contradiction")), key=order_of)
        answer.semantic_contradictions.extend(found)
        answer.superseded.extend(sorted((x.superseded for x in told if x.HasField("superseded")), key=order_of))
        # What an earlier answer was about is not left out by this one, but this one alone does not cover it.
        left_out = bool(request.resume_token) or batch.totals.eligible > len(batch.pairs)
        if len(batch.pairs) == most and (batch.totals.eligible > most or batch.totals.eligible_at_least):
            answer.resume_token = batch.resume_token
        return tally.summary(batch.totals, left_out=left_out, contradictions=len(found))

    async def StreamMeaningAudit(
        self, request: pb.StreamMeaningAuditRequest, context: Context
    ) -> AsyncGenerator[pb.StreamMeaningAuditResponse, None]:
        """Judge every eligible pair and stream what is found, the summary last."""
        tally = Tally(wire.tenant(request), await self._judging.describe())
        totals, contradictions, token = PairTotals(), 0, request.resume_token
        async with aclosing(self._batches(_asked(request, tally))) as batches:
            async for batch in batches:
                totals = batch.totals
                if not batch.pairs and tally.answer.compared:
                    break  # the pairs came out even
                for judged in await self._judging.judge(tally.tenant_id, tally.judge, batch.pairs):
                    tally.count(judged)
                    line = tally.line(judged)
                    if line is not None:
                        contradictions += line.HasField("contradiction")
                        line.resume_token = token
                        yield line
                token = batch.resume_token
                progress = pb.MeaningProgress(compared=tally.answer.compared, candidate_pairs=totals.eligible)
                yield pb.StreamMeaningAuditResponse(progress=progress, resume_token=token)
        left_out = bool(request.resume_token)
        summary = tally.summary(totals, left_out=left_out, contradictions=contradictions)
        yield pb.StreamMeaningAuditResponse(summary=summary, resume_token=token)

    async def CountMeaningPairs(
        self, request: pb.CountMeaningPairsRequest, context: Context
    ) -> pb.CountMeaningPairsResponse:
        """Count the eligible pairs."""
        wire.tenant(request)
        counted = CountPairsRequest(**_filters(request), max_scan_seconds=SCAN_SECONDS)  # type: ignore[arg-type]
        with rpc_errors():
            totals = (await self._pairs.CountPairs(counted)).totals
        return pb.CountMeaningPairsResponse(
            total_memories=totals.memories,
            audited=totals.audited,
            candidate_pairs=totals.eligible,
            restatements=totals.restatements,
            at_least=totals.eligible_at_least,
            similarity_threshold=totals.similarity_threshold,
            embedding_model=totals.embedding_model,
        )

    async def _batches(self, asked: StreamPairsRequest) -> AsyncGenerator[Batch, None]:
        """Yield batches of pairs; the first one may be empty, and tells the totals."""
        batch = Batch(PairTotals())
        call = self._pairs.StreamPairs(asked)
        try:
            with rpc_errors():
                async for message in call:
                    batch.resume_token = message.resume_token
                    if message.HasField("totals"):
                        batch.totals = message.totals
                        continue
                    batch.pairs.append(message.pair)
                    if len(batch.pairs) == BATCH_PAIRS:
                        yield batch
                        batch = Batch(batch.totals, [], batch.resume_token)
            yield batch
        finally:
            call.cancel()


def _asked(request: Request, tally: Tally, *, max_pairs: int = 0, max_scan_seconds: int = 0) -> StreamPairsRequest:
    known = ("", "") if tally.judge.local else (tally.judge.model, tally.judge.prompt_version)
    return StreamPairsRequest(
        **_filters(request),  # type: ignore[arg-type]
        max_pairs=max_pairs,
        judge_model=known[0],
        prompt_version=known[1],
        max_scan_seconds=max_scan_seconds,
        resume_token=request.resume_token if not isinstance(request, pb.CountMeaningPairsRequest) else "",
    )


def _filters(request: Request) -> dict[str, object]:
    """Return the filters of a request, as retrieve takes them; it checks them."""
    given: dict[str, object] = {"tenant_id": request.tenant_id, "kind": request.kind}
    for name in ("company", "period", "similarity_threshold"):
        if request.HasField(name):
            given[name] = getattr(request, name)
    return given
