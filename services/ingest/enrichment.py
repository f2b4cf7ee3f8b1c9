"""The job enrich_turn: reads a turn for facts and writes each to its place.

Rules: judge and the embedder are asked while no transaction is open; everything is written in one. The job may run any
number of times, at once or after a kill: a turn that was read is left alone. What cannot be read for now leaves the
turn as it is; the job says why and is tried again. It acts for the call that wrote the turn, at that call's present;
only its schedule goes by real time.
Source: REQUIREMENTS A1, D3, D7.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple
from uuid import UUID

from services.ingest.asking import Means, contended
from services.ingest.enrichment_judge import Judge
from services.ingest.enrichment_plan import Plan, Planner
from services.ingest.enrichment_turn import Reading, heard_of, reading, told_of_before
from services.ingest.enrichment_write import READABLE, Outcome, Writer
from services.ingest.runner import Turn as Attempt
from shared.domain.errors import Conflict, FailedPrecondition, NotFound
from shared.domain.extraction.facts import USER, Importance, Weighed
from shared.domain.records import reference_key
from shared.domain.types import Guard
from shared.store.pool import Connection
from shared.store.reads import enrichment as reads
from shared.store.reads.enrichment import TurnRead
from shared.store.writes import plans
from shared.store.writes.events import Operation
from shared.store.writes.plans import Basis
from shared.store.writes.writing import StalePlan

KIND = "enrich_turn"
MAX_ATTEMPTS = 36  # over a day: 2, 4, 8 … 2,048 s, then every hour; a model that is away longer is looked after
PLANS_MAX = 10  # a plan goes stale when another turn wrote a neighbour meanwhile (chosen, untested)
KNOWN_MAX = 200  # values of the speaker's slots that the extractor is told
ACTOR, ACTION = "enrichment", "enrich"


def parameters(memory_id: UUID, at: datetime) -> str:
    """Return the parameters of the job for a turn, written when the call took it for now."""
    return json.dumps({"memory": str(memory_id), "at": at.isoformat()})


class _Seen(NamedTuple):
    """A turn, what a plan rests on, and (attribute, raw value) of what is held of who speaks."""

    turn: TurnRead
    basis: Basis
    known: list[tuple[str, str]]


class Enrichment:
    """Enriches turns."""

    def __init__(self, means: Means, judge: Judge, *, statement_key: bytes) -> None:
        self._means = means
        self._judge = judge
        self._planner = Planner(means, judge, statement_key)

    async def handle(self, attempt: Attempt) -> Mapping[str, int]:
        """Read a turn for facts and write them; return what came of it, in numbers."""
        tenant_id, asked = attempt.attempt.tenant_id, json.loads(attempt.attempt.parameters)
        turn_id, at = UUID(asked["memory"]), datetime.fromisoformat(asked["at"])
        seen = await self._turn(attempt, tenant_id, turn_id)
        if seen is None or seen.turn.is_enriched or seen.turn.state not in READABLE:
            return {"facts": 0}
        readings, turn_score = await self._read(tenant_id, turn_id, seen, at)
        derive = await self._means.revisions.of(tenant_id)
        plan = Plan(readings, seen.basis, seen.turn.snapshot)
        for _ in range(PLANS_MAX):
            await self._planner.plan(attempt, plan)
            operation = Operation(tenant_id, self._means.new_id(), ACTION, ACTOR, "", f"turn {turn_id}", at)
            writer = Writer(operation, turn_id, derive, self._means.new_id, turn_score)
            try:
                outcome = await attempt.write(partial(writer.write, plan=plan), progress=lambda _: 1, total=1)
            except (StalePlan, Conflict, FailedPrecondition, NotFound):  # others wrote the same memories meanwhile
                seen = await self._turn(attempt, tenant_id, turn_id)
                if seen is None:
                    return {"facts": 0}
                plan.basis, plan.snapshot = seen.basis, seen.turn.snapshot
                continue
            self._note(tenant_id, outcome)
            return outcome.numbers or {"facts": 0}
        raise contended()

    async def _turn(self, attempt: Attempt, tenant_id: UUID, turn_id: UUID) -> _Seen | None:
        """Read the turn and what a plan begins with; None when it is gone."""

        async def read(connection: Connection) -> _Seen | None:
            turn = await reads.turn(connection, tenant_id, turn_id)
            if turn is None:
                return None
            record_key = reference_key(turn.draft.speaker or USER) or USER
            known = await reads.known(connection, tenant_id, record_key, KNOWN_MAX)
            return _Seen(turn, await plans.basis(connection, tenant_id), known)

        return await attempt.read(read)

    async def _read(
        self, tenant_id: UUID, turn_id: UUID, seen: _Seen, at: datetime
    ) -> tuple[list[Reading], Importance | None]:
        """Return the facts of a turn; of one without any, how much it matters itself."""
        turn = seen.turn
        heard = heard_of(turn.draft, turn.recorded_at, seen.known)
        facts = await self._judge.facts(tenant_id, heard)
        if not facts:
            (score,) = await self._judge.weigh(tenant_id, [Weighed(heard.user_text)])
            return [], score
        scores = await self._judge.weigh(tenant_id, [Weighed(f.text, f.slot, f.evidence) for f in facts])
        derive = await self._means.revisions.of(tenant_id)
        new_id, own = self._means.new_id, (turn_id, turn.draft)
        found: list[Reading] = []
        for fact, score in zip(facts, scores, strict=True):
            found.append(reading(derive, own, fact, score, new_id(), at))
            before = told_of_before(fact)
            if before is not None:
                lately = replace(score, protection=Guard.NONE)
                found.append(reading(derive, own, before, lately, new_id(), at, found[-1].told.memory_id))
        return found, None

    def _note(self, tenant_id: UUID, outcome: Outcome) -> None:
        if outcome.written or outcome.gone:
            self._means.statistics.add(tenant_id, outcome.written, outcome.gone)
        self._means.upkeep.note(tenant_id, len(outcome.written))
