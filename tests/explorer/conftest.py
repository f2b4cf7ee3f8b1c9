"""A browser in front of real services, and an Explorer in front of a gateway that answers what a test tells it to.

Rules: browser tests need Chromium (Debian: `apt-get install chromium`) and are skipped, saying so, where there is none;
`PLAYWRIGHT_CHROMIUM` names another one. A page that logs an error, fails a request or throws fails its test.
"""

import os
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, Response, async_playwright, expect

from gateway.explorer.api import client
from gateway.explorer.app import create_app
from shared import clock
from tests.e2e.stack import Stack, Tenant, started

SECRET = "a-secret-of-the-tests-with-some-length"
EXECUTABLES = ("chromium", "chromium-browser", "google-chrome", "chrome")
TIMEOUT_MILLISECONDS = 15_000.0  # the machine may be busy with other things
expect.set_options(timeout=TIMEOUT_MILLISECONDS)


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """A whole Candor of the session's own, the Explorer among it."""
    with started(tmp_path_factory.mktemp("explored")) as own:
        yield own


@pytest.fixture
def tenant(stack: Stack) -> Tenant:
    """Somebody with an empty memory."""
    return stack.new_tenant()


@pytest.fixture
def api(stack: Stack, tenant: Tenant) -> Iterator[httpx2.Client]:
    """The tenant's own access to the gateway."""
    with stack.client(tenant.key) as connected:
        yield connected


@pytest.fixture(scope="session")
def chromium() -> str:
    """Where Chromium is."""
    named = os.environ.get("PLAYWRIGHT_CHROMIUM") or next(filter(None, map(shutil.which, EXECUTABLES)), None)
    if not named:
        pytest.skip("there is no Chromium here: apt-get install chromium, or PLAYWRIGHT_CHROMIUM")
    return named


@pytest.fixture(scope="module")
async def browser(anyio_backend: str, chromium: str) -> AsyncIterator[Browser]:
    """A browser for the tests of one module. As root it has no sandbox, which Chromium refuses root."""
    sandbox = [] if os.geteuid() else ["--no-sandbox"]
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=chromium, args=sandbox)
        yield launched
        await launched.close()


@dataclass
class Window:
    """A browser window, and what went wrong in it. `expected` are statuses that a test asks for."""

    page: Page
    expected: set[int] = field(default_factory=set)
    wrong: list[str] = field(default_factory=list)

    def on_console(self, message: ConsoleMessage) -> None:
        refused = message.text.startswith("Failed to load resource") and self.expected
        if message.type in ("error", "warning") and not refused:
            self.wrong.append(f"console: {message.text}")

    def on_response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.expected:
            self.wrong.append(f"{response.status}: {response.url}")

    async def sign_in(self, key: str) -> None:
        await self.page.goto("/sign-in")
        await self.page.get_by_label("Your key").fill(key)
        await self.page.get_by_role("button", name="Sign in").click()
        await self.page.wait_for_url("**/")


async def open_window(browser: Browser, stack: Stack, **options: Any) -> tuple[BrowserContext, Window]:
    base = f"http://{stack.own.explorer_listen}"
    context = await browser.new_context(base_url=base, **{"viewport": {"width": 1440, "height": 900}, **options})
    context.set_default_timeout(TIMEOUT_MILLISECONDS)
    window = Window(await context.new_page())
    window.page.on("console", window.on_console)
    window.page.on("response", window.on_response)
    window.page.on("pageerror", lambda error: window.wrong.append(f"thrown: {error}"))
    return context, window


@pytest.fixture
def options() -> dict[str, Any]:
    """What kind of window a test wants; tests parametrise it."""
    return {}


@pytest.fixture
async def window(browser: Browser, stack: Stack, tenant: Tenant, options: dict[str, Any]) -> AsyncIterator[Window]:
    """A window in which the tenant is signed in; it fails the test if anything went wrong in it."""
    context, opened = await open_window(browser, stack, **options)
    await opened.sign_in(tenant.key)
    yield opened
    await context.close()
    assert opened.wrong == []


@dataclass
class Fake:
    """A gateway that answers what it is told to, and what it was asked."""

    answers: dict[str, httpx2.Response] = field(default_factory=dict)
    asked: list[httpx2.Request] = field(default_factory=list)

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.asked.append(request)
        return self.answers.get(request.url.path) or httpx2.Response(200, json={"count": 0})


def problem(status: int, reason: str, **headers: str) -> httpx2.Response:
    told = {"status": status, "reason": reason, "detail": f"Because of {reason}.", "requestId": "r-1"}
    return httpx2.Response(status, json=told, headers={"content-type": "application/problem+json", **headers})


@pytest.fixture
def fake() -> Fake:
    return Fake()


@pytest.fixture
async def visitor(fake: Fake) -> AsyncIterator[httpx2.AsyncClient]:
    """A client without a browser, of an Explorer in this process that asks the fake gateway."""
    gateway = client("http://gateway", httpx2.MockTransport(fake))
    app = create_app(gateway, SECRET, clock.now, clock.new_secret, secure=False)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://explorer") as connected:
        yield connected
    await gateway.aclose()
