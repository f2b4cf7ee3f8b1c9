"""What a public client can do from remembering to auditing, over HTTP alone; runs against any E2E_URL.

Rules: each test speaks of a company of its own and looks at that company only, so that it may run beside others and
again. What the tour of `make demo` shows is pinned here.
"""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.e2e.asking import Refusal, get, items, lines, patch, post, refusal
from tests.e2e.stack import Stack

RECORD = "INV-5521"
QUESTION = f"what do we owe on {RECORD}?"


def invoice(company: str, amount: int, day: int, **more: Any) -> dict[str, Any]:
    return {
        "kind": "document",
        "content": f"Invoice {RECORD} from Halden Paper: EUR {amount} is due.",
        "company": company,
        "record": RECORD,
        "sourceRef": f"inbox/{day}.pdf",
        "session": f"session-{day}",
        "metadata": {"amount": amount, "currency": "EUR"},
        "observedAt": f"2026-04-{day:02}T09:00:00Z",
        **more,
    }


def remember(client: httpx2.Client, memory: dict[str, Any]) -> str:
    written = post(client, "/v1/memories", memory)["memory"]
    assert not written["existing"]
    assert not written["vectorPending"]
    return str(written["memoryId"])


@pytest.fixture
def sides(client: httpx2.Client, company: str) -> tuple[str, str]:
    """Two memories of two sessions that contradict each other; the first refers to a record that nobody stored."""
    first = remember(client, invoice(company, 8400, 1, references=["PO-118"]))
    remember(client, {"kind": "note", "content": "The office plants are watered on Tuesdays.", "company": company})
    return first, remember(client, invoice(company, 8900, 10))


def the_conflict(company: str, sides: tuple[str, str]) -> dict[str, Any]:
    """What recall and audit must both say about the two sides."""
    return {
        "subject": RECORD,
        "company": company,
        "attribute": "amount",
        "values": [(sides[0], 8400), (sides[1], 8900)],
        "recommended": (sides[1], 8900, "recency"),
    }


def told(conflict: dict[str, Any]) -> dict[str, Any]:
    """Reduce a contradiction to what `the_conflict` says; check the parts that have no fixed value."""
    resolution = conflict["resolution"]
    assert 0 < resolution["confidence"] <= 1
    assert resolution["rationale"]
    return {
        **{name: conflict[name] for name in ("subject", "company", "attribute")},
        "values": [(value["memoryId"], value["value"]) for value in conflict["values"]],
        "recommended": tuple(resolution[name] for name in ("recommendedMemoryId", "recommendedValue", "rule")),
    }


def test_recall_finds_both_sides_and_shows_the_conflict(
    client: httpx2.Client, company: str, sides: tuple[str, str]
) -> None:
    answer = post(client, "/v1/recall", {"query": QUESTION, "company": company, "ungrouped": True})
    assert {hit["memory"]["id"] for hit in answer["hits"][:2]} == set(sides)
    assert [told(conflict) for conflict in answer["conflicts"]] == [the_conflict(company, sides)]
    contested = {hit["memory"]["id"] for hit in answer["hits"] if hit["conflictIds"]}
    assert contested == set(sides)
    assert answer["retrieval"]["degraded"] == []
    scores = [hit["score"] for hit in answer["hits"]]
    assert scores == sorted(scores, reverse=True)


def test_one_hit_stands_for_all_that_say_the_same_of_a_record_unless_all_are_wanted(
    client: httpx2.Client, company: str, sides: tuple[str, str]
) -> None:
    said = get(client, f"/v1/memories/{sides[0]}")["memory"]
    again = {name: said[name] for name in ("kind", "content", "company", "record", "metadata", "observedAt")}
    copy = remember(client, {**again, "session": "said again"})
    asked = {"query": QUESTION, "company": company}
    told_once = {hit["memory"]["id"] for hit in post(client, "/v1/recall", asked)["hits"]}
    assert len(told_once & {sides[0], copy}) == 1
    assert sides[1] in told_once
    told_twice = {hit["memory"]["id"] for hit in post(client, "/v1/recall", {**asked, "ungrouped": True})["hits"]}
    assert told_twice >= {*sides, copy}


