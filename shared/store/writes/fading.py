"""When memories fade: dated anew whenever something that it depends on was written, found by index when it has come.

Rules: the date of a live memory follows from what is stored, by the tenant's settings in force; so it is read and
dated in the transaction that changed it, and dated again before a sweep believes it. An ended memory has none.
It does not know what a sweep does, nor the formula (shared/domain/retention.py).
Source: REQUIREMENTS D1, D2.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from shared.domain import retention, retention_setting
from shared.domain.retention import Retention, Standing
from shared.store.pool import Connection
from shared.store.standings import standing_of
from shared.store.statements import load

SQL = load("writes/fading")


async def rules(connection: Connection, tenant_id: UUID) -> Retention:
    """Read the tenant's rules in force."""
    return retention_setting.of_json(await connection.fetchval(SQL["rules"], tenant_id) or "{}").rules()


async def refresh(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID]) -> dict[UUID, datetime | None]:
    """Date live memories anew and return when each fades; None: never. Those that have ended are left out."""
    if not memory_ids:
        return {}
    own = await rules(connection, tenant_id)
    dated: dict[UUID, datetime | None] = {}
    changed: list[tuple[UUID, datetime | None, bool]] = []
    for row in await connection.fetch(SQL["standing"], tenant_id, memory_ids):
        standing = standing_of(row)
        at, kept = retention.fades_at(standing, own), retention.is_kept(standing, own)
        dated[row["memory_id"]] = at
        if (at, kept) != (row["fades_at"], row["is_protected"] or False):
            changed.append((row["memory_id"], at, kept))
    if changed:
        await connection.execute(SQL["set"], tenant_id, *map(list, zip(*changed, strict=True)))
    return dated


async def standings(
    connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID]
) -> dict[UUID, tuple[int, Standing]]:
    """Read revisions and what fading depends on of live memories."""
    rows = await connection.fetch(SQL["standing"], tenant_id, memory_ids)
    return {row["memory_id"]: (row["revision"], standing_of(row)) for row in rows}


async def clear(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID]) -> None:
    """Take the dates of ended memories away."""
    await connection.execute(SQL["clear"], tenant_id, memory_ids)


async def begin_anew(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID], at: datetime) -> None:
    """Let memories begin to fade anew at an instant: they came back, or were said again."""
    await connection.execute(SQL["begin"], tenant_id, memory_ids, at)
    await refresh(connection, tenant_id, memory_ids)


async def due(connection: Connection, tenant_id: UUID, at: datetime, limit: int) -> list[UUID]:
    """Return some of those that have faded, by their dates, the first first."""
    return [row["memory_id"] for row in await connection.fetch(SQL["due"], tenant_id, at, limit)]


async def surplus(connection: Connection, tenant_id: UUID, capacity: int, limit: int) -> list[UUID]:
    """Return some of those that are too many for a capacity, the first to fade first; none that is protected."""
    over = await connection.fetchval(SQL["population"], tenant_id) - capacity
    if over <= 0:
        return []
    return [row["memory_id"] for row in await connection.fetch(SQL["first"], tenant_id, min(over, limit))]


async def next_at(connection: Connection, tenant_id: UUID) -> datetime | None:
    """Return when the next memory fades; None: none does."""
    found: datetime | None = await connection.fetchval(SQL["next"], tenant_id)
    return found


async def live_after(connection: Connection, tenant_id: UUID, after: UUID, limit: int) -> list[UUID]:
    """Return some live memories in the order of their ids."""
    return [row["memory_id"] for row in await connection.fetch(SQL["live_after"], tenant_id, after, limit)]


async def faded(connection: Connection, tenant_id: UUID, identities: Sequence[bytes]) -> dict[bytes, UUID]:
    """Return the memories that a sweep forgot, by their identities, where nothing else has the identity now."""
    rows = await connection.fetch(SQL["faded"], tenant_id, identities)
    return {bytes(row["identity_hash"]): row["memory_id"] for row in rows}
