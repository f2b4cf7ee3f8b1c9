"""A stream of messages as lines: NDJSON, or server-sent events where the client asks for them.

Rules: a line is `{"result": …, "resumeToken": …}`. What fails before the first line is an ordinary problem; what fails
later is the last line, `{"problem": …}`: a stream without one is whole. A client that goes away cancels the call. It
does not know what is streamed.
Source: DESIGN 5; the HTML standard for server-sent events.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, TypeAlias

import grpc
import orjson
from google.protobuf.message import Message
from starlette.types import Receive, Send

from gateway import problems, trace
from gateway.encode import Encode
from gateway.limits import ClientGone, Headers, values
from shared.domain.errors import CandorError
from shared.rpc import clients

NDJSON = "application/x-ndjson"
EVENTS = "text/event-stream"
RESUME_TOKEN = "resumeToken"
Frame: TypeAlias = Callable[[dict[str, object]], bytes]
# Quoted: generic in the published types only.
Call: TypeAlias = "grpc.aio.UnaryStreamCall[Any, Any]"


def media_type(headers: Headers) -> str:
    """Return the form of stream that a client asks for."""
    return EVENTS if EVENTS.encode() in b",".join(values(headers, b"accept")).lower() else NDJSON


async def relay(
    call: Call,
    messages: AsyncIterator[Any],
    encode: Encode,
    media: str,
    record: trace.Trace,
    receive: Receive,
    send: Send,
) -> None:
    """Send every message of a call as a line. Raises: CandorError before the first line, ClientGone."""
    frame = _event if media == EVENTS else _line
    watch = asyncio.create_task(_cancel_when_gone(call, receive))
    try:
        await _relay(messages, encode, media, frame, record, send)
    except asyncio.CancelledError:
        if watch.done():
            raise ClientGone from None
        raise
    finally:
        watch.cancel()
        call.cancel()


async def head(media: str, send: Send) -> None:
    """Answer HEAD without making the call, whose messages nobody would read."""
    await _start(media, send)
    await send({"type": "http.response.body", "body": b""})


async def _relay(
    messages: AsyncIterator[Any], encode: Encode, media: str, frame: Frame, record: trace.Trace, send: Send
) -> None:
    with clients.rpc_errors():
        message: Message | None = await anext(messages, None)
    await _start(media, send)
    try:
        while message is not None:
            await _send(send, frame(_result(encode(message))))
            with clients.rpc_errors():
                message = await anext(messages, None)
    except CandorError as error:
        record.reason = error.reason
        await _send(send, frame({"problem": problems.body_of(error, record.request_id)}))
    await send({"type": "http.response.body", "body": b""})


async def _start(media: str, send: Send) -> None:
    headers = [(b"content-type", media.encode()), (b"x-accel-buffering", b"no")]  # a proxy in between must not wait
    await send({"type": "http.response.start", "status": 200, "headers": headers})


def _result(encoded: dict[str, object]) -> dict[str, object]:
    token = encoded.pop(RESUME_TOKEN, None)
    return {"result": encoded} if token is None else {"result": encoded, RESUME_TOKEN: token}


def _line(item: dict[str, object]) -> bytes:
    return orjson.dumps(item, option=orjson.OPT_APPEND_NEWLINE)


def _event(item: dict[str, object]) -> bytes:
    return b"data: %b\n\n" % orjson.dumps(item)


async def _send(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


async def _cancel_when_gone(call: Call, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    call.cancel()
