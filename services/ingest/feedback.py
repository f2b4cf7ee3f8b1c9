"""Feedback on one memory: right, or wrong and what is true instead.

Rules: a memory that is right weighs as a human decision does. One that is wrong ends as incorrect, and the correction
takes its place: same record, company, period, source, counterparty, labels, references, times and metadata, save what
is given; it is derived from nothing, and nobody's words but the corrector's, so it names no speaker and no session.
Its vectors are made before the transaction; a plan that has gone stale is made anew.
Source: REQUIREMENTS C9.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from services.ingest import creation
from services.ingest.asking import PLANS_MAX, Ask, Means, contended, former_answer
from shared.domain import patch
from shared.domain.decision import DECIDED_IMPORTANCE, Action
from shared.domain.errors import InvalidArgument, Violation
from shared.domain.metadata import overlaid, violations_of
from shared.domain.revision import Revision
from shared.domain.types import Draft, MemoryState
from shared.store.pool import Connection, run
from shared.store.writes import decisions, endings, events, plans, writing
from shared.store.writes.decisions import CORRECTION, SELECTED, NewDecision
from shared.store.writes.endings import Ending
from shared.store.writes.memories import check_active
from shared.store.writes.plans import Basis, Current
from shared.store.writes.writing import StalePlan

_FIELDS = {"patch.content": "corrected_fact", "patch.metadata": "corrected_metadata"}


@dataclass(frozen=True, slots=True)
class Correction:
    """What is true instead; None keeps what the memory says."""

    fact: str | None
    metadata: str | None


@dataclass(frozen=True, slots=True)
class Given:
    """What feedback did: importance before and after, the correction where there is one, and when."""

    before: float | None
    after: float | None
    correction_id: UUID | None
    operation_id: UUID
    at: datetime


Respond = Callable[[Given], bytes]


async def confirm(means: Means, ask: Ask, decision_id: str, memory_id: UUID, respond: Respond) -> bytes:
    """Say that a memory is right.

    Raises: NotFound MEMORY_NOT_FOUND; FailedPrecondition MEMORY_ENDED; Conflict DECISION_ID_REUSED,
    REQUEST_ID_REUSED.
    """
    now = means.now()
    operation = ask.operation(means.new_id(), "feedback", now)

    async def work(connection: Connection) -> bytes:
        await decisions.serialise(connection, ask.tenant_id)
        locked = await endings.lock(connection, ask.tenant_id, [memory_id])
        check_active(locked[memory_id].state if locked else None, memory_id)
        before = locked[memory_id].draft.importance
        after = max(before or 0.0, DECIDED_IMPORTANCE)
        await events.insert_operation(connection, operation)
        await endings.weigh(connection, operation, locked[memory_id], after, means.new_id)
        effect = {"importance": {"before": before, "after": after}}
        decision = NewDecision(decision_id, Action.CORRECT, None, memory_id, {memory_id: SELECTED}, effect)
        await decisions.insert(connection, operation, decision)
        return respond(Given(before, after, None, operation.operation_id, now))

    return (await means.once(ask, now, work)).answer


async def correct(
    means: Means, ask: Ask, decision_id: str, memory_id: UUID, correction: Correction, respond: Respond
) -> bytes:
    """Say that a memory is wrong, and what is true instead.

    Raises: NotFound MEMORY_NOT_FOUND; FailedPrecondition MEMORY_ENDED; InvalidArgument CORRECTION_IDENTICAL and those
    of a write; UpstreamUnavailable EMBEDDER_UNAVAILABLE; Conflict DECISION_ID_REUSED, REQUEST_ID_REUSED.
    """
    for _ in range(PLANS_MAX):
        try:
            return await _attempt(means, ask, decision_id, memory_id, correction, respond)
        except StalePlan:
            continue
    raise contended()


async def _attempt(
    means: Means, ask: Ask, decision_id: str, memory_id: UUID, correction: Correction, respond: Respond
) -> bytes:
    async def read(connection: Connection) -> bytes | tuple[Basis, Current]:
        former = await former_answer(connection, ask.key)
        if former is not None:
            return former
        basis = await plans.basis(connection, ask.tenant_id)
        return basis, await plans.current(connection, ask.tenant_id, memory_id)

    plan = await run(means.pool, ask.tenant_id, read, read_only=True)
    if isinstance(plan, bytes):
        return plan
    basis, current = plan
    entry = await creation.prepared(means, ask.tenant_id, corrected(current.draft, correction), basis)
    wrong = (await means.revisions.of(ask.tenant_id))(current.draft)
    if entry.revision.identity_hash == wrong.identity_hash:
        raise InvalidArgument.of("corrected_fact", "CORRECTION_IDENTICAL", "says what the memory says already")
    now = max(means.now(), current.recorded_at)
    operation = ask.operation(means.new_id(), "feedback", now)
    written: list[Revision] = []

    async def work(connection: Connection) -> bytes:
        await decisions.serialise(connection, ask.tenant_id)
        locked = await endings.lock(connection, ask.tenant_id, [memory_id])
        check_active(locked[memory_id].state if locked else None, memory_id)
        if locked[memory_id].revision != current.revision:
            raise StalePlan
        of = (connection, operation, basis.generation.number, [entry], means.new_id)
        (stands,) = await writing.create(*of)
        if stands.existing:
            await events.insert_operation(connection, operation)
        written[:] = [] if stands.existing else [entry.revision]
        ending = Ending(memory_id, MemoryState.INCORRECT, ask.reason, superseded_by=stands.memory_id)
        await endings.end(connection, operation, [ending], means.new_id)
        before = current.draft.importance
        effect = {"ended": {str(memory_id): MemoryState.INCORRECT}, "correction_existed": stands.existing}
        roles = {memory_id: SELECTED, stands.memory_id: CORRECTION}
        decision = NewDecision(decision_id, Action.INCORRECT, None, memory_id, roles, effect)
        await decisions.insert(connection, operation, decision)
        return respond(Given(before, before, stands.memory_id, operation.operation_id, now))

    done = await means.once(ask, now, work)
    if done.is_first:
        means.statistics.add(ask.tenant_id, written, replaced=[wrong])
    return done.answer


def corrected(wrong: Draft, correction: Correction) -> Draft:
    """Return the memory that takes a wrong one's place.

    Raises: InvalidArgument naming every wrong field.
    """
    values: dict[str, Any] = {"importance": DECIDED_IMPORTANCE, "speaker": None, "session": None}
    if correction.fact is not None:
        values["content"] = correction.fact
    if correction.metadata is not None:
        violations = violations_of(correction.metadata, "corrected_metadata")
        if violations:
            raise InvalidArgument.of_all(violations)
        values["metadata"] = overlaid(wrong.metadata_json, correction.metadata)
    try:
        draft = patch.patched(wrong, values)
    except InvalidArgument as error:
        raise InvalidArgument.of_all(tuple(map(_renamed, error.violations))) from error
    return replace(draft, derived_from=(), source_memory_ids=())


def _renamed(violation: Violation) -> Violation:
    return Violation(_FIELDS.get(violation.field, violation.field), violation.reason, violation.description)
