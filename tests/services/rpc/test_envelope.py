"""Every RPC in one envelope: ids, deadlines, errors, metrics and log lines over real gRPC."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import grpc
import pytest
from candor.judge.v1.models_pb2 import GetModelsRequest, GetModelsResponse, Model
from candor.judge.v1.models_pb2_grpc import ModelsServiceServicer, ModelsServiceStub
from candor.retrieve.v1.conflicts_pb2 import StreamConflictsRequest, StreamConflictsResponse
from candor.retrieve.v1.conflicts_pb2_grpc import ConflictsServiceServicer
from google.rpc.error_details_pb2 import LocalizedMessage
from grpc_status import rpc_status
from prometheus_client import REGISTRY
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from shared.domain.errors import Conflict, Internal, NotFound, Overloaded, UpstreamUnavailable
from shared.rpc import clients, envelope
from shared.rpc import context as calls
from shared.rpc.context import Context
from shared.rpc.status import to_status
from tests.services.running import role

pytestmark = pytest.mark.anyio

GET_MODELS = "candor.judge.v1.ModelsService/GetModels"
TENANT = "0190b6f0-0000-7000-8000-000000000001"


class Back(ModelsServiceServicer):
    """Answers with what it knows of its call, or raises."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.seen: list[calls.Call] = []

    async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
        call = calls.current()
        assert call is not None
        self.seen.append(call)
        if self.error:
            raise self.error
        return GetModelsResponse()


class Front(ModelsServiceServicer):
    """Passes a call on."""

    def __init__(self, back: ModelsServiceStub) -> None:
        self.back = back

    async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
        return await self.back.GetModels(request)


class Stuck(ModelsServiceServicer):
    """Never answers, and says when it begins and ends."""

    def __init__(self) -> None:
        self.begun, self.ended = asyncio.Event(), asyncio.Event()

    async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
        self.begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            self.ended.set()
        raise AssertionError("unreachable")


