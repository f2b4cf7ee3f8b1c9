"""What the owner decides, declares and has recorded, for the stranger to look for; and what the stranger asks of it."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import grpc
from candor.audit.v1 import recording_pb2 as recording
from candor.audit.v1.recording_pb2_grpc import RecordingServiceStub
from candor.ingest.v1 import decisions_pb2 as deciding
from candor.ingest.v1 import findings_pb2 as recorded
from candor.ingest.v1 import lifecycle_pb2 as lifecycle
from candor.ingest.v1 import settings_pb2 as settings
from candor.memory.v1 import finding_pb2
from candor.memory.v1.decision_pb2 import DECISION_ACTION_DEFER
from candor.memory.v1.setting_pb2 import Settings
from candor.retrieve.v1 import decisions_pb2 as decisions
from candor.retrieve.v1 import findings_pb2 as findings
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from shared.rpc import clients

Question: TypeAlias = tuple[Message, str, bool]
"""A request without its tenant, how it ends for a stranger, and whether the owner sees a secret in the answer."""

DECISIONS = ("the-first-decision", "the-second-decision")


def _deferral(
    decision_id: str, memory_id: str, record: str, company: str, secret: str
) -> deciding.ResolveConflictRequest:
    return deciding.ResolveConflictRequest(
        actor=secret,
        decision_id=decision_id,
        company=company,
        subject=record,
        attribute="amount",
        selected_memory_id=memory_id,
        action=DECISION_ACTION_DEFER,
        reason="not yet",
    )


async def declare_and_decide(
    channel: grpc.aio.Channel, tenant_id: str, memory_id: str, *, record: str, company: str, secret: str
) -> None:
    """Declare something and defer a conflict twice, over ingest."""
    declared = settings.UpdateSettingsRequest(
        tenant_id=tenant_id, actor=secret, settings=Settings(stateful_attributes=[secret]), reason=secret
    )
    await clients.settings(channel).UpdateSettings(declared)
    for decision_id in DECISIONS:
        request = _deferral(decision_id, memory_id, record, company, secret)
        request.tenant_id = tenant_id
        await clients.decisions(channel).ResolveConflict(request)


async def record(channel: grpc.aio.Channel, tenant_id: str) -> dict[str, str]:
    """Have both audits recorded, and return where that of meaning would go on."""
    service = RecordingServiceStub(channel)
    await service.RecordAudit(recording.RecordAuditRequest(tenant_id=tenant_id))
    lines = service.RecordMeaningAudit(recording.RecordMeaningAuditRequest(tenant_id=tenant_id))
    return {"recording": [line.resume_token async for line in lines][-1]}


async def tokens(channel: grpc.aio.Channel, tenant_id: str) -> dict[str, str]:
    """Read a page of each, and return the tokens and a finding's id."""
    page = await clients.finding_reader(channel).ListFindings(
        findings.ListFindingsRequest(tenant_id=tenant_id, limit=1)
    )
    decided = await clients.decision_reader(channel).ListDecisions(
        decisions.ListDecisionsRequest(tenant_id=tenant_id, limit=1)
    )
    return {
        "findings": page.next_page_token,
        "cursor": page.cursor,
        "decisions": decided.next_page_token,
        "finding": page.findings[0].finding_id,
    }


