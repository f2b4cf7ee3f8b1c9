"""Requests through the whole gateway to real gRPC servers and back."""

import json
from typing import Any

import httpx2
import pytest
from candor.ingest.v1.memories_pb2 import CreateMemoryRequest, CreateMemoryResponse, WrittenMemory
from candor.memory.v1.memory_pb2 import Kind, Memory, State
from candor.retrieve.v1.memories_pb2 import CountMemoriesResponse, GetMemoryResponse
from google.protobuf.timestamp_pb2 import Timestamp

from gateway.app import create_app
from shared.config import Settings
from shared.domain.errors import (
    Conflict,
    FailedPrecondition,
    Internal,
    InvalidArgument,
    NotFound,
    Overloaded,
    RateLimited,
    UpstreamUnavailable,
    Violation,
)
from shared.rpc import clients
from tests.gateway.conftest import TENANT, Gateway

pytestmark = pytest.mark.anyio
MEMORY_ID = "0192d1c8-7c3e-7aaa-8bbb-00000000000a"


async def test_a_memory_reaches_the_service_as_it_was_written(gateway: Gateway) -> None:
    written = WrittenMemory(
        memory_id=MEMORY_ID, revision=1, recorded_at=Timestamp(seconds=1_775_034_000, nanos=5_000_000)
    )
    gateway.script.answers["CreateMemory"] = [CreateMemoryResponse(memory=written, operation_id="op-1")]
    body = (
        '{"kind":"document","content":"Schlüssel 🔑","sourceRef":"a.pdf","tags":["x","y"],"importance":0.5,'
        '"observedAt":"2026-04-01T11:00:00+02:00",'
        '"metadata": {"amount": 18400.00, "serial":12345678901234567890123, "b":"ü", "a":[1e2, null]}}'
    )
    response = await gateway.client.post(
        "/v1/memories?reason=first",
        content=body.encode(),
        headers={"content-type": "application/json", "idempotency-key": "one"},
    )
    assert response.status_code == 200, response.text
    assert response.json() == {
        "memory": {
            "memoryId": MEMORY_ID,
            "revision": 1,
            "existing": False,
            "vectorPending": False,
            "recordedAt": "2026-04-01T09:00:00.005Z",
        },
        "operationId": "op-1",
    }
    [(name, request)] = gateway.script.asked
    expected = CreateMemoryRequest(tenant_id=TENANT, actor="admin-key", request_id="one", reason="first")
    expected.memory.kind = Kind.KIND_DOCUMENT
    expected.memory.content = "Schlüssel 🔑"
    expected.memory.source_ref = "a.pdf"
    expected.memory.tags.extend(["x", "y"])
    expected.memory.importance = 0.5
    expected.memory.observed_at.seconds = 1_775_034_000
    expected.memory.metadata = '{"amount":18400.00,"serial":12345678901234567890123,"b":"ü","a":[1e2,null]}'
    assert (name, request) == ("CreateMemory", expected)


async def test_an_answer_prints_absent_fields_as_null_and_metadata_verbatim(gateway: Gateway) -> None:
    metadata = '{"amount":18400.00,"serial":12345678901234567890123}'
    memory = Memory(id=MEMORY_ID, revision=1, kind=Kind.KIND_PAYROLL_EVENT, metadata=metadata, state=State.STATE_ACTIVE)
    gateway.script.answers["GetMemory"] = [GetMemoryResponse(memory=memory)]
    response = await gateway.client.get(f"/v1/memories/{MEMORY_ID}?known_at=2026-04-01T00:00:00Z")
    assert f'"metadata":{metadata}' in response.text
    shown = response.json()["memory"]
    assert (shown["kind"], shown["state"], shown["memoryType"]) == ("payroll_event", "active", "unspecified")
    assert (shown["company"], shown["importance"], shown["validTo"], shown["tags"], shown["pinned"]) == (
        *(None, None, None, []),
        False,
    )
    [(_, request)] = gateway.script.asked
    assert (request.tenant_id, request.memory_id) == (TENANT, MEMORY_ID)
    assert request.known_at.ToJsonString() == "2026-04-01T00:00:00Z"


