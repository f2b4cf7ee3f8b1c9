"""Every figure of a text: amounts, percentages, counts, measures, dates, times and identifiers, canonicalised.

Rules: "$500", "USD 500" and "500 dollars" are one amount; "65%", "65 percent", "65 Prozent" one share; 72 hours are 3
days; 1.2k is 1,200; number words count. INV-2043 is an identifier, never minus 2043. What can be read in two ways holds
both readings. A shared sign (¥, kr) holds every currency it may mean. Positions are lost: text is folded first.
It does not know which figure is true (support.py).
Source: REQUIREMENTS B11, A6; readings of numerals, dates, currencies and units as in the modules of those names.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum, unique

from shared.domain import dates, numerals
from shared.domain.calendar_words import CALENDAR, PartialDate, calendar_dates, english_months
from shared.domain.currencies import MINOR_DIGITS, SIGNS
from shared.domain.number_words import as_digits
from shared.domain.text import fold
from shared.domain.units import BASE_SYMBOLS, known_unit
from shared.domain.values import base_amount

COUNTED_MAX_WORDS = 3  # "3 open sales invoices" (chosen, untested)


@unique
class Kind(StrEnum):
    """What a figure is."""

    NUMBER = "number"
    MONEY = "money"
    PERCENT = "percent"
    MEASURE = "measure"
    DATE = "date"
    CLOCK = "clock"
    WEEKDAY = "weekday"  # of figure_words.py, as is the next
    ORDINAL = "ordinal"
    IDENTIFIER = "identifier"


@dataclass(frozen=True, slots=True)
class Quantity:
    """One figure. `numbers` are its readings; `units` its currencies, or its base unit; `nouns` what it may count."""

    kind: Kind
    text: str
    numbers: tuple[Decimal, ...] = ()
    units: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    days: tuple[PartialDate, ...] = ()
    scaled: bool = False  # written with a scale word: "3 million"


_WORDY = "ALL TRY TOP MOP CUP PEN GEL SOS MAD BOB COP BAM"  # codes that are English words: read in capitals only
_WORDY_MARK = "\ue000"  # private use: no text means anything by it
_WORDY_BESIDE = re.compile(rf"\b({'|'.join(_WORDY.split()[1:])})(?= ?\d)|(?<=\d)( ?)({'|'.join(_WORDY.split()[1:])})\b")
_CODES = [code.lower() for code in MINOR_DIGITS if code not in _WORDY.split()]
_CODES += [code.lower() + _WORDY_MARK for code in _WORDY.split()[1:]]
_SHARED = {"¥": ("CNY", "JPY"), "kr": ("DKK", "ISK", "NOK", "SEK"), "kr.": ("DKK", "ISK", "NOK", "SEK")}
# Names of currencies, singular and plural, as they stand behind a figure.
_NAME_TABLE = """
USD=dollar dollars bucks dólar dólares 달러 美元 us-dollar | EUR=euro euros 유로 欧元 歐元 | KRW=won 원 韩元
JPY=yen 엔 日元 | GBP=quid sterling 파운드 英镑 | CNY=yuan renminbi 위안 人民币 元 块
INR=rupee rupees rupien | CHF=franken
CAD=canadian-dollars | AUD=australian-dollars
"""
_NAMES: dict[str, tuple[str, ...]] = {name: (code,) for entry in re.split(r"[|\n]", _NAME_TABLE) if "=" in entry
          for code, names in [entry.strip().split("=")] for name in names.split()}  # fmt: skip
_NAMES |= {"pound": ("GBP",), "pounds": ("GBP",), "francs": ("CHF", "XAF", "XOF"), "kronor": ("SEK",)}
_NAMES |= {"kroner": ("DKK", "NOK"), "pesos": ("ARS", "CLP", "COP", "MXN", "PHP")}
_SCALES = {"k": 3, "thousand": 3, "tsd": 3, "tausend": 3, "grand": 3, "m": 6, "mn": 6, "mio": 6, "mil": 6,
           "million": 6, "millions": 6, "millionen": 6, "bn": 9, "mrd": 9, "billion": 9, "billions": 9, "milliarden": 9,
           "milliarde": 9, "lakh": 5, "crore": 7, "万": 4, "萬": 4, "亿": 8, "億": 8, "千": 3,
           "천": 3, "만": 4, "억": 8}  # fmt: skip


_UNIT_NAMES = {"tag": "day", "tage": "days", "tagen": "days", "stunden": "hours", "wochen": "weeks", "monate": "months",
               "monaten": "months", "jahre": "years", "jahren": "years", "minuten": "minutes"}  # fmt: skip


def _any(words: list[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_FREE = rf"(?<![^\W_{_UNSPACED}])"
_FIGURE = r"(?:\d{1,3}(?: \d{3})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,'_]\d+)*|\.\d+)"
_SCALE = rf"(?:(?P<scale>{_any(list(_SCALES))})\.?(?![^\W_{_UNSPACED}])|(?P<han>[万萬亿億千천만억]))"
_BEFORE = rf"(?P<before>{_any([s for s in SIGNS if not s.isalpha()])}|{_FREE}(?:{_any(_CODES)}|rmb|kr)(?![^\W\d_]))"
_BEHIND = _any([*_CODES, *_NAMES, "us$", "rmb", "kr", "zł", "kč"])
_AFTER = rf"(?P<after>[{''.join(s for s in SIGNS if len(s) == 1)}]|(?:{_BEHIND})(?![^\W\d_{_UNSPACED}]))"
_PERCENT = (
    r"(?P<percent>%|per ?cent|percentage points?|pct|prozent(?:punkte)?|por ciento|pour cent|퍼센트|프로(?![가-힣]))"
)
_IDENTIFIER = (
    rf"(?P<id>{_FREE}[a-z]{{1,12}}[-_/#.]?(?=[a-z0-9\-_/.]*\d)[a-z0-9]+(?:[-_/.][a-z0-9]+)*"
    rf"|{_FREE}\d+[a-z]*(?:[-/][a-z0-9]+)+(?![^\W_{_UNSPACED}])|{_FREE}\d+[a-z]{{2,}}\d[a-z0-9]*)"
)
_CLOCK = r"(?P<clock>(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]\.?m\.?)?(?!\d)|(?<!\d)\d{1,2} ?[ap]\.?m\.?(?![^\W_]))"
_AMOUNT = rf"(?P<sign>(?<![\w)\]])[-+])?(?:{_BEFORE} ?(?P<inner>-)?)?(?P<figure>{_FIGURE})(?:[ -]?{_SCALE})?"
_TAIL = rf"(?:[ -]?(?:{_PERCENT}|{_AFTER}))?"
_ORDINAL = r"(?P<ordinal>(?<![\w.])\d{1,3}(?:st|nd|rd|th)\b)"
_SCANNER = re.compile(rf"{CALENDAR}|{_CLOCK}|{_ORDINAL}|(?P<amount>{_AMOUNT}{_TAIL})")
_IDENTIFIERS = re.compile(rf"{CALENDAR}|{_IDENTIFIER}")
_MONEY_STUCK = re.compile(
    rf"(?:{_any([*_CODES, 'rmb', 'kr'])})[\d.,]+(?:{_any(list(_SCALES))})?|\d+(?:\.\d+)?(?:{_any(list(_SCALES))})"
)
_UNIT_WORD = re.compile(r"([ -]?)([^\W\d_]+)")
_COUNTED = re.compile(r"[ -]([^\W\d_]{3,})")
_STOPS = frozenset(
    """
    and but for from the with was were are has have had been being will would that which who than not per via its his
    her our your their this these those into over under about after before
    until since while when where percent each also
    und von der die das für mit wurde wurden ist sind war to in of on at by as is or it
    """.split()
)
_HIDDEN = " "
_NOT_SPACED = frozenset("b d m s in mo min".split())  # behind a space these are words, not units


def quantities(text: str) -> tuple[Quantity, ...]:
    """Return the figures of a text in the order they are found, identifiers first."""
    folded = as_digits(english_months(fold(numerals.ascii_digits(_marked(text)))))
    found: list[Quantity] = []

    def take(match: re.Match[str]) -> str:
        if match["id"] is None or _MONEY_STUCK.fullmatch(match.group()) or _measured(match.group()):
            return match.group()
        found.append(Quantity(Kind.IDENTIFIER, match.group()))
        return _HIDDEN

    rest = _IDENTIFIERS.sub(take, folded)
    found += _scan(rest)
    return tuple(found)


def compact(identifier: str) -> str:
    """Return an identifier without its separators: INV-2043, inv 2043 and INV#2043 are one."""
    return re.sub(r"[\W_]", "", fold(identifier))


