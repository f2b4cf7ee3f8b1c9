"""How good an order is: recall at k, reciprocal rank, discounted gain; means with bootstrap intervals.

Rules: memories of one group are one: the first of them in an order stands for all. Recall and reciprocal rank look at
what answers (grade 2), gains at grades. An order that does not hold a memory holds it nowhere.
Units: shares and gains in 0..1; intervals are 95 % percentiles of means over resampled questions.
Source: nDCG of Järvelin & Kekäläinen, 2002; percentile bootstrap of Efron, 1979.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from tests.bench.recall.cases import ANSWERS

CUTS = (3, 5, 10, 20)
GAIN_CUTS = (5, 10)
NAMES = (*(f"R@{k}" for k in CUTS), "MRR", *(f"nDCG@{k}" for k in GAIN_CUTS))
RESAMPLES = 2_000
SEED = 2026

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean and its interval."""

    value: float
    low: float
    high: float


def measures(order: Sequence[str], relevant: Mapping[str, int], groups: Mapping[str, str]) -> list[float]:
    """Return the figures of one order, in the order of NAMES."""
    grades: dict[str, int] = {}
    for memory, grade in relevant.items():
        unit = groups.get(memory, memory)
        grades[unit] = max(grade, grades.get(unit, 0))
    units = list(dict.fromkeys(groups.get(memory, memory) for memory in order))
    wanted = {unit for unit, grade in grades.items() if grade >= ANSWERS}
    ranks = [rank for rank, unit in enumerate(units, 1) if unit in wanted]
    recalls = [sum(rank <= k for rank in ranks) / len(wanted) for k in CUTS]
    gains = [_gain([grades.get(unit, 0) for unit in units[:k]]) / _gain(_best(grades, k)) for k in GAIN_CUTS]
    return [*recalls, 1 / ranks[0] if ranks else 0.0, *gains]


def _best(grades: Mapping[str, int], k: int) -> list[int]:
    return sorted(grades.values(), reverse=True)[:k]


def _gain(grades: Sequence[int]) -> float:
    return float(sum((2**grade - 1) / log2(place + 1) for place, grade in enumerate(grades, 1)))


def means(rows: Matrix) -> list[Mean]:
    """Return the mean of each column. Shapes: (questions, len(NAMES))."""
    dice = np.random.default_rng(SEED)
    drawn = rows[dice.integers(len(rows), size=(RESAMPLES, len(rows)))].mean(axis=1)
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    return [Mean(float(m), float(a), float(b)) for m, a, b in zip(rows.mean(axis=0), low, high, strict=True)]


def difference(one: Matrix, other: Matrix) -> list[Mean]:
    """Return the mean of paired differences. Shapes: twice (questions, len(NAMES))."""
    return means(one - other)
