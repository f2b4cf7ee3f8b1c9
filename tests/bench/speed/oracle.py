"""Exact scores of every memory of a tenant, computed here from what is stored: what the arms should have found.

Rules: vectors and term weights are read as PostgreSQL holds them, by COPY as the superuser; scores are sums of products
in numpy, and no index takes part. The dense arm's score is the cosine, the lexical one's BM25 with the stored weights,
the fused one's the weighted sum of both, each over its best. Only for tenants whose memories have one passage each.
It does not know statements of the store.
Units: a million memories of 384 dimensions take 0.8 GB for the vectors and 0.3 GB for their terms.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import asyncpg
import numpy as np
from numpy.typing import NDArray

from shared.store.migrate import DATABASE
from shared.store.reads.recall import Keeping, Query
from tests.bench.speed.homes import Home

CHUNK = 50_000  # memories whose cosines are taken at once
_HEAD_BYTES, _TUPLE_BYTES, _LENGTH_BYTES = 19, 2, 4  # of COPY's binary form (PostgreSQL's manual, COPY)
_UUID_BYTES = 16
_VECTOR_HEAD = struct.Struct(">hh")  # dimensions, unused (pgvector's halfvec)
_SPARSE_HEAD = struct.Struct(">iii")  # dimensions, non-zeros, unused (pgvector's sparsevec)

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Oracle:
    """A tenant's memories: their ids, vectors and, by term, the places and weights of the memories that have it."""

    ids: Sequence[UUID]
    places: Mapping[UUID, int]
    vectors: NDArray[np.float16]
    terms: NDArray[np.int32]
    owners: NDArray[np.int32]
    weights: NDArray[np.float32]

    def dense(self, queries: Sequence[Query]) -> list[Scores]:
        """Return the cosine of every memory with each query."""
        wanted = np.stack([query.vector for query in queries if query.vector is not None]).T
        wanted /= np.linalg.norm(wanted, axis=0)
        found = np.empty((len(queries), len(self.vectors)), dtype=np.float32)
        for start in range(0, len(self.vectors), CHUNK):
            part = self.vectors[start : start + CHUNK].astype(np.float32)
            found[:, start : start + CHUNK] = ((part @ wanted) / np.linalg.norm(part, axis=1, keepdims=True)).T
        return list(found)

    def lexical(self, query: Query) -> Scores:
        """Return the BM25 of every memory."""
        scores = np.zeros(len(self.ids), dtype=np.float32)
        for term, idf in query.terms or ():
            first, last = np.searchsorted(self.terms, [term, term + 1])
            np.add.at(scores, self.owners[first:last], np.float32(idf) * self.weights[first:last])
        return scores

    def only(self, memory_ids: Sequence[UUID]) -> NDArray[np.bool_]:
        """Return which memories these are."""
        mask = np.zeros(len(self.ids), dtype=bool)
        mask[[self.places[memory_id] for memory_id in memory_ids]] = True
        return mask


def fused(cosines: Scores, bm25: Scores, keeping: Keeping) -> Scores:
    """Return the weighted sum of both arms' scores, as candidates are kept by."""
    best_dense, best_lexical = float(cosines.max()), float(bm25.max())
    dense = np.maximum(0, cosines - keeping.dense_floor) / max(best_dense - keeping.dense_floor, 1e-9)
    lexical = bm25 / max(best_lexical, keeping.full_score, 1e-9)
    return np.asarray(keeping.dense_share * dense + keeping.lexical_share * lexical, dtype=np.float32)


async def read(home: Home, tenant: str) -> Oracle:
    """Read a tenant's memories. Raises: SystemExit when one has several passages or still waits for the index."""
    tenant_id = UUID(home.tenants[tenant])
    connection = await asyncpg.connect(home.server().dsn(DATABASE))
    try:
        ids, vectors = _vectors(await _copied(connection, "memory_vector_g1", "embedding", tenant_id))
        places = {memory_id: place for place, memory_id in enumerate(ids)}
        waiting = await connection.fetchval("SELECT count(*) FROM candor.memory_vector_g1_staging")
        if len(places) != len(ids) or waiting:
            raise SystemExit("speed: the oracle needs one passage for each memory, and none that waits")
        terms, owners, weights = _terms(await _copied(connection, "memory_lexical", "weights", tenant_id), places)
    finally:
        await connection.close()
    order = np.argsort(terms, kind="stable")
    return Oracle(ids, places, vectors, terms[order], owners[order], weights[order])


async def _copied(connection: "asyncpg.Connection[asyncpg.Record]", table: str, column: str, tenant_id: UUID) -> bytes:
    parts: list[bytes] = []

    async def take(part: bytes) -> None:
        parts.append(bytes(part))

    query = f"SELECT memory_id, {column} FROM candor.{table} WHERE tenant_id = $1"
    await connection.copy_from_query(query, tenant_id, output=take, format="binary")
    return b"".join(parts)[_HEAD_BYTES:-_TUPLE_BYTES]


def _vectors(data: bytes) -> tuple[list[UUID], NDArray[np.float16]]:
    first = _TUPLE_BYTES + _LENGTH_BYTES + _UUID_BYTES + _LENGTH_BYTES
    dimensions, _ = _VECTOR_HEAD.unpack_from(data, first)
    row = np.dtype(
        {
            "names": ["id", "vector"],
            "formats": [f"V{_UUID_BYTES}", (">f2", (dimensions,))],
            "offsets": [_TUPLE_BYTES + _LENGTH_BYTES, first + _VECTOR_HEAD.size],
            "itemsize": first + _VECTOR_HEAD.size + 2 * dimensions,
        }
    )
    rows = np.frombuffer(data, row)
    return [UUID(bytes=raw.tobytes()) for raw in rows["id"]], rows["vector"].astype(np.float16)


def _terms(data: bytes, places: Mapping[UUID, int]) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.float32]]:
    terms, owners, weights, at = [], [], [], 0
    while at < len(data):
        at += _TUPLE_BYTES + _LENGTH_BYTES
        place = places[UUID(bytes=data[at : at + _UUID_BYTES])]
        at += _UUID_BYTES + _LENGTH_BYTES
        _, count, _ = _SPARSE_HEAD.unpack_from(data, at)
        at += _SPARSE_HEAD.size
        terms.append(np.frombuffer(data, ">i4", count, at))
        weights.append(np.frombuffer(data, ">f4", count, at + 4 * count))
        owners.append(np.full(count, place, dtype=np.int32))
        at += 8 * count
    return (
        np.concatenate(terms).astype(np.int32),
        np.concatenate(owners),
        np.concatenate(weights).astype(np.float32),
    )
