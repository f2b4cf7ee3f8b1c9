"""DecisionsService: what people decide, taken and undone.

Rules: every decision has an id, the caller's own or one that is made; a caller's own id is also what makes a repeated
request the same. How a decision is carried out is in resolving.py, resolving_pair.py, feedback.py and undoing.py.
Source: REQUIREMENTS C9.
"""

import re

from candor.ingest.v1 import decisions_pb2 as pb
from candor.ingest.v1.decisions_pb2_grpc import DecisionsServiceServicer

from services.ingest import feedback, resolving, resolving_pair, undoing
from services.ingest.asking import Means, ask_of, checked
from services.ingest.feedback import Correction, Given
from services.ingest.lifecycle import ending_state
from services.ingest.resolving import Asked, Resolved
from services.ingest.undoing import Undone
from shared.domain.claims import ATTRIBUTE_MAX_BYTES
from shared.domain.decision import Action, Choice
from shared.domain.draft import LABEL_MAX_CHARS, RECORD_MAX_CHARS
from shared.domain.errors import InvalidArgument
from shared.domain.types import Draft, MemoryState
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection

TARGETS_MAX = 1_000  # chosen, untested
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,128}")
_TAKEN_ABOUT_CONFLICTS = (None, Action.ACCEPT, Action.OVERRIDE, Action.DEFER)


