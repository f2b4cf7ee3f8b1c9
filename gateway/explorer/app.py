"""The Explorer as one ASGI application.

Rules: it talks to the gateway over HTTP with the visitor's key, and keeps nothing. It does not listen or read the
environment.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime

import httpx2
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from gateway.explorer.api import Problem
from gateway.explorer.pages import account, ask, conflicts, home, meaning, memories, timeline, touring
from gateway.explorer.policy import Policy
from gateway.explorer.rendering import FOLDER, Renderer
from gateway.explorer.session import Sealer
from gateway.explorer.visit import Envelope, Visit

PAGES = (account, ask, conflicts, home, meaning, memories, timeline, touring)


def create_app(
    client: httpx2.AsyncClient,
    secret: str,
    now: Callable[[], datetime],
    new_token: Callable[[], str],
    *,
    secure: bool,
) -> Starlette:
    """Return the application. It closes `client` when it ends; `secure` cookies travel over https only."""
    envelope = Envelope(client, Sealer(secret, new_token, secure=secure), Renderer(), now, new_token)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with client:
            yield

    app = Starlette(
        routes=[
            *(route for page in PAGES for route in page.routes(envelope)),
            Route("/health", _alive),
            Mount("/static", StaticFiles(directory=FOLDER / "static")),
            envelope.route("/{path:path}", _nothing_here),
        ],
        middleware=[Middleware(Policy)],
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


async def _alive(request: Request) -> Response:
    return PlainTextResponse("ok\n")


async def _nothing_here(visit: Visit) -> Response:
    raise Problem(404, "PAGE_NOT_FOUND", "There is no page under this address.")
