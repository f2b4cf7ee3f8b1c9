"""Nothing of one tenant reaches another through the tools of MCP: each asked with what a stranger may have picked up.

Rules: as in test_leakage.py; a tool without a case fails here as soon as it is listed.
"""

import json
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from gateway.mcp.tools import TOOLS
from tests.e2e import test_leakage as leakage
from tests.e2e.stack import Stack, Tenant, bearer

ground = leakage.ground
NAMES = [tool.name for tool in TOOLS]
QUESTION = f"what is the {leakage.BAIT} word?"


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of one call; the reason it must end with for the stranger; whether the owner sees a secret."""

    arguments: dict[str, Any]
    ends: str = "OK"
    owner_sees: bool = True


def calls(ground: leakage.Ground) -> dict[str, list[Call]]:
    mine = ground.memory_ids
    fact = {"kind": "note", "content": leakage.COMMON, "company": leakage.BAIT, "record": leakage.RECORD}
    choice = {"subject": leakage.RECORD, "attribute": "amount", "selectedMemoryId": mine[0], "reason": "so"}
    return {
        "recall_memory": [Call({"question": QUESTION}), Call({"question": QUESTION, "company": leakage.BAIT})],
        "answer_question": [Call({"question": QUESTION})],
        "ingest_memory": [Call({**fact, "metadata": {"amount": 1}})],
        "audit_memory": [Call({}), Call({"semantic": True}), Call({"company": leakage.BAIT})],
        "memory_count": [Call({"company": leakage.BAIT}, owner_sees=False)],
        "resolve_conflict": [Call({**choice, "company": leakage.BAIT}, "MEMORY_NOT_FOUND", owner_sees=False)],
        "forget_preview": [
            Call({"memoryIds": mine[:1]}, "MEMORY_NOT_FOUND", owner_sees=False),
            Call({"company": leakage.BAIT}, owner_sees=False),
        ],
    }


def ask(http: httpx2.Client, caller: Tenant, method: str, params: dict[str, Any]) -> tuple[str, str]:
    """Send one message; return the reason of its error (OK for none) and the text of the whole answer."""
    headers = {**bearer(caller.key), "Accept": "application/json, text/event-stream"}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = http.post("/mcp", json=message, headers={**headers, "MCP-Protocol-Version": "2025-06-18"})
    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    reason = json.loads(result["content"][0]["text"])["reason"] if result.get("isError") else "OK"
    return reason, answer.text + str(answer.headers)


@pytest.mark.parametrize("name", NAMES)
def test_no_tool_tells_a_stranger(stack: Stack, ground: leakage.Ground, name: str) -> None:
    with httpx2.Client(base_url=stack.url, timeout=30) as http:
        for call in calls(ground)[name]:
            asked = json.dumps(call.arguments)
            params = {"name": name, "arguments": call.arguments}
            reason, text = ask(http, ground.stranger, "tools/call", params)
            assert reason == call.ends, text
            assert [secret for secret in ground.secrets if secret in text and secret not in asked] == []
            if call.owner_sees:
                reason, text = ask(http, ground.owner, "tools/call", params)
                assert reason == "OK", text
                assert [secret for secret in ground.secrets if secret in text and secret not in asked] != []


def test_the_list_of_tools_is_the_same_for_everybody(stack: Stack, ground: leakage.Ground) -> None:
    with httpx2.Client(base_url=stack.url, timeout=30) as http:
        listed = [json.loads(httpx_text(http, who))["result"]["tools"] for who in (ground.owner, ground.stranger)]
    assert listed[0] == listed[1]
    assert [tool["name"] for tool in listed[0]] == NAMES


def httpx_text(http: httpx2.Client, caller: Tenant) -> str:
    headers = {**bearer(caller.key), "Accept": "application/json, text/event-stream"}
    return http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, headers=headers).text
