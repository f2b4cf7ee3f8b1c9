"""How many memories were in which state over time: a stack of areas.

Rules: the states are stacked in the order of a life, the live ones at the bottom; the height is the most there ever
were. It does not know where the figures come from.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from gateway.explorer.charts.svg import element, path, picture, scale

STATES = ("active", "superseded", "merged", "incorrect", "forgotten")
TOP, FOOT, LEFT = 10.0, 24.0, 44.0
TICK_DISTANCE = 130.0  # between dates, so that they do not touch


@dataclass(frozen=True, slots=True)
class Count:
    """How many memories were in each state at an instant."""

    at: datetime
    states: Mapping[str, int]


def draw(counts: Sequence[Count], *, width: float = 1040.0, height: float = 280.0) -> Markup:
    """Return the picture; empty for fewer than two instants."""
    if len(counts) < 2:
        return Markup("")
    line = scale([count.at for count in counts], LEFT, width - 8, margin=False)
    most = max(1, max(sum(count.states.get(state, 0) for state in STATES) for count in counts))
    base = height - FOOT

    def y(number: int) -> float:
        return base - (base - TOP) * number / most

    parts = [_rule(y(number), number, width) for number in sorted({0, most // 2, most})]
    below = [0] * len(counts)
    for state in STATES:
        above = [low + count.states.get(state, 0) for low, count in zip(below, counts, strict=True)]
        if above != below:
            upper = [(line(count.at), y(number)) for count, number in zip(counts, above, strict=True)]
            lower = [(line(count.at), y(number)) for count, number in zip(counts, below, strict=True)]
            parts.append(element("path", d=path([*upper, *reversed(lower)], closed=True), class_=f"area {state}"))
        below = above
    ticks = line.ticks(max(2, int((width - LEFT) // TICK_DISTANCE)))
    for number, at in enumerate(ticks):
        anchor = "start" if number == 0 else "end" if number == len(ticks) - 1 else "middle"
        parts.append(element("text", line.label(at), x=line(at), y=height - 6, text_anchor=anchor, class_="tick"))
    last = counts[-1].states
    told = ", ".join(f"{last.get(state, 0)} {state}" for state in STATES)
    label = f"Memories by state from {counts[0].at:%Y-%m-%d} to {counts[-1].at:%Y-%m-%d}; at the end {told}."
    return picture(label, width, height, *parts, class_="population")


def _rule(y: float, number: int, width: float) -> Markup:
    return element(
        "g",
        element("line", x1=LEFT, x2=width - 8, y1=y, y2=y, class_="grid"),
        element("text", f"{number:,}", x=LEFT - 8, y=y + 4, text_anchor="end", class_="tick"),
    )
