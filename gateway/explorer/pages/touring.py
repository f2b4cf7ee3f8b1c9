"""The guided tour: where a visitor stands on it, and the demonstration it begins with.

Rules: the demonstration is the gateway's own, written once however often it is asked for. It does not know what is
written, nor how the other pages are made.
"""

from starlette.responses import Response
from starlette.routing import Route

from gateway.explorer import tour
from gateway.explorer.visit import Envelope, Visit


def routes(envelope: Envelope) -> list[Route]:
    """Return the routes of the tour."""
    return [
        envelope.route("/tour", _show),
        envelope.route("/tour", _begin, methods=("POST",)),
        envelope.route("/tour/end", _end, methods=("POST",)),
    ]


async def _show(visit: Visit) -> Response:
    return visit.page("tour.html", number=visit.session.tour)


async def _begin(visit: Visit) -> Response:
    await visit.api.post("/v1/demo:seed", {})
    visit.remember(tour=tour.after(1, "seeded"), tour_decision="")
    return visit.go("/tour")


async def _end(visit: Visit) -> Response:
    visit.remember(tour=0, tour_decision="")
    return visit.go("/")
