"""Fusion of the dense and the lexical arm into one order, and one hit per record slot.

Rules: scores are fused, not ranks: each arm is scaled to 0..1 by min-max, weighed and added. A memory that an arm did
not return gets 0 of that arm; a caller that can complete the missing scores cheaply should. Order and score do not
depend on the order of the input. Weights are data and belong to the embedding model.
It does not know where scores come from, nor any part added after fusion (structure, salience, rerank).
Source: convex combination beats rank fusion in Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval",
2022; on LoCoMo evidence R@10 68.1 / MRR 0.514 against 68.7 / 0.475 (RRF k = 10) and 65.1 / 0.464 (k = 60). RRF: Cormack
et al., 2009.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from shared.domain.errors import Internal


class Sortable(Hashable, Protocol):
    """A key that decides ties."""

    def __lt__(self, other: Any, /) -> bool: ...


K = TypeVar("K", bound=Sortable)
T = TypeVar("T")

RRF_K = 10  # R@10 68.7 on LoCoMo evidence, 65.1 with the usual 60 (measured)
LEXICAL_FLOOR = 0.0  # the score of a memory without any of the terms, whether or not one was fetched


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """The share of each arm, positive in sum; `dense_floor` is the cosine that counts as 0 (None: the lowest)."""

    dense: float = 0.5
    lexical: float = 0.5
    dense_floor: float | None = None

    def __post_init__(self) -> None:
        if not (isfinite(self.dense) and isfinite(self.lexical) and min(self.dense, self.lexical) >= 0):
            raise ValueError("fusion weights must be finite and not negative")
        if self.dense + self.lexical <= 0:
            raise ValueError("at least one arm must have weight")


# By embedding model. Change a row only with a measurement.
WEIGHTS: Mapping[str, FusionWeights] = MappingProxyType(
    {
        # LoCoMo evidence, 1,536 questions: R@10 68.1, MRR 0.514; dense alone 59.7 / 0.391, BM25 alone 62.2 / 0.485.
        # Floor: the lowest cosine of a question in its conversation, on average. Day in the lexical text, over the
        # whole conversation: 70.8 / 0.532; best 100 of each arm: 71.0 / 0.512 without floor, 70.2 / 0.527 with it,
        # 71.0 / 0.533 with it and the scores missing in one arm completed. Chosen and measured on the same questions.
        "all-MiniLM-L6-v2": FusionWeights(dense=0.5, lexical=0.5, dense_floor=-0.1),
        # 15 questions only: equal shares lost to dense alone with stemmed terms, so dense dominates. The figure itself:
        # chosen, untested.
        "text-embedding-v4": FusionWeights(dense=0.7, lexical=0.3),
        "text-embedding-v3": FusionWeights(dense=0.7, lexical=0.3),  # as v4; untested
    }
)


def weights_for(model: str) -> FusionWeights:
    """Return the weights of an embedding model; equal shares for one that was not measured."""
    return WEIGHTS.get(model, FusionWeights())


@dataclass(frozen=True, slots=True)
class Fused(Generic[K]):
    """One memory in fused order with what made its score.

    `dense` and `lexical` are the arm's own scores, None where the arm did not return it; ranks count from 1; the two
    parts add up to `score`.
    """

    key: K
    score: float
    dense: float | None
    lexical: float | None
    dense_rank: int | None
    lexical_rank: int | None
    dense_part: float
    lexical_part: float


def min_max(scores: Mapping[K, float], *, floor: float | None = None) -> dict[K, float]:
    """Scale scores so that the highest is 1 and the lowest 0; all equal: all 1.

    With `floor` that value is 0 instead of the lowest score, lower ones are 0 too, and nothing above it means nothing
    matched: all 0.
    Raises: Internal SCORE_NOT_FINITE for NaN and infinity.
    """
    if not scores:
        return {}
    for key, value in scores.items():
        if not isfinite(value):
            raise Internal("SCORE_NOT_FINITE", f"score {value} cannot be ranked", metadata={"key": str(key)})
    low = min(scores.values()) if floor is None else floor
    span = max(scores.values()) - low
    if span <= 0:
        return dict.fromkeys(scores, 1.0 if floor is None else 0.0)
    return {key: min(1.0, max(0.0, (value - low) / span)) for key, value in scores.items()}


def fuse(dense: Mapping[K, float] | None, lexical: Mapping[K, float] | None, weights: FusionWeights) -> list[Fused[K]]:
    """Return every memory of both arms, best first.

    An arm given as None was not asked or is down: the other one decides alone, with its full weight. An empty arm found
    nothing.
    Units: scores in 0..1.
    Ties: smaller key.
    Raises: Internal SCORE_NOT_FINITE for NaN and infinity.
    """
    dense_share = 0.0 if dense is None else weights.dense
    lexical_share = 0.0 if lexical is None else weights.lexical
    total = dense_share + lexical_share
    if total == 0:  # the only arm left has no weight of its own
        dense_share, lexical_share, total = float(dense is not None), float(lexical is not None), 1.0
    dense, lexical = dense or {}, lexical or {}
    dense_parts = min_max(dense, floor=weights.dense_floor)
    lexical_parts = min_max(lexical, floor=LEXICAL_FLOOR)
    dense_ranks, lexical_ranks = _ranks(dense), _ranks(lexical)
    fused = []
    for key in dense.keys() | lexical.keys():
        dense_part = dense_share / total * dense_parts.get(key, 0.0)
        lexical_part = lexical_share / total * lexical_parts.get(key, 0.0)
        fused.append(
            Fused(
                key=key,
                score=min(1.0, dense_part + lexical_part),
                dense=dense.get(key),
                lexical=lexical.get(key),
                dense_rank=dense_ranks.get(key),
                lexical_rank=lexical_ranks.get(key),
                dense_part=dense_part,
                lexical_part=lexical_part,
            )
        )
    return _in_order(fused, lambda item: item.score, lambda item: item.key)


def reciprocal_rank(rankings: Iterable[Sequence[K]], k: int = RRF_K) -> list[tuple[K, float]]:
    """Return (key, score) fused from orders alone, for arms without comparable scores: the sum of 1 / (k + rank).

    Ties: smaller key.
    """
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + 1 / (k + rank)
    return _in_order(scores.items(), lambda item: item[1], lambda item: item[0])


def group_slots(items: Iterable[T], slot_of: Callable[[T], Hashable | None]) -> list[T]:
    """Return the items in their order with the first of each slot only; an item without slot (None) always stays."""
    seen: set[Hashable] = set()
    kept = []
    for item in items:
        slot = slot_of(item)
        if slot is not None:
            if slot in seen:
                continue
            seen.add(slot)
        kept.append(item)
    return kept


def _ranks(scores: Mapping[K, float]) -> dict[K, int]:
    ordered = _in_order(scores.items(), lambda item: item[1], lambda item: item[0])
    return {key: rank for rank, (key, _) in enumerate(ordered, 1)}


def _in_order(items: Iterable[T], score: Callable[[T], float], key: Callable[[T], Sortable]) -> list[T]:
    # Two stable sorts: the score falls while the key, which may be of any sortable kind, rises.
    return sorted(sorted(items, key=key), key=score, reverse=True)
