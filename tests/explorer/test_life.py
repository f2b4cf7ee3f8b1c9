"""The life of one memory and of all of them in a browser: revisions, what was believed when, states, projection."""

from datetime import UTC, datetime

import httpx2
import pytest
from playwright.async_api import expect

from tests.e2e.asking import patch, post
from tests.explorer.conftest import Window

pytestmark = pytest.mark.anyio


def remember(api: httpx2.Client, **more: object) -> str:
    memory = {"kind": "note", "content": "Nora lives in Berlin.", "metadata": {"city": "Berlin"}, **more}
    return str(post(api, "/v1/memories", memory)["memory"]["memoryId"])


async def test_a_memory_tells_its_revisions_and_what_was_believed(window: Window, api: httpx2.Client) -> None:
    memory_id = remember(api, observedAt="2026-02-01T10:00:00Z", sourceRef="talk/1", importance=0.4)
    change = {"patch": {"content": "Nora lives in Lisbon.", "metadata": {"city": "Lisbon"}}, "reason": "she moved"}
    patch(api, f"/v1/memories/{memory_id}", {**change, "expectedRevision": 1})
    page = window.page
    await page.goto(f"/memories/{memory_id}")
    await expect(page.locator("blockquote")).to_have_text("Nora lives in Lisbon.")
    events = page.locator(".events > li")
    await expect(events).to_have_count(2)
    await expect(events.last).to_contain_text("Berlin")
    await expect(events.last).to_contain_text("she moved")
    await expect(page.get_by_role("img", name="Holds from 2026-02-01 on; believed from")).to_be_visible()
    await expect(page.get_by_role("img", name="it fades on")).to_be_visible()
    today = datetime.now(UTC).date().isoformat()
    for day, told in ((today, "Revision 2"), ("2020-01-01", "did not know this")):
        await page.get_by_label("What was believed at the end of").fill(day)
        await page.get_by_role("button", name="Look back").click()
        await expect(page.get_by_role("status")).to_contain_text(told)


async def test_the_timeline_shows_states_and_how_what_lives_fades(window: Window, api: httpx2.Client) -> None:
    kept = remember(api, pinned=True)
    gone = remember(api, content="The plants are watered on Tuesdays.", metadata={})
    post(api, f"/v1/memories/{gone}:invalidate", {"reason": "no plants left", "state": "incorrect"})
    page = window.page
    await page.goto("/timeline")
    await expect(
        page.get_by_role("img", name="at the end 1 active, 0 superseded, 0 merged, 1 incorrect")
    ).to_be_visible()
    await expect(page.locator(".legend li")).to_have_count(2)
    rows = page.locator(".fading > li")
    await expect(rows).to_have_count(1)
    await expect(rows).to_contain_text("never fades: pinned")
    await page.get_by_role("link", name="year").click()
    await expect(page.get_by_role("navigation", name="Range").locator("[aria-current]")).to_have_text("year")
    await page.goto("/memories?state=incorrect")
    await page.locator(".list a").click()
    await expect(page.get_by_text("no plants left").first).to_be_visible()
    await expect(page.get_by_text("fades no more")).to_be_visible()
    await page.goto(f"/memories/{kept}")
    await expect(page.get_by_text("It never fades: pinned")).to_be_visible()


@pytest.mark.parametrize("path", ["/memories/no-id", "/memories/0192d1c8-7c3e-7aaa-8bbb-000000000001", "/nothing"])
async def test_what_is_not_there_is_said(window: Window, path: str) -> None:
    window.expected |= {400, 404}
    await window.page.goto(path)
    await expect(window.page.get_by_role("alert")).to_be_visible()
