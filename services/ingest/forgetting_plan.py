"""Plans of forgetting: what a request means, which memories that is at the moment, and whether it still is so.

Rules: a plan is stale when a memory of it has ended, has another revision, or fades at another instant than was shown:
then it was used, protected, or is ruled by other settings. Filters and decay leave protected memories out; who names a
memory means it. It does not carry plans out.
Source: REQUIREMENTS D2, D5.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import isfinite
from uuid import UUID

from candor.ingest.v1 import forgetting_pb2 as pb

from shared.domain import retention
from shared.domain.errors import Conflict, FailedPrecondition, InvalidArgument, NotFound
from shared.domain.retention import Standing
from shared.domain.salience import salience
from shared.domain.text import company_key, nfc, refused_character
from shared.rpc import wire
from shared.store.pool import Connection
from shared.store.writes import endings, fading, forgetting
from shared.store.writes.forgetting import Filter, Plan, PlannedEnd

FORGET = "forget"  # the action of the operation
IDS_MAX = 1_000  # of one plan; the contract's
LOOKED_AT_MAX = 10_000  # memories that match, for one plan; chosen, untested
KEPT = timedelta(days=1)  # how long a plan may be carried out; the contract's
FADED, SURPLUS = pb.FORGETTING_CAUSE_FADED, pb.FORGETTING_CAUSE_SURPLUS
NAMED, MATCHED = pb.FORGETTING_CAUSE_NAMED, pb.FORGETTING_CAUSE_MATCHED


@dataclass(frozen=True, slots=True)
class Step:
    """A preview that is asked for: of ids, of a filter, or (neither) of what has faded."""

    ids: tuple[UUID, ...] = ()
    wanted: Filter | None = None
    salience_below: float | None = None


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan and how it is told."""

    plan: Plan
    told: tuple[pb.PlannedEnd, ...]
    protected: int = 0
    truncated: bool = False

    def message(self, plan_id: UUID) -> pb.ForgetMemoriesResponse:
        """Return the answer."""
        told = {"memories": self.told, "protected": self.protected, "truncated": self.truncated}
        return pb.ForgetMemoriesResponse(plan_id=str(plan_id), **told)  # type: ignore[arg-type]  # fields by name


def step_of(request: pb.ForgetMemoriesRequest, now: datetime) -> Step | UUID:
    """Return what a request asks for: a preview, or the plan to carry out.

    Raises: InvalidArgument PLAN_MISSING, PLAN_CONTRADICTORY, PLAN_ID_INVALID, TOO_MANY_IDS, MEMORY_ID_INVALID,
    SALIENCE_INVALID, FORBIDDEN_CHARACTER, KIND_INVALID.
    """
    company = company_key(nfc(request.company).strip()) if request.company else None
    session = nfc(request.session).strip() if request.session else None
    for field in ("company", "session"):
        forbidden = refused_character(getattr(request, field))
        if forbidden is not None:
            raise InvalidArgument.of(field, "FORBIDDEN_CHARACTER", f"holds {forbidden}")
    below = request.salience_below if request.HasField("salience_below") else None
    if below is not None and not (isfinite(below) and below >= 0):
        raise InvalidArgument.of("salience_below", "SALIENCE_INVALID", "must be a number of 0 or more")
    before = wire.instant(request, "recorded_before")
    wanted = Filter(wire.kind_of(request.kind, "kind") if request.kind else None, company, session, before)
    is_filtered = wanted != Filter() or below is not None
    if len(request.memory_ids) > IDS_MAX:
        told = f"has {len(request.memory_ids)} entries; at most {IDS_MAX}"
        raise InvalidArgument.of("memory_ids", "TOO_MANY_IDS", told)
    ids = tuple(
        wire.identifier(text, f"memory_ids[{i}]", "MEMORY_ID_INVALID") for i, text in enumerate(request.memory_ids)
    )
    if request.plan_id:
        if request.preview or ids or is_filtered:
            told = "stands alone: the plan says what is forgotten"
            raise InvalidArgument.of("plan_id", "PLAN_CONTRADICTORY", told)
        return wire.identifier(request.plan_id, "plan_id", "PLAN_ID_INVALID")
    if not request.preview:
        raise InvalidArgument.of("plan_id", "PLAN_MISSING", "must be the plan of a preview; ask with preview first")
    if ids and is_filtered:
        raise InvalidArgument.of("memory_ids", "PLAN_CONTRADICTORY", "cannot be joined with filters")
    return Step(tuple(dict.fromkeys(ids)), wanted if is_filtered else None, below)


