"""The bootstrap: readiness, reflection, refusal in production, drain."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.request import urlopen

import grpc
import pytest
from candor.judge.v1.models_pb2 import GetModelsRequest
from grpc_health.v1.health_pb2 import HealthCheckRequest, HealthCheckResponse
from grpc_reflection.v1alpha import reflection_pb2

from services.judge.main import mount as mount_judge
from services.judge.models import LOCAL_JUDGE, Models
from shared import config
from shared.domain.errors import UpstreamUnavailable
from shared.rpc import clients, probe, readiness, server
from tests.services.running import role

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
JUDGE = "candor.judge.v1.ModelsService"
Health = HealthCheckResponse


async def check(channel: grpc.aio.Channel, service: str) -> int:
    ask = channel.unary_unary(
        "/grpc.health.v1.Health/Check",
        request_serializer=HealthCheckRequest.SerializeToString,
        response_deserializer=Health.FromString,
    )
    return (await ask(HealthCheckRequest(service=service))).status


async def test_each_service_and_the_whole_are_serving() -> None:
    async with role("judge", Models([LOCAL_JUDGE])) as channel:
        assert await check(channel, JUDGE) == Health.SERVING
        assert await check(channel, "") == Health.SERVING
        assert await probe.is_serving(channel)


async def test_a_failing_probe_is_seen_before_the_first_call_and_its_recovery_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(readiness, "POLL_SECONDS", 0.01)
    up = asyncio.Event()

    async def database() -> None:
        if not up.is_set():
            raise UpstreamUnavailable("DATABASE_UNAVAILABLE", "Down.")

    async def also(host: server.Host) -> None:
        host.check("database", database)

    async with role("judge", Models([LOCAL_JUDGE]), also=also) as channel:
        watch = channel.unary_stream(
            "/grpc.health.v1.Health/Watch",
            request_serializer=HealthCheckRequest.SerializeToString,
            response_deserializer=Health.FromString,
        )(HealthCheckRequest(service=JUDGE))
        states = aiter(watch)
        assert (await anext(states)).status == Health.NOT_SERVING
        assert not await probe.is_serving(channel)
        up.set()
        assert (await anext(states)).status == Health.SERVING
        watch.cancel()


@pytest.mark.parametrize("outcome", ["ends", "fails", "hangs"])
async def test_whatever_goes_wrong_with_a_probe_is_not_serving(outcome: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "PROBE_TIMEOUT_SECONDS", 0.05)

    async def work() -> None:
        if outcome == "fails":
            raise ZeroDivisionError

    async def hang() -> None:
        await asyncio.Event().wait()

    async def also(host: server.Host) -> None:
        if outcome == "hangs":
            host.check("hangs", hang)
        else:
            host.background(work)
            await asyncio.sleep(0)  # lets the work run to its end

    async with role("judge", Models([LOCAL_JUDGE]), also=also) as channel:
        assert await check(channel, JUDGE) == Health.NOT_SERVING


async def test_an_unreachable_role_is_not_ready() -> None:
    async with grpc.aio.insecure_channel("127.0.0.1:1") as channel:
        assert not await probe.is_serving(channel)


async def test_reflection_names_the_services() -> None:
    async with role("judge", Models([LOCAL_JUDGE])) as channel:
        call = channel.stream_stream(
            "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
            request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
            response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
        )()
        await call.write(reflection_pb2.ServerReflectionRequest(list_services=""))
        await call.done_writing()
        answer = await call.read()
    assert isinstance(answer, reflection_pb2.ServerReflectionResponse)
    assert JUDGE in {service.name for service in answer.list_services_response.service}


async def test_metrics_are_exposed() -> None:
    async with role("judge", settings=config.Settings(metrics_port=await free_port())) as _:
        pass
    port = await free_port()
    async with role("judge", Models([LOCAL_JUDGE]), settings=config.Settings(metrics_port=port)) as channel:
        await clients.models(channel).GetModels(GetModelsRequest())
        text = await asyncio.to_thread(lambda: urlopen(f"http://127.0.0.1:{port}/metrics").read().decode())
    assert f'candor_rpc_total{{code="OK",rpc="{JUDGE}/GetModels"}}' in text


async def free_port() -> int:
    listener = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    async with listener:
        return int(listener.sockets[0].getsockname()[1])


async def test_production_refuses_a_stand_in_that_is_not_allowed_by_name() -> None:
    production = config.Settings(env=config.Environment.PRODUCTION)
    with pytest.raises(server.StartRefused, match="judge"):
        await server.start("judge", mount_judge, production)
    allowed = production.model_copy(update={"allow_local": frozenset({"judge"})})
    running = await server.start("judge", mount_judge, allowed)
    await running.stop()


async def test_a_refused_start_closes_what_it_opened() -> None:
    closed = []

    async def close(name: str) -> None:
        closed.append(name)

    async def mount(host: server.Host) -> None:
        host.close_with(lambda: close("first"))
        host.close_with(lambda: close("second"))
        host.local_stand_in("embed")

    with pytest.raises(server.StartRefused):
        await server.start("embed", mount, config.Settings(env=config.Environment.PRODUCTION))
    assert closed == ["second", "first"]


async def test_two_processes_cannot_share_a_port() -> None:
    first = await server.start("judge", mount_judge, config.Settings())
    try:
        with pytest.raises(server.StartRefused, match="cannot listen"):
            await server.start("judge", mount_judge, config.Settings(), f"127.0.0.1:{first.port}")
    finally:
        await first.stop()


async def test_a_servicer_without_a_contract_is_refused() -> None:
    async def mount(host: server.Host) -> None:
        host.add(object())

    with pytest.raises(TypeError, match="no contract"):
        await server.start("judge", mount, config.Settings())


@asynccontextmanager
async def process(*arguments: str, **environment: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run Python in the repository with nothing of ours in the environment but what is given."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("CANDOR_")}
    paths = f"{ROOT}{os.pathsep}{ROOT / 'shared' / 'gen'}"
    started = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        cwd=ROOT,
        env=clean | {"PYTHONPATH": paths} | environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.communicate()


async def read_until(started: asyncio.subprocess.Process, text: str) -> list[str]:
    assert started.stdout is not None
    lines: list[str] = []
    while not lines or text not in lines[-1]:
        line = await asyncio.wait_for(started.stdout.readline(), 60)
        assert line, f"ended before {text!r}: {lines}"
        lines.append(line.decode())
    return lines


async def test_a_refused_role_exits_with_the_configuration_code_and_says_why() -> None:
    async with process("-m", "services.judge.main", CANDOR_ENV="production") as started:
        output, _ = await started.communicate()
    assert started.returncode == server.REFUSED_EXIT_CODE
    assert "CANDOR_ALLOW_LOCAL" in output.decode()


async def test_a_wrong_setting_is_named_without_its_value() -> None:
    async with process("-m", "services.judge.main", CANDOR_METRICS_PORT="the-value") as started:
        output, _ = await started.communicate()
    assert started.returncode == server.REFUSED_EXIT_CODE
    assert "metrics_port" in output.decode().lower()
    assert "the-value" not in output.decode()


async def test_sigterm_lets_running_calls_end_and_closes_in_reverse() -> None:
    port = await free_port()
    slow = str(Path(__file__).with_name("slow_role.py"))
    async with process(slow, CANDOR_LISTEN=f"127.0.0.1:{port}", CANDOR_DRAIN_SECONDS="60") as started:
        await read_until(started, '"serving"')
        async with clients.channel(f"127.0.0.1:{port}", caller="test") as channel:
            call = asyncio.ensure_future(clients.models(channel).GetModels(GetModelsRequest()))
            await read_until(started, "begun")
            started.send_signal(signal.SIGTERM)
            await read_until(started, '"draining"')
            assert not call.done()
            assert started.stdin is not None
            started.stdin.write(b"go\n")
            await started.stdin.drain()
            await call
        lines = await read_until(started, '"stopped"')
        assert [line.strip() for line in lines if not line.startswith("{")] == [
            "work ended",
            "closed second",
            "closed first",
        ]
        assert await started.wait() == 0
