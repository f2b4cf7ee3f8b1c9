"""Erasing rows: what is meant, what hangs on it, and the functions of the database that delete.

Rules: the only write that removes history; it tells rows by table and nothing of them. What goes with what is decided
by shared/domain/erasure.py. Source: REQUIREMENTS D6.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import asyncpg

from shared.domain.erasure import Kin
from shared.domain.types import MemoryState, MemoryType
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes import storage

_SQL = load("writes/erasure")


async def of_company(connection: Connection, tenant_id: UUID, company_key: str, limit: int) -> list[UUID]:
    """Return the memories of a company, at most `limit`."""
    return [row["memory_id"] for row in await connection.fetch(_SQL["of_company"], tenant_id, company_key, limit)]


async def all_memories(connection: Connection, tenant_id: UUID) -> int:
    """Return how many memories a tenant has."""
    counted: int = await connection.fetchval(_SQL["all"], tenant_id)
    return counted


async def known(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID]) -> frozenset[UUID]:
    """Return those of the ids that are memories of the tenant and not erased."""
    return frozenset(row["memory_id"] for row in await connection.fetch(_SQL["known"], tenant_id, memory_ids))


async def kin(connection: Connection, tenant_id: UUID, memory_ids: Collection[UUID]) -> list[Kin]:
    """Return the memories that hang directly on these."""
    rows = await connection.fetch(_SQL["kin"], tenant_id, list(memory_ids))
    return [
        Kin(
            row["memory_id"],
            MemoryType(row["memory_type"]),
            MemoryState(row["state"]),
            frozenset(row["source_memory_ids"]),
            frozenset(row["derived_from"]),
            row["superseded_by"],
        )
        for row in rows
    ]


async def sources(connection: Connection, tenant_id: UUID, memory_ids: Collection[UUID]) -> list[UUID]:
    """Return the memories that these were read from and that are not among them."""
    return [row["memory_id"] for row in await connection.fetch(_SQL["sources"], tenant_id, list(memory_ids))]


async def can_return(connection: Connection, tenant_id: UUID, memory_ids: Collection[UUID]) -> list[UUID]:
    """Return those of the ended memories that no open one says again."""
    return [row["memory_id"] for row in await connection.fetch(_SQL["can_return"], tenant_id, list(memory_ids))]


async def erase(connection: Connection, tenant_id: UUID, memory_ids: Collection[UUID], at: datetime) -> dict[str, int]:
    """Erase memories of the transaction's tenant; return rows by table, those with none left out."""
    size = await storage.of_memories(connection, tenant_id, memory_ids)
    rows = _rows(await connection.fetch(_SQL["erase"], list(memory_ids), at))
    await storage.add(connection, tenant_id, -size.memories, -size.bytes)
    return rows


async def erase_tenant(connection: Connection) -> dict[str, int]:
    """Erase everything of the transaction's tenant; return rows by table, those with none left out."""
    return _rows(await connection.fetch(_SQL["erase_tenant"]))


def _rows(found: Sequence[asyncpg.Record]) -> dict[str, int]:
    return {row["name"]: row["erased"] for row in sorted(found, key=lambda row: str(row["name"])) if row["erased"]}
