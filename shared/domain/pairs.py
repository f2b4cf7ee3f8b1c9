"""Which two memories are worth judging by meaning, and in what order.

Rules: a pair is of one company (or both of none), as near as the embedding model's gate asks, of no two different
periods, of no two valid intervals that end before each other, and no restatement. Order: falling similarity, then
ids; nothing of it depends on the order of the input. Similarity counts at six decimals, so that ties are ties.
A restatement has the same words after folding, or asserts the same of the same record while figures, denials and poles
of the two texts agree: equal metadata under opposite sentences is no restatement.
It does not know the database and judges nothing.
Source: REQUIREMENTS C5; the gates were measured (MiniLM: 0.50 keeps all of 34 known contradictions, 0.75 73 %).
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from types import MappingProxyType
from typing import NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from shared.domain.polarity import clauses
from shared.domain.quantities import quantities
from shared.domain.text import fold

GATE_COSINES: Mapping[str, float] = MappingProxyType(
    {
        "text-embedding-v4": 0.75,
        "text-embedding-v3": 0.75,  # as its successor (chosen, untested)
        "all-MiniLM-L6-v2": 0.50,
    }
)
OTHER_GATE_COSINE = 0.75  # of a model that was not measured: the reference's default (chosen, untested)

NEIGHBOURS = 10  # of a memory in a large company (chosen, untested)
EXACT_MAX_MEMORIES = 5_000  # of a company that is compared whole: 0.5 ms a memory, the graph takes 1.5 (measured)
EXACT_MAX_BYTES = 8 * 1024 * 1024  # of their contents together (chosen, untested)
KEPT_PAIRS = 100_000  # in hand at a time; the next ones are looked for again (chosen, untested)
SEEN_PAIRS = 500_000  # told apart when they are found from both sides (chosen, untested)
MICRO = 1_000_000  # similarities are ordered as whole millionths
_BLOCK_ROWS = 512  # of a similarity matrix at a time
_DIGEST_BYTES = 16

Indices = NDArray[np.int64]
Matrix = NDArray[np.float64]


def gate_cosine(model: str) -> float:
    """Return the cosine that a pair must reach under an embedding model."""
    return GATE_COSINES.get(model, OTHER_GATE_COSINE)


class Place(NamedTuple):
    """A pair where it stands in the order: similarity in millionths, negative; smaller id; larger id."""

    falling: int
    first: UUID
    second: UUID

    @property
    def similarity(self) -> float:
        """Return the cosine, at six decimals."""
        return -self.falling / MICRO


@dataclass(frozen=True, slots=True)
class Member:
    """A memory as far as a pair depends on it; `claims` identifies its open assertions, empty for none."""

    memory_id: UUID
    content: str
    period: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    claims: str = ""


@dataclass(frozen=True, slots=True)
class Sifted:
    """Eligible pairs by the places of their members (first < second), and how many were restatements."""

    micros: Indices
    first: Indices
    second: Indices
    restatements: int


def wording_of(content: str) -> bytes:
    """Return what identifies a content's words after folding."""
    return blake2b(fold(content).encode(), digest_size=_DIGEST_BYTES).digest()


def bearing_of(content: str) -> bytes:
    """Return what identifies a content's figures, poles and denied words: opposed texts differ in it."""
    parts: list[object] = []
    for clause in clauses(content):
        parts += sorted((stance.axis, stance.pole, stance.denied) for stance in clause.stances)
        parts += sorted(clause.negated)
    for figure in quantities(content):
        parts.append((figure.kind, figure.numbers, figure.units, figure.days) if figure.numbers else figure.text)
    return blake2b("\0".join(sorted(map(repr, parts))).encode(), digest_size=_DIGEST_BYTES).digest()


def compare_all(members: Sequence[Member], vectors: NDArray[np.float16], owners: Indices, threshold: float) -> Sifted:
    """Compare every two members of a company by their nearest passages.

    Shapes: vectors (p, d), owners (p,): the place of each passage's member, rising.
    """
    unit = _unit(vectors)
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    with_vectors = owners[starts]
    least = round(threshold * MICRO)
    found: list[tuple[Indices, Indices, Indices]] = []
    for top in range(0, len(starts), _BLOCK_ROWS):
        begin, end = starts[top], [*starts, len(owners)][min(top + _BLOCK_ROWS, len(starts))]
        cosines = np.maximum.reduceat(unit[begin:end] @ unit.T, starts, axis=1)
        cosines = np.maximum.reduceat(cosines, starts[top : top + _BLOCK_ROWS] - begin, axis=0)
        micros = np.rint(cosines * MICRO).astype(np.int64)
        rows, columns = np.nonzero(micros >= least)
        upper = columns > rows + top
        rows, columns = rows[upper], columns[upper]
        found.append((micros[rows, columns], with_vectors[rows + top], with_vectors[columns]))
    if not found:
        none = np.empty(0, np.int64)
        return Sifted(none, none, none, 0)
    micros, first, second = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return sift(members, micros, first, second)


