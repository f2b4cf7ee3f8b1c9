"""One call of a tool, run by the gateway's own routes as if it had come over HTTP.

Rules: the same route, credential, scope, limits, checks and errors as every HTTP request; nothing is decided twice. A
result over its limit is refused as a whole, never cut. What fails is a result too, so that a model can read the reason
and do better; what is no error of ours is a defect: logged, and opaque. It does not know the protocol around it.
Source: the Model Context Protocol, "Error handling" of tools; DESIGN 6.
"""

from dataclasses import dataclass

import orjson
import structlog
from starlette.types import Message, Scope

from gateway import limits, problems, trace
from gateway.mcp.requests import Arguments, BoundTool, ToolRequest
from gateway.transcode import RpcRoutes
from shared.domain.errors import CandorError, Internal, InvalidArgument, TooLarge

MAX_RESULT_BYTES = 256 * 1024
"""Of one result; the reference's limit. A model reads about a fifth of it at once."""
ROUTE = "/mcp"

_log = structlog.stdlib.get_logger("candor.http")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: JSON, and whether it is a problem."""

    text: str
    is_error: bool = False


async def run(tool: BoundTool, arguments: Arguments, routes: RpcRoutes, scope: Scope) -> Outcome:
    """Run a tool for whoever sent the request of this scope."""
    record = trace.of(scope)
    try:
        call, request = tool.choose(arguments)
        try:
            body = await _serve(request, routes, scope)
        except InvalidArgument as error:
            raise call.named(error) from None
        if len(body) > MAX_RESULT_BYTES:
            raise TooLarge(
                "RESULT_TOO_LARGE",
                f"The result has {len(body)} bytes and may have {MAX_RESULT_BYTES}: narrow the scope or ask for fewer.",
                metadata={"bytes": str(len(body)), "max_bytes": str(MAX_RESULT_BYTES)},
            )
        return Outcome(body.decode())
    except CandorError as error:
        record.reason = error.reason
        if isinstance(error, Internal):
            _log.exception("defect", request_id=record.request_id, route=record.route)
        return _problem(error, record.request_id)
    except Exception:  # noqa: BLE001  # the envelope of a call: the protocol's library would tell the caller what it says
        record.reason = "INTERNAL"
        _log.exception("defect", request_id=record.request_id, route=record.route)
        return _problem(Internal("INTERNAL", "untyped"), record.request_id)
    finally:
        record.route = f"{ROUTE} {tool.tool.name}"


async def _serve(request: ToolRequest, routes: RpcRoutes, scope: Scope) -> bytes:
    """Return the body of the answer. Raises: CandorError."""
    inner: Scope = {
        **scope,
        "method": request.verb,
        "path": request.path,
        "raw_path": request.path.encode(),
        "query_string": request.query,
        "headers": _headers(request, scope["headers"]),
    }
    parts: list[bytes] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": request.body, "more_body": False}

    async def send(message: Message) -> None:
        parts.append(message.get("body", b""))

    _, found = routes.matches(inner)
    await routes.handle({**inner, **found}, receive, send)
    return b"".join(parts)


def _headers(request: ToolRequest, given: limits.Headers) -> list[tuple[bytes, bytes]]:
    kept = [(key, value) for key, value in given if key not in _OWN]
    if request.body:
        kept.append((b"content-type", b"application/json"))
    if request.key:
        kept.append((b"idempotency-key", request.key.encode(errors="surrogatepass")))
    return kept


def _problem(error: CandorError, request_id: str) -> Outcome:
    body = problems.body_of(error, request_id)
    if error.retry_after_seconds is not None:
        body["retryAfterSeconds"] = error.retry_after_seconds
    return Outcome(orjson.dumps(body).decode(), is_error=True)


_OWN = frozenset({b"content-type", b"content-length", b"content-encoding", b"accept", b"idempotency-key"})
"""Headers that belong to the request around the call."""
