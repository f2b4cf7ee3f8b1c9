"""Deciding from outside: the reference's routes with its bodies, our own, and what is refused."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tests.e2e.asking import Refusal, get, lines, patch, post, refusal
from tests.e2e.stack import Stack


@pytest.fixture
def mine(stack: Stack) -> Iterator[httpx2.Client]:
    """A client of a tenant that nobody else writes to."""
    with stack.client(stack.new_tenant().key) as client:
        yield client


def invoice(client: httpx2.Client, total: int, **given: Any) -> str:
    metadata = {"total": total, "vendor": "Acme", "currency": "EUR"}
    fields = {"kind": "invoice", "company": "Northwind", "record": "INV-1", "content": f"INV-1 over EUR {total}."}
    written: str = post(client, "/v1/memories", fields | {"metadata": metadata} | given)["memory"]["memoryId"]
    return written


def contradictions(client: httpx2.Client) -> list[str]:
    return [found["attribute"] for found in post(client, "/consistency", {})["contradictions"]]


def test_a_conflict_is_resolved_and_the_decision_undone(mine: httpx2.Client) -> None:
    a, b = invoice(mine, 8400), invoice(mine, 8900)
    [found] = post(mine, "/consistency", {})["contradictions"]
    others = [i for value in found["values"] for i in value["carrierMemoryIds"] if i != b]
    body = {
        "decisionId": "case-7",
        "subject": found["subject"],
        "attribute": found["attribute"],
        "selectedMemoryId": b,
        "targetMemoryIds": others,
        "reason": "The signed paper says so.",
    }
    answer = post(mine, "/resolve-conflict", body)
    assert (answer["decisionId"], answer["action"], answer["supersededMemoryIds"]) == ("case-7", "accept", [a])
    assert (answer["before"]["activeCarriers"], answer["after"]) == (
        2,
        {"activeCarriers": 1, "selectedImportance": 0.95},
    )
    assert post(mine, "/resolve-conflict", body) == answer
    assert contradictions(mine) == []
    read = get(mine, "/v1/decisions/case-7")["decision"]
    assert (read["reason"], read["targetMemoryIds"], read["undoneAt"]) == ("The signed paper says so.", [a], None)
    post(mine, "/v1/decisions/case-7:undo", {"reason": "It was the wrong paper."})
    assert contradictions(mine) == ["total"]
    assert get(mine, "/v1/decisions")["decisions"][0]["undoneReason"] == "It was the wrong paper."
    assert refusal(mine.post("/v1/decisions/case-7:undo", json={})) == Refusal(400, "DECISION_UNDONE")


def test_a_correction_keeps_record_metadata_and_currency(mine: httpx2.Client) -> None:
    wrong = invoice(mine, 8400)
    body = {"memoryId": wrong, "outcome": "incorrect", "correctedFact": "INV-1 over EUR 8900.", "feedbackId": "f-1"}
    answer = post(mine, "/feedback", body)
    assert post(mine, "/feedback", body) == answer
    old, new = (get(mine, f"/v1/memories/{i}")["memory"] for i in (wrong, answer["correctedMemoryId"]))
    assert (old["state"], old["supersededBy"]) == ("incorrect", new["id"])
    for name in ("kind", "company", "record", "metadata"):
        assert new[name] == old[name]
    right = post(mine, f"/v1/memories/{new['id']}:feedback", {"outcome": "correct"})
    assert (right["before"]["importance"], right["after"]["importance"]) == (0.95, 0.95)
    fixed = {"outcome": "incorrect", "correctedMetadata": {"total": 8900.00}}
    last = post(mine, f"/v1/memories/{new['id']}:feedback", fixed)["correctedMemoryId"]
    assert get(mine, f"/v1/memories/{last}")["memory"]["metadata"]["total"] == 8900


def test_findings_are_recorded_acknowledged_and_gone(mine: httpx2.Client) -> None:
    a = invoice(mine, 8400)
    invoice(mine, 8900)
    assert post(mine, "/v1/audit:record", {})["opened"] == 1
    [finding] = get(mine, "/v1/findings", state="open")["findings"]
    finding_id = finding["findingId"]
    assert (finding["kind"], finding["contradiction"]["attribute"]) == ("contradiction", "total")
    post(mine, f"/v1/findings/{finding_id}:acknowledge", {"reason": "The supplier is asked."})
    assert get(mine, f"/v1/findings/{finding_id}")["finding"]["state"] == "acknowledged"
    post(
        mine,
        "/v1/conflicts:resolve",
        {
            "subject": "INV-1",
            "attribute": "total",
            "selectedMemoryId": a,
            "reason": "They say so.",
            "action": "override",
        },
    )
    assert get(mine, f"/v1/findings/{finding_id}")["finding"]["state"] == "resolved"
    assert post(mine, "/v1/audit:record", {})["summary"]["ok"] is True


def test_a_contradiction_in_meaning_is_recorded_decided_and_the_decision_undone(mine: httpx2.Client) -> None:
    texts = ("Northwind always pays its invoices on time.", "Northwind always pays its invoices late.")
    on_time, late = (
        post(mine, "/v1/memories", {"kind": "insight", "company": "Northwind", "content": text})["memory"]["memoryId"]
        for text in texts
    )
    assert post(mine, "/v1/audit/meaning:count", {})["candidatePairs"] == 1
    first, *_, last = lines(mine, "POST", "/v1/audit/meaning:record", json={})
    assert first["result"]["progress"]["compared"] == 0
    assert (last["result"]["opened"], last["result"]["summary"]["status"]) == (1, "complete")
    [finding] = get(mine, "/v1/findings", kind="semantic", state="open")["findings"]
    [reported] = post(mine, "/consistency/semantic", {})["semanticContradictions"]
    assert finding["findingId"] == reported["findingId"]
    assert [side["content"] for side in finding["semantic"]["memories"]] == list(texts)
    body = {"selectedMemoryId": on_time, "targetMemoryIds": [late], "reason": "The bank says so."}
    answer = post(mine, "/resolve-conflict", body | {"loserState": "incorrect"})
    assert (answer["action"], answer["findingIds"]) == ("override", [finding["findingId"]])
    assert get(mine, f"/v1/findings/{finding['findingId']}")["finding"]["state"] == "resolved"
    assert get(mine, f"/v1/memories/{late}")["memory"]["state"] == "incorrect"
    assert post(mine, "/consistency/semantic", {})["ok"] is True
    post(mine, f"/v1/decisions/{answer['decisionId']}:undo", {"reason": "It was the wrong bank."})
    assert get(mine, f"/v1/findings/{finding['findingId']}")["finding"]["state"] == "open"
    assert get(mine, f"/v1/memories/{late}")["memory"]["state"] == "active"


def test_settings_are_declared_and_followed(mine: httpx2.Client) -> None:
    declared = {"multiValuedAttributes": ["vendor"], "tolerances": [{"attribute": "total", "value": "1000"}]}
    assert patch(mine, "/v1/settings", {"settings": declared, "reason": "as we work"})["settings"]["version"] == 1
    invoice(mine, 8400)
    invoice(mine, 8900, metadata={"total": 8900, "vendor": "Globex"})
    report = post(mine, "/v1/audit", {})
    assert (report["ok"], report["settingsVersion"]) == (True, 1)
    assert get(mine, "/v1/settings")["settings"]["settings"] == {
        "statefulAttributes": [],
        "fadingKinds": [],
        **declared,
    }


def test_a_memory_ends_and_comes_back(mine: httpx2.Client) -> None:
    a = invoice(mine, 8400)
    assert post(mine, f"/v1/memories/{a}:invalidate", {"reason": "never sent"})["state"] == "incorrect"
    assert get(mine, "/v1/memories:count")["count"] == 0
    assert post(mine, "/v1/recall", {"query": "INV-1"})["hits"] == []
    post(mine, f"/v1/memories/{a}:restore", {})
    [hit] = post(mine, "/v1/recall", {"query": "INV-1"})["hits"]
    assert hit["memory"]["id"] == a


@pytest.mark.parametrize(
    ("path", "body", "expected"),
    [
        ("/resolve-conflict", {"colour": "red"}, Refusal(400, "UNKNOWN_FIELD", ("colour",))),
        ("/resolve-conflict", {"reason": 7}, Refusal(400, "WRONG_TYPE", ("reason",))),
        ("/resolve-conflict", {"reason": "x"}, Refusal(400, "SELECTION_MISSING", ("selectedMemoryId",))),
        ("/v1/conflicts:resolve", {"action": "poem"}, Refusal(400, "VALUE_UNKNOWN", ("action",))),
        ("/v1/conflicts:resolve", {"tenantId": "x"}, Refusal(400, "FIELD_NOT_ALLOWED", ("tenantId",))),
        ("/feedback", {"memoryId": "1", "outcome": "correct"}, Refusal(400, "MEMORY_ID_INVALID", ("memoryId",))),
        ("/feedback", {"outcome": "maybe"}, Refusal(400, "VALUE_UNKNOWN", ("outcome",))),
        ("/v1/decisions/none:undo", {}, Refusal(404, "DECISION_NOT_FOUND")),
        ("/v1/findings/none:acknowledge", {}, Refusal(404, "FINDING_NOT_FOUND")),
        ("/v1/audit:record", {"company": "x"}, Refusal(400, "UNKNOWN_FIELD", ("company",))),
    ],
)
def test_what_is_wrong_is_named(mine: httpx2.Client, path: str, body: dict[str, Any], expected: Refusal) -> None:
    assert refusal(mine.post(path, json=body)) == expected
    assert get(mine, "/v1/decisions")["decisions"] == []
