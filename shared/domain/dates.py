"""Dates and instants as people write them, read into ISO 8601.

Rules: 13/05/2026 and 05/13/2026 are clear, 05/06/2026 is not: it keeps both readings. With dots the day comes first.
An instant is written in UTC to the second or finer; without an offset it is taken as UTC, and midnight is the bare
date.
It does not know months by other names than English, nor two-digit years; input is folded text (text.fold).
Source: ISO 8601; CLDR short date forms; the month and day orders in use (day first, month first, year first).
"""

import re
from datetime import UTC, date, datetime

_NAMES = "january february march april may june july august september october november december"
_MONTHS = _NAMES.split()
_MONTH_NUMBERS = (
    {name: n for n, name in enumerate(_MONTHS, 1)} | {name[:3]: n for n, name in enumerate(_MONTHS, 1)} | {"sept": 9}
)

_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTH_NUMBERS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_FORMS = tuple(
    re.compile(form)
    for form in (
        r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<month>[0-9]{1,2})(?P=mark)(?P<day>[0-9]{1,2})",
        r"(?P<day>[0-9]{1,2})\.(?P<month>[0-9]{1,2})\.(?P<year>[0-9]{4})",
        r"(?P<year>[0-9]{4}) ?[年년] ?(?P<month>[0-9]{1,2}) ?[月월] ?(?P<day>[0-9]{1,2}) ?[日일]",
        rf"{_DAY}(?: of)?[ -]{_MONTH},?[ -](?P<year>[0-9]{{4}})",
        rf"{_MONTH} {_DAY},? (?P<year>[0-9]{{4}})",
    )
)
_EITHER_ORDER = re.compile(r"(?P<first>[0-9]{1,2})(?P<mark>[-/])(?P<second>[0-9]{1,2})(?P=mark)(?P<year>[0-9]{4})")
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[t ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)? ?(?:z|[+-][0-9]{2}:?[0-9]{2})?"
)


def readings(text: str) -> tuple[str, ...]:
    """Return the ISO dates or the one instant a text can mean, sorted; empty when it is neither."""
    if len(text) < 8 or not any(c.isdigit() for c in text):
        return ()
    if _INSTANT.fullmatch(text):
        return _instant(text)
    either = _EITHER_ORDER.fullmatch(text)
    if either is not None:
        year, first, second = int(either["year"]), int(either["first"]), int(either["second"])
        return tuple(sorted({*_day(year, second, first), *_day(year, first, second)}))
    match = next((m for form in _FORMS if (m := form.fullmatch(text))), None)
    if match is None:
        return ()
    month = match["month"]
    return _day(int(match["year"]), _MONTH_NUMBERS.get(month) or int(month), int(match["day"]))


def _day(year: int, month: int, day: int) -> tuple[str, ...]:
    try:
        return (date(year, month, day).isoformat(),)
    except ValueError:
        return ()


def _instant(text: str) -> tuple[str, ...]:
    try:
        found = datetime.fromisoformat(text.upper().replace(" ", "T", 1).replace(" ", ""))
        moment = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return ()
    if moment.timetz() == datetime.min.replace(tzinfo=UTC).timetz():
        return (moment.date().isoformat(),)
    return (moment.replace(tzinfo=None).isoformat() + "Z",)
