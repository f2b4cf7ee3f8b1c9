"""Sessions, forms and headers: the key stays secret, and nobody else's page can act for a visitor."""

import re
from datetime import UTC, datetime, timedelta

import httpx2
import pytest
import structlog
from starlette.responses import Response

from gateway.explorer.pages.account import onward
from gateway.explorer.session import COOKIE, LIFETIME_SECONDS, Sealer
from tests.explorer.conftest import SECRET, Fake, problem

pytestmark = pytest.mark.anyio
KEY = "ck_the-key-of-the-tests"
NOW = datetime(2026, 5, 1, tzinfo=UTC)


def token(page: httpx2.Response) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', page.text)
    assert found
    return found.group(1)


async def sign_in(visitor: httpx2.AsyncClient, key: str = KEY, **more: str) -> httpx2.Response:
    form = {"csrf": token(await visitor.get("/sign-in")), "key": key, "onward": "/", **more}
    return await visitor.post("/sign-in", data=form)


async def test_the_key_goes_to_the_gateway_and_nowhere_else(visitor: httpx2.AsyncClient, fake: Fake) -> None:
    with structlog.testing.capture_logs() as lines:
        answer = await sign_in(visitor)
        page = await visitor.get("/tour")
    assert answer.status_code == 303
    assert fake.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=lax" in cookie
    told = (
        answer.text,
        str(answer.headers),
        page.text,
        str(page.headers),
        str(lines),
        *(str(r.url) for r in fake.asked),
    )
    assert not any(KEY in text for text in told)


async def test_a_form_without_the_sessions_token_does_nothing(visitor: httpx2.AsyncClient, fake: Fake) -> None:
    await sign_in(visitor)
    fake.asked.clear()
    for form in ({}, {"csrf": ""}, {"csrf": "guessed"}):
        assert (await visitor.post("/tour", data=form)).status_code in (403, 415)
        assert (await visitor.post("/conflicts/decide", data={**form, "choice": "x"})).status_code == 403
    assert fake.asked == []


async def test_a_token_of_another_session_is_none(visitor: httpx2.AsyncClient) -> None:
    stranger = token(await visitor.get("/sign-in"))
    visitor.cookies.clear()
    await visitor.get("/sign-in")
    assert (await visitor.post("/theme", data={"csrf": stranger, "theme": "dark"})).status_code == 403


async def test_forms_of_another_type_or_size_are_refused(visitor: httpx2.AsyncClient) -> None:
    csrf = token(await visitor.get("/sign-in"))
    assert (await visitor.post("/theme", json={"csrf": csrf})).status_code == 415
    assert (await visitor.post("/theme", data={"csrf": csrf, "theme": "x" * 70_000})).status_code == 413


@pytest.mark.parametrize("reason", ["KEY_EXPIRED", "KEY_REVOKED", "KEY_UNKNOWN"])
async def test_a_refused_key_leads_to_the_sign_in_and_is_forgotten(
    visitor: httpx2.AsyncClient, fake: Fake, reason: str
) -> None:
    await sign_in(visitor)
    fake.answers["/v1/audit"] = problem(401, reason)
    page = await visitor.get("/conflicts?company=x")
    assert page.status_code == 401
    assert reason in page.text and 'value="/conflicts?company=x"' in page.text
    asked = len(fake.asked)
    assert (await visitor.get("/")).status_code == 401
    assert len(fake.asked) == asked


async def test_a_key_is_tried_before_it_is_taken(visitor: httpx2.AsyncClient, fake: Fake) -> None:
    fake.answers["/v1/memories:count"] = problem(401, "KEY_UNKNOWN")
    answer = await sign_in(visitor)
    assert answer.status_code == 401
    assert "This key is not known." in answer.text
    for unreadable in ("", "päß", "a\nb", "x" * 300):
        assert (await sign_in(visitor, unreadable)).status_code == 400


@pytest.mark.parametrize(("status", "reason"), [(403, "SCOPE_MISSING"), (429, "RATE_LIMITED"), (503, "OVERLOADED")])
async def test_a_refusal_says_what_and_for_how_long(
    visitor: httpx2.AsyncClient, fake: Fake, status: int, reason: str
) -> None:
    await sign_in(visitor)
    fake.answers["/v1/answer"] = problem(status, reason, **{"retry-after": "7"})
    page = await visitor.get("/ask?q=x")
    assert page.status_code == status
    assert reason in page.text and "in 7 s" in page.text and "r-1" in page.text


async def test_a_gateway_that_is_no_gateway_is_a_page_too(visitor: httpx2.AsyncClient, fake: Fake) -> None:
    await sign_in(visitor)
    fake.answers["/v1/memories:count"] = httpx2.Response(200, text="<h1>hello</h1>")
    assert (await visitor.get("/")).status_code == 502
    fake.answers["/v1/memories:count"] = httpx2.Response(302, headers={"location": "http://elsewhere/"})
    assert (await visitor.get("/")).status_code == 502
    assert {request.url.host for request in fake.asked} == {"gateway"}


async def test_every_response_forbids_what_is_not_ours(visitor: httpx2.AsyncClient) -> None:
    for path in ("/sign-in", "/nothing", "/static/explorer.css", "/static/nothing", "/health"):
        headers = (await visitor.get(path)).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'") and "unsafe" not in policy and "*" not in policy
        assert headers["x-content-type-options"] == "nosniff"
    assert "no-store" in (await visitor.get("/sign-in")).headers["cache-control"]
    assert "immutable" in (await visitor.get("/static/explorer.css")).headers["cache-control"]


async def test_nothing_on_a_page_is_inline(visitor: httpx2.AsyncClient, fake: Fake) -> None:
    await sign_in(visitor)
    for path in ("/sign-in", "/tour", "/ask", "/nothing"):
        text = (await visitor.get(path)).text
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=", text)


@pytest.mark.parametrize("path", ["https://evil.example", "//evil.example", "/\\evil.example", "evil", "", "/a\r\nb"])
def test_a_visitor_is_sent_to_our_pages_only(path: str) -> None:
    assert onward(path) == "/"


def test_a_session_ends_and_cannot_be_made_up() -> None:
    sealer = Sealer(SECRET, lambda: "token", secure=True)
    response = Response()
    sealer.keep(sealer.fresh(theme="dark"), response, NOW)
    sent = response.headers["set-cookie"]
    assert "Secure" in sent
    cookie = sent.removeprefix(f"{COOKIE}=").partition(";")[0].strip('"')
    assert sealer.open(cookie, NOW).theme == "dark"
    assert sealer.open(cookie, NOW + timedelta(seconds=LIFETIME_SECONDS + 2)).theme == ""
    assert sealer.open(cookie[:-2] + "AA", NOW).theme == ""
    assert Sealer("of another secret", lambda: "t", secure=True).open(cookie, NOW).theme == ""
