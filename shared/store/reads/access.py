"""Whose a key is, and which keys a tenant has.

Rules: only the peppered hash is known here; both look-ups are definer functions, because a key is asked for before its
tenant is known. It does not judge whether the key still works.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from uuid import UUID

from shared.domain.types import Scope
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/access")


@dataclass(frozen=True, slots=True)
class Key:
    """A key, whatever its state."""

    key_id: UUID
    tenant_id: UUID
    name: str
    scopes: tuple[Scope, ...]
    expires_at: datetime | None
    revoked_at: datetime | None


async def key_by_hash(connection: Connection, key_hash: bytes) -> Key | None:
    """Read the key with this hash."""
    row = await connection.fetchrow(_SQL["by_hash"], key_hash)
    if row is None:
        return None
    scopes = tuple(Scope(scope) for scope in row["scopes"])
    return Key(row["key_id"], row["tenant_id"], row["name"], scopes, row["expires_at"], row["revoked_at"])


@dataclass(frozen=True, slots=True)
class Listed:
    """A key as it is listed, with its use."""

    key_id: UUID
    name: str
    scopes: tuple[Scope, ...]
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str | None
    replaced_by: UUID | None
    last_used_at: datetime | None
    recent_requests: int


async def page(
    connection: Connection, tenant_id: UUID, after: tuple[datetime, UUID] | None, limit: int, use_since: date
) -> list[Listed]:
    """Read keys of a tenant, oldest first, with the requests of the days after one."""
    place = after or (datetime.min.replace(tzinfo=UTC), UUID(int=0))
    rows = await connection.fetch(_SQL["page"], tenant_id, *place, limit, use_since)
    return [Listed(**{**row, "scopes": tuple(map(Scope, row["scopes"]))}) for row in rows]
