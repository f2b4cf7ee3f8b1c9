"""HTTP to gRPC and back: one endpoint per binding, all made from the descriptors alone.

Rules: the credential is looked at before the body; the scope is the one that the method names; nothing is forwarded
that was not decoded. A unary call that has begun is not cancelled when its client goes away: a write finishes. It does
not know any single method.
Source: google/api/http.proto; DESIGN 5.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

import grpc
import orjson
from candor.options.v1 import options_pb2
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from gateway import forms, limits, streams, trace
from gateway.auth import Principal
from gateway.contracts import Binding
from gateway.costs import cost_of
from gateway.encode import Encode, compile_message
from gateway.formats import JSON, Formats
from gateway.gate import Client, Gate
from gateway.paths import PublicPaths
from gateway.problems import MethodNotAllowed
from gateway.requests import RequestReader
from gateway.routes import Router
from gateway.uploads import Upload
from shared.domain.errors import InvalidArgument
from shared.rpc import clients
from shared.rpc import context as calls

LARGE_BODY_BYTES = 256 * 1024
"""A larger body is decoded in a thread (about 5 ms of work here), so that other requests go on; chosen, untested."""


ToolLoop = Callable[[Any, Callable[[Any], Awaitable[Any]], Principal, Scope], Awaitable[Any]]
"""Calls a method turn by turn: with the request, a call of the method, and for whom its tools run."""


class Endpoint:
    """One binding, served."""

    def __init__(
        self,
        binding: Binding,
        channel: grpc.aio.Channel,
        gate: Gate,
        max_body_bytes: int,
        encoders: dict[str, Encode],
    ) -> None:
        self.verb = binding.verb
        self.template = binding.template
        self._access = binding.access
        self._is_open = binding.is_open
        self._gate = gate
        self._cost = cost_of(binding.method)
        self._max_body_bytes = max_body_bytes
        self._upload = Upload(binding, channel) if binding.method.client_streaming else None
        self._reader = RequestReader(binding)
        self._paths = PublicPaths(binding)
        self._formats = Formats(binding)
        self._encode = compile_message(binding.method.output_type, encoders)
        self.runs_tools = binding.method.GetOptions().Extensions[options_pb2.runs_tools]
        self.loop: ToolLoop | None = None
        self._streams = binding.method.server_streaming
        begin: Any = channel.unary_stream if self._streams else channel.unary_unary
        self._call = begin(
            binding.path,
            request_serializer=binding.request_type.SerializeToString,
            response_deserializer=binding.response_type.FromString,
        )

    async def serve(self, fields: dict[str, str], scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request. Raises: CandorError."""
        record = trace.of(scope)
        record.route = self.template
        headers = scope["headers"]
        client = await self._gate.client(scope, is_open=self._is_open)
        principal = client.principal
        record.tenant = principal.tenant_id
        principal.require(self._access, is_open=self._is_open)
        if self._upload is not None:
            key = limits.idempotency_key(headers)
            first = self._reader.read(fields, scope["query_string"], b"", key, principal)
            try:
                async with self._gate.admitted(client, self._cost, self._cost.units(first), record):
                    response = await self._upload.send(first, principal, headers, receive)
            except InvalidArgument as error:
                raise self._paths.named(error) from None
            await _answer(self._encode(response), send)
            return
        body: bytes | forms.Form = await limits.read_body(headers, receive, self._max_body_bytes)
        large = isinstance(body, bytes) and len(body) > LARGE_BODY_BYTES
        if isinstance(body, bytes) and body:
            if not self._reader.takes_body:
                raise InvalidArgument.of("body", "BODY_NOT_ALLOWED", "this request takes none")
            if self._reader.takes_form and forms.is_form(headers):
                parsing = (headers, body)
                body = await asyncio.to_thread(forms.parse, *parsing) if large else forms.parse(*parsing)
            else:
                limits.require_media(headers, JSON)
        given = (fields, scope["query_string"], body, limits.idempotency_key(headers), principal)
        request = await asyncio.to_thread(self._reader.read, *given) if large else self._reader.read(*given)
        self._formats.prefer(request, headers)
        if self._streams and scope["method"] == "HEAD":
            await streams.head(streams.media_type(headers), send)
            return
        if self.loop is not None:
            await _answer(self._encode(await self._turns(self.loop, request, client, scope)), send)
            return
        try:
            async with self._gate.admitted(client, self._cost, self._cost.units(request), record) as ticket:
                if self._streams:
                    media = streams.media_type(headers)
                    call = self._call(request)
                    await streams.relay(call, ticket.counted(aiter(call)), self._encode, media, record, receive, send)
                    return
                call = self._call(request)
                with clients.rpc_errors():
                    response = await call
                is_replayed = bool(limits.idempotency_key(headers)) and await calls.is_replayed(call)
                ticket.answered(response, is_replayed=is_replayed)
        except InvalidArgument as error:
            raise self._paths.named(error) from None
        other = self._formats.body(response)
        if other is not None:
            await _send(*other, send)
            return
        await _answer(self._encode(response), send)

    async def _turns(self, loop: ToolLoop, request: Any, client: Client, scope: Scope) -> Any:
        """Let a loop make the calls, each admitted by itself. Raises: CandorError."""

        async def take(turn: Any) -> Any:
            async with self._gate.admitted(client, self._cost, self._cost.units(turn), trace.of(scope)):
                with clients.rpc_errors():
                    return await self._call(turn)

        try:
            return await loop(request, take, client.principal, scope)
        except InvalidArgument as error:
            raise self._paths.named(error) from None


async def _answer(encoded: dict[str, object], send: Send) -> None:
    await _send(JSON, orjson.dumps(encoded), send)


async def _send(media: str, text: bytes, send: Send) -> None:
    headers = [(b"content-type", media.encode()), (b"content-length", str(len(text)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": text})


class RpcRoutes(BaseRoute):
    """Every public RPC, as one route of a Starlette application."""

    def __init__(
        self,
        bindings: Iterable[Binding],
        channels: Mapping[str, grpc.aio.Channel],
        gate: Gate,
        max_body_bytes: int,
    ) -> None:
        encoders: dict[str, Encode] = {}
        self._endpoints = [
            Endpoint(binding, channels[binding.role], gate, max_body_bytes, encoders) for binding in bindings
        ]
        self._router = Router(self._endpoints)

    def loop_with(self, loop: ToolLoop) -> None:
        """Let a loop make the calls of every method that runs tools; these are requests of their own here."""
        for endpoint in self._endpoints:
            if endpoint.runs_tools:
                endpoint.loop = loop

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Tell whether a path is one of ours, and with this verb."""
        found = self._router.match(scope["raw_path"]) if scope["type"] == "http" else None
        if found is None:
            return Match.NONE, {}
        verb = "GET" if scope["method"] == "HEAD" else scope["method"]
        return Match.FULL if verb in found.rules else Match.PARTIAL, {"candor.match": (found, verb)}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve what `matches` found. Raises: CandorError."""
        found, verb = scope["candor.match"]
        endpoint = found.rules.get(verb)
        if endpoint is None:
            raise MethodNotAllowed(scope["method"], found.allowed)
        await endpoint.serve(found.fields, scope, receive, send)