def sift(members: Sequence[Member], micros: Indices, first: Indices, second: Indices) -> Sifted:
    """Leave out pairs of different periods or of intervals apart, and restatements, which are counted."""
    periods = _codes([member.period for member in members])
    begins = np.array([_seconds(member.valid_from, -np.inf) for member in members])
    ends = np.array([_seconds(member.valid_to, np.inf) for member in members])
    may_meet = (periods[first] < 0) | (periods[second] < 0) | (periods[first] == periods[second])
    may_meet &= (ends[first] > begins[second]) & (ends[second] > begins[first])
    micros, first, second = micros[may_meet], first[may_meet], second[may_meet]
    wordings = _codes(_read(members, wording_of, first, second))
    claims = _codes([member.claims or None for member in members])
    agreeing = (claims[first] >= 0) & (claims[first] == claims[second])
    bearings = _codes(_read(members, bearing_of, first[agreeing], second[agreeing]))
    repeats = (wordings[first] == wordings[second]) | (agreeing & (bearings[first] == bearings[second]))
    return Sifted(micros[~repeats], first[~repeats], second[~repeats], int(repeats.sum()))


@dataclass(slots=True)
class Collection:
    """The first pairs after a place, at most `most`, and how many were found altogether."""

    after: Place | None = None
    most: int = KEPT_PAIRS
    eligible: int = 0
    restatements: int = 0
    is_exact: bool = True
    _kept: set[Place] = field(default_factory=set)
    _floor: int = 0
    _seen: set[int] = field(default_factory=set)

    def add(self, members: Sequence[Member], sifted: Sifted, *, found_once: bool = True) -> None:
        """Add pairs of members in the order of their ids; pairs not `found_once` may come again."""
        self.restatements += sifted.restatements
        if found_once:
            self.eligible += len(sifted.micros)
        self._keep(members, sifted)
        if not found_once:
            for low, high in zip(sifted.first.tolist(), sifted.second.tolist(), strict=True):
                self._count(hash((members[low].memory_id, members[high].memory_id)))

    def places(self) -> list[Place]:
        """Return the pairs in order."""
        return heapq.nsmallest(self.most, self._kept)

    def _keep(self, members: Sequence[Member], sifted: Sifted) -> None:
        order = np.lexsort((sifted.second, sifted.first, -sifted.micros))
        micros = sifted.micros[order]
        chosen = order[(micros >= self._floor) & (True if self.after is None else micros <= -self.after.falling)]
        taken = 0
        for micro, low, high in zip(
            *(a[chosen].tolist() for a in (sifted.micros, sifted.first, sifted.second)), strict=True
        ):
            place = Place(-micro, members[low].memory_id, members[high].memory_id)
            if self.after is not None and place <= self.after:
                continue
            self._kept.add(place)
            taken += 1
            if taken == self.most:
                break
        if len(self._kept) > 2 * self.most:
            self._kept = set(self.places())
            self._floor = -max(self._kept).falling

    def _count(self, pair: int) -> None:
        if pair in self._seen:
            return
        if len(self._seen) < SEEN_PAIRS:
            self._seen.add(pair)
            self.eligible += 1
        else:
            self.is_exact = False


def statement_hash(tenant_id: UUID, key: bytes, *parts: str | None) -> bytes:
    """Return 32 bytes that are the same for the same statement of the same tenant, and tell nothing without the key."""
    digest = blake2b(tenant_id.bytes, key=key, digest_size=32)
    for part in parts:
        encoded = b"" if part is None else part.encode()
        digest.update((-1 if part is None else len(encoded)).to_bytes(8, "big", signed=True) + encoded)
    return digest.digest()


def _unit(vectors: NDArray[np.float16]) -> Matrix:
    # Doubles: a sum is then the same to six decimals whatever block it is computed in.
    exact = vectors.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1, keepdims=True)
    unit: Matrix = np.divide(exact, lengths, out=np.zeros_like(exact), where=lengths > 0)
    return unit


def _seconds(moment: datetime | None, otherwise: float) -> float:
    return otherwise if moment is None else moment.timestamp()


def _read(members: Sequence[Member], reader: Callable[[str], bytes], *places: Indices) -> list[bytes | None]:
    """Read the contents of the members at these places only."""
    found: list[bytes | None] = [None] * len(members)
    for place in np.unique(np.concatenate(places)).tolist():
        found[place] = reader(members[place].content)
    return found


def _codes(values: Sequence[object]) -> Indices:
    """Number equal values alike; -1 for None."""
    numbers: dict[object, int] = {}
    return np.array([-1 if v is None else numbers.setdefault(v, len(numbers)) for v in values], np.int64)
