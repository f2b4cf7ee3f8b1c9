"""Terms and BM25 weights of memories.

Rules: the table has no row-level security (it holds keyed numbers only), so rows go in by COPY. Term ids are the
indices of the sparse vector as Python's codec counts them, from 0, in memories and in queries alike.
"""

from collections.abc import Iterable, Mapping
from uuid import UUID

from pgvector import SparseVector

from shared.domain.tokens import TERM_ID_LIMIT
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/lexical")


async def insert(
    connection: Connection, tenant_id: UUID, rows: Iterable[tuple[UUID, Mapping[int, float], int]]
) -> None:
    """Insert the weights of memories by term, and how many terms each has, repetitions counted."""
    records = [
        (tenant_id, memory_id, sorted(weights), SparseVector(dict(weights), TERM_ID_LIMIT), length)
        for memory_id, weights, length in rows
    ]
    if records:
        columns = ("tenant_id", "memory_id", "terms", "weights", "length")
        await connection.copy_records_to_table("memory_lexical", records=records, columns=columns)


async def insert_history(
    connection: Connection, tenant_id: UUID, rows: Iterable[tuple[UUID, int, Mapping[int, float], int]]
) -> None:
    """Insert the same of revisions that are no longer believed, each with its number."""
    records = [
        (tenant_id, memory_id, revision, sorted(weights), SparseVector(dict(weights), TERM_ID_LIMIT), length)
        for memory_id, revision, weights, length in rows
    ]
    if records:
        columns = ("tenant_id", "memory_id", "revision", "terms", "weights", "length")
        await connection.copy_records_to_table("memory_lexical_history", records=records, columns=columns)


async def replace(
    connection: Connection,
    tenant_id: UUID,
    memory_id: UUID,
    former_revision: int,
    weights: Mapping[int, float],
    length: int,
) -> None:
    """Move the weights of a memory into the history of its former revision and insert the new ones."""
    await connection.execute(_SQL["move_to_history"], tenant_id, memory_id, former_revision)
    await insert(connection, tenant_id, [(memory_id, weights, length)])
