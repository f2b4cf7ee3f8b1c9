"""The public tenant: what is open without a credential, and that nothing else is.

Rules: which methods are open is read from the contracts; the list here is what the product promises.
"""

from collections.abc import AsyncIterator
from uuid import UUID

import grpc
import httpx2
import pytest
from candor.options.v1 import options_pb2
from candor.options.v1.options_pb2 import Access, PrincipalPart
from candor.retrieve.v1.access_pb2 import AuthenticateKeyResponse
from google.protobuf.descriptor_pb2 import MethodOptions

from gateway import contracts
from gateway.app import create_app
from gateway.contracts import Binding
from shared.config import Environment, Settings
from shared.public_settings import LOCAL_PUBLIC_TENANT
from shared.rpc import server
from tests.gateway.conftest import TENANT, Gateway, Script

pytestmark = pytest.mark.anyio
PUBLIC = UUID("00000000-0000-7000-8000-0000000000bb")
OPEN = {
    "RecallMemories",
    "AnswerQuestion",
    "ListMemories",
    "CountMemories",
    "GetProfitAndLoss",
    "GetAuditReport",
    "SeedDemo",
}
BINDINGS = contracts.bindings()


@pytest.fixture
async def public(
    running: tuple[dict[str, server.Running], Script], channels: dict[str, grpc.aio.Channel], settings: Settings
) -> AsyncIterator[Gateway]:
    script = running[1]
    script.reset()

    async def of_the_public_tenant(key: str) -> AuthenticateKeyResponse:
        scopes = [Access.Value(f"ACCESS_{word.upper()}") for word in key.split("-")[0].split("+")]
        return AuthenticateKeyResponse(tenant_id=str(PUBLIC), key_id="k-2", name=key, scopes=scopes)

    script.authenticate = of_the_public_tenant
    app = create_app(settings.model_copy(update={"public_tenant": PUBLIC, "public_keeper": "admin-keeper"}), channels)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://gateway") as client:
        yield Gateway(app, client, script)


async def ask(gateway: Gateway, binding: Binding, headers: dict[str, str] | None = None) -> httpx2.Response:
    """Call a binding with nothing but what its path needs."""
    path = "".join("x" if part.startswith("{") else part for part in _parts(binding.template))
    return await gateway.client.request(binding.verb, path, headers=headers or {})


def _parts(template: str) -> list[str]:
    return template.replace("{", "\0{").replace("}", "}\0").split("\0")


def test_what_is_open() -> None:
    assert {binding.method.name for binding in BINDINGS if binding.is_open} == OPEN


def test_what_a_reader_of_the_public_tenant_reaches_writes_nothing_for_it() -> None:
    for binding in BINDINGS:
        if binding.access != Access.ACCESS_READ and not binding.is_open:
            continue
        reads = binding.method.GetOptions().idempotency_level == MethodOptions.NO_SIDE_EFFECTS
        parts = [contracts.principal_part(field) for field in binding.method.input_type.fields]
        is_told = PrincipalPart.PRINCIPAL_PART_PUBLIC in parts
        # An agent's tools are requests of the same key, each through a route that is looked at here itself.
        has_tools = binding.method.GetOptions().Extensions[options_pb2.runs_tools]
        assert reads or is_told or has_tools or binding.method.name == "SeedDemo", binding.method.full_name


async def test_without_a_credential_the_open_methods_read_the_public_tenant(public: Gateway) -> None:
    for binding in BINDINGS:
        before = len(public.script.asked)
        response = await ask(public, binding)
        if binding.is_open:
            assert response.status_code == 200, binding.template
            asked = public.script.asked[-1][1]
            assert asked.tenant_id == str(PUBLIC)
            assert not hasattr(asked, "actor") or asked.actor == "anonymous"
            assert not hasattr(asked, "public") or asked.public
        else:
            assert (response.status_code, response.json()["reason"]) == (401, "CREDENTIAL_MISSING"), binding.template
            assert len(public.script.asked) == before
    assert public.script.keys_asked == []


async def test_without_a_public_tenant_nothing_is_open(gateway: Gateway) -> None:
    del gateway.client.headers["authorization"]
    for binding in BINDINGS:
        assert (await ask(gateway, binding)).status_code == 401, binding.template


@pytest.mark.parametrize("scopes", ["read", "write", "audit", "admin", "read+write+audit+admin"])
async def test_a_key_of_the_public_tenant_only_reads(public: Gateway, scopes: str) -> None:
    for binding in BINDINGS:
        response = await ask(public, binding, {"x-api-key": f"{scopes}-key"})
        reads = binding.access == Access.ACCESS_READ and ("read" in scopes or "admin" in scopes)
        if binding.is_open or reads:
            assert response.status_code != 403, binding.template
        else:
            refused = (response.status_code, response.json()["reason"])
            assert refused == (403, "PUBLIC_TENANT_READ_ONLY"), binding.template


