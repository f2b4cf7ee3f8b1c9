"""AdminService: tenants and their keys.

Rules: a key is shown once and never kept; asking again with the same request id derives the same key again. Keys live
by real time, whatever time memories are written in. It does not know which calls a scope opens: the gateway does.
Source: REQUIREMENTS F2, D7.
"""

import re
from collections.abc import Callable
from functools import partial

from candor.ingest.v1 import admin_pb2
from candor.ingest.v1.admin_pb2_grpc import AdminServiceServicer
from candor.options.v1 import options_pb2

from services.ingest.asking import Means, ask_of, checked
from shared.domain.api_keys import key_hash, make_key
from shared.domain.errors import InvalidArgument, NotFound
from shared.domain.types import Scope
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run_without_tenant
from shared.store.writes import access
from shared.store.writes.access import NewKey

NAME_MAX_CHARS = 64
_TENANT_NAME = re.compile(rf"[A-Za-z0-9._-]{{1,{NAME_MAX_CHARS}}}")
_SCOPES = {
    options_pb2.ACCESS_READ: Scope.READ,
    options_pb2.ACCESS_WRITE: Scope.WRITE,
    options_pb2.ACCESS_AUDIT: Scope.AUDIT,
    options_pb2.ACCESS_ADMIN: Scope.ADMIN,
}


class AdminServicer(AdminServiceServicer):
    """Serves AdminService. Time is real here; `new_secret` draws what no request id gives."""

    def __init__(self, means: Means, *, pepper: bytes, new_secret: Callable[[], str]) -> None:
        self._means = means
        self._pepper = pepper
        self._now = means.real_now
        self._new_secret = new_secret

    async def CreateTenant(
        self, request: admin_pb2.CreateTenantRequest, context: Context
    ) -> admin_pb2.CreateTenantResponse:
        """Make a tenant, or name the one that has the name."""
        if not _TENANT_NAME.fullmatch(request.name):
            raise InvalidArgument.of(
                "name", "TENANT_NAME_INVALID", f"must be 1 to {NAME_MAX_CHARS} of a-z, A-Z, 0-9, dot, dash, underscore"
            )
        make = partial(access.ensure_tenant, name=request.name, tenant_id=self._means.new_id(), created_at=self._now())
        tenant_id = await run_without_tenant(self._means.pool, make)
        return admin_pb2.CreateTenantResponse(tenant_id=str(tenant_id))

    async def CreateKey(self, request: admin_pb2.CreateKeyRequest, context: Context) -> admin_pb2.CreateKeyResponse:
        """Make a key of the tenant."""
        ask = ask_of(request, self._means.request_key)
        now = self._now()
        key = make_key(ask.tenant_id, f"id:{ask.request_id}" if ask.key else self._new_secret(), self._pepper)
        new = NewKey(
            key_id=self._means.new_id(),
            tenant_id=ask.tenant_id,
            name=_name(request.name),
            key_hash=key_hash(key, self._pepper),
            scopes=_scopes(request),
            created_at=now,
            created_by=ask.actor,
            expires_at=wire.instant(request, "expires_at"),
        )

        async def work(connection: Connection) -> bytes:
            # Checked here, not before: a repeated request gets its answer even after the key has expired.
            if new.expires_at is not None and new.expires_at <= now:
                raise InvalidArgument.of("expires_at", "EXPIRY_PAST", "must lie in the future")
            if not await access.tenant_exists(connection, ask.tenant_id):
                raise NotFound("TENANT_NOT_FOUND", "there is no such tenant", metadata={"tenant_id": request.tenant_id})
            await access.insert_key(connection, new)
            # What is kept of the answer has no key in it.
            return admin_pb2.CreateKeyResponse(key_id=str(new.key_id)).SerializeToString()

        done = await self._means.once(ask, now, work)
        answer = admin_pb2.CreateKeyResponse.FromString(done.answer)
        answer.key = key
        return answer


def _name(text: str) -> str:
    name = checked("name", text, NAME_MAX_CHARS, "KEY_NAME_INVALID").strip()
    if not name:
        raise InvalidArgument.of("name", "KEY_NAME_INVALID", "must not be blank")
    return name


def _scopes(request: admin_pb2.CreateKeyRequest) -> tuple[Scope, ...]:
    if not request.scopes:
        raise InvalidArgument.of("scopes", "SCOPES_MISSING", "must hold at least one scope")
    for position, number in enumerate(request.scopes):
        if number not in _SCOPES:
            raise InvalidArgument.of(f"scopes[{position}]", "SCOPE_INVALID", "must be read, write, audit or admin")
    return tuple(scope for number, scope in _SCOPES.items() if number in request.scopes)