class DecisionsServicer(DecisionsServiceServicer):
    """Serves DecisionsService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def ResolveConflict(self, request: pb.ResolveConflictRequest, context: Context) -> pb.ResolveConflictResponse:
        """Decide a conflict."""
        means = self._means
        own_id = _own_id("decision_id", request.decision_id)
        ask = ask_of(request, means.request_key, own_id)
        asked = _asked(request, own_id or str(means.new_id()))
        now = means.now()
        operation = ask.operation(means.new_id(), "resolve-conflict", now)
        resolve = resolving.resolve_attribute if asked.attribute else resolving_pair.resolve_pair
        ended: list[Draft] = []

        async def work(connection: Connection) -> bytes:
            resolved = await resolve(connection, ask, operation, asked, means.new_id)
            ended[:] = resolved.ended
            answer = pb.ResolveConflictResponse(
                decision_id=asked.decision_id,
                action=wire.to_action(resolved.action),
                subject=asked.subject,
                attribute=asked.attribute,
                selected_memory_id=request.selected_memory_id or None,
                superseded_memory_ids=map(str, resolved.losers),
                finding_ids=resolved.finding_ids,
                actor=ask.actor,
                reason=ask.reason,
                before=_standing(resolved, "before"),
                after=_standing(resolved, "after"),
                resolved_at=wire.to_timestamp(now),
                operation_id=str(operation.operation_id),
            )
            return answer.SerializeToString(deterministic=True)

        derive = await means.revisions.of(ask.tenant_id)
        done = await means.once(ask, now, work)
        if done.is_first and ended:
            means.statistics.add(ask.tenant_id, [], replaced=map(derive, ended))
        return pb.ResolveConflictResponse.FromString(done.answer)

    async def GiveFeedback(self, request: pb.GiveFeedbackRequest, context: Context) -> pb.GiveFeedbackResponse:
        """Say that a memory is right or wrong."""
        means = self._means
        own_id = _own_id("feedback_id", request.feedback_id)
        ask = ask_of(request, means.request_key, own_id)
        memory_id = wire.identifier(request.memory_id, "memory_id", "MEMORY_ID_INVALID")
        decision_id = own_id or str(means.new_id())
        if request.outcome not in (pb.FEEDBACK_OUTCOME_CORRECT, pb.FEEDBACK_OUTCOME_INCORRECT):
            raise InvalidArgument.of("outcome", "OUTCOME_MISSING", "must be correct or incorrect")
        is_wrong = request.outcome == pb.FEEDBACK_OUTCOME_INCORRECT

        def respond(given: Given) -> bytes:
            after = pb.FeedbackStanding(importance=given.after)
            if is_wrong:
                after.superseded_at.FromDatetime(given.at)
                after.superseded_by = str(given.correction_id)
            return pb.GiveFeedbackResponse(
                feedback_id=decision_id,
                memory_id=str(memory_id),
                outcome=request.outcome,
                corrected_memory_id=str(given.correction_id) if is_wrong else None,
                before=pb.FeedbackStanding(importance=given.before),
                after=after,
                operation_id=str(given.operation_id),
            ).SerializeToString(deterministic=True)

        if is_wrong:
            correction = _correction(request)
            answer = await feedback.correct(means, ask, decision_id, memory_id, correction, respond)
        else:
            answer = await feedback.confirm(means, ask, decision_id, memory_id, respond)
        return pb.GiveFeedbackResponse.FromString(answer)

    async def UndoDecision(self, request: pb.UndoDecisionRequest, context: Context) -> pb.UndoDecisionResponse:
        """Put everything back as it was before a decision."""
        means, ask = self._means, ask_of(request, self._means.request_key)
        decision_id = checked("decision_id", request.decision_id, 128, "DECISION_ID_INVALID")
        now = means.now()
        operation = ask.operation(means.new_id(), "undo-decision", now)
        derive = await means.revisions.of(ask.tenant_id)
        moved = Undone()

        async def work(connection: Connection) -> bytes:
            undone = await undoing.undo(connection, ask, operation, decision_id, derive, means.new_id)
            moved.restored[:], moved.ended[:] = undone.restored, undone.ended
            return pb.UndoDecisionResponse(
                decision_id=decision_id,
                undone_at=wire.to_timestamp(now),
                operation_id=str(operation.operation_id),
            ).SerializeToString(deterministic=True)

        done = await means.once(ask, now, work)
        if done.is_first:
            means.statistics.add(ask.tenant_id, moved.restored, replaced=map(derive, moved.ended))
        return pb.UndoDecisionResponse.FromString(done.answer)


def _own_id(field: str, text: str) -> str:
    if text and not _ID.fullmatch(text):
        raise InvalidArgument.of(field, "DECISION_ID_INVALID", "must be 1 to 128 of letters, digits and _ . : -")
    return text


def _asked(request: pb.ResolveConflictRequest, decision_id: str) -> Asked:
    """Check what is to be decided. Raises: InvalidArgument."""
    action = wire.action_of(request.action)
    if action not in _TAKEN_ABOUT_CONFLICTS:
        raise InvalidArgument.of("action", "DECISION_ACTION_INVALID", "must be accept, override or defer")
    if not request.reason.strip():
        raise InvalidArgument.of("reason", "REASON_MISSING", "must say why")
    subject = checked("subject", request.subject, RECORD_MAX_CHARS, "SUBJECT_INVALID")
    attribute = checked("attribute", request.attribute, ATTRIBUTE_MAX_BYTES, "ATTRIBUTE_INVALID")
    company = checked("company", request.company, LABEL_MAX_CHARS, "LABEL_TOO_LONG")
    is_pair = not subject.strip() and not attribute
    if not is_pair and not subject.strip():
        raise InvalidArgument.of("subject", "SUBJECT_MISSING", "must name the record")
    if not is_pair and not attribute:
        raise InvalidArgument.of("attribute", "ATTRIBUTE_MISSING", "must name the attribute")
    if not request.selected_memory_id and (is_pair or action is not Action.DEFER):
        raise InvalidArgument.of("selected_memory_id", "SELECTION_MISSING", "must name the memory that holds")
    selected = (
        wire.identifier(request.selected_memory_id, "selected_memory_id", "MEMORY_ID_INVALID")
        if request.selected_memory_id
        else None
    )
    given = request.target_memory_ids
    targets = frozenset(
        wire.identifier(text, f"target_memory_ids[{place}]", "MEMORY_ID_INVALID") for place, text in enumerate(given)
    )
    if len(given) > TARGETS_MAX or len(targets) < len(given):
        raise InvalidArgument.of("target_memory_ids", "TARGETS_INVALID", f"must be at most {TARGETS_MAX}, each once")
    if selected in targets:
        raise InvalidArgument.of("target_memory_ids", "SELECTION_REPEATED", "holds the selected memory")
    if is_pair and len(targets) != 1:
        raise InvalidArgument.of("target_memory_ids", "TARGETS_INVALID", "must name the one other memory")
    finding_id = request.finding_id if request.HasField("finding_id") else None
    return Asked(
        decision_id=decision_id,
        choice=Choice(selected, action, targets if given else None, finding_id),
        company=company if request.HasField("company") else None,
        subject=subject,
        attribute=attribute,
        loser_state=ending_state(request.loser_state, "loser_state", MemoryState.SUPERSEDED),
    )


def _correction(request: pb.GiveFeedbackRequest) -> Correction:
    fact = request.corrected_fact if request.HasField("corrected_fact") else None
    metadata = request.corrected_metadata if request.HasField("corrected_metadata") else None
    if fact is None and metadata is None:
        raise InvalidArgument.of("corrected_fact", "CORRECTION_MISSING", "must say what is true instead")
    return Correction(fact, metadata)


def _standing(resolved: Resolved, when: str) -> pb.ConflictStanding:
    carriers, weight = resolved.before if when == "before" else resolved.after
    return pb.ConflictStanding(active_carriers=carriers, selected_importance=weight)
