"""Values of business paper: amounts, counts, days, periods and currencies, each read in one way or not at all.

Rules: what has two readings is refused with a sentence that says so. Months may be named in English or German or
written in Korean. A day that falls in a range is no day; a range of one month is that month. It does not know labels.
Source: amounts.py (REQUIREMENTS E2); dates.py; the spellings of periods in archon-behaviour 7.2.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from shared.domain import dates
from shared.domain.calendar_words import english_months
from shared.domain.currencies import MINOR_DIGITS, currency_code
from shared.domain.errors import InvalidArgument
from shared.domain.money.amounts import known_currency, minor_digits, read_amount
from shared.domain.periods import canonical_period
from shared.domain.text import fold

MAX_VALUE_CHARS = 120
"""Of a value; more is a sentence. Chosen, untested."""

THREE_DECIMALS = 3
"""As many as stand behind the sign that could group them: what a dinar has."""

MAX_COUNT = 1_000_000
"""Of employees. Chosen, untested."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A value that has two readings; `note` is a sentence."""

    note: str


_LONE_THREE, _NOT_FIGURE = (
    re.compile(r"[1-9][0-9]{0,2}(?P<sign>[.,])[0-9]{3}"),
    re.compile(r"[^0-9.,' ]| (?![0-9])|(?<![0-9]) "),
)
_SHOWING = re.compile(
    r"(?<![\d.,/-])[1-9]\d{0,2}(?:(?P<group>[.,])\d{3}(?:(?P=group)\d{3})+"
    r"|(?P<first>[.,])\d{3}(?!(?P=first))(?P<decimal>[.,])\d+"
    r"|\d*(?P<two>[.,])\d{2})(?![\d/-]|[.,]\d)"
)
_DIGIT = re.compile(r"\d")
_MONTH_WORDS = "january february march april may june july august september october november december".split()
_MONTH = {name: n for n, name in enumerate(_MONTH_WORDS, 1)} | {name[:3]: n for n, name in enumerate(_MONTH_WORDS, 1)}
_NAMED = re.compile(rf"({'|'.join(_MONTH_WORDS)}|{'|'.join(name[:3] for name in _MONTH_WORDS)})\b\.?,? ?-?(\d{{4}})\b")
_NAMED_BEHIND = re.compile(r"\b(\d{4}) ?-?([a-z]{3,9})\b")
_YEAR_MONTH = re.compile(r"(?<!\d)((?:19|20)\d{2}) ?(?:[-./년] ?)(\d{1,2}) ?월?(?: ?분)?\.?(?!\d|[-./] ?\d)")
_MONTH_YEAR = re.compile(r"(?<![\d./-])(\d{1,2}) ?[./-] ?((?:19|20)\d{2})(?!\d)")
_QUARTER = re.compile(r"\b(?:q([1-4])[ /-]?(\d{4})|(\d{4})[ /-]?q([1-4]))\b")
_DAY_FORMS = (
    re.compile(r"(?<!\d)\d{4}-\d{1,2}-\d{1,2}(?!\d)"),
    re.compile(r"(?<!\d)\d{4}([./]) ?\d{1,2}\1 ?\d{1,2}\.?(?!\d)"),
    re.compile(r"(?<!\d)\d{1,2}([./-])\d{1,2}\1\d{4}(?!\d)"),
    re.compile(r"\d{4} ?년 ?\d{1,2} ?월 ?\d{1,2} ?일"),
    re.compile(r"(?<!\d)\d{1,2}(?:st|nd|rd|th)?(?: of)?[ -][a-z]+\.?,?[ -]\d{4}(?!\d)"),
    re.compile(r"[a-z]+\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}(?!\d)"),
)
_SPACED = re.compile(r"([./]) ")
_COUNT = re.compile(
    r"(\d{1,3}(?:[.,' ]\d{3})+|\d{1,7}) ?(?:명|건|인|employees|staff|payments|mitarbeiter(?:innen)?|personen)?"
)
_CODE = "|".join(MINOR_DIGITS)
_SIGN = "US$|A$|CA$|C$|HK$|NZ$|S$|NT$|R$|MX$|€|£|₩|￦|¥|￥|円|원|元|₹|₽|₺|₫|฿|₪|zł|Kč|kr|$"
_SIGNS = "|".join(re.escape(sign) for sign in _SIGN.split("|"))
_BESIDE = re.compile(
    rf"(?<![^\W\d_])(?P<before>{_CODE}|{_SIGNS})\s?[-(−]?\d"
    rf"|\d[\d.,' ’]*[)-]?\s?(?P<behind>{_CODE}|{_SIGNS})(?![^\W\d_])"
    r"|\d\s?(?P<won>원)"
    rf"|[(\[（]\s*(?:in\s+|단위\s*[:：]?\s*)?(?P<inside>{_CODE}|{_SIGNS})\s*[)\]）]"
)
_STATED = re.compile(
    r"(?:currency|amounts?(?: are)?(?: stated| shown| given)? in|figures(?: are)? in|währung"
    r"|beträge(?: sind)?(?: alle)? in|angaben in"
    rf"|통화|단위|금액은?(?: 모두)?)\s*(?:code\s*)?[:：=]?\s*(?P<code>{_CODE.lower()}|[^\s\d:：,.;)]{{1,4}})",
)