def _marked(text: str) -> str:
    text = unicodedata.normalize("NFKC", text)
    return _WORDY_BESIDE.sub(lambda m: f"{m.group(2) or ''}{m.group(1) or m.group(3)}{_WORDY_MARK}", text)


def _measured(token: str) -> bool:
    """Tell "30-day" and "10mb" from identifiers."""
    match = re.fullmatch(r"[\d.,]+-?([a-z]+)", token)
    return match is not None and (known_unit(match.group(1)) is not None or len(match.group(1)) > 3)


def _scan(text: str) -> Iterator[Quantity]:
    for match in _SCANNER.finditer(text):
        piece = match.group()
        if match["calendar"]:
            days = calendar_dates(piece)
            if days:
                yield Quantity(Kind.DATE, piece, days=days)
        elif match["clock"]:
            yield Quantity(Kind.CLOCK, piece, numbers=_minutes(piece))
        elif match["ordinal"]:
            number = Decimal(re.sub(r"\D", "", piece))
            yield Quantity(Kind.NUMBER, piece, (number,), days=(PartialDate(day=int(number)),))
        else:
            quantity = _amount(match, text[match.end() : match.end() + 48])
            if quantity is not None:
                yield quantity


def _minutes(piece: str) -> tuple[Decimal, ...]:
    hour, minute = ([int(n) for n in re.findall(r"\d+", piece)] + [0])[:2]
    if "p" in piece and hour < 12:
        hour += 12
    elif "a" in piece and hour == 12:
        hour = 0
    return (Decimal(60 * hour + minute),)


