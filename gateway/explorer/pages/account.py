"""Signing in with a key, signing out, and the theme.

Rules: a key is tried before it is taken; it lives in the sealed cookie only. Where a visitor is sent on to is a path of
these pages. It does not know what a key may do.
"""

from starlette.responses import Response
from starlette.routing import Route

from gateway.explorer.api import Api, Problem
from gateway.explorer.visit import Envelope, Visit

THEMES = ("", "light", "dark")
KEY_CHARACTERS = 200  # far above the length of a key


def routes(envelope: Envelope) -> list[Route]:
    """Return the routes of the account."""
    return [
        envelope.route("/sign-in", _form, needs_key=False),
        envelope.route("/sign-in", _sign_in, methods=("POST",), needs_key=False),
        envelope.route("/sign-out", _sign_out, methods=("POST",), needs_key=False),
        envelope.route("/theme", _theme, methods=("POST",), needs_key=False),
    ]


def onward(path: str) -> str:
    """Return a path of ours; what leads elsewhere is the first page."""
    ours = path.startswith("/") and not path.startswith("//") and "\\" not in path and path.isprintable()
    return path if ours else "/"


async def _form(visit: Visit) -> Response:
    return visit.page("sign_in.html", reason="", onward=onward(visit.ask("next", "/")))


async def _sign_in(visit: Visit) -> Response:
    key, path = visit.told("key"), onward(visit.told("onward"))
    if not key or len(key) > KEY_CHARACTERS or not (key.isascii() and key.isprintable()):
        return visit.page("sign_in.html", status=400, reason="KEY_UNREADABLE", onward=path)
    try:
        await Api(visit.api.client, key).get("/v1/memories:count")
    except Problem as problem:
        if problem.status == 401:
            return visit.page("sign_in.html", status=401, reason=problem.reason, onward=path)
        if problem.status != 403:  # a key that may not read may still write
            raise
    visit.remember(key=key)
    return visit.go(path)


async def _sign_out(visit: Visit) -> Response:
    visit.remember(key="", tour=0, tour_decision="")
    return visit.go("/sign-in")


async def _theme(visit: Visit) -> Response:
    theme = visit.told("theme")
    visit.remember(theme=theme if theme in THEMES else "")
    return visit.go(onward(visit.told("onward")))
