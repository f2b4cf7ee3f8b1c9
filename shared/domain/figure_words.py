"""Figures of running text beyond digits with a unit: ranges, clock times, weekdays, ordinals and durations in words.

Rules: a range is both its ends, each with the sign, month or year that is written once for both. "Half past nine" and
9 o'clock are a time; US dollars are USD. "2개월" and "2 years" are spelt as English units. A weekday and an ordinal
word are figures of their own kinds; "third" of a fraction and "first," that only lists are none.
It does not know whether two numbers with a hyphen are a range or a code: if they rise they are read as a range.
Source: REQUIREMENTS B11; mended by the build half of fixtures/guard.
"""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from types import MappingProxyType

from shared.domain.calendar_words import english_months
from shared.domain.number_words import as_digits
from shared.domain.quantities import Kind, Quantity, counted, quantities
from shared.domain.text import fold

_NUMBER = r"\d{1,3}(?:[,.]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?"
_SIGN = r"[$€£¥₩]|(?:usd|eur|gbp|cny|jpy|krw|chf) "
_RANGE = re.compile(
    rf"(?<![\w.,/-])(?P<sign>{_SIGN})?(?P<low>{_NUMBER})(?: ?- ?| (?:to|and|bis|through) )"
    rf"(?P<other>{_SIGN})?(?P<high>{_NUMBER})(?![\w/-]|[.,]\d)"
)
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?\.?"
_JOINT = r"(?: ?- ?| (?:to|and|until|till|through|bis) )"
_DAYS_BEFORE = re.compile(rf"\b({_DAY}){_JOINT}({_DAY}) ({_MONTH})((?:,? \d{{4}})?)\b")
_DAYS_BEHIND = re.compile(rf"\b({_MONTH}) ({_DAY}){_JOINT}({_DAY})(?![\w.:%-])((?:,? \d{{4}})?)")
_HALF_HOUR, _QUARTER_HOUR = 30, 15  # minutes
_PAST = re.compile(r"\b(half|quarter|a quarter) (past|to) (\d{1,2}|one)\b")
_OCLOCK = re.compile(r"\b(\d{1,2}) ?o'clock\b|\b(\d{1,2})(?:[.:](\d{2}))? ?uhr(?: (\d{2})\b)?")
_UNSPACED_UNITS: Mapping[str, str] = MappingProxyType(
    {"개월": "months", "년간": "years", "년": "years", "시간": "hours", "주일": "weeks", "주간": "weeks",
     "일간": "days", "个月": "months", "個月": "months", "年": "years", "小时": "hours", "小時": "hours",
     "分钟": "minutes", "分鐘": "minutes",
     "天": "days", "周": "weeks", "星期": "weeks", "公里": "km", "公斤": "kg", "吨": "t", "톤": "t"}
)  # fmt: skip
_UNSPACED_UNIT = re.compile(
    rf"(?<![\d.,])(\d{{1,3}}(?:\.\d+)?) ?({'|'.join(sorted(_UNSPACED_UNITS, key=len, reverse=True))})"
)
_HAN_SPAN = re.compile(r"([两兩二三四五六七八九十]{1,3})(?=年|周|小时|个月|個月|分钟)")
_HAN_UNITS: Mapping[str, int] = MappingProxyType(
    {digit: n for n, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "兩": 2}
)

_NATIONAL: Mapping[str, str] = MappingProxyType(
    {"us dollar": "usd", "u.s. dollar": "usd", "american dollar": "usd", "canadian dollar": "cad",
     "australian dollar": "aud", "new zealand dollar": "nzd", "singapore dollar": "sgd", "hong kong dollar": "hkd",
     "swiss franc": "chf", "british pound": "gbp", "pound sterling": "gbp", "pounds sterling": "gbp",
     "japanese yen": "jpy", "chinese yuan": "cny", "korean won": "krw", "indian rupee": "inr", "mexican peso": "mxn"}
)  # fmt: skip
_NATIONAL_MONEY = re.compile(rf"(?<=[\dkmn] )({'|'.join(map(re.escape, _NATIONAL))})s?\b")

