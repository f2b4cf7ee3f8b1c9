"""Health, readiness, the log line, headers of every answer, and the process: listening and draining."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import anyio
import grpc
import httpx2
import pytest
import structlog
from candor.ingest.v1.memories_pb2 import GetOperationResponse

from gateway.app import create_app
from shared.config import Settings
from shared.domain.errors import NotFound
from shared.rpc import clients, server
from shared.rpc.server import Host
from tests.gateway.conftest import TENANT, Gateway, Script

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[2]


async def test_alive_and_ready(gateway: Gateway) -> None:
    del gateway.client.headers["authorization"]
    health = await gateway.client.get("/health")
    assert (health.status_code, health.json()) == (200, {"status": "ok"})
    ready = await gateway.client.get("/ready")
    assert (ready.status_code, ready.json()) == (
        200,
        {"status": "ready", "checks": {"ingest": "ok", "retrieve": "ok", "audit": "ok"}},
    )


async def test_not_ready_names_who_is_not(
    gateway: Gateway, channels: dict[str, grpc.aio.Channel], settings: Settings
) -> None:
    async def unready(host: Host) -> None:
        async def probe() -> None:
            raise NotFound("SCHEMA_MISSING", "There is no schema.")

        host.check("schema", probe)

    retrieve = await server.start("retrieve", unready, settings)
    asked = {
        **channels,
        "retrieve": clients.channel(f"127.0.0.1:{retrieve.port}"),
        "audit": clients.channel("127.0.0.1:1"),
    }
    transport = httpx2.ASGITransport(create_app(settings, asked))
    async with httpx2.AsyncClient(transport=transport, base_url="http://gateway") as client:
        response = await client.get("/ready")
        assert (await client.get("/health")).status_code == 200
    assert (response.status_code, response.json()["reason"]) == (503, "NOT_READY")
    assert response.json()["metadata"] == {"failing": "retrieve,audit"}
    assert response.headers["retry-after"] == "1"
    await asked["retrieve"].close()
    await asked["audit"].close()
    await retrieve.stop()


async def test_one_line_a_request_without_content(gateway: Gateway, lines: list[structlog.typing.EventDict]) -> None:
    gateway.script.answers["GetMemory"] = [NotFound("MEMORY_NOT_FOUND", "secret answer")]
    await gateway.client.get("/v1/memories/secret-id?knownAt=2026-04-01T00:00:00Z", headers={"x-request-id": "r-1"})
    [line] = [line for line in lines if line["event"] == "http"]
    assert line.pop("ms") >= 0
    assert line == {
        "event": "http",
        "log_level": "info",
        "method": "GET",
        "route": "/v1/memories/{memory_id}",
        "status": 404,
        "reason": "MEMORY_NOT_FOUND",
        "request_id": "r-1",
        "tenant": TENANT,
    }
    assert "secret" not in str(lines) and "admin-key" not in str(lines)


async def test_a_defect_of_our_own_is_logged_and_opaque(
    gateway: Gateway, lines: list[structlog.typing.EventDict], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr("gateway.limits.idempotency_key", broken)
    response = await gateway.client.get("/memory/count")
    assert (response.status_code, response.json()["reason"]) == (500, "INTERNAL")
    assert "secret" not in response.text
    [defect] = [line for line in lines if line["event"] == "defect"]
    assert defect["request_id"] == response.json()["requestId"]


@pytest.mark.parametrize("path", ["/memory/count", "/nowhere", "/health", "/docs"])
async def test_no_answer_is_kept_or_guessed_at(gateway: Gateway, path: str) -> None:
    headers = (await gateway.client.get(path)).headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-request-id"]


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as held:
        port: int = held.getsockname()[1]
        return port


async def test_the_process_serves_and_drains(
    gateway: Gateway, running: tuple[dict[str, server.Running], Script]
) -> None:
    """A request that is being served when SIGTERM comes is answered; the exit code is 0."""
    arrived, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> GetOperationResponse:
        arrived.set()
        await go_on.wait()
        return GetOperationResponse(operation_id="op-1")

    gateway.script.answers["GetOperation"] = [slow]
    listen = f"127.0.0.1:{_free_port()}"
    targets = {f"CANDOR_{role.upper()}_TARGET": f"127.0.0.1:{one.port}" for role, one in running[0].items()}
    metrics = _free_port()
    environment = {**os.environ, **targets, "CANDOR_GATEWAY_LISTEN": listen, "CANDOR_METRICS_PORT": str(metrics)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "gateway.main", cwd=ROOT, env=environment, stdout=asyncio.subprocess.PIPE
    )
    try:
        async with httpx2.AsyncClient(base_url=f"http://{listen}", headers={"x-api-key": "admin-key"}) as client:
            with anyio.fail_after(30):
                await _said(process, b"serving")
                assert (await client.get("/ready")).status_code == 200
                assert (await client.get("/v1/memories:count")).status_code == 200
                told = (await client.get(f"http://127.0.0.1:{metrics}/metrics")).text
                assert 'candor_quota_units_total{pool="keyed"} 1.0' in told
                assert 'candor_places_taken{pool="keyed",work="plain"} 0.0' in told
                async with anyio.create_task_group() as group:
                    answers: list[httpx2.Response] = []

                    async def call() -> None:
                        answers.append(await client.get("/v1/operations/op-1"))

                    group.start_soon(call)
                    await arrived.wait()
                    process.send_signal(signal.SIGTERM)
                    await _said(process, b"draining")
                    go_on.set()
        assert [(answer.status_code, answer.json()["operationId"]) for answer in answers] == [(200, "op-1")]
        out, _ = await asyncio.wait_for(process.communicate(), 30)
        assert process.returncode == 0
        assert b'"route": "/v1/operations/{operation_id}"' in out
        assert all(line.startswith(b"{") for line in out.splitlines())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


@pytest.mark.parametrize("listen", ["7100", "127.0.0.1:", "127.0.0.1:http"])
def test_a_wrong_address_refuses_to_start(listen: str) -> None:
    environment = {**os.environ, "CANDOR_GATEWAY_LISTEN": listen}
    run = subprocess.run(
        [sys.executable, "-m", "gateway.main"], cwd=ROOT, env=environment, capture_output=True, check=False, timeout=60
    )
    assert run.returncode == server.REFUSED_EXIT_CODE
    assert b"refused to start" in run.stdout


async def _said(process: asyncio.subprocess.Process, event: bytes) -> None:
    """Read the log up to the line of an event."""
    assert process.stdout is not None
    async for line in process.stdout:
        if b'"event": "%b"' % event in line:
            return
    raise AssertionError(f"the process ended before {event!r}")
