"""The way in: rates, quotas and places as a client meets them, and what a refusal gives back."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import grpc
import httpx2
import pytest
from candor.audit.v1.meaning_pb2 import AuditMeaningResponse, MeaningProgress, StreamMeaningAuditResponse
from candor.ingest.v1 import quota_pb2 as pb
from candor.ingest.v1.memories_pb2 import CreateMemoryResponse
from candor.retrieve.v1.memories_pb2 import CountMemoriesResponse
from google.protobuf.message import Message
from starlette.applications import Starlette

from gateway.app import create_app
from gateway.contracts import bindings
from gateway.costs import cost_of
from gateway.quotas import KEYED, PUBLIC, PoolLimits, Quotas
from shared.clock import new_id
from shared.config import Settings
from shared.domain.errors import InvalidArgument, RateLimited, UpstreamUnavailable
from shared.rpc import context as calls
from tests.gateway.conftest import Gateway

pytestmark = pytest.mark.anyio
COUNT = "/v1/memories:count"
Made = Callable[..., httpx2.AsyncClient]


@pytest.fixture
def made(gateway: Gateway, channels: dict[str, grpc.aio.Channel]) -> Made:
    """Make a gateway of other settings, and a client of it."""

    def make(key: str | None = "admin-key", **given: Any) -> httpx2.AsyncClient:
        app: Starlette = create_app(Settings(max_body_bytes=1_000_000, **given), channels)
        headers = {} if key is None else {"x-api-key": key}
        transport = httpx2.ASGITransport(app, client=("198.51.100.7", 4000))
        return httpx2.AsyncClient(transport=transport, base_url="http://gateway", headers=headers)

    return make


async def test_a_key_that_calls_too_often_is_told_to_wait(made: Made) -> None:
    client = made(rate_per_minute=60, rate_burst=2)
    answers = [await client.get(COUNT) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert answers[2].json()["reason"] == "RATE_LIMITED"
    assert answers[2].headers["retry-after"] == "1"
    assert answers[0].headers["ratelimit"] == '"key";r=1;t=1'
    assert answers[0].headers["ratelimit-policy"] == '"key";q=2;w=2'
    assert (await client.get(COUNT, headers={"x-api-key": "read-key"})).status_code == 429
    assert (await client.get("/health")).status_code == 200


async def test_guessing_keys_ends_at_the_rate_of_the_address_and_is_not_looked_up(made: Made, gateway: Gateway) -> None:
    client = made(public_rate_per_minute=60, public_rate_burst=3)
    answers = [await client.get(COUNT, headers={"x-api-key": f"guess-{i}"}) for i in range(6)]
    assert [answer.status_code for answer in answers] == [401] * 3 + [429] * 3
    assert len(gateway.script.keys_asked) == 3
    # One that was known before still works from there.
    known = made(public_rate_per_minute=60, public_rate_burst=3)
    assert (await known.get(COUNT)).status_code == 200
    for i in range(5):
        await known.get(COUNT, headers={"x-api-key": f"guess-{i}"})
    assert (await known.get(COUNT)).status_code == 200


async def test_an_answer_tells_the_quota_and_it_is_not_the_rate(made: Made) -> None:
    client = made(quota_units=10)
    first, second = await client.get(COUNT), await client.get(COUNT)
    assert [answer.headers["x-quota-limit"] for answer in (first, second)] == ["10", "10"]
    assert [answer.headers["x-quota-remaining"] for answer in (first, second)] == ["9", "8"]
    assert 0 <= int(first.headers["x-quota-reset"]) <= 86_400
    assert first.headers["ratelimit"].startswith('"key"')


async def test_a_call_that_fails_costs_nothing(made: Made, gateway: Gateway) -> None:
    client = made(quota_units=10)
    gateway.script.answers["CountMemories"] = [InvalidArgument.of("company", "COMPANY_INVALID", "is wrong")]
    refused = await client.get(COUNT)
    assert (refused.status_code, refused.headers["x-quota-remaining"]) == (400, "10")
    assert (await client.get(COUNT + "?nonsense=1")).status_code == 400
    del gateway.script.answers["CountMemories"]
    assert (await client.get(COUNT)).headers["x-quota-remaining"] == "9"


async def test_a_call_without_a_cost_is_told_no_quota(made: Made) -> None:
    answer = await made(quota_units=10).get("/v1/jobs")
    assert answer.status_code == 200
    assert "x-quota-limit" not in answer.headers


async def test_when_every_place_is_taken_the_next_is_sent_away(made: Made, gateway: Gateway) -> None:
    begun, go = asyncio.Semaphore(0), asyncio.Event()

    async def slow() -> Message:
        begun.release()
        await go.wait()
        return CountMemoriesResponse()

    gateway.script.answers["CountMemories"] = [slow]
    client = made(places=2, places_waiting=1, quota_units=100)
    running = [asyncio.create_task(client.get(COUNT)) for _ in range(2)]
    for _ in range(2):
        await begun.acquire()
    waiting = asyncio.create_task(client.get(COUNT))
    await asyncio.wait({waiting}, timeout=0)  # now it has begun
    refused = await client.get(COUNT)
    assert (refused.status_code, refused.json()["reason"]) == (503, "OVERLOADED")
    assert int(refused.headers["retry-after"]) >= 1
    assert refused.headers["x-quota-remaining"] == "97"  # two run, one waits; this one gave its unit back
    # Calls that wait for a model have places of their own.
    answered = await client.post("/v1/answer", json={"question": "Who?"})
    assert answered.status_code == 200
    go.set()
    assert {answer.status_code for answer in await asyncio.gather(*running, waiting)} == {200}
    assert (await client.get(COUNT)).status_code == 200


def test_costs_are_counted_by_the_request() -> None:
    by_name = {binding.method.name: binding for binding in bindings()}

    def units(method: str, **given: Any) -> int:
        return cost_of(by_name[method].method).units(by_name[method].request_type(**given))

    assert units("AuditMeaning") == 25
    assert units("AuditMeaning", max_pairs=3) == 3
    assert units("AuditMeaning", max_pairs=-3) == 0  # refused by its service
    assert units("BatchCreateMemories", memories=[{}, {}]) == 2
    assert units("IngestDocuments", documents=[{}, {}, {}]) == 15
    assert units("RecallMemories") == 1
    assert units("ListJobs") == 0


@pytest.mark.parametrize("method", sorted({binding.method.name for binding in bindings()}))
def test_every_public_method_has_a_cost_that_can_be_counted(method: str) -> None:
    binding = next(one for one in bindings() if one.method.name == method)
    assert cost_of(binding.method).units(binding.request_type()) >= 0


async def test_an_audit_of_meaning_pays_for_the_pairs_that_were_judged(made: Made, gateway: Gateway) -> None:
    client = made(quota_units=100)
    gateway.script.answers["AuditMeaning"] = [AuditMeaningResponse(compared=20, asked=3)]
    answer = await client.post("/v1/audit/meaning", json={"maxPairs": 20})
    assert (answer.status_code, answer.headers["x-quota-remaining"]) == (200, "97")


def compared(pairs: int) -> StreamMeaningAuditResponse:
    return StreamMeaningAuditResponse(progress=MeaningProgress(compared=pairs))


async def test_a_stream_pays_as_it_goes_and_ends_with_the_quota(
    made: Made, gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary = StreamMeaningAuditResponse(summary=AuditMeaningResponse(asked=40))
    gateway.script.answers["StreamMeaningAudit"] = [compared(0), compared(25), compared(50), summary]
    client = made(quota_units=100)
    whole = await client.post("/v1/audit/meaning:stream", json={})
    assert [next(iter(json.loads(line))) for line in whole.text.splitlines()] == ["result"] * 4
    assert (await client.get(COUNT)).headers["x-quota-remaining"] == "59"  # forty pairs and this
    ledger = Ledger(monkeypatch, [25, 25, 0])
    cut = await made(quota_units=60).post("/v1/audit/meaning:stream", json={})
    *lines, last = [json.loads(line) for line in cut.text.splitlines()]
    assert len(lines) == 2  # what was reserved for was done; the next line would promise more
    assert last["problem"]["reason"] == "QUOTA_EXHAUSTED"
    assert [request.needed for request in ledger.heard] == [25, 25, 25]


class Ledger:
    """Stands in for ingest: grants what it is told to, and keeps what it heard."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, grants: list[int | Exception]) -> None:
        self.grants, self.heard, self.settled = grants, list[Any](), list[Any]()
        self.time, self.day = 100.0, datetime(2026, 5, 1, 12, tzinfo=UTC)
        self.taken = 0
        monkeypatch.setattr("gateway.quotas.life_stubs.quota", lambda channel: self)

    async def ReserveUnits(self, request: pb.ReserveUnitsRequest, **options: float) -> pb.ReserveUnitsResponse:
        self.heard.append(request)
        grant = self.grants.pop(0)
        if isinstance(grant, Exception):
            raise grant
        self.taken += grant
        return pb.ReserveUnitsResponse(granted=grant, level=pb.Level(taken=self.taken))

    async def SettleUnits(self, request: pb.SettleUnitsRequest, **options: float) -> pb.SettleUnitsResponse:
        self.settled.append([(one.used, one.kept) for one in request.standings])
        self.taken = sum(one.used + one.kept for one in request.standings)
        return pb.SettleUnitsResponse(levels=[pb.Level(taken=one.used + one.kept) for one in request.standings])

    def quotas(self, subject: int, together: int = 0) -> Quotas:
        limits = {KEYED: PoolLimits(subject, together), PUBLIC: PoolLimits(subject, together)}
        return Quotas(
            None,  # type: ignore[arg-type]  # nobody is asked
            limits,
            now=lambda: self.day,
            clock=lambda: self.time,
            new_id=new_id,
        )


