"""FieldAuditService: judges what retrieve streams, one message at a time, and never writes.

Rules: memory does not grow with the tenant; nothing is held but the message in hand (and, for a report, the findings it
will list). An audit that goes on from any line loses nothing, and repeats at most the findings of one record and
attribute. It does not know the database, and not how values are compared (shared/domain/opposition).
Source: REQUIREMENTS C1, C2, C4, C8.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from candor.audit.v1.fields_pb2 import (
    AuditFieldsRequest,
    AuditFieldsResponse,
    AuditSummary,
    GetAuditPolicyRequest,
    GetAuditPolicyResponse,
    GetAuditReportRequest,
    GetAuditReportResponse,
)
from candor.audit.v1.fields_pb2_grpc import FieldAuditServiceServicer
from candor.retrieve.v1.conflicts_pb2 import StreamConflictsRequest, Totals
from candor.retrieve.v1.conflicts_pb2_grpc import ConflictsServiceStub

from services.audit.judging import count, findings, is_ok
from services.audit.policy import policy_message
from services.audit.report import MAX_FINDINGS, PUBLIC_MAX_FINDINGS, PUBLIC_SECONDS, Report
from services.audit.signing import Signer, field_statements
from shared.domain.ladder import POLICY_VERSION
from shared.domain.setting import NOTHING_DECLARED
from shared.rpc import wire
from shared.rpc.context import Context


class FieldAudit(FieldAuditServiceServicer):
    """Answers both forms of the audit from one pass over retrieve's stream."""

    def __init__(self, conflicts: ConflictsServiceStub, signer: Signer) -> None:
        self._conflicts = conflicts
        self._signer = signer

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
        report = Report(PUBLIC_MAX_FINDINGS if request.public else MAX_FINDINGS)
        limit = asyncio.timeout(PUBLIC_SECONDS if request.public else None)
        try:
            async with limit, aclosing(self.lines(request, "", summary)) as lines:
                async for line in lines:
                    if not report.take(line):
                        break
        except TimeoutError:
            if not limit.expired():
                raise
            report.stop()
        message = report.message(summary)
        if request.sign:
            message.attestation.CopyFrom(self._signer.attest(field_statements(message, str(wire.tenant(request)))))
        return message

    async def GetAuditPolicy(self, request: GetAuditPolicyRequest, context: Context) -> GetAuditPolicyResponse:
        """Return the tables that findings and recommendations follow from."""
        wire.tenant(request)
        return policy_message(self._signer.public_key)

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
                since=request.since,
            )
        )
        token, policy = resume_token, NOTHING_DECLARED
        try:
            async for source in call:
                if source.HasField("totals"):
                    policy = wire.policy_of(source.totals.settings)
                    _begin(summary, source.totals)
                for line in await findings(source, token, tenant_id, policy):
                    count(summary, line)
                    yield line
                token = source.resume_token
        finally:
            call.cancel()
        summary.ok = is_ok(summary)


def _begin(summary: AuditSummary, totals: Totals) -> None:
    """Take over what the source says of the whole stream."""
    summary.audited, summary.subjects = totals.memories, totals.records
    summary.known_at.CopyFrom(totals.known_at)
    summary.settings_version = totals.settings_version
    summary.next_since, summary.delta = totals.next_since, totals.delta