def test_recall_finds_by_meaning_what_shares_no_word_with_the_question(client: httpx2.Client, company: str) -> None:
    wanted = remember(client, {"kind": "note", "content": "Nora is allergic to peanuts.", "company": company})
    remember(client, {"kind": "note", "content": "The lease of the Leeds office ends in June.", "company": company})
    asked = {"query": "food that makes someone ill", "company": company, "limit": 1, "mode": "dense"}
    (hit,) = post(client, "/v1/recall", asked)["hits"]
    assert hit["memory"]["id"] == wanted


def test_the_audit_says_the_same_and_names_the_dangling_reference(
    client: httpx2.Client, company: str, sides: tuple[str, str]
) -> None:
    report = post(client, "/v1/audit", {"company": company})
    assert [told(conflict) for conflict in report["contradictions"]] == [the_conflict(company, sides)]
    (absence,) = report["absences"]
    assert (absence["subject"], [by["memoryId"] for by in absence["referencedBy"]]) == ("PO-118", [sides[0]])
    assert (report["audited"], report["subjects"], report["ok"]) == (3, 1, False)
    assert post(client, "/consistency", {"company": company})["contradictions"] == report["contradictions"]
    stream = lines(client, "POST", "/v1/audit/fields", json={"company": company})
    assert items(stream, "contradiction") == report["contradictions"]
    assert items(stream, "absence") == report["absences"]
    assert list(stream[-1]["result"]) == ["summary"]


def test_an_update_settles_the_conflict_and_stays_readable(
    client: httpx2.Client, company: str, sides: tuple[str, str]
) -> None:
    change = {"patch": {"metadata": {"amount": 8900, "currency": "EUR"}}, "expectedRevision": 1, "reason": "paid 8900"}
    changed = patch(client, f"/v1/memories/{sides[0]}", change)
    assert changed["memory"]["revision"] == 2
    report = post(client, "/v1/audit", {"company": company})
    assert report["contradictions"] == []
    former = [(value["former"]["value"], value["current"]["value"]) for value in report["superseded"]]
    assert former == [(8400, 8900)]
    events = get(client, f"/v1/memories/{sides[0]}/events")["events"]
    assert [(event["action"], event["revision"], event["reason"]) for event in events] == [
        ("created", 1, ""),
        ("updated", 2, "paid 8900"),
    ]
    assert events[1]["changes"]["metadata"]["before"]["amount"] == 8400
    operation = get(client, f"/v1/operations/{changed['operationId']}")
    assert (operation["action"], operation["memoryIds"]) == ("update", [sides[0]])
    then = get(client, f"/v1/memories/{sides[0]}", knownAt=events[0]["recordedAt"])["memory"]
    now = get(client, f"/v1/memories/{sides[0]}")["memory"]
    assert (then["revision"], then["metadata"]["amount"]) == (1, 8400)
    assert (now["revision"], now["metadata"]["amount"], now["content"]) == (2, 8900, then["content"])


def test_counting_listing_and_streaming_agree(client: httpx2.Client, company: str) -> None:
    memories = [
        {"kind": "note", "content": f"Note {n}.", "company": company, "tags": ["even"][n % 2 :]} for n in range(7)
    ]
    batch = post(client, "/v1/memories:batch", {"memories": memories})
    written = [memory["memoryId"] for memory in batch["memories"]]
    assert get(client, "/v1/memories:count", company=company)["count"] == 7
    assert get(client, "/memory/count", company=company.upper(), kind="note")["count"] == 7
    assert get(client, "/v1/memories:count", company=company, tags="even")["count"] == 4
    listed = list(pages(client, company=company, limit=3))
    assert [len(page) for page in listed] == [3, 3, 1]
    assert {memory["id"] for page in listed for memory in page} == set(written)
    first = get(client, "/memory/list", company=company, limit=100)
    assert (first["count"], first["nextPageToken"]) == (7, "")
    assert {memory["id"] for memory in first["items"]} == set(written)
    stream = lines(client, "GET", "/v1/memories:stream", params={"company": company})
    streamed = [memory["id"] for memory in items(stream, "memory")]
    assert set(streamed) == set(written)
    params = {"company": company, "resumeToken": stream[2]["resumeToken"]}
    rest = items(lines(client, "GET", "/v1/memories:stream", params=params), "memory")
    assert [memory["id"] for memory in rest] == streamed[3:]


