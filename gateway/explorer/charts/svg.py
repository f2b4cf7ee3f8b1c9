"""Elements of SVG as text, and a scale of time.

Rules: every attribute and text is escaped; there is no style attribute, which the pages' policy forbids: classes of the
stylesheet colour what is drawn. Lengths are user units of the view box. It does not know what is drawn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from markupsafe import Markup, escape

MARGIN_SHARE = 0.04  # of a span, kept free on both sides of it; chosen by eye


def element(name: str, *children: Markup | str, **attributes: object) -> Markup:
    """Return an element. `class_` is class; an underscore in a name is a hyphen."""
    told = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(_number(value))}"' for key, value in attributes.items()
    )
    return Markup(f"<{name}{told}>{''.join(escape(child) for child in children)}</{name}>")


def picture(label: str, width: float, height: float, *children: Markup, class_: str = "") -> Markup:
    """Return a picture with a text alternative; it scales with the width it is given."""
    box = {"viewBox": f"0 0 {_number(width)} {_number(height)}", "role": "img", "aria_label": label}
    return element("svg", *children, class_=f"chart {class_}".strip(), **box)


def path(points: Sequence[tuple[float, float]], *, closed: bool = False) -> str:
    """Return the `d` of straight lines through points."""
    line = "L".join(f"{_number(x)} {_number(y)}" for x, y in points)
    return f"M{line}{'Z' if closed else ''}"


def _number(value: object) -> object:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else value


@dataclass(frozen=True, slots=True)
class TimeScale:
    """Places instants on a line from `left` to `right`."""

    first: datetime
    last: datetime
    left: float
    right: float

    def __call__(self, at: datetime) -> float:
        """Return the place of an instant; of one outside, the nearer end."""
        span = (self.last - self.first).total_seconds()
        share = (at - self.first).total_seconds() / span if span else 0.5
        return self.left + min(1.0, max(0.0, share)) * (self.right - self.left)

    def ticks(self, count: int) -> list[datetime]:
        """Return instants at equal distances, the ends among them."""
        step = (self.last - self.first) / (count - 1)
        return [self.first + step * number for number in range(count)]

    def label(self, at: datetime) -> str:
        """Say an instant as exactly as the span calls for."""
        span = self.last - self.first
        if span < timedelta(days=2):
            return f"{at.day} {at:%b %H:%M}"
        return f"{at:%b %Y}" if span > timedelta(days=500) else f"{at.day} {at:%b}"


def scale(instants: Sequence[datetime], left: float, right: float, *, margin: bool = True) -> TimeScale:
    """Return the scale on which all instants have a place."""
    first, last = min(instants), max(instants)
    free = (last - first) * MARGIN_SHARE if margin else timedelta()
    return TimeScale(first - free, last + free, left, right)
