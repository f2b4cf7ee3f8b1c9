"""How present a memory is and will be: a falling curve, the floor at which it fades, and when that is.

Rules: the curve is the projection the API gives, at equal distances; it begins now. It does not know the formula.
"""

from collections.abc import Sequence
from datetime import datetime

from markupsafe import Markup

from gateway.explorer.charts.svg import element, path, picture, scale

Point = tuple[datetime, float]
FOOT = 22.0
NAMED_FROM = 300.0  # units of width from which on axes are labelled; a small picture stands beside its figures


def draw(
    points: Sequence[Point], floor: float, fades_at: datetime | None, *, width: float = 1040.0, height: float = 200.0
) -> Markup:
    """Return the picture; empty for fewer than two points."""
    if len(points) < 2:
        return Markup("")
    named = width >= NAMED_FROM
    left, foot = (34.0, FOOT) if named else (2.0, 2.0)
    line = scale([at for at, _ in points], left, width - 4, margin=False)
    top = max(floor * 1.2, *(salience for _, salience in points)) or 1.0
    base = height - foot

    def y(salience: float) -> float:
        return base - (base - 8) * salience / top

    curve = [(line(at), y(salience)) for at, salience in points]
    parts = [
        element("path", d=path([*curve, (curve[-1][0], base), (curve[0][0], base)], closed=True), class_="under"),
        element("line", x1=left, x2=width - 4, y1=y(floor), y2=y(floor), class_="floor"),
        element("path", d=path(curve), class_="curve"),
        element("circle", cx=curve[0][0], cy=curve[0][1], r=3.5, class_="now"),
    ]
    if fades_at is not None and line.first <= fades_at <= line.last:
        parts.append(element("circle", cx=line(fades_at), cy=y(floor), r=3.5, class_="fades"))
    if named:
        parts += [
            element("text", f"{salience:.2f}", x=left - 6, y=y(salience) + 4, text_anchor="end", class_="tick")
            for salience in _spread(points[0][1], floor, top)
        ]
        parts += [
            element("text", line.label(at), x=line(at), y=height - 4, text_anchor=anchor, class_="tick")
            for at, anchor in ((line.first, "start"), (line.last, "end"))
        ]
    end = f"it fades on {fades_at:%Y-%m-%d}" if fades_at else "it does not fade"
    label = f"Salience falls from {points[0][1]:.2f} to {points[-1][1]:.2f} by {points[-1][0]:%Y-%m-%d}; {end}."
    return picture(label, width, height, *parts, class_="salience")


def _spread(now: float, floor: float, top: float) -> list[float]:
    """Return the levels to name, none so close to another that their names would touch."""
    return [now, floor] if abs(now - floor) > top / 8 else [now]
