"""When two values agree: money of one currency exactly, other numbers within a tolerance, the rest by canonical.

Rules: agreement spreads: what agrees with a common third is one bucket, unless that would span more than three
tolerances or two different amounts of money; such a bucket is cut into parts. A currency or unit given on one side
only does not separate: the figures are compared as stated. A value with two readings joins whichever other value one
of them agrees with. A bare date joins an instant of that day. A tolerance declared for an attribute takes the place of
the general one, money included; it is in the unit that the values are stated in. The order of the input changes
nothing.
It does not know records, time of validity and who said what (opposition.py).
Source: REQUIREMENTS C2; the tolerances are given there.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal

from shared.domain.claims import Claim
from shared.domain.currencies import money_key
from shared.domain.metadata import NUMBER_MAX_DIGITS
from shared.domain.units import UNITS, Unit
from shared.domain.values import READING_MARK, ValueType, base_amount

TOLERANCE_MAX = Decimal("0.5")  # C2
TOLERANCE_RELATIVE = Decimal("0.00005")  # C2: 5e-5 of the larger figure
BUCKET_MAX_TOLERANCES = 3  # C2

_EXACT = Context(prec=3 * NUMBER_MAX_DIGITS)
_PLAIN = ""  # the track of numbers without a unit, money among them


@dataclass(frozen=True, slots=True)
class _Point:
    """One distinct number on the track of its dimension: `at` in base or minor units, `stated` as written."""

    value: int
    track: str
    at: Decimal
    stated: Decimal
    money: tuple[str, Decimal] | None
    step: Decimal = Decimal(1)  # what one of the stated unit is in the base unit


def agree(a: Claim, b: Claim) -> bool:
    """Tell whether two values are the same by the rules above."""
    return len(buckets((a, b))) == 1


def close(a: Decimal, b: Decimal) -> bool:
    """Tell whether two numbers without a common currency agree."""
    return _EXACT.subtract(a, b).copy_abs() <= tolerance(a, b)


def tolerance(a: Decimal, b: Decimal) -> Decimal:
    """Return how far apart two numbers may be and still agree."""
    return min(TOLERANCE_MAX, _EXACT.multiply(TOLERANCE_RELATIVE, max(a.copy_abs(), b.copy_abs())))


def buckets(claims: Sequence[Claim], declared: Decimal | None = None) -> tuple[tuple[int, ...], ...]:
    """Return the positions of the claims, grouped by agreement; each group sorted, groups by their first position.

    Units: `declared` is the attribute's own tolerance, where the tenant has declared one.
    """
    numbers = [i for i, claim in enumerate(claims) if claim.number is not None]
    days = [i for i, claim in enumerate(claims) if claim.value_type is ValueType.DATE]
    rest = set(range(len(claims))).difference(numbers, days)
    groups = [*_by_number(claims, numbers, declared), *_by_day(claims, days)]
    groups.extend(_grouped(rest, lambda i: (claims[i].value_type.value, claims[i].canonical)))
    return tuple(sorted(tuple(sorted(group)) for group in groups))


def _grouped(items: Iterable[int], key: Callable[[int], tuple[str, str]]) -> list[list[int]]:
    found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for item in items:
        found[key(item)].append(item)
    return list(found.values())


def _by_day(claims: Sequence[Claim], indexes: Sequence[int]) -> list[list[int]]:
    home: dict[str, str] = {}  # a day or an instant -> the canonical that stands for its bucket
    clear = sorted({claims[i].canonical for i in indexes if READING_MARK not in claims[i].canonical})
    for moment in sorted(clear, key=lambda text: ("T" not in text, text)):  # instants first, each with its day
        home[moment] = home.get(moment, moment)
        home.setdefault(moment.partition("T")[0], moment)

    def bucket(i: int) -> tuple[str, str]:
        readings = claims[i].canonical.split(READING_MARK)
        return "day", next((home[reading] for reading in readings if reading in home), claims[i].canonical)

    return _grouped(indexes, bucket)


def _by_number(claims: Sequence[Claim], indexes: Sequence[int], declared: Decimal | None) -> list[list[int]]:
    # Equal canonicals always agree, so one claim stands for all of them: the work grows with the distinct values. But a
    # bare 5 repeats "5 kg" and not "5000 g", which are the same: a measured value stands for those stated as it is.
    same = _grouped(indexes, lambda i: (claims[i].value_type.value, _as_stated(claims[i])))
    options = [_points(claims[group[0]], position) for position, group in enumerate(same)]
    return [[i for point in part for i in same[point.value]] for part in _parts(_settle(options, declared), declared)]


def _as_stated(claim: Claim) -> str:
    if claim.unit is None or READING_MARK in claim.canonical:
        return claim.canonical
    return f"{claim.canonical} {claim.number}"


def _points(claim: Claim, value: int) -> list[_Point]:
    """Return one point for each reading of a claim, the preferred one first."""
    if claim.number is None:
        raise ValueError("only numbers have a place")
    if claim.unit is not None:
        unit = UNITS.get(claim.unit.casefold()) or Unit(claim.unit, f"unit:{claim.unit}", Decimal(1))
        # Two readings are a figure with three decimals and the same digits grouped, grouped first.
        stated = [claim.number] if READING_MARK not in claim.canonical else [claim.number, claim.number.scaleb(-3)]
        return [_Point(value, unit.dimension, base_amount(n, unit), n, None, unit.factor) for n in stated]
    numbers = [claim.number]
    if READING_MARK in claim.canonical:
        numbers.extend(map(Decimal, claim.canonical.partition(" ")[0].split(READING_MARK)[1:]))
    if claim.currency is None:
        return [_Point(value, _PLAIN, number, number, None) for number in numbers]
    keys = [money_key(number, claim.currency) for number in numbers]
    return [
        _Point(value, _PLAIN, key, number, (claim.currency, key)) for number, key in zip(numbers, keys, strict=True)
    ]


def _settle(options: Sequence[Sequence[_Point]], declared: Decimal | None) -> list[_Point]:
    """Choose one reading of each value, and put bare numbers beside the measured or rounded figure they repeat."""
    clear = sorted((points[0] for points in options if len(points) == 1), key=_place)
    anchors = sorted(
        [(point.stated, point) for point in clear if point.stated != point.at or point.track != _PLAIN]
        + [(point.at.scaleb(-2, _EXACT), point) for point in clear if point.track == UNITS["%"].dimension],
        key=lambda entry: (entry[0], _place(entry[1])),
    )
    settled = [_beside(point, anchors, declared) if _is_bare(point) else point for point in clear]
    tracks: defaultdict[str, list[tuple[Decimal, _Point]]] = defaultdict(list)
    for point in sorted(settled, key=_place):
        tracks[point.track].append((point.at, point))
    for points in options:
        if len(points) > 1:
            beside = [_beside(point, anchors, declared) if _is_bare(point) else point for point in points]
            fitting = (
                b
                for b, p in zip(beside, points, strict=True)
                if b is not p
                or _nearest(p.at, tracks[p.track], declared and _EXACT.multiply(declared, p.step)) is not None
            )
            settled.append(next(fitting, points[0]))
    return sorted(settled, key=_place)


def _is_bare(point: _Point) -> bool:
    return point.track == _PLAIN and point.money is None


def _beside(point: _Point, anchors: Sequence[tuple[Decimal, _Point]], declared: Decimal | None) -> _Point:
    anchor = _nearest(point.stated, anchors, declared)
    return point if anchor is None else replace(point, track=anchor.track, at=anchor.at, step=anchor.step)


def _nearest(number: Decimal, entries: Sequence[tuple[Decimal, _Point]], declared: Decimal | None) -> _Point | None:
    """Return the point of the nearest entry that agrees with a number, or None."""
    after = bisect_left(entries, number, key=lambda entry: entry[0])
    found = [
        entry
        for entry in entries[max(after - 1, 0) : after + 1]
        if close(entry[0], number) and (declared is None or _EXACT.subtract(entry[0], number).copy_abs() <= declared)
    ]
    return min(found, key=lambda entry: _EXACT.subtract(entry[0], number).copy_abs())[1] if found else None


def _parts(points: Sequence[_Point], declared: Decimal | None) -> list[list[_Point]]:
    """Cut points in order of place into buckets: by gaps first, then what is too wide or holds two amounts of money."""
    runs: list[list[_Point]] = []
    for point in points:
        if runs and runs[-1][-1].track == point.track and _touch(runs[-1][-1], point, declared):
            runs[-1].append(point)
        else:
            runs.append([point])
    return [part for run in runs for part in ([run] if _is_one(run, declared) else _cut(run, declared))]


def _cut(run: Sequence[_Point], declared: Decimal | None) -> list[list[_Point]]:
    parts = [[run[0]]]
    for point in run[1:]:
        if _touch(parts[-1][0], point, declared) and len(_money([*parts[-1], point], declared)) < 2:
            parts[-1].append(point)
        else:
            parts.append([point])
    return parts


def _is_one(run: Sequence[_Point], declared: Decimal | None) -> bool:
    first, last = run[0], run[-1]
    width = _EXACT.subtract(last.at, first.at)
    return len(_money(run, declared)) < 2 and width <= BUCKET_MAX_TOLERANCES * _reach(first, last, declared)


def _touch(a: _Point, b: _Point, declared: Decimal | None) -> bool:
    return _EXACT.subtract(a.at, b.at).copy_abs() <= _reach(a, b, declared)


def _reach(a: _Point, b: _Point, declared: Decimal | None) -> Decimal:
    """Return how far apart two points of one track may be, in its base unit."""
    return tolerance(a.at, b.at) if declared is None else _EXACT.multiply(declared, min(a.step, b.step))


def _money(points: Iterable[_Point], declared: Decimal | None) -> set[tuple[str, Decimal]]:
    """Return the amounts that must not share a bucket: those of one currency may where a tolerance is declared."""
    found = {point.money for point in points if point.money is not None}
    return found if declared is None else {(currency, Decimal(0)) for currency, _ in found}


def _place(point: _Point) -> tuple[str, Decimal, tuple[str, Decimal], Decimal]:
    return point.track, point.at, point.money or ("", Decimal(0)), point.stated
