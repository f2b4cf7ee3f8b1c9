"""A gateway in front of real gRPC servers, whose servicers answer what a test tells them to."""

import asyncio
import functools
import importlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import grpc
import httpx2
import pytest
import structlog
from candor.ingest.v1.quota_pb2 import (
    Level,
    ReserveUnitsRequest,
    ReserveUnitsResponse,
    SettleUnitsRequest,
    SettleUnitsResponse,
)
from candor.options.v1.options_pb2 import Access
from candor.retrieve.v1.access_pb2 import AuthenticateKeyRequest, AuthenticateKeyResponse
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from starlette.applications import Starlette

from gateway import contracts
from gateway.app import create_app
from shared.config import Settings
from shared.domain.errors import CandorError, Unauthenticated
from shared.rpc import clients, server

TENANT = "0192d1c8-7c3e-7aaa-8bbb-000000000001"
KEYS = {
    "admin-key": Access.ACCESS_ADMIN,
    "read-key": Access.ACCESS_READ,
    "write-key": Access.ACCESS_WRITE,
    "audit-key": Access.ACCESS_AUDIT,
}
Answer = Message | CandorError | Callable[[], Awaitable[Message]]


@dataclass
class Script:
    """What the services answer, and what they were asked. An RPC without an answer gives an empty message.

    Of an upload each message takes one of `taking`; its last entry in `asked` is empty.
    """

    answers: dict[str, list[Answer]] = field(default_factory=dict)
    asked: list[tuple[str, Any]] = field(default_factory=list)
    metadata: list[dict[str, str]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    keys_asked: list[str] = field(default_factory=list)
    failing: CandorError | None = None
    failing_later: CandorError | None = None
    taking: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1_000_000))
    authenticate: Callable[[str], Awaitable[AuthenticateKeyResponse]] | None = None

    def reset(self) -> None:
        fresh = Script()
        self.__dict__.update(fresh.__dict__)

    async def items(self, method: MethodDescriptor, request: Message, context: Any) -> AsyncIterator[Message]:
        self.asked.append((method.name, request))
        self.metadata.append({key: str(value) for key, value in context.invocation_metadata()})
        empty = GetMessageClass(method.output_type)()
        for answer in self.answers.get(method.name, [] if method.server_streaming else [empty]):
            if isinstance(answer, CandorError):
                raise answer
            yield answer if isinstance(answer, Message) else await answer()


@dataclass(frozen=True)
class Gateway:
    app: Starlette
    client: httpx2.AsyncClient
    script: Script


def _servicer(service: ServiceDescriptor, script: Script) -> object:
    methods = {method.name: _behaviour(method, script) for method in service.methods}
    if service.name == "AccessService":
        methods["AuthenticateKey"] = functools.partial(_authenticate, script)
    if service.name == "QuotaService":
        methods |= {"ReserveUnits": _reserve, "SettleUnits": _settle}
    module = service.file.name.removesuffix(".proto").replace("/", ".")
    generated = getattr(importlib.import_module(f"{module}_pb2_grpc"), f"{service.name}Servicer")
    return type(service.name, (generated,), {k: staticmethod(v) for k, v in methods.items()})()


def _behaviour(method: MethodDescriptor, script: Script) -> Callable[..., Any]:
    async def stream(request: Message, context: Any) -> AsyncIterator[Message]:
        try:
            async for item in script.items(method, request, context):
                yield item
        except BaseException:
            script.cancelled.append(method.name)
            raise

    async def unary(request: Message, context: Any) -> Message:
        return await anext(aiter(script.items(method, request, context)))

    async def upload(requests: AsyncIterator[Message], context: Any) -> Message:
        try:
            if script.failing is None:
                await context.send_initial_metadata(())
            async for request in requests:
                script.asked.append((method.name, request))
                await script.taking.acquire()
                failure = script.failing or (script.failing_later if len(script.asked) > 1 else None)
                if failure is not None:
                    raise failure
        except BaseException:
            script.cancelled.append(method.name)
            raise
        return await anext(aiter(script.items(method, GetMessageClass(method.input_type)(), context)))

    return stream if method.server_streaming else upload if method.client_streaming else unary


async def _authenticate(script: Script, request: AuthenticateKeyRequest, context: Any) -> AuthenticateKeyResponse:
    script.keys_asked.append(request.key)
    if script.authenticate is not None:
        return await script.authenticate(request.key)
    if request.key not in KEYS:
        raise Unauthenticated("KEY_UNKNOWN", "This key is not known.")
    return AuthenticateKeyResponse(tenant_id=TENANT, key_id="k-1", name=request.key, scopes=[KEYS[request.key]])


async def _reserve(request: ReserveUnitsRequest, context: Any) -> ReserveUnitsResponse:
    standing = request.standing  # there is always enough
    taken = standing.used + standing.kept + request.asked
    return ReserveUnitsResponse(granted=request.asked, level=Level(taken=taken))


async def _settle(request: SettleUnitsRequest, context: Any) -> SettleUnitsResponse:
    return SettleUnitsResponse(levels=[Level(taken=one.used + one.kept) for one in request.standings])


@pytest.fixture(scope="module")
def settings() -> Settings:
    return Settings(drain_seconds=0.2, max_body_bytes=1_000_000, public_tenant=None)


@pytest.fixture(scope="module")
async def running(anyio_backend: str, settings: Settings) -> AsyncIterator[tuple[dict[str, server.Running], Script]]:
    script = Script()

    def mount(role: str) -> server.Mount:
        async def add(host: server.Host) -> None:
            for owner, service in contracts.services():
                if owner == role:
                    host.add(_servicer(service, script))

        return add

    roles = {role: await server.start(role, mount(role), settings) for role in contracts.ROLES}
    yield roles, script
    for one in roles.values():
        await one.stop()


@pytest.fixture
async def channels(running: tuple[dict[str, server.Running], Script]) -> AsyncIterator[dict[str, grpc.aio.Channel]]:
    opened = {role: clients.channel(f"127.0.0.1:{one.port}") for role, one in running[0].items()}
    yield opened
    for channel in opened.values():
        await channel.close()


@pytest.fixture
async def gateway(
    running: tuple[dict[str, server.Running], Script], channels: dict[str, grpc.aio.Channel], settings: Settings
) -> AsyncIterator[Gateway]:
    script = running[1]
    script.reset()
    app = create_app(settings, channels)
    headers = {"authorization": "Bearer admin-key"}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app), base_url="http://gateway", headers=headers
    ) as client:
        yield Gateway(app, client, script)


@pytest.fixture
def lines() -> Iterator[list[structlog.typing.EventDict]]:
    with structlog.testing.capture_logs() as captured:
        yield captured
