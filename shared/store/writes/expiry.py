"""Removing what is kept for some time only: answers to requests, uses that were counted, jobs that ended,
plans.

Rules: some rows at a time, the oldest first.
"""

from datetime import datetime
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/expiry")
_TABLES = ("requests", "uses", "jobs", "plans", "consolidation_plans")


async def delete(connection: Connection, tenant_id: UUID, before: datetime, limit: int) -> int:
    """Delete at most `limit` rows of each table that are older than an instant; return how many there were."""
    done = [await connection.execute(_SQL[table], tenant_id, before, limit) for table in _TABLES]
    return sum(int(tag.rpartition(" ")[2]) for tag in done)


async def oldest(connection: Connection, tenant_id: UUID) -> datetime | None:
    """Read the age of the oldest row that is left."""
    found: datetime | None = await connection.fetchval(_SQL["oldest"], tenant_id)
    return found
