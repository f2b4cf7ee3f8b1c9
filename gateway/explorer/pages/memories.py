"""Memories: the list, and one memory's life: its revisions, evidence, decisions, and what was believed when.

Rules: the list is told page by page; a page's size does not grow with memory. A day asked for means its end, in UTC.
It does not know how memories fade.
"""

import asyncio
from datetime import datetime

from starlette.responses import Response
from starlette.routing import Route

from gateway.explorer.api import Json, Problem
from gateway.explorer.charts import life
from gateway.explorer.presence import curve
from gateway.explorer.visit import Envelope, Visit, segment
from gateway.explorer.words import instant

PAGE_SIZE = 20
EVENTS = 30  # of a page; a life with more is rare
STATES = ("active", "superseded", "incorrect", "merged", "forgotten", "erased")
KINDS = ("document", "payroll_event", "validation", "insight", "invoice", "action", "note", "turn")
FIELDS = ("company", "counterparty", "record", "period", "speaker", "session", "sourceRef")


def routes(envelope: Envelope) -> list[Route]:
    """Return the routes of memories."""
    return [envelope.route("/memories", _list), envelope.route("/memories/{memory_id}", _life)]


async def _list(visit: Visit) -> Response:
    chosen = {"state": visit.ask("state"), "kind": visit.ask("kind"), "company": visit.ask("company")}
    listed, counted = await asyncio.gather(
        visit.api.get("/v1/memories", limit=PAGE_SIZE, pageToken=visit.ask("after"), **chosen),
        visit.api.get("/v1/memories:count", **chosen),
    )
    return visit.page(
        "memories.html",
        memories=listed["items"],
        following=listed["nextPageToken"],
        first=not visit.ask("after"),
        held=counted["count"],
        chosen=chosen,
        states=STATES,
        kinds=KINDS,
    )


async def _life(visit: Visit) -> Response:
    memory_id, day = segment(visit.request.path_params["memory_id"]), visit.ask("believed")
    path = f"/v1/memories/{memory_id}"
    read, events, decisions, presence, then = await asyncio.gather(
        visit.api.get(path),
        visit.api.get(f"{path}/events", limit=EVENTS, pageToken=visit.ask("after")),
        visit.api.get("/v1/decisions", memoryId=visit.request.path_params["memory_id"], limit=20),
        curve(visit.api, memory_id),
        _then(visit, path, day),
    )
    memory = read["memory"]
    return visit.page(
        "memory.html",
        memory=memory,
        fields=[(name, memory[name]) for name in FIELDS if memory[name]],
        events=events["events"],
        following=events["nextPageToken"],
        decisions=decisions["decisions"],
        presence=presence,
        day=day,
        then=then,
        picture=_picture(memory, events["events"], visit.now),
    )


async def _then(visit: Visit, path: str, day: str) -> Json | None:
    """Return the revision that was believed at the end of a day; None if there was none, or no day is asked for."""
    if not day:
        return None
    try:
        read: Json = (await visit.api.get(path, knownAt=f"{day}T23:59:59.999Z"))["memory"]
    except Problem as problem:
        if problem.status == 404:
            return None
        raise
    return read


def _picture(memory: Json, events: list[Json], now: datetime) -> object:
    told = [instant(event["recordedAt"]) for event in events]
    believed = life.Span(min([*told, instant(memory["recordedAt"])]), _when(memory["endedAt"]))
    holds = life.Span(instant(memory["observedAt"]), _when(memory["validTo"])) if memory["observedAt"] else None
    return life.draw(holds, believed, told, now)


def _when(text: str | None) -> datetime | None:
    return instant(text) if text else None
