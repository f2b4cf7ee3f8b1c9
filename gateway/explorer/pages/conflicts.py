"""Conflicts: a card for each, what was decided, and undoing it.

Rules: the audit is read as it stands, nothing is recorded by looking. A decision names the memories that the visitor
saw, so that it is refused if they have changed, and bears an id that was made with the form, so that sending it twice
decides once. It does not know how sides are weighed.
"""

import asyncio

from starlette.responses import Response
from starlette.routing import Route

from gateway.explorer import tour
from gateway.explorer.api import Json, Problem
from gateway.explorer.cards import card, pair
from gateway.explorer.visit import Envelope, Visit, segment

PAGE_SIZE = 10
DECISIONS = 5  # the newest ones; every memory tells its own
DEFER = "defer"


def routes(envelope: Envelope) -> list[Route]:
    """Return the routes of conflicts and decisions."""
    return [
        envelope.route("/conflicts", _show),
        envelope.route("/conflicts/decide", _decide, methods=("POST",)),
        envelope.route("/decisions/{decision_id}/undo", _undo, methods=("POST",)),
    ]


async def _show(visit: Visit) -> Response:
    company, number = visit.ask("company"), max(1, _whole(visit.ask("page")))
    report, deferred, semantic, recent, done = await asyncio.gather(
        visit.api.post("/v1/audit", {"company": company} if company else {}),
        visit.api.get("/v1/findings", state="acknowledged", limit=100, company=company),
        visit.api.get("/v1/findings", state="open", kind="semantic", limit=20, company=company),
        _decisions(visit),
        _decision(visit),
    )
    found = report["contradictions"]
    first = (number - 1) * PAGE_SIZE
    pairs = [finding["semantic"] for finding in semantic["findings"] if finding.get("semantic")]
    visit.remember(tour=tour.after(visit.session.tour, "saw"))
    cards = [card(conflict) for conflict in found[first : first + PAGE_SIZE]]
    shown = [pair(one) for one in pairs] if number == 1 else []
    return visit.page(
        "conflicts.html",
        company=company,
        report=report,
        cards=cards,
        pairs=shown,
        ids=[f"explorer-{visit.new_token()}" for _ in (*cards, *shown)],
        deferred={finding["findingId"]: finding for finding in deferred["findings"]},
        decisions=recent,
        done=done,
        number=number,
        pages=max(1, -(-len(found) // PAGE_SIZE)),
    )


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 1


async def _decisions(visit: Visit) -> list[Json]:
    listed: list[Json] = (await visit.api.get("/v1/decisions", limit=DECISIONS))["decisions"]
    return listed


async def _decision(visit: Visit) -> Json | None:
    """Return the decision that was just taken or undone, as it stands now."""
    decision_id = visit.ask("done")
    if not decision_id:
        return None
    try:
        read: Json = (await visit.api.get(f"/v1/decisions/{segment(decision_id)}"))["decision"]
    except Problem as problem:
        if problem.status in (400, 404):
            return None
        raise
    return read


async def _decide(visit: Visit) -> Response:
    choice, names = visit.told("choice"), [part for part in visit.told("named").split(",") if part]
    recommended = visit.told("recommended")
    about = {name: visit.told(name) for name in ("company", "subject", "attribute") if visit.told(name)}
    selected = recommended if choice == DEFER else choice
    action = DEFER if choice == DEFER else "accept" if choice == recommended else "override"
    body: Json = {**about, "action": action, "reason": visit.told("reason"), "decisionId": visit.told("decisionId")}
    if not about.get("subject"):
        body |= {"selectedMemoryId": selected, "targetMemoryIds": [name for name in names if name != selected]}
        body.pop("company", None)
    else:
        body |= {"findingId": visit.told("findingId"), "selectedMemoryId": selected}
        if names and choice != DEFER:
            body["targetMemoryIds"] = [name for name in names if name != selected]
    decided = await visit.api.post("/v1/conflicts:resolve", body)
    if choice != DEFER and visit.session.tour:
        visit.remember(tour=tour.after(visit.session.tour, "decided"), tour_decision=decided["decisionId"])
    return visit.go(f"/conflicts?done={segment(decided['decisionId'])}")


async def _undo(visit: Visit) -> Response:
    decision_id = visit.request.path_params["decision_id"]
    await visit.api.post(f"/v1/decisions/{segment(decision_id)}:undo", {"reason": visit.told("reason")})
    visit.remember(tour=tour.after(visit.session.tour, "undone"))
    return visit.go(f"/conflicts?done={segment(decision_id)}")
