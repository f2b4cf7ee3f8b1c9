"""The guided tour: what it writes, and where a visitor stands on it.

Rules: the example is written once, however often it is asked for; its memories are ordinary memories. It does not know
how the other pages are made.
"""

from typing import Any

from starlette.responses import Response
from starlette.routing import Route

from gateway.explorer import tour
from gateway.explorer.visit import Envelope, Visit

REQUEST_ID = "explorer-tour-1"  # the version of the example: a changed text takes another one


def _memory(kind: str, content: str, observed_at: str, **more: Any) -> dict[str, Any]:
    return {"kind": kind, "content": content, "company": tour.COMPANY, "observedAt": observed_at, **more}


def _invoice(content: str, amount: int, observed_at: str, source: str, **more: Any) -> dict[str, Any]:
    metadata = {"amount": amount, "currency": "EUR"}
    return _memory("document", content, observed_at, record=tour.RECORD, sourceRef=source, metadata=metadata, **more)


EXAMPLE = (
    _invoice(
        f"Invoice {tour.RECORD} from Halden Paper: EUR 8,400 due on 30 April 2026, for order PO-118.",
        *(8400, "2026-04-01T09:00:00Z", "inbox/halden-paper.pdf"),
        session="accounts-monday",
        references=["PO-118"],
    ),
    _invoice(
        f"Halden Paper corrected invoice {tour.RECORD}: the amount due is EUR 8,900.",
        *(8900, "2026-04-10T16:30:00Z", "inbox/halden-paper-2.pdf"),
        session="accounts-friday",
    ),
    _memory("insight", f"{tour.COMPANY} always pays its suppliers on time.", "2026-03-12T10:00:00Z"),
    _memory("insight", f"{tour.COMPANY} never pays its suppliers on time.", "2026-04-22T10:00:00Z"),
    _memory("note", "Nora Lind of accounts is allergic to peanuts.", "2026-02-03T12:00:00Z", importance=0.9),
    _memory("note", "The office plants are watered on Tuesdays.", "2026-04-10T17:00:00Z", memoryType="episodic"),
)


def routes(envelope: Envelope) -> list[Route]:
    """Return the routes of the tour."""
    return [
        envelope.route("/tour", _show),
        envelope.route("/tour", _begin, methods=("POST",)),
        envelope.route("/tour/end", _end, methods=("POST",)),
    ]


async def _show(visit: Visit) -> Response:
    return visit.page("tour.html", number=visit.session.tour, question=tour.QUESTION, example=EXAMPLE)


async def _begin(visit: Visit) -> Response:
    await visit.api.post("/v1/memories:batch", {"memories": list(EXAMPLE)}, request_id=REQUEST_ID)
    visit.remember(tour=tour.after(1, "seeded"), tour_decision="")
    return visit.go("/tour")


async def _end(visit: Visit) -> Response:
    visit.remember(tour=0, tour_decision="")
    return visit.go("/")
