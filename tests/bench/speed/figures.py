"""The arithmetic of the speed benchmark: sizes by Zipf's law, percentiles, recall at k against an exact order.

Rules: pure. Recall at k counts what scores as well as the exact k-th: equal scores are equally right, and scores that
differ only by the rounding of stored numbers are equal.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

ROUNDING = 1e-3  # relative; halfvec has 11 significant bits (IEEE 754), so a cosine of stored vectors is off by less


def zipf_sizes(count: int, total: int) -> list[int]:
    """Return `count` sizes that sum to `total`: one each, and what is left by 1/rank.

    What rounding leaves over goes to the largest.
    """
    if count > total:
        raise ValueError("fewer memories than tenants")
    shares = 1 / np.arange(1, count + 1)
    sizes = 1 + np.floor((total - count) * shares / shares.sum()).astype(int)
    sizes[0] += total - int(sizes.sum())
    return [int(size) for size in sizes]


def percentile(values: Sequence[float], percent: float) -> float:
    """Return a percentile, between the two nearest values where it falls between them."""
    return float(np.percentile(np.asarray(values, dtype=float), percent))


def recall_at(
    k: int, found: Sequence[int], exact: Mapping[int, float] | NDArray[np.float64], *, rounding: float = ROUNDING
) -> float:
    """Return the share of the exact best k that was found; `exact` holds the score of every item that has one.

    An item of score 0 or below is no match: with fewer matches than k these are all that is wanted; with none, 1.
    """
    scores: Mapping[int, float] = exact if isinstance(exact, Mapping) else dict(enumerate(exact.tolist()))
    matches = sorted((score for score in scores.values() if score > 0), reverse=True)[:k]
    if not matches:
        return 1.0
    least = matches[-1] * (1 - rounding)
    good = {item for item in found[:k] if scores.get(item, 0.0) >= least and scores.get(item, 0.0) > 0}
    return len(good) / len(matches)