async def planned(connection: Connection, tenant_id: UUID, step: Step, now: datetime) -> Planned:
    """Plan what is to be forgotten. Raises: NotFound MEMORY_NOT_FOUND, FailedPrecondition MEMORY_ENDED."""
    rules = await fading.rules(connection, tenant_id)
    causes: dict[UUID, pb.ForgettingCause.ValueType]
    more = False
    if step.ids:
        causes = dict.fromkeys(step.ids, NAMED)
        await _check_live(connection, tenant_id, step.ids)
    elif step.wanted is not None:
        found = await forgetting.matching(connection, tenant_id, step.wanted, LOOKED_AT_MAX + 1)
        more = len(found) > LOOKED_AT_MAX
        causes = dict.fromkeys(found[:LOOKED_AT_MAX], MATCHED)
    else:
        causes = dict.fromkeys(await fading.due(connection, tenant_id, now, IDS_MAX + 1), FADED)
        if rules.capacity is not None:
            first = await fading.surplus(connection, tenant_id, rules.capacity, IDS_MAX + 1)
            causes |= {memory_id: SURPLUS for memory_id in first if memory_id not in causes}
    standings = await fading.standings(connection, tenant_id, list(causes))
    ends: list[tuple[PlannedEnd, pb.PlannedEnd]] = []
    protected = 0
    for memory_id, (revision, standing) in standings.items():
        cause = causes[memory_id]
        end = PlannedEnd(memory_id, revision, retention.fades_at(standing, rules))
        present = salience(retention.trace(standing), now, rules.fading)
        if cause == FADED and (end.fades_at is None or end.fades_at > now):
            continue
        if step.salience_below is not None and (standing.kind not in rules.kinds or present >= step.salience_below):
            continue
        if cause != NAMED and retention.protection(standing).is_protected:
            protected += 1
            continue
        ends.append((end, _told(end, standing, cause, present)))
    ends.sort(key=lambda pair: (pair[0].fades_at is None, pair[0].fades_at or now, pair[0].memory_id))
    more = more or len(ends) > IDS_MAX
    kept = ends[:IDS_MAX]
    return Planned(Plan(tuple(end for end, _ in kept), now), tuple(told for _, told in kept), protected, more)


async def confirmed(connection: Connection, tenant_id: UUID, plan_id: UUID, now: datetime) -> Planned:
    """Return a plan that still is as it was shown, its memories locked.

    Raises: NotFound PLAN_NOT_FOUND, Conflict PLAN_STALE.
    """
    plan = await forgetting.find_plan(connection, tenant_id, plan_id)
    if plan is None:
        raise NotFound("PLAN_NOT_FOUND", "there is no such plan", metadata={"plan_id": str(plan_id)})
    if now - plan.recorded_at > KEPT:
        raise Conflict("PLAN_STALE", "the plan is older than a day", metadata={"plan_id": str(plan_id)})
    ids = [end.memory_id for end in plan.ends]
    await endings.lock(connection, tenant_id, ids)
    rules = await fading.rules(connection, tenant_id)
    standings = await fading.standings(connection, tenant_id, ids)
    told = []
    for end in plan.ends:
        revision, standing = standings.get(end.memory_id, (0, None))
        if standing is None or (revision, retention.fades_at(standing, rules)) != (end.revision, end.fades_at):
            named = {"plan_id": str(plan_id), "memory_id": str(end.memory_id)}
            raise Conflict("PLAN_STALE", "a memory of the plan is not as it was shown; preview again", metadata=named)
        present = salience(retention.trace(standing), now, rules.fading)
        told.append(_told(end, standing, pb.FORGETTING_CAUSE_UNSPECIFIED, present))
    return Planned(plan, tuple(told))


def _told(end: PlannedEnd, standing: Standing, cause: pb.ForgettingCause.ValueType, present: float) -> pb.PlannedEnd:
    return pb.PlannedEnd(
        memory_id=str(end.memory_id),
        revision=end.revision,
        cause=cause,
        salience=present,
        fades_at=wire.to_timestamp(end.fades_at),
        protections=retention.protection(standing).reasons,
    )


async def _check_live(connection: Connection, tenant_id: UUID, ids: tuple[UUID, ...]) -> None:
    found = await endings.lock(connection, tenant_id, ids)
    for memory_id in ids:
        named = {"memory_id": str(memory_id)}
        if memory_id not in found:
            raise NotFound("MEMORY_NOT_FOUND", "there is no such memory", metadata=named)
        if found[memory_id].ended_at is not None:
            raise FailedPrecondition("MEMORY_ENDED", f"the memory is {found[memory_id].state}", metadata=named)