async def test_a_block_serves_many_calls_without_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger(monkeypatch, [50, 50])
    quotas = ledger.quotas(1_000)
    for _ in range(60):
        (await quotas.reserve(KEYED, "t", 1)).settle(1)
    assert len(ledger.heard) == 2
    await quotas.settle()
    assert ledger.settled == [[(60, 40)]]  # far from the limit what lies idle stays
    ledger.time += 61
    await quotas.settle()
    assert ledger.settled[-1] == [(60, 0)]
    await quotas.settle()
    assert len(ledger.settled) == 2  # nothing new to tell


async def test_near_the_limit_nothing_lies_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger(monkeypatch, [10])
    quotas = ledger.quotas(10)
    (await quotas.reserve(KEYED, "t", 1)).settle(1)
    await quotas.settle()
    assert ledger.settled == [[(1, 0)]]


async def test_a_refusal_by_the_pool_gives_back_to_the_subject(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger(monkeypatch, [5, 0])
    quotas = ledger.quotas(1_000, together=100)
    with pytest.raises(RateLimited) as caught:
        await quotas.reserve(KEYED, "t", 5)
    assert (caught.value.reason, caught.value.metadata["tier"]) == ("QUOTA_EXHAUSTED", "pool")
    assert caught.value.metadata["reset_at"] == "2026-05-02T00:00:00+00:00"
    assert caught.value.retry_after_seconds == 43_200
    await quotas.settle(is_last=True)
    assert ledger.settled[-1] == [(0, 0)]


async def test_a_used_up_quota_is_not_asked_for_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger(monkeypatch, [0, 0])
    quotas = ledger.quotas(1)
    for _ in range(10):
        with pytest.raises(RateLimited):
            await quotas.reserve(KEYED, "t", 1)
    assert len(ledger.heard) == 1
    ledger.time += 1.5
    with pytest.raises(RateLimited):
        await quotas.reserve(KEYED, "t", 1)
    assert len(ledger.heard) == 2


async def test_while_nobody_can_say_keys_go_on_and_are_counted_later(monkeypatch: pytest.MonkeyPatch) -> None:
    down = UpstreamUnavailable("UPSTREAM_UNAVAILABLE", "not now")
    ledger = Ledger(monkeypatch, [down, down, 7])
    quotas = ledger.quotas(100)
    for _ in range(3):
        (await quotas.reserve(KEYED, "t", 2)).settle(2)
    assert len(ledger.heard) == 1  # for a second it is not asked again
    with pytest.raises(UpstreamUnavailable):
        await quotas.reserve(PUBLIC, "198.51.100.7", 1)
    ledger.time += 2
    ledger.grants.pop(0)
    (await quotas.reserve(KEYED, "t", 1)).settle(1)
    assert ledger.heard[-1].standing.used == 6
    await quotas.settle(is_last=True)
    assert (7, 0) in ledger.settled[-1]


async def test_at_midnight_a_new_day_begins_and_the_old_one_is_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = Ledger(monkeypatch, [5, 5])
    quotas = ledger.quotas(1_000)
    overnight = await quotas.reserve(KEYED, "t", 3)
    ledger.day = datetime(2026, 5, 2, 0, 0, 1, tzinfo=UTC)
    (await quotas.reserve(KEYED, "t", 1)).settle(1)
    assert [request.standing.meter.day for request in ledger.heard] == ["2026-05-01", "2026-05-02"]
    await quotas.settle()
    assert ledger.settled[-1] == [(0, 3), (1, 4)]  # what was idle of the old day went back
    overnight.settle(3)
    await quotas.settle()
    assert ledger.settled[-1] == [(3, 0), (1, 4)]


async def test_a_replayed_write_costs_nothing(made: Made, gateway: Gateway) -> None:
    async def again() -> Message:
        calls.note_replay()
        return CreateMemoryResponse()

    client = made(quota_units=10)
    body = {"kind": "note", "content": "a"}
    first = await client.post("/v1/memories", json=body, headers={"idempotency-key": "k"})
    gateway.script.answers["CreateMemory"] = [again]
    second = await client.post("/v1/memories", json=body, headers={"idempotency-key": "k"})
    assert [answer.status_code for answer in (first, second)] == [200, 200], first.text
    assert [answer.headers["x-quota-remaining"] for answer in (first, second)] == ["9", "9"]