def grouping_of(texts: Iterable[str]) -> str | None:
    """Return the sign that groups thousands in a document's figures; None where no figure shows it, or some differ."""
    shown: set[str] = set()
    for text in texts:
        for match in _SHOWING.finditer(text):
            if match["group"]:
                shown.add(match["group"])
            else:
                shown.add("," if (match["decimal"] or match["two"]) == "." else ".")
    return shown.pop() if len(shown) == 1 else None


def amount_of(text: str, currency: str | None, grouping: str | None = None) -> Decimal | Refused | None:
    """Read an amount; None where there is none. `grouping` is the sign that groups thousands, where that is known."""
    if not _DIGIT.search(text) or len(text) > MAX_VALUE_CHARS:
        return None
    text = text.strip(" *:")
    lone = _LONE_THREE.fullmatch(_NOT_FIGURE.sub("", text))
    try:
        read = read_amount("amount", text.replace(lone["sign"], "") if lone else text, currency)
        decimals = minor_digits(read.currency or currency)
        if lone is None or decimals == 0 or lone["sign"] == grouping:
            return read.number
        if grouping is not None and decimals >= THREE_DECIMALS:
            return read.number.scaleb(-THREE_DECIMALS)
    except InvalidArgument as error:
        if error.reason == "AMOUNT_INVALID":
            return None
        return Refused(f"{error.violations[0].description}.")
    return Refused(f"{text[:64]!r} can mean thousands or three decimals.")


def count_of(text: str) -> int | None:
    """Read a number of people or payments."""
    match = _COUNT.fullmatch(fold(text).strip(" .:"))
    if match is None:
        return None
    number = int(re.sub(r"\D", "", match[1]))
    return number if number <= MAX_COUNT else None


def days_of(text: str) -> tuple[date, ...]:
    """Return what a text can mean as a day, sorted; the first day that stands in it counts."""
    if len(text) > MAX_VALUE_CHARS or not _DIGIT.search(text):
        return ()
    folded = english_months(fold(text))
    matches = [match for form in _DAY_FORMS if (match := form.search(folded))]
    if not matches:
        return ()
    first = min(matches, key=lambda match: match.start())
    written = _SPACED.sub(r"\1", first.group()).rstrip(".,")
    if re.fullmatch(r"\d{4}\.\d{1,2}\.\d{1,2}", written):
        written = written.replace(".", "-")
    return tuple(
        date.fromisoformat(iso)
        for iso in dates.readings(written.replace(".,", "").replace(". ", " "))
        if len(iso) == 10
    )


def day_of(text: str) -> date | Refused | None:
    """Read a day; None where there is none."""
    found = days_of(text)
    if len(found) > 1:
        return Refused(f"{text[:64]!r} can mean {' or '.join(day.isoformat() for day in found)}.")
    return found[0] if found else None


def period_of(text: str) -> str | None:
    """Read a period: a month, a quarter, or a range within one month."""
    if len(text) > MAX_VALUE_CHARS or not _DIGIT.search(text):
        return None
    folded = english_months(fold(text)).strip(" .:")
    plain = canonical_period(folded)
    if plain is not None:
        return plain
    quarter = _QUARTER.search(folded)
    if quarter is not None:
        year, number = (quarter[2], quarter[1]) if quarter[1] else (quarter[3], quarter[4])
        return canonical_period(f"{year}-Q{number}")
    months = set(_months(folded))
    return months.pop() if len(months) == 1 else None


def currencies_beside(text: str) -> Iterable[str]:
    """Yield the codes of currencies that stand beside numbers or in brackets; empty for a sign that several share."""
    for match in _BESIDE.finditer(text):
        mark = next(group for group in match.groups() if group)
        code = currency_code(mark)
        yield code if code is not None and code in MINOR_DIGITS else ""


def currency_stated(text: str) -> str | None:
    """Return the code of the currency that a text says amounts are in."""
    match = _STATED.search(fold(text))
    return known_currency(match["code"]) if match else None


def _months(folded: str) -> Iterable[str]:
    ranges = [_day_months(part) for part in re.split(r"\s+(?:-|to|bis|until)\s+|~|(?<=\d)-(?=\d{1,2}[./]\d)", folded)]
    if len(ranges) > 1 and all(ranges):
        yield from {month for each in ranges for month in each}
        return
    for match in _NAMED.finditer(folded):
        yield f"{match[2]}-{_MONTH[match[1]]:02}"
    for match in _NAMED_BEHIND.finditer(folded):
        if match[2] in _MONTH:
            yield f"{match[1]}-{_MONTH[match[2]]:02}"
    for year, month in (
        *((match[1], match[2]) for match in _YEAR_MONTH.finditer(folded)),
        *((match[2], match[1]) for match in _MONTH_YEAR.finditer(folded)),
    ):
        if 1 <= int(month) <= 12:
            yield f"{year}-{int(month):02}"


def _day_months(text: str) -> set[str]:
    return {day.isoformat()[:7] for day in days_of(text)}
