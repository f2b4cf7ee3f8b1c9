"""Agents over MCP in front of a whole Candor: the official SDK's client, over HTTP and over a child process.

Rules: what one agent remembers another finds, in another process and over the other transport, and so does HTTP; what
another tenant holds is not there.
Source: REQUIREMENTS F1; issue 7, "What it must show".
"""

import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, TextContent

from services import dev, processes
from tests.e2e.asking import post
from tests.e2e.stack import Stack, Tenant, bearer

pytestmark = pytest.mark.anyio
TRANSPORTS = ["http", "stdio"]
TIMEOUT_SECONDS = 120.0  # the machine may be busy


def over_stdio(stack: Stack, key: str) -> StdioServerParameters:
    """Return how an agent's host would start the child process."""
    environment = {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "gateway.client.mcp"],
        env={"CANDOR_URL": stack.url, "CANDOR_KEY": key, **environment},
    )


@asynccontextmanager
async def agent(transport: str, stack: Stack, key: str, mode: str = "auto") -> AsyncIterator[Client]:
    if transport == "stdio":
        async with Client(over_stdio(stack, key), mode=mode, read_timeout_seconds=TIMEOUT_SECONDS) as client:
            yield client
        return
    async with (
        httpx2.AsyncClient(headers=bearer(key), timeout=TIMEOUT_SECONDS) as http,
        Client(streamable_http_client(f"{stack.url}/mcp", http_client=http), mode=mode) as client,
    ):
        yield client


def said(result: CallToolResult) -> dict[str, Any]:
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert not result.is_error, block.text
    read: dict[str, Any] = json.loads(block.text)
    return read


