"""A newcomer in a browser: from an empty memory to a decision that was taken back."""

import re
import time

import pytest
from playwright.async_api import Page, expect

from gateway.explorer import tour
from tests.explorer.conftest import Window

pytestmark = pytest.mark.anyio


async def next_step(page: Page, action: str) -> None:
    await page.get_by_role("complementary", name="Guided tour").get_by_role("link", name=action).click()


async def take(page: Page) -> None:
    await page.goto("/")
    await page.get_by_role("link", name="Begin the tour").click()
    await page.get_by_role("button", name="Begin").click()
    await page.get_by_role("link", name="Ask what we owe").click()
    answer = page.locator(".told")
    await expect(answer).to_contain_text("8,400")
    await expect(answer).to_contain_text("8,900")
    await next_step(page, "See both sides")
    card = page.get_by_role("article", name=tour.RECORD)
    await expect(card.locator(".value")).to_have_text(["8400", "8900"])
    await card.get_by_label("Your reason").fill("the corrected invoice counts")
    await card.get_by_role("button", name="Accept: trust 8900").click()
    await expect(page.get_by_role("status")).to_contain_text("Decided.")
    await next_step(page, "Ask again")
    await expect(page.get_by_role("heading", name="No conflict")).to_be_visible()
    await next_step(page, "To the decision")
    await page.get_by_role("button", name="Undo").first.click()
    await expect(page.get_by_role("status")).to_contain_text("Undone.")
    await expect(card.locator(".value")).to_have_text(["8400", "8900"])
    await page.goto("/tour")
    await expect(page.get_by_role("heading", name="That was the tour")).to_be_visible()


@pytest.mark.parametrize("options", [{}, {"java_script_enabled": False}], ids=["with", "without-javascript"])
async def test_a_newcomer_resolves_a_conflict_and_takes_it_back(window: Window) -> None:
    began = time.monotonic()
    await take(window.page)
    print(f"the tour took {time.monotonic() - began:.1f} s")


async def test_an_answer_comes_as_a_stream_with_javascript(window: Window) -> None:
    page = window.page
    await page.goto("/tour")
    await page.get_by_role("button", name="Begin").click()
    await page.goto("/ask")
    await page.get_by_label("Your question").fill(tour.QUESTION)
    async with page.expect_response("**/ask/stream?**") as streamed:
        await page.get_by_role("button", name="Ask", exact=True).click()
    assert (await (await streamed.value).header_value("content-type") or "").startswith("application/x-ndjson")
    await expect(page.get_by_role("heading", name="Memory disagrees")).to_be_visible()
    await expect(page).to_have_url(re.compile(r"/ask\?q=What\+do\+we\+owe"))
