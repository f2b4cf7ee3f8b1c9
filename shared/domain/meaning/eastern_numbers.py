"""Chinese and Korean numbers of several parts, "9만 5천", "十三万九千", written as one figure; degrees with their sign.

Rules: input is folded text; a run of digits and scales becomes its value. A lone scale word, or a run without a digit
in front, is left as it stands.
It does not know units nor currencies (spelling.py, quantities.py).
Source: the grammar of numerals in both languages.
"""

import re
from collections.abc import Mapping
from decimal import Decimal
from types import MappingProxyType

_DIGITS: Mapping[str, int] = MappingProxyType({d: n for n, d in enumerate("零一二三四五六七八九")} | {"两": 2})
_SCALES: Mapping[str, int] = MappingProxyType({"十": 10, "百": 100, "千": 1_000, "십": 10, "백": 100, "천": 1_000})
_BLOCKS: Mapping[str, int] = MappingProxyType({"万": 10**4, "亿": 10**8, "만": 10**4, "억": 10**8})
_HAN = re.compile(
    r"(?<![第\d])(?:[一二三四五六七八九两]|十(?=[一二三四五六七八九万]))[零一二三四五六七八九十百千万亿两]{1,14}"
)
_HANGUL = re.compile(
    r"\d+(?:[.,]\d+)*[십백천]?[만억]?(?: ?\d+(?:[.,]\d+)*[십백천]?[만억]?)*(?=[십백천만억\d])[십백천]?[만억]?"
)
_GROUP = re.compile(r"(\d+(?:[.,]\d+)*)([십백천]?)([만억]?)")
_BELOW_ZERO = re.compile(r"(?:영하|零下)(?: ?约)? ?(?=\d)|\bminus (?=\d+(?:[.,]\d+)? ?(?:°|grad|degrees|celsius))")
_DEGREES = re.compile(
    r"(\d) ?(?:°c|° c|degrees(?: celsius| centigrade)?|grad(?: celsius)?|摄氏度|度|도)(?![a-z가-힣]{3}|록|착|구|서)"
)


_HANGUL_DEGREES = re.compile(r"(\d)도(?=[를로] |까지|이하|이상|이다)")


def whole_numbers(text: str) -> str:
    """Return a folded text with numbers of several parts as figures, and degrees as a unit."""
    if re.search(r"[\u4e00-\u9fff]", text):
        text = _HAN.sub(lambda m: _han(m.group()), text)
    elif re.search(r"[가-힣]", text):
        text = _HANGUL.sub(lambda m: _hangul(m.group()), text)
        text = _HANGUL_DEGREES.sub(r"\1 celsius ", text)
    for written, plain in _HALVES:
        text = written.sub(plain, text)
    text = _HANGUL_CLOCK.sub(_clock, _HAN_DAYPART.sub(_clock, text))
    cold = _BELOW_ZERO.search(text) is not None
    if cold or re.search(r"°|celsius|\bdegrees\b|\bgrad\b|摄氏|温度|气温|온도|기온|섭씨", text):
        text = _DEGREES.sub(r"\1 celsius ", _BELOW_ZERO.sub("-", text))
    return text


def _minutes(match: re.Match[str]) -> str:
    return f"{60 * int(match.group(1)) + int(match.group(2))} minutes"


_KOREAN: Mapping[str, str] = MappingProxyType({"한": "1", "두": "2", "세": "3", "네": "4"})
_HALVES = (
    (re.compile(r"(\d+|[一两二三四五六七八九十])个半(?=小时|月)"), lambda m: f"{_count(m.group(1))}.5个"),
    (re.compile(r"(\d+|[一两二三四五六七八九十])年半"), lambda m: f"{12 * _count(m.group(1)) + 6}个月"),
    (
        re.compile(
            r"(\d+) ?(?:시간|小时|hours?|stunden?)(?: and| und)? ?(\d+) ?(?:분|分钟?|minutes?|minuten)(?![a-z])"
        ),
        _minutes,
    ),
    (re.compile(r"(\d+) ?(?:미터|米|m|metres?|meter) ?(\d{2}) ?(?:센티미터|센티|厘米|公分|cm)"), r"\1.\2 m"),
    (re.compile(r"(\d(?:\.\d)?)成(?![\u4e00-\u9fff]?[立为功果年交])"), lambda m: f"{float(m.group(1)) * 10:g}%"),
    (re.compile(r"([一二三四五六七八九])成(?=[的股定首员客产]|，|。)"), lambda m: f"{_DIGITS[m.group(1)]}0%"),
    (re.compile(r"(\d+)米(\d)(?!\d)"), r"\1.\2米"),
    (re.compile(r"(\d+|한|두|세|네) ?시간 반"), lambda m: f"{_KOREAN.get(m.group(1), m.group(1))}.5시간"),
    (re.compile(r"(\d+)년 반"), lambda m: f"{12 * int(m.group(1)) + 6}개월"),
    (re.compile(r"(\d+)일(?= ?(?:동안|간|이내|안에|내에|걸|뒤|후))"), r"\1 days"),
    (re.compile(r"(\d+)주(?= ?(?:동안|간|이내|안에|내에|걸|뒤|후|전))"), r"\1 weeks"),
)
_HANGUL_CLOCK = re.compile(r"(오전|새벽|아침|오후|저녁|밤)? ?(\d{1,2})시(?! ?간|[가-힣]*장)(?: ?(\d{1,2})분| ?(반))?")
_HAN_DAYPART = re.compile(
    r"(上午|早上|早晨|凌晨|中午|下午|晚上|傍晚|晚|早)(\d{1,2}|十[一二]?|[一二两三四五六七八九])[点时](?:钟|整)?(?:(半)|(\d{1,2})分?)?"
)


def _clock(match: re.Match[str]) -> str:
    """Write a time of day by the 24 hours."""
    part, half = match.group(1) or "", "半" in match.groups() or "반" in match.groups()
    minute = 30 if half else next((int(m) for m in match.groups()[2:] if m and m.isdigit()), 0)
    hour = _count(match.group(2))
    if hour < 12 and part in ("오후", "저녁", "밤", "下午", "晚上", "傍晚", "晚"):
        hour += 12
    return f" {hour}:{minute:02d} "


def _count(word: str) -> int:
    return int(word) if word.isdigit() else int(_han(word)) if len(word) > 1 else _DIGITS.get(word, 10)


def _han(word: str) -> str:
    """Read a numeral with a scale; one that only lists digits stays."""
    if not re.search(r"[十百千万亿]", word):
        return word
    total = section = digit = 0
    for sign in word:
        if sign in _DIGITS:
            digit = _DIGITS[sign]
        elif sign in _BLOCKS:
            total = (total + section + digit) * _BLOCKS[sign] if sign == "亿" else total + (section + digit) * 10_000
            section = digit = 0
        else:
            section, digit = section + (digit or 1) * _SCALES[sign], 0
    return str(total + section + digit)


def _hangul(word: str) -> str:
    """Read figures with scales behind them."""
    total = section = Decimal(0)
    for figure, scale, block in _GROUP.findall(word):
        section += Decimal(figure.replace(",", "")) * _SCALES.get(scale, 1)
        if block:
            total, section = total + section * _BLOCKS[block], Decimal(0)
    value = total + section
    return str(int(value)) if value == int(value) else str(value)
