"""Undoing a decision: what it ended is open again, what it confirmed weighs as before, its findings stand as before.

Rules: all or nothing. A decision that a later one rests on is not undone before that one; nor is one when somebody has
since changed what it did: the memory is named. A correction that an undone decision wrote ends as incorrect, unless it
was there before.
Source: REQUIREMENTS C9.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from json import dumps
from uuid import UUID

from services.ingest.asking import Ask
from services.ingest.revising import Derive
from shared.domain.findings import FindingState
from shared.domain.revision import Revision
from shared.domain.types import Draft, MemoryState
from shared.store.pool import Connection
from shared.store.writes import decisions, endings, events, findings
from shared.store.writes.decisions import CORRECTION, Kept, undo_impossible
from shared.store.writes.endings import Ending, Locked
from shared.store.writes.events import Event, Operation


@dataclass(frozen=True, slots=True)
class Undone:
    """The memories that are believed again, and those that are no longer."""

    restored: list[Revision] = field(default_factory=list)
    ended: list[Draft] = field(default_factory=list)


async def undo(
    connection: Connection, ask: Ask, operation: Operation, decision_id: str, derive: Derive, new_id: Callable[[], UUID]
) -> Undone:
    """Put everything back as it was before a decision.

    Raises: NotFound DECISION_NOT_FOUND; FailedPrecondition DECISION_UNDONE; Conflict DECISION_DEPENDED_ON,
    UNDO_IMPOSSIBLE, MEMORY_IDENTICAL.
    """
    tenant_id = ask.tenant_id
    await decisions.serialise(connection, tenant_id)
    kept = await decisions.undoable(connection, tenant_id, decision_id)
    locked = await endings.lock(connection, tenant_id, sorted(kept.memories))
    await events.insert_operation(connection, operation)
    undone = Undone()
    if kept.group is not None:
        await decisions.put_back(connection, operation, kept)
        changes = dumps({"decision_id": decision_id, "decision": {"before": "taken", "after": "undone"}})
        noted = [Event(new_id(), memory.memory_id, memory.revision, changes) for memory in locked.values()]
        await events.insert_events(connection, operation, "undone", noted)
    else:
        await _end_correction(connection, operation, kept, locked, undone, new_id)
        await _restore(connection, operation, kept, locked, undone, derive, new_id)
        await _weigh_back(connection, operation, kept, locked, new_id)
    for finding_id, state in kept.effect.get("findings", {}).items():
        back = FindingState(state or FindingState.OPEN)
        await findings.move_back(connection, operation, finding_id, decision_id, back)
    await decisions.mark_undone(connection, operation, decision_id)
    return undone


async def _end_correction(
    connection: Connection,
    operation: Operation,
    kept: Kept,
    locked: dict[UUID, Locked],
    undone: Undone,
    new_id: Callable[[], UUID],
) -> None:
    for memory_id in kept.of_role(CORRECTION):
        if kept.effect["correction_existed"]:
            continue
        if locked[memory_id].state is not MemoryState.ACTIVE or locked[memory_id].revision != 1:
            raise undo_impossible(kept.decision_id, memory_id)
        ending = Ending(memory_id, MemoryState.INCORRECT, operation.reason)
        ended = await endings.end(connection, operation, [ending], new_id)
        undone.ended.extend(memory.draft for memory in ended)


async def _restore(
    connection: Connection,
    operation: Operation,
    kept: Kept,
    locked: dict[UUID, Locked],
    undone: Undone,
    derive: Derive,
    new_id: Callable[[], UUID],
) -> None:
    for text, state in kept.effect.get("ended", {}).items():
        memory = locked[UUID(text)]
        by = kept.selected if memory.memory_id != kept.selected else next(iter(kept.of_role(CORRECTION)), None)
        at = max(kept.recorded_at, memory.recorded_at)
        if (memory.state, memory.ended_at, memory.superseded_by) != (MemoryState(state), at, by):
            raise undo_impossible(kept.decision_id, memory.memory_id)
        undone.restored.extend(await endings.restore(connection, operation, [memory.memory_id], derive, new_id))


async def _weigh_back(
    connection: Connection, operation: Operation, kept: Kept, locked: dict[UUID, Locked], new_id: Callable[[], UUID]
) -> None:
    importance = kept.effect.get("importance")
    if importance is None or kept.selected is None:
        return
    memory = locked[kept.selected]
    if memory.draft.importance != importance["after"]:
        raise undo_impossible(kept.decision_id, memory.memory_id)
    await endings.weigh(connection, operation, memory, importance["before"], new_id)
