"""Tools over MCP, by the official SDK's own client, in both eras of the protocol, against scripted services.

Source: REQUIREMENTS F1.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import httpx2
import orjson
import pytest
import structlog
from candor.audit.v1.fields_pb2 import GetAuditReportResponse
from candor.audit.v1.meaning_pb2 import AuditMeaningResponse
from candor.ingest.v1.memories_pb2 import CreateMemoryResponse, WrittenMemory
from candor.memory.v1.memory_pb2 import Memory
from candor.retrieve.v1.memories_pb2 import CountMemoriesResponse
from candor.retrieve.v1.recall_pb2 import Hit, RecallMemoriesResponse
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from gateway.app import create_app
from gateway.mcp.endpoint import MAX_BODY_BYTES
from gateway.mcp.running import MAX_RESULT_BYTES
from shared.config import Settings
from shared.domain.errors import Conflict, InvalidArgument, RateLimited
from tests.gateway.conftest import TENANT, Gateway

pytestmark = pytest.mark.anyio
ALL = {
    "recall_memory",
    "answer_question",
    "ingest_memory",
    "audit_memory",
    "memory_count",
    "resolve_conflict",
    "forget_preview",
}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}
JSON_HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


@asynccontextmanager
async def agent(gateway: Gateway, key: str = "admin-key", mode: str = "auto") -> AsyncIterator[Client]:
    """Connect the SDK's client to a gateway that runs meanwhile."""
    async with (
        gateway.app.router.lifespan_context(gateway.app),
        httpx2.AsyncClient(
            transport=httpx2.ASGITransport(gateway.app), headers={"authorization": f"Bearer {key}"}
        ) as http,
        Client(streamable_http_client("http://gateway/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def asked(gateway: Gateway) -> list[tuple[str, Any]]:
    """Return what the services were asked; the gateway's own reports of key use are told when it stops."""
    return [one for one in gateway.script.asked if one[0] != "RecordKeyUse"]


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


def said(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, result
    read: dict[str, Any] = json.loads(text_of(result))
    return read


def refused(result: CallToolResult) -> dict[str, Any]:
    assert result.is_error
    problem: dict[str, Any] = json.loads(text_of(result))
    return problem


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
async def test_lists_and_calls_in_every_era(gateway: Gateway, mode: str) -> None:
    gateway.script.answers["CountMemories"] = [CountMemoriesResponse(count=7)]
    async with agent(gateway, mode=mode) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == ALL
        assert (
            said(await client.call_tool("memory_count", {"company": "Acme & Söhne", "tags": ["a", "b"]}))["count"] == 7
        )
    ((_, request),) = asked(gateway)
    assert (request.tenant_id, request.company, list(request.tags)) == (TENANT, "Acme & Söhne", ["a", "b"])


async def test_schemas_are_the_contracts(gateway: Gateway) -> None:
    async with agent(gateway) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    ingest = tools["ingest_memory"].input_schema
    assert ingest["required"] == ["kind", "content"] or ingest["required"] == ["content", "kind"]
    assert ingest["additionalProperties"] is False
    assert "unspecified" not in ingest["properties"]["kind"]["enum"]
    assert "turn" in ingest["properties"]["kind"]["enum"]
    assert {"sourceRef", "metadata", "idempotencyKey", "observedAt"} <= set(ingest["properties"])
    assert not {"embedding", "tenantId", "actor"} & set(ingest["properties"])
    assert tools["audit_memory"].input_schema["properties"]["semantic"]["type"] == "boolean"
    assert tools["recall_memory"].input_schema["required"] == ["question"]
    assert "preview" not in tools["forget_preview"].input_schema["properties"]
    assert all(tool.description and "$ref" not in json.dumps(tool.input_schema) for tool in tools.values())


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("read-key", {"recall_memory", "answer_question", "memory_count"}),
        ("write-key", {"ingest_memory", "resolve_conflict", "forget_preview"}),
        ("audit-key", {"audit_memory"}),
    ],
)
async def test_a_key_sees_what_it_may_call(gateway: Gateway, key: str, names: set[str]) -> None:
    async with agent(gateway, key) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == names
        hidden = "audit_memory" if key != "audit-key" else "memory_count"
        problem = refused(await client.call_tool(hidden, {}))
    assert (problem["status"], problem["reason"]) == (403, "SCOPE_MISSING")
    assert asked(gateway) == []


async def test_remembers_what_was_written_as_it_was_written(gateway: Gateway) -> None:
    gateway.script.answers["CreateMemory"] = [CreateMemoryResponse(memory=WrittenMemory(memory_id="m-1"))]
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "ingest_memory",
            "arguments": {
                "content": "支払い ✅",
                "kind": "invoice",
                "metadata": orjson.Fragment('{"total": 18400.00, "n": 12345678901234567890.125, "none": null}'),
                "idempotencyKey": "k-1",
            },
        },
    }
    async with gateway.app.router.lifespan_context(gateway.app):
        answer = await gateway.client.post("/mcp", content=orjson.dumps(call), headers=JSON_HEADERS)
    assert answer.json()["result"]["isError"] is False
    ((_, request),) = asked(gateway)
    assert request.memory.metadata == '{"total":18400.00,"n":12345678901234567890.125,"none":null}'
    assert (request.memory.content, request.request_id, request.actor) == ("支払い ✅", "k-1", "admin-key")


