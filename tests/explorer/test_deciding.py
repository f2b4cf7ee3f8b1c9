"""Decisions in a browser: override, defer, undo, a conflict that changed meanwhile; the scan for opposed meaning."""

from typing import Any

import httpx2
import pytest
from playwright.async_api import Page, expect

from tests.e2e.asking import get, post
from tests.explorer.conftest import Fake, Window
from tests.explorer.test_session import sign_in, token

pytestmark = pytest.mark.anyio
REASON = "the landlord was there"


def lease(ends: str, kind: str, day: int) -> dict[str, Any]:
    return {
        "kind": kind,
        "content": f"The lease ends {ends}.",
        "company": "Northwind",
        "record": "LEASE-7",
        "metadata": {"ends": ends},
        "observedAt": f"2026-03-{day:02}T10:00:00Z",
    }


@pytest.fixture
def sides(api: httpx2.Client) -> list[str]:
    """A document and a later note that disagree; the policy trusts the document."""
    memories = [lease("2027-06-30", "document", 1), lease("2027-12-31", "note", 5)]
    return [written["memoryId"] for written in post(api, "/v1/memories:batch", {"memories": memories})["memories"]]


async def decide(page: Page, button: str) -> None:
    await page.goto("/conflicts")
    card = page.get_by_role("article", name="LEASE-7")
    await card.get_by_label("Your reason").fill(REASON)
    await card.get_by_role("button", name=button).click()


def contradictions(api: httpx2.Client) -> int:
    return len(post(api, "/v1/audit", {})["contradictions"])


async def test_a_card_tells_both_sides_the_rule_and_an_ordinal_confidence(window: Window, sides: list[str]) -> None:
    await window.page.goto("/conflicts")
    card = window.page.get_by_role("article", name="LEASE-7")
    await expect(card.locator(".value")).to_have_text(["2027-06-30", "2027-12-31"])
    await expect(card.locator(".recommended .value")).to_have_text("2027-06-30")
    await expect(card).to_contain_text("source-authority")
    await expect(card).to_contain_text("is no probability")
    await expect(card.get_by_role("img", name="The sides in time")).to_be_visible()


async def test_an_override_is_kept_and_undone(window: Window, api: httpx2.Client, sides: list[str]) -> None:
    await decide(window.page, "Override: trust 2027-12-31")
    await expect(window.page.get_by_role("status")).to_contain_text("Decided.")
    (decision,) = get(api, "/v1/decisions")["decisions"]
    assert (decision["action"], decision["reason"], decision["selectedMemoryId"]) == ("override", REASON, sides[1])
    assert contradictions(api) == 0
    await window.page.goto(f"/memories/{sides[0]}")
    await expect(window.page.get_by_role("region", name="Decisions about it")).to_contain_text(REASON)
    await window.page.get_by_role("button", name="Undo").click()
    await expect(window.page.get_by_role("status")).to_contain_text("Undone.")
    assert contradictions(api) == 1


async def test_a_deferral_changes_nothing_and_is_told(window: Window, api: httpx2.Client, sides: list[str]) -> None:
    await decide(window.page, "Defer")
    await expect(window.page.get_by_role("status")).to_contain_text("Deferred.")
    card = window.page.get_by_role("article", name="LEASE-7")
    await expect(card).to_contain_text(REASON)
    assert contradictions(api) == 1


async def test_a_conflict_that_changed_meanwhile_is_not_decided(
    window: Window, api: httpx2.Client, sides: list[str]
) -> None:
    window.expected.add(409)
    await window.page.goto("/conflicts")
    post(api, "/v1/memories", lease("2028-01-31", "note", 9))
    card = window.page.get_by_role("article", name="LEASE-7")
    await card.get_by_label("Your reason").fill(REASON)
    await card.get_by_role("button", name="Accept").click()
    await expect(window.page.get_by_role("alert")).to_contain_text("CONFLICT_CHANGED")
    await window.page.get_by_role("link", name="See how it stands now").click()
    await expect(card.locator(".value")).to_have_count(3)
    assert get(api, "/v1/decisions")["decisions"] == []


async def test_sent_twice_it_decides_once(window: Window, api: httpx2.Client, sides: list[str]) -> None:
    await decide(window.page, "Accept")
    await expect(window.page.get_by_role("status")).to_contain_text("Decided.")
    await window.page.go_back()
    card = window.page.get_by_role("article", name="LEASE-7")
    if await card.count():  # the page as it was, from the browser's memory
        await card.get_by_label("Your reason").fill(REASON)
        await card.get_by_role("button", name="Accept").click()
        await expect(window.page.get_by_role("status")).to_contain_text("Decided.")
    assert len(get(api, "/v1/decisions")["decisions"]) == 1


async def test_a_scan_counts_first_and_judges_one_pair_at_a_time(window: Window, api: httpx2.Client) -> None:
    texts = ("always pays its suppliers on time.", "never pays its suppliers on time.")
    insights = [{"kind": "insight", "content": f"Northwind {text}", "company": "Northwind"} for text in texts]
    post(api, "/v1/memories:batch", {"memories": insights})
    page = window.page
    await page.goto("/conflicts")
    await page.get_by_role("link", name="Look for memories opposed in meaning").click()
    await expect(page.locator(".figure")).to_contain_text("1 eligible pair among 2 memories")
    await page.get_by_role("button", name="Judge the nearest pair").click()
    await expect(page.get_by_role("status")).to_contain_text("These two cannot both hold")
    await expect(page.get_by_text("That was the last pair.")).to_be_visible()
    card = page.locator(".card")
    await card.get_by_label("Your reason").fill(REASON)
    await card.get_by_role("button", name="Accept: trust the").click()
    await expect(page.get_by_role("status")).to_contain_text("Decided.")
    (decision,) = get(api, "/v1/decisions")["decisions"]
    assert (decision["subject"], len(decision["targetMemoryIds"])) == (None, 1)
    await page.get_by_role("button", name="Undo").first.click()
    await expect(page.get_by_role("status")).to_contain_text("Undone.")


async def test_a_pair_without_a_verdict_is_inconclusive_and_never_agreement(
    visitor: httpx2.AsyncClient, fake: Fake
) -> None:
    told = {
        "totalMemories": 2,
        "audited": 2,
        "candidatePairs": 1,
        "restatements": 0,
        "compared": 1,
        "failed": 1,
        "status": "inconclusive",
        "errors": [{"memoryIds": ["a", "b"], "reason": "JUDGE_UNAVAILABLE: it is down"}],
        "semanticContradictions": [],
        "similarityThreshold": 0.5,
        "embeddingModel": "e",
        "resumeToken": "",
    }
    fake.answers["/v1/audit/meaning"] = httpx2.Response(200, json=told)
    await sign_in(visitor)
    csrf = token(await visitor.get("/tour"))
    page = (await visitor.post("/conflicts/meaning", data={"csrf": csrf, "kind": "insight"})).text
    assert "Inconclusive." in page and "not agreement" in page and "JUDGE_UNAVAILABLE" in page
    assert "No contradiction" not in page
    assert b'"maxPairs":1' in fake.asked[-1].content.replace(b" ", b"")
