"""The first page: how much memory holds, whether it agrees with itself, and where to begin.

Rules: an empty memory is invited to the tour. A part that the key may not read is left out. It does not know other
pages.
"""

import asyncio

from starlette.responses import Response
from starlette.routing import Route

from gateway.explorer.api import Json, Problem
from gateway.explorer.visit import Envelope, Visit


def routes(envelope: Envelope) -> list[Route]:
    """Return the route of the first page."""
    return [envelope.route("/", _home)]


async def _home(visit: Visit) -> Response:
    held = await visit.api.get("/v1/memories:count")
    report, newest, decisions = await asyncio.gather(
        _allowed(visit, "audit"), _allowed(visit, "newest"), _allowed(visit, "decisions")
    )
    return visit.page("home.html", held=held["count"], report=report, newest=newest, decisions=decisions)


async def _allowed(visit: Visit, part: str) -> Json | None:
    """Return a part of the page; None if the key may not read it."""
    try:
        if part == "audit":
            return await visit.api.post("/v1/audit", {})
        if part == "newest":
            return await visit.api.get("/v1/memories", limit=5)
        return await visit.api.get("/v1/decisions", limit=3)
    except Problem as problem:
        if problem.status in (401, 403):
            return None
        raise