async def test_the_switch_chooses_the_audit(gateway: Gateway) -> None:
    gateway.script.answers["GetAuditReport"] = [GetAuditReportResponse(audited=3, ok=True)]
    gateway.script.answers["AuditMeaning"] = [AuditMeaningResponse(compared=1)]
    async with agent(gateway) as client:
        assert said(await client.call_tool("audit_memory", {}))["audited"] == 3
        assert said(await client.call_tool("audit_memory", {"semantic": False}))["audited"] == 3
        assert said(await client.call_tool("audit_memory", {"semantic": True, "maxPairs": 1}))["compared"] == 1
        wrong = refused(await client.call_tool("audit_memory", {"maxPairs": 1}))
        typed = refused(await client.call_tool("audit_memory", {"semantic": "yes"}))
    assert (wrong["reason"], wrong["violations"][0]["field"]) == ("UNKNOWN_ARGUMENT", "maxPairs")
    assert (typed["reason"], typed["violations"][0]["field"]) == ("WRONG_TYPE", "semantic")
    assert [name for name, _ in asked(gateway)] == ["GetAuditReport", "GetAuditReport", "AuditMeaning"]


async def test_forgets_nothing(gateway: Gateway) -> None:
    async with agent(gateway) as client:
        said(await client.call_tool("forget_preview", {"kind": "note"}))
        for name in ("preview", "planId", "plan_id"):
            assert refused(await client.call_tool("forget_preview", {name: False}))["reason"] == "UNKNOWN_ARGUMENT"
    ((_, request),) = asked(gateway)
    assert request.preview


@pytest.mark.parametrize(
    ("tool", "arguments", "reason", "field"),
    [
        ("recall_memory", {"question": "x", "tenantId": "other"}, "UNKNOWN_ARGUMENT", "tenantId"),
        ("recall_memory", {"question": "x", "rerank": True}, "UNKNOWN_ARGUMENT", "rerank"),
        ("recall_memory", {"question": 5}, "WRONG_TYPE", "question"),
        ("recall_memory", {"question": "x", "limit": "five"}, "WRONG_TYPE", "limit"),
        ("recall_memory", {"question": "a\0b"}, "FORBIDDEN_CHARACTER", "question"),
        ("memory_count", {"company": 5}, "WRONG_TYPE", "company"),
        ("memory_count", {"kind": "poem"}, "VALUE_UNKNOWN", "kind"),
        ("ingest_memory", {"content": "x", "kind": "note", "idempotencyKey": 5}, "WRONG_TYPE", "idempotencyKey"),
        (
            "ingest_memory",
            {"content": "x", "kind": "note", "idempotencyKey": "é"},
            "IDEMPOTENCY_KEY_INVALID",
            "idempotencyKey",
        ),
    ],
)
async def test_wrong_arguments_are_results(
    gateway: Gateway, tool: str, arguments: dict[str, Any], reason: str, field: str
) -> None:
    async with agent(gateway) as client:
        problem = refused(await client.call_tool(tool, arguments))
    assert (problem["status"], problem["reason"]) == (400, reason)
    assert problem["violations"][0]["field"] == field
    assert asked(gateway) == []


async def test_what_services_refuse_are_results(gateway: Gateway) -> None:
    gateway.script.answers["RecallMemories"] = [InvalidArgument.of("query", "QUERY_EMPTY", "is empty")]
    gateway.script.answers["CreateMemory"] = [Conflict("REQUEST_ID_REUSED", "Used with another body.")]
    gateway.script.answers["CountMemories"] = [RateLimited("QUOTA_EXHAUSTED", "Tomorrow.", retry_after_seconds=30.0)]
    async with agent(gateway) as client:
        empty = refused(await client.call_tool("recall_memory", {"question": " "}))
        reused = refused(await client.call_tool("ingest_memory", {"content": "x", "kind": "note"}))
        limited = refused(await client.call_tool("memory_count", {}))
    assert (empty["reason"], empty["violations"][0]["field"]) == ("QUERY_EMPTY", "question")
    assert (reused["status"], reused["reason"]) == (409, "REQUEST_ID_REUSED")
    assert (limited["status"], limited["retryAfterSeconds"]) == (429, 30.0)


async def test_a_defect_is_opaque(gateway: Gateway, lines: list[structlog.typing.EventDict]) -> None:
    async def broken() -> Any:
        raise ValueError("a secret of the inside")

    gateway.script.answers["CountMemories"] = [broken]
    async with agent(gateway) as client:
        problem = refused(await client.call_tool("memory_count", {}))
    assert (problem["status"], problem["reason"]) == (500, "INTERNAL")
    assert "secret" not in json.dumps(problem)
    assert any(line["event"] == "defect" for line in lines)


