"""Every page in a browser: accessible, small and quiet, at both widths and in both themes, with hostile content too."""

import base64
import json
import re
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from itertools import product
from typing import Any

import httpx2
import numpy as np
import pytest
from playwright.async_api import Page, expect

from shared.config import LOCAL_GENERATION
from tests.e2e.stack import Tenant
from tests.explorer.conftest import Window

pytestmark = pytest.mark.anyio
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
PAGES = ("/", "/ask", "/ask?q=amount+of+INV-1", "/conflicts", "/conflicts/meaning", "/memories", "/timeline", "/tour")
SIZE_BYTES = 200_000
WORD = "x" * 3000
HOSTILE = f'</p><script>document.title="owned"</script><img src=x onerror=alert(1)>\u202egnp.exe {WORD} {{{{7*7}}}}'
CONTENT = f"{HOSTILE} amount of INV-1 is 5"


def written(api: httpx2.Client, memories: list[dict[str, Any]]) -> list[str]:
    answer = api.post("/v1/memories:batch", json={"memories": memories})
    assert answer.status_code == 200, answer.text
    return [memory["memoryId"] for memory in answer.json()["memories"]]


def invoice(amount: Any, day: int, **more: Any) -> dict[str, Any]:
    return {
        "kind": "document",
        "content": f"The amount of INV-1 is {amount}.",
        "company": "Halden Paper",
        "record": "INV-1",
        "sourceRef": f"inbox/{day}.pdf",
        "metadata": {"amount": amount},
        "observedAt": f"2026-04-{day:02}T09:00:00Z",
        **more,
    }


def upload(api: httpx2.Client, count: int) -> None:
    """Write notes with vectors of their own, since embedding them would take minutes."""
    vectors = np.random.default_rng(1).standard_normal((count, LOCAL_GENERATION[1])).astype("<f4")
    embeddings = (base64.b64encode(vector.tobytes()).decode() for vector in vectors)
    own = {"kind": "note", "embeddingModel": LOCAL_GENERATION[0]}
    lines = (
        json.dumps({**own, "content": f"Note {n} of a long life.", "embedding": embedding}) + "\n"
        for n, embedding in enumerate(embeddings)
    )
    headers = {"content-type": "application/x-ndjson"}
    answer = api.post("/v1/memories:import?mode=bulk", content="".join(lines), headers=headers)
    assert answer.status_code == 200, answer.text
    assert not answer.json().get("errors"), answer.text


async def violations(page: Page) -> list[str]:
    await page.evaluate(AXE)
    found = await page.evaluate("axe.run().then(told => told.violations)")
    return [f"{one['id']} ({one['impact']}): {one['nodes'][0]['html'][:200]}" for one in found]


async def is_wider_than_its_window(page: Page) -> bool:
    return bool(await page.evaluate("document.documentElement.scrollWidth > innerWidth"))


LOOKS = [
    {"viewport": {"width": width, "height": 800}, "color_scheme": scheme, "bypass_csp": False}
    for width, scheme in product((375, 1440), ("light", "dark"))
]


@pytest.mark.parametrize("options", LOOKS, ids=lambda o: f"{o['viewport']['width']}-{o['color_scheme']}")
async def test_every_page_is_accessible_and_fits(window: Window, api: httpx2.Client) -> None:
    ids = written(api, [invoice(5, 1), invoice(7, 9), {"kind": "note", "content": "A note that fades."}])
    for path in (*PAGES, *(f"/memories/{one}" for one in ids[1:])):
        await window.page.goto(path)
        assert await violations(window.page) == [], path
        assert not await is_wider_than_its_window(window.page), path
        timing = await window.page.evaluate("performance.getEntriesByType('navigation')[0].domInteractive")
        print(f"{path:24} interactive after {timing:.0f} ms")


@pytest.mark.parametrize("options", LOOKS[:1], ids=["375"])
async def test_an_empty_memory_teaches(window: Window) -> None:
    for path in PAGES:
        await window.page.goto(path)
        assert await violations(window.page) == [], path
    await window.page.goto("/timeline")
    await expect(window.page.get_by_text("Nothing was in memory")).to_be_visible()


