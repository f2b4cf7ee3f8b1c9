"""TimelineService: what was live when, and how present a memory will be if nobody uses it.

Rules: counts are of recorded history, in one snapshot; the projection is the formula that ranking and sweeps follow,
by the tenant's settings in force. It does not write.
Source: REQUIREMENTS D1, D2.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial

from candor.retrieve.v1 import timeline_pb2 as pb
from candor.retrieve.v1.timeline_pb2_grpc import TimelineServiceServicer

from services.retrieve.filters import memory_id_of
from shared.domain import population, retention, retention_setting, salience
from shared.domain.errors import InvalidArgument, NotFound
from shared.domain.retention import Retention, Standing
from shared.domain.types import MemoryState
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run
from shared.store.reads import settings, timeline

POINTS_MAX = 1_000  # the contract's
DEFAULT_POINTS, DEFAULT_STEP = 50, timedelta(days=1)  # the contract's
LOOK_BACK, LOOK_AHEAD = timedelta(days=30), timedelta(days=90)  # the contract's
_FIRST = datetime(1, 1, 2, tzinfo=UTC)
_LAST = datetime(9999, 1, 1, tzinfo=UTC)  # room for a microsecond more


class Timeline(TimelineServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._now = now

    async def GetPopulation(self, request: pb.GetPopulationRequest, context: Context) -> pb.GetPopulationResponse:
        """Count memories by state over time. Raises: InvalidArgument RANGE_INVALID, STEP_INVALID, TOO_MANY_POINTS."""
        tenant_id = wire.tenant(request)
        until = wire.instant(request, "until") or self._now()
        since = wire.instant(request, "since") or _moved(until, -LOOK_BACK)
        _check_range(since, until)
        if request.step_seconds < 0:
            raise InvalidArgument.of("step_seconds", "STEP_INVALID", "must be 1 or more")
        step = timedelta(seconds=request.step_seconds) if request.step_seconds else DEFAULT_STEP
        if (until - since) // step + 1 > POINTS_MAX:
            raise InvalidArgument.of("step_seconds", "TOO_MANY_POINTS", f"makes more than {POINTS_MAX} instants")
        points = population.instants(since, until, step)
        read = partial(timeline.moves, tenant_id=tenant_id, bounds=population.bounds(points))
        counted = population.populations(len(points), await run(self._pool, tenant_id, read, read_only=True))
        return pb.GetPopulationResponse(
            points=[
                pb.Population(at=wire.to_timestamp(at), **{state.value: counts[state] for state in MemoryState})
                for at, counts in zip(points, counted, strict=True)
            ]
        )

    async def ProjectSalience(self, request: pb.ProjectSalienceRequest, context: Context) -> pb.ProjectSalienceResponse:
        """Tell how present a memory will be.

        Raises: InvalidArgument MEMORY_ID_INVALID, RANGE_INVALID, TOO_MANY_POINTS; NotFound MEMORY_NOT_FOUND.
        """
        tenant_id, memory_id = wire.tenant(request), memory_id_of(request.memory_id)
        points = request.points or DEFAULT_POINTS
        if not 2 <= points <= POINTS_MAX:
            raise InvalidArgument.of("points", "TOO_MANY_POINTS", f"must be between 2 and {POINTS_MAX}")

        async def read(connection: Connection) -> tuple[tuple[MemoryState, Standing] | None, Retention]:
            version = await settings.in_force(connection, tenant_id)
            rules = retention_setting.of_json(version.settings).rules()
            return await timeline.standing(connection, tenant_id, memory_id), rules

        found, rules = await run(self._pool, tenant_id, read, read_only=True)
        if found is None:
            named = {"memory_id": str(memory_id)}
            raise NotFound("MEMORY_NOT_FOUND", "there is no such memory", metadata=named)
        state, standing = found
        fades_at = retention.fades_at(standing, rules) if state is MemoryState.ACTIVE else None
        since = wire.instant(request, "since") or self._now()
        until = wire.instant(request, "until") or (
            fades_at if fades_at is not None and fades_at > since else _moved(since, LOOK_AHEAD)
        )
        _check_range(since, until)
        trace = retention.trace(standing)
        weight = salience.importance(trace, rules.fading)
        step = (until - since) / (points - 1)
        return pb.ProjectSalienceResponse(
            memory_id=str(memory_id),
            state=wire.to_state(state),
            points=[_presence(since + step * number, trace, rules) for number in range(points - 1)]
            + [_presence(until, trace, rules)],
            importance=weight,
            uses=trace.recalls,
            used_at=wire.to_timestamp(trace.used_at),
            half_life_hours=rules.fading.half_life_hours(trace.memory_type, weight),
            floor=rules.fading.floor,
            fades_at=wire.to_timestamp(fades_at),
            protections=retention.protection(standing).reasons,
        )


def _presence(at: datetime, trace: salience.Trace, rules: Retention) -> pb.Presence:
    return pb.Presence(at=wire.to_timestamp(at), salience=salience.salience(trace, at, rules.fading))


def _moved(at: datetime, by: timedelta) -> datetime:
    """Return an instant so much later; at the ends of time, the end."""
    try:
        return at + by
    except OverflowError:
        return _FIRST if by < timedelta() else _LAST


def _check_range(since: datetime, until: datetime) -> None:
    if not since <= until <= _LAST:
        raise InvalidArgument.of("until", "RANGE_INVALID", "must not be before `since`, nor after the year 9998")