def questions(
    memory_id: str, known: Mapping[str, str], *, record: str, company: str, secret: str
) -> dict[str, Sequence[Question]]:
    """Return the questions to every RPC about decisions, settings, ends and findings."""
    now = Timestamp()
    now.GetCurrentTime()
    seen = finding_pb2.Absence(finding_id="f" * 64, subject=record, company=company)
    replayed = _deferral(DECISIONS[0], memory_id, record, company, secret)
    return {
        "ingest.DecisionsService.ResolveConflict": [
            (replayed, "MEMORY_NOT_FOUND", False),
            (
                deciding.ResolveConflictRequest(
                    subject=record, attribute="amount", company=company, reason="x", action=DECISION_ACTION_DEFER
                ),
                "CONFLICT_CHANGED",
                False,
            ),
        ],
        "ingest.DecisionsService.GiveFeedback": [
            (
                deciding.GiveFeedbackRequest(memory_id=memory_id, outcome=deciding.FEEDBACK_OUTCOME_CORRECT),
                "MEMORY_NOT_FOUND",
                False,
            ),
            (
                deciding.GiveFeedbackRequest(
                    memory_id=memory_id, outcome=deciding.FEEDBACK_OUTCOME_INCORRECT, corrected_fact="Taken over."
                ),
                "MEMORY_NOT_FOUND",
                False,
            ),
        ],
        "ingest.DecisionsService.UndoDecision": [
            (deciding.UndoDecisionRequest(decision_id=DECISIONS[0]), "DECISION_NOT_FOUND", False)
        ],
        "ingest.LifecycleService.InvalidateMemory": [
            (lifecycle.InvalidateMemoryRequest(memory_id=memory_id), "MEMORY_NOT_FOUND", False)
        ],
        "ingest.LifecycleService.RestoreMemory": [
            (lifecycle.RestoreMemoryRequest(memory_id=memory_id), "MEMORY_NOT_FOUND", False)
        ],
        "ingest.SettingsService.GetSettings": [
            (settings.GetSettingsRequest(), "OK", True),
            (settings.GetSettingsRequest(version=1), "SETTINGS_VERSION_NOT_FOUND", True),
        ],
        "ingest.SettingsService.UpdateSettings": [
            # Something that is declared already would change nothing; something wrong changes nothing either.
            (settings.UpdateSettingsRequest(settings=Settings(stateful_attributes=[""])), "ATTRIBUTE_INVALID", False)
        ],
        "ingest.FindingsService.RecordFindings": [
            (
                recorded.RecordFindingsRequest(
                    seen_at=now, findings=[recorded.SeenFinding(absence=seen)], complete=True
                ),
                "OK",
                False,
            )
        ],
        "ingest.FindingsService.AcknowledgeFinding": [
            (recorded.AcknowledgeFindingRequest(finding_id=known["finding"]), "FINDING_NOT_FOUND", False)
        ],
        "retrieve.FindingsService.GetFinding": [
            (findings.GetFindingRequest(finding_id=known["finding"]), "FINDING_NOT_FOUND", True)
        ],
        "retrieve.FindingsService.ListFindings": [
            (findings.ListFindingsRequest(), "OK", True),
            (findings.ListFindingsRequest(company=company), "OK", True),
            (findings.ListFindingsRequest(limit=1, page_token=known["findings"]), "PAGE_TOKEN_INVALID", True),
            (findings.ListFindingsRequest(since_cursor=known["cursor"]), "SINCE_CURSOR_INVALID", False),
        ],
        "retrieve.DecisionsService.GetDecision": [
            (decisions.GetDecisionRequest(decision_id=DECISIONS[0]), "DECISION_NOT_FOUND", True)
        ],
        "retrieve.DecisionsService.ListDecisions": [
            (decisions.ListDecisionsRequest(), "OK", True),
            (decisions.ListDecisionsRequest(company=company, record=record, attribute="amount"), "OK", True),
            (decisions.ListDecisionsRequest(memory_id=memory_id), "OK", False),
            (decisions.ListDecisionsRequest(limit=1, page_token=known["decisions"]), "PAGE_TOKEN_INVALID", True),
        ],
        "audit.RecordingService.RecordAudit": [(recording.RecordAuditRequest(), "OK", False)],
        "audit.RecordingService.RecordMeaningAudit": [
            (recording.RecordMeaningAuditRequest(), "OK", False),
            (recording.RecordMeaningAuditRequest(resume_token=known["recording"]), "RESUME_TOKEN_INVALID", False),
        ],
    }
