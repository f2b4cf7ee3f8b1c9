"""Settings of a tenant: the version in force, and the earlier ones.

Rules: a tenant that never declared anything has version 0. It does not know what settings mean, but for the policy.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.domain.setting import Policy, of_json
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/settings")
NEWEST = 2**31 - 1  # above every version


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a tenant's settings: a JSON object, with who declared it, when and why."""

    version: int
    settings: str
    actor: str
    reason: str
    recorded_at: datetime | None

    @property
    def policy(self) -> Policy:
        """What recall and audit follow."""
        return of_json(self.settings)


NOTHING = Version(0, "{}", "", "", None)


async def in_force(connection: Connection, tenant_id: UUID, at: datetime | None = None) -> Version:
    """Read the version in force, or the one that was at an instant."""
    row = await connection.fetchrow(_SQL["in_force"], tenant_id, at)
    return Version(**row) if row else NOTHING


async def page(connection: Connection, tenant_id: UUID, below: int, limit: int) -> list[Version]:
    """Read versions below one, newest first."""
    return [Version(**row) for row in await connection.fetch(_SQL["page"], tenant_id, below, limit)]
