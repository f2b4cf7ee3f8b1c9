"""Tenants and their API keys.

Rules: outside row-level security, because a key is looked up before its tenant is known; a key is kept as a hash only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.domain.types import Scope
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/access")


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key as it is kept."""

    key_id: UUID
    tenant_id: UUID
    name: str
    key_hash: bytes
    scopes: Sequence[Scope]
    created_at: datetime
    created_by: str
    expires_at: datetime | None


async def ensure_tenant(connection: Connection, name: str, tenant_id: UUID, created_at: datetime) -> UUID:
    """Return the tenant of a name; make it with the given id if there is none."""
    await connection.execute(_SQL["insert_tenant"], tenant_id, name, created_at)
    found: UUID = await connection.fetchval(_SQL["tenant_by_name"], name)
    return found


async def tenant_exists(connection: Connection, tenant_id: UUID) -> bool:
    """Tell whether there is a tenant."""
    return bool(await connection.fetchval(_SQL["tenant_exists"], tenant_id))


async def insert_key(connection: Connection, key: NewKey) -> None:
    """Insert a key."""
    await connection.execute(
        _SQL["insert_key"],
        *(key.key_id, key.tenant_id, key.name, key.key_hash, list(key.scopes)),
        *(key.created_at, key.created_by, key.expires_at),
    )
