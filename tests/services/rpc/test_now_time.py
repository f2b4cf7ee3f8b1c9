"""A request says what time it is, where that is allowed, and every hop hears of it."""

from datetime import UTC, datetime, timedelta, timezone

import grpc
import pytest
from candor.judge.v1.models_pb2 import GetModelsRequest, GetModelsResponse, Model
from candor.judge.v1.models_pb2_grpc import ModelsServiceServicer
from pydantic import ValidationError

from shared import config
from shared.domain.errors import FailedPrecondition, InvalidArgument
from shared.rpc import clients, now_time
from shared.rpc.context import Context, serving
from tests.services.running import role

pytestmark = pytest.mark.anyio
REAL = datetime(2026, 11, 30, 12, tzinfo=UTC)
SIMULATED = config.Settings(drain_seconds=0.2, clock=config.Clock.REQUEST)
SAID = datetime(2026, 3, 1, 9, tzinfo=UTC)


class Telling(ModelsServiceServicer):
    """Answers with the present, its own or that of the role behind it."""

    def __init__(self, behind: grpc.aio.Channel | None = None) -> None:
        self._behind, self._now = behind, now_time.of_call(lambda: REAL)

    async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
        if self._behind is not None:
            return await clients.models(self._behind).GetModels(request)
        return GetModelsResponse(models=[Model(model=self._now().isoformat())])


async def told(channel: grpc.aio.Channel, said: str | None) -> datetime:
    metadata = (("x-now-time", said),) if said is not None else ()
    with clients.rpc_errors():
        answer = await clients.models(channel).GetModels(GetModelsRequest(), metadata=metadata)
    return datetime.fromisoformat(answer.models[0].model)


async def test_every_hop_takes_what_the_request_says_for_the_present() -> None:
    async with (
        role("judge", Telling(), settings=SIMULATED) as inner,
        role("audit", Telling(inner), settings=SIMULATED) as outer,
    ):
        assert await told(outer, "2026-03-01T10:00:00+01:00") == SAID
        assert await told(outer, None) == REAL


async def test_where_time_is_real_the_request_is_refused() -> None:
    async with role("judge", Telling()) as channel:
        with pytest.raises(FailedPrecondition) as caught:
            await told(channel, "2026-03-01T09:00:00Z")
        assert caught.value.reason == "NOW_TIME_REFUSED"
        assert await told(channel, None) == REAL


@pytest.mark.parametrize("said", ["yesterday", "2026-03-01T09:00:00", "2026-13-01T09:00:00Z"])
async def test_an_instant_without_zone_or_sense_is_refused(said: str) -> None:
    async with role("judge", Telling(), settings=SIMULATED) as channel:
        with pytest.raises(InvalidArgument) as caught:
            await told(channel, said)
        assert caught.value.violations[0].reason == "NOW_TIME_INVALID"


def test_it_is_kept_to_the_millisecond_as_the_clock_is() -> None:
    exact = SAID + timedelta(microseconds=123_456)
    assert now_time.read(now_time.write(exact)) == SAID + timedelta(milliseconds=123)


def test_outside_a_call_and_in_one_that_says_nothing_time_is_real() -> None:
    now = now_time.of_call(lambda: REAL)
    assert now() == REAL
    with serving("one", None):
        assert now() == REAL
    with serving("two", None, SAID.astimezone(timezone(timedelta(hours=2)))):
        assert now() == SAID


def test_production_keeps_real_time() -> None:
    with pytest.raises(ValidationError, match="CANDOR_CLOCK"):
        config.Settings(env=config.Environment.PRODUCTION, clock=config.Clock.REQUEST)