def refused(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    assert result.is_error, block.text
    return str(json.loads(block.text)["reason"])


OPPOSED = ("Acme always pays on time.", "Acme always pays late.")


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_what_one_process_remembers_another_audits(
    stack: Stack, tenant: Tenant, client: httpx2.Client, company: str, transport: str, mode: str
) -> None:
    for content, other in zip(OPPOSED, reversed(TRANSPORTS), strict=True):
        async with agent(other, stack, tenant.key) as writer:
            fact = {"content": content, "kind": "insight", "company": company}
            assert said(await writer.call_tool("ingest_memory", fact))["memory"]["memoryId"]
    async with agent(transport, stack, tenant.key, mode) as reader:
        report = said(await reader.call_tool("audit_memory", {"semantic": True, "company": company}))
        hits = said(await reader.call_tool("recall_memory", {"question": "When does Acme pay?", "company": company}))
        count = said(await reader.call_tool("memory_count", {"company": company}))["count"]
    (contradiction,) = report["semanticContradictions"]
    assert {side["content"] for side in contradiction["memories"]} == set(OPPOSED)
    assert {hit["memory"]["content"] for hit in hits["hits"]} == set(OPPOSED)
    assert count == 2
    over_http = post(client, "/v1/audit/meaning", {"company": company})
    assert over_http["semanticContradictions"] == report["semanticContradictions"]


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_conflict_is_found_and_resolved(stack: Stack, tenant: Tenant, company: str, transport: str) -> None:
    async with agent(transport, stack, tenant.key) as client:
        for total, day in ((8400, "01"), (8900, "02")):
            fact = {
                "content": f"INV-5521 comes to {total} EUR.",
                "kind": "document",
                "company": company,
                "record": "INV-5521",
                "metadata": {"amount": total},
                "observedAt": f"2026-05-{day}T00:00:00Z",
                "idempotencyKey": f"{company.split()[1]}-{total}",
            }
            first = said(await client.call_tool("ingest_memory", fact))
            again = said(await client.call_tool("ingest_memory", fact))
            assert again == first
        (found,) = said(await client.call_tool("audit_memory", {"company": company}))["contradictions"]
        assert found["resolution"]["recommendedValue"] == 8900
        decision = {
            "company": company,
            "subject": "INV-5521",
            "attribute": "amount",
            "selectedMemoryId": found["resolution"]["recommendedMemoryId"],
            "reason": "The corrected invoice.",
        }
        assert said(await client.call_tool("resolve_conflict", decision))["action"] == "accept"
        assert said(await client.call_tool("audit_memory", {"company": company}))["ok"]
        answer = said(await client.call_tool("answer_question", {"question": "What is INV-5521?", "company": company}))
        assert "8900" in answer["answer"]
        plan = said(await client.call_tool("forget_preview", {"company": company}))
        assert (plan["applied"], plan["operationId"]) == (False, "")
        assert said(await client.call_tool("memory_count", {"company": company}))["count"] == 2


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_two_tenants_do_not_meet(
    stack: Stack, tenant: Tenant, other_tenant: Tenant, company: str, transport: str
) -> None:
    key = f"shared-{company.split()[1]}"
    fact = {"content": "The code word is heliotrope.", "kind": "note", "company": company, "idempotencyKey": key}
    async with agent(transport, stack, tenant.key) as owner:
        written = said(await owner.call_tool("ingest_memory", fact))["memory"]["memoryId"]
    async with agent(transport, stack, other_tenant.key) as stranger:
        seen = [
            said(await stranger.call_tool("recall_memory", {"question": "the code word heliotrope"})),
            said(await stranger.call_tool("answer_question", {"question": "What is the code word?"})),
            said(await stranger.call_tool("audit_memory", {})),
            said(await stranger.call_tool("audit_memory", {"semantic": True})),
            said(await stranger.call_tool("forget_preview", {"company": company})),
        ]
        assert said(await stranger.call_tool("memory_count", {"company": company}))["count"] == 0
        decision = {
            "company": company,
            "subject": "x",
            "attribute": "y",
            "selectedMemoryId": written,
            "reason": "mine",
        }
        assert refused(await stranger.call_tool("resolve_conflict", decision)) == "MEMORY_NOT_FOUND"
        # the owner's idempotency key is a new one here
        assert (
            said(await stranger.call_tool("ingest_memory", {**fact, "content": "Mine."}))["memory"]["memoryId"]
            != written
        )
    assert "heliotrope" not in json.dumps(seen).replace("the code word heliotrope", "")
    assert written not in json.dumps(seen)


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_errors_are_results(stack: Stack, tenant: Tenant, transport: str) -> None:
    async with agent(transport, stack, tenant.key) as client:
        assert refused(await client.call_tool("ingest_memory", {"content": "", "kind": "note"})) == "CONTENT_EMPTY"
        assert refused(await client.call_tool("memory_count", {"tenantId": "x"})) == "UNKNOWN_ARGUMENT"
        assert refused(await client.call_tool("recall_memory", {"question": "x", "limit": 0.5})) == "WRONG_TYPE"


async def test_a_wrong_key_is_told_and_not_printed(stack: Stack) -> None:
    wrong = "candor-wrong-key"
    opening = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    parameters = over_stdio(stack, wrong)
    lines = f"{json.dumps(opening)}\nno json\n".encode()
    with anyio.fail_after(TIMEOUT_SECONDS):
        done = await anyio.run_process(
            [parameters.command, *parameters.args], input=lines, env={**os.environ, **(parameters.env or {})}
        )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert {answer["id"]: answer["error"]["code"] for answer in answers} == {1: -32000, None: -32700}
    assert wrong.encode() not in done.stdout + done.stderr


@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_restart_between_two_calls_is_not_noticed(
    stack: Stack, tenant: Tenant, company: str, transport: str
) -> None:
    """The gateway that answers last is another process than the one that the client began with.

    That is more than six idle minutes ask for: whatever a session, a stream or a connection would lose in them is lost
    here.
    """
    settings = stack.own

    def restart() -> None:
        (gateway,) = [process for process in dev.running(settings) if process.name == "gateway"]
        processes.send([gateway], signal.SIGTERM)
        assert processes.wait_gone([gateway], TIMEOUT_SECONDS) == []
        stack.restart()

    async with agent(transport, stack, tenant.key) as client:
        fact = {"content": "Kept over a restart.", "kind": "note", "company": company}
        said(await client.call_tool("ingest_memory", fact))
        await anyio.to_thread.run_sync(restart)
        assert said(await client.call_tool("memory_count", {"company": company}))["count"] == 1
