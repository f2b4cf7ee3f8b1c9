"""What the reference product gets wrong about who may decide (its faults 26 and 26b), over HTTP."""

from collections.abc import Iterator

import httpx2
import pytest

from tests.e2e.asking import Refusal, get, post, refusal
from tests.e2e.stack import Stack, Tenant


@pytest.fixture
def owner(stack: Stack) -> Tenant:
    return stack.new_tenant(key_name="owner")


@pytest.fixture
def mine(stack: Stack, owner: Tenant) -> Iterator[httpx2.Client]:
    with stack.client(owner.key) as client:
        yield client


def said(client: httpx2.Client, total: int) -> str:
    fields = {"kind": "invoice", "company": "Northwind", "record": "INV-1", "content": f"INV-1 over EUR {total}."}
    made = post(client, "/v1/memories", fields | {"metadata": {"total": total}})
    return str(made["memory"]["memoryId"])


def key(client: httpx2.Client, name: str, *scopes: str) -> str:
    return str(post(client, "/v1/keys", {"name": name, "scopes": list(scopes)})["key"])


def test_26_people_of_one_tenant_are_told_apart_and_have_the_rights_of_their_keys(
    stack: Stack, mine: httpx2.Client
) -> None:
    a, b = said(mine, 8400), said(mine, 8900)
    decide = {"subject": "INV-1", "attribute": "total", "reason": "I saw the paper."}
    with stack.client(key(mine, "ann", "read", "write")) as ann, stack.client(key(mine, "bo", "read", "write")) as bo:
        first = post(ann, "/v1/conflicts:resolve", decide | {"selectedMemoryId": a})
        post(bo, f"/v1/decisions/{first['decisionId']}:undo", {"reason": "It was another invoice."})
        post(bo, "/v1/conflicts:resolve", decide | {"selectedMemoryId": b})
        actors = [one["actor"] for one in get(ann, "/v1/decisions")["decisions"]]
        assert actors == ["bo", "ann"]
        assert get(ann, f"/v1/decisions/{first['decisionId']}")["decision"]["undoneBy"] == "bo"
    with stack.client(key(mine, "reader", "read")) as reader, stack.client(key(mine, "auditor", "audit")) as auditor:
        assert get(reader, "/v1/decisions")["decisions"]
        assert post(auditor, "/consistency", {})["ok"] is True
        for client, path, body in (
            (reader, "/v1/conflicts:resolve", decide | {"selectedMemoryId": a}),
            (reader, "/consistency", {}),
            (auditor, "/v1/conflicts:resolve", decide | {"selectedMemoryId": a}),
            (auditor, "/feedback", {"memoryId": a, "outcome": "correct"}),
        ):
            assert refusal(client.post(path, json=body)) == Refusal(403, "SCOPE_MISSING")


def test_26_what_ended_is_readable_and_comes_back(mine: httpx2.Client) -> None:
    a = said(mine, 8400)
    post(mine, f"/v1/memories/{a}:invalidate", {"reason": "never sent"})
    memory = get(mine, f"/v1/memories/{a}")["memory"]
    assert (memory["state"], memory["content"]) == ("incorrect", "INV-1 over EUR 8400.")
    assert [event["action"] for event in get(mine, f"/v1/memories/{a}/events")["events"]] == ["created", "ended"]
    post(mine, f"/v1/memories/{a}:restore", {})
    assert get(mine, f"/v1/memories/{a}")["memory"]["state"] == "active"


def test_26b_a_memory_that_others_read_is_kept_in_order_by_its_owner(stack: Stack, mine: httpx2.Client) -> None:
    a, b = said(mine, 8400), said(mine, 8900)
    with stack.client(key(mine, "everybody", "read")) as everybody:
        assert post(everybody, "/v1/recall", {"query": "INV-1"})["conflicts"]
        post(mine, "/v1/conflicts:resolve", {"subject": "INV-1", "attribute": "total", "selectedMemoryId": b} | WHY)
        assert post(everybody, "/v1/recall", {"query": "INV-1"})["conflicts"] == []
        post(mine, "/feedback", {"memoryId": a, "outcome": "incorrect", "correctedFact": "INV-1 over EUR 8900."})
        assert get(everybody, f"/v1/memories/{a}")["memory"]["state"] == "incorrect"
        assert refusal(everybody.post("/feedback", json={"memoryId": b, "outcome": "correct"})).status == 403


WHY = {"reason": "The signed paper says so."}
