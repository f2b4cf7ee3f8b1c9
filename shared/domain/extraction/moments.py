"""Days that a sentence names, in any spelling or counted from when it was said, taken out as single marks.

Rules: a mark is one private character, so that frames see a day as one token; `restored` puts the user's own words
back. A day without a year is the next one where it lies ahead and the last one where it lies behind, and so is a
weekday. A text like 03/04/2026 is read as the order that is nearest to when it was said, day first where both are.
It does not know what happens on a day (frames_dates.py).
Source: forms of calendar_words.py; English relative dates.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from shared.domain.calendar_words import CALENDAR, PartialDate, calendar_dates

_SPAN = re.compile(r"\b(?:week|month|year)\b")
FIRST_MARK = "\ue000"
MARK = "[\ue000-\ue03f]"
MARKS_MAX = 64  # of one sentence; the range of MARK

_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_COUNTS = {word: n for n, word in enumerate("zero one two three four five six seven eight nine ten".split())}
_COUNTS |= {"a": 1, "an": 1, "a couple of": 2, "twelve": 12}
_COUNT = rf"(?:\d{{1,3}}|{'|'.join(sorted(_COUNTS, key=len, reverse=True))})"
_UNIT_DAYS = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_UNIT = rf"(?:{'|'.join(_UNIT_DAYS)})"
_RELATIVE = re.compile(
    rf"""(?P<ago>\b{_COUNT}\ {_UNIT}s?\ ago\b)
    | (?P<ahead>\bin\ {_COUNT}\ {_UNIT}s?(?:'\ time)?\b(?!\ (?:a|of)\b))
    | (?P<near>\b(?:the\ day\ (?P<beyond>after\ tomorrow|before\ yesterday)|tomorrow|yesterday))\b
    | (?P<unit>\b(?P<side>last|next)\ (?P<what>week|month|year))\b
    | (?P<weekday>\b(?:(?P<turn>last|next|this|coming)\ )?(?P<name>{"|".join(_WEEKDAYS)}))\b(?!s)
    | (?P<end>\b(?:the\ )?end\ of\ (?:the|this)\ (?P<span>month|week|year))\b
    | (?P<ordinal>\bthe\ (?P<day>\d{{1,2}})(?:st|nd|rd|th))\b(?!\ (?:of|floor|time|century|year|anniversary))
    | (?<=\bsince\ )(?P<since>(?:19|20)\d\d)\b | (?<=\bin\ )(?P<year>(?:19|20)\d\d)\b""",
    re.VERBOSE,
)
_CLOSING = re.compile(
    r"(?<=\d)(?:\.|,(?!\s\d{4}\b))(?=\s|$)|(?<=\dst|\dnd|\drd|\dth)(?:\.|,(?!\s\d))(?=\s|$)"
)  # "May 3." ends a sentence; calendar_words reads it as a part of a figure
_CALENDAR = re.compile(rf"(?:the )?{CALENDAR}")


@dataclass(frozen=True, slots=True)
class Moment:
    """A day as it was said: its words, and what is known of it. `exact` where it was counted from the present."""

    words: str
    said: tuple[PartialDate, ...] = ()
    exact: date | None = None

    def day(self, today: date, *, ahead: bool) -> date | None:
        """Return the day, looking ahead or back where the year is not said; a month is its first or last day."""
        if self.exact is not None:
            return self.exact
        days = [day for said in self.said if (day := _resolved(said, today, ahead=ahead)) is not None]
        fitting = [day for day in days if (day >= today) == ahead] or days
        return min(fitting, key=lambda day: abs((day - today).days)) if fitting else None

    @property
    def is_day(self) -> bool:
        """Whether a day was said, and not only a week, a month or a year."""
        return (self.exact is not None and not _SPAN.search(self.words)) or any(
            said.day is not None for said in self.said
        )

    @property
    def yearless(self) -> bool:
        """Whether the user said a day and no year."""
        return self.exact is None and any(said.year is None for said in self.said)


def marked(text: str, today: date) -> tuple[str, tuple[Moment, ...]]:
    """Return a text with every day in it as a mark, and the days in the order of their marks."""
    found: list[Moment] = []
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter whose small form is longer: no day is read
        return text, ()
    parts, at = [], 0
    for start, end, moment in _moments(text, lowered, today):
        if start < at or len(found) == MARKS_MAX:
            continue
        parts += [text[at:start], chr(ord(FIRST_MARK) + len(found))]
        found.append(moment)
        at = end
    return "".join([*parts, text[at:]]), tuple(found)


def restored(text: str, moments: Sequence[Moment]) -> str:
    """Return a text with the words of its days again."""
    return re.sub(MARK, lambda mark: moments[ord(mark.group()) - ord(FIRST_MARK)].words, text)


def moment_of(mark: str, moments: Sequence[Moment]) -> Moment:
    """Return the day of a mark."""
    return moments[ord(mark) - ord(FIRST_MARK)]


def _moments(text: str, lowered: str, today: date) -> Iterator[tuple[int, int, Moment]]:
    found = []
    for match in _CALENDAR.finditer(_CLOSING.sub(" ", lowered)):
        said = calendar_dates(match["calendar"])
        if said and not all(s.month is None and s.quarter is None for s in said):
            end = match.end() - (lowered[match.end() - 1] == ".")
            found.append((match.start(), end, Moment(text[match.start() : end], tuple(said))))
    for match in _RELATIVE.finditer(lowered):
        words = text[match.start() : match.end()]
        year = match["since"] or match["year"]
        if year:
            found.append((match.start(), match.end(), Moment(words, (PartialDate(int(year)),))))
        elif (day := _in_calendar(match, today)) is not None:
            found.append((match.start(), match.end(), Moment(words, exact=day)))
    yield from sorted(found, key=lambda item: (item[0], -item[1]))


def _in_calendar(match: re.Match[str], today: date) -> date | None:
    """Return the day of a relative date, None where it lies beyond the calendar."""
    try:
        return _relative(match, today)
    except OverflowError:
        return None


def _relative(match: re.Match[str], today: date) -> date | None:
    if match["ago"]:
        return today - _span(match["ago"].removesuffix(" ago"))
    if match["ahead"]:
        return today + _span(match["ahead"].removeprefix("in ").removesuffix("' time"))
    if match["near"]:
        days = {"tomorrow": 1, "yesterday": -1}.get(match["near"])
        return today + timedelta(days=days if days else 2 if "after" in match["near"] else -2)
    if match["unit"]:
        days = _UNIT_DAYS[match["what"]]
        return today + timedelta(days=-days if match["side"] == "last" else days)
    if match["weekday"]:
        named = _WEEKDAYS.index(match["name"])
        if match["turn"] == "next":  # of the week after this one
            return today + timedelta(days=7 - today.weekday() + named)
        ahead = (named - today.weekday()) % 7
        if match["turn"] == "last":
            return today - timedelta(days=7 - ahead if ahead else 7)
        return today + timedelta(days=ahead or 7)
    if match["end"]:
        return _end_of(match["span"], today)
    day = int(match["day"])
    month_days = _days_of(today.year, today.month)
    if not 1 <= day <= month_days:
        return None
    return today.replace(day=day) if day >= today.day else _next_month(today.replace(day=1), day)


def _span(words: str) -> timedelta:
    count, _, unit = words.rpartition(" ")
    return timedelta(days=_UNIT_DAYS[unit.removesuffix("s")] * (_COUNTS.get(count) or int(count or 1)))


def _end_of(span: str, today: date) -> date:
    if span == "week":
        return today + timedelta(days=6 - today.weekday())
    if span == "year":
        return today.replace(month=12, day=31)
    return today.replace(day=_days_of(today.year, today.month))


def _days_of(year: int, month: int) -> int:
    return 31 if month == 12 else (date(year, month + 1, 1) - timedelta(days=1)).day


def _next_month(first: date, day: int) -> date | None:
    following = first + timedelta(days=32)
    days = _days_of(following.year, following.month)
    return following.replace(day=min(day, days))


def _resolved(said: PartialDate, today: date, *, ahead: bool) -> date | None:
    """Return the day of a partial date; of a month or year its first day, and its last where it lies ahead."""
    month = said.month or (said.quarter * 3 - (0 if ahead else 2) if said.quarter else (12 if ahead else 1))
    if said.year is not None:
        return _day(said.year, month, said.day, last=ahead)
    years = (today.year - 1, today.year, today.year + 1)
    days = [day for year in years if (day := _day(year, month, said.day, last=ahead)) is not None]
    if ahead:
        return min((day for day in days if day >= today), default=None)
    return max((day for day in days if day <= today), default=None)


def _day(year: int, month: int, day: int | None, *, last: bool) -> date | None:
    try:
        days = _days_of(year, month)
        return date(year, month, day or (days if last else 1))
    except ValueError:
        return None
