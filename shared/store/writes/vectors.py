"""Vectors of passages: one table for each embedding generation.

Rules: the index holds live memories only; those of an earlier revision are copied to a history without index, so that
time travel stays exact, and leave the index only when the embedded text has changed.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from pgvector import HalfVector

from shared.domain.passages import Passage
from shared.domain.vectors import Vector
from shared.store.pool import Connection
from shared.store.statements import for_generation, load

_SQL = load("writes/vectors")


@dataclass(frozen=True, slots=True)
class Embedded:
    """The passages of a memory and their vectors.

    Shapes: vectors (len(passages), dimensions).
    """

    passages: tuple[Passage, ...]
    vectors: Vector


async def insert(
    connection: Connection, tenant_id: UUID, generation: int, rows: Iterable[tuple[UUID, Embedded]]
) -> None:
    """Insert the vectors of memories that have none."""
    if made := rows_of(rows):
        await connection.execute(for_generation(_SQL["insert"], generation), tenant_id, *zip(*made, strict=True))


async def insert_history(
    connection: Connection, tenant_id: UUID, generation: int, rows: Iterable[tuple[UUID, int, Embedded]]
) -> None:
    """Insert the vectors of revisions that are no longer believed, each with its number."""
    made = [
        (memory_id, revision, *passage)
        for memory_id, revision, embedded in rows
        for _, *passage in rows_of([(memory_id, embedded)])
    ]
    if made:
        statement = for_generation(_SQL["insert_history"], generation)
        await connection.execute(statement, tenant_id, *zip(*made, strict=True))


def rows_of(rows: Iterable[tuple[UUID, Embedded]]) -> list[tuple[UUID, int, int, int, HalfVector]]:
    """Return one row for each passage: memory, number, first character, character after the last, vector."""
    return [
        (memory_id, passage.number, passage.start, passage.end, HalfVector(vector))
        for memory_id, embedded in rows
        for passage, vector in zip(embedded.passages, embedded.vectors.astype(np.float16), strict=True)
    ]


async def replace(
    connection: Connection,
    tenant_id: UUID,
    memory_id: UUID,
    former_revision: int,
    generation: int,
    embedded: Embedded | None,
) -> None:
    """Keep the vectors of a former revision; with new ones, put those in their place, in every generation's table."""
    for row in await connection.fetch(_SQL["generations"]):
        number = row["generation"]
        await connection.execute(for_generation(_SQL["copy_to_history"], number), tenant_id, memory_id, former_revision)
        if embedded is not None:
            # In this order: what a job moves over meanwhile is waited for here and found there.
            await connection.execute(for_generation(_SQL["delete_staged"], number), tenant_id, memory_id)
            await connection.execute(for_generation(_SQL["delete"], number), tenant_id, memory_id)
    if embedded is not None:
        await insert(connection, tenant_id, generation, [(memory_id, embedded)])
