"""A role inside the test process: the real bootstrap, a real port on loopback, a real channel."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc

from shared import config
from shared.rpc import clients, server


@asynccontextmanager
async def role(
    name: str,
    *servicers: object,
    settings: config.Settings | None = None,
    also: Callable[[server.Host], Awaitable[None]] | None = None,
) -> AsyncIterator[grpc.aio.Channel]:
    """Start a role that serves these servicers; yield a channel to it, as the role `test`."""

    async def mount(host: server.Host) -> None:
        for servicer in servicers:
            host.add(servicer)
        if also:
            await also(host)

    running = await server.start(name, mount, settings or config.Settings(drain_seconds=0.2))
    try:
        async with clients.channel(f"127.0.0.1:{running.port}", caller="test") as channel:
            yield channel
    finally:
        await running.stop()