async def test_a_result_over_the_limit_is_refused_whole(gateway: Gateway) -> None:
    memory = Memory(id="m-1", content="x" * MAX_RESULT_BYTES)
    gateway.script.answers["RecallMemories"] = [RecallMemoriesResponse(hits=[Hit(memory=memory)])]
    async with agent(gateway) as client:
        problem = refused(await client.call_tool("recall_memory", {"question": "x"}))
    assert (problem["status"], problem["reason"]) == (413, "RESULT_TOO_LARGE")
    assert problem["metadata"]["max_bytes"] == str(MAX_RESULT_BYTES)


async def test_an_unknown_tool_is_an_error_of_the_protocol(gateway: Gateway) -> None:
    async with agent(gateway) as client:
        with pytest.raises(MCPError, match="no such tool"):
            await client.call_tool("drop_database", {})


@pytest.mark.parametrize(
    ("headers", "status", "reason"),
    [
        ({}, 401, "CREDENTIAL_MISSING"),
        ({"authorization": "Bearer unknown"}, 401, "KEY_UNKNOWN"),
        ({"authorization": "Bearer read-key", "x-api-key": "write-key"}, 401, "CREDENTIAL_AMBIGUOUS"),
    ],
)
async def test_nothing_is_told_without_a_key(
    gateway: Gateway, headers: dict[str, str], status: int, reason: str
) -> None:
    transport = httpx2.ASGITransport(gateway.app)
    async with (
        gateway.app.router.lifespan_context(gateway.app),
        httpx2.AsyncClient(transport=transport, base_url="http://gateway") as stranger,
    ):
        answer = await stranger.post("/mcp", json=INITIALIZE, headers={**JSON_HEADERS, **headers})
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)


async def test_takes_one_json_message_by_post(gateway: Gateway) -> None:
    async with gateway.app.router.lifespan_context(gateway.app):
        for verb in ("GET", "DELETE", "PUT"):
            answer = await gateway.client.request(verb, "/mcp", headers=JSON_HEADERS)
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
        plain = await gateway.client.post("/mcp", content=b"{}", headers={"content-type": "text/plain"})
        assert plain.status_code == 415
        large = await gateway.client.post("/mcp", content=b" " * (MAX_BODY_BYTES + 1), headers=JSON_HEADERS)
        assert (large.status_code, large.json()["reason"]) == (413, "BODY_TOO_LARGE")
        batch = await gateway.client.post("/mcp", json=[INITIALIZE], headers=JSON_HEADERS)
        assert batch.status_code == 400
        broken = await gateway.client.post("/mcp", content=b"{", headers=JSON_HEADERS)
        assert broken.status_code == 400


async def test_no_session_is_kept_so_none_can_expire(
    gateway: Gateway, channels: dict[str, grpc.aio.Channel], settings: Settings
) -> None:
    """Six idle minutes break a client whose session or stream ends meanwhile.

    There is neither: no answer names a session, and a gateway that never saw the client answers it.
    """
    gateway.script.answers["CountMemories"] = [CountMemoriesResponse(count=1)]
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory_count", "arguments": {}}}
    async with gateway.app.router.lifespan_context(gateway.app):
        opened = await gateway.client.post("/mcp", json=INITIALIZE, headers=JSON_HEADERS)
        assert opened.status_code == 200
        assert "mcp-session-id" not in opened.headers
    another = create_app(settings, channels)
    async with (
        another.router.lifespan_context(another),
        httpx2.AsyncClient(
            transport=httpx2.ASGITransport(another),
            base_url="http://gateway",
            headers={"authorization": "Bearer admin-key", **JSON_HEADERS, "mcp-protocol-version": "2025-06-18"},
        ) as client,
    ):
        answer = (await client.post("/mcp", json=call)).json()
    assert json.loads(answer["result"]["content"][0]["text"]) == {"count": 1}


async def test_a_call_counts_once(gateway: Gateway) -> None:
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "memory_count", "arguments": {}}}
    async with gateway.app.router.lifespan_context(gateway.app):
        await gateway.client.post("/mcp", json=call, headers=JSON_HEADERS)
    (report,) = [request for name, request in gateway.script.asked if name == "RecordKeyUse"]
    assert [use.requests for use in report.uses] == [1]


async def test_the_log_names_the_tool_and_no_content(gateway: Gateway, lines: list[structlog.typing.EventDict]) -> None:
    async with agent(gateway, mode="2026-07-28") as client:
        await client.call_tool("recall_memory", {"question": "a very private question"})
    (line,) = [line for line in lines if line["event"] == "http" and line["route"] != "/mcp"]
    assert (line["route"], line["status"], line["tenant"]) == ("/mcp recall_memory", 200, TENANT)
    assert "private" not in str(lines)
