"""The gateway as one ASGI application, made from settings, channels and the contracts.

Rules: stateless but for the cache of keys; whoever makes the channels closes them. It does not listen or read the
environment.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import grpc
import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from gateway import contracts, docs, openapi
from gateway.agent import AgentLoop
from gateway.auth import Authenticator, PublicTenant
from gateway.envelope import Envelope
from gateway.gate import Gate
from gateway.health import Health
from gateway.key_use import KeyUses
from gateway.mcp.endpoint import McpEndpoint
from gateway.mcp.running import ROUTE as MCP_ROUTE
from gateway.problems import MethodNotAllowed, route_not_found
from gateway.quotas import Quotas
from gateway.transcode import RpcRoutes
from shared import clock
from shared.config import Settings


def create_app(settings: Settings, channels: Mapping[str, grpc.aio.Channel]) -> Starlette:
    """Return the application. `channels` holds one channel for each of `contracts.ROLES`."""
    bindings = contracts.bindings()
    uses = KeyUses(channels["ingest"], clock.new_id(), clock.now)
    public = PublicTenant(settings.public_tenant, settings.public_keeper) if settings.public_tenant else None
    authenticator = Authenticator(channels["retrieve"], settings.key_cache_seconds, clock.now, uses, public)
    gate = Gate(settings, authenticator, channels["ingest"], now=clock.now, new_id=clock.new_id)
    health = Health(channels, settings, clock.now)
    document = openapi.document(bindings)
    rpcs = RpcRoutes(bindings, channels, gate, settings.max_body_bytes)
    rpcs.loop_with(AgentLoop(bindings, rpcs))
    tools = McpEndpoint(bindings, rpcs, gate.principal)
    app = Starlette(
        routes=[
            rpcs,
            Route(MCP_ROUTE, tools),
            Route("/health", health.health),
            Route("/ready", health.ready),
            Route("/ready/deep", health.deep),
            Route("/openapi.json", _fixed(orjson.dumps(document), "application/json")),
            Route("/docs", _fixed(docs.page(document).encode(), "text/html; charset=utf-8", docs.POLICY)),
        ],
        middleware=[Middleware(Envelope, new_id=clock.new_id, simulated=settings.simulates_time)],
        exception_handlers={HTTPException: _as_error},
        lifespan=_reporting(uses, gate.quotas, tools),
    )
    app.router.redirect_slashes = False
    return app


def _reporting(
    uses: KeyUses, quotas: Quotas, tools: McpEndpoint
) -> Callable[[Starlette], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        running = [asyncio.create_task(uses.run()), asyncio.create_task(quotas.run())]
        try:
            async with tools.running():
                yield
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
            await uses.flush()
            await quotas.settle(is_last=True)

    return lifespan


def _fixed(
    body: bytes, media_type: str, policy: str = "default-src 'none'"
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return Response(body, media_type=media_type, headers={"content-security-policy": policy})

    return endpoint


async def _as_error(request: Request, error: Exception) -> Response:
    """Turn what Starlette's router raises into our own errors, for the envelope."""
    if isinstance(error, HTTPException) and error.status_code == 405:
        raise MethodNotAllowed(request.method, (error.headers or {}).get("Allow", ""))
    raise route_not_found()
