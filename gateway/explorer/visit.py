"""One visit: a request with its session, and the envelope around every page.

Rules: a POST without the session's token changes nothing (403). Forms are at most 64 KiB and urlencoded. A refusal of
the gateway becomes a page that says what happened and what to do; one for want of a valid key, the sign-in. One log
line for each request: no query, form or key is in it. It does not know single pages.
"""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import parse_qsl, quote

import httpx2
import structlog
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from gateway.explorer.api import Api, Problem
from gateway.explorer.rendering import Renderer
from gateway.explorer.session import COOKIE, Sealer, Session

FORM_BYTES = 64 * 1024  # a reason has 500 characters, a chat message 20,000; chosen, untested
_log = structlog.stdlib.get_logger("candor.explorer")


@dataclass(slots=True)
class Visit:
    """What a page is made from. `session` may be replaced; it is kept if it was."""

    request: Request
    api: Api
    session: Session
    now: datetime
    render: Renderer
    new_token: Callable[[], str]
    form: Mapping[str, str] = field(default_factory=dict)

    def page(self, template: str, *, status: int = 200, **context: object) -> Response:
        """Return a page."""
        text = self.render.page(template, self.session, self.request.url.path, self.now, **context)
        return HTMLResponse(text, status)

    def fragment(self, template: str, **context: object) -> str:
        """Return a part of a page as HTML."""
        return self.render.part(template, self.session, self.now, **context)

    def ask(self, name: str, default: str = "") -> str:
        """Return a value of the query, without the space around it."""
        return self.request.query_params.get(name, default).strip()

    def told(self, name: str) -> str:
        """Return a value of the form, without the space around it."""
        return self.form.get(name, "").strip()

    def go(self, path: str) -> Response:
        """Send the visitor on to a page of ours."""
        return RedirectResponse(path, 303)

    def remember(self, **changes: object) -> None:
        """Change the session."""
        self.session = replace(self.session, **changes)  # type: ignore[arg-type]


def segment(text: str) -> str:
    """Return a name as one segment of a path of the API."""
    return quote(text, safe="")


Page = Callable[[Visit], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Envelope:
    """What is around every page."""

    client: httpx2.AsyncClient
    sealer: Sealer
    render: Renderer
    now: Callable[[], datetime]
    new_token: Callable[[], str]

    def route(self, path: str, page: Page, *, methods: tuple[str, ...] = ("GET",), needs_key: bool = True) -> Route:
        """Serve a page under a path; without a key a visitor signs in first, unless the page needs none."""

        async def endpoint(request: Request) -> Response:
            return await self._serve(request, page, needs_key)

        return Route(path, endpoint, methods=list(methods))

    async def _serve(self, request: Request, page: Page, needs_key: bool) -> Response:
        began, now = time.monotonic(), self.now()
        cookie = request.cookies.get(COOKIE, "")
        session = self.sealer.open(cookie, now)
        visit = Visit(request, Api(self.client, session.key), session, now, self.render, self.new_token)
        try:
            response = await self._answer(visit, page, needs_key)
        except Problem as problem:
            response = _refused(visit, problem)
        self.sealer.keep(visit.session, response, now)
        spent = round((time.monotonic() - began) * 1000)
        _log.info("page", verb=request.method, path=request.url.path, status=response.status_code, milliseconds=spent)
        return response

    async def _answer(self, visit: Visit, page: Page, needs_key: bool) -> Response:
        if visit.request.method == "POST":
            visit.form = await _form(visit.request)
            if not visit.session.accepts(visit.form.get("csrf", "")):
                told = "This form is of another session. Go back, reload the page and send it again."
                raise Problem(403, "FORM_EXPIRED", told)
        if needs_key and not visit.session.key:
            raise Problem(401, "CREDENTIAL_MISSING", "These pages show a memory to whoever has a key of it.")
        return await page(visit)


def _refused(visit: Visit, problem: Problem) -> Response:
    if problem.status == 401:
        had_key = bool(visit.session.key)
        visit.remember(key="")
        here = visit.request.url
        onward = f"{here.path}?{here.query}" if here.query else here.path
        reason = problem.reason if had_key else ""
        onward = onward if visit.request.method == "GET" else "/"
        return visit.page("sign_in.html", status=401, reason=reason, onward=onward)
    return visit.page("error.html", status=problem.status, problem=problem)


async def _form(request: Request) -> dict[str, str]:
    """Read a form. Raises: Problem for one that is too large or of another type."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
        raise Problem(415, "FORM_TYPE", "Only forms of these pages are taken.")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > FORM_BYTES:
            raise Problem(413, "FORM_TOO_LARGE", "What was sent is too long; nothing was done.")
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=bool(body), errors="strict"))
    except ValueError:
        raise Problem(400, "FORM_UNREADABLE", "What was sent is no form.") from None
