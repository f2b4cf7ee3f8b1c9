"""MeaningAuditService: has the nearest eligible pairs judged, resolves what contradicts, and never writes to a memory.

Rules: pairs come from retrieve in falling similarity, of a large tenant in parts; at most a batch of them is in hand.
Coverage is told: how many memories and pairs there are, how many were compared, how many have a verdict, and each that
has none. An audit is ok only when it is complete and found no contradiction. A stream's lines bear the token of the
batch before, the last one of a batch its own, so an audit that goes on from any line loses nothing. It does not know
the database, how pairs are found, or who judges.
Source: REQUIREMENTS C4, C5; field names of the reference product's semantic audit.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TypeAlias
from uuid import UUID

from candor.audit.v1 import meaning_pb2 as pb
from candor.audit.v1.meaning_pb2_grpc import MeaningAuditServiceServicer
from candor.retrieve.v1.pairs_pb2 import CountPairsRequest, MemoryPair, PairTotals, StreamPairsRequest
from candor.retrieve.v1.pairs_pb2_grpc import PairsServiceStub

from services.audit.meaning_coverage import Tally
from services.audit.meaning_judging import BATCH_PAIRS, Judging
from services.audit.meaning_pairs import Judged, order_of
from services.audit.meaning_statements import meaning_statements
from services.audit.signing import Signer
from shared.domain.errors import InvalidArgument
from shared.rpc import context as calls
from shared.rpc import wire
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context

MAX_PAIRS = 25
# Of an answer in one message: most of its time belongs to the judge. What takes longer is searched in parts, later
# ones shorter, because each answer about one searches it again (chosen, untested).
SCAN_SECONDS, NEXT_SCAN_SECONDS = 10, 2
STREAM_SCAN_SECONDS = (
    60  # of one part of a stream: as long as nothing is told, and what going on costs (chosen, untested)
)
COUNT_SECONDS, COUNT_ANSWER_SECONDS = 600, 2  # the most a count takes; kept of the caller's time (chosen, untested)

Request: TypeAlias = pb.AuditMeaningRequest | pb.StreamMeaningAuditRequest | pb.CountMeaningPairsRequest


@dataclass(slots=True)
class Batch:
    """Pairs that are judged together, how much there is in all, and where to go on."""

    totals: PairTotals
    pairs: list[MemoryPair] = field(default_factory=list)
    resume_token: str = ""


class MeaningAudit(MeaningAuditServiceServicer):
    """Audits by retrieve's pairs and judge's verdicts."""

    def __init__(self, pairs: PairsServiceStub, judging: Judging, signer: Signer) -> None:
        self._pairs = pairs
        self._judging = judging
        self._signer = signer

    async def AuditMeaning(self, request: pb.AuditMeaningRequest, context: Context) -> pb.AuditMeaningResponse:
        """Judge the nearest pairs, in one answer."""
        tenant_id = wire.tenant(request)
        most = request.max_pairs if request.HasField("max_pairs") else MAX_PAIRS
        if not 1 <= most <= MAX_PAIRS:
            raise InvalidArgument.of("max_pairs", "MAX_PAIRS_OUT_OF_RANGE", f"must be from 1 to {MAX_PAIRS}")
        tally = await self.tally(tenant_id)
        seconds = NEXT_SCAN_SECONDS if request.resume_token else SCAN_SECONDS
        totals, pairs, token = PairTotals(), list[MemoryPair](), ""
        async with aclosing(self._batches(_asked(request, tally, most, seconds))) as batches:
            async for batch in batches:
                totals, token = batch.totals, batch.resume_token
                pairs += batch.pairs
        lines = []
        for judged in await self._judging.judge(tenant_id, tally.judge, pairs):
            tally.count(judged)
            lines.append(tally.line(judged))
        answer = tally.answer
        told = [line for line in lines if line is not None]
        answer.errors.extend(line.error for line in told if line.HasField("error"))
        found = sorted((line.contradiction for line in told if line.HasField("contradiction")), key=order_of)
        answer.semantic_contradictions.extend(found)
        answer.superseded.extend(sorted((x.superseded for x in told if x.HasField("superseded")), key=order_of))
        # What an earlier answer was about is not left out by this one, but this one alone does not cover it.
        left_out = bool(request.resume_token) or totals.eligible > len(pairs)
        if not totals.complete or (len(pairs) == most and (totals.eligible > most or totals.eligible_at_least)):
            answer.resume_token = token
        tally.summary(totals, left_out=left_out, contradictions=len(found))
        if request.sign:
            answer.attestation.CopyFrom(self._signer.attest(meaning_statements(answer, str(tenant_id))))
        return answer

    async def StreamMeaningAudit(
        self, request: pb.StreamMeaningAuditRequest, context: Context
    ) -> AsyncGenerator[pb.StreamMeaningAuditResponse, None]:
        """Judge every eligible pair and stream what is found, the summary last."""
        tally = await self.tally(wire.tenant(request))
        totals, contradictions, token = PairTotals(), 0, request.resume_token
        async with aclosing(self.judged(request, tally)) as batches:
            async for batch, pairs in batches:
                totals = batch.totals
                for judged in pairs:
                    line = tally.line(judged)
                    if line is not None:
                        contradictions += line.HasField("contradiction")
                        line.resume_token = token
                        yield line
                token = batch.resume_token
                yield pb.StreamMeaningAuditResponse(progress=tally.progress(totals), resume_token=token)
        left_out = bool(request.resume_token)
        summary = tally.summary(totals, left_out=left_out, contradictions=contradictions)
        yield pb.StreamMeaningAuditResponse(summary=summary, resume_token=token)

    async def CountMeaningPairs(
        self, request: pb.CountMeaningPairsRequest, context: Context
    ) -> pb.CountMeaningPairsResponse:
        """Count the eligible pairs, for as long as the caller waits."""
        wire.tenant(request)
        call = calls.current()
        remaining = call.remaining_seconds() if call else None
        seconds = (
            COUNT_SECONDS if remaining is None else int(max(1, min(COUNT_SECONDS, remaining - COUNT_ANSWER_SECONDS)))
        )
        counted = CountPairsRequest(**_filters(request), max_scan_seconds=seconds)  # type: ignore[arg-type]
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

    async def tally(self, tenant_id: UUID) -> Tally:
        """Begin to count what an audit comes to. Raises: UpstreamUnavailable JUDGE_UNAVAILABLE."""
        return Tally(tenant_id, await self._judging.describe())

    async def judged(
        self, request: pb.StreamMeaningAuditRequest, tally: Tally, purpose: str = ""
    ) -> AsyncGenerator[tuple[Batch, list[Judged]], None]:
        """Yield batches of pairs with what was said of them; the first is empty and tells the totals."""
        asked = _asked(request, tally, max_scan_seconds=STREAM_SCAN_SECONDS, purpose=purpose)
        async with aclosing(self._batches(asked)) as batches:
            async for batch in batches:
                pairs = await self._judging.judge(tally.tenant_id, tally.judge, batch.pairs)
                for judged in pairs:
                    tally.count(judged)
                yield batch, pairs

    async def _batches(self, asked: StreamPairsRequest) -> AsyncGenerator[Batch, None]:
        """Yield the totals of each part as an empty batch, and its pairs after them."""
        batch = Batch(PairTotals())
        call = self._pairs.StreamPairs(asked)
        try:
            with rpc_errors():
                async for message in call:
                    if message.HasField("totals"):
                        if batch.pairs:
                            yield batch
                        yield Batch(message.totals, [], message.resume_token)
                        batch = Batch(message.totals)
                        continue
                    batch.pairs.append(message.pair)
                    batch.resume_token = message.resume_token
                    if len(batch.pairs) == BATCH_PAIRS:
                        yield batch
                        batch = Batch(batch.totals)
            if batch.pairs:
                yield batch
        finally:
            call.cancel()


def _count_seconds() -> int:
    """Return how long a count may take."""
    call = calls.current()
    left = call.remaining_seconds() if call else None
    return COUNT_SECONDS if left is None else int(max(1, min(COUNT_SECONDS, left - COUNT_ANSWER_SECONDS)))


def _asked(
    request: pb.AuditMeaningRequest | pb.StreamMeaningAuditRequest,
    tally: Tally,
    max_pairs: int = 0,
    max_scan_seconds: int = 0,
    purpose: str = "",
) -> StreamPairsRequest:
    known = ("", "") if tally.judge.local else (tally.judge.model, tally.judge.prompt_version)
    return StreamPairsRequest(
        **_filters(request),  # type: ignore[arg-type]
        max_pairs=max_pairs,
        judge_model=known[0],
        prompt_version=known[1],
        max_scan_seconds=max_scan_seconds,
        resume_token=request.resume_token,
        purpose=purpose,
    )


def _filters(request: Request) -> dict[str, object]:
    """Return the filters of a request, as retrieve takes them; it checks them."""
    given: dict[str, object] = {"tenant_id": request.tenant_id, "kind": request.kind}
    for name in ("company", "period", "similarity_threshold"):
        if request.HasField(name):
            given[name] = getattr(request, name)
    return given
