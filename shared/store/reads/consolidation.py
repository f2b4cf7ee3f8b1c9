"""What consolidation plans by: memories written since the last pass, their neighbours, and what is known of both.

Rules: these are reads of a moment; the writing transaction reads the sources again. What is not to be digested is left
out: evidence, long texts, what is part of a finding that is not resolved, what a decision has touched.
It does not know what repeats are.
Source: REQUIREMENTS D4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

import numpy as np

from shared.domain.digest import Source
from shared.domain.vectors import Vector, normalise
from shared.store.pool import Connection
from shared.store.statements import for_generation, load
from shared.store.writes.plans import draft_of

HALF_PRECISION = 0.005  # what a cosine of halfvec may be off, and more: 11 bits of each number
_SQL = load("reads/consolidation")


class Place(NamedTuple):
    """A place in the order of commits: a transaction's number and a memory of it."""

    commit_xid: int
    memory_id: UUID


BEGINNING = Place(0, UUID(int=0))


@dataclass(frozen=True, slots=True)
class Standing:
    """A memory that may be digested, as it stands."""

    source: Source
    revision: int
    vector: Vector


async def cursor(connection: Connection, tenant_id: UUID) -> Place:
    """Read up to where the tenant's memories were looked at."""
    row = await connection.fetchrow(_SQL["cursor"], tenant_id)
    return BEGINNING if row is None else Place(int(row["commit_xid"]), row["memory_id"])


async def waits(connection: Connection, tenant_id: UUID, generation: int) -> bool:
    """Tell whether vectors of the tenant wait for the index: neighbours cannot be found yet."""
    return bool(await connection.fetchval(for_generation(_SQL["waits"], generation), tenant_id))


async def changed(
    connection: Connection, tenant_id: UUID, after: Place, limit: int, *, only_settled: bool
) -> list[Place]:
    """Read the next memories; settled ones are those before which nothing can be committed any more."""
    values = (tenant_id, str(after.commit_xid), after.memory_id, limit, only_settled)
    rows = await connection.fetch(_SQL["changed"], *values)
    return [Place(int(row["commit_xid"]), row["memory_id"]) for row in rows]


async def edges(
    connection: Connection,
    tenant_id: UUID,
    memory_ids: Sequence[UUID],
    generation: int,
    *,
    most: int,
    least_cosine: float,
) -> list[tuple[UUID, UUID]]:
    """Read the nearest neighbours of memories and those that say the same words, at most so many of each."""
    values = (tenant_id, memory_ids, most + 1)  # itself is among them
    near = (*values, 1 - least_cosine + HALF_PRECISION)
    await connection.execute(_SQL["beam"])
    rows = await connection.fetch(for_generation(_SQL["near"], generation), *near)
    rows += await connection.fetch(_SQL["restating"], *values)
    return [(row["memory_id"], row["other_id"]) for row in rows]


async def sources(
    connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID], generation: int
) -> dict[UUID, Standing]:
    """Read those of the memories that may be digested."""
    rows = await connection.fetch(for_generation(_SQL["sources"], generation), tenant_id, memory_ids)
    if not rows:
        return {}
    vectors = normalise(np.stack([row["embedding"].to_numpy().astype(np.float32) for row in rows]))
    return {
        row["memory_id"]: Standing(Source(row["memory_id"], draft_of(row), row["recorded_at"]), row["revision"], vector)
        for row, vector in zip(rows, vectors, strict=True)
    }


async def written(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID]) -> frozenset[UUID]:
    """Tell which of these memories were written."""
    rows = await connection.fetch(_SQL["written"], tenant_id, memory_ids)
    return frozenset(row["memory_id"] for row in rows)
