"""The one bootstrap: every role is started, watched and stopped here.

Rules: a role's main gives `run` a mount; the mount adds servicers and says what to close, what to check and what stands
in for an online model. In production a stand-in that is not allowed by name refuses to start (exit code 78). SIGTERM
and SIGINT: health says NOT_SERVING, no new calls, the running ones get `drain_seconds`, then the close hooks run, last
added first. It does not know any role.
Source: DESIGN 2, 7; the gRPC graceful shutdown guide.
"""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeAlias

import grpc
import structlog
from grpc_health.v1 import health, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from pydantic import ValidationError

from shared import clock, config
from shared.rpc import context as calls
from shared.rpc import logs, loop, metrics, now_time
from shared.rpc.clients import MAX_MESSAGE_BYTES
from shared.rpc.envelope import Envelope
from shared.rpc.readiness import Readiness

REFUSED_EXIT_CODE = 78
"""EX_CONFIG of sysexits.h."""
ANY_PORT = "127.0.0.1:0"
"""Where a process listens that nobody calls: for health and reflection only."""

_OPTIONS = (
    ("grpc.max_send_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.so_reuseport", 0),  # a second process on the same port is a mistake, and says so
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),  # clients ping every 30 s
    (
        "grpc.max_connection_age_ms",
        60_000,
    ),  # callers look up replicas again when they reconnect: a new one has work in a minute
    # Without a grace of their own old connections end with their calls: an upload may take hours.
)
_log = structlog.stdlib.get_logger("candor.server")


class StartRefused(Exception):
    """The configuration does not allow this role to start."""


class Host:
    """What a mount builds on: settings, and where to put what it made."""

    def __init__(self, role: str, settings: config.Settings, server: grpc.aio.Server) -> None:
        self.role = role
        self.settings = settings
        self.services: list[str] = []
        self.readiness = Readiness()
        self.now = now_time.of_call(clock.now)
        """What the call being served takes for the present."""
        self._server = server
        self._closers: list[Callable[[], Awaitable[object]]] = []
        self._tasks: list[asyncio.Task[object]] = []

    def add(self, servicer: object) -> None:
        """Serve the contract whose generated class the servicer extends. Raises: TypeError if it extends none."""
        for base in type(servicer).__mro__:
            if base.__module__.startswith("candor.") and base.__module__.endswith("_pb2_grpc"):
                generated = sys.modules[base.__module__]
                getattr(generated, f"add_{base.__name__}_to_server")(servicer, self._server)
                package = base.__module__.rpartition(".")[0]
                self.services.append(f"{package}.{base.__name__.removesuffix('Servicer')}")
                return
        raise TypeError(f"{type(servicer).__name__} implements no contract")

    def close_with(self, closer: Callable[[], Awaitable[object]]) -> None:
        """Await `closer` after the drain; the last one added runs first."""
        self._closers.append(closer)

    def check(self, name: str, probe: Callable[[], Awaitable[object]]) -> None:
        """Be ready only while `probe` does not raise."""
        self.readiness.add(name, probe)

    def background(self, work: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Run `work` until the drain. A role whose background work ended is not ready."""
        task: asyncio.Task[object] = asyncio.create_task(work())
        self._tasks.append(task)

        async def alive() -> None:
            if task.done():
                await task
                raise RuntimeError("background work ended")

        self.check(f"background-{len(self._tasks)}", alive)

    def local_stand_in(self, name: str) -> None:
        """Say that a local stand-in takes the part of an online model.

        Raises: StartRefused in production, unless allowed.
        """
        allowed = self.settings.allow_local
        if self.settings.env is config.Environment.PRODUCTION and name not in allowed:
            why = f"{name} would run on a local stand-in: give it a model, or name it in CANDOR_ALLOW_LOCAL"
            raise StartRefused(why)

    async def close(self) -> None:
        """End the background work and run the close hooks."""
        for task in self._tasks:
            task.cancel()
        for outcome in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(outcome, Exception):
                _log.error("background work failed", role=self.role, exc_info=outcome)
        while self._closers:
            try:
                await self._closers.pop()()
            except Exception:  # noqa: BLE001  # one hook that fails must not keep the others from running
                _log.exception("close hook failed", role=self.role)


Mount: TypeAlias = Callable[[Host], Awaitable[None]]


class Running:
    """A role that serves. `port` is where."""

    def __init__(self, host: Host, server: grpc.aio.Server, port: int) -> None:
        self.port = port
        self._host = host
        self._server = server

    async def stop(self) -> None:
        """Drain and close."""
        await self._host.readiness.end()
        await self._server.stop(self._host.settings.drain_seconds)
        await self._host.close()


async def start(role: str, mount: Mount, settings: config.Settings, listen: str = "127.0.0.1:0") -> Running:
    """Start a role in this process. Raises: StartRefused."""
    server = grpc.aio.server(
        interceptors=(Envelope(clock.new_id, simulated=settings.simulates_time),), options=_OPTIONS
    )
    host = Host(role, settings, server)
    try:
        with calls.acting_as(role):
            await mount(host)
        health_pb2_grpc.add_HealthServicer_to_server(host.readiness.servicer, server)
        reflection.enable_server_reflection((*host.services, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
        try:
            port = server.add_insecure_port(listen)
        except RuntimeError as error:
            raise StartRefused(f"cannot listen on {listen}") from error
        await host.readiness.begin(host.services)
        if settings.metrics_port:
            close = metrics.expose(listen.rpartition(":")[0], settings.metrics_port)
            host.close_with(lambda: asyncio.to_thread(close))
        await server.start()
    except BaseException:
        await host.close()
        raise
    polling = asyncio.create_task(host.readiness.poll())

    async def end_polling() -> None:
        polling.cancel()
        await asyncio.gather(polling, return_exceptions=True)

    host.close_with(end_polling)
    return Running(host, server, port)


def run(role: str, mount: Mount) -> None:
    """Start a role from the environment and serve until SIGTERM or SIGINT."""
    try:
        settings = config.load()
        logs.configure(settings.log_level)
        loop.run(_serve(role, mount, settings))
    except (StartRefused, ValidationError) as error:
        _log.error("refused to start", role=role, error=str(error))
        raise SystemExit(REFUSED_EXIT_CODE) from None


async def _serve(role: str, mount: Mount, settings: config.Settings) -> None:
    told = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    running = await start(role, mount, settings, settings.listen or getattr(settings, f"{role}_target", ANY_PORT))
    _log.info("serving", role=role, port=running.port)
    await told.wait()
    _log.info("draining", role=role)
    await running.stop()
    _log.info("stopped", role=role)
