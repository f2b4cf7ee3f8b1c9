"""Rows of memories: inserting new ones and putting a revision in the place of the current one.

Rules: an identical open memory wins over a new one, by a unique index; batches go in one statement, in the order of
their identities, so that two of them never wait for each other in a ring. The caller sees to vectors, terms, assertions
and history.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from shared.domain.errors import Conflict, FailedPrecondition, NotFound
from shared.domain.revision import Revision
from shared.domain.types import MemoryState
from shared.store.arrays import array_text
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes.events import Operation

_SQL = load("writes/memories")


@dataclass(frozen=True, slots=True)
class Written:
    """Where a memory stands after a write. `existing`: it was there; it was not touched, or `revived`: it had faded."""

    memory_id: UUID
    revision: int
    existing: bool
    vector_pending: bool
    recorded_at: datetime
    revived: bool = False


async def insert(
    connection: Connection, operation: Operation, rows: Sequence[tuple[UUID, bool, Revision]]
) -> frozenset[UUID]:
    """Insert (id, vector pending, revision) rows that no open memory is identical to; return the ids that went in."""
    ordered = sorted(rows, key=lambda row: row[2].identity_hash)
    columns = zip(*((memory_id, pending, *_columns(revision)) for memory_id, pending, revision in ordered), strict=True)
    values = (operation.tenant_id, [operation.of(row[0]) for row in ordered], operation.recorded_at, *columns)
    return frozenset(row["memory_id"] for row in await connection.fetch(_SQL["insert"], *values))


async def open_by_identity(connection: Connection, tenant_id: UUID, hashes: Sequence[bytes]) -> dict[bytes, Written]:
    """Return the open memories that have one of the identities."""
    rows = await connection.fetch(_SQL["open_by_identity"], tenant_id, hashes)
    return {
        bytes(row["identity_hash"]): Written(
            row["memory_id"], row["revision"], True, row["vector_pending"], row["recorded_at"]
        )
        for row in rows
    }


async def lock_active(connection: Connection, tenant_id: UUID, memory_id: UUID) -> int:
    """Lock a memory until the transaction ends and return its revision.

    Raises: NotFound MEMORY_NOT_FOUND, FailedPrecondition MEMORY_ENDED.
    """
    row = await connection.fetchrow(_SQL["lock"], tenant_id, memory_id)
    check_active(row["state"] if row else None, memory_id)
    return int(row["revision"]) if row else 0


def check_active(state: str | None, memory_id: UUID) -> None:
    """Refuse a memory that is not there (None) or has ended.

    Raises: NotFound MEMORY_NOT_FOUND, FailedPrecondition MEMORY_ENDED.
    """
    named = {"memory_id": str(memory_id)}
    if state is None:
        raise NotFound("MEMORY_NOT_FOUND", "there is no such memory", metadata=named)
    if state != MemoryState.ACTIVE:
        raise FailedPrecondition("MEMORY_ENDED", f"the memory is {state}", metadata={**named, "state": state})


async def replace(
    connection: Connection, operation: Operation, memory_id: UUID, revision: Revision, *, vector_pending: bool
) -> None:
    """Keep the current revision in the history and put the next one in its place.

    Raises: Conflict MEMORY_IDENTICAL when another open memory says the same.
    """
    tenant_id, at = operation.tenant_id, operation.recorded_at
    await connection.execute(_SQL["keep_revision"], tenant_id, memory_id, at)
    values = (tenant_id, operation.operation_id, at, memory_id, vector_pending, *_columns(revision))
    try:
        await connection.execute(_SQL["replace_revision"], *values)
    except asyncpg.UniqueViolationError as error:
        raise Conflict("MEMORY_IDENTICAL", "another open memory says the same after this patch") from error
    await connection.execute(_SQL["delete_tags"], tenant_id, memory_id)
    await insert_tags(connection, tenant_id, [(memory_id, revision)])


async def insert_tags(connection: Connection, tenant_id: UUID, rows: Sequence[tuple[UUID, Revision]]) -> None:
    """Insert the tags of memories."""
    tags = [(memory_id, tag) for memory_id, revision in rows for tag in revision.draft.tags]
    if tags:
        await connection.execute(_SQL["insert_tags"], tenant_id, *map(list, zip(*tags, strict=True)))


async def lock_unembedded(connection: Connection, tenant_id: UUID, memory_id: UUID, revision: int) -> bool:
    """Lock a memory if it still waits for the vectors of this revision."""
    return bool(await connection.fetchval(_SQL["lock_unembedded"], tenant_id, memory_id, revision))


async def mark_embedded(connection: Connection, tenant_id: UUID, memory_id: UUID) -> None:
    """Say that a memory has its vectors now."""
    await connection.execute(_SQL["mark_embedded"], tenant_id, memory_id)


def _columns(revision: Revision) -> tuple[Any, ...]:
    """Return the values of a revision in the order of both statements."""
    draft = revision.draft
    return (
        *(draft.kind, draft.content, draft.company, revision.company_key),
        *(draft.period, revision.period_start, revision.period_end),
        *(draft.record, revision.record_key, draft.source_ref, draft.counterparty, revision.counterparty_key),
        *(draft.speaker, draft.session, array_text(draft.tags), draft.metadata_json, revision.memory_type),
        *(draft.importance, draft.pinned, array_text(draft.references)),
        *(array_text(draft.derived_from), array_text(draft.source_memory_ids), draft.protection),
        *(draft.observed_at, draft.expires_at, draft.expires_at, revision.content_hash, revision.identity_hash),
    )
