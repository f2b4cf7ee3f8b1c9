"""AccessService: whose a key is.

Rules: a key is known by its keyed hash alone; one that does not work says why, and nothing of whose it was. Real time
counts, whatever a request says. It does not cache: the gateway does.
Source: REQUIREMENTS F2.
"""

from collections.abc import Callable
from datetime import datetime

from candor.options.v1.options_pb2 import Access as Right
from candor.retrieve.v1.access_pb2 import AuthenticateKeyRequest, AuthenticateKeyResponse
from candor.retrieve.v1.access_pb2_grpc import AccessServiceServicer

from shared.domain.api_keys import key_hash
from shared.domain.errors import Unauthenticated
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Pool, run_without_tenant
from shared.store.reads.access import key_by_hash


class Access(AccessServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, pepper: bytes, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._pepper = pepper
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
