"""The sides of a conflict on a line of time: who said what when, and which side the policy would trust.

Rules: a side stands where its fact was observed, else where it was recorded; sides that stand close are told in
rows of their own. It does not know how a side is chosen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from gateway.explorer.charts.svg import element, picture, scale

WIDTH, ROW, AXIS = 360.0, 22.0, 26.0
LABEL_CHARACTERS = 22  # that fit beside a mark at the width of a phone; measured by eye
MOST_SIDES = 8


@dataclass(frozen=True, slots=True)
class Side:
    """One side: a short name, when it was said, and whether the policy would trust it."""

    name: str
    at: datetime
    recommended: bool = False


def draw(sides: Sequence[Side]) -> Markup:
    """Return the picture; empty without sides. Of many only the first eight are drawn."""
    drawn = list(sides)[:MOST_SIDES]
    if not drawn:
        return Markup("")
    line = scale([side.at for side in drawn], 10, WIDTH - 10)
    base = ROW * len(drawn) + 6
    marks = [mark for row, side in enumerate(drawn) for mark in _mark(side, line(side.at), row, base)]
    axis = element("line", x1=0, x2=WIDTH, y1=base, y2=base, class_="axis")
    ends = [drawn[0]] if line.first == line.last else [min(drawn, key=_at), max(drawn, key=_at)]
    labels = [
        element("text", line.label(side.at), x=x, y=base + 16, text_anchor=anchor, class_="tick")
        for side, x, anchor in zip(ends, (0, WIDTH), ("start", "end"), strict=False)
    ]
    told = "; ".join(f"{side.at:%Y-%m-%d}: {side.name}{', recommended' * side.recommended}" for side in drawn)
    return picture(f"The sides in time. {told}", WIDTH, base + AXIS, axis, *marks, *labels, class_="sides")


def _at(side: Side) -> datetime:
    return side.at


def _mark(side: Side, x: float, row: int, base: float) -> list[Markup]:
    y = ROW * row + ROW / 2
    kind = "side recommended" if side.recommended else "side"
    right = x > WIDTH / 2
    name = side.name if len(side.name) <= LABEL_CHARACTERS else side.name[: LABEL_CHARACTERS - 1] + "…"
    return [
        element("line", x1=x, x2=x, y1=y, y2=base, class_="stem"),
        element("circle", cx=x, cy=y, r=5 if side.recommended else 4, class_=kind),
        element(
            "text", name, x=x - 10 if right else x + 10, y=y + 4, text_anchor="end" if right else "start", class_="name"
        ),
    ]
