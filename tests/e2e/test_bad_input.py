"""The bad-input table of docs/api.md: each row gives the named problem, and nothing is written.

Rules: runs against any E2E_URL whose tenant nobody else writes to meanwhile. What is "nothing" is told by the count and
by the list before and after.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from tests.e2e.asking import Refusal, get, post, refusal
from tests.e2e.stack import Stack, Tenant, bearer

BODY_LIMIT_BYTES = 16 * 1024 * 1024
KEPT = {"kind": "note", "content": "The one fact of this file.", "company": "Bad Input Ltd"}
OTHER = {"kind": "note", "content": "A second fact, so that a list has a second page.", "company": "Bad Input Ltd"}
GOOD = {"kind": "note", "content": "This must never be written.", "company": "Bad Input Ltd"}


@pytest.fixture(autouse=True)
def nothing_is_written(client: httpx2.Client) -> Iterator[None]:
    """Compare what is stored before and after."""
    post(client, "/v1/memories:batch", {"memories": [KEPT, OTHER]})
    before = _stored(client)
    yield
    assert _stored(client) == before


def _stored(client: httpx2.Client) -> tuple[int, list[tuple[str, int]]]:
    listed = get(client, "/v1/memories", limit=100)["items"]
    return get(client, "/v1/memories:count")["count"], [(memory["id"], memory["revision"]) for memory in listed]


@dataclass(frozen=True, slots=True)
class Row:
    """A write with something wrong in its JSON, as text where JSON libraries would not write it."""

    name: str
    body: str
    expected: Refusal
    path: str = "/v1/memories"


def _with(**wrong: Any) -> str:
    return json.dumps({**GOOD, **wrong})


def _batch(*memories: dict[str, Any]) -> str:
    return json.dumps({"memories": memories})


ROWS = [
    Row("unknown field", _with(colour="red"), Refusal(400, "UNKNOWN_FIELD", ("colour",))),
    Row("wrong type", _with(content=7), Refusal(400, "WRONG_TYPE", ("content",))),
    Row("number as text", _with(importance="0.5"), Refusal(400, "WRONG_TYPE", ("importance",))),
    Row("unknown word", _with(kind="poem"), Refusal(400, "VALUE_UNKNOWN", ("kind",))),
    Row("kind missing", json.dumps({"content": "x"}), Refusal(400, "KIND_MISSING", ("kind",))),
    Row("empty", _with(content=" \n"), Refusal(400, "CONTENT_EMPTY", ("content",))),
    Row("too long", _with(content="x" * 32_001), Refusal(400, "CONTENT_TOO_LONG", ("content",))),
    Row("label too long", _with(sourceRef="x" * 513), Refusal(400, "LABEL_TOO_LONG", ("sourceRef",))),
    Row("NUL", _with(content="a\0b"), Refusal(400, "FORBIDDEN_CHARACTER", ("content",))),
    Row("lone surrogate", _with(content="a\ud800b"), Refusal(400, "FORBIDDEN_CHARACTER", ("content",))),
    Row("NUL inside", _with(metadata={"a": ["\0"]}), Refusal(400, "FORBIDDEN_CHARACTER", ("metadata.a[0]",))),
    Row("naive time", _with(observedAt="2026-04-01T09:00:00"), Refusal(400, "TIME_NAIVE", ("observedAt",))),
    Row("no time", _with(observedAt="yesterday"), Refusal(400, "TIME_INVALID", ("observedAt",))),
    Row("no period", _with(period="2026-13"), Refusal(400, "PERIOD_INVALID", ("period",))),
    Row("importance", _with(importance=1.5), Refusal(400, "IMPORTANCE_OUT_OF_RANGE", ("importance",))),
    Row("no object", _with(metadata=[1]), Refusal(400, "METADATA_INVALID", ("metadata",))),
    Row("deep", _with(metadata={"a": [[[[[[[[1]]]]]]]]}), Refusal(400, "METADATA_TOO_DEEP", ("metadata",))),
    Row("given twice", '{"kind":"note","content":"a","content":"b"}', Refusal(400, "DUPLICATE_FIELD", ("content",))),
    Row(
        "not finite",
        '{"kind":"note","content":"a","importance":NaN}',
        Refusal(400, "NUMBER_NOT_FINITE", ("importance",)),
    ),
    Row("no JSON", '{"kind":', Refusal(400, "JSON_INVALID", ("body",))),
    Row("tenant in the body", _with(tenantId="x"), Refusal(400, "UNKNOWN_FIELD", ("tenantId",))),
    Row("embedding", _with(embedding="AAAA"), Refusal(400, "FIELD_NOT_ALLOWED", ("embedding",))),
    Row(
        "one of a batch",
        _batch(GOOD, {**GOOD, "content": ""}),
        Refusal(400, "CONTENT_EMPTY", ("memories[1].content",)),
        "/v1/memories:batch",
    ),
    Row("no batch", _batch(), Refusal(400, "MEMORIES_EMPTY", ("memories",)), "/v1/memories:batch"),
    Row("batch too large", _batch(*[GOOD] * 1_001), Refusal(413, "BATCH_TOO_LARGE"), "/v1/memories:batch"),
    Row("no query", json.dumps({"query": ""}), Refusal(400, "QUERY_EMPTY", ("query",)), "/v1/recall"),
    Row("long query", json.dumps({"query": "x" * 4_001}), Refusal(400, "QUERY_TOO_LONG", ("query",)), "/v1/recall"),
    Row(
        "limit", json.dumps({"query": "x", "limit": 101}), Refusal(400, "LIMIT_OUT_OF_RANGE", ("limit",)), "/v1/recall"
    ),
    Row("no question", json.dumps({"question": " "}), Refusal(400, "QUERY_EMPTY", ("question",)), "/v1/answer"),
    Row("hits", json.dumps({"question": "x", "limit": 21}), Refusal(400, "LIMIT_OUT_OF_RANGE", ("limit",)), "/recall"),
    Row("no switch", json.dumps({"question": "x", "hybrid": 1}), Refusal(400, "WRONG_TYPE", ("hybrid",)), "/recall"),
    Row(
        "ceiling",
        json.dumps({"question": "x", "maxTotalTokens": -1}),
        Refusal(400, "TOKENS_OUT_OF_RANGE", ("maxTotalTokens",)),
        "/v1/answer",
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name.replace(" ", "-"))
def test_wrong_json_is_refused_by_name(client: httpx2.Client, row: Row) -> None:
    answer = client.post(row.path, content=row.body, headers={"Content-Type": "application/json"})
    assert refusal(answer) == row.expected


def test_a_wrong_key_is_refused(stack: Stack, tenant: Tenant) -> None:
    with httpx2.Client(base_url=stack.url) as anybody:
        wrong = anybody.post("/v1/memories", json=GOOD, headers=bearer("cdr_" + "x" * 40))
        assert refusal(wrong) == Refusal(401, "KEY_UNKNOWN")
        two = {**bearer(tenant.key), "X-API-Key": "cdr_" + "x" * 40}
        assert refusal(anybody.post("/v1/memories", json=GOOD, headers=two)) == Refusal(401, "CREDENTIAL_AMBIGUOUS")


def test_an_id_of_somebody_else_does_not_exist(stack: Stack, client: httpx2.Client, other_tenant: Tenant) -> None:
    with stack.client(other_tenant.key) as other:
        foreign = post(other, "/v1/memories", GOOD)["memory"]["memoryId"]
    expected = Refusal(404, "MEMORY_NOT_FOUND")
    assert refusal(client.get(f"/v1/memories/{foreign}")) == expected
    assert refusal(client.get(f"/v1/memories/{foreign}/events")) == expected
    assert refusal(client.patch(f"/v1/memories/{foreign}", json={"patch": {"content": "Mine."}})) == expected


def test_an_oversized_body_is_refused_before_it_is_read(client: httpx2.Client) -> None:
    body = _with(content="x" * BODY_LIMIT_BYTES)
    answer = client.post("/v1/memories", content=body, headers={"Content-Type": "application/json"})
    assert refusal(answer) == Refusal(413, "BODY_TOO_LARGE")


def test_a_body_of_another_type_is_refused(client: httpx2.Client) -> None:
    answer = client.post("/v1/memories", content=_with(), headers={"Content-Type": "text/plain"})
    assert refusal(answer) == Refusal(415, "CONTENT_TYPE_UNSUPPORTED")


@pytest.mark.parametrize(
    ("path", "name", "reason"),
    [
        ("/v1/memories", "pageToken", "PAGE_TOKEN_INVALID"),
        ("/v1/memories:stream", "resumeToken", "RESUME_TOKEN_INVALID"),
    ],
)
def test_a_bad_cursor_is_refused(client: httpx2.Client, path: str, name: str, reason: str) -> None:
    answer = client.get(path, params={name: "AAAA"})
    if "x-ndjson" in answer.headers["content-type"]:
        (line,) = map(json.loads, answer.text.splitlines())
        assert (line["problem"]["status"], line["problem"]["reason"]) == (400, reason)
    else:
        assert refusal(answer) == Refusal(400, reason, (name,))


def test_a_cursor_for_other_filters_is_refused(client: httpx2.Client) -> None:
    token = get(client, "/v1/memories", limit=1)["nextPageToken"]
    answer = client.get("/v1/memories", params={"limit": 1, "kind": "note", "pageToken": token})
    assert refusal(answer) == Refusal(400, "PAGE_TOKEN_INVALID", ("pageToken",))


def test_a_reused_key_with_another_body_is_refused(client: httpx2.Client) -> None:
    key = {"Idempotency-Key": "bad-input-reused"}
    first = client.post("/v1/memories", json=KEPT, headers=key)
    assert first.json()["memory"]["existing"]
    assert refusal(client.post("/v1/memories", json=GOOD, headers=key)) == Refusal(409, "REQUEST_ID_REUSED")
    assert refusal(client.post("/v1/memories", json=GOOD, headers={"Idempotency-Key": "a b"})).status == 400


def test_without_an_embedder_nothing_is_written_and_recall_degrades(
    stack: Stack, client: httpx2.Client, eventually: Callable[[Callable[[], bool]], None]
) -> None:
    stack.kill_role("embed")
    try:
        answer = client.post("/v1/memories", json=GOOD)
        assert refusal(answer) == Refusal(503, "EMBEDDER_UNAVAILABLE")
        assert int(answer.headers["retry-after"]) >= 1
        recalled = post(client, "/v1/recall", {"query": "the one fact", "company": KEPT["company"]})
        assert [hit["memory"]["content"] for hit in recalled["hits"]] != []
        assert recalled["retrieval"]["degraded"] == ["dense: EMBEDDER_UNAVAILABLE"]
        dense = client.post("/v1/recall", json={"query": "the one fact, again", "mode": "dense"})
        assert refusal(dense) == Refusal(503, "EMBEDDER_UNAVAILABLE")
    finally:
        stack.restart()
    with stack.client(stack.new_tenant().key) as elsewhere:  # each role finds the new process by itself
        eventually(lambda: elsewhere.post("/v1/memories", json=GOOD).status_code == 200)
        eventually(lambda: elsewhere.post("/v1/recall", json={"query": "x", "mode": "dense"}).status_code == 200)
