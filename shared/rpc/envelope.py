"""The envelope around every RPC: request id, deadline, tenant, error mapping, metrics, one log line.

Rules: a servicer raises CandorErrors and nothing else on purpose; whatever else escapes it is a defect, answered with
an opaque INTERNAL and logged with its traceback. A status of ours from a hop crosses unchanged. A call without a
deadline gets one, but for an upload, which must not stall. The log line names the call and its outcome, never its
content. It does not know what any RPC means.
Source: DESIGN 2, 6.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from functools import partial
from typing import Any, TypeAlias
from uuid import UUID

import grpc
import structlog
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from shared.domain.errors import CandorError, Internal, UpstreamUnavailable
from shared.rpc import context as calls
from shared.rpc import metrics, now_time
from shared.rpc.context import Context
from shared.rpc.status import from_rpc_error, ours, reason_of, to_status

DEFAULT_DEADLINE_SECONDS = 30.0
"""Of a unary call without a deadline; chosen, untested."""
DEFAULT_STREAM_DEADLINE_SECONDS = 600.0
"""Of a streamed call without a deadline: an audit of millions of memories takes minutes; chosen, untested."""
STALL_SECONDS = 60.0
"""Between two messages of an upload, which has no deadline of its own; chosen, untested."""

_PEER_ROLE = re.compile(r"candor-([a-z]+)")
_log = structlog.stdlib.get_logger("candor.rpc")

# Quoted: generic in the published types only.
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"


class Envelope(grpc.aio.ServerInterceptor):
    """Wraps each method of our contracts once; health and reflection pass as they are."""

    def __init__(self, new_id: Callable[[], UUID], *, simulated: bool = False) -> None:
        self._new_id = new_id
        self._simulated = simulated
        self._wrapped: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable["Handler | None"]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> "Handler | None":
        """Return the method's handler inside the envelope."""
        method = handler_call_details.method
        wrapped = self._wrapped.get(method)
        if wrapped is None:
            handler = await continuation(handler_call_details)
            if handler is None or not method.startswith("/candor."):
                return handler
            wrapped = self._wrapped[method] = self._wrap(method[1:], handler)
        return wrapped

    def _wrap(self, rpc: str, handler: Handler) -> Handler:
        codecs = {
            "request_deserializer": handler.request_deserializer,
            "response_serializer": handler.response_serializer,
        }
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(self._unary(rpc, handler.unary_unary), **codecs)
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(self._stream(rpc, handler.unary_stream), **codecs)
        if handler.stream_unary is not None:
            return grpc.stream_unary_rpc_method_handler(self._upload(rpc, handler.stream_unary), **codecs)
        raise NotImplementedError(f"{rpc}: the envelope knows no methods that stream both ways")

    def _unary(self, rpc: str, behaviour: Callable[..., Any]) -> Callable[..., Any]:
        async def handle(request: object, context: Context) -> object:
            return await self._serve(
                rpc, request, context, DEFAULT_DEADLINE_SECONDS, partial(behaviour, request, context)
            )

        return handle

    def _stream(self, rpc: str, behaviour: Callable[..., Any]) -> Callable[..., Any]:
        async def pump(request: object, context: Context) -> None:
            messages: AsyncIterator[object] = behaviour(request, context)
            async with aclosing(messages):  # type: ignore[type-var]  # servicers stream with async generators
                async for message in messages:
                    await context.write(message)

        # A coroutine that writes, not a generator: a timer must end the writing as well as the making.
        async def handle(request: object, context: Context) -> None:
            await self._serve(rpc, request, context, DEFAULT_STREAM_DEADLINE_SECONDS, partial(pump, request, context))

        return handle

    def _upload(self, rpc: str, behaviour: Callable[..., Any]) -> Callable[..., Any]:
        async def handle(requests: AsyncIterator[object], context: Context) -> object:
            return await self._serve(rpc, None, context, None, partial(behaviour, _unstalled(requests), context))

        return handle

    async def _serve(
        self,
        rpc: str,
        request: object,
        context: Context,
        default_seconds: float | None,
        work: Callable[[], Awaitable[Any]],
    ) -> object:
        request_id, peer, now_text = self._caller(context)
        remaining: float | None = context.time_remaining()
        started = time.perf_counter()
        code, reason = grpc.StatusCode.OK.name, ""
        tenant = _tenant(request)
        structlog.contextvars.bind_contextvars(request_id=request_id, tenant=tenant)
        in_flight = metrics.IN_FLIGHT.labels(rpc)
        in_flight.inc()
        status: Status | None = None
        limit = asyncio.timeout(default_seconds if remaining is None else None)
        try:
            now = now_time.allowed(now_text, simulated=self._simulated)
            with calls.serving(request_id, default_seconds if remaining is None else remaining, now) as call:
                async with limit:
                    answer = await work()
                if call.told:
                    context.set_trailing_metadata(tuple(call.told.items()))
                return answer
        except asyncio.CancelledError:  # the caller went away, or its deadline passed
            code = grpc.StatusCode.CANCELLED.name
            raise
        except CandorError as error:
            if isinstance(error, Internal):
                _log.exception("defect", rpc=rpc)
            status = to_status(error, request_id=request_id)
        except grpc.aio.AioRpcError as error:
            status = ours(error) or self._foreign(error, rpc, request_id)
        except grpc.aio.AbortError:
            code = grpc.StatusCode.UNKNOWN.name  # a servicer raises CandorErrors; this one did not
            raise
        except Exception as error:  # noqa: BLE001  # the one broad except: everything untyped is a defect
            if isinstance(error, TimeoutError) and limit.expired():
                late = UpstreamUnavailable("DEADLINE_EXCEEDED", "The call took too long.", retry_after_seconds=1.0)
                status = to_status(late, grpc.StatusCode.DEADLINE_EXCEEDED)
            else:
                _log.exception("defect", rpc=rpc)
                status = to_status(Internal("INTERNAL", "untyped"), request_id=request_id)
        finally:
            if status is not None:
                code, reason = _name(status), reason_of(status)
            seconds = time.perf_counter() - started
            in_flight.dec()
            metrics.RPCS.labels(rpc, code).inc()
            metrics.SECONDS.labels(rpc).observe(seconds)
            _log.info("rpc", rpc=rpc, code=code, reason=reason, ms=round(seconds * 1000, 2), peer=peer)
        return await context.abort_with_status(rpc_status.to_status(status))

    def _foreign(self, error: grpc.aio.AioRpcError, rpc: str, request_id: str) -> Status:
        mapped = from_rpc_error(error)
        if isinstance(mapped, Internal):
            _log.error("defect", rpc=rpc, error=mapped.message)
        return to_status(mapped, request_id=request_id)

    def _caller(self, context: Context) -> tuple[str, str, str]:
        request_id, peer, now_text = "", "", ""
        for key, value in context.invocation_metadata() or ():
            if key == calls.REQUEST_ID_KEY and isinstance(value, str) and calls.REQUEST_ID.fullmatch(value):
                request_id = value
            elif key == "user-agent" and (found := _PEER_ROLE.match(str(value))):
                peer = found[1]
            elif key == calls.NOW_TIME_KEY:
                now_text = str(value)
        return request_id or str(self._new_id()), peer, now_text


async def _unstalled(requests: AsyncIterator[object]) -> AsyncIterator[object]:
    """Yield the messages of an upload, and name its tenant in the log by the first one.

    Raises: UpstreamUnavailable UPLOAD_STALLED.
    """
    messages, is_first = aiter(requests), True
    while True:
        try:
            async with asyncio.timeout(STALL_SECONDS):
                message = await anext(messages, None)
        except TimeoutError:
            raise UpstreamUnavailable(
                "UPLOAD_STALLED", f"Nothing came for {STALL_SECONDS:.0f} s.", retry_after_seconds=1.0
            ) from None
        if message is None:
            return
        if is_first:
            structlog.contextvars.bind_contextvars(tenant=_tenant(message))
            is_first = False
        yield message


def _tenant(request: object) -> str | None:
    try:
        return str(UUID(getattr(request, "tenant_id", "")))
    except ValueError:
        return None


def _name(status: Status) -> str:
    return next(code.name for code in grpc.StatusCode if code.value[0] == status.code)
