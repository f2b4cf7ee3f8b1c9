"""Dates inside running text, also those that say less than a day: "April 2026", "Q2 2026", "10 April".

Rules: a date holds what was said of year, quarter, month and day, and nothing else. It is covered by another that says
at least as much and the same: "April 2026" is covered by 2026-04-10, not the reverse. A month name alone counts only
where a preposition makes it a date. Input is folded text.
It does not know relative dates ("last month"), weekdays or two-digit years.
Source: forms of dates.py and figures.py; quarters of the calendar year.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from shared.domain import dates
from shared.domain.figures import DATE, date_terms

_NAMES = "january february march april may june july august september october november december".split()
_NUMBER_OF = {name: n for n, name in enumerate(_NAMES, 1)}
_NUMBER_OF |= {name[:3]: n for n, name in enumerate(_NAMES, 1)} | {"sept": 9}
_FOREIGN = {
    "januar": "january", "februar": "february", "märz": "march", "maerz": "march", "mai": "may", "juni": "june",
    "juli": "july", "oktober": "october", "dezember": "december", "enero": "january", "febrero": "february",
    "marzo": "march", "abril": "april", "mayo": "may", "junio": "june", "julio": "july", "agosto": "august",
    "septiembre": "september", "octubre": "october", "noviembre": "november", "diciembre": "december",
    "janvier": "january", "février": "february", "mars": "march", "avril": "april", "juin": "june",
    "juillet": "july", "août": "august", "septembre": "september", "octobre": "october", "novembre": "november",
    "décembre": "december",
}  # fmt: skip
_FOREIGN_NAME = re.compile(rf"(?<![^\W_])(?:{'|'.join(_FOREIGN)})(?![^\W_])")
_MONTH = rf"(?:{'|'.join(sorted(_NUMBER_OF, key=len, reverse=True))})(?![^\W\d_])\.?"
_GERMAN_DAY = re.compile(rf"\b(\d{{1,2}})\. (?={_MONTH})")
_SPANISH_OF = re.compile(rf"\b(?:(\d{{1,2}}) de )?({_MONTH}) del? (?=\d{{4}}\b)")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_PREPOSITIONS = "in since until till by during for from through to of early late mid end im ab bis seit en and".split()
# Tried in this order; the first form that matches a text also tells what it says.
_FORMS = (
    r"(?P<y>\d{4})[ -]?q(?P<q>[1-4])",
    r"q(?P<q>[1-4])[ /,-]{0,2}(?:of )?(?P<y>\d{4})",
    rf"(?P<o>{'|'.join(_ORDINALS)}) quarter(?: of)? (?P<y>\d{{4}})",
    rf"(?P<o>{'|'.join(_ORDINALS)}) quarter",
    r"q(?P<q>[1-4])",
    r"(?P<y>\d{4}) ?[年년] ?(?P<m>\d{1,2}) ?[月월]",
    r"(?P<m>\d{1,2}) ?[月월] ?(?P<d>\d{1,2}) ?[日일号]",
    r"(?P<y>\d{4}) ?[年년]",
    rf"(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)?[ -](?P<n>{_MONTH})",
    rf"(?P<n>{_MONTH}) (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?![\d.,:%])",
)
_UNSPACED_FORM = (
    r"\d{4} ?[年년] ?(?:\d{1,2} ?[月월] ?(?:\d{1,2} ?[日일号])?)?|\d{1,2} ?[月월] ?\d{1,2} ?[日일号]"  # ends itself
)
_BARE = "|".join(re.sub(r"P<[a-z]>", ":", form) for form in _FORMS)
_ALONE = "|".join(rf"(?<=\b{word} ){_MONTH}" for word in _PREPOSITIONS)
_START = r"(?<![^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])(?<!\d[.,-])"
_STOP = r"(?![^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3])(?!-\d)"
CALENDAR = rf"(?P<calendar>{_START}(?:{_UNSPACED_FORM}|{DATE}|(?:{_BARE}|{_ALONE}){_STOP}))"
_PARSERS = tuple(re.compile(form) for form in _FORMS)
_ISO = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")


@dataclass(frozen=True, slots=True)
class PartialDate:
    """What a text says of a date."""

    year: int | None = None
    quarter: int | None = None
    month: int | None = None
    day: int | None = None

    @classmethod
    def of(cls, iso: str) -> "PartialDate":
        """Read YYYY-MM-DD or YYYY-MM, with or without a time."""
        match = _ISO.match(iso)
        if match is None:
            raise ValueError(f"{iso!r} is no ISO date")
        year, month, day = match.groups()
        return cls(int(year), (int(month) + 2) // 3, int(month), int(day) if day else None)

    def whole(self) -> date | None:
        """Return the day, when it is said in full and exists."""
        if self.year is None or self.month is None or self.day is None:
            return None
        try:
            return date(self.year, self.month, self.day)
        except ValueError:
            return None

    def covered_by(self, other: "PartialDate") -> bool:
        """Tell whether the other says at least as much, and the same."""
        pairs = zip(
            (self.year, self.quarter, self.month, self.day),
            (other.year, other.quarter, other.month, other.day),
            strict=True,
        )
        return all(said is None or said == known for said, known in pairs)


def english_months(text: str) -> str:
    """Return a folded text with German, Spanish and French month names in English, "10. april" as "10 april"."""
    text = _FOREIGN_NAME.sub(lambda m: _FOREIGN[m.group()], text)
    return _SPANISH_OF.sub(_of, _GERMAN_DAY.sub(r"\1 ", text))


def calendar_dates(text: str) -> tuple[PartialDate, ...]:
    """Return the readings of one folded date that CALENDAR matched; empty for a day that does not exist."""
    full = dates.readings(text.replace("号", "日"))
    if full:
        return tuple(PartialDate.of(iso) for iso in full)
    months = [term for term in date_terms(text) if _ISO.fullmatch(term)]
    if months:
        return tuple(PartialDate.of(iso) for iso in months)
    match = next((m for parser in _PARSERS if (m := parser.fullmatch(text))), None)
    if match is None:
        month = _NUMBER_OF.get(text.rstrip("."))
        return (_partial(month=month),) if month else ()
    return tuple(_read(match.groupdict()))


def _of(match: re.Match[str]) -> str:
    return f"{match.group(1)} {match.group(2)} " if match.group(1) else f"{match.group(2)} "


def _read(parts: dict[str, str | None]) -> Iterator[PartialDate]:
    name, ordinal, quarter = parts.get("n"), parts.get("o"), parts.get("q")
    month = _NUMBER_OF[name.rstrip(".")] if name else int(parts.get("m") or 0) or None
    day, year = parts.get("d"), parts.get("y")
    if ordinal:
        quarter = str(_ORDINALS[ordinal])
    if (month is None or 1 <= month <= 12) and (day is None or 1 <= int(day) <= 31):
        yield _partial(int(year) if year else None, int(quarter) if quarter else None, month, int(day) if day else None)


def _partial(
    year: int | None = None, quarter: int | None = None, month: int | None = None, day: int | None = None
) -> PartialDate:
    return PartialDate(year, quarter or ((month + 2) // 3 if month else None), month, day)