@pytest.mark.parametrize("options", LOOKS[::3], ids=["375", "1440"])
async def test_hostile_content_changes_nothing_and_breaks_no_layout(window: Window, api: httpx2.Client) -> None:
    label = HOSTILE[:200]
    hostile = {
        "content": CONTENT,
        "company": label,
        "counterparty": label,
        "session": label,
        "speaker": label,
        "tags": [HOSTILE[:120]],
        "references": [label],
        "sourceRef": HOSTILE[:500],
    }
    first = invoice(HOSTILE, 1, **hostile, metadata={HOSTILE[:200]: HOSTILE, "amount": HOSTILE})
    second = invoice(5, 9, **{**hostile, "content": f"{CONTENT}!", "sourceRef": "b"})
    ids = written(api, [first, second, {"kind": "insight", "content": f"{CONTENT} always"}])
    patch = {"patch": {"content": f"{CONTENT}."}, "expectedRevision": 1, "reason": label}
    assert api.patch(f"/v1/memories/{ids[0]}", json=patch).status_code == 200
    paths = (
        *PAGES,
        *(f"/memories/{one}" for one in ids),
        "/ask?q=%3Cscript%3Ealert(1)%3C/script%3E&company=%22%3E%3Cb%3E",
    )
    for path in paths:
        await window.page.goto(path)
        assert await window.page.title() != "owned", path
        assert await window.page.locator("main script, main img").count() == 0, path
        assert not await is_wider_than_its_window(window.page), path
    await window.page.goto("/conflicts")
    card = window.page.locator(".card").first
    await card.get_by_label("Your reason").fill(label)
    await card.get_by_role("button", name="Defer").click()
    await expect(window.page.get_by_role("status")).to_contain_text("Deferred.")
    await window.page.goto("/ask")
    await window.page.get_by_label("Your question").fill(f"amount of INV-1 {HOSTILE[:100]}")
    await window.page.get_by_role("button", name="Ask", exact=True).click()
    await expect(window.page.get_by_role("heading", name="Evidence")).to_be_visible()
    assert await window.page.locator("main script, main img").count() == 0


async def test_a_memory_of_ten_thousand_stays_small(window: Window, api: httpx2.Client) -> None:
    upload(api, 10_000)
    written(api, [invoice(n, 1 + n % 28, record=f"INV-{n // 2}") for n in range(600)])
    for path in PAGES:
        answer = await window.page.goto(path)
        assert answer
        size = len(await answer.body())
        print(f"{path:24} {size:7,} bytes")
        assert size < SIZE_BYTES, path
    await window.page.goto("/memories")
    await expect(window.page.get_by_text("10,600 memories")).to_be_visible()
    await window.page.get_by_role("link", name="Older").click()
    await expect(window.page.locator(".list > li")).to_have_count(20)


async def test_the_theme_is_chosen_without_javascript(window: Window) -> None:
    page = window.page
    await page.goto("/ask")
    for name in ("Dark", "Light"):
        await page.get_by_role("button", name=name).click()
        await expect(page.locator("html")).to_have_attribute("data-theme", name.lower())
        await expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
        await expect(page).to_have_url(re.compile("/ask$"))
    await page.get_by_role("button", name="Auto").click()
    assert await page.locator("html").get_attribute("data-theme") is None


async def test_the_content_is_reached_by_keyboard(window: Window) -> None:
    page = window.page
    await page.goto("/conflicts")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("main")).to_be_focused()


async def test_a_key_that_ends_leads_to_the_sign_in(window: Window, api: httpx2.Client, tenant: Tenant) -> None:
    window.expected.add(401)
    soon = (datetime.now(UTC) + timedelta(seconds=8)).isoformat()
    made = api.post("/v1/keys", json={"name": "short", "scopes": ["read"], "expiresAt": soon}).json()
    await window.sign_in(made["key"])
    page = window.page
    while not await page.get_by_role("alert").count():  # whoever is signed in for 8 s sees the memories meanwhile
        await page.goto("/memories")
    await expect(page.get_by_role("alert")).to_contain_text("KEY_EXPIRED")
    assert await violations(page) == []
    await page.get_by_label("Your key").fill(tenant.key)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", name="Memories")).to_be_visible()
