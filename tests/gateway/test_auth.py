"""Who may call what."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import anyio
import grpc
import pytest
from candor.options.v1.options_pb2 import Access
from candor.retrieve.v1.access_pb2 import AuthenticateKeyResponse
from google.protobuf.timestamp_pb2 import Timestamp

from gateway import auth, contracts
from gateway.key_use import KeyUses
from shared.domain.errors import Unauthenticated, UpstreamUnavailable
from tests.gateway.conftest import TENANT, Gateway

pytestmark = pytest.mark.anyio
NOW = datetime(2026, 4, 1, tzinfo=UTC)
BAD = [
    ([], "CREDENTIAL_MISSING"),
    ([("authorization", "")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Bearer")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Basic YWRtaW46a2V5")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Basic x"), ("x-api-key", "admin-key")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Bearer admin-key more")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Bearer admin-key, Bearer admin-key")], "CREDENTIAL_MALFORMED"),
    ([("authorization", f"Bearer {'x' * 513}")], "CREDENTIAL_MALFORMED"),
    ([("x-api-key", "ünï")], "CREDENTIAL_MALFORMED"),
    ([("x-api-key", "")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Bearer admin-key"), ("authorization", "Bearer admin-key")], "CREDENTIAL_AMBIGUOUS"),
    ([("x-api-key", "admin-key"), ("x-api-key", "read-key")], "CREDENTIAL_AMBIGUOUS"),
    ([("authorization", "Bearer admin-key"), ("x-api-key", "read-key")], "CREDENTIAL_AMBIGUOUS"),
    ([("authorization", "Bearer nobody")], "KEY_UNKNOWN"),
    ([("x-api-key", "Admin-Key")], "KEY_UNKNOWN"),
]
GOOD = [
    [("authorization", "Bearer admin-key")],
    [("authorization", "bearer  admin-key")],
    [("x-api-key", "admin-key")],
    [("authorization", "Bearer admin-key"), ("x-api-key", "admin-key")],
]


@pytest.mark.parametrize(("headers", "reason"), BAD)
async def test_a_wrong_credential_is_401(gateway: Gateway, headers: list[tuple[str, str]], reason: str) -> None:
    del gateway.client.headers["authorization"]
    response = await gateway.client.get("/memory/count", headers=[(k.encode(), v.encode()) for k, v in headers])
    assert (response.status_code, response.json()["reason"]) == (401, reason)
    assert response.headers["www-authenticate"].startswith("Bearer")
    assert gateway.script.asked == []


@pytest.mark.parametrize("headers", GOOD)
async def test_a_right_credential_names_the_tenant(gateway: Gateway, headers: list[tuple[str, str]]) -> None:
    del gateway.client.headers["authorization"]
    response = await gateway.client.get("/memory/count", headers=headers)
    assert response.status_code == 200
    assert gateway.script.asked[0][1].tenant_id == TENANT


async def test_every_public_rpc_asks_for_its_scope(gateway: Gateway) -> None:
    del gateway.client.headers["authorization"]
    scopes = {1: "read", 2: "write", 3: "audit", 4: "admin"}
    for binding in contracts.bindings():
        path = binding.template.replace("{memory_id}", "m").replace("{operation_id}", "o")
        anonymous = await gateway.client.request(binding.verb, path)
        assert anonymous.status_code == 401, binding.template
        for scope in scopes.values():
            headers = {"x-api-key": f"{scope}-key"}
            response = await gateway.client.request(binding.verb, path, headers=headers)
            allowed = scope in (scopes[binding.access], "admin")
            assert (response.status_code == 403) is not allowed, (binding.template, scope)
            if not allowed:
                assert response.json()["metadata"] == {"scope": scopes[binding.access]}


async def test_a_known_key_is_asked_for_once(gateway: Gateway) -> None:
    for _ in range(3):
        await gateway.client.get("/memory/count")
    assert gateway.script.keys_asked == ["admin-key"]


async def test_an_unknown_key_is_asked_for_every_time(gateway: Gateway) -> None:
    for _ in range(2):
        await gateway.client.get("/memory/count", headers={"authorization": "Bearer nobody"})
    assert gateway.script.keys_asked == ["nobody", "nobody"]


async def test_callers_at_the_same_time_share_one_answer(gateway: Gateway) -> None:
    arrived, go_on = anyio.Event(), anyio.Event()

    async def slow(key: str) -> AuthenticateKeyResponse:
        arrived.set()
        await go_on.wait()
        return AuthenticateKeyResponse(tenant_id=TENANT, name=key, scopes=[Access.ACCESS_ADMIN])

    gateway.script.authenticate = slow
    statuses = []

    async def call() -> None:
        statuses.append((await gateway.client.get("/memory/count")).status_code)

    async with anyio.create_task_group() as callers:
        gone = anyio.CancelScope()

        async def call_and_leave() -> None:
            with gone:
                await call()

        callers.start_soon(call_and_leave)
        await arrived.wait()
        for _ in range(5):
            callers.start_soon(call)
        await anyio.wait_all_tasks_blocked()
        gone.cancel()
        await anyio.wait_all_tasks_blocked()
        go_on.set()
    assert statuses == [200] * 5
    assert gateway.script.keys_asked == ["admin-key"]


async def test_a_key_that_cannot_be_checked_is_503(gateway: Gateway) -> None:
    async def down(key: str) -> AuthenticateKeyResponse:
        raise UpstreamUnavailable("DATABASE_UNAVAILABLE", "The database does not answer.", retry_after_seconds=1)

    gateway.script.authenticate = down
    response = await gateway.client.get("/memory/count")
    assert (response.status_code, response.json()["reason"]) == (503, "DATABASE_UNAVAILABLE")


@pytest.mark.parametrize(
    ("cache_seconds", "expires", "times_asked"),
    [(30.0, None, 1), (0.0, None, 2), (30.0, timedelta(hours=1), 1), (30.0, timedelta(0), 2)],
)
async def test_a_key_is_never_remembered_past_its_expiry(
    gateway: Gateway,
    channels: dict[str, grpc.aio.Channel],
    cache_seconds: float,
    expires: timedelta | None,
    times_asked: int,
) -> None:
    async def answer(key: str) -> AuthenticateKeyResponse:
        found = AuthenticateKeyResponse(tenant_id=TENANT, name=key, scopes=[Access.ACCESS_READ])
        if expires is not None:
            found.expires_at.CopyFrom(Timestamp(seconds=int((NOW + expires).timestamp())))
        return found

    gateway.script.authenticate = answer
    uses = KeyUses(channels["ingest"], UUID(int=7), lambda: NOW)
    authenticator = auth.Authenticator(channels["retrieve"], cache_seconds, lambda: NOW, uses)
    for _ in range(2):
        principal = await authenticator.principal([(b"x-api-key", b"k")])
        assert principal == auth.Principal(TENANT, "k", frozenset({Access.ACCESS_READ}))
    assert len(gateway.script.keys_asked) == times_asked


async def test_the_cache_forgets_the_key_unused_for_longest(
    gateway: Gateway, channels: dict[str, grpc.aio.Channel], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(key: str) -> AuthenticateKeyResponse:
        return AuthenticateKeyResponse(tenant_id=TENANT, name=key, scopes=[Access.ACCESS_READ])

    gateway.script.authenticate = answer
    monkeypatch.setattr(auth, "MAX_CACHED_KEYS", 2)
    uses = KeyUses(channels["ingest"], UUID(int=7), lambda: NOW)
    authenticator = auth.Authenticator(channels["retrieve"], 30.0, lambda: NOW, uses)
    for key in (b"a", b"b", b"a", b"c", b"a", b"b"):
        await authenticator.principal([(b"x-api-key", key)])
    assert gateway.script.keys_asked == ["a", "b", "c", "b"]


def test_two_keys_are_told_apart_even_in_one_header() -> None:
    with pytest.raises(Unauthenticated):
        auth.credential([(b"x-api-key", b"a, b")])
