"""A body of lines of any size, as a stream of messages: what is held of it at any moment is bounded.

Rules: each line is one JSON value and becomes one item of the field that is the binding's body: its number, and either
the value or what is wrong with it; a wrong line never stops the others. The body is read only as fast as the service
takes it. A pause in the body sends what has come so far. The service answers the first message with its initial
metadata, so that what it refuses at once is told with its own reason; when it ends the call later, the rest of the body
is not read. It does not know what the lines are.
Source: the convention of candor.ingest.v1.ImportLine: `number`, and one of a value and `refused`.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.types import Receive

from gateway import json_text, limits
from gateway.auth import Principal
from gateway.contracts import Binding, internal_access
from gateway.decode import Faults, MessageDecoder
from gateway.lines import MAX_LINE_BYTES, Line, Lines
from gateway.streams import NDJSON
from shared.domain.errors import InvalidArgument, UpstreamUnavailable
from shared.rpc import clients
from shared.rpc.status import ours

MESSAGE_BYTES = 256 * 1024  # of the body, for one message: about 100 ms of decoding in a thread; chosen, untested
PAUSE_SECONDS = 1.0  # of the body, after which what has come is sent; chosen, untested
MAX_LINE_NUMBER = 2**31 - 1  # the contract's int32
_NUMBER, _REFUSED, _FIRST = "number", "refused", "first_line"


@dataclass(frozen=True, slots=True)
class Shape:
    """What a line of an upload is: its message, and the field and the message of its value."""

    line: Descriptor
    name: str
    value: Descriptor


def shape_of(binding: Binding) -> Shape:
    """Return the shape of a binding's lines. Raises: ValueError for one that is not served."""
    line = binding.method.input_type.fields_by_name[binding.body].message_type
    fields = {} if line is None else {field.name: field.message_type for field in line.fields}
    values = [(name, message) for name, message in fields.items() if message and name != _REFUSED]
    if line is not None and len(fields) == 3 and {_NUMBER, _REFUSED} < fields.keys() and len(values) == 1:
        return Shape(line, *values[0])
    raise ValueError(f"{binding.method.full_name}: this kind of upload is not served")


class Upload:
    """Sends the bodies of one binding."""

    def __init__(self, binding: Binding, channel: grpc.aio.Channel) -> None:
        shape = shape_of(binding)
        body = binding.method.input_type.fields_by_name[binding.body]
        self._type = binding.request_type
        self._line_type: Any = GetMessageClass(shape.line)
        self._body, self._value = body.name, shape.name
        self._public = MessageDecoder(shape.value)
        self._access = internal_access(body)
        self._internal = MessageDecoder(shape.value, internal=True) if self._access else self._public
        begin: Any = channel.stream_unary
        self._call = begin(
            binding.path,
            request_serializer=binding.request_type.SerializeToString,
            response_deserializer=binding.response_type.FromString,
        )

    async def send(self, first: Message, principal: Principal, headers: limits.Headers, receive: Receive) -> Message:
        """Send the first message and then the body; return the answer. Raises: CandorError, ClientGone."""
        limits.require_media(headers, NDJSON)
        decoder = self._internal if self._access and principal.may(self._access) else self._public
        lines = Lines(max(1, getattr(first, _FIRST, 1)))
        call = self._call()
        try:
            with clients.rpc_errors():
                await _begin(call, first)
                async for ready in _pieces(lines, call, receive):
                    await _write(call, await asyncio.to_thread(self._message, ready, decoder))
                if not call.done():
                    await call.done_writing()
                answer: Message = await call
        finally:
            call.cancel()  # of no effect once it has ended
        return answer

    def _message(self, lines: Sequence[Line], decoder: MessageDecoder) -> Message:
        if lines[-1].number > MAX_LINE_NUMBER:
            raise InvalidArgument.of("body", "TOO_MANY_LINES", f"goes beyond line {MAX_LINE_NUMBER}")
        return self._type(**{self._body: [self._item(line, decoder) for line in lines]})

    def _item(self, line: Line, decoder: MessageDecoder) -> Message:
        item: Any = self._line_type(number=line.number)
        faults = Faults()
        try:
            if line.is_too_long:
                raise InvalidArgument.of("body", "LINE_TOO_LONG", f"has more than {MAX_LINE_BYTES} bytes")
            value = getattr(item, self._value)
            value.SetInParent()
            decoder.decode(value, json_text.parse(line.text), "", faults)
            faults.raise_any()
        except InvalidArgument as error:
            wrong = error.violations[0]
            refused = getattr(item, _REFUSED)  # takes the value's place
            refused.line, refused.field, refused.reason = line.number, wrong.field, wrong.reason
            refused.description = wrong.description
        return item  # type: ignore[no-any-return]  # a Message, built above


async def _begin(call: Any, first: Message) -> None:
    """Send the first message and wait until the service has taken or refused it."""
    await _write(call, first)
    try:
        async with asyncio.timeout(clients.DEFAULT_TIMEOUT_SECONDS):
            await call.initial_metadata()
    except TimeoutError:
        raise UpstreamUnavailable("DEADLINE_EXCEEDED", "The call took too long.", retry_after_seconds=1.0) from None


async def _write(call: Any, message: Message) -> None:
    if call.done():
        await call
    try:
        await call.write(message)
    except (asyncio.InvalidStateError, grpc.aio.AioRpcError) as error:  # it has ended: only awaiting it says why
        try:
            await call
        except grpc.aio.AioRpcError as why:
            if ours(why) is not None:
                raise
        # A write that met the end of the call has put gRPC's own error in the place of its status.
        raise UpstreamUnavailable(
            "UPLOAD_INTERRUPTED", "The service ended the upload; send it again.", retry_after_seconds=1.0
        ) from error


async def _pieces(lines: Lines, call: Any, receive: Receive) -> AsyncIterator[list[Line]]:
    """Yield whole lines, enough for a message or all that came before a pause. Raises: ClientGone."""
    part: asyncio.Future[Any] = asyncio.ensure_future(receive())
    try:
        while not call.done():  # an ended call takes no more: awaiting it says why
            await asyncio.wait({part}, timeout=PAUSE_SECONDS)
            if not part.done():
                for ready in lines.take():
                    yield ready
                continue
            message = part.result()
            if message["type"] == "http.disconnect":
                raise limits.ClientGone
            lines.feed(message.get("body", b""))
            is_last = not message.get("more_body", False)
            if is_last:
                lines.finish()
            if is_last or lines.held_bytes >= MESSAGE_BYTES:
                for ready in lines.take():
                    yield ready
            if is_last:
                return
            part = asyncio.ensure_future(receive())
    finally:
        part.cancel()
