"""The public tenant through the whole product: read by everybody, written by nobody, and never instead of a key."""

from collections.abc import Iterator
from typing import Any

import grpc
import httpx2
import pytest
from candor.audit.v1.meaning_pb2 import AuditMeaningRequest
from candor.memory.v1.memory_pb2 import KIND_INSIGHT

from shared.public_settings import LOCAL_PUBLIC_TENANT
from shared.rpc import meaning_stubs
from tests.e2e.asking import get, post, refusal
from tests.e2e.stack import TIMEOUT_SECONDS, Stack

COMPANY = "Northwind Trading"


@pytest.fixture(scope="module")
def anyone(stack: Stack) -> Iterator[httpx2.Client]:
    """A client without a credential, after the demonstration was seeded."""
    with httpx2.Client(base_url=stack.url, timeout=TIMEOUT_SECONDS) as client:
        post(client, "/demo/seed", {})
        yield client


def test_the_demonstration_is_seeded_once_without_a_body(anyone: httpx2.Client) -> None:
    first, second = [anyone.post("/demo/seed") for _ in range(2)]
    assert first.status_code == 200
    assert first.json() == second.json()
    told = first.json()
    assert (told["seeded"], told["alreadySeeded"], told["company"]) == (False, True, COMPANY)
    listed = [one["id"] for one in get(anyone, "/v1/memories", limit=100)["items"]]
    assert set(listed) < set(told["memoryIds"])
    assert len(told["memoryIds"]) - len(listed) == 1  # the city that another took the place of


def test_the_invoice_with_two_amounts_is_told_everywhere(anyone: httpx2.Client) -> None:
    recalled = post(anyone, "/v1/recall", {"query": "what do we owe on INV-5521?"})
    (conflict,) = [one for one in recalled["conflicts"] if one["subject"] == "INV-5521"]
    assert conflict["resolution"]["recommendedValue"] in ("8900", 8900)
    for path in ("/v1/audit", "/consistency"):
        report = post(anyone, path, {})
        assert [one["subject"] for one in report["contradictions"]] == ["INV-5521"]
        assert (report["ok"], report["truncated"]) == (False, False)
    told = post(anyone, "/recall", {"question": "What is the amount due on INV-5521?"})
    assert told["citations"]
    assert told["consistency"]["ok"] is False


def test_the_account_and_the_counts(anyone: httpx2.Client) -> None:
    account = get(anyone, "/pnl", company=COMPANY)
    (euro,) = account["byCurrency"]
    figures = {name: float(euro[name]) for name in ("revenueTotal", "employerCostTotal", "netProfit")}
    assert figures == {"revenueTotal": 42_700, "employerCostTotal": 14_600, "netProfit": 28_100}
    assert get(anyone, "/memory/count", kind="payroll_event")["count"] == 4
    assert get(anyone, "/memory/list", limit=1)["count"] == 1


def test_the_opposed_insights_are_opposed(stack: Stack, anyone: httpx2.Client) -> None:
    tenant_id = str(LOCAL_PUBLIC_TENANT)
    request = AuditMeaningRequest(tenant_id=tenant_id, kind=KIND_INSIGHT, max_pairs=1)

    async def ask(channel: grpc.aio.Channel) -> int:
        return len((await meaning_stubs.meaning_audit(channel).AuditMeaning(request)).semantic_contradictions)

    assert stack.call("audit", ask) == 1


WRITES = [
    ("POST", "/v1/memories", {"kind": "note", "content": "x"}),
    ("POST", "/v1/memories:batch", {"memories": [{"kind": "note", "content": "x"}]}),
    ("POST", "/v1/turns", {"userText": "x"}),
    ("POST", "/v1/chat", {"message": "x"}),
    ("POST", "/v1/audit:record", {}),
    ("POST", "/v1/memories:erase", {"wholeTenant": True}),
    ("POST", "/v1/keys", {"name": "mine", "scopes": ["admin"]}),
    ("POST", "/forget", {"preview": True}),
]


@pytest.mark.parametrize(("verb", "path", "body"), WRITES)
def test_nobody_writes_it(anyone: httpx2.Client, verb: str, path: str, body: dict[str, object]) -> None:
    before = get(anyone, "/v1/memories:count")["count"]
    assert refusal(anyone.request(verb, path, json=body)).reason == "CREDENTIAL_MISSING"
    assert get(anyone, "/v1/memories:count")["count"] == before


def test_the_seed_takes_nothing_from_its_caller(anyone: httpx2.Client) -> None:
    bodies: list[dict[str, Any]] = [{"tenantId": "x"}, {"memories": []}, {"company": "Mine"}]
    for body in bodies:
        assert refusal(anyone.post("/demo/seed", json=body)).status == 400


@pytest.mark.parametrize("key", ["ck_wrong", "", "admin"])
def test_a_wrong_key_is_no_visit(anyone: httpx2.Client, key: str) -> None:
    for headers in ({"x-api-key": key}, {"authorization": f"Bearer {key}".strip()}):
        assert refusal(anyone.get("/v1/memories:count", headers=headers)).status == 401
        assert refusal(anyone.post("/demo/seed", headers=headers)).status == 401


def test_a_revoked_key_is_no_visit(stack: Stack, anyone: httpx2.Client) -> None:
    with stack.client(stack.new_tenant().key) as client:
        made = post(client, "/v1/keys", {"name": "short", "scopes": ["read"]})
        post(client, f"/v1/keys/{made['keyId']}:revoke", {})
    answer = anyone.get("/v1/memories:count", headers={"x-api-key": made["key"]})
    assert refusal(answer).reason == "KEY_REVOKED"


def test_a_key_seeds_and_reads_its_own_tenant(stack: Stack, anyone: httpx2.Client) -> None:
    public = set(post(anyone, "/demo/seed", {})["memoryIds"])
    with stack.client(stack.new_tenant().key) as client:
        assert get(client, "/v1/memories:count")["count"] == 0
        own = post(client, "/demo/seed", {})
        assert own["seeded"]
        assert not public & set(own["memoryIds"])
        assert get(client, f"/v1/memories/{own['memoryIds'][0]}")
        assert refusal(client.get(f"/v1/memories/{min(public)}")).status == 404


def test_ready_and_deeply_so(anyone: httpx2.Client) -> None:
    assert get(anyone, "/ready")["status"] == "ready"
    told = get(anyone, "/ready/deep")
    assert told["checks"]["embedder"]["dimensions"] > 0
    assert told["checks"]["narrator"]["grounding"] in ("passed", "repaired")
    assert get(anyone, "/ready/deep")["cached"] is True
