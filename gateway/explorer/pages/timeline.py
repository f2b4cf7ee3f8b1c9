"""Timeline: how many memories were in which state when, and how those that live will fade.

Rules: without a range the shortest is taken that shows when memory began, of at most a month. It does not know how
states come about.
"""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from types import MappingProxyType

from starlette.responses import Response
from starlette.routing import Route

from gateway.explorer.api import Json
from gateway.explorer.charts import population
from gateway.explorer.presence import curve
from gateway.explorer.visit import Envelope, Visit
from gateway.explorer.words import instant

RANGES: Mapping[str, timedelta] = MappingProxyType(
    {
        "hour": timedelta(hours=1),
        "day": timedelta(days=1),
        "week": timedelta(days=7),
        "month": timedelta(days=30),
        "quarter": timedelta(days=90),
        "year": timedelta(days=365),
    }
)
STEPS = 60  # instants of a picture: a range in whole seconds each
TABLE_ROWS = 10
PAGE_SIZE = 8  # memories with a curve each, one call for each


def routes(envelope: Envelope) -> list[Route]:
    """Return the route of the timeline."""
    return [envelope.route("/timeline", _show)]


async def _show(visit: Visit) -> Response:
    chosen = visit.ask("range")
    (name, points), listed = await asyncio.gather(
        _population(visit, chosen), visit.api.get("/v1/memories", limit=PAGE_SIZE, pageToken=visit.ask("after"))
    )
    curves = await asyncio.gather(*(curve(visit.api, memory["id"], small=True) for memory in listed["items"]))
    counts = [population.Count(instant(point["at"]), {s: point[s] for s in population.STATES}) for point in points]
    return visit.page(
        "timeline.html",
        ranges=list(RANGES),
        name=name,
        states=[state for state in population.STATES if any(point[state] for point in points)],
        wide=population.draw(counts),
        narrow=population.draw(counts, width=340.0, height=220.0),
        rows=points[:: -(STEPS // TABLE_ROWS)],
        faded=list(zip(listed["items"], curves, strict=True)),
        following=listed["nextPageToken"],
    )


async def _population(visit: Visit, chosen: str) -> tuple[str, list[Json]]:
    """Return the range that is shown, and its points."""
    if chosen in RANGES:
        return chosen, await _points(visit, chosen)
    shown: tuple[str, list[Json]] = ("month", [])
    for name in ("month", "week", "day", "hour"):
        points = await _points(visit, name)
        shown = name, points
        began = next((number for number, point in enumerate(points) if any(map(point.get, population.STATES))), 0)
        if began < len(points) * 3 // 4:
            break
    return shown


async def _points(visit: Visit, name: str) -> list[Json]:
    span = RANGES[name]
    since, step = visit.now - span, int(span.total_seconds()) // STEPS
    told = await visit.api.get("/v1/timeline", since=since.isoformat(), until=visit.now.isoformat(), stepSeconds=step)
    points: list[Json] = told["points"]
    return points
