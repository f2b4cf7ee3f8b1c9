"""The main figures as pictures: CPU by size, the budget of postings, the peers.

Rules: drawn from the report and from nothing else, so that a picture cannot say what the file does not. A part that was
not measured has no picture.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")  # no screen

from matplotlib import pyplot
from matplotlib.axes import Axes

from tests.bench.speed import report

GOALS = {"recall, question cached": (6.0, 8.0), "recall, question new": (14.0, 16.0)}  # at 20k and at 1M (H1)
COLOURS = ("#9aa5b1", "#2f6f9f", "#b5562d", "#4d8a57", "#7a5aa6", "#c9a227")
DPI = 120


def draw(told: Mapping[str, Any], folder: Path) -> None:
    """Write a picture for each part that has one."""
    if "sizes" in told:
        _save(_sizes, told["sizes"], folder / "speed-sizes.png", 1)
    if "postings" in told:
        _save(_postings, told["postings"], folder / "speed-postings.png", 2)
    if any("skipped" not in row for _, run in report.runs(told, "peers") for row in run):
        _save(_peers, told["peers"], folder / "speed-peers.png", 2)


def _save(made: Any, told: Mapping[str, Any], path: Path, panels: int) -> None:
    figure, axes = pyplot.subplots(1, panels, figsize=(5.2 * panels + 1, 3.8), layout="constrained", squeeze=False)
    made(told, list(axes[0]))
    figure.savefig(path, dpi=DPI, metadata={"Software": ""})
    pyplot.close(figure)


def _sizes(told: Mapping[str, Any], axes: list[Axes]) -> None:
    growth = report.growth(told)
    memories = [int(row["memories"]) for row in growth]
    for colour, name in zip(
        COLOURS, (key for key in growth[0] if key != "memories" and "ratio" not in key), strict=False
    ):
        axes[0].plot(memories, [row[name] for row in growth], "o-", color=colour, label=name)
        if name in GOALS and len(memories) > 1:
            axes[0].plot([memories[0], memories[-1]], GOALS[name], ":", color=colour, label=f"goal: {name.split()[-1]}")
    axes[0].set(xscale="log", xlabel="memories of the tenant", ylabel="CPU ms a request, all processes", ylim=(0, None))
    axes[0].set_title("Recall by size, 8 clients")
    axes[0].legend(fontsize=8)


def _postings(told: Mapping[str, Any], axes: list[Axes]) -> None:
    for colour, (name, run) in zip(COLOURS, report.runs({"postings": told}, "postings"), strict=False):
        rows = [row for row in run if row["asked"] == "questions"]
        label, budgets = f"{int(name):,} memories", [row["budget"] for row in rows]
        axes[0].plot(budgets, [100 * row["of_exact_50"] for row in rows], "o-", color=colour, label=label)
        axes[1].plot(budgets, [row["cpu_ms"] for row in rows], "o-", color=colour, label=label)
    axes[0].set(
        xscale="log", xlabel="budget of postings", ylabel="%", ylim=(None, 101), title="Of exact BM25's best 50"
    )
    axes[1].set(xscale="log", xlabel="budget of postings", ylabel="ms", ylim=(0, None), title="CPU of the lexical arm")
    axes[0].legend(fontsize=8)


def _peers(told: Mapping[str, Any], axes: list[Axes]) -> None:
    rows = [row for _, run in report.runs({"peers": told}, "peers") for row in reversed(run) if row.get("clients") == 1]
    names = [row["store"] for row in rows]
    colours = [COLOURS[1] if name.startswith("Candor") else COLOURS[0] for name in names]
    for place, (figure, title) in enumerate(
        (("cpu_ms", "CPU ms a search"), ("recall_at_10", "Of the exact best 10 by cosine"))
    ):
        values = [row[figure] for row in rows]
        bars = axes[place].barh(names if place == 0 else range(len(names)), values, color=colours)
        axes[place].bar_label(bars, padding=3, fontsize=8)
        axes[place].set(title=title, xlim=(0, 1.15 * max(values)))
    axes[1].set_yticks([])
