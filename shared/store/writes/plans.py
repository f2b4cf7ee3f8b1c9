"""What a write reads first to plan itself.

Rules: these are reads of a moment: everything a plan rests on is checked again inside its writing transaction.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from shared.domain.errors import FailedPrecondition
from shared.domain.types import Draft, Guard, MemoryKind, MemoryType
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes.memories import check_active

_SQL = load("writes/plans")


@dataclass(frozen=True, slots=True)
class Generation:
    """An embedding generation: its number here, and the model and size by which embed knows it."""

    number: int
    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Basis:
    """What every write of text rests on: the current generation, and the tenant's memories and terms so far."""

    generation: Generation
    memories: int
    terms: int


@dataclass(frozen=True, slots=True)
class Current:
    """The current revision of an active memory."""

    draft: Draft
    revision: int
    vector_pending: bool
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Done:
    """An operation that was carried out, and the first 1,000 memories it wrote."""

    action: str
    actor: str
    reason: str
    request_id: str
    recorded_at: datetime
    memory_ids: tuple[UUID, ...]


async def basis(connection: Connection, tenant_id: UUID) -> Basis:
    """Read what a write of text rests on.

    Raises: FailedPrecondition EMBEDDING_GENERATION_MISSING.
    """
    row = await connection.fetchrow(_SQL["basis"], tenant_id)
    if row is None:
        raise _no_generation()
    return Basis(Generation(row["generation"], row["model"], row["dimensions"]), row["memories"], row["terms"])


async def generation(connection: Connection) -> Generation:
    """Read the current embedding generation.

    Raises: FailedPrecondition EMBEDDING_GENERATION_MISSING.
    """
    row = await connection.fetchrow(_SQL["generation"])
    if row is None:
        raise _no_generation()
    return Generation(row["generation"], row["model"], row["dimensions"])


async def current(connection: Connection, tenant_id: UUID, memory_id: UUID) -> Current:
    """Read the current revision of an active memory.

    Raises: NotFound MEMORY_NOT_FOUND, FailedPrecondition MEMORY_ENDED.
    """
    row = await connection.fetchrow(_SQL["current"], tenant_id, memory_id)
    check_active(row["state"] if row else None, memory_id)
    assert row is not None
    return Current(draft_of(row), row["revision"], row["vector_pending"], row["recorded_at"])


def draft_of(row: asyncpg.Record) -> Draft:
    """Return what the writer of a memory said, from a row that has all of it."""
    return Draft(
        kind=MemoryKind(row["kind"]),
        content=row["content"],
        company=row["company"],
        period=row["period"],
        record=row["record"],
        source_ref=row["source_ref"],
        counterparty=row["counterparty"],
        speaker=row["speaker"],
        session=row["session"],
        tags=tuple(row["tags"]),
        metadata_json=row["metadata"],
        importance=row["importance"],
        pinned=row["pinned"],
        observed_at=row["valid_from"],
        expires_at=row["expires_at"],
        memory_type=MemoryType(row["memory_type"]),
        references=tuple(row["refs"]),
        derived_from=tuple(row["derived_from"]),
        source_memory_ids=tuple(row["source_memory_ids"]),
        protection=Guard(row["protection"]),
    )


async def operation(connection: Connection, tenant_id: UUID, operation_id: UUID) -> Done | None:
    """Read an operation that was carried out."""
    row = await connection.fetchrow(_SQL["operation"], tenant_id, operation_id)
    if row is None:
        return None
    return Done(
        row["action"], row["actor"], row["reason"], row["request_id"], row["recorded_at"], tuple(row["memory_ids"])
    )


def _no_generation() -> FailedPrecondition:
    return FailedPrecondition("EMBEDDING_GENERATION_MISSING", "the database has no embedding generation: migrate it")
