"""Ask: a question, its cited answer, the evidence, and beside it where memory disagrees.

Rules: looking changes nothing, so an answer given here does not count as a use of what it cites. With JavaScript the
answer is streamed; without, the page holds it whole. It does not know how an answer is made.
"""

import asyncio
import json
from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from gateway.explorer import answering, tour
from gateway.explorer.api import Json, Problem
from gateway.explorer.cards import card
from gateway.explorer.visit import Envelope, Visit

EXAMPLES = (tour.QUESTION, "Where does Mara Lindqvist live?", "Does Northwind Trading pay its suppliers on time?")


def routes(envelope: Envelope) -> list[Route]:
    """Return the routes of asking."""
    return [envelope.route("/ask", _ask), envelope.route("/ask/stream", _stream)]


def _question(visit: Visit) -> Json:
    day = visit.ask("asOf")
    filters = {"company": visit.ask("company"), "knownAt": f"{day}T23:59:59Z" if day else ""}
    return {"question": visit.ask("q"), "reinforce": False, **{name: told for name, told in filters.items() if told}}


async def _ask(visit: Visit) -> Response:
    filled = {name: visit.ask(name) for name in ("q", "company", "asOf")}
    answer = await visit.api.post("/v1/answer", _question(visit)) if filled["q"] else None
    if answer:
        visit.remember(tour=tour.after(visit.session.tour, "asked"))
    return visit.page("ask.html", filled=filled, examples=EXAMPLES, **_shown(answer))


def _shown(answer: Json | None) -> Json:
    if answer is None:
        return {"answer": None}
    return {
        "answer": answer,
        "paragraphs": answering.linked(answer["answer"], answer["citations"]),
        "evidence": answering.evidence(answer),
        "cards": [card(conflict) for conflict in answer["conflicts"]],
    }


async def _stream(visit: Visit) -> Response:
    """Send the guarded sentences as they come, then the whole as the page would show it: a line of JSON for each."""
    items = visit.api.stream("/v1/answer:stream", _question(visit))
    first = await anext(items)  # a refusal becomes a page, with its status
    visit.remember(tour=tour.after(visit.session.tour, "asked"))

    async def lines() -> AsyncIterator[str]:
        found: Json = first.get("found", {})
        try:
            async for item in items:
                if "text" in item:
                    yield _line(text=item["text"])
                elif "answer" in item:
                    yield _line(html=visit.fragment("answer.html", **_shown({**found, **item["answer"]})))
        except Problem as problem:
            yield _line(html=visit.fragment("problem.html", problem=problem))
        except asyncio.CancelledError:
            await items.aclose()
            raise

    return StreamingResponse(lines(), media_type="application/x-ndjson")


def _line(**told: str) -> str:
    return json.dumps(told) + "\n"
