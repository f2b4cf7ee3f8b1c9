"""FieldAuditService: judges what retrieve streams, one group at a time, and never writes.

Rules: memory does not grow with the tenant; nothing is held but the group in hand (and, for a report, the findings it
will list). A finding's `resume_token` is the one of the message that it was made of, given with the last finding of
that message; the others bear the token before it. So an audit that goes on from any line loses nothing, and repeats at
most the findings of one record and attribute. It does not know the database, and not how values are compared
(shared/domain/opposition).
Source: REQUIREMENTS C1, C2, C4.
"""

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from uuid import UUID

from candor.audit.v1.fields_pb2 import (
    AuditFieldsRequest,
    AuditFieldsResponse,
    AuditSummary,
    GetAuditReportRequest,
    GetAuditReportResponse,
)
from candor.audit.v1.fields_pb2_grpc import FieldAuditServiceServicer
from candor.retrieve.v1.conflicts_pb2 import StreamConflictsRequest, StreamConflictsResponse
from candor.retrieve.v1.conflicts_pb2_grpc import ConflictsServiceStub

from services.audit.report import Report
from shared.domain.ladder import POLICY_VERSION
from shared.domain.opposition import judge_group
from shared.domain.setting import NOTHING_DECLARED, Policy
from shared.rpc import wire
from shared.rpc.context import Context


class FieldAudit(FieldAuditServiceServicer):
    """Answers both forms of the audit from one pass over retrieve's stream."""

    def __init__(self, conflicts: ConflictsServiceStub) -> None:
        self._conflicts = conflicts

    async def AuditFields(
        self, request: AuditFieldsRequest, context: Context
    ) -> AsyncGenerator[AuditFieldsResponse, None]:
        """Stream every finding, the summary last."""
        summary = AuditSummary(policy_version=POLICY_VERSION)
        token = request.resume_token
        async with aclosing(self.lines(request, token, summary)) as lines:
            async for line in lines:
                token = line.resume_token
                yield line
        yield AuditFieldsResponse(summary=summary, resume_token=token)

    async def GetAuditReport(self, request: GetAuditReportRequest, context: Context) -> GetAuditReportResponse:
        """Collect the same findings into one message."""
        summary = AuditSummary(policy_version=POLICY_VERSION)
        report = Report()
        async with aclosing(self.lines(request, "", summary)) as lines:
            async for line in lines:
                if not report.take(line):
                    break
        return report.message(summary)

    async def lines(
        self, request: AuditFieldsRequest | GetAuditReportRequest, resume_token: str, summary: AuditSummary
    ) -> AsyncGenerator[AuditFieldsResponse, None]:
        """Yield the findings in the order of the source; `summary` counts along."""
        tenant_id = wire.tenant(request)
        wire.kind_of(request.kind)
        call = self._conflicts.StreamConflicts(
            StreamConflictsRequest(
                tenant_id=str(tenant_id),
                company=request.company if request.HasField("company") else None,
                period=request.period if request.HasField("period") else None,
                kind=request.kind,
                resume_token=resume_token,
            )
        )
        token, policy = resume_token, NOTHING_DECLARED
        try:
            async for source in call:
                if source.HasField("totals"):
                    summary.audited, summary.subjects = source.totals.memories, source.totals.records
                    summary.known_at.CopyFrom(source.totals.known_at)
                    summary.settings_version = source.totals.settings_version
                    policy = wire.policy_of(source.totals.settings)
                found = list(_findings(source, tenant_id, policy))
                for number, line in enumerate(found, start=1):
                    _count(summary, line)
                    line.resume_token = source.resume_token if number == len(found) else token
                    yield line
                token = source.resume_token
        finally:
            call.cancel()
        summary.ok = not summary.contradictions and not summary.absences


def _findings(source: StreamConflictsResponse, tenant_id: UUID, policy: Policy) -> Iterator[AuditFieldsResponse]:
    """Judge one message."""
    match source.WhichOneof("item"):
        case "group":
            verdict = judge_group([wire.assertion(message) for message in source.group.assertions], policy)
            for contradiction in verdict.contradictions:
                yield AuditFieldsResponse(contradiction=wire.contradiction(contradiction, tenant_id))
            for superseded in verdict.superseded:
                yield AuditFieldsResponse(superseded=wire.supersession(superseded, tenant_id))
        case "duplicate":
            group = source.duplicate
            subject = group.record if group.HasField("record") else None
            yield AuditFieldsResponse(duplicate=wire.duplicate(wire.duplicate_of(group), tenant_id, subject))
        case "missing":
            yield AuditFieldsResponse(absence=wire.absence(wire.absence_of(source.missing), tenant_id))


def _count(summary: AuditSummary, line: AuditFieldsResponse) -> None:
    match line.WhichOneof("item"):
        case "contradiction":
            summary.contradictions += 1
        case "superseded":
            summary.superseded += 1
        case "duplicate":
            summary.duplicates += 1
        case "absence":
            summary.absences += 1
