"""The bounded scan for memories that say opposite things: how many pairs there are comes before any is judged.

Rules: one pair at a time, the nearest first, and only when the visitor says so, since a judge may cost money. A pair
without a verdict is told as such, never as agreeing. Nothing is recorded by a scan. It does not know how pairs are
found or judged.
"""

from starlette.responses import Response
from starlette.routing import Route

from gateway.explorer.api import Json
from gateway.explorer.cards import pair
from gateway.explorer.visit import Envelope, Visit

PAIRS = 1  # of one scan
KINDS = ("insight", "note", "document")


def routes(envelope: Envelope) -> list[Route]:
    """Return the routes of the scan."""
    return [
        envelope.route("/conflicts/meaning", _show),
        envelope.route("/conflicts/meaning", _scan, methods=("POST",)),
    ]


async def _show(visit: Visit) -> Response:
    scope = {"kind": visit.ask("kind", "insight"), "company": visit.ask("company")}
    counted = await visit.api.post("/v1/audit/meaning:count", _filters(scope))
    return visit.page(
        "meaning.html", scope=scope, kinds=KINDS, counted=counted, result=None, compared=0, cards=[], ids=[]
    )


async def _scan(visit: Visit) -> Response:
    scope = {"kind": visit.told("kind"), "company": visit.told("company")}
    more = {"maxPairs": PAIRS, "resumeToken": visit.told("resumeToken")}
    result = await visit.api.post("/v1/audit/meaning", _filters(scope) | more)
    counted = {**result, "atLeast": False}
    before = visit.told("compared")
    cards = [pair(found) for found in result["semanticContradictions"]]
    return visit.page(
        "meaning.html",
        scope=scope,
        kinds=KINDS,
        counted=counted,
        result=result,
        compared=(int(before) if before.isascii() and before.isdigit() and len(before) < 10 else 0)
        + result["compared"],
        cards=cards,
        ids=[f"explorer-{visit.new_token()}" for _ in cards],
    )


def _filters(scope: Json) -> Json:
    return {name: told for name, told in scope.items() if told and told != "all"}
