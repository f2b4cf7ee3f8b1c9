"""Candidates for a query, and what is told of the chosen ones.

Rules: each arm brings its best ARM_LIMIT passages or memories. A scope of at most EXACT_LIMIT memories is scored
whole, so a filter costs no recall; a larger one is asked through the indexes, and scored whole after all when the graph
gave up before it found enough. As believed at an instant, every scope is scored whole. Vectors of one generation only.
It does not fuse, group or cut: the domain does.
Source: REQUIREMENTS B1, B4; DESIGN 4. The limits are chosen after the measurements there (exact: 1 ms per 1,000 rows).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import asyncpg
import numpy as np
from numpy.typing import NDArray
from pgvector import HalfVector, SparseVector

from shared.domain.tokens import TERM_ID_LIMIT
from shared.domain.types import MemoryState
from shared.store.pool import Connection
from shared.store.reads.memories import Memory, memory_of
from shared.store.reads.scopes import Scope, compose
from shared.store.reads.statistics import Generation
from shared.store.statements import for_generation, load

_SQL = load("reads/recall")

ARM_LIMIT = 100  # candidates of an arm; DESIGN 4
EXACT_LIMIT = 5_000  # memories scored whole instead of through an index (B1)
WHOLE_TENANT_LIMIT = 2_000  # memories of a tenant whose whole memory is scored without asking an index (B4)
NO_LIMIT = 2**62
FOREVER = datetime(9999, 1, 1, tzinfo=UTC)
CONTESTED_PROBE_LIMIT = 2_000  # assertions of one record that a hit is compared with (chosen, untested)


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: a vector, terms with their inverse document frequencies, or both; None leaves an arm out.

    `indexed_terms` are those whose postings fit the budget; a scope that is scored whole uses all.
    """

    vector: NDArray[np.float32] | None
    terms: Sequence[tuple[int, float]] | None
    indexed_terms: Sequence[tuple[int, float]] | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that an arm brought.

    `cosine` and `passage` (number, first character, character after the last) are of its best passage, None where the
    dense arm did not bring it; `bm25` is None where the lexical arm did not.
    """

    memory_id: UUID
    revision: int  # 0: the current one
    company_key: str
    record_key: str | None  # of an explicit record id only
    cosine: float | None
    bm25: float | None
    passage: tuple[int, int, int] | None

    @property
    def slot(self) -> tuple[str, str] | None:
        """What it takes the place of near-duplicates for; None for a memory that names no record."""
        return (self.company_key, self.record_key) if self.record_key is not None else None


@dataclass(frozen=True, slots=True)
class Candidates:
    """What the arms brought, and whether every memory of the scope was scored."""

    found: tuple[Candidate, ...]
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """A chosen memory and the attributes of its record on which open assertions differ."""

    memory: Memory
    contested: tuple[str, ...]


async def candidates(
    connection: Connection, scope: Scope, query: Query, generation: Generation, *, tenant_memories: int
) -> Candidates:
    """Find the memories of a scope that an arm ranks high; `tenant_memories` may lag."""
    believed_at = _believed_at(scope)
    if believed_at is not None:
        return await _believed(connection, scope, query, generation, believed_at)
    may_be_small = scope.is_filtered or tenant_memories <= WHOLE_TENANT_LIMIT
    if may_be_small:
        whole = await _exact(connection, scope, query, generation, EXACT_LIMIT)
        if whole is not None:
            return whole
    arms = (_half(query.vector), _sparse(query.indexed_terms))
    statement = for_generation(compose(_SQL["indexed"]), generation.number)
    rows = await connection.fetch(statement, *scope.parameters(), *arms, ARM_LIMIT, _ids(query.indexed_terms))
    passages = rows[0]["passages"] if rows else 0
    if query.vector is not None and passages < ARM_LIMIT:
        whole = await _exact(connection, scope, query, generation, NO_LIMIT)
        if whole is not None:
            return whole
    return Candidates(tuple(map(_candidate, rows)), is_exact=False)


async def hits(connection: Connection, scope: Scope, chosen: Sequence[Candidate]) -> list[Hit]:
    """Read the chosen memories, in the order given."""
    ids = [candidate.memory_id for candidate in chosen]
    believed_at = _believed_at(scope)
    if believed_at is None:
        rows = await connection.fetch(compose(_SQL["hits"]), scope.tenant_id, ids, CONTESTED_PROBE_LIMIT)
    else:
        revisions = [candidate.revision for candidate in chosen]
        rows = await connection.fetch(compose(_SQL["hits_believed"]), scope.tenant_id, ids, revisions, believed_at)
    found = {row["memory_id"]: Hit(memory_of(row, scope.known_at), tuple(row["contested"])) for row in rows}
    return [found[memory_id] for memory_id in ids]


async def _exact(
    connection: Connection, scope: Scope, query: Query, generation: Generation, limit: int
) -> Candidates | None:
    """Score a scope whole; None when it has more memories than the limit."""
    statement = for_generation(compose(_SQL["exact"], tagged=scope.starts_from_tags), generation.number)
    arms = (_half(query.vector), _sparse(query.terms))
    rows = await connection.fetch(statement, *scope.parameters(), *arms, ARM_LIMIT, limit, _ids(query.terms))
    if rows[0]["memories"] > limit:
        return None
    return Candidates(tuple(_candidate(row) for row in rows if row["memory_id"] is not None), is_exact=True)


async def _believed(
    connection: Connection, scope: Scope, query: Query, generation: Generation, at: datetime
) -> Candidates:
    statement = for_generation(compose(_SQL["believed"]), generation.number)
    arms = (_half(query.vector), _sparse(query.terms))
    rows = await connection.fetch(statement, *scope.parameters(), at, *arms, ARM_LIMIT)
    return Candidates(tuple(map(_candidate, rows)), is_exact=True)


def _believed_at(scope: Scope) -> datetime | None:
    """Return the instant as of which a scope is scored from the histories; None for what is active now.

    What is not active has its vectors and terms there, whenever it ended.
    """
    return scope.known_at or (None if scope.state is MemoryState.ACTIVE else FOREVER)


def _candidate(row: asyncpg.Record) -> Candidate:
    is_dense = row["dense_distance"] is not None
    return Candidate(
        memory_id=row["memory_id"],
        revision=row["revision"],
        company_key=row["company_key"],
        record_key=row["record_key"],
        cosine=1 - row["dense_distance"] if is_dense else None,
        bm25=-row["lexical_distance"] if row["lexical_distance"] is not None else None,
        passage=(row["passage_no"], row["char_start"], row["char_end"]) if is_dense else None,
    )


def _half(vector: NDArray[np.float32] | None) -> HalfVector | None:
    return None if vector is None else HalfVector(vector)


def _sparse(terms: Sequence[tuple[int, float]] | None) -> SparseVector | None:
    return SparseVector(dict(terms), TERM_ID_LIMIT) if terms else None


def _ids(terms: Sequence[tuple[int, float]] | None) -> list[int]:
    return [term for term, _ in terms or ()]
