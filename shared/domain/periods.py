"""The four spellings of a period a fact can be about.

Rules: a year, a quarter, a month or a day: YYYY, YYYY-Qn, YYYY-MM, YYYY-MM-DD. Two periods are the same only when
their canonical spelling is the same: a month is not its quarter. It does not know time zones or fiscal calendars.
Source: REQUIREMENTS A3.
"""

import re
from datetime import date, timedelta

_PERIOD = re.compile(r"(?P<year>[0-9]{4})(?:-(?:[Qq](?P<quarter>[1-4])|(?P<month>[0-9]{2})(?:-(?P<day>[0-9]{2}))?))?")


def canonical_period(text: str) -> str | None:
    """Return the canonical spelling of a period, or None when it is not one of the four."""
    match = _PERIOD.fullmatch(text.strip())
    if match is None:
        return None
    year, quarter, month, day = match.group("year", "quarter", "month", "day")
    if quarter is not None:
        return f"{year}-Q{quarter}" if int(year) else None
    try:
        date(int(year), int(month or 1), int(day or 1))
    except ValueError:
        return None
    return match.group(0)


def period_bounds(period: str) -> tuple[date, date]:
    """Return the first and the last day of a canonical period."""
    text, _, rest = period.partition("-")
    year = int(text)
    if len(rest) == len("MM-DD"):
        day = date.fromisoformat(period)
        return day, day
    if rest.startswith("Q"):
        last = 3 * int(rest[1:])
        first = last - 2
    else:
        first, last = int(rest or 1), int(rest or 12)
    if (year, last) == (date.max.year, 12):
        return date(year, first, 1), date.max
    return date(year, first, 1), date(year + last // 12, last % 12 + 1, 1) - timedelta(days=1)