def pages(client: httpx2.Client, **params: Any) -> Iterator[list[dict[str, Any]]]:
    token = ""
    while True:
        page = get(client, "/v1/memories", pageToken=token, **params)
        yield page["items"]
        token = page["nextPageToken"]
        if not token:
            return


@pytest.mark.parametrize(
    "content", ["Müller’s café: 発注書 PO-9 は未着です", "طلب الشراء لم يصل بعد", "paid 🎉👩‍👩‍👧", "a\ttab\nand a line"]
)
def test_text_comes_back_as_it_was_written(client: httpx2.Client, company: str, content: str) -> None:
    metadata = {"code": "00417", "total": 18400.00, "nested": {"a": [1, None, "x"]}}
    written = remember(client, {"kind": "note", "content": content, "company": company, "metadata": metadata})
    memory = get(client, f"/v1/memories/{written}")["memory"]
    assert memory["content"] == content
    assert memory["metadata"] == metadata


def test_numbers_of_metadata_keep_their_spelling(client: httpx2.Client, company: str) -> None:
    text = '{"total":18400.00,"big":12345678901234567890123}'
    body = f'{{"kind":"note","content":"Spelling.","company":"{company}","metadata":{text}}}'
    answer = client.post("/v1/memories", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 200, answer.text
    stored = client.get(f"/v1/memories/{answer.json()['memory']['memoryId']}").text
    assert f'"metadata":{text}' in stored


def test_the_same_key_gives_the_same_answer_and_the_same_fact_is_kept_once(client: httpx2.Client, company: str) -> None:
    memory = invoice(company, 100, 1)
    first = post(client, "/v1/memories", memory, key=f"key-{company[-36:]}")
    assert post(client, "/v1/memories", memory, key=f"key-{company[-36:]}") == first
    again = post(client, "/v1/memories", memory)["memory"]
    assert (again["memoryId"], again["existing"]) == (first["memory"]["memoryId"], True)
    assert get(client, "/v1/memories:count", company=company)["count"] == 1


def test_a_stale_revision_and_an_unknown_id_are_refused(
    client: httpx2.Client, company: str, sides: tuple[str, str]
) -> None:
    stale = client.patch(f"/v1/memories/{sides[0]}", json={"patch": {"content": "No."}, "expectedRevision": 9})
    assert refusal(stale) == Refusal(409, "REVISION_MISMATCH")
    nobody = client.get("/v1/memories/00000000-0000-7000-8000-000000000000")
    assert refusal(nobody) == Refusal(404, "MEMORY_NOT_FOUND")
    assert refusal(client.get("/v1/nothing")) == Refusal(404, "ROUTE_NOT_FOUND")
    assert refusal(client.delete("/v1/recall")) == Refusal(405, "METHOD_NOT_ALLOWED")


def test_the_open_routes_answer_without_a_key(stack: Stack) -> None:
    with httpx2.Client(base_url=stack.url) as anybody:
        assert [anybody.get(path).status_code for path in ("/health", "/ready", "/docs")] == [200, 200, 200]
        assert "/v1/recall" in anybody.get("/openapi.json").json()["paths"]
        assert refusal(anybody.get("/v1/jobs")) == Refusal(401, "CREDENTIAL_MISSING")
