"""Runs the audit of meaning over a whole tenant and has ingest record what contradicts, batch by batch.

Rules: a batch is recorded before its line is sent, so a stream that goes on from any line loses nothing. Only one that
came to the end lets ingest resolve what was not seen since the first began; its tokens are of no other stream, which
would not have recorded. What has no verdict this time is told to ingest too, and stands as it stands. It holds no
address of the database.
Source: REQUIREMENTS C5, C8.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from candor.audit.v1.meaning_pb2 import StreamMeaningAuditRequest
from candor.audit.v1.recording_pb2 import RecordMeaningAuditRequest, RecordMeaningAuditResponse
from candor.ingest.v1.findings_pb2 import RecordFindingsRequest, SeenFinding
from candor.ingest.v1.findings_pb2_grpc import FindingsServiceStub
from candor.memory.v1.verdict_pb2 import VERDICT_CONTRADICTION
from candor.retrieve.v1.pairs_pb2 import PairTotals

from services.audit.meaning import MeaningAudit
from services.audit.meaning_coverage import Tally
from services.audit.meaning_pairs import Judged, finding, finding_id
from shared.rpc import wire
from shared.rpc.clients import rpc_errors

PURPOSE = "record"


async def record_meaning(
    audit: MeaningAudit, findings: FindingsServiceStub, request: RecordMeaningAuditRequest
) -> AsyncGenerator[RecordMeaningAuditResponse, None]:
    """Yield how far it is after each batch, the summary last."""
    tally = await audit.tally(wire.tenant(request))
    counted = RecordMeaningAuditResponse(resume_token=request.resume_token)
    totals, contradictions = PairTotals(), 0
    asked = StreamMeaningAuditRequest(tenant_id=request.tenant_id, resume_token=request.resume_token)
    async with aclosing(audit.judged(asked, tally, PURPOSE)) as batches:
        async for batch, pairs in batches:
            totals = batch.totals
            seen = _seen(tally, totals, pairs)
            contradictions += len(seen.findings)
            if seen.findings or seen.unjudged_finding_ids:
                await _record(findings, seen, counted)
            counted.resume_token = batch.resume_token
            counted.progress.CopyFrom(tally.progress(totals))
            yield counted
    last = _seen(tally, totals, ())
    last.meaning_began_at.CopyFrom(totals.began_at)
    await _record(findings, last, counted)
    left_out = bool(request.resume_token)
    counted.summary.CopyFrom(tally.summary(totals, left_out=left_out, contradictions=contradictions))
    yield counted


def _seen(tally: Tally, totals: PairTotals, pairs: Sequence[Judged]) -> RecordFindingsRequest:
    """Return what there is to be recorded of pairs."""
    opposed = [one for one in pairs if one.verdict.verdict == VERDICT_CONTRADICTION]
    return RecordFindingsRequest(
        tenant_id=str(tally.tenant_id),
        seen_at=totals.known_at,
        findings=[SeenFinding(semantic=finding(one, tally.tenant_id, tally.judge.model)) for one in opposed],
        unjudged_finding_ids=[finding_id(one, tally.tenant_id) for one in pairs if not one.is_conclusive],
    )


async def _record(
    findings: FindingsServiceStub, seen: RecordFindingsRequest, counted: RecordMeaningAuditResponse
) -> None:
    with rpc_errors():
        answer = await findings.RecordFindings(seen)
    counted.opened += answer.opened
    counted.reopened += answer.reopened
    counted.resolved += answer.resolved
