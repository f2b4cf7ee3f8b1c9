"""One memory's two times: when its fact holds in the world, and when the system believed it.

Rules: two bars over one line of time; what is open runs to the end of the line. Instants at which something happened
are marks on the lower bar. It does not know what happened.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from gateway.explorer.charts.svg import TimeScale, element, picture, scale

WIDTH, HEIGHT = 360.0, 108.0


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when; without an end it goes on."""

    first: datetime
    last: datetime | None


def draw(holds: Span | None, believed: Span, marks: Sequence[datetime], now: datetime) -> Markup:
    """Return the picture. `holds` is None where nobody said when the fact holds."""
    spans = [span for span in (holds, believed) if span is not None]
    instants = [now, *marks, *(at for span in spans for at in (span.first, span.last) if at is not None)]
    line = scale(instants, 4, WIDTH - 4)
    parts = [
        *_row("holds in the world", holds, line, 22),
        *_row("believed by memory", believed, line, 66),
        *(element("circle", cx=line(at), cy=66, r=3.5, class_="mark") for at in marks),
        element("text", line.label(min(instants)), x=0, y=HEIGHT - 4, class_="tick"),
        element("text", line.label(max(instants)), x=WIDTH, y=HEIGHT - 4, text_anchor="end", class_="tick"),
    ]
    told = "; ".join(_told(name, span) for name, span in (("Holds", holds), ("believed", believed)))
    return picture(f"{told}.", WIDTH, HEIGHT, *parts, class_="life")


def _row(name: str, span: Span | None, line: TimeScale, y: float) -> list[Markup]:
    label = element("text", name if span else f"{name}: not said", x=0, y=y - 10, class_="name")
    if span is None:
        return [label]
    end = line.right if span.last is None else line(span.last)
    bar = {"x": line(span.first), "y": y - 4, "width": max(2.0, end - line(span.first)), "height": 8, "rx": 4}
    return [label, element("rect", **bar, class_="bar open" if span.last is None else "bar")]


def _told(name: str, span: Span | None) -> str:
    if span is None:
        return f"{name}: not said"
    return f"{name} from {span.first:%Y-%m-%d} " + (f"to {span.last:%Y-%m-%d}" if span.last else "on")
