"""Whose a key is.

Rules: only the peppered hash is known here; the look-up is one definer function, because a key is asked for before its
tenant is known. It does not judge whether the key still works.
"""

from dataclasses import dataclass
from datetime import datetime
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
