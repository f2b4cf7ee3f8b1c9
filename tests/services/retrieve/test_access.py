"""AuthenticateKey: keys that work, and why others do not."""

from datetime import datetime, timedelta
from uuid import UUID

import asyncpg
import pytest
from candor.options.v1 import options_pb2
from candor.retrieve.v1.access_pb2 import AuthenticateKeyRequest, AuthenticateKeyResponse

from shared.domain.api_keys import key_hash
from shared.domain.errors import CandorError, Unauthenticated
from shared.rpc import clients, wire
from shared.rpc.clients import rpc_errors
from tests.services.retrieve.serving import MINE, NOW, PEPPER, Serving

pytestmark = pytest.mark.anyio

KEY_ID = UUID(int=5)


async def a_key(
    serving: Serving, key: str, expires_at: datetime | None = None, revoked_at: datetime | None = None
) -> None:
    connection = await asyncpg.connect(serving.dsns.migrator)
    try:
        await connection.execute("SET search_path = candor")
        await connection.execute("INSERT INTO tenant VALUES ($1, 'acme', $2)", MINE, NOW)
        await connection.execute(
            "INSERT INTO api_key VALUES ($1, $2, 'laptop', $3, '{read,audit}', $4, 'root', $5, $6)",
            *(KEY_ID, MINE, key_hash(key, PEPPER), NOW, expires_at, revoked_at),
        )
    finally:
        await connection.close()


async def authenticated(serving: Serving, key: str) -> AuthenticateKeyResponse:
    with rpc_errors():
        response: AuthenticateKeyResponse = await clients.access(serving.via).AuthenticateKey(
            AuthenticateKeyRequest(key=key)
        )
    return response


async def refused(serving: Serving, key: str) -> CandorError:
    with pytest.raises(CandorError) as caught:
        await authenticated(serving, key)
    assert isinstance(caught.value, Unauthenticated)
    assert str(MINE) not in caught.value.message + str(caught.value.metadata)
    return caught.value


async def test_a_key_names_its_tenant_and_rights(serving: Serving) -> None:
    await a_key(serving, "ck_right", NOW + timedelta(days=1))
    assert await authenticated(serving, "ck_right") == AuthenticateKeyResponse(
        tenant_id=str(MINE),
        key_id=str(KEY_ID),
        name="laptop",
        scopes=[options_pb2.ACCESS_READ, options_pb2.ACCESS_AUDIT],
        expires_at=wire.to_timestamp(NOW + timedelta(days=1)),
    )
    for wrong in ("", "ck_wrong", "ck_right ", "\0", "é" * 1000):
        assert (await refused(serving, wrong)).reason == "KEY_UNKNOWN"
    serving.clock.pass_days(1)
    assert (await refused(serving, "ck_right")).reason == "KEY_EXPIRED"


async def test_a_revoked_key_does_not_work(serving: Serving) -> None:
    await a_key(serving, "ck_right", revoked_at=NOW)
    assert (await refused(serving, "ck_right")).reason == "KEY_REVOKED"
