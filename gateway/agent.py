"""The turns of an agent: a model asks for a tool, the gateway runs it and tells it what came of it, until it answers.

Rules: a tool runs as a request of the same key, as over MCP (mcp/running.py): a model can do nothing that its caller
could not. What it asks wrongly, an unknown tool too, goes back to it as a problem. A result that is too large for a
prompt is refused as a whole, never cut. A place is held for the model's turns only, not while a tool runs.
It does not know what a tool does, or how a model is asked.
Source: REQUIREMENTS F1, B12.
"""

from collections.abc import Awaitable, Callable
from hashlib import sha256
from typing import Any

import orjson
from candor.judge.v1.agent_pb2 import AgentCall, AgentTool
from candor.retrieve.v1.agent_pb2 import RunAgentRequest, RunAgentResponse
from starlette.types import Scope

from gateway import comments, json_text, problems, trace
from gateway.auth import Principal
from gateway.contracts import Binding
from gateway.mcp.requests import KEY_ARGUMENT, BoundTool
from gateway.mcp.running import Outcome, run
from gateway.mcp.tools import TOOLS
from gateway.schemas import Schemas
from gateway.transcode import RpcRoutes
from shared.domain.errors import CandorError, InvalidArgument, NotFound, TooLarge

MAX_TURNS = 5  # the contract's
MAX_RESULT_CHARS = 32_000
"""Of one result; five of them are about 50,000 tokens. The contract's limit; chosen, untested."""
EXHAUSTED = "turns_exhausted"

Take = Callable[[Any], Awaitable[Any]]


class AgentLoop:
    """Runs the tools of every agent of this gateway."""

    def __init__(self, bindings: list[Binding], routes: RpcRoutes) -> None:
        by_name = {binding.method.full_name: binding for binding in reversed(bindings)}
        schemas = Schemas(comments.load())
        self._routes = routes
        self._tools = {tool.name: BoundTool(tool, by_name) for tool in TOOLS}
        self._told = {
            name: AgentTool(
                name=name,
                description=bound.tool.description,
                parameters=orjson.dumps(bound.schema(schemas)).decode(),
            )
            for name, bound in self._tools.items()
        }

    async def __call__(self, request: RunAgentRequest, take: Take, principal: Principal, scope: Scope) -> Any:
        """Take turns until there is an answer, or none is left. Raises: CandorError, where a turn does."""
        offered = {name: bound for name, bound in self._tools.items() if bound.may(principal.scopes)}
        del request.tools[:], request.transcript[:]
        request.tools.extend(self._told[name] for name in offered)
        most = request.max_turns if request.HasField("max_turns") else MAX_TURNS
        whole = RunAgentResponse()
        while True:
            step: RunAgentResponse = await take(request)
            _add(whole, step)
            if not step.invocations:
                whole.answer = step.answer
                return whole
            if whole.turns >= most:
                made = len(whole.invocations)
                whole.code = EXHAUSTED
                whole.answer = f"No answer came within {whole.turns} turns; {made} calls of tools were made."
                return whole
            asked = step.invocations[-1]
            outcome = await self._outcome(offered, asked.tool, asked.arguments, request, scope)
            asked.is_error = outcome.is_error
            whole.invocations.append(asked)
            request.transcript.append(
                AgentCall(tool=asked.tool, arguments=asked.arguments, result=outcome.text, is_error=outcome.is_error)
            )

    async def _outcome(
        self, offered: dict[str, BoundTool], name: str, arguments: str, request: RunAgentRequest, scope: Scope
    ) -> Outcome:
        record = trace.of(scope)
        route, reason = record.route, record.reason
        try:
            tool = offered.get(name)
            if tool is None:
                raise NotFound("TOOL_UNKNOWN", f"There is no such tool; there are {', '.join(offered)}.")
            pairs = json_text.parse(arguments.encode())
            if not isinstance(pairs, tuple):
                raise InvalidArgument.of("arguments", "WRONG_TYPE", "must be an object")
            if tool.tool.takes_key and request.request_id and all(key != KEY_ARGUMENT for key, _ in pairs):
                pairs = (*pairs, (KEY_ARGUMENT, _key(request)))
            outcome = await run(tool, pairs, self._routes, scope)
            if len(outcome.text) > MAX_RESULT_CHARS:
                told = f"The result has {len(outcome.text)} characters and may have {MAX_RESULT_CHARS}: ask for less."
                raise TooLarge("RESULT_TOO_LARGE", told)
            return outcome
        except CandorError as error:
            return Outcome(orjson.dumps(problems.body_of(error, record.request_id)).decode(), is_error=True)
        finally:
            record.route, record.reason = route, reason


def _key(request: RunAgentRequest) -> str:
    """Return the idempotency key of this turn's write: the same each time the request is made."""
    return f"agent-{sha256(request.request_id.encode()).hexdigest()[:32]}-{len(request.transcript)}"


def _add(whole: RunAgentResponse, step: RunAgentResponse) -> None:
    whole.turns += 1
    whole.model_id = step.model_id
    for name in ("calls", "prompt_tokens", "completion_tokens", "milliseconds"):
        setattr(whole.usage, name, getattr(whole.usage, name) + getattr(step.usage, name))
