"""Figures of a run: accuracy by kind, paired differences with intervals, slopes, percentiles.

Rules: probes on one slot of one life depend on each other, so the bootstrap draws such groups, not probes. Intervals
are 95 %. A slope's interval is that of ordinary least squares; counts of neighbouring days depend on each other, so it
is rather too narrow. The random source is given.
It does not know agents.
Source: Efron & Tibshirani, "An Introduction to the Bootstrap", 1993 (percentile interval); textbook least squares.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import fmean, stdev

import numpy as np

RESAMPLES = 2_000
CONFIDENCE_TAILS_PERCENT = (2.5, 97.5)
NORMAL_QUANTILE = 1.96  # 97.5 % of the normal distribution; the series have 60 days and more
_STUDENT_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)  # 97.5 %, by degrees of freedom
LAST_SHARE = 1 / 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one agent did on one probe. `probe` numbers the probes of a life; two agents meet on (life, probe)."""

    life: str
    probe: int
    slot: str
    kind: str
    correct: bool
    stale: bool
    answered: bool
    read_tokens: int
    recall_ms: float
    day: float = 0.0


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


def accuracy(outcomes: Iterable[Outcome]) -> float:
    """Return the share of right answers; 0 without any."""
    marks = [outcome.correct for outcome in outcomes]
    return sum(marks) / len(marks) if marks else 0.0


def by_kind(outcomes: Iterable[Outcome]) -> Mapping[str, list[Outcome]]:
    """Return the outcomes of each kind of probe, kinds sorted."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.kind].append(outcome)
    return dict(sorted(groups.items()))


def paired_difference(
    ours: Sequence[Outcome], theirs: Sequence[Outcome], rng: np.random.Generator, resamples: int = RESAMPLES
) -> Interval:
    """Return the difference in accuracy, ours less theirs, over the same probes.

    Raises: ValueError when the two did not answer the same probes.
    """
    other = {(outcome.life, outcome.probe): outcome for outcome in theirs}
    if len(other) != len(theirs) or {(o.life, o.probe) for o in ours} != other.keys() or len(ours) != len(theirs):
        raise ValueError("the two agents did not answer the same probes")
    groups: dict[tuple[str, str], list[int]] = defaultdict(list)
    for outcome in ours:
        groups[outcome.life, outcome.slot].append(
            int(outcome.correct) - int(other[outcome.life, outcome.probe].correct)
        )
    if not groups:
        return Interval(0.0, 0.0, 0.0)
    sums = np.array([sum(group) for group in groups.values()], dtype=np.float64)
    sizes = np.array([len(group) for group in groups.values()], dtype=np.float64)
    drawn = rng.integers(0, len(sums), size=(resamples, len(sums)))
    means = sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)
    low, high = np.percentile(means, CONFIDENCE_TAILS_PERCENT)
    return Interval(float(sums.sum() / sizes.sum()), float(low), float(high))


def slope(days: Sequence[float], counts: Sequence[float]) -> Interval:
    """Return the change a day of a series by least squares.

    Raises: ValueError for fewer than three points or days that are all the same.
    """
    x, y = np.asarray(days, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    spread = float(((x - x.mean()) ** 2).sum()) if len(x) else 0.0
    if len(x) < 3 or spread == 0:
        raise ValueError("a slope needs three points on different days")
    value = float(((x - x.mean()) * (y - y.mean())).sum()) / spread
    residuals = y - y.mean() - value * (x - x.mean())
    error = sqrt(float((residuals**2).sum()) / (len(x) - 2) / spread)
    return Interval(value, value - NORMAL_QUANTILE * error, value + NORMAL_QUANTILE * error)


def mean(values: Sequence[float]) -> Interval:
    """Return the mean of independent values by Student's t; without width for a single one."""
    middle, freedom = fmean(values), len(values) - 1
    if not freedom:
        return Interval(middle, middle, middle)
    quantile = _STUDENT_QUANTILES[min(freedom, len(_STUDENT_QUANTILES)) - 1]
    error = quantile * stdev(values) / sqrt(len(values))
    return Interval(middle, middle - error, middle + error)


def last_third(series: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Return the days and counts of the last third of the time a series spans."""
    start, end = series[0][0], series[-1][0]
    tail = [(day, count) for day, count in series if day >= end - (end - start) * LAST_SHARE]
    return [day for day, _ in tail], [count for _, count in tail]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least the share of all values does not exceed (nearest rank); 0 without any."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)] if ordered else 0.0
