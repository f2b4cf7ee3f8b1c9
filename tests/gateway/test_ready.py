"""Ready, and deeply so: who is not ready is named, and the models are tried seldom and once at a time."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import anyio
import grpc
import httpx2
import pytest
from candor.retrieve.v1 import providers_pb2 as pb
from google.protobuf.message import Message

from gateway.app import create_app
from gateway.readiness import BAD_SECONDS, GOOD_SECONDS, DeepLook, QuickLook
from shared.config import Environment, Settings
from shared.domain.errors import Internal, UpstreamUnavailable
from tests.gateway.conftest import Gateway

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 4, 1, 9, tzinfo=UTC)
LOCAL = pb.Provider(role="embed", purpose="embedding", model="small", local=True)
GOOD = pb.ProbeProvidersResponse(
    embedder=pb.ProbedModel(model="vectors-1", dimensions=8),
    narrator=pb.ProbedModel(model="chat-1", grounding="passed"),
)
BAD = pb.ProbeProvidersResponse(embedder=GOOD.embedder, narrator=pb.ProbedModel(failure="MODEL_UNAVAILABLE"))
Asking = Callable[..., Any]


class Time:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def deep(gateway: Gateway, channels: dict[str, grpc.aio.Channel], settings: Settings, time: Time) -> DeepLook:
    return DeepLook(QuickLook(channels, settings), channels["retrieve"], lambda: NOW, time)


def probes(gateway: Gateway) -> int:
    return [name for name, _ in gateway.script.asked].count("ProbeProviders")


def production(channels: dict[str, grpc.aio.Channel], **given: Any) -> httpx2.AsyncClient:
    app = create_app(Settings(env=Environment.PRODUCTION, **given), channels)
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://gateway")


async def test_a_role_that_recall_and_answers_need_is_named_with_its_reason(gateway: Gateway) -> None:
    failed = pb.Provider(role="judge", failure="UNAVAILABLE")
    gateway.script.answers["GetProviders"] = [pb.GetProvidersResponse(providers=[LOCAL, failed])]
    response = await gateway.client.get("/ready")
    assert (response.status_code, response.json()["reason"]) == (503, "NOT_READY")
    assert response.json()["metadata"] == {"failing": "judge", "reason.judge": "UNAVAILABLE"}
    assert response.json()["detail"] == "Not ready: judge (UNAVAILABLE)."


@pytest.mark.parametrize(
    ("given", "status"), [({}, 503), ({"allow_local": "judge"}, 503), ({"allow_local": "embed"}, 200)]
)
async def test_production_is_not_ready_on_a_stand_in_that_is_not_allowed(
    gateway: Gateway, channels: dict[str, grpc.aio.Channel], given: dict[str, str], status: int
) -> None:
    gateway.script.answers["GetProviders"] = [pb.GetProvidersResponse(providers=[LOCAL])]
    async with production(channels, **given) as client:
        response = await client.get("/ready")
        assert response.status_code == status
        if status == 503:
            assert response.json()["metadata"] == {"failing": "embed", "reason.embed": "LOCAL_STAND_IN"}
            assert (await client.get("/ready/deep")).status_code == 503
    assert probes(gateway) == 0


async def test_development_is_ready_on_a_stand_in(gateway: Gateway) -> None:
    gateway.script.answers["GetProviders"] = [pb.GetProvidersResponse(providers=[LOCAL])]
    assert (await gateway.client.get("/ready")).status_code == 200


async def test_a_deep_look_needs_no_key_costs_nothing_and_is_kept(gateway: Gateway) -> None:
    del gateway.client.headers["authorization"]
    gateway.script.answers["ProbeProviders"] = [GOOD]
    first, second = [await gateway.client.get("/ready/deep") for _ in range(2)]
    assert first.status_code == 200
    told = first.json()
    assert told.pop("checkedAt").endswith("Z")
    assert told == {
        "status": "ready",
        "cacheTtlSeconds": 600,
        "checks": {
            "database": "operational",
            "embedder": {"status": "operational", "modelId": "vectors-1", "dimensions": 8},
            "narrator": {"status": "operational", "modelId": "chat-1", "grounding": "passed"},
        },
        "cached": False,
    }
    assert second.json() == first.json() | {"cached": True}
    assert probes(gateway) == 1
    assert "x-quota-limit" not in first.headers
    assert {name for name, _ in gateway.script.asked} == {"GetProviders", "ProbeProviders"}


async def test_what_fails_is_named_and_looked_at_again_after_a_minute(gateway: Gateway) -> None:
    gateway.script.answers["ProbeProviders"] = [BAD]
    response = await gateway.client.get("/ready/deep")
    assert (response.status_code, response.json()["reason"]) == (503, "NOT_READY")
    assert response.json()["metadata"] == {"failing": "narrator", "reason.narrator": "MODEL_UNAVAILABLE"}
    assert 55 <= int(response.headers["retry-after"]) <= BAD_SECONDS
    assert (await gateway.client.get("/ready/deep")).status_code == 503
    assert probes(gateway) == 1


@pytest.mark.parametrize(("answer", "kept_seconds"), [(GOOD, GOOD_SECONDS), (BAD, BAD_SECONDS)])
async def test_how_long_a_look_counts(
    gateway: Gateway, deep: DeepLook, time: Time, answer: Message, kept_seconds: float
) -> None:
    gateway.script.answers["ProbeProviders"] = [answer]
    assert [(await deep.look())[1] for _ in range(2)] == [False, True]
    time.seconds = kept_seconds - 1
    assert (await deep.look())[1]
    time.seconds = kept_seconds
    assert not (await deep.look())[1]
    assert probes(gateway) == 2


async def test_who_asks_meanwhile_shares_the_look_even_if_the_first_goes_away(gateway: Gateway, deep: DeepLook) -> None:
    arrived, go_on = anyio.Event(), anyio.Event()

    async def slow() -> Message:
        arrived.set()
        await go_on.wait()
        return GOOD

    gateway.script.answers["ProbeProviders"] = [slow]
    first = asyncio.create_task(deep.look())
    await arrived.wait()
    others = [asyncio.create_task(deep.look()) for _ in range(5)]
    await asyncio.wait(others, timeout=0)
    first.cancel()
    await asyncio.wait([first])
    go_on.set()
    assert [seen.failing for seen, _ in await asyncio.gather(*others)] == [{}] * 5
    assert probes(gateway) == 1


async def test_a_probe_that_cannot_be_asked_is_a_failure_of_retrieve(gateway: Gateway) -> None:
    gateway.script.answers["ProbeProviders"] = [UpstreamUnavailable("OVERLOADED", "is busy", retry_after_seconds=1)]
    response = await gateway.client.get("/ready/deep")
    assert response.json()["metadata"] == {"failing": "retrieve", "reason.retrieve": "OVERLOADED"}


async def test_a_defect_is_told_as_one_reason_and_nothing_else(gateway: Gateway) -> None:
    gateway.script.answers["GetProviders"] = [Internal("INTERNAL", "password=hunter2 at 10.0.0.1")]
    response = await gateway.client.get("/ready")
    assert response.status_code == 503
    assert "hunter2" not in response.text
    assert "10.0.0.1" not in response.text
