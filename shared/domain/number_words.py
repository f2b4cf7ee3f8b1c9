"""Number words written as digits, so that only digits need to be read: "twenty-one days" becomes "21 days".

Rules: input is folded text. English up to hundreds of millions, German up to 999, Korean counting words and Chinese
numerals before a measure word. "one", "ein" and 一 alone are left: they are articles and pronouns more often than
counts. Ordinal words, "both", "half" and "dozen" are left too, save in dates. Scales after digits stay ("3 million").
It does not know what the number counts.
Source: grammar of English and German cardinals; the measure words are a choice of common ones.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen".split()
_UNITS += ["seventeen", "eighteen", "nineteen"]
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL: Mapping[str, int] = MappingProxyType(
    {word: n for n, word in enumerate(_UNITS)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
)
_SCALES: Mapping[str, int] = MappingProxyType({"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9})
_SMALL_WORD = "|".join(sorted(_SMALL, key=len, reverse=True))
_SCALE_WORD = "|".join(_SCALES)
_ENGLISH = re.compile(
    rf"\b(?:(?:{_SMALL_WORD})(?:[- ](?:{_SMALL_WORD}|{_SCALE_WORD}|and(?= (?:{_SMALL_WORD})\b)))*"
    rf"|a (?:{_SCALE_WORD})(?: (?:{_SMALL_WORD}|{_SCALE_WORD}|and(?= (?:{_SMALL_WORD})\b)))*)\b"
)
_POINT = re.compile(rf"\b(\d+) point (\d|{_SMALL_WORD})\b")

_GERMAN_UNITS = "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn".split()
_GERMAN_UNITS += "sechzehn siebzehn achtzehn neunzehn".split()
_GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".replace("ß", "ss").split()


def _german() -> dict[str, int]:
    words = {word: n for n, word in enumerate(_GERMAN_UNITS)}
    words |= {word: 10 * n for n, word in enumerate(_GERMAN_TENS, 2)}
    words |= {
        f"{one}und{ten}": 10 * tens + ones
        for ones, one in list(enumerate(_GERMAN_UNITS))[1:10]
        for tens, ten in enumerate(_GERMAN_TENS, 2)
    }
    words |= {f"{one}hundert": 100 * ones for ones, one in list(enumerate(_GERMAN_UNITS))[1:10]} | {"hundert": 100}
    return {word: n for word, n in words.items() if word not in ("null", "ein")}


_GERMAN: Mapping[str, int] = MappingProxyType(_german())
_GERMAN_WORD = re.compile(rf"\b(?:{'|'.join(sorted(_GERMAN, key=len, reverse=True))})\b")

_KOREAN: Mapping[str, int] = MappingProxyType(
    {"두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10}
)
_KOREAN_WORD = re.compile(rf"(?<![가-힣])({'|'.join(_KOREAN)}) ?(?=(?:건|개|명|장|번|곳|가지|차례)(?![가-힣]{{3}}))")
_HAN_DIGITS: Mapping[str, int] = MappingProxyType(
    {digit: n for n, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "兩": 2}
)
_HAN_SCALES: Mapping[str, int] = MappingProxyType({"十": 10, "百": 100, "千": 1_000})
_HAN = r"[零一二两兩三四五六七八九十百千]+"
_HAN_COUNT = re.compile(rf"({_HAN})(?=[张張个個份名家笔筆件次项項台位天万萬亿億元])")
_HAN_PERCENT = re.compile(rf"百分之({_HAN}|[0-9.]+)")


def as_digits(text: str) -> str:
    """Return a folded text with its number words written as digits."""
    if text.isascii():
        text = _ENGLISH.sub(_english, text)
        return _GERMAN_WORD.sub(lambda m: str(_GERMAN[m.group()]), _POINT.sub(_decimal, text))
    text = _HAN_PERCENT.sub(lambda m: f"{_han(m.group(1)) or m.group(1)}%", text)
    text = _HAN_COUNT.sub(lambda m: str(_han(m.group(1)) or m.group(1)) if m.group(1) != "一" else "一", text)
    text = _KOREAN_WORD.sub(lambda m: str(_KOREAN[m.group(1)]), text)
    text = _POINT.sub(_decimal, _ENGLISH.sub(_english, text))
    return _GERMAN_WORD.sub(lambda m: str(_GERMAN[m.group()]), text)


def _english(match: re.Match[str]) -> str:
    words = [word for word in re.split(r"[ -]", match.group()) if word not in ("and", "a")]
    if words == ["one"]:
        return match.group()
    total = group = 0
    previous = 0
    for word in words:
        scale = _SCALES.get(word)
        if scale is None:
            value = _SMALL[word]
            if group and not _joins(previous, value):  # "two three": a list, not one number
                return match.group()
            group, previous = group + value, value
        elif scale == 100:
            group, previous = max(group, 1) * 100, 100
        else:
            total, group, previous = total + max(group, 1) * scale, 0, scale
    return str(total + group)


def _joins(previous: int, value: int) -> bool:
    return previous == 100 or (20 <= previous <= 90 and 1 <= value <= 9)


def _decimal(match: re.Match[str]) -> str:
    return f"{match.group(1)}.{_SMALL.get(match.group(2), match.group(2))}"


def _han(word: str) -> int | None:
    """Read a Chinese numeral below ten thousand; None for digits or what is none."""
    total = digit = 0
    for sign in word:
        if sign in _HAN_DIGITS:
            digit = _HAN_DIGITS[sign]
        elif sign in _HAN_SCALES:
            total, digit = total + (digit or 1) * _HAN_SCALES[sign], 0
        else:
            return None
    return total + digit
