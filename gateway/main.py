"""Start the gateway: `python -m gateway.main`.

Rules: it listens on `gateway_listen`; on SIGTERM or SIGINT it takes no new connections, lets the running requests end
within `drain_seconds`, then closes its channels. Its log is one JSON line per request.
"""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from socket import socket
from types import FrameType

import structlog
import uvicorn

from gateway import contracts
from gateway.app import create_app
from shared import config
from shared.rpc import clients, logs, loop, metrics
from shared.rpc.context import acting_as
from shared.rpc.server import REFUSED_EXIT_CODE

KEEP_ALIVE_SECONDS = 75
"""Above the idle time of usual load balancers (60 s), so that never the gateway closes a connection they still use."""

_log = structlog.stdlib.get_logger("candor.gateway")


class _Server(uvicorn.Server):
    """uvicorn's server, which says what it does, and on a signal drains and returns instead of raising it again."""

    async def startup(self, sockets: list[socket] | None = None) -> None:
        await super().startup(sockets)
        _log.info("serving", listen=f"{self.config.host}:{self.config.port}")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        _log.info("draining")
        super().handle_exit(sig, frame)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        yield


def _address(listen: str) -> tuple[str, int]:
    """Read host:port. Raises: ValueError; without a host it would listen to everybody, which must be said."""
    host, _, port = listen.rpartition(":")
    if not host or not port.isdecimal():
        raise ValueError(f"CANDOR_GATEWAY_LISTEN must be host:port, not {listen!r}")
    return host.strip("[]"), int(port)


async def _serve(settings: config.Settings, host: str, port: int) -> None:
    async with AsyncExitStack() as stack:
        with acting_as("gateway"):
            channels = {
                role: await stack.enter_async_context(clients.channel(getattr(settings, f"{role}_target")))
                for role in contracts.ROLES
            }
        server = _Server(
            uvicorn.Config(
                create_app(settings, channels),
                host=host,
                port=port,
                http="httptools",
                ws="none",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=round(settings.drain_seconds),
            )
        )
        if settings.metrics_port:
            close = metrics.expose(host, settings.metrics_port)
            stack.push_async_callback(asyncio.to_thread, close)
        await server.serve()
    _log.info("stopped")


def main() -> None:
    """Serve until told to stop."""
    try:
        settings = config.load()
        host, port = _address(settings.gateway_listen)
    except ValueError as error:  # pydantic's own is one
        logs.configure("info")
        _log.error("refused to start", role="gateway", error=str(error))
        raise SystemExit(REFUSED_EXIT_CODE) from None
    logs.configure(settings.log_level)
    loop.run(_serve(settings, host, port))


if __name__ == "__main__":
    main()