async def test_query_parameters_become_fields(gateway: Gateway) -> None:
    query = "limit=20&kind=document&tags=a&tags=b&minImportance=0.25&company=&valid_at=2026-04-01T00:00:00%2B02:00"
    response = await gateway.client.get(f"/memory/list?{query}")
    assert response.status_code == 200, response.text
    assert response.json() == {"items": [], "count": 0, "nextPageToken": ""}
    [(_, request)] = gateway.script.asked
    assert (request.limit, request.kind, list(request.tags), request.min_importance) == (20, 1, ["a", "b"], 0.25)
    assert request.HasField("company") and not request.HasField("period")
    assert request.valid_at.ToJsonString() == "2026-03-31T22:00:00Z"


@pytest.mark.parametrize("path", ["/v1/memories:count", "/memory/count", "/v1/memories%3Acount"])
async def test_a_custom_verb_is_no_id(gateway: Gateway, path: str) -> None:
    gateway.script.answers["CountMemories"] = [CountMemoriesResponse(count=7)]
    response = await gateway.client.get(path)
    assert response.json() == {"count": 7}


async def test_an_encoded_slash_stays_inside_the_id(gateway: Gateway) -> None:
    await gateway.client.get("/v1/memories/a%2Fb%20c/events")
    [(name, request)] = gateway.script.asked
    assert (name, request.memory_id) == ("ListMemoryEvents", "a/b c")


async def test_head_is_answered_as_get(gateway: Gateway) -> None:
    assert (await gateway.client.head("/memory/count")).status_code == 200


@pytest.mark.parametrize("content", [b"", b"{}", b"  {} "])
async def test_an_empty_body_is_an_empty_object(gateway: Gateway, content: bytes) -> None:
    headers = {"content-type": "application/json"} if content else {}
    response = await gateway.client.post("/consistency", content=content, headers=headers)
    assert response.status_code == 200, response.text
    assert gateway.script.asked[0][1].tenant_id == TENANT


async def test_a_large_body_is_read_whole(gateway: Gateway) -> None:
    memories = [{"kind": "note", "content": "x" * 900, "metadata": {"n": i}} for i in range(700)]
    response = await gateway.client.post("/v1/memories:batch", json={"memories": memories})
    assert response.status_code == 200, response.text
    request = gateway.script.asked[0][1]
    assert [memory.metadata for memory in request.memories] == [f'{{"n":{i}}}' for i in range(700)]


async def test_a_patch_names_the_fields_it_clears(gateway: Gateway) -> None:
    body = {"patch": {"sourceRef": None, "content": "new"}, "updateMask": "content,sourceRef", "expectedRevision": 3}
    response = await gateway.client.patch(f"/v1/memories/{MEMORY_ID}", json=body)
    assert response.status_code == 200, response.text
    request = gateway.script.asked[0][1]
    assert (request.memory_id, request.expected_revision) == (MEMORY_ID, 3)
    assert list(request.update_mask.paths) == ["content", "source_ref"]
    assert request.patch.content == "new" and not request.patch.HasField("source_ref")


ERRORS: list[tuple[Any, int, dict[str, str]]] = [
    (InvalidArgument.of("memory.content", "CONTENT_EMPTY", "is empty"), 400, {}),
    (NotFound("MEMORY_NOT_FOUND", "There is no such memory."), 404, {}),
    (Conflict("REQUEST_ID_REUSED", "Another body."), 409, {}),
    (FailedPrecondition("MEMORY_ENDED", "It ended."), 400, {}),
    (RateLimited("QUOTA_EXHAUSTED", "No units.", retry_after_seconds=61.5), 429, {"retry-after": "62"}),
    (Overloaded("OVERLOADED", "Full.", retry_after_seconds=0.2), 503, {"retry-after": "1"}),
    (UpstreamUnavailable("EMBEDDER_UNAVAILABLE", "Down.", retry_after_seconds=2), 503, {"retry-after": "2"}),
]


