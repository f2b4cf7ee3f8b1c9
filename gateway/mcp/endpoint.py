"""MCP over Streamable HTTP, at `/mcp`: the protocol by the official SDK, the tools by this gateway's own routes.

Rules: stateless, so that any replica answers any request and nothing can expire or be lost by a restart; JSON answers
only; always with a credential, for listing too. A key sees the tools that its scopes allow. Arguments are read from the
body as they were written, numbers included. It does not know what a tool does.
Source: modelcontextprotocol.io, Streamable HTTP.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.types import Message, Receive, Scope, Send

from gateway import comments, json_text, limits, trace
from gateway.auth import Principal, credential
from gateway.contracts import Binding
from gateway.formats import JSON
from gateway.lines import MAX_LINE_BYTES
from gateway.mcp.requests import Arguments, BoundTool
from gateway.mcp.running import ROUTE, run
from gateway.mcp.tools import TOOLS
from gateway.openapi import SUMMARY, VERSION
from gateway.problems import MethodNotAllowed
from gateway.schemas import Schemas
from gateway.transcode import RpcRoutes
from shared.domain.errors import UpstreamUnavailable

MAX_BODY_BYTES = MAX_LINE_BYTES
"""Of one message: as of one line of an upload, for the same reason."""
INSTRUCTIONS = (
    "Candor is memory that outlives the session. Recall before you answer from memory, remember facts as they come up, "
    "and tell the user when memory contradicts itself instead of choosing silently."
)
_CALLER = "candor.mcp.principal"
_BODY = "candor.mcp.body"
_Context = ServerRequestContext[Any, Any]


class McpEndpoint:
    """The endpoint, as an ASGI application. It serves inside `running`."""

    def __init__(
        self, bindings: list[Binding], routes: RpcRoutes, identify: Callable[[Scope], Awaitable[Principal]]
    ) -> None:
        by_name = {
            binding.method.full_name: binding for binding in reversed(bindings)
        }  # a method's own rule comes first
        self._routes = routes
        self._identify = identify
        self._tools = {tool.name: BoundTool(tool, by_name) for tool in TOOLS}
        schemas = Schemas(comments.load())
        self._listed = {name: _listed(bound, schemas) for name, bound in self._tools.items()}
        self._server: Server[Any] = Server(
            "candor",
            version=VERSION,
            title="Candor",
            description=SUMMARY,
            instructions=INSTRUCTIONS,
            get_tool_input_schema=lambda name: None,  # no argument of ours travels in a header
            on_list_tools=self._list,
            on_call_tool=self._call,
        )
        self._manager: StreamableHTTPSessionManager | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serve inside."""
        self._manager = StreamableHTTPSessionManager(
            self._server, json_response=True, stateless=True, max_request_body_size=MAX_BODY_BYTES
        )
        try:
            async with self._manager.run():
                yield
        finally:
            self._manager = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one message. Raises: CandorError."""
        record = trace.of(scope)
        record.route = ROUTE
        if scope["method"] != "POST":
            raise MethodNotAllowed(scope["method"], "POST")
        headers = scope["headers"]
        credential(headers)
        principal = await self._identify(scope)
        record.tenant = principal.tenant_id
        body = await limits.read_body(headers, receive, MAX_BODY_BYTES)
        limits.require_media(headers, JSON)
        if self._manager is None:
            raise UpstreamUnavailable("NOT_READY", "The gateway is starting or stopping.", retry_after_seconds=1.0)
        scope[_CALLER], scope[_BODY] = principal, body
        waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def replay() -> Message:
            return waiting.pop() if waiting else await receive()

        await self._manager.handle_request(scope, replay, send)

    async def _list(self, context: _Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        principal: Principal = _scope(context)[_CALLER]
        return types.ListToolsResult(
            tools=[self._listed[name] for name, bound in self._tools.items() if bound.may(principal.scopes)]
        )

    async def _call(self, context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            raise MCPError(types.INVALID_PARAMS, f"There is no such tool; there are {', '.join(self._tools)}.")
        scope = _scope(context)
        outcome = await run(tool, _arguments(scope[_BODY]), self._routes, scope)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=outcome.text)], is_error=outcome.is_error
        )


def _scope(context: _Context) -> Scope:
    request: Any = context.request  # over HTTP there always is one
    scope: Scope = request.scope
    return scope


def _listed(bound: BoundTool, schemas: Schemas) -> types.Tool:
    tool = bound.tool
    hints = types.ToolAnnotations(
        read_only_hint=tool.is_read_only,
        destructive_hint=False,  # every end can be undone
        idempotent_hint=tool.is_read_only or tool.takes_key,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name, description=tool.description, input_schema=bound.schema(schemas), annotations=hints
    )


def _arguments(body: bytes) -> Arguments:
    """Return what a call's message says, from the message as it was written. The SDK has read it before."""
    value = json_text.parse(body)
    for wanted in ("params", "arguments"):
        pairs = value if isinstance(value, tuple) else ()
        value = next((item for name, item in reversed(pairs) if name == wanted), None)  # of two, the SDK takes the last
    return value if isinstance(value, tuple) else ()
