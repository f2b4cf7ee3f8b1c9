"""AccessService: whose a key is, and which keys a tenant has.

Rules: a key is known by its keyed hash alone; one that does not work says why, and nothing of whose it was. Real time
counts, whatever a request says. It does not cache: the gateway does.
Source: REQUIREMENTS F2.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

from candor.options.v1.options_pb2 import Access as Right
from candor.retrieve.v1.access_pb2 import (
    AuthenticateKeyRequest,
    AuthenticateKeyResponse,
    Key,
    ListKeysRequest,
    ListKeysResponse,
)
from candor.retrieve.v1.access_pb2_grpc import AccessServiceServicer

from services.retrieve.filters import Reader
from services.retrieve.page_tokens import Tokens, from_instant, to_instant
from shared.domain.api_keys import key_hash
from shared.domain.errors import Unauthenticated
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run, run_without_tenant
from shared.store.reads.access import Listed, key_by_hash, page

DEFAULT_LIMIT = 20  # the contract's
RECENT = timedelta(days=30)  # the contract's


class Access(AccessServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, pepper: bytes, token_key: bytes, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._pepper = pepper
        self._token_key = token_key
        self._now = now

    async def AuthenticateKey(self, request: AuthenticateKeyRequest, context: Context) -> AuthenticateKeyResponse:
        """Name the tenant and the rights of a key. Raises: Unauthenticated KEY_UNKNOWN, KEY_EXPIRED, KEY_REVOKED."""
        hashed = key_hash(request.key, self._pepper)
        key = await run_without_tenant(self._pool, lambda connection: key_by_hash(connection, hashed))
        if key is None:
            raise Unauthenticated("KEY_UNKNOWN", "the key is not one of ours")
        if key.revoked_at is not None:
            raise Unauthenticated("KEY_REVOKED", "the key was revoked")
        if key.expires_at is not None and key.expires_at <= self._now():
            raise Unauthenticated("KEY_EXPIRED", "the key has expired")
        return AuthenticateKeyResponse(
            tenant_id=str(key.tenant_id),
            key_id=str(key.key_id),
            name=key.name,
            scopes=[Right.Value(f"ACCESS_{scope.name}") for scope in key.scopes],
            expires_at=wire.to_timestamp(key.expires_at),
        )

    async def ListKeys(self, request: ListKeysRequest, context: Context) -> ListKeysResponse:
        """List the keys of a tenant with their use."""
        tenant_id, reader = wire.tenant(request), Reader(request)
        limit = reader.limit(DEFAULT_LIMIT)
        reader.check()
        tokens = Tokens(self._token_key, tenant_id, request, "page_token")
        place = tokens.open(request.page_token)
        after = (to_instant(place[0]), UUID(str(place[1]))) if place else None
        since = (self._now() - RECENT).date()

        async def read(connection: Connection) -> list[Listed]:
            return await page(connection, tenant_id, after, limit + 1, since)

        found = await run(self._pool, tenant_id, read, read_only=True)
        last = found[:limit][-1] if len(found) > limit else None
        return ListKeysResponse(
            keys=map(_message, found[:limit]),
            next_page_token=tokens.seal((from_instant(last.created_at), str(last.key_id))) if last else "",
        )


def _message(key: Listed) -> Key:
    return Key(
        key_id=str(key.key_id),
        name=key.name,
        scopes=[Right.Value(f"ACCESS_{scope.name}") for scope in key.scopes],
        created_at=wire.to_timestamp(key.created_at),
        created_by=key.created_by,
        expires_at=wire.to_timestamp(key.expires_at),
        revoked_at=wire.to_timestamp(key.revoked_at),
        revoked_by=key.revoked_by or "",
        replaced_by=str(key.replaced_by) if key.replaced_by else "",
        last_used_at=wire.to_timestamp(key.last_used_at),
        recent_requests=key.recent_requests,
    )
