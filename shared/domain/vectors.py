"""Embedding vectors as they cross the wire, and exact cosine search.

Rules: on the wire a vector is little-endian float32, nothing else; a vector that cannot be compared (wrong length, NaN,
infinity, all zeros) is refused before it is stored. Normalised vectors make cosine a dot product.
It does not know which model made a vector: the generation travels beside it.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from shared.domain.errors import InvalidArgument

Vector = NDArray[np.float32]

_WIRE = np.dtype("<f4")
REASON = "EMBEDDING_INVALID"


def from_bytes(raw: bytes, dimensions: int, *, field: str = "embedding") -> Vector:
    """Read a vector from its wire form.

    Shapes: (dimensions,).
    Raises: InvalidArgument EMBEDDING_INVALID naming `field`.
    """
    expected_bytes = dimensions * _WIRE.itemsize
    if len(raw) != expected_bytes:
        raise InvalidArgument.of(
            field, REASON, f"{len(raw)} bytes given, {expected_bytes} expected ({dimensions} little-endian float32)"
        )
    return _checked(np.frombuffer(raw, dtype=_WIRE).astype(np.float32), field)


def to_bytes(vector: ArrayLike, *, field: str = "embedding") -> bytes:
    """Write a vector in its wire form.

    Raises: InvalidArgument EMBEDDING_INVALID naming `field`.
    """
    return _checked(np.asarray(vector, dtype=np.float32), field).astype(_WIRE).tobytes()


def _checked(vector: Vector, field: str) -> Vector:
    if vector.ndim != 1:
        raise InvalidArgument.of(field, REASON, "one vector expected")
    if not np.isfinite(vector).all():
        raise InvalidArgument.of(field, REASON, "NaN and infinity are not accepted")
    if not vector.any():
        raise InvalidArgument.of(field, REASON, "a vector of zeros has no direction")
    return vector


def normalise(vectors: ArrayLike) -> Vector:
    """Return the vectors scaled to length 1; a zero vector stays zero.

    Shapes: (d,) or (n, d), kept.
    """
    exact = np.asarray(vectors, dtype=np.float64)
    lengths = np.linalg.norm(exact, axis=-1, keepdims=True)
    unit: NDArray[np.float64] = np.divide(exact, lengths, out=np.zeros_like(exact), where=lengths > 0)
    return unit.astype(np.float32)


def top_k(query: ArrayLike, matrix: ArrayLike, k: int) -> list[tuple[int, float]]:
    """Return (row, cosine) of the k nearest rows, nearest first: exact search, the oracle for tests and benchmarks.

    Shapes: query (d,), matrix (n, d).
    Ties: smaller row.
    """
    rows = normalise(matrix)
    if rows.size == 0 or k <= 0:
        return []
    cosines = rows @ normalise(query)
    order = np.argsort(-cosines, kind="stable")[:k]
    return [(int(row), float(cosines[row])) for row in order]
