"""What the enrichment of a turn plans by: the turn, what is held of its lanes, and the neighbours of its facts.

Rules: these are reads of a moment; the writing transaction reads again what has changed. Turns are nobody's
neighbours: their facts are. It does not compare, judge or place.
Source: REQUIREMENTS D3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg
import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector

from shared.domain.supersession import Held
from shared.domain.types import Draft, MemoryState
from shared.store.pool import Connection
from shared.store.statements import for_generation, load
from shared.store.writes.plans import draft_of

_SQL = load("reads/enrichment")


@dataclass(frozen=True, slots=True)
class TurnRead:
    """A turn as it stands; `snapshot` is what was seen when it was read."""

    draft: Draft
    state: MemoryState
    revision: int
    recorded_at: datetime
    is_enriched: bool
    snapshot: str
    has_changed: bool


class Said(NamedTuple):
    """A memory and what it says of an attribute of a record."""

    record_key: str
    attribute: str
    raw: str
    canonical: str
    held: Held


class Restated(NamedTuple):
    """A memory that says the words of which this is the hash."""

    content_hash: bytes
    held: Held


class Neighbour(NamedTuple):
    """A memory near a fact, as a judge is told of it."""

    held: Held
    content: str
    kind: str
    speaker: str | None
    period: str | None
    record_key: str | None
    metadata: str


async def turn(connection: Connection, tenant_id: UUID, memory_id: UUID, since: str | None = None) -> TurnRead | None:
    """Read a turn; None when there is no such memory. `since` is the snapshot that a change is told from."""
    row = await connection.fetchrow(_SQL["turn"], tenant_id, memory_id, since)
    if row is None:
        return None
    state, said = MemoryState(row["state"]), draft_of(row)
    seen = (row["is_enriched"], row["snapshot"], row["has_changed"])
    return TurnRead(said, state, row["revision"], row["recorded_at"], *seen)


async def known(connection: Connection, tenant_id: UUID, record_key: str, most: int) -> list[tuple[str, str]]:
    """Read (attribute, raw value) of the slots that a record has now."""
    rows = await connection.fetch(_SQL["known"], tenant_id, record_key, most)
    return [(row["attribute"], row["raw"]) for row in rows]


async def lanes(connection: Connection, tenant_id: UUID, attributes: Sequence[tuple[str, str]]) -> list[Said]:
    """Read what memories say, or said until they ended, of attributes of records."""
    if not attributes:
        return []
    columns = ([attribute[part] for attribute in attributes] for part in range(2))
    rows = await connection.fetch(_SQL["lane"], tenant_id, *columns)
    return [Said(row["record_key"], row["attribute"], row["raw"], row["canonical"], _held(row)) for row in rows]


async def restated(connection: Connection, tenant_id: UUID, hashes: Sequence[bytes]) -> list[Restated]:
    """Read the active and the forgotten memories that say the same words of the same record."""
    if not hashes:
        return []
    rows = await connection.fetch(_SQL["restated"], tenant_id, hashes)
    return [Restated(bytes(row["content_hash"]), _held(row)) for row in rows]


async def rare_terms(connection: Connection, tenant_id: UUID, terms: Sequence[int], most: int) -> list[int]:
    """Keep those of the terms that at most so many memories hold."""
    return [row["term_id"] for row in await connection.fetch(_SQL["rare"], tenant_id, terms, most)]


async def nearest(
    connection: Connection,
    tenant_id: UUID,
    record_key: str,
    vector: NDArray[np.float32],
    generation: int,
    *,
    least_cosine: float,
    most: int,
) -> list[tuple[float, Neighbour]]:
    """Read the neighbours nearest to a vector, with their cosines."""
    statement = for_generation(_statement("nearest"), generation)
    rows = await connection.fetch(statement, tenant_id, record_key, HalfVector(vector), 1 - least_cosine, most)
    return [(1 - row["distance"], _neighbour(row)) for row in rows]


async def sharing(
    connection: Connection, tenant_id: UUID, record_key: str, terms: Sequence[int], *, least: int, most: int
) -> list[Neighbour]:
    """Read the neighbours that hold at least so many of the terms."""
    rows = await connection.fetch(_statement("sharing"), tenant_id, record_key, terms, least, most)
    return [_neighbour(row) for row in rows]


async def merged_into(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID]) -> list[Held]:
    """Read the memories, but turns, that these speak for."""
    return [_held(row) for row in await connection.fetch(_SQL["merged_into"], tenant_id, memory_ids)]


def _neighbour(row: asyncpg.Record) -> Neighbour:
    names = ("content", "kind", "speaker", "period", "record_key", "metadata")
    return Neighbour(_held(row), *(row[name] for name in names))


def _held(row: asyncpg.Record) -> Held:
    given: dict[str, Any] = {name: row[name] for name in ("memory_id", "since", "recorded_at", "until")}
    return Held(
        **given, state=MemoryState(row["state"]), superseded_by=row["superseded_by"], mentioned=row["mentioned_at"]
    )


@cache
def _statement(name: str) -> str:
    return _SQL[name].replace(":neighbour", _SQL["neighbour"]).replace(":told", _SQL["told"])
