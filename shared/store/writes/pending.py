"""Memories that were accepted without vectors and wait for them.

Rules: the table holds ids only and no tenant's content, so that a worker may look across tenants. A worker takes rows
on loan: no lock is held while vectors are made, and when it dies the loan ends by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/pending")


@dataclass(frozen=True, slots=True)
class Loan:
    """A memory whose vectors a worker has undertaken to make; `attempts` counts this one."""

    tenant_id: UUID
    memory_id: UUID
    attempts: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """What an embedder needs of a waiting memory."""

    memory_id: UUID
    revision: int
    content: str
    speaker: str | None
    valid_from: datetime | None


async def insert(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID], due_at: datetime) -> None:
    """Note memories that wait."""
    if memory_ids:
        await connection.execute(_SQL["insert"], tenant_id, memory_ids, due_at)


async def claim(connection: Connection, now: datetime, until: datetime, limit: int) -> list[Loan]:
    """Take at most `limit` due memories on loan until an instant."""
    rows = await connection.fetch(_SQL["claim"], now, until, limit)
    return [Loan(row["tenant_id"], row["memory_id"], row["attempts"]) for row in rows]


async def waiting(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID]) -> list[Waiting]:
    """Read those of the memories that still wait."""
    rows = await connection.fetch(_SQL["waiting"], tenant_id, memory_ids)
    return [Waiting(r["memory_id"], r["revision"], r["content"], r["speaker"], r["valid_from"]) for r in rows]


async def postpone(connection: Connection, tenant_id: UUID, error: str, due: Mapping[UUID, datetime]) -> None:
    """Say why it did not work and when to try again."""
    await connection.execute(_SQL["postpone"], tenant_id, error, list(due), list(due.values()))


async def delete(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID]) -> None:
    """Forget memories that wait no more."""
    await connection.execute(_SQL["delete"], tenant_id, memory_ids)
