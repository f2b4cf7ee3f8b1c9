"""Which memories are repeats of each other: clusters by complete link over the edges that a vector index gives.

Rules: only memories of one lane are ever linked: of the same kind and type (a digest counts as a fact), subject,
record, period, speaker, counterparty and expiry, which claim the same values and agree in figures, names, denials and
poles. Within a lane two are linked where their vectors are near or their words are the same. A cluster holds no two
that are not linked; it has three members, or two that say the same words. Edges only propose: each link is computed.
The work is bounded by edges and the size of a cluster, not by the number of pairs.
Ties: nearer edges first, then by id; so the result does not depend on the order of the input.
It does not know the database, nor what a cluster becomes (digest.py).
Source: REQUIREMENTS D4; complete link: Defays 1977, restricted to the edges of a nearest-neighbour graph.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from uuid import UUID

import numpy as np

from shared.domain.claims import claims_of
from shared.domain.pairs import bearing_of
from shared.domain.records import record_key
from shared.domain.text import company_key, fold
from shared.domain.types import Draft, MemoryType
from shared.domain.vectors import Vector

LINK_COSINE = 0.85  # below the 0.92 of a duplicate at write, since dates are embedded too; chosen, untested
CLUSTER_MAX = 50  # members; bounds the pairs of one merge to 625; chosen, untested
CLUSTER_MIN = 3  # of memories that are near; two where they say the same words
TEXTS_KEPT = 4_096  # of the last ones compared: some megabytes (chosen, untested)
_SAME_WORDS = 2.0  # ranks above every cosine
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[^\W\d_a-z][\w'-]*")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory that may be a repeat. `text` is folded; `vector` is of length 1."""

    memory_id: UUID
    lane: Hashable
    text: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class Clustering:
    """The clusters, members by id, and how many pairs were compared."""

    clusters: tuple[tuple[UUID, ...], ...]
    pairs: int


def lane_of(draft: Draft, text: str) -> Hashable:
    """Return what repeats must have in common; `text` is the memory's own words. A digest is a fact among facts."""
    aged = MemoryType.SEMANTIC if draft.memory_type is MemoryType.CONSOLIDATED else draft.memory_type
    claims = sorted({(claim.attribute, claim.canonical) for claim in claims_of(draft.metadata_json)})
    return (
        *(draft.kind, aged, draft.period, draft.speaker, draft.expires_at),
        *(company_key(draft.company or ""), record_key(draft.record, draft.source_ref)),
        *(company_key(draft.counterparty or ""), tuple(claims)),
        *_tells_apart(text),
    )


@lru_cache(maxsize=TEXTS_KEPT)
def _tells_apart(text: str) -> tuple[Hashable, ...]:
    """Return what must agree in the words of repeats; kept for a while, as a memory is many others' neighbour."""
    return bearing_of(text), tuple(fold(name) for name in _NAME.findall(text))


def cluster(candidates: Iterable[Candidate], edges: Iterable[tuple[UUID, UUID]]) -> Clustering:
    """Cluster candidates along the edges, and along equal words; edges to others are passed over."""
    held = {one.memory_id: one for one in sorted(candidates, key=lambda one: one.memory_id)}
    proposed = {(min(a, b), max(a, b)) for a, b in edges if a != b and a in held and b in held}
    by_words: dict[tuple[Hashable, str], list[UUID]] = defaultdict(list)
    for one in held.values():
        by_words[one.lane, one.text].append(one.memory_id)
    proposed.update(pair for ids in by_words.values() for pair in pairwise(ids))
    weighed = []
    for a, b in proposed:
        if held[a].lane == held[b].lane:
            weight = _weight(held[a], held[b])
            if weight >= LINK_COSINE:
                weighed.append((-round(weight, 6), a, b))
    pairs = len(weighed)
    of: dict[UUID, list[Candidate]] = {memory_id: [one] for memory_id, one in held.items()}
    for _, a, b in sorted(weighed):
        first, second = of[a], of[b]
        if first is second or len(first) + len(second) > CLUSTER_MAX:
            continue
        pairs += len(first) * len(second)
        if _all_linked(first, second):
            first.extend(second)
            for one in second:
                of[one.memory_id] = first
    distinct = {id(members): members for members in of.values() if _is_cluster(members)}
    return Clustering(
        tuple(sorted(tuple(sorted(one.memory_id for one in members)) for members in distinct.values())), pairs
    )


def _weight(one: Candidate, other: Candidate) -> float:
    return _SAME_WORDS if one.text == other.text else float(one.vector @ other.vector)


def _all_linked(first: Sequence[Candidate], second: Sequence[Candidate]) -> bool:
    cosines = np.stack([one.vector for one in first]) @ np.stack([one.vector for one in second]).T
    rows, columns = np.nonzero(cosines < LINK_COSINE)
    apart = zip(rows.tolist(), columns.tolist(), strict=True)
    return all(first[row].text == second[column].text for row, column in apart)


def _is_cluster(members: Sequence[Candidate]) -> bool:
    return len(members) >= CLUSTER_MIN or (len(members) > 1 and len({one.text for one in members}) == 1)