class Streams(ConflictsServiceServicer):
    """Sends three messages, then fails or goes on for ever."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error
        self.closed = asyncio.Event()

    async def StreamConflicts(
        self, request: StreamConflictsRequest, context: Context
    ) -> AsyncIterator[StreamConflictsResponse]:
        try:
            for number in range(3):
                yield StreamConflictsResponse(resume_token=str(number))
            if self.error:
                raise self.error
            await asyncio.Event().wait()
        finally:
            self.closed.set()


async def test_the_request_id_and_the_deadline_cross_hops() -> None:
    back = Back()
    async with role("ingest", back) as to_back, role("retrieve", Front(clients.models(to_back))) as to_front:
        await clients.models(to_front).GetModels(
            GetModelsRequest(), timeout=5, metadata=[(calls.REQUEST_ID_KEY, "req-1")]
        )
    remaining = back.seen[0].remaining_seconds()
    assert back.seen[0].request_id == "req-1"
    assert remaining is not None
    assert 0 < remaining <= 5.1


async def test_a_call_without_an_id_gets_one_and_a_bad_one_is_replaced() -> None:
    back = Back()
    async with role("judge", back) as channel:
        await clients.models(channel).GetModels(GetModelsRequest())
        await clients.models(channel).GetModels(GetModelsRequest(), metadata=[(calls.REQUEST_ID_KEY, "{forged: 1}")])
    ids = [UUID(call.request_id) for call in back.seen]
    assert len(set(ids)) == 2


async def test_the_deadline_of_the_current_call_bounds_every_call_made_for_it() -> None:
    back = Back()
    async with role("judge", back) as channel:
        with calls.serving("outer", 3.0):
            await clients.models(channel).GetModels(GetModelsRequest())
            await clients.models(channel).GetModels(GetModelsRequest(), timeout=60)
            await clients.models(channel).GetModels(GetModelsRequest(), timeout=1)
    limits = [call.remaining_seconds() or 0 for call in back.seen]
    # gRPC rounds a time limit up on the wire, by up to 1 %.
    assert [limit <= most for limit, most in zip(limits, (3.1, 3.1, 1.1), strict=True)] == [True] * 3
    assert {call.request_id for call in back.seen} == {"outer"}


async def test_a_call_without_a_deadline_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelope, "DEFAULT_DEADLINE_SECONDS", 0.05)
    stuck = Stuck()
    async with role("judge", stuck) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            bare = channel._inner  # type: ignore[attr-defined]  # our own channel would set 30 s
            await ModelsServiceStub(bare).GetModels(GetModelsRequest())
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    assert stuck.ended.is_set()


async def test_a_stream_without_a_deadline_is_ended_while_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelope, "DEFAULT_STREAM_DEADLINE_SECONDS", 0.05)
    streams = Streams()
    async with role("retrieve", streams) as channel:
        with pytest.raises(UpstreamUnavailable) as caught, clients.rpc_errors():
            async for _ in clients.conflicts(channel).StreamConflicts(StreamConflictsRequest()):
                pass
    assert caught.value.reason == "DEADLINE_EXCEEDED"
    assert streams.closed.is_set()


async def test_a_caller_that_goes_away_cancels_the_work_behind_it() -> None:
    stuck = Stuck()
    async with role("ingest", stuck) as to_back, role("retrieve", Front(clients.models(to_back))) as to_front:
        call = asyncio.ensure_future(clients.models(to_front).GetModels(GetModelsRequest()))
        await stuck.begun.wait()
        call.cancel()
        await asyncio.wait_for(stuck.ended.wait(), 10)


async def test_a_caller_that_leaves_a_stream_closes_it() -> None:
    streams = Streams()
    async with role("retrieve", streams) as channel:
        call = clients.conflicts(channel).StreamConflicts(StreamConflictsRequest())
        await call.read()
        call.cancel()
        await asyncio.wait_for(streams.closed.wait(), 10)


async def test_a_status_after_streamed_messages_arrives() -> None:
    got = []
    async with role("retrieve", Streams(NotFound("MEMORY_NOT_FOUND", "Gone."))) as channel:
        with pytest.raises(NotFound) as caught, clients.rpc_errors():
            async for message in clients.conflicts(channel).StreamConflicts(StreamConflictsRequest()):
                got.append(message.resume_token)
    assert got == ["0", "1", "2"]
    assert caught.value.reason == "MEMORY_NOT_FOUND"


async def test_an_untyped_exception_is_opaque_and_logged() -> None:
    with capture_logs() as lines:
        async with role("judge", Back(ZeroDivisionError("the secret"))) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await clients.models(channel).GetModels(GetModelsRequest(), metadata=[(calls.REQUEST_ID_KEY, "req-9")])
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    assert "secret" not in str(caught.value.details()) + str(caught.value.trailing_metadata())
    with pytest.raises(Internal) as mapped, clients.rpc_errors():
        raise caught.value
    assert mapped.value.metadata["request_id"] == "req-9"
    assert [line["log_level"] for line in lines if line["event"] == "defect"] == ["error"]


async def test_a_status_of_ours_crosses_a_hop_unchanged() -> None:
    status = to_status(Conflict("KEY_REUSED", "Used.", metadata={"request_id": "a"}, retry_after_seconds=2))
    status.details.add().Pack(LocalizedMessage(locale="sv", message="a detail that this version does not know"))

    class Newer(ModelsServiceServicer):
        async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
            return await context.abort_with_status(rpc_status.to_status(status))

    async with role("ingest", Newer()) as to_back, role("retrieve", Front(clients.models(to_back))) as to_front:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await clients.models(to_front).GetModels(GetModelsRequest())
    assert caught.value.code() is grpc.StatusCode.ABORTED
    assert caught.value.trailing_metadata()["grpc-status-details-bin"] == status.SerializeToString()


async def test_a_hop_that_is_gone_is_an_upstream_that_does_not_answer() -> None:
    async with role("ingest", Back()) as to_back:
        front = Front(clients.models(to_back))
    async with role("retrieve", front) as to_front, clients.channel("127.0.0.1:1", caller="test") as nowhere:
        front.back = clients.models(nowhere)
        with pytest.raises(UpstreamUnavailable) as caught, clients.rpc_errors():
            await clients.models(to_front).GetModels(GetModelsRequest())
    assert caught.value.reason == "UPSTREAM_UNAVAILABLE"


async def test_one_line_and_one_sample_per_rpc_without_content() -> None:
    counted = {"rpc": GET_MODELS, "code": "UNAVAILABLE"}
    before = REGISTRY.get_sample_value("candor_rpc_total", counted) or 0
    timed = REGISTRY.get_sample_value("candor_rpc_seconds_count", {"rpc": GET_MODELS}) or 0
    with capture_logs() as lines:
        async with role("judge", Back(Overloaded("OVERLOADED", "the secret"))) as channel:
            with pytest.raises(grpc.aio.AioRpcError):
                await clients.models(channel).GetModels(GetModelsRequest())
    served = [line for line in lines if line["event"] == "rpc"]
    assert len(served) == 3  # the first attempt and two retries
    assert set(served[0]) == {"event", "log_level", "rpc", "code", "reason", "ms", "peer"}
    assert (served[0]["rpc"], served[0]["code"], served[0]["reason"]) == (GET_MODELS, "UNAVAILABLE", "OVERLOADED")
    assert served[0]["peer"] == "test"
    assert REGISTRY.get_sample_value("candor_rpc_total", counted) == before + len(served)
    assert REGISTRY.get_sample_value("candor_rpc_seconds_count", {"rpc": GET_MODELS}) == timed + len(served)
    assert REGISTRY.get_sample_value("candor_rpc_in_flight", {"rpc": GET_MODELS}) == 0


async def test_the_line_names_the_call_and_its_tenant() -> None:
    with capture_logs(processors=[merge_contextvars]) as lines:
        async with role("retrieve", Streams(NotFound("X", "x"))) as channel:
            for tenant_id in (TENANT, "no-uuid"):
                call = clients.conflicts(channel).StreamConflicts(
                    StreamConflictsRequest(tenant_id=tenant_id), metadata=[(calls.REQUEST_ID_KEY, "req-2")]
                )
                with pytest.raises(grpc.aio.AioRpcError):
                    async for _ in call:
                        pass
    served = [line for line in lines if line["event"] == "rpc"]
    assert [(line["request_id"], line["tenant"]) for line in served] == [("req-2", TENANT), ("req-2", None)]


async def test_messages_of_more_than_sixteen_mebibytes_pass() -> None:
    class Large(ModelsServiceServicer):
        async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
            return GetModelsResponse(models=[Model(model="x" * (17 * 1024 * 1024))])

    async with role("judge", Large()) as channel:
        answer = await clients.models(channel).GetModels(GetModelsRequest())
    assert answer.ByteSize() > 17 * 1024 * 1024
