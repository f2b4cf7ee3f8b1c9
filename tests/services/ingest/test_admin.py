"""Tenants and keys: idempotent, validated, and no key is kept."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import admin_pb2 as pb
from candor.options.v1.options_pb2 import ACCESS_READ, ACCESS_UNSPECIFIED, ACCESS_WRITE
from google.protobuf.timestamp_pb2 import Timestamp

from shared.clock import new_id
from shared.domain.api_keys import key_hash
from shared.domain.errors import CandorError, Conflict, InvalidArgument, NotFound
from shared.rpc.clients import rpc_errors
from tests.services.ingest.workplace import PEPPER, Workplace

pytestmark = pytest.mark.anyio


async def made_tenant(ingest: Workplace) -> str:
    return (await ingest.admin.CreateTenant(pb.CreateTenantRequest(name=f"t-{new_id()}"))).tenant_id


def asked(tenant: str, **given: Any) -> pb.CreateKeyRequest:
    return pb.CreateKeyRequest(
        **{"tenant_id": tenant, "actor": "root", "name": "agent", "scopes": [ACCESS_WRITE, ACCESS_READ], **given}
    )


async def test_a_tenant_is_made_once_for_a_name(ingest: Workplace) -> None:
    request = pb.CreateTenantRequest(name=f"acme.{new_id()}")
    answers = await asyncio.gather(*(ingest.admin.CreateTenant(request) for _ in range(10)))
    assert len({UUID(answer.tenant_id) for answer in answers}) == 1
    assert await ingest.value("SELECT count(*) FROM tenant WHERE name = $1", request.name) == 1


@pytest.mark.parametrize("name", ["", "a b", "a\0", "é", "a" * 65, "a\n"])
async def test_a_wrong_tenant_name_is_refused(ingest: Workplace, name: str) -> None:
    with pytest.raises(InvalidArgument) as caught, rpc_errors():
        await ingest.admin.CreateTenant(pb.CreateTenantRequest(name=name))
    assert caught.value.reason == "TENANT_NAME_INVALID"


async def test_a_key_is_found_by_its_hash_and_kept_nowhere(ingest: Workplace) -> None:
    tenant = await made_tenant(ingest)
    made = await ingest.admin.CreateKey(asked(tenant, request_id="k1"))
    assert made.key.startswith("ck_")
    [row] = await ingest.look.fetch(
        "SELECT * FROM authenticate_key($1) AS f JOIN api_key USING (key_id)", key_hash(made.key, PEPPER)
    )
    assert str(row["key_id"]) == made.key_id
    assert row["scopes"] == ["read", "write"]
    assert (row["name"], row["created_by"], row["created_at"]) == ("agent", "root", ingest.clock.time)
    responses = await ingest.rows("SELECT response FROM request WHERE tenant_id = $1", UUID(tenant))
    assert made.key.encode() not in responses[0][0]


async def test_the_same_request_gets_the_same_key(ingest: Workplace) -> None:
    tenant = await made_tenant(ingest)
    request = asked(tenant, request_id="k1")
    answers = await asyncio.gather(*(ingest.admin.CreateKey(request) for _ in range(10)))
    assert len({(answer.key_id, answer.key) for answer in answers}) == 1
    assert await ingest.value("SELECT count(*) FROM api_key WHERE tenant_id = $1", UUID(tenant)) == 1
    with pytest.raises(Conflict) as caught, rpc_errors():
        await ingest.admin.CreateKey(asked(tenant, request_id="k1", name="other"))
    assert caught.value.reason == "REQUEST_ID_REUSED"


async def test_without_an_id_every_key_is_another(ingest: Workplace) -> None:
    tenant = await made_tenant(ingest)
    keys = [(await ingest.admin.CreateKey(asked(tenant))).key for _ in range(3)]
    assert len(set(keys)) == 3


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"name": ""}, "KEY_NAME_INVALID"),
        ({"name": "  "}, "KEY_NAME_INVALID"),
        ({"name": "n" * 65}, "KEY_NAME_INVALID"),
        ({"name": "\0"}, "FORBIDDEN_CHARACTER"),
        ({"scopes": []}, "SCOPES_MISSING"),
        ({"scopes": [ACCESS_UNSPECIFIED]}, "SCOPE_INVALID"),
        ({"tenant_id": "x"}, "TENANT_INVALID"),
        ({"expires_at": Timestamp(seconds=1)}, "EXPIRY_PAST"),
        ({"expires_at": Timestamp(seconds=10**12)}, "TIME_INVALID"),
    ],
)
async def test_a_wrong_key_is_refused(ingest: Workplace, given: dict[str, Any], reason: str) -> None:
    tenant = await made_tenant(ingest)
    with pytest.raises(CandorError) as caught, rpc_errors():
        await ingest.admin.CreateKey(asked(tenant, request_id="k1", **given))
    assert caught.value.reason == reason
    assert await ingest.value("SELECT count(*) FROM api_key WHERE tenant_id = $1", UUID(tenant)) == 0


async def test_no_key_for_a_tenant_that_is_not_there(ingest: Workplace) -> None:
    with pytest.raises(NotFound) as caught, rpc_errors():
        await ingest.admin.CreateKey(asked(str(new_id()), request_id="k1"))
    assert caught.value.reason == "TENANT_NOT_FOUND"


async def test_a_key_keeps_its_expiry_and_its_answer(ingest: Workplace) -> None:
    tenant = await made_tenant(ingest)
    end = Timestamp()
    end.FromDatetime(ingest.clock.time + timedelta(seconds=30))
    request = asked(tenant, request_id="k1", expires_at=end)
    first = await ingest.admin.CreateKey(request)
    ingest.clock.tick()
    assert await ingest.admin.CreateKey(request) == first