async def test_only_the_keeper_with_the_scope_admin_writes_the_public_tenant(public: Gateway) -> None:
    body = {"content": "Open on Mondays.", "kind": "note"}
    answers = {
        key: (await public.client.post("/v1/memories", json=body, headers={"x-api-key": key})).status_code
        for key in ("admin-keeper", "admin-other", "write-keeper")
    }
    assert answers == {"admin-keeper": 200, "admin-other": 403, "write-keeper": 403}


async def test_a_key_of_another_tenant_reads_its_own(public: Gateway) -> None:
    async def own(key: str) -> AuthenticateKeyResponse:
        return AuthenticateKeyResponse(tenant_id=TENANT, key_id="k-1", name=key, scopes=[Access.ACCESS_READ])

    public.script.authenticate = own
    assert (await public.client.get("/memory/count", headers={"x-api-key": "k"})).status_code == 200
    assert public.script.asked[-1][1].tenant_id == TENANT
    response = await public.client.post("/v1/audit", json={}, headers={"x-api-key": "k"})
    assert (response.status_code, response.json()["reason"]) == (403, "SCOPE_MISSING")


WRONG = [
    ([("authorization", "")], "CREDENTIAL_MALFORMED"),
    ([("x-api-key", "")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Bearer")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "anonymous")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Basic cHVibGljOg==")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Bearer a"), ("authorization", "Bearer b")], "CREDENTIAL_AMBIGUOUS"),
    ([("authorization", ""), ("x-api-key", "read-key")], "CREDENTIAL_MALFORMED"),
    ([("authorization", "Bearer read-key"), ("x-api-key", "")], "CREDENTIAL_MALFORMED"),
    ([("AUTHORIZATION", "Bearer nobody")], "KEY_UNKNOWN"),
    ([("x-api-key", "nobody")], "KEY_UNKNOWN"),
]


@pytest.mark.parametrize(("headers", "reason"), WRONG)
async def test_a_wrong_credential_never_falls_back_to_the_public_tenant(
    public: Gateway, headers: list[tuple[str, str]], reason: str
) -> None:
    public.script.authenticate = None
    for binding in BINDINGS:
        if not binding.is_open:
            continue
        given = [(name.encode(), value.encode()) for name, value in headers]
        response = await public.client.request(binding.verb, binding.template, headers=given)
        assert (response.status_code, response.json()["reason"]) == (401, reason), binding.template
    assert public.script.asked == []


NAMING = [
    "x-forwarded-for",
    "x-forwarded-user",
    "x-forwarded-host",
    "forwarded",
    "x-real-ip",
    "x-original-url",
    "x-rewrite-url",
    "x-http-method-override",
    "x-tenant-id",
    "tenant-id",
    "tenant_id",
    "candor-tenant",
    "x-candor-tenant",
    "x-actor",
    "cookie",
    "proxy-authorization",
]


@pytest.mark.parametrize("name", NAMING)
async def test_no_other_header_names_a_tenant_or_a_right(public: Gateway, name: str) -> None:
    for value in (TENANT, "admin", "/v1/keys"):
        response = await public.client.get("/memory/count", headers={name: value})
        assert response.status_code == 200
        assert public.script.asked[-1][1].tenant_id == str(PUBLIC)
        assert TENANT not in public.script.metadata[-1].values()
        refused = await public.client.post("/v1/memories", json={"content": "x", "kind": "note"}, headers={name: value})
        assert refused.status_code == 401


@pytest.mark.parametrize("field", ["tenant_id", "tenantId", "actor", "public"])
async def test_no_request_names_a_tenant(public: Gateway, field: str) -> None:
    for binding in BINDINGS:
        if not binding.is_open:
            continue
        queried = await public.client.request(binding.verb, binding.template, params={field: TENANT})
        assert queried.status_code == 400, binding.template
        if binding.body:
            told = await public.client.request(binding.verb, binding.template, json={field: TENANT})
            assert told.status_code == 400, binding.template
    assert public.script.asked == []


@pytest.mark.parametrize("path", [f"/{TENANT}/memory/count", f"/memory/count/{TENANT}", "//memory/count"])
async def test_no_path_names_a_tenant(public: Gateway, path: str) -> None:
    assert (await public.client.get(path)).status_code == 404
    assert public.script.asked == []


def test_the_public_tenant_of_production_is_named() -> None:
    assert Settings().public_tenant == LOCAL_PUBLIC_TENANT
    assert Settings(env=Environment.PRODUCTION).public_tenant is None
    assert Settings.model_validate({"public_tenant": ""}).public_tenant is None
    assert Settings(env=Environment.PRODUCTION, public_tenant=PUBLIC).public_tenant == PUBLIC
