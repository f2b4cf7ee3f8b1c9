"""Work units given out to holders: never more than the limit, whatever is repeated, lost, late or silent."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from candor.ingest.v1 import quota_pb2 as pb
from candor.ingest.v1.quota_pb2_grpc import QuotaServiceStub

from services.ingest.quota import QuotaServicer
from shared.clock import new_id
from shared.domain.errors import CandorError, InvalidArgument
from shared.rpc.clients import rpc_errors
from shared.store import migrate
from shared.store.pool import open_pool
from tests.services.running import role

pytestmark = pytest.mark.anyio
DAY = datetime(2026, 5, 1, 12, tzinfo=UTC)


class Desk:
    """A QuotaService on a real database, and its clock."""

    def __init__(self, stub: QuotaServiceStub, pool: Any) -> None:
        self.stub, self.pool, self.time = stub, pool, DAY

    def now(self) -> datetime:
        return self.time


@pytest.fixture(scope="module")
async def running(module_database: migrate.Dsns, anyio_backend: str) -> AsyncIterator[Desk]:
    pool = await open_pool(module_database.writer, size=8, application_name="test")
    desk = Desk(None, pool)  # type: ignore[arg-type]
    async with role("ingest", QuotaServicer(pool, key=b"k" * 32, now=desk.now)) as channel:
        desk.stub = QuotaServiceStub(channel)
        yield desk
    await pool.close()


@pytest.fixture
def desk(running: Desk) -> Desk:
    running.time = DAY
    return running


class Holder:
    """One holder of a subject's units."""

    def __init__(self, desk: Desk, subject: str, pool: str = "keyed") -> None:
        self.desk, self.id, self.sequence = desk, str(new_id()), 0
        self.meter = pb.Meter(day=desk.time.date().isoformat(), pool=pool, subject=subject)
        self.used = self.kept = 0

    def standing(self) -> pb.Standing:
        self.sequence += 1
        return pb.Standing(meter=self.meter, holder_id=self.id, sequence=self.sequence, used=self.used, kept=self.kept)

    def word(self, needed: int, limit: int, asked: int = 0) -> pb.ReserveUnitsRequest:
        return pb.ReserveUnitsRequest(standing=self.standing(), needed=needed, asked=asked, limit=limit)

    async def reserve(self, needed: int, limit: int, asked: int = 0) -> pb.ReserveUnitsResponse:
        answer = await self.desk.stub.ReserveUnits(self.word(needed, limit, asked))
        self.kept += answer.granted
        return answer

    async def settle(self) -> pb.Level:
        answer = await self.desk.stub.SettleUnits(pb.SettleUnitsRequest(standings=[self.standing()]))
        return answer.levels[0]


async def test_holders_that_ask_at_once_get_exactly_the_limit(desk: Desk) -> None:
    subject = str(new_id())
    holders = [Holder(desk, subject) for _ in range(8)]

    async def ask(holder: Holder) -> None:
        for _ in range(30):
            await holder.reserve(1, 100)

    await asyncio.gather(*map(ask, holders))
    assert sum(holder.kept for holder in holders) == 100


async def test_what_is_not_needed_goes_back_and_what_is_used_does_not(desk: Desk) -> None:
    subject = str(new_id())
    one, other = Holder(desk, subject), Holder(desk, subject)
    assert (await one.reserve(60, 100)).granted == 60
    refused = await other.reserve(60, 100)
    assert (refused.granted, refused.level.taken, refused.level.held_elsewhere) == (0, 60, 60)
    one.used, one.kept = 10, 0  # fifty were not needed
    level = await one.settle()
    assert (level.taken, level.held_elsewhere) == (10, 0)
    assert (await other.reserve(90, 100)).granted == 90
    assert (await one.reserve(1, 100)).granted == 0


