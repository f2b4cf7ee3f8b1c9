"""What is retried and what is not, and how replicas are used."""

import json
from typing import Any

import grpc
import pytest
from candor.judge.v1.models_pb2 import GetModelsRequest, GetModelsResponse
from candor.judge.v1.models_pb2_grpc import ModelsServiceServicer

from shared.domain.errors import NotFound, UpstreamUnavailable
from shared.rpc import clients, meaning_stubs, money_stubs
from shared.rpc.context import Context
from tests.services.running import role

pytestmark = pytest.mark.anyio


class Flaky(ModelsServiceServicer):
    """Fails a number of times, then answers."""

    def __init__(self, failures: int, error: Exception) -> None:
        self.failures, self.error, self.calls = failures, error, 0

    async def GetModels(self, request: GetModelsRequest, context: Context) -> GetModelsResponse:
        self.calls += 1
        if self.calls <= self.failures:
            raise self.error
        return GetModelsResponse()


async def test_an_idempotent_method_is_tried_three_times() -> None:
    flaky = Flaky(2, UpstreamUnavailable("DATABASE_UNAVAILABLE", "Down."))
    async with role("judge", flaky) as channel:
        await clients.models(channel).GetModels(GetModelsRequest())
    assert flaky.calls == 3


async def test_and_not_a_fourth_time() -> None:
    flaky = Flaky(9, UpstreamUnavailable("DATABASE_UNAVAILABLE", "Down."))
    async with role("judge", flaky) as channel:
        with pytest.raises(UpstreamUnavailable) as caught, clients.rpc_errors():
            await clients.models(channel).GetModels(GetModelsRequest())
    assert (flaky.calls, caught.value.reason) == (3, "DATABASE_UNAVAILABLE")


async def test_other_errors_are_not_retried() -> None:
    flaky = Flaky(9, NotFound("X", "x"))
    async with role("judge", flaky) as channel:
        with pytest.raises(NotFound), clients.rpc_errors():
            await clients.models(channel).GetModels(GetModelsRequest())
    assert flaky.calls == 1


async def test_a_method_without_an_idempotency_level_is_tried_once() -> None:
    calls = 0

    async def fail(request: bytes, context: Context) -> bytes:
        nonlocal calls
        calls += 1
        await context.abort(grpc.StatusCode.UNAVAILABLE, "down")

    server = grpc.aio.server()
    handlers: dict[str, Any] = {"Fail": grpc.unary_unary_rpc_method_handler(fail)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("candor.test.v1.NoLevel", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with clients.channel(f"127.0.0.1:{port}", caller="test") as channel:
            with pytest.raises(UpstreamUnavailable), clients.rpc_errors():
                method: Any = channel.unary_unary("/candor.test.v1.NoLevel/Fail")
                await method(b"")
    finally:
        await server.stop(None)
    assert calls == 1


def test_every_declared_method_with_a_level_is_in_the_policy() -> None:
    (policy,) = json.loads(json.dumps(clients._service_config()))["methodConfig"]
    named = {f"{name['service']}/{name['method']}" for name in policy["name"]}
    assert named == {
        method.full_name.replace(f".{method.name}", f"/{method.name}")
        for file in clients._FILES
        for service in file.services_by_name.values()
        for method in service.methods
    }  # all of today's methods have one


async def test_a_stub_for_every_service() -> None:
    made = [
        clients.embeddings,
        clients.models,
        clients.recall,
        clients.memory_reader,
        clients.conflicts,
        clients.access,
        clients.memory_writer,
        clients.admin,
        clients.reinforcement,
        clients.findings,
        clients.field_audit,
        clients.turns,
        money_stubs.money,
        meaning_stubs.pairs,
        meaning_stubs.verdicts,
    ]
    services = {service.full_name for file in clients._FILES for service in file.services_by_name.values()}
    async with clients.channel("127.0.0.1:1", caller="test") as channel:
        modules = {type(stub(channel)).__module__.rpartition(".")[0] for stub in made}
    assert len(made) == len(services)
    assert modules == {name.rpartition(".")[0] for name in services}
