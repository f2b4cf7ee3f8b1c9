"""Draws what a run of the life benchmark shows over time: live memories, read tokens, accuracy by kind of probe.

Rules: means over the lives; time in steps of twenty days. It does not know how agents work. Source: REQUIREMENTS D9.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import matplotlib as mpl

from tests.bench.life.metrics import Outcome
from tests.bench.life.runner import Run

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure  # after the backend

STEP_DAYS = 20
WIDE, HIGH = 9, 5.5  # inches
DOTS_PER_INCH = 110


def draw(runs: Mapping[str, Sequence[Run]], budget: int, folder: Path) -> None:
    """Write life-live.png, life-tokens.png and life-accuracy.png into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    figure, axes = plt.subplots(figsize=(WIDE, HIGH))
    for of in runs.values():
        counts: dict[float, list[float]] = defaultdict(list)
        for each in of:
            for day, count in each.live:
                counts[day].append(count)
        days = sorted(counts)
        axes.plot(days, [fmean(counts[day]) for day in days], label=of[0].agent)
    axes.set(xlabel="day", ylabel="live memories", title="Live memories")
    _write(figure, axes, folder / "life-live.png")

    figure, axes = plt.subplots(figsize=(WIDE, HIGH))
    for of in runs.values():
        axes.plot(*_series(of, lambda outcome: float(outcome.read_tokens)), label=of[0].agent)
    axes.axhline(budget, color="black", linestyle=":", label="budget")
    axes.set(xlabel="day", ylabel="tokens of a recall", title="Read tokens a query", ylim=(0, None))
    _write(figure, axes, folder / "life-tokens.png")

    kinds = sorted({outcome.kind for of in runs.values() for each in of for outcome in each.outcomes})
    figure, grid = plt.subplots(3, 5, figsize=(2 * WIDE, 2 * HIGH), sharex=True, sharey=True)
    for axes, kind in zip(grid.flat, kinds, strict=False):
        for of in runs.values():
            axes.plot(*_series(of, lambda outcome: float(outcome.correct), kind), label=of[0].agent)
        axes.set(title=kind, ylim=(-0.05, 1.05))
    handles, labels = grid.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower right", fontsize="small")
    figure.supxlabel("day")
    figure.supylabel("right answers")
    figure.tight_layout()
    figure.savefig(folder / "life-accuracy.png", dpi=DOTS_PER_INCH)
    plt.close(figure)


def _series(of: Sequence[Run], value: Callable[[Outcome], float], kind: str = "") -> tuple[list[int], list[float]]:
    """Return the steps of time that have probes, and the mean over them."""
    steps: dict[int, list[float]] = defaultdict(list)
    for each in of:
        for outcome in each.outcomes:
            if kind in ("", outcome.kind):
                steps[int(outcome.day) // STEP_DAYS * STEP_DAYS].append(value(outcome))
    days = sorted(steps)
    return days, [fmean(steps[day]) for day in days]


def _write(figure: Figure, axes: Axes, path: Path) -> None:
    axes.legend(fontsize="small")
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, dpi=DOTS_PER_INCH)
    plt.close(figure)
