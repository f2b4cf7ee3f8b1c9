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


@dataclass(frozen=True, slots=True)
class LockedKey:
    """A key while it is changed."""

    key_id: UUID
    name: str
    scopes: tuple[Scope, ...]
    expires_at: datetime | None
    revoked_at: datetime | None

    def works(self, at: datetime) -> bool:
        """Tell whether it is neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > at)


@dataclass(frozen=True, slots=True)
class Use:
    """How often a key was used on the day of its last use, as far as one counter has seen."""

    key_id: UUID
    requests: int
    last_used_at: datetime


async def lock_key(connection: Connection, tenant_id: UUID, key_id: UUID) -> LockedKey | None:
    """Read a key of the tenant and keep it from being changed by others."""
    row = await connection.fetchrow(_SQL["lock_key"], tenant_id, key_id)
    return LockedKey(**{**row, "scopes": tuple(map(Scope, row["scopes"]))}) if row else None


async def lock_admin_keys(connection: Connection, tenant_id: UUID, at: datetime) -> list[UUID]:
    """Read which keys can make others, and keep them from being changed by others."""
    return [row["key_id"] for row in await connection.fetch(_SQL["lock_admin_keys"], tenant_id, at)]


async def revoke_key(connection: Connection, tenant_id: UUID, key_id: UUID, at: datetime, actor: str) -> None:
    """End a key."""
    await connection.execute(_SQL["revoke_key"], tenant_id, key_id, at, actor)


async def replace_key(connection: Connection, tenant_id: UUID, key_id: UUID, expires_at: datetime, by: UUID) -> None:
    """Say what replaces a key, and when it ceases to work."""
    await connection.execute(_SQL["replace_key"], tenant_id, key_id, expires_at, by)


async def record_use(connection: Connection, tenant_id: UUID, counter_id: UUID, uses: Sequence[Use]) -> int:
    """Keep what a counter has seen; return how many of the uses were of the tenant's keys."""
    ids, counts, last = ([getattr(use, name) for use in uses] for name in ("key_id", "requests", "last_used_at"))
    tag = await connection.execute(_SQL["record_use"], tenant_id, counter_id, ids, counts, last)
    return int(tag.rsplit(" ", 1)[-1])
