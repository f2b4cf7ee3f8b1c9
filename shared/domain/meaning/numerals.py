"""Numbers that hide in words, beyond cardinals: halves, Han numerals before any measure word, Korean and German counts.

Rules: input is folded text; what is rewritten is a number and nothing else. "A month" behind an amount is a rate, not
one month. A half of a unit is the decimal fraction of it.
It does not know units (spelling.py) nor what is counted.
Source: the grammar of numerals and fractions in four languages; the measure words are a choice of common ones.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

_HAN_DIGITS: Mapping[str, int] = MappingProxyType({d: n for n, d in enumerate("零一二三四五六七八九")} | {"两": 2})
_HAN_SCALES: Mapping[str, int] = MappingProxyType({"十": 10, "百": 100, "千": 1_000, "万": 10_000})
_MEASURE_WORDS = (
    "人只头辆箱瓶盒包袋间套门种层页米度寸克斤吨升岁年月周日次票户架艘条把棵亩块名座支小分秒毫平公厘港英美欧日韩元"
)
_HAN_COUNT = re.compile(rf"(?<![第\d])([零一二两三四五六七八九十百千万]{{1,7}})(?=[{_MEASURE_WORDS}])")
_HAN_HALVES = (
    (re.compile(r"半(?=升|公斤|公里|吨|米|公顷)"), "0.5"),
    (re.compile(r"半斤"), "250克"),
    (re.compile(r"半个?小时"), "30分钟"),
    (re.compile(r"半年"), "6个月"),
    (re.compile(r"(\d+)斤"), r"\g<1>*500克"),
)
_JIN = re.compile(r"(\d+)\*500克")
_KOREAN_COUNTS: Mapping[str, int] = MappingProxyType(
    {"한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10,
     "열한": 11, "열두": 12, "스무": 20, "서른": 30}
)  # fmt: skip
_KOREAN = re.compile(
    rf"(?<![가-힣])({'|'.join(sorted(_KOREAN_COUNTS, key=len, reverse=True))}) ?"
    r"(?=(?:건|개|명|장|번|곳|대|마리|권|잔|병|상자|시간|달|살|층|채|척|그루|줄|켤레|벌|사람|군데|주|해)(?![가-힣]{3}))"
)
_WESTERN = (
    (re.compile(r"\b(\d+) and a half\b"), r"\1.5"),
    (re.compile(r"\b(?:1|one|a) (\w+) and a half\b"), r"1.5 \1s"),
    (re.compile(r"\bhalf an? (?=litre|liter|kilo|kilometre|kilometer|mile|metre|tonne|ton|pound)"), "0.5 "),
    (re.compile(r"\ba quarter of an? (?=litre|liter|kilo|kilometre|kilometer|mile|metre|tonne|ton|pound)"), "0.25 "),
    (re.compile(r"\bhalf a year\b"), "6 months"),
    (re.compile(r"\bhalf a million\b"), "500,000"),
    (re.compile(r"\b(?:1|one) and a half\b"), "1.5"),
    (re.compile(r"\banderthalb (?:jahre[n]?)\b"), "18 monate"),
    (re.compile(r"\banderthalb\w*\b"), "1,5"),
    (re.compile(r"\bein(?:e[nrms]?)? halbe[nrs]? stunde\b"), "30 minuten"),
    (re.compile(r"\bein(?:e[nrms]?)? halbe[nrs]? jahr\b"), "6 monate"),
    (re.compile(r"\bein(?:e[nrms]?)? halbe[nrs]? (?=liter|kilo|tonne|meter|hektar)"), "0,5 "),
    (re.compile(r"\b(\d+)einhalb\b"), r"\1,5"),
    (re.compile(r"\bzweieinhalb\b"), "2,5"),
    (re.compile(r"\bdreieinhalb\b"), "3,5"),
    (re.compile(r"\b(at|from|until|by|before|after) noon\b"), r"\1 12:00"),
    (re.compile(r"\b(at|until|by|before|after) midnight\b"), r"\1 24:00"),
    (re.compile(r"\b(?:an? )?(\d+)-(hour|day) week\b"), r"\1 \2s weekly"),
    (re.compile(r"\ba pair of\b"), "2"),
    (re.compile(r"\bboth\b(?= of)"), "2"),
    (re.compile(r"\btwice a (?=week|day|month|year)"), "2 times a "),
    (re.compile(r"\bthrice a (?=week|day|month|year)"), "3 times a "),
    (re.compile(r"\bonce a (?=week|day|month|year)"), "1 times a "),
)
_RATE = re.compile(
    r"(?<=[\d%\w€$£,)]) (?:an?|per|each|every|pro|je|im|in der) "
    r"(hour|day|week|month|quarter|year|night|head|person|stunde|tag|woche|monat|jahr|nacht|stück)"
    r"(?=[,.;()]|$| (?!\d|of\b|and a half|ago|later|before|old|from now|from today|long|in advance))"
)
_RATE_WORDS = {"day": "daily", "tag": "daily", "stunde": "hourly", "woche": "weekly", "monat": "monthly",
               "jahr": "yearly", "nacht": "nightly", "stück": "apiece",
               "head": "apiece", "person": "apiece"}  # fmt: skip


def plain_numerals(text: str) -> str:
    """Return a folded sentence with the numbers that stand in words as digits."""
    if re.search(r"[\u4e00-\u9fff]", text):
        for half, plain in _HAN_HALVES:
            text = half.sub(plain, text)
        text = _JIN.sub(lambda m: f"{500 * int(m.group(1))}克", text)
        return _HAN_COUNT.sub(lambda m: _han(m.group(1)), text)
    if re.search(r"[가-힣]", text):
        return _KOREAN.sub(lambda m: str(_KOREAN_COUNTS[m.group(1)]), text)
    for words, plain in _WESTERN:
        text = words.sub(plain, text)
    return _RATE.sub(lambda m: f" {_RATE_WORDS.get(m.group(1), m.group(1) + 'ly')}", text)


def _han(word: str) -> str:
    """Read a Chinese numeral below a hundred million; as it stands where it is none, or a lone "one"."""
    if word in ("一", "千", "万", "百", "十"):
        return {"十": "10"}.get(word, word)
    total = section = digit = 0
    for sign in word:
        if sign in _HAN_DIGITS:
            digit = _HAN_DIGITS[sign]
        elif sign == "万":
            total, section, digit = (section + digit) * 10_000, 0, 0
        else:
            section, digit = section + (digit or 1) * _HAN_SCALES[sign], 0
    return str(total + section + digit)
