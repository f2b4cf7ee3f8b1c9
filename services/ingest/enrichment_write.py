"""Writing the facts of a turn to their places, in one transaction.

Rules: turns of a tenant are written one after another. What has changed since the plan was made is read again; what
was not judged then makes the plan stale. A turn that was read before, or is gone, is left alone. All goes through the
machinery of any other write: writing.py for what is new, endings.py for what ends, comes back or is followed by others.
Source: REQUIREMENTS A1, A8, D3.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from services.ingest.enrichment_look import look
from services.ingest.enrichment_plan import Plan
from services.ingest.enrichment_turn import REASON_MAX_CHARS, Reading
from services.ingest.revising import Derive
from shared.domain.extraction.facts import Importance
from shared.domain.placing import Placed, place
from shared.domain.revision import Revision
from shared.domain.supersession import Held
from shared.domain.types import Guard, MemoryState
from shared.store.pool import Connection
from shared.store.reads import enrichment as reads
from shared.store.writes import endings, enrichment, events, uses, verdicts, writing
from shared.store.writes.endings import Ending
from shared.store.writes.events import Operation
from shared.store.writes.uses import Score
from shared.store.writes.vectors import Embedded
from shared.store.writes.writing import Entry, StalePlan

READABLE = (MemoryState.ACTIVE, MemoryState.FORGOTTEN)
_LATER, _SAME, _WRONG, _SPOKEN = "told otherwise later", "told before", "corrected", "its facts were read"
_REASONS = {
    MemoryState.SUPERSEDED: _LATER,
    MemoryState.MERGED: _SAME,
    MemoryState.INCORRECT: _WRONG,
}


@dataclass(slots=True)
class Outcome:
    """What was written: for the statistics of terms, and in numbers."""

    written: list[Revision] = field(default_factory=list)
    gone: list[Revision] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes one turn. `turn_score` is of the turn itself where it told nothing."""

    operation: Operation
    turn_id: UUID
    derive: Derive
    new_id: Callable[[], UUID]
    turn_score: Importance | None = None

    async def write(self, connection: Connection, plan: Plan) -> Outcome:
        """Write what a plan says, if the turn still waits for it.

        Raises: StalePlan; as endings.end and endings.restore where others wrote the same memories meanwhile.
        """
        tenant_id, operation = self.operation.tenant_id, self.operation
        await enrichment.serialise(connection, tenant_id)
        turn = await reads.turn(connection, tenant_id, self.turn_id, plan.snapshot)
        if turn is None or turn.is_enriched or turn.state not in READABLE:
            return Outcome()
        placed = await self._placed(connection, plan, has_changed=turn.has_changed)
        outcome = Outcome()
        await self._create(connection, plan, placed, outcome)
        await self._change(connection, plan, placed, outcome, turn_is_active=turn.state is MemoryState.ACTIVE)
        await self._count(connection, plan, placed)
        await self._keep_verdicts(connection, plan, placed)
        await enrichment.note(connection, operation, self._told(plan, placed, turn.revision), self.new_id)
        return outcome

    async def _placed(self, connection: Connection, plan: Plan, *, has_changed: bool) -> Placed:
        """Place the facts among what is held now. Raises: StalePlan."""
        seen = plan.look
        if has_changed:
            seen = await look(connection, self.operation.tenant_id, plan.readings, plan.vectors, plan.basis)
            if plan.lacks(seen):
                raise StalePlan
        plan.look = seen
        placed = place(plan.placings(seen), seen.held)
        embedded = {plan.readings[number].told.memory_id for number in plan.vectors}
        if not embedded.issuperset(placed.written):
            raise StalePlan
        return placed

    async def _create(self, connection: Connection, plan: Plan, placed: Placed, outcome: Outcome) -> None:
        """Write the facts that are new, those too that have ended by now."""
        basis, operation = plan.basis, self.operation
        average = basis.terms / basis.memories if basis.memories else 0.0
        entries = []
        for number, reading in _written(plan, placed):
            embedded = Embedded(reading.revision.passages, plan.vectors[number])
            weights = reading.revision.weights(average)
            entries.append(Entry(reading.told.memory_id, reading.revision, weights, embedded))
        if not entries:
            await events.insert_operation(connection, operation)
            return
        scores = [
            Score(reading.told.memory_id, reading.score.importance, placed.held[reading.told.memory_id].mentioned)
            for _, reading in _written(plan, placed)
        ]
        await uses.score_new(connection, operation.tenant_id, scores)
        made = await writing.create(connection, operation, basis.generation.number, entries, self.new_id)
        if any(one.existing for one in made):
            raise StalePlan
        outcome.written += [entry.revision for entry in entries]

    async def _change(
        self, connection: Connection, plan: Plan, placed: Placed, outcome: Outcome, *, turn_is_active: bool
    ) -> None:
        """End, revive and relink; the turn is spoken for by its first fact that holds."""
        tenant_id, operation, before = self.operation.tenant_id, self.operation, plan.look.held
        new = {reading.told.memory_id: reading for _, reading in _written(plan, placed)}
        ending, relinked, revived = [], [], []
        for memory_id, held in placed.held.items():
            was = before.get(memory_id)
            if was is None or was.is_active:
                if not held.is_active:
                    ending.append(held)
            elif held.is_active:
                revived.append(memory_id)
            elif (held.state, held.superseded_by, held.until) != (was.state, was.superseded_by, was.until):
                relinked.append(held)
        superseded = {held.memory_id: held for held in ending if held.state is MemoryState.SUPERSEDED}
        known = {held.memory_id for held in relinked}
        for member in await reads.merged_into(connection, tenant_id, sorted(superseded)) if superseded else ():
            speaker = superseded[member.superseded_by] if member.superseded_by else None
            if speaker is not None and speaker.superseded_by and member.memory_id not in known:
                relinked.append(member.ended(speaker.superseded_by, speaker.until))
        if revived:
            outcome.written += await endings.restore(connection, operation, revived, self.derive, self.new_id)
        ended = [_ending(held) for held in ending]
        if placed.spoken_by and turn_is_active:
            by = next((one for one in placed.spoken_by if _holds(placed, one)), placed.spoken_by[0])
            ended.append(Ending(self.turn_id, MemoryState.MERGED, _SPOKEN, by))
        if ended:
            gone = await endings.end(connection, operation, ended, self.new_id)
            outcome.gone += [self.derive(memory.draft) for memory in gone]
        if relinked:
            await endings.relink(connection, operation, [_ending(held) for held in relinked], self.new_id)
        outcome.numbers = {
            "facts": sum(1 for reading in plan.readings if reading.before is None),
            "written": len(new),
            "mentioned": sum(1 for one in plan.readings if one.before is None and one.told.memory_id not in new),
            "superseded": sum(1 for held in ending if held.state is MemoryState.SUPERSEDED),
            "revived": len(revived),
        }

    async def _count(self, connection: Connection, plan: Plan, placed: Placed) -> None:
        """Count what was told again as used, and let it matter as much as it does now."""
        tenant_id = self.operation.tenant_id
        importance: dict[UUID, float] = {}
        guards: dict[UUID, Guard] = {}
        for by, reading in zip(placed.spoken_by, plan.readings, strict=True):
            if by in placed.mentioned:
                importance[by] = max(importance.get(by, 0.0), reading.score.importance)
                if reading.score.protection is not Guard.NONE:
                    guards.setdefault(by, reading.score.protection)
        scores = [Score(one, importance[one], at) for one, at in placed.mentioned.items()]
        if self.turn_score is not None:
            scores.append(Score(self.turn_id, self.turn_score.importance))
        if placed.mentioned:
            request_id = f"turn {self.turn_id}"
            await uses.count(connection, tenant_id, request_id, sorted(placed.mentioned), self.operation.recorded_at)
        await uses.score(connection, tenant_id, scores)
        if guards:
            await endings.protect(connection, self.operation, guards, self.new_id)

    async def _keep_verdicts(self, connection: Connection, plan: Plan, placed: Placed) -> None:
        written = frozenset(placed.written)
        new = [
            verdict for pair, verdict in plan.new_verdicts.items() if plan.readings[pair.fact].told.memory_id in written
        ]
        if new and plan.judge is not None:
            judge, o = plan.judge, self.operation
            await verdicts.insert(connection, o.tenant_id, judge.model, judge.prompt_version, o.recorded_at, new)

    def _told(self, plan: Plan, placed: Placed, revision: int) -> list[tuple[UUID, int, str]]:
        """Return what the histories of the turn and of its new facts keep: what was told, and why it matters.

        What may quote a memory stands in its own history, so that it goes with it.
        """
        written = _written(plan, placed)
        new = {reading.told.memory_id for _, reading in written}
        told: dict[str, Any] = {
            "facts": [
                {"memory_id": str(by), "outcome": "written" if reading.told.memory_id in new else "mentioned"}
                for by, reading in zip(placed.spoken_by, plan.readings, strict=True)
                if reading.before is None or reading.told.memory_id in new
            ]
        }
        if self.turn_score is not None:
            told |= _score(self.turn_score)
        facts = [(reading.told.memory_id, 1, json.dumps(_score(reading.score))) for _, reading in written]
        return [(self.turn_id, revision, json.dumps(told)), *facts]


def _written(plan: Plan, placed: Placed) -> list[tuple[int, Reading]]:
    written = frozenset(placed.written)
    return [(n, reading) for n, reading in enumerate(plan.readings) if reading.told.memory_id in written]


def _holds(placed: Placed, memory_id: UUID) -> bool:
    held = placed.held.get(memory_id)
    return held is None or held.is_active


def _ending(held: Held) -> Ending:
    return Ending(held.memory_id, held.state, _REASONS[held.state], held.superseded_by, held.until)


def _score(score: Importance) -> dict[str, Any]:
    return {
        "importance": score.importance,
        "memory_type": score.memory_type,
        "protection": score.protection,
        "why": score.reason[:REASON_MAX_CHARS],
    }
