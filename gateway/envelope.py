"""The envelope around every HTTP request: request id, errors as problems, headers of every answer, one log line.

Rules: a request id from the client is kept if it is short and plain, else a new one is made; it comes back in
X-Request-Id and goes along to every service. A CandorError becomes its problem; whatever else escapes is a defect:
logged with its traceback, answered with an opaque 500. The log line names the route's template, never the path, the
query or any content. It does not know what a request is for.
Source: DESIGN 6.
"""

import time
from collections.abc import Callable
from datetime import datetime
from uuid import UUID

import orjson
import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from gateway import problems, trace
from gateway.limits import ClientGone, values
from shared.domain.errors import CandorError, Internal, InvalidArgument
from shared.rpc import context as calls
from shared.rpc import now_time

CLIENT_GONE_STATUS = 499  # in the log only: nobody is left to read it; the number is nginx's
_EVERY_ANSWER = [
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
]
_log = structlog.stdlib.get_logger("candor.http")


class Envelope:
    """ASGI middleware; the outermost but for Starlette's own."""

    def __init__(self, app: ASGIApp, new_id: Callable[[], UUID], *, simulated: bool = False) -> None:
        self._app = app
        self._new_id = new_id
        self._simulated = simulated

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        record = trace.begin(scope, self._request_id(scope))
        began = time.perf_counter()
        status = 0

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                given = [(b"x-request-id", record.request_id.encode()), *_EVERY_ANSWER, *record.headers.items()]
                message = {**message, "headers": [*message.get("headers", ()), *given]}
            await send(message)

        try:
            with calls.serving(record.request_id, None, self._now_time(scope)):
                await self._app(scope, receive, sending)
        except ClientGone:
            status = CLIENT_GONE_STATUS
        except CandorError as error:
            record.reason = error.reason
            if isinstance(error, Internal):
                _log.exception("defect", request_id=record.request_id, route=record.route)
            await _problem(error, record, sending)
        except Exception:  # the one broad except: everything untyped is a defect
            record.reason = "INTERNAL"
            _log.exception("defect", request_id=record.request_id, route=record.route)
            if status:
                raise  # half an answer is out: only a broken connection still tells the client
            await _problem(Internal("INTERNAL", "untyped"), record, sending)
        finally:
            _log.info(
                "http",
                method=scope["method"],
                route=record.route,
                status=status,
                reason=record.reason,
                ms=round((time.perf_counter() - began) * 1000, 2),
                request_id=record.request_id,
                tenant=record.tenant,
            )

    def _request_id(self, scope: Scope) -> str:
        given = [value.decode("latin-1") for value in values(scope["headers"], b"x-request-id")]
        return given[0] if len(given) == 1 and calls.REQUEST_ID.fullmatch(given[0]) else str(self._new_id())

    def _now_time(self, scope: Scope) -> datetime | None:
        given = [value.decode("latin-1") for value in values(scope["headers"], calls.NOW_TIME_KEY.encode())]
        if len(given) > 1:
            raise InvalidArgument.of(calls.NOW_TIME_KEY, "NOW_TIME_INVALID", "is there more than once")
        return now_time.allowed(given[0] if given else "", simulated=self._simulated)


async def _problem(error: CandorError, record: trace.Trace, send: Send) -> None:
    body = orjson.dumps(problems.body_of(error, record.request_id))
    headers = [*problems.headers_of(error), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": problems.status_of(error), "headers": headers})
    await send({"type": "http.response.body", "body": body})
