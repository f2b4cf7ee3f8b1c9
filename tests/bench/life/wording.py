"""Texts compared as a reader compares them: numbers in words, separators, dates in any spelling, case, punctuation.

Rules: `normal` gives words joined by single spaces, a date as one word (2026-06-12, or --06-12 without its year).
Number words up to ninety-nine and "hundred"/"thousand" become digits; grouped figures lose their separators. Value
spellings are those of model.Probe. A date without its year matches that day of any year.
It does not know who says what, nor when (cues.py).
Source: shared.domain.dates and numerals read the figures; the number words are English.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache

from shared.domain import dates, numerals
from shared.domain.text import fold

DATE_PREFIX, REGEX_PREFIX = "date:", "re:"
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?:the )?\d{1,2}(?:st|nd|rd|th)?"
_FULL_DATE = re.compile(
    rf"\b(?:\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{4}}"
    rf"|{_DAY}(?: of)? {_MONTH},? \d{{4}}|{_MONTH} {_DAY},? \d{{4}})\b"
)
_DAY_MONTH = re.compile(rf"\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? ({_MONTH})(?![a-z])")
_MONTH_DAY = re.compile(rf"\b({_MONTH}) (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?![.,]?\d)")
_GROUPED = re.compile(r"\b\d{1,3}(?:[,.' ]\d{3})+\b(?![.,]?\d)")
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBER = {word: n for n, word in enumerate(_UNITS)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_ONE_NUMBER = rf"(?:{'|'.join([*_NUMBER, 'hundred', 'thousand'])})"
_NUMBER_RUN = re.compile(rf"\b{_ONE_NUMBER}(?:[- ](?:and )?{_ONE_NUMBER})*\b")


@lru_cache(maxsize=20_000)
def normal(text: str) -> str:
    """Return the words of a text in the form two texts are compared in; idempotent on its own words."""
    folded = fold(text)
    folded = _FULL_DATE.sub(_iso, folded)
    folded = _DAY_MONTH.sub(lambda found: _yearless(found[1], found[2]), folded)
    folded = _MONTH_DAY.sub(lambda found: _yearless(found[2], found[1]), folded)
    folded = _GROUPED.sub(_plain, folded)
    folded = _NUMBER_RUN.sub(lambda found: str(_counted(found.group())), folded)
    return " ".join(_words(folded))


def _words(text: str) -> Iterator[str]:
    for piece in text.split():
        bare = piece.strip(".,;:!?()[]\"'")
        if re.fullmatch(r"\d{4}-\d\d-\d\d|--\d\d-\d\d", bare):
            yield bare
        else:
            yield from re.sub(r"[^\w+#]", " ", piece).split()


def _iso(found: re.Match[str]) -> str:
    text = found.group().replace("the ", "")
    read = dates.readings(text)
    return " ".join(read) if read else found.group()


def _yearless(day: str, month: str) -> str:
    number = next((n for n, name in enumerate(_MONTHS, 1) if name.startswith(month[:3])), 0)
    return f"--{number:02d}-{int(day):02d}" if number and 1 <= int(day) <= 31 else f"{day} {month}"


def _plain(found: re.Match[str]) -> str:
    read = numerals.readings(found.group())
    return format(read[0], "f") if read else found.group()


def _counted(words: str) -> int:
    total = part = 0
    for word in re.split(r"[- ]", words):
        if word == "hundred":
            part = max(1, part) * 100
        elif word == "thousand":
            total, part = total + max(1, part) * 1000, 0
        elif word != "and":
            part += _NUMBER[word]
    return total + part


def spans(value: str, normalised: str) -> list[tuple[int, int]]:
    """Return where a spelling occurs in a normalised text, as whole words."""
    literals, pattern = _search(value)
    if literals and not any(literal in normalised for literal in literals):
        return []
    return [found.span() for found in pattern.finditer(normalised)]


@lru_cache(maxsize=5_000)
def _search(value: str) -> tuple[tuple[str, ...], re.Pattern[str]]:
    """Return the texts of which one must occur (none for a regex: unknown), and the pattern that decides."""
    literals: tuple[str, ...] = ()
    if value.startswith(REGEX_PREFIX):
        pattern = value.removeprefix(REGEX_PREFIX)
    else:
        literals = _days(value) if value.startswith(DATE_PREFIX) else (normal(value),)
        pattern = "|".join(map(re.escape, literals)) or "(?!)"
    return literals, re.compile(rf"(?<!\S)(?:{pattern})(?!\S)")


def mentions(value: str, text: str) -> bool:
    """Tell whether a text has a spelling in it."""
    return bool(spans(value, normal(text)))


def _days(value: str) -> tuple[str, ...]:
    day, _, tolerance = value.removeprefix(DATE_PREFIX).partition("/")
    middle, around = date.fromisoformat(day), int(tolerance or 0)
    days = [middle + timedelta(days=offset) for offset in range(-around, around + 1)]
    return tuple(spelled for day in days for spelled in (day.isoformat(), f"--{day:%m-%d}"))
