"""Amounts and dates as people write them, read into canonical terms for the lexical index.

Rules: input is folded text (text.fold) with ASCII digits. What can be read in two ways (8.400, 03/04/2026) yields both
readings: a term too many costs a little precision, a term too few loses the memory. A date also yields its month, year,
month name and day, so that "May 2026" finds 2026-05-01. It does not type values for the audit: there an ambiguous
figure must stay as it was written.
Source: ISO 8601 dates, ISO 4217 codes (a choice of much used ones), the digit grouping of CLDR.
"""

import re
from datetime import UTC, date, datetime

from shared.domain.errors import InvalidArgument

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH_NUMBER = {name: n for n, name in enumerate(_MONTHS, 1)} | {name[:3]: n for n, name in enumerate(_MONTHS, 1)}
_MONTH_NUMBER["sept"] = 9

_CURRENCY_OF_SIGN = {"$": "usd", "us$": "usd", "€": "eur", "£": "gbp", "¥": "jpy", "₩": "krw", "₹": "inr"}
_CODES = (
    "usd eur gbp jpy cny krw inr chf cad aud nzd sgd hkd twd sek nok dkk "
    "pln czk huf brl mxn zar aed sar ils thb idr myr kwd"
).split()
_CURRENCY = rf"us\$|[$€£¥₩₹]|(?:{'|'.join(_CODES)})(?![^\W\d_])"

# Nothing that would make it part of a longer identifier may follow: 2026-05-01-A and 1.2.3 are identifiers.
_END = r"(?![^\W_]|[-/.,:'_@]\w)"

_MONTH = rf"(?:{'|'.join(sorted(_MONTH_NUMBER, key=len, reverse=True))})(?![^\W\d_])"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE_FORMS = (
    r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})",
    r"(?P<y>\d{4})/(?P<m>\d{1,2})/(?P<d>\d{1,2})",
    r"(?P<y>\d{4})\.(?P<m>\d{1,2})\.(?P<d>\d{1,2})",
    r"(?P<y>\d{4}) ?[年년] ?(?P<m>\d{1,2}) ?[月월] ?(?P<d>\d{1,2}) ?[日일]",
    r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>\d{4})",
    r"(?P<a>\d{1,2})[-/](?P<b>\d{1,2})[-/](?P<y>\d{4})",
    rf"(?P<d>{_DAY})(?: of)?[ -](?P<m>{_MONTH})\.?,?[ -](?P<y>\d{{4}})",
    rf"(?P<m>{_MONTH})\.? (?P<d>{_DAY}),? (?P<y>\d{{4}})",
    rf"(?P<m>{_MONTH})\.?,?[ -](?P<y>\d{{4}})",
    r"(?P<y>\d{4})-(?P<m>\d{2})",
)
_DATE_PARSERS = tuple(re.compile(form) for form in _DATE_FORMS)

_GROUPED = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d{1,3}(?:'\d{3})+(?:[.,]\d+)?"
_NUMBER = rf"(?:{_GROUPED}|\d+(?:[.,]\d+)?)"
_SPACED_NUMBER = rf"(?:\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?{_END}|{_NUMBER})"

# Patterns without named groups, for a scanner to combine; each also says where the figure must end.
DATE = rf"(?:{'|'.join(re.sub('P<[a-z]>', ':', form) for form in _DATE_FORMS)})(?:(?=t\d)|{_END})"
MONEY = rf"(?:(?:{_CURRENCY})(?: ?){_SPACED_NUMBER}{_END}|{_SPACED_NUMBER} ?(?:{_CURRENCY}){_END})"
NUMBER = _NUMBER
_MONEY_PARSER = re.compile(rf"(?P<before>{_CURRENCY})? ?(?P<number>{_SPACED_NUMBER}) ?(?P<after>{_CURRENCY})?")


def date_terms(text: str) -> list[str]:
    """Return the terms of a text that DATE matched: date, month, year, month name, day; none for an unreal day."""
    found = next((m for parser in _DATE_PARSERS if (m := parser.fullmatch(text))), None)
    if found is None:
        return []
    parts = found.groupdict()
    if "a" in parts:
        a, b = int(parts["a"]), int(parts["b"])
        days: list[tuple[int, int | None]] = [(b, a), (a, b)]
    else:
        month = _MONTH_NUMBER.get(parts["m"]) or int(parts["m"])
        written = parts.get("d")
        days = [(month, int(re.sub(r"\D", "", written)) if written else None)]
    terms: list[str] = []
    for month, day in days:
        terms += [term for term in _day_terms(int(parts["y"]), month, day) if term not in terms]
    return terms


def _day_terms(year: int, month: int, day: int | None) -> list[str]:
    try:
        iso = date(year, month, 1 if day is None else day).isoformat()
    except ValueError:
        return []
    of_month = [iso[:7], iso[:4], _MONTHS[month - 1]]
    return of_month if day is None else [iso, *of_month, str(day)]


def money_terms(text: str) -> list[str]:
    """Return the terms of a text that MONEY matched: currency with amount (`eur8400`), currency, the amount's terms."""
    found = _MONEY_PARSER.fullmatch(text)
    if found is None:
        return []
    written = found["before"] or found["after"] or ""
    currency = _CURRENCY_OF_SIGN.get(written, written)
    number = found["number"].replace(" ", "")
    return [*(currency + reading for reading in _readings(number)), currency, *number_terms(number)]


def number_terms(text: str) -> list[str]:
    """Return the readings of one number without grouping or trailing zeros, then the whole part of a fraction.

    Ties: one comma before three digits groups (English); one dot before three digits yields both readings.
    """
    readings = _readings(text)
    return readings + [reading.partition(".")[0] for reading in readings if "." in reading]


def _readings(text: str) -> list[str]:
    marks = "".join(c for c in text if not c.isdigit())
    if not marks:
        return [text]
    head, tail = text.rsplit(marks[-1], 1)
    grouped = "".join(c for c in text if c.isdigit())
    may_group = len(tail) == 3 and len(set(marks)) == 1 and text[0] != "0"
    if may_group and (len(marks) > 1 or marks != "."):
        return [grouped]
    whole = "".join(c for c in head if c.isdigit()).lstrip("0") or "0"
    fraction = tail.rstrip("0")
    decimal = f"{whole}.{fraction}" if fraction else whole
    return [decimal, grouped] if may_group else [decimal]


def utc_day(instant: datetime) -> str:
    """Return the day of an instant in UTC as YYYY-MM-DD.

    Raises: InvalidArgument TIME_NAIVE for a time without zone.
    """
    if instant.utcoffset() is None:
        raise InvalidArgument.of("valid_from", "TIME_NAIVE", "a time needs an offset from UTC")
    return instant.astimezone(UTC).date().isoformat()