async def test_a_repeated_call_and_a_lost_answer_take_nothing_twice(desk: Desk) -> None:
    subject = str(new_id())
    one, other = Holder(desk, subject), Holder(desk, subject)
    word = one.word(40, 100)
    assert (await desk.stub.ReserveUnits(word)).granted == 40
    assert (await desk.stub.ReserveUnits(word)).granted == 0  # overtaken by itself
    # The answers were lost: the holder does not know of the forty, and its next word says so.
    assert (await one.reserve(10, 100)).granted == 10
    assert (await other.reserve(90, 100)).granted == 90


async def test_a_word_that_comes_late_changes_nothing(desk: Desk) -> None:
    one = Holder(desk, str(new_id()))
    await one.reserve(10, 100)
    late = one.standing()
    one.used, one.kept = 10, 0
    assert (await one.settle()).taken == 10
    answer = await desk.stub.SettleUnits(pb.SettleUnitsRequest(standings=[late]))
    assert answer.levels[0].taken == 10


async def test_what_a_silent_holder_held_is_free_after_a_minute(desk: Desk) -> None:
    subject = str(new_id())
    gone, other = Holder(desk, subject), Holder(desk, subject)
    await gone.reserve(100, 100)
    gone.used, gone.kept = 30, 70
    await gone.settle()
    desk.time += timedelta(seconds=59)
    assert (await other.reserve(1, 100)).granted == 0
    desk.time += timedelta(seconds=1)
    assert (await other.reserve(70, 100)).granted == 70
    assert (await other.reserve(1, 100)).granted == 0


async def test_another_day_pool_or_subject_is_another_meter(desk: Desk) -> None:
    subject = str(new_id())
    await Holder(desk, subject).reserve(5, 5)
    assert (await Holder(desk, subject).reserve(1, 5)).granted == 0
    assert (await Holder(desk, str(new_id())).reserve(5, 5)).granted == 5
    assert (await Holder(desk, subject, pool="public").reserve(5, 5)).granted == 5
    desk.time += timedelta(days=1)
    assert (await Holder(desk, subject).reserve(5, 5)).granted == 5


async def test_of_an_address_only_a_hash_is_kept_and_old_days_go(desk: Desk) -> None:
    await Holder(desk, "198.51.100.7", pool="public").reserve(1, 5)
    subjects = {row["subject"] for row in await desk.pool.fetch("SELECT subject FROM candor.quota")}
    assert not any("198" in subject and "." in subject for subject in subjects)
    desk.time += timedelta(days=9)
    await Holder(desk, "").reserve(1, 5)
    assert await desk.pool.fetchval("SELECT count(DISTINCT day) FROM candor.quota") == 1


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"standing": pb.Standing(meter=pb.Meter(day="yesterday", pool="keyed"))}, "METER_INVALID"),
        ({"standing": pb.Standing(meter=pb.Meter(day="2026-05-01", pool="other"))}, "METER_INVALID"),
        ({"standing": pb.Standing(meter=pb.Meter(day="2026-05-01", pool="keyed", subject="a\0"))}, "METER_INVALID"),
        ({"standing": pb.Standing(meter=pb.Meter(day="2026-05-01", pool="keyed"), used=-1)}, "UNITS_INVALID"),
        ({"standing": pb.Standing(meter=pb.Meter(day="2026-05-01", pool="keyed"), holder_id="x")}, "HOLDER_ID_INVALID"),
        (
            {
                "standing": pb.Standing(meter=pb.Meter(day="2026-05-01", pool="keyed"), holder_id=str(new_id())),
                "needed": 0,
            },
            "UNITS_INVALID",
        ),
    ],
)
async def test_a_wrong_word_is_refused(desk: Desk, wrong: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidArgument) as caught, rpc_errors():
        await desk.stub.ReserveUnits(pb.ReserveUnitsRequest(**{"needed": 1, "limit": 5, **wrong}))
    assert caught.value.reason == reason


async def test_too_many_words_at_once_are_refused(desk: Desk) -> None:
    holder = Holder(desk, "")
    request = pb.SettleUnitsRequest(standings=[holder.standing() for _ in range(1_001)])
    with pytest.raises(CandorError) as caught, rpc_errors():
        await desk.stub.SettleUnits(request)
    assert caught.value.reason == "TOO_MANY_STANDINGS"
