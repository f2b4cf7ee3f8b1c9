"""Every RPC of the contracts, found in the descriptors, and how any of them is called: over gRPC, and over HTTP.

Rules: a method is called by its name alone and answers raw bytes, so that nothing an answer holds is missed: messages,
errors, their details and trailing metadata.
"""

import importlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import candor
import grpc
import httpx2
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message

from gateway import streams, uploads
from gateway.contracts import Binding, bindings
from shared.rpc.status import ours, reason_of
from tests.e2e.stack import Tenant, bearer

FROM_PRINCIPAL = ("tenantId", "actor")


@dataclass(frozen=True, slots=True)
class Answer:
    """All that came back: the reason of the error (OK for none), and every byte."""

    reason: str
    raw: bytes


def methods() -> Iterator[MethodDescriptor]:
    """Yield every method that any contract declares."""
    folder = Path(next(iter(candor.__path__)))
    for file in sorted(folder.glob("*/v1/*_pb2.py")):
        module = importlib.import_module(f"candor.{file.parts[-3]}.v1.{file.stem}")
        for service in module.DESCRIPTOR.services_by_name.values():
            yield from service.methods


def role_of(method: MethodDescriptor) -> str:
    """Return the role that serves a method: its package says so."""
    return method.containing_service.full_name.split(".")[1]


async def over_grpc(channel: grpc.aio.Channel, method: MethodDescriptor, request: Message) -> Answer:
    """Call a method of any kind; a stream of requests holds the one."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    sends = "stream" if method.client_streaming else "unary"
    returns = "stream" if method.server_streaming else "unary"
    # Raw bytes on both sides, so that every kind of method is called alike.
    call = getattr(channel, f"{sends}_{returns}")(path, request_serializer=bytes, response_deserializer=bytes)
    asked = request.SerializeToString()
    answer = call(iter([asked]) if method.client_streaming else asked, timeout=30)
    try:
        parts = [part async for part in answer] if method.server_streaming else [await answer]
    except grpc.aio.AioRpcError as error:
        said = f"{error.details()} {error.initial_metadata()} {error.trailing_metadata()}"
        status = ours(error)
        return Answer(reason_of(status) if status else error.code().name, said.encode())
    return Answer("OK", b"\n".join(parts))


def routes(method: MethodDescriptor) -> list[Binding]:
    """Return the HTTP rules of a method; none for an internal one."""
    return [binding for binding in bindings() if binding.method is method]


def over_http(client: httpx2.Client, binding: Binding, request: Message, caller: Tenant, accept: str = "*/*") -> Answer:
    """Make the HTTP request that a message stands for, as a caller. The tenant and the actor come from its key.

    A caller without a key sends none.
    """
    fields = {name: value for name, value in _json(request).items() if name not in FROM_PRINCIPAL}
    headers = {"Accept": accept, **(bearer(caller.key) if caller.key else {})}
    if request_id := fields.pop("requestId", None):
        headers["Idempotency-Key"] = request_id
    path = binding.template
    for field in binding.method.input_type.fields:
        if f"{{{field.name}}}" in path:
            path = path.replace(f"{{{field.name}}}", quote(str(fields.pop(field.json_name, "x")), safe=""))
    if binding.method.client_streaming:
        name = uploads.shape_of(binding).name
        lines = [json.dumps(line.get(name)) for line in fields.pop(binding.body, [])]
        ndjson = {**headers, "Content-Type": streams.NDJSON}
        answer = client.request(binding.verb, path, content="\n".join(lines), params=fields, headers=ndjson)
    elif binding.body == "*":
        answer = client.request(binding.verb, path, json=fields, headers=headers)
    elif binding.body:
        body = fields.pop(binding.method.input_type.fields_by_name[binding.body].json_name, {})
        answer = client.request(binding.verb, path, json=body, params=fields, headers=headers)
    else:
        answer = client.request(binding.verb, path, params=fields, headers=headers)
    raw = answer.content + str(answer.headers).encode()
    return Answer("OK" if answer.status_code == 200 else answer.json()["reason"], raw)


def _json(message: Message) -> dict[str, Any]:
    """Return a message as public JSON: `metadata` is a value there, not a string."""

    def opened(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: json.loads(v) if k == "metadata" else opened(v) for k, v in value.items()}
        return [opened(item) for item in value] if isinstance(value, list) else value

    read: dict[str, Any] = opened(MessageToDict(message))
    return read
