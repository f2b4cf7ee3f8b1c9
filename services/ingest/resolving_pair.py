"""Deciding between two memories that contradict each other in meaning.

Rules: both are locked, and the ladder weighs them anew. The other memory ends, as superseded or as incorrect, and the
selected one weighs as much as a flagged importance. A deferral changes neither, and their finding is acknowledged:
where no audit has recorded one, the person's word that they contradict each other is.
Source: REQUIREMENTS C9.
"""

from collections.abc import Callable, Sequence
from json import dumps
from typing import Any
from uuid import UUID

from candor.memory.v1 import semantic_pb2

from services.ingest.asking import Ask
from services.ingest.findings import seen
from services.ingest.resolving import Asked, Resolved
from shared.domain.decision import DECIDED_IMPORTANCE, Action, action_of
from shared.domain.errors import Conflict
from shared.domain.findings import FindingState, pair_finding_id
from shared.domain.ladder import Carrier, Resolution, Side, resolve
from shared.domain.types import Draft
from shared.rpc import wire
from shared.store.pool import Connection
from shared.store.writes import decisions, endings, events, findings
from shared.store.writes.decisions import SELECTED, TARGET, NewDecision
from shared.store.writes.endings import Ending, Locked
from shared.store.writes.events import Operation
from shared.store.writes.memories import check_active


async def resolve_pair(
    connection: Connection, ask: Ask, operation: Operation, asked: Asked, new_id: Callable[[], UUID]
) -> Resolved:
    """Decide between two memories that contradict each other in meaning.

    Raises: NotFound MEMORY_NOT_FOUND; FailedPrecondition MEMORY_ENDED; Conflict CONFLICT_CHANGED,
    RECOMMENDATION_CHANGED, DECISION_ID_REUSED.
    """
    tenant_id, selected = ask.tenant_id, asked.choice.selected
    if selected is None or asked.choice.targets is None:
        raise ValueError("a pair is of two memories")
    (target,) = asked.choice.targets
    await decisions.serialise(connection, tenant_id)
    locked = await endings.lock(connection, tenant_id, sorted((selected, target)))
    for memory_id in (selected, target):
        check_active(locked[memory_id].state if memory_id in locked else None, memory_id)
    finding_id = pair_finding_id(tenant_id, selected, target)
    if asked.choice.finding_id not in (None, finding_id):
        raise Conflict("CONFLICT_CHANGED", "the finding is not about these two", metadata={"finding_id": finding_id})
    sides = sorted(map(_carrier, locked.values()), key=_oldest_first)
    advice = resolve([Side(side.raw, (side,)) for side in sides])
    recommended = advice.recommended_memory_id
    action = action_of(asked.choice, recommended, recommended == selected)
    state = await findings.state_of(connection, tenant_id, finding_id)
    weight = locked[selected].draft.importance
    await events.insert_operation(connection, operation)
    effect: dict[str, Any] = {"findings": {finding_id: state} if state else {}}
    if state is None and action is Action.DEFER:
        told = _told(finding_id, [locked[side.memory_id] for side in sides], advice)
        await findings.record(connection, tenant_id, [seen(told)], operation.recorded_at)
        # Undone, it is no finding any more until an audit sees it.
        state = effect["findings"][finding_id] = FindingState.RESOLVED
    ended: list[Draft] = []
    after: tuple[int, float | None] = (2, weight)
    if action is not Action.DEFER:
        after = (1, max(weight or 0.0, DECIDED_IMPORTANCE))
        ending = Ending(target, asked.loser_state, ask.reason, superseded_by=selected)
        ended = [memory.draft for memory in await endings.end(connection, operation, [ending], new_id)]
        await endings.weigh(connection, operation, locked[selected], after[1], new_id)
        effect |= {"ended": {str(target): asked.loser_state}, "importance": {"before": weight, "after": after[1]}}
    if state is not None:
        to = FindingState.ACKNOWLEDGED if action is Action.DEFER else FindingState.RESOLVED
        await findings.move(connection, operation, finding_id, to, decision_id=asked.decision_id)
    roles = {selected: SELECTED, target: TARGET}
    decision = NewDecision(asked.decision_id, action, finding_id, selected, roles, effect)
    await decisions.insert(connection, operation, decision)
    return Resolved(action, [target] if ended else [], [finding_id], (2, weight), after, ended)


def _told(finding_id: str, sides: Sequence[Locked], advice: Resolution) -> semantic_pb2.SemanticContradiction:
    """Return the finding that a person says there is."""
    return semantic_pb2.SemanticContradiction(
        finding_id=finding_id,
        type="semantic-contradiction",
        memories=map(_memory, sides),
        resolution=wire.resolution(advice),
    )


def _memory(memory: Locked) -> semantic_pb2.AuditedMemory:
    draft = memory.draft
    return semantic_pb2.AuditedMemory(
        memory_id=str(memory.memory_id),
        kind=wire.to_kind(draft.kind),
        company=draft.company,
        period=draft.period,
        source_ref=draft.source_ref,
        session=draft.session,
        content=draft.content,
        observed_at=wire.to_timestamp(draft.observed_at),
        recorded_at=wire.to_timestamp(memory.recorded_at),
    )


def _oldest_first(side: Carrier) -> tuple[object, ...]:
    return side.effective_at, side.recorded_at, side.memory_id


def _carrier(memory: Locked) -> Carrier:
    draft = memory.draft
    return Carrier(
        memory.memory_id,
        draft.kind,
        draft.memory_type,
        bool(draft.derived_from),
        draft.importance,
        draft.observed_at,
        memory.recorded_at,
        draft.source_ref,
        dumps(draft.content, ensure_ascii=False),
    )
