"""MCP over stdio: a small process between an agent that speaks to a child process and the gateway that speaks HTTP.

    CANDOR_KEY=… candor [--url https://memory.example] [--key-file FILE] mcp

Rules: each line from the agent goes to `/mcp` as it is, and each answer back as it is, so that numbers keep their
spelling and what the gateway can do is never repeated here. It keeps nothing but the revision that was agreed on: a
gateway that restarts between two calls is not noticed, and one that is away for a moment is waited for; what may have
arrived is not sent again. What goes wrong on the way is told as the protocol tells errors, of a tool as its result. The
key comes from the environment or a file and is printed nowhere.
Source: modelcontextprotocol.io, "Transports"; REQUIREMENTS F1.
"""

import base64
import json
import re
import sys
from typing import Any

import anyio
import anyio.to_thread
import httpx2
import stamina
import stamina.instrumentation
import typer

from .connection import Connection

TIMEOUT_SECONDS = 300.0  # of one call; a tool may wait for a model; chosen, untested
CONNECT_SECONDS = 5.0  # chosen, untested
RETRY_SECONDS = 30.0  # how long a gateway that takes no connection is waited for; a restart takes about 5 (measured)
MAX_CALLS = 16  # at once; more wait; chosen, untested
PARSE_ERROR = -32700  # JSON-RPC 2.0
SERVER_ERROR = -32000  # JSON-RPC 2.0: the first of those left to servers
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_NAMES = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PLAIN = re.compile(r"[!-~](?:[ -~]*[!-~])?")


def serve(context: typer.Context) -> None:
    """Serve an agent's tools (MCP) over standard input and output until the input ends."""
    chosen: Connection = context.obj
    if not chosen.key:
        raise typer.BadParameter("set CANDOR_KEY, or name a file with the key: --key-file")
    stamina.instrumentation.set_on_retry_hooks([])  # its log would go where the agent reads
    anyio.run(_serve, chosen.url, chosen.key)


async def _serve(url: str, key: str) -> None:
    headers = {
        "authorization": f"Bearer {key}",
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
    }
    timeout = httpx2.Timeout(TIMEOUT_SECONDS, connect=CONNECT_SECONDS)
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=timeout) as http:
        bridge = Bridge(http)
        async with anyio.create_task_group() as calls:
            while line := await anyio.to_thread.run_sync(sys.stdin.buffer.readline, abandon_on_cancel=True):
                if not line.isspace():
                    calls.start_soon(bridge.pass_on, line)


class Bridge:
    """Passes messages on, and their answers back."""

    def __init__(self, http: httpx2.AsyncClient) -> None:
        self._http = http
        self._places = anyio.CapacityLimiter(MAX_CALLS)
        self._writing = anyio.Lock()
        self._version = ""

    async def pass_on(self, line: bytes) -> None:
        """Send one message and write what comes back, if it asks for an answer."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            await self._write({"jsonrpc": "2.0", "id": None, "error": {"code": PARSE_ERROR, "message": "Parse error"}})
            return
        said = message if isinstance(message, dict) else {}
        async with self._places:
            answer = await self._answer(line, said)
        if answer is not None and ("id" in said or not said):
            await self._write(answer)

    async def _answer(self, line: bytes, message: dict[str, Any]) -> bytes | dict[str, Any] | None:
        try:
            response = await self._send(line, message)
        except httpx2.HTTPError as error:
            away = {"reason": "GATEWAY_UNREACHABLE", "detail": f"The gateway did not answer: {type(error).__name__}."}
            return _failed(message, away)
        if response.headers.get("content-type", "").startswith("application/problem+json"):
            return _failed(message, response.json())
        if message.get("method") == "initialize":
            self._version = response.json().get("result", {}).get("protocolVersion", "")
        if response.headers.get("content-type", "").startswith("application/json"):
            return response.content
        if response.is_success:
            return None  # a notification that was taken
        return _failed(message, {"reason": "GATEWAY_ANSWER_UNKNOWN", "detail": f"HTTP status {response.status_code}."})

    async def _send(self, line: bytes, message: dict[str, Any]) -> httpx2.Response:
        headers = self._headers(message)
        async for attempt in stamina.retry_context(
            on=(httpx2.ConnectError, httpx2.ConnectTimeout), attempts=None, timeout=RETRY_SECONDS, wait_max=1.0
        ):
            with attempt:
                return await self._http.post("/mcp", content=line, headers=headers)
        raise AssertionError("the last attempt returns or raises")

    def _headers(self, message: dict[str, Any]) -> dict[str, str]:
        """Return what the protocol mirrors from a message into headers."""
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        meta = params.get("_meta")
        version = meta.get(_VERSION_KEY) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            return {"mcp-protocol-version": self._version} if self._version else {}
        method = message.get("method")
        found = {"mcp-protocol-version": version, "mcp-method": method}
        found["mcp-name"] = params.get(_NAMES.get(str(method), ""))
        return {name: _header(value) for name, value in found.items() if isinstance(value, str)}

    async def _write(self, answer: bytes | dict[str, Any]) -> None:
        text = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        async with self._writing:
            await anyio.to_thread.run_sync(_put, text.replace(b"\n", b" ").replace(b"\r", b" ") + b"\n")


def _put(line: bytes) -> None:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()


def _failed(message: dict[str, Any], problem: dict[str, Any]) -> dict[str, Any]:
    """Return a problem as the protocol tells it: of a tool as its result, which the model reads."""
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message.get("id")}
    if message.get("method") == "tools/call":
        return {**answer, "result": {"content": [{"type": "text", "text": json.dumps(problem)}], "isError": True}}
    error = {"code": SERVER_ERROR, "message": f"{problem.get('reason')}: {problem.get('detail')}", "data": problem}
    return {**answer, "error": error}


def _header(value: str) -> str:
    """Return a value as the protocol writes it into a header: what is not plain, as base64."""
    if _PLAIN.fullmatch(value) and not value.startswith("=?base64?"):
        return value
    return f"=?base64?{base64.b64encode(value.encode(errors='replace')).decode()}?="


if __name__ == "__main__":
    from .cli import app

    app([*sys.argv[1:], "mcp"], prog_name="candor")
