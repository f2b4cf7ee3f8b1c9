"""The main figures as a picture: bars of R@10 with their intervals, one panel for each set of questions.

Rules: plain SVG, drawn from the report and from nothing else, so that the picture cannot say what the file does not.
"""

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

FIGURE = "R@10"
WIDTH, LABELS, BARS = 760, 250, 420
ROW, GAP, TITLE = 22, 16, 34
COLOURS = ("#9aa5b1", "#2f6f9f")  # a part alone; what the product does by default
DEFAULTS = frozenset({"hybrid + places + names", "the same, weights held out", "the same, cached rerank"})


def draw(report: Mapping[str, Any], path: Path) -> None:
    """Write the picture of a report."""
    locomo = report.get("locomo") or {}
    panels = {
        "Own fixture": report.get("fixture"),
        "LoCoMo evidence, categories 1 to 4": locomo.get("categories 1 to 4"),
        "archon, text-embedding-v4 (15 questions)": report.get("archon"),
    }
    lines: list[str] = []
    top = 8
    for title, rows in panels.items():
        if rows:
            lines.extend(_panel(f"{title}: {FIGURE}, %, with 95 % intervals", rows, top))
            top += TITLE + ROW * len(rows) + GAP
    body = "\n".join(lines)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" font-family="sans-serif" font-size="13">'
    )
    path.write_text(f'{head}\n<rect width="{WIDTH}" height="{top}" fill="white"/>\n{body}\n</svg>\n', encoding="utf-8")


def _panel(title: str, rows: Mapping[str, Any], top: int) -> Iterator[str]:
    yield f'<text x="8" y="{top + 18}" font-weight="bold">{escape(title)}</text>'
    for place, (condition, told) in enumerate(rows.items()):
        value, low, high = told["all"][FIGURE]
        y = top + TITLE + ROW * place
        middle = y + ROW // 2 - 2
        yield f'<text x="{LABELS - 8}" y="{middle + 5}" text-anchor="end">{escape(condition)}</text>'
        colour = COLOURS[condition in DEFAULTS]
        yield f'<rect x="{LABELS}" y="{y}" width="{BARS * value:.1f}" height="{ROW - 5}" fill="{colour}"/>'
        ends = f'x1="{LABELS + BARS * low:.1f}" x2="{LABELS + BARS * high:.1f}"'
        yield f'<line {ends} y1="{middle}" y2="{middle}" stroke="black"/>'
        yield f'<text x="{LABELS + BARS + 12}" y="{middle + 5}">{100 * value:.1f}</text>'
