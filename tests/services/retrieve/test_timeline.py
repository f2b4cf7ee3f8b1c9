"""What was live when, counted against a replay of history, and the projection of salience."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import grpc
import pytest
from candor.retrieve.v1 import timeline_pb2 as pb
from google.protobuf.timestamp_pb2 import Timestamp

from services.retrieve.timeline import Timeline
from shared.clock import new_id
from shared.domain.errors import InvalidArgument, NotFound
from shared.rpc import life_stubs, wire
from shared.rpc.clients import rpc_errors
from shared.store import migrate
from shared.store.pool import open_pool
from tests.services.ingest.judging import invalidate, restore
from tests.services.ingest.test_erasure import erase
from tests.services.ingest.test_reinforcement import used
from tests.services.ingest.test_sweep import date_of, swept, trivia
from tests.services.ingest.workplace import Workplace, workplace
from tests.services.running import role

pytestmark = pytest.mark.anyio
HOUR = 3_600


@dataclass(frozen=True)
class Both:
    """Ingest, and a channel to retrieve."""

    ingest: Workplace
    via: grpc.aio.Channel


@pytest.fixture(scope="module")
async def both(module_database: migrate.Dsns, anyio_backend: str) -> AsyncIterator[Both]:
    reader = await open_pool(module_database.reader, size=2, application_name="test")
    try:
        async with workplace(module_database) as ingest, role("retrieve", Timeline(reader, ingest.clock.now)) as via:
            yield Both(ingest, via)
    finally:
        await reader.close()


@pytest.fixture
def tenant() -> UUID:
    return new_id()


def stamp(at: datetime) -> Timestamp:
    made = wire.to_timestamp(at)
    assert made is not None
    return made


async def counted(both: Both, tenant: UUID, **given: Any) -> list[pb.Population]:
    with rpc_errors():
        request = pb.GetPopulationRequest(tenant_id=str(tenant), **given)
        return list((await life_stubs.timeline(both.via).GetPopulation(request)).points)


async def projected(both: Both, tenant: UUID, memory_id: str, **given: Any) -> pb.ProjectSalienceResponse:
    with rpc_errors():
        request = pb.ProjectSalienceRequest(tenant_id=str(tenant), memory_id=memory_id, **given)
        return await life_stubs.timeline(both.via).ProjectSalience(request)


async def test_the_population_at_an_instant_is_what_a_replay_of_history_gives(both: Both, tenant: UUID) -> None:
    ingest = both.ingest
    since = ingest.clock.time
    expected: list[tuple[datetime, dict[str, int]]] = []

    async def hour() -> None:
        """Count what is stored at the next full hour: what the population at this instant must be."""
        ingest.clock.time = since + timedelta(seconds=HOUR * len(expected))
        rows = await ingest.rows("SELECT state, count(*) FROM memory WHERE tenant_id = $1 GROUP BY state", tenant)
        expected.append((ingest.clock.time, dict(rows)))
        ingest.clock.tick(1)

    await hour()
    ids = [await trivia(ingest, tenant, f"fact {number}") for number in range(4)]
    await hour()
    await invalidate(ingest, tenant, ids[0])
    await hour()
    await restore(ingest, tenant, ids[0])
    await invalidate(ingest, tenant, ids[1])
    await hour()
    ingest.clock.time = since + timedelta(days=12)
    await swept(ingest, tenant)
    last = ingest.clock.time
    points = await counted(both, tenant, since=stamp(since), until=stamp(last), step_seconds=HOUR)
    assert len(points) == (last - since) // timedelta(hours=1) + 1
    names = ("active", "superseded", "incorrect", "merged", "forgotten", "erased")
    told = [{name: getattr(p, name) for name in names if getattr(p, name)} for p in points]
    assert [point.at.ToDatetime(since.tzinfo) for point in points[:4]] == [at for at, _ in expected]
    assert told[:4] == [counts for _, counts in expected]
    assert told[-2] == {"active": 3, "incorrect": 1}
    assert told[-1] == {"forgotten": 3, "incorrect": 1}  # what is recorded at the very instant counts
    assert await counted(both, new_id(), since=stamp(last)) == [pb.Population(at=stamp(last))]


async def test_the_projection_falls_to_the_floor_when_the_memory_fades(both: Both, tenant: UUID) -> None:
    ingest = both.ingest
    memory_id = await trivia(ingest, tenant)
    await ingest.uses.ReinforceMemories(used(tenant, "r1", memory_id))
    told = await projected(both, tenant, memory_id, points=11)
    saliences = [point.salience for point in told.points]
    assert saliences == sorted(saliences, reverse=True) and len(saliences) == 11
    assert saliences[-1] == pytest.approx(told.floor) == pytest.approx(0.05)
    fades_at = await date_of(ingest, tenant, memory_id)
    assert told.fades_at.ToDatetime(ingest.clock.time.tzinfo) == fades_at
    assert (told.importance, told.uses, told.half_life_hours, list(told.protections)) == (0.4, 1, 72.0, [])
    pinned = await projected(both, tenant, await trivia(ingest, tenant, "pinned", pinned=True))
    assert not pinned.HasField("fades_at") and list(pinned.protections) == ["pinned"]
    await invalidate(ingest, tenant, memory_id)
    assert not (await projected(both, tenant, memory_id)).HasField("fades_at")


async def test_a_wrong_range_is_refused(both: Both, tenant: UUID) -> None:
    now = both.ingest.clock.time
    later, much_later = stamp(now + timedelta(days=1)), stamp(now + timedelta(days=1001))
    for given, reason in (
        ({"since": later, "until": stamp(now)}, "RANGE_INVALID"),
        ({"step_seconds": -1}, "STEP_INVALID"),
        ({"since": stamp(now), "until": much_later}, "TOO_MANY_POINTS"),
        ({"until": stamp(datetime(1, 1, 1, 2, tzinfo=UTC))}, "RANGE_INVALID"),
        ({"until": stamp(datetime(1, 1, 1, tzinfo=UTC))}, "TIME_INVALID"),
    ):
        with pytest.raises(InvalidArgument) as caught:
            await counted(both, tenant, **given)
        assert caught.value.reason == reason
    memory_id = await trivia(both.ingest, tenant)
    for given, reason in (
        ({"points": 1}, "TOO_MANY_POINTS"),
        ({"since": later, "until": stamp(now)}, "RANGE_INVALID"),
        ({"since": stamp(datetime(9999, 12, 31, tzinfo=UTC))}, "RANGE_INVALID"),
    ):
        with pytest.raises(InvalidArgument) as caught:
            await projected(both, tenant, memory_id, **given)
        assert caught.value.reason == reason
    with pytest.raises(NotFound):
        await projected(both, new_id(), memory_id)


async def test_what_was_erased_is_counted_as_it_was_and_as_erased(both: Both, tenant: UUID) -> None:
    ids = [(await both.ingest.create(tenant, f"note {n}")).memory.memory_id for n in range(3)]
    start = both.ingest.clock.time
    both.ingest.clock.tick(HOUR / 2)
    await invalidate(both.ingest, tenant, ids[0])
    both.ingest.clock.tick(HOUR)
    await erase(both.ingest, tenant, memory_ids=ids[:2])
    until = start + timedelta(seconds=2 * HOUR)
    points = await counted(both, tenant, since=stamp(start), until=stamp(until), step_seconds=HOUR)
    assert [(one.active, one.incorrect, one.erased) for one in points] == [(3, 0, 0), (2, 1, 0), (1, 0, 2)]
