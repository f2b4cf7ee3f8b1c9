"""Memories to be paired by meaning: companies in scope, their vectors, neighbours by index, and both sides of a pair.

Rules: of companies small enough everything is read; of larger ones the neighbours that the graph gives. Vectors that
are not in the graph yet are looked at as well. It does not compare, order or judge.
Source: REQUIREMENTS C5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from shared.domain.ladder import Carrier
from shared.domain.pairs import Indices, Member
from shared.domain.types import MemoryKind, MemoryType
from shared.store.pool import Connection
from shared.store.reads.conflicts import Limits
from shared.store.statements import for_generation, load

_SQL = load("reads/pairs")


@dataclass(frozen=True, slots=True)
class Company:
    """A company in scope: memories that have vectors, and the bytes of their contents."""

    key: str
    memories: int
    content_bytes: int


@dataclass(frozen=True, slots=True)
class Vectors:
    """Members by id, the vectors of their passages (p, d), and whose each vector is (p,), rising."""

    members: tuple[Member, ...]
    passages: NDArray[np.float16]
    owners: Indices


@dataclass(frozen=True, slots=True)
class PairSide:
    """One memory of a pair: what the ladder weighs, and what a judge and a report need beside."""

    carrier: Carrier  # its raw value is the content itself
    content: str
    company: str | None
    speaker: str | None
    period: str | None
    session: str | None


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """What a judge has said before."""

    verdict: str
    confidence: float
    reason: str


async def total(connection: Connection, limits: Limits, now: datetime) -> int:
    """Count the memories in scope, those without vectors included."""
    return int(await connection.fetchval(_statement("total"), *_given(limits, now)))


async def companies(
    connection: Connection, limits: Limits, now: datetime, after: str | None, limit: int, *, with_it: bool = False
) -> list[Company]:
    """List the next companies in scope by key, `with_it` from this one on."""
    rows = await connection.fetch(_statement("companies"), *_given(limits, now), after, limit, with_it)
    return [Company(row["company_key"], row["memories"], row["content_bytes"]) for row in rows]


async def of_companies(
    connection: Connection, limits: Limits, now: datetime, keys: Sequence[str], generation: int
) -> list[Vectors]:
    """Read everything of these companies, one after another."""
    rows = await connection.fetch(_statement("ids_of_companies"), *_given(limits, now), keys)
    ids: dict[str, list[UUID]] = {}
    for row in rows:
        ids.setdefault(row["company_key"], []).append(row["memory_id"])
    members = {m.memory_id: m for m in await members_of(connection, limits, [row["memory_id"] for row in rows])}
    vectors: dict[UUID, list[NDArray[np.float16]]] = {}
    statement = for_generation(_SQL["vectors"], generation)
    for row in await connection.fetch(statement, limits.tenant_id, list(members)):
        vectors.setdefault(row["memory_id"], []).append(row["embedding"].to_numpy())
    return [_vectors([members[one] for one in of_one if one in vectors], vectors) for of_one in ids.values()]


async def ids_of_company(
    connection: Connection, limits: Limits, now: datetime, key: str, after: UUID, limit: int
) -> list[UUID]:
    """List the next memories of a company by id."""
    rows = await connection.fetch(_statement("ids_of_company"), *_given(limits, now), key, after, limit)
    return [row["memory_id"] for row in rows]


async def neighbours(
    connection: Connection,
    limits: Limits,
    now: datetime,
    ids: Sequence[UUID],
    generation: int,
    *,
    threshold: float,
    most: int,
) -> dict[tuple[UUID, UUID], float]:
    """Find the nearest others of each of these memories; return the cosine by the pair, smaller id first."""
    statement = for_generation(_statement("neighbours"), generation)
    rows = await connection.fetch(statement, *_given(limits, now), ids, 1 - threshold, most)
    found: dict[tuple[UUID, UUID], float] = {}
    for row in rows:
        low, high = sorted((row["memory_id"], row["neighbour_id"]))
        found[low, high] = max(1 - row["distance"], found.get((low, high), -1.0))
    return found


async def members_of(connection: Connection, limits: Limits, ids: Sequence[UUID]) -> list[Member]:
    """Read what a pair depends on, by id."""
    names = ("memory_id", "content", "period", "valid_from", "valid_to", "claims")
    rows = await connection.fetch(_SQL["members"], limits.tenant_id, ids)
    return [Member(*(row[name] for name in names)) for row in rows]


async def sides(connection: Connection, limits: Limits, now: datetime, ids: Sequence[UUID]) -> dict[UUID, PairSide]:
    """Read memories that are still in scope."""
    rows = await connection.fetch(_statement("sides"), *_given(limits, now), ids)
    return {
        row["memory_id"]: PairSide(
            Carrier(
                memory_id=row["memory_id"],
                kind=MemoryKind(row["kind"]),
                memory_type=MemoryType(row["memory_type"]),
                derived=row["is_derived"],
                importance=row["importance"],
                observed_at=row["valid_from"],
                recorded_at=row["recorded_at"],
                source_ref=row["source_ref"],
                raw=row["content"],
            ),
            *(row[name] for name in ("content", "company", "speaker", "period", "session")),
        )
        for row in rows
    }


async def verdicts(
    connection: Connection, tenant_id: UUID, pairs: Sequence[tuple[bytes, bytes]], model: str, prompt_version: str
) -> dict[tuple[bytes, bytes], StoredVerdict]:
    """Read what a judge has said of these statements, each pair with the smaller hash first."""
    columns = ([first for first, _ in pairs], [second for _, second in pairs])
    rows = await connection.fetch(_SQL["verdicts"], tenant_id, *columns, model, prompt_version)
    return {
        (row["first_hash"], row["second_hash"]): StoredVerdict(row["verdict"], row["confidence"], row["reason"])
        for row in rows
    }


def _vectors(members: Sequence[Member], vectors: dict[UUID, list[NDArray[np.float16]]]) -> Vectors:
    counts = [len(vectors[member.memory_id]) for member in members]
    rows = [row for member in members for row in vectors[member.memory_id]]
    passages = np.stack(rows) if rows else np.empty((0, 0), np.float16)
    return Vectors(tuple(members), passages, np.repeat(np.arange(len(members), dtype=np.int64), counts))


def _given(limits: Limits, now: datetime) -> tuple[object, ...]:
    return limits.tenant_id, limits.company_key, limits.period, limits.kind, now


@cache
def _statement(name: str) -> str:
    return _SQL[name].replace(":filters", _SQL["filters"])
