"""Deciding a conflict about one attribute of a record; between two memories: resolving_pair.py.

Rules: the conflict is judged anew inside the transaction, by the function and the settings that audit and recall use,
on assertions whose memories are locked: what the person saw must still be so. Of memories that lose an attribute only
the assertion of that attribute ends. A memory without a value carries nothing, so it can block nothing. A deferred
conflict stays as it is, and its finding is acknowledged.
Source: REQUIREMENTS C9.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from json import dumps
from uuid import UUID

from services.ingest.asking import Ask
from services.ingest.findings import seen
from shared.domain.decision import DECIDED_IMPORTANCE, Action, Choice, Ruling, rule
from shared.domain.errors import NotFound
from shared.domain.findings import Contradiction, FindingState
from shared.domain.opposition import Assertion
from shared.domain.records import reference_key
from shared.domain.text import company_key
from shared.domain.types import Draft, MemoryState
from shared.rpc import wire
from shared.store.pool import Connection
from shared.store.reads import conflicts, memories, settings
from shared.store.writes import decisions, endings, events, findings
from shared.store.writes.decisions import SELECTED, TARGET, Group, NewDecision
from shared.store.writes.endings import Locked
from shared.store.writes.events import Event, Operation
from shared.store.writes.memories import check_active

CARRIERS_MAX = 100_000  # assertions of one attribute that are judged at once; the domain's bound on copies


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be decided. Without `attribute`: between the selected memory and the one target."""

    decision_id: str
    choice: Choice
    company: str | None = None
    subject: str = ""
    attribute: str = ""
    loser_state: MemoryState = MemoryState.SUPERSEDED


@dataclass(frozen=True, slots=True)
class Resolved:
    """What came of it. `before` and `after` are numbers of carriers and what the selected value weighs."""

    action: Action
    losers: Sequence[UUID]
    finding_ids: Sequence[str]
    before: tuple[int, float | None]
    after: tuple[int, float | None]
    ended: Sequence[Draft] = field(default=())


async def resolve_attribute(
    connection: Connection, ask: Ask, operation: Operation, asked: Asked, new_id: Callable[[], UUID]
) -> Resolved:
    """Decide about one attribute of a record.

    Raises: NotFound MEMORY_NOT_FOUND; FailedPrecondition MEMORY_ENDED; Conflict CONFLICT_CHANGED,
    RECOMMENDATION_CHANGED, DECISION_ID_REUSED.
    """
    tenant_id, selected = ask.tenant_id, asked.choice.selected
    await decisions.serialise(connection, tenant_id)
    company = asked.company if asked.company is not None else await _company_of(connection, tenant_id, selected)
    group = Group(company_key(company or ""), reference_key(asked.subject) or "", asked.attribute)
    ids = {*await decisions.carriers(connection, tenant_id, group), *([selected] if selected else [])}
    locked = await endings.lock(connection, tenant_id, sorted(ids))
    if selected is not None:
        check_active(locked[selected].state if selected in locked else None, selected)
    policy = (await settings.in_force(connection, tenant_id)).policy
    read = await conflicts.groups(connection, conflicts.Limits(tenant_id), [group.key], None, CARRIERS_MAX)
    assertions = read[0] if read else []
    ruling = rule(assertions, policy, tenant_id, asked.choice)
    is_settled = ruling.action is not Action.DEFER
    losers = sorted(ruling.losers) if is_settled else []
    weight = _weight(assertions, selected)
    states = await _move_findings(connection, tenant_id, operation, ruling, asked.decision_id)
    after = (len(ruling.carriers), weight)
    await events.insert_operation(connection, operation)
    roles = dict.fromkeys(losers, TARGET) | ({selected: SELECTED} if selected else {})
    decision = NewDecision(
        decision_id=asked.decision_id,
        action=ruling.action,
        finding_id=next(iter(states)),
        selected=selected,
        memories=roles,
        effect={"findings": states},
        company=company,
        subject=asked.subject,
        group=group,
    )
    await decisions.insert(connection, operation, decision)
    if selected is not None and is_settled:
        after = (len(ruling.carriers - ruling.losers), max(weight or 0.0, DECIDED_IMPORTANCE))
        of = (operation, asked.decision_id, group)
        await decisions.settle(connection, *of, selected=selected, losers=losers)
        noted = [_event(new_id(), locked[i], asked, i in ruling.losers) for i in (*losers, selected)]
        await events.insert_events(connection, operation, "decided", noted)
    return Resolved(ruling.action, losers, list(states), (len(ruling.carriers), weight), after)


async def _company_of(connection: Connection, tenant_id: UUID, memory_id: UUID | None) -> str | None:
    found = await memories.get(connection, tenant_id, memory_id, None) if memory_id else None
    if memory_id is not None and found is None:
        raise NotFound("MEMORY_NOT_FOUND", "there is no such memory", metadata={"memory_id": str(memory_id)})
    return found.company if found else None


async def _move_findings(
    connection: Connection, tenant_id: UUID, operation: Operation, ruling: Ruling, decision_id: str
) -> Mapping[str, FindingState | None]:
    """Settle or acknowledge the findings of a ruling; return where each stood, None for one never recorded."""
    states: dict[str, FindingState | None] = {}
    for conflict in ruling.conflicts:
        finding_id = conflict.id(tenant_id)
        states[finding_id] = await findings.state_of(connection, tenant_id, finding_id)
        if ruling.action is Action.DEFER:
            await _record(connection, tenant_id, operation, conflict)
            to = FindingState.ACKNOWLEDGED
        else:
            to = FindingState.RESOLVED
        if states[finding_id] is not None or ruling.action is Action.DEFER:
            await findings.move(connection, operation, finding_id, to, decision_id=decision_id)
    return states


async def _record(connection: Connection, tenant_id: UUID, operation: Operation, conflict: Contradiction) -> None:
    message = wire.contradiction(conflict, tenant_id)
    await findings.record(connection, tenant_id, [seen(message)], operation.recorded_at)


def _weight(assertions: Sequence[Assertion], memory_id: UUID | None) -> float | None:
    return next(
        (a.carrier.importance for a in assertions if a.ended_at is None and a.carrier.memory_id == memory_id), None
    )


def _event(event_id: UUID, memory: Locked, asked: Asked, has_lost: bool) -> Event:
    after = "ended" if has_lost else "confirmed"
    changes = {f"assertion of {asked.attribute}": {"before": "open", "after": after}, "decision_id": asked.decision_id}
    return Event(event_id, memory.memory_id, memory.revision, dumps(changes, ensure_ascii=False))