@pytest.mark.parametrize(("error", "status", "headers"), ERRORS, ids=lambda value: getattr(value, "reason", None))
async def test_an_error_becomes_its_problem(gateway: Gateway, error: Any, status: int, headers: dict[str, str]) -> None:
    # A contract without an idempotency level is not retried; neither are these.
    gateway.script.answers["GetOperation"] = [error]
    response = await gateway.client.get("/v1/operations/op-1", headers={"x-request-id": "abc-1"})
    assert response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"
    problem = response.json()
    assert problem["type"] == f"urn:candor:problem:{error.reason.lower().replace('_', '-')}"
    assert (problem["status"], problem["reason"], problem["detail"]) == (status, error.reason, error.message)
    assert (problem["requestId"], problem["metadata"]) == ("abc-1", dict(error.metadata))
    shown = tuple(Violation(**violation) for violation in problem.get("violations", []))
    assert shown == error.violations
    assert {name: response.headers.get(name) for name in headers} == headers


async def test_a_defect_of_a_service_is_opaque(gateway: Gateway, lines: Any) -> None:
    async def broken() -> Any:
        raise ZeroDivisionError("secret detail")

    for answer in (Internal("SECRET", "secret detail", metadata={"secret": "detail"}), broken):
        gateway.script.answers["GetOperation"] = [answer]
        response = await gateway.client.get("/v1/operations/op-1", headers={"x-request-id": "abc-2"})
        assert response.status_code == 500
        assert "secret" not in response.text.lower()
        assert response.json()["requestId"] == "abc-2"


async def test_the_request_id_goes_along_and_comes_back(gateway: Gateway) -> None:
    response = await gateway.client.get("/memory/count", headers={"x-request-id": "trace/1;{x}"})
    assert response.headers["x-request-id"] == "trace/1;{x}"
    assert gateway.script.metadata[0]["x-request-id"] == "trace/1;{x}"


@pytest.mark.parametrize("given", ["", "with space", "x" * 129, "ünï"])
async def test_a_request_id_that_is_not_plain_is_replaced(gateway: Gateway, given: str) -> None:
    response = await gateway.client.get("/memory/count", headers=[(b"x-request-id", given.encode())])
    made = response.headers["x-request-id"]
    assert len(made) == 36
    assert gateway.script.metadata[0]["x-request-id"] == made


async def test_a_service_that_is_gone_is_503() -> None:
    nowhere = {role: clients.channel("127.0.0.1:1") for role in ("ingest", "retrieve", "audit")}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(create_app(Settings(), nowhere)), base_url="http://gateway"
    ) as client:
        response = await client.get("/memory/count", headers={"x-api-key": "admin-key"})
    assert (response.status_code, response.json()["reason"]) == (503, "UPSTREAM_UNAVAILABLE")
    assert response.headers["retry-after"] == "1"
    for channel in nowhere.values():
        await channel.close()


async def test_what_came_in_comes_out_again(gateway: Gateway) -> None:
    """Metadata through decode, gRPC, and encode: numbers, order, escapes and emoji as they were."""
    numbers = '"z":18400.00,"a":-0.0,"big":98765432109876543210987,"e":1E+5'
    metadata = f'{{{numbers},"t":"é🔑\\"\\\\\\n","n":{{"x":[true,false,null,{{}}]}}}}'
    body = f'{{"kind":"note","content":"c","metadata":{metadata}}}'
    await gateway.client.post("/v1/memories", content=body.encode(), headers={"content-type": "application/json"})
    stored = gateway.script.asked[0][1].memory.metadata
    gateway.script.answers["GetMemory"] = [GetMemoryResponse(memory=Memory(id="1", metadata=stored))]
    response = await gateway.client.get("/v1/memories/1")
    assert f'"metadata":{metadata}' in response.text
    assert json.loads(response.text)["memory"]["metadata"] == json.loads(metadata)
