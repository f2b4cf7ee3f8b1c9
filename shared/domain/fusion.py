"""Fusion of the dense and the lexical arm into one order, and few hits per slot.

Rules: scores are fused, not ranks: each arm is scaled to 0..1 by min-max, weighed and added. A memory that an arm did
not return gets 0 of that arm; a caller that can complete the missing scores cheaply should. Order and score do not
depend on the order of the input. Weights are data (ranking_weights.py).
It does not know where scores come from, nor how the parts after fusion (structure, rerank) come about.
Source: convex combination beats rank fusion in Bruch et al., "An Analysis of Fusion Functions for Hybrid Retrieval",
2022; on LoCoMo evidence R@10 68.1 / MRR 0.514 against 68.7 / 0.475 (RRF k = 10) and 65.1 / 0.464 (k = 60). RRF: Cormack
et al., 2009.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

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
    """The share of each arm, positive in sum, and what counts as 0 and as 1 of it.

    `dense_floor` is the cosine that counts as 0. The best words found count as 1 only if they hold `full_match` of the
    weight of the question's words, so that a chance word does not speak as loudly as a whole match.
    """

    dense: float = 0.5
    lexical: float = 0.5
    dense_floor: float = 0.0
    full_match: float = 0.0

    def __post_init__(self) -> None:
        if not (isfinite(self.dense) and isfinite(self.lexical) and min(self.dense, self.lexical) >= 0):
            raise ValueError("fusion weights must be finite and not negative")
        if self.dense + self.lexical <= 0:
            raise ValueError("at least one arm must have weight")

    def shares(self, *, dense: bool, lexical: bool) -> tuple[float, float]:
        """Return the shares of the arms that take part; one that is left alone has all, whatever its weight."""
        given = (self.dense * dense, self.lexical * lexical)
        total = sum(given)
        if total == 0:
            given, total = (float(dense), float(lexical)), 1.0
        return given[0] / total, given[1] / total


class Fused(NamedTuple, Generic[K]):
    """One memory in fused order with what made its score.

    `dense` and `lexical` are the arm's own scores, None where the arm did not return it; ranks count from 1. The two
    parts add up to `fused`; `structure` and `subject` are what its place added (structure.py), `salience` is
    what breaks near ties (tie_break.py), None where it is not known; `score` orders the list.
    """

    key: K
    score: float
    dense: float | None
    lexical: float | None
    dense_rank: int | None
    lexical_rank: int | None
    dense_part: float
    lexical_part: float
    structure: float = 0.0
    subject: float = 0.0
    salience: float | None = None

    @property
    def fused(self) -> float:
        """The weighted sum of both arms, before its place counts."""
        return min(1.0, self.dense_part + self.lexical_part)


def min_max(scores: Mapping[K, float], *, floor: float, best: float | None = None) -> dict[K, float]:
    """Scale scores so that the highest, or `best`, is 1 and `floor` is 0.

    Lower ones are 0 too, and nothing above the floor means nothing matched: all 0.
    Raises: Internal SCORE_NOT_FINITE for NaN and infinity.
    """
    if not scores:
        return {}
    for key, value in scores.items():
        if not isfinite(value):
            raise Internal("SCORE_NOT_FINITE", f"score {value} cannot be ranked", metadata={"key": str(key)})
    span = (max(scores.values()) if best is None else best) - floor
    if span <= 0:
        return dict.fromkeys(scores, 0.0)
    return {key: min(1.0, max(0.0, (value - floor) / span)) for key, value in scores.items()}


def fuse(
    dense: Mapping[K, float] | None,
    lexical: Mapping[K, float] | None,
    weights: FusionWeights,
    *,
    best_dense: float | None = None,
    best_lexical: float | None = None,
) -> list[Fused[K]]:
    """Return every memory of both arms, best first.

    An arm given as None was not asked or is down: the other one decides alone, with its full weight. An empty arm found
    nothing. The best scores are those of all that were compared, where the memories given are but some of them.
    Units: scores in 0..1.
    Ties: smaller key.
    Raises: Internal SCORE_NOT_FINITE for NaN and infinity.
    """
    dense_share, lexical_share = weights.shares(dense=dense is not None, lexical=lexical is not None)
    dense, lexical = dense or {}, lexical or {}
    dense_parts = min_max(dense, floor=weights.dense_floor, best=best_dense)
    lexical_parts = min_max(lexical, floor=LEXICAL_FLOOR, best=best_lexical)
    dense_ranks, lexical_ranks = _ranks(dense), _ranks(lexical)
    fused = []
    for key in dense.keys() | lexical.keys():
        dense_part = dense_share * dense_parts.get(key, 0.0)
        lexical_part = lexical_share * lexical_parts.get(key, 0.0)
        fused.append(
            Fused(
                key,
                min(1.0, dense_part + lexical_part),
                dense.get(key),
                lexical.get(key),
                dense_ranks.get(key),
                lexical_ranks.get(key),
                dense_part,
                lexical_part,
            )
        )
    return sorted(fused, key=lambda item: (-item.score, item.key))


def reciprocal_rank(rankings: Iterable[Sequence[K]], k: int = RRF_K) -> list[tuple[K, float]]:
    """Return (key, score) fused from orders alone, for arms without comparable scores: the sum of 1 / (k + rank).

    Ties: smaller key.
    """
    scores: dict[K, float] = {}
    for ranking in rankings:
        for rank, key in enumerate(ranking, 1):
            scores[key] = scores.get(key, 0.0) + 1 / (k + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def group_slots(items: Iterable[T], slot_of: Callable[[T], Hashable | None], most: int = 1) -> list[T]:
    """Return the items in their order, the first `most` of each slot; an item without slot (None) always stays."""
    seen: dict[Hashable, int] = {}
    kept = []
    for item in items:
        slot = slot_of(item)
        if slot is not None:
            seen[slot] = seen.get(slot, 0) + 1
            if seen[slot] > most:
                continue
        kept.append(item)
    return kept


def _ranks(scores: Mapping[K, float]) -> dict[K, int]:
    ordered = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
    return {key: rank for rank, (key, _) in enumerate(ordered, 1)}