_DAY_NAMES = (
    "monday montag montags lunes lundi 월요일 星期一 周一 礼拜一",
    "tuesday dienstag dienstags martes mardi 화요일 星期二 周二 礼拜二",
    "wednesday mittwoch mittwochs miércoles mercredi 수요일 星期三 周三 礼拜三",
    "thursday donnerstag donnerstags jueves jeudi 목요일 星期四 周四 礼拜四",
    "friday freitag freitags viernes vendredi 금요일 星期五 周五 礼拜五",
    "saturday samstag samstags sonnabend sábado samedi 토요일 星期六 周六 礼拜六",
    "sunday sonntag sonntags domingo dimanche 일요일 星期日 星期天 周日 礼拜天",
)
_DAY_NUMBER = {fold(name): n for n, names in enumerate(_DAY_NAMES) for name in names.split()}
_LATIN_DAYS = "|".join(name for name in _DAY_NUMBER if name.isascii() or name[0] < "\u3000")
_OTHER_DAYS = "|".join(name for name in _DAY_NUMBER if not (name.isascii() or name[0] < "\u3000"))
_WEEKDAY = re.compile(rf"(?<![^\W_])({_LATIN_DAYS})s?(?![^\W_])|({_OTHER_DAYS})")

_ORDINAL_WORDS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_ORDINAL = re.compile(
    rf"(?<!\ba )(?<!\bone )(?<![\w-])(?:(?P<digits>\d{{1,3}})(?:st|nd|rd|th)|(?P<word>{'|'.join(_ORDINAL_WORDS)}))"
    r"(?![\w-])(?!,| half| quarter)"
)


@lru_cache(maxsize=4096)
def figures(text: str) -> tuple[Quantity, ...]:
    """Return the figures of a text (quantities.py), with ranges spread, and its weekdays and ordinals."""
    spread = _spread(text)
    return (*quantities(spread), *_weekdays(spread), *_ordinals(spread))


def _spread(text: str) -> str:
    folded = english_months(fold(text))
    folded = _HAN_SPAN.sub(_from_han, folded)
    folded = _UNSPACED_UNIT.sub(lambda m: f" {m.group(1)} {_UNSPACED_UNITS[m.group(2)]} ", folded)
    plain = _NATIONAL_MONEY.sub(lambda m: _NATIONAL[m.group(1)], as_digits(folded))
    plain = _OCLOCK.sub(_whole_hour, _PAST.sub(_past, plain))
    plain = _DAYS_BEHIND.sub(r"\1 \2\4 to \1 \3\4", _DAYS_BEFORE.sub(r"\1 \3\4 to \2 \3\4", plain))
    return _RANGE.sub(_both_ends, plain)


def _both_ends(match: re.Match[str]) -> str:
    low, high = (Decimal(match[end].replace(",", "")) if _grouped(match[end]) else None for end in ("low", "high"))
    if low is None or high is None or low >= high or match["low"][0] == "0" or match["high"][0] == "0":
        return match.group()
    sign = match["sign"] or ""
    joint = " and " if " and " in match.group() else " to "
    return f"{sign}{match['low']}{joint}{match['other'] or sign}{match['high']}"


def _grouped(number: str) -> bool:
    return re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?", number) is not None


def _past(match: re.Match[str]) -> str:
    hour = 1 if match.group(3) == "one" else int(match.group(3))
    minute = _HALF_HOUR if match.group(1) == "half" else _QUARTER_HOUR
    if match.group(2) == "to":
        hour, minute = (hour - 1) % 24, 60 - minute
    return f"{hour}:{minute:02d}"


def _whole_hour(match: re.Match[str]) -> str:
    minutes = match.group(3) or match.group(4) or "00"
    return f"{match.group(1) or match.group(2)}:{minutes}"


def _from_han(match: re.Match[str]) -> str:
    tens, ten, ones = match.group(1).rpartition("十")
    if not ten:
        return str(_HAN_UNITS.get(ones, match.group(1)))
    return str(10 * _HAN_UNITS.get(tens, 1) + _HAN_UNITS.get(ones, 0))


def _weekdays(text: str) -> Iterator[Quantity]:
    for match in _WEEKDAY.finditer(text):
        number = _DAY_NUMBER[match.group(1) or match.group(2)]
        yield Quantity(Kind.WEEKDAY, match.group(), (Decimal(number),))


def _ordinals(text: str) -> Iterator[Quantity]:
    for match in _ORDINAL.finditer(text):
        number = int(match["digits"] or _ORDINAL_WORDS.index(match["word"]) + 1)
        yield Quantity(Kind.ORDINAL, match.group(), (Decimal(number),), nouns=counted(text[match.end() :]))