def _amount(match: re.Match[str], behind: str) -> Quantity | None:
    figure = match["figure"]
    found = numerals.readings(figure)
    if not found:
        return Quantity(Kind.IDENTIFIER, figure) if len(figure) > 1 else None
    if "-" in (match["sign"] or "", match["inner"] or "") or (match["sign"] or "").strip() == "-":
        found = tuple(-number for number in found)
    scale = match["scale"] or match["han"]
    currencies = _currencies(match["before"], match["after"])
    plain = found
    if scale:
        found = tuple(number.scaleb(_SCALES[scale]) for number in found)
    text = match.group().strip()
    if match["percent"]:
        return Quantity(Kind.PERCENT, text, found)
    if currencies:
        return Quantity(Kind.MONEY, text, found, currencies, scaled=bool(scale))
    if scale in ("m", "k"):  # 12 m may be metres, 5 k may be a name
        found = (*found, *plain)
    unit = _unit(behind, plain) if not scale else None
    if unit is not None:
        return Quantity(Kind.MEASURE, text + unit[0], unit[1], (unit[2],))
    return Quantity(Kind.NUMBER, text, found, nouns=counted(behind), scaled=bool(scale))


def _currencies(before: str | None, after: str | None) -> tuple[str, ...]:
    """Return what the marks beside a figure mean; a code behind a sign settles it ($500 CAD)."""
    for mark in (after, before):
        key = (mark or "").replace(_WORDY_MARK, "")
        if not key:
            continue
        if key in _SHARED:
            return _SHARED[key]
        if key in _NAMES:
            return _NAMES[key]
        return (SIGNS.get(key) or key.upper(),)
    return ()


def _unit(behind: str, numbers: tuple[Decimal, ...]) -> tuple[str, tuple[Decimal, ...], str] | None:
    match = _UNIT_WORD.match(behind)
    if match is None:
        return None
    space, word = match.groups()
    unit = known_unit(_UNIT_NAMES.get(word, word))
    if unit is None or unit.dimension == "ratio" or (space == " " and word in _NOT_SPACED):
        return None
    base = BASE_SYMBOLS.get(unit.dimension, unit.symbol)
    return match.group(), tuple(base_amount(number, unit) for number in numbers), base


def counted(behind: str) -> tuple[str, ...]:
    """Return the words behind a figure that it may count."""
    words: list[str] = []
    position = 0
    while len(words) < COUNTED_MAX_WORDS and (match := _COUNTED.match(behind, position)) is not None:
        if match.group(1) in _STOPS:
            break
        words.append(singular(match.group(1)))
        position = match.end()
    return tuple(words)


def singular(word: str) -> str:
    """Return a word without its plural ending, roughly: only good for comparing two words."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def iso_days(text: str) -> tuple[PartialDate, ...]:
    """Return the dates of a field that holds one date, instant or period."""
    folded = fold(text)
    found = tuple(PartialDate.of(iso) for iso in dates.readings(folded))
    return found or calendar_dates(folded)
