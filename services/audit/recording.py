"""RecordingService: runs an audit over a whole tenant and has ingest record what makes it not ok.

Rules: findings go to ingest in batches while the audit runs, all as seen at the instant as of which it holds; only an
audit that came to its end lets ingest resolve what it did not see. It holds no address of the database.
Source: REQUIREMENTS C8.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from candor.audit.v1.fields_pb2 import AuditFieldsRequest, AuditFieldsResponse, AuditSummary
from candor.audit.v1.recording_pb2 import (
    RecordAuditRequest,
    RecordAuditResponse,
    RecordMeaningAuditRequest,
    RecordMeaningAuditResponse,
)
from candor.audit.v1.recording_pb2_grpc import RecordingServiceServicer
from candor.ingest.v1.findings_pb2 import RecordFindingsRequest, SeenFinding
from candor.ingest.v1.findings_pb2_grpc import FindingsServiceStub

from services.audit.field_audit import FieldAudit
from services.audit.meaning import MeaningAudit
from services.audit.meaning_recording import record_meaning
from shared.domain.ladder import POLICY_VERSION
from shared.rpc import wire
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context

BATCH_FINDINGS = 200  # recorded by one call; chosen, untested
BATCH_BYTES = 4 * 1024 * 1024  # well under the size of a message


class Recording(RecordingServiceServicer):
    """Records what audits find."""

    def __init__(self, audit: FieldAudit, meaning: MeaningAudit, findings: FindingsServiceStub) -> None:
        self._audit = audit
        self._meaning = meaning
        self._findings = findings

    async def RecordAudit(self, request: RecordAuditRequest, context: Context) -> RecordAuditResponse:
        """Run the audit and record it."""
        tenant_id = str(wire.tenant(request))
        summary = AuditSummary(policy_version=POLICY_VERSION)
        response = RecordAuditResponse()
        batch = RecordFindingsRequest(tenant_id=tenant_id)
        size_bytes = 0
        async with aclosing(self._audit.lines(AuditFieldsRequest(tenant_id=tenant_id), "", summary)) as lines:
            async for line in lines:
                found = _seen(line)
                if found is None:
                    continue
                batch.findings.append(found)
                size_bytes += found.ByteSize()
                if len(batch.findings) == BATCH_FINDINGS or size_bytes > BATCH_BYTES:
                    await self._record(batch, summary, response)
                    size_bytes = 0
        batch.complete = True
        await self._record(batch, summary, response)
        response.summary.CopyFrom(summary)
        return response

    async def RecordMeaningAudit(
        self, request: RecordMeaningAuditRequest, context: Context
    ) -> AsyncGenerator[RecordMeaningAuditResponse, None]:
        """Run the audit of meaning and record it."""
        async with aclosing(record_meaning(self._meaning, self._findings, request)) as lines:
            async for line in lines:
                yield line

    async def _record(self, batch: RecordFindingsRequest, summary: AuditSummary, response: RecordAuditResponse) -> None:
        """Have a batch recorded, count what came of it, and empty it."""
        batch.seen_at.CopyFrom(summary.known_at)
        with rpc_errors():
            answer = await self._findings.RecordFindings(batch)
        response.opened += answer.opened
        response.reopened += answer.reopened
        response.resolved += answer.resolved
        del batch.findings[:]


def _seen(line: AuditFieldsResponse) -> SeenFinding | None:
    match line.WhichOneof("item"):
        case "contradiction":
            return SeenFinding(contradiction=line.contradiction)
        case "absence":
            return SeenFinding(absence=line.absence)
        case "stale":
            return SeenFinding(stale=line.stale)
    return None
