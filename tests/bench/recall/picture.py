"""The main figures as a picture: bars with their intervals, one panel for each set of questions.

Rules: drawn from the report and from nothing else, so that the picture cannot say what the file does not.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes

WIDTH_INCHES, ROW_INCHES, DOTS_PER_INCH = 8.0, 0.26, 110
COLOURS = ("#9aa5b1", "#2f6f9f")  # a part alone; what the product does by default
DEFAULTS = frozenset({"hybrid + places + names", "the same, weights held out", "the same, cached rerank"})


def draw(report: Mapping[str, Any], path: Path) -> None:
    """Write the picture of a report as PNG."""
    locomo = report.get("locomo") or {}
    panels = [
        (title, figure, rows)
        for title, figure, rows in (
            ("Own fixture", "R@5", report.get("fixture")),
            ("LoCoMo evidence, categories 1 to 4", "R@10", locomo.get("categories 1 to 4")),
            ("archon, text-embedding-v4 (15 questions)", "R@3", report.get("archon")),
        )
        if rows
    ]
    heights = [len(rows) + 2 for _, _, rows in panels]
    figure, axes = plt.subplots(
        len(panels),
        1,
        figsize=(WIDTH_INCHES, ROW_INCHES * sum(heights) + 0.3),
        height_ratios=heights,
        squeeze=False,
        layout="constrained",
    )
    for (title, name, rows), panel in zip(panels, axes[:, 0], strict=True):
        _panel(panel, f"{title}: {name}, %, with 95 % intervals", name, rows)
    figure.savefig(path, dpi=DOTS_PER_INCH, metadata={"Software": None})
    plt.close(figure)


def _panel(axes: Axes, title: str, name: str, rows: Mapping[str, Any]) -> None:
    figures = [[100 * part for part in told["all"][name]] for told in rows.values()]
    values = [value for value, _, _ in figures]
    spread = [[value - low for value, low, _ in figures], [high - value for value, _, high in figures]]
    colours = [COLOURS[condition in DEFAULTS] for condition in rows]
    places = range(len(rows))
    axes.barh(places, values, xerr=spread, color=colours, error_kw={"linewidth": 1})
    axes.set_yticks(places, list(rows), fontsize=8)
    axes.tick_params(axis="x", labelsize=8)
    axes.invert_yaxis()
    axes.set_xlim(0, 112)
    for place, value, _, high in ((place, *found) for place, found in enumerate(figures)):
        axes.text(high + 1, place, f"{value:.1f}", va="center", fontsize=8)
    axes.set_title(title, fontsize=9, fontweight="bold", loc="left")
    axes.spines[["top", "right"]].set_visible(False)
