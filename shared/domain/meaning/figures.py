"""Figures of two sentences about one thing: which measure the same, and whether both can be right.

Rules: only figures of one kind meet: one currency, one dimension, one counted noun. "More than", "at most", "about"
make an interval; two figures exclude each other when their intervals are apart, or when both are upper limits and
differ ("within 30 days"). A share of a whole, a net beside a gross, a figure "of them" are other figures.
It does not know whether the sentences speak of the same thing (judge.py).
Source: intervals are our own reading; tolerances as in equality.py's rule for numbers without a currency.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.words import is_neutral, root
from shared.domain.quantities import Kind, Quantity

APPROXIMATE_SHARE = Decimal("0.1")  # what "about" leaves open (chosen, untested)
CONVERTED_SHARE = Decimal("0.01")  # what rounding leaves open between two units, 5 miles and 8 km (chosen)
RELATIVE_TOLERANCE = Decimal("0.00005")  # as REQUIREMENTS C2
DAYS_PER_MONTH = (Decimal(28), Decimal(31))
SECONDS_PER_DAY = Decimal(86_400)

_BEFORE = 60  # characters in front of a figure that may bound it
_UPPER = re.compile(
    r"(?:at most|up to|within|under|below|less than|fewer than|maximum of|no more than|not over"
    r"|limit of|bis zu|höchstens|maximal|unter|binnen|innerhalb|최대|최장|最多|不超过|至多"
    r"|(?:upper limit|maximum|ceiling|obergrenze|höchstgrenze|höchstwert|höchst\w+|grenzwert)\b[^,;.]{0,40}?"
    r" (?:is|was|at|of|beträgt|liegt bei|von)"
    r"|不到|정원[은이]?|한도[는가]?|限载|限|上限为?)(?:[\u4e00-\u9fff]{1,3}| [a-zäöü]+)? ?$"
)
_LOWER = re.compile(
    r"(?:at least|more than|over|above|minimum of|exceeds?|exceeding|upwards of|mindestens|mehr als"
    r"|über|최소|적어도|至少|超过|不少于|多于)(?: [a-zäöü]+)? ?$"
)
_ABOUT = re.compile(
    r"(?:about|around|roughly|approximately|nearly|almost|some|circa|ca\.?|etwa|rund|ungefähr|fast|약"
    r"|대략|约|大约|将近|差不多)(?: [a-z]+)? ?$"
)
_UPPER_BEHIND = re.compile(r"^[^.,;]{0,6}?(?:이하|이내|미만|까지|以内|以下|以内|or less|or fewer|at most)")
_LOWER_BEHIND = re.compile(r"^[^.,;]{0,6}?(?:이상|초과|以上|or more|at least|\+)")
_RANGE = re.compile(r"(\d[\d.,]*) ?(?:to|and|-|bis|und|~|에서|到|至) ?$")
_OPENS_RANGE = re.compile(r" ?(?:to|-|bis|~|到|至) ?\d")
_PART = re.compile(
    r"\bevery (?=\d)|\balle (?=\d)|마다|每隔|^of (?:the|its|all|our) "
    r"|(?:\d|\bhalf|\bmost|\bsome|\bpart|\bmany|\bnone)[\w%]* (?:[a-z]+ )?of (?:the|them"
    r"|these|those|which|its|his|her|their|all)\b|\bincluding \d|\bamong\b|davon|그중"
    r"|其中|중에서|另外|additional|another|extra|besides|plus|a further|on top|pro "
)
_RATES = re.compile(
    r"\b(?:(?:each|every|per|a|je|pro|im) (?:working |business |calendar |single "
    r"|school )?(?P<of>second|minute|hour|day|week|month|year|sekunde|stunde|tag|woche|monat|jahr)\b"
    r"|(?P<ly>hourly|daily|weekly|monthly|yearly|annual|annually|apiece|nightly|each(?= ?(?:[.,;]|$))"
    r"|täglich|wöchentlich|monatlich"
    r"|jährlich)\b)|(?P<han>每小时|每分钟|每秒|每天|每日|每周|每月|每年|月(?=[租薪费供付])|年(?=[租薪费付])|每个?)"
    r"|(?P<ko>시간당|분당|초당|시속|초속|하루|매일|매주|한 ?달에|매달|매월|월(?= ?\d)|1년에|매년|연간|연(?= ?\d))"
)
_RATE_OF = {
    word: name
    for name, words in {
        "second": "second sekunde 每秒 초당 초속",
        "minute": "minute 每分钟 분당",
        "hour": "hour stunde hourly 每小时 시간당 시속",
        "day": "day tag daily täglich 每天 每日 하루 매일",
        "week": "week woche weekly wöchentlich 每周 매주",
        "month": "month monat monthly monatlich 每月 月 매달 매월 월 한달에",
        "year": "year jahr yearly annual annually jährlich 每年 年 매년 연간 연 1년에",
    }.items()
    for word in words.split()
}
_BASES = (
    re.compile(r"\bnet\b|\bnetto\b|excluding|excl|before tax|without vat|不含税|세전"),
    re.compile(r"\bgross\b|\bbrutto\b|including|incl|after tax|with vat|含税|세후|세금 포함"),
)


@dataclass(frozen=True, slots=True)
class _Reach:
    """What a figure leaves open: None is without limit."""

    low: Decimal | None
    high: Decimal | None
    bound: str


def figures_apart(a: Sentence, b: Sentence) -> tuple[Quantity, Quantity] | None:
    """Return two figures of one measure that cannot both be right, or None."""
    if any(basis.search(a.figure_text) and other.search(b.figure_text) for basis, other in (_BASES, _BASES[::-1])):
        return None
    if set(_PART.findall(a.figure_text)) != set(_PART.findall(b.figure_text)) or _rates(a) != _rates(b):
        return None
    pairs = [(x, y) for x in _measured(a) for y in _measured(b) if _comparable(x, y, a, b)]
    agreeing = {id(q) for x, y in pairs if not _apart(x, y, a, b) for q in (x, y)}
    left = [(x, y) for x, y in pairs if id(x) not in agreeing and id(y) not in agreeing]
    if len(left) > 1 and not (len(_measured(a)) == len(_measured(b)) and len(left) == len(pairs)):
        return None
    return left[0] if left and not _other_measure(a, b) else None


def _rates(sentence: Sentence) -> frozenset[str]:
    """Return what the figures are per: "a month", "apiece"."""
    words = (
        match["of"] or match["ly"] or match["han"] or match["ko"] for match in _RATES.finditer(sentence.figure_text)
    )
    return frozenset(_RATE_OF.get(word.replace("한 달", "한달"), "piece") for word in words)


def _other_measure(a: Sentence, b: Sentence) -> bool:
    """Tell "2 m high" from "80 m long"."""
    mine, theirs = ({s.axis for s in x.stances if s.axis in _ATTRIBUTES} for x in (a, b))
    return bool(mine and theirs and not mine & theirs)


_ATTRIBUTES = frozenset("level length size depth weight wear strength speed price heat".split())


def measures(sentence: Sentence) -> bool:
    """Tell whether a sentence holds a figure that can be compared."""
    return bool(_measured(sentence))


def _measured(sentence: Sentence) -> Sequence[Quantity]:
    return [
        q
        for q in sentence.figures
        if q.kind not in (Kind.DATE, Kind.IDENTIFIER)
        and not (q.days and q.kind is Kind.NUMBER)
        and not _is_year(q, sentence)
    ]


def _is_year(q: Quantity, sentence: Sentence) -> bool:
    plain = q.kind is Kind.NUMBER and re.fullmatch(r"1[5-9]\d\d|20\d\d", q.text) is not None
    return plain and any(anchor.kind == "year" and anchor.value == q.text for anchor in sentence.anchors)


def _comparable(x: Quantity, y: Quantity, a: Sentence, b: Sentence) -> bool:
    kinds = {x.kind, y.kind}
    if kinds == {Kind.MONEY}:
        return bool(set(x.units) & set(y.units))
    if kinds == {Kind.MEASURE}:
        return x.units == y.units or {x.units, y.units} == {("s",), ("month",)}
    if kinds == {Kind.NUMBER}:
        return not _other_unit(x, y, a, b) and _same_counted(x, y, a, b)
    if kinds == {Kind.MONEY, Kind.NUMBER}:
        number = x if x.kind is Kind.NUMBER else y
        return not number.nouns
    return kinds <= {Kind.PERCENT} or kinds <= {Kind.CLOCK}


def _other_unit(x: Quantity, y: Quantity, a: Sentence, b: Sentence) -> bool:
    """Tell numbers with two units or measure words that the table of units does not know: "100 hp", "75 kW"."""
    first, second = (_unit_behind(q, s) for q, s in ((x, a), (y, b)))
    return bool(first and second) and first != second


def _unit_behind(q: Quantity, sentence: Sentence) -> str:
    at = sentence.figure_text.find(q.text)
    match = _UNIT_BEHIND.match(sentence.figure_text, at + len(q.text)) if at >= 0 else None
    word = match.group(1) if match else ""
    return _ALIKE.get(word, word)


_UNIT_BEHIND = re.compile(
    r" ?(hp|ps|kw|kwh|mw|w|v|kv|a|ah|mah|bar|psi|pa|kpa|hpa|mpg|rpm|hz|khz|mhz|ghz|db|ppm|lux|lm|kcal"
    r"|kj|kn|nm|dpi|mbit|gbit"
    r"|cubic|square|stone|gallons?|pints?|knots?|[\u4e00-\u9fff]|[가-힣])"
)
_ALIKE = dict.fromkeys("人名位명분", "位") | {"个": "", "件": "", "개": "", "건": "", "时": "点"}


def _same_counted(x: Quantity, y: Quantity, a: Sentence, b: Sentence) -> bool:
    if x.nouns and y.nouns:
        mine, theirs = {root(n) for n in x.nouns if not is_neutral(n)}, {root(n) for n in y.nouns if not is_neutral(n)}
        return not (mine and theirs) or any(m.startswith(t) or t.startswith(m) for m in mine for t in theirs)
    if x.nouns or y.nouns:
        counted = {root(n) for n in x.nouns or y.nouns}
        return bool(counted & (a.words if y.nouns else b.words)) or a.script != "latin"
    return True


def _apart(x: Quantity, y: Quantity, a: Sentence, b: Sentence) -> bool:
    numbers_x, numbers_y = _numbers(x, y), _numbers(y, x)
    if not numbers_x or not numbers_y:
        return False
    converted = x.kind is Kind.MEASURE and re.sub(r"[\d.,\s]", "", x.text) != re.sub(r"[\d.,\s]", "", y.text)
    apart = True
    for m in numbers_x:
        for n in numbers_y:
            first, second = (_reach(q, v, s, converted=converted) for q, v, s in ((x, m, a), (y, n, b)))
            if first.bound == second.bound == "upper":
                apart = apart and not _close(m[0], n[0]) and not (m[0] <= n[1] and n[0] <= m[1])
            else:
                apart = apart and _disjoint(first, second)
    return apart


def _numbers(q: Quantity, other: Quantity) -> list[tuple[Decimal, Decimal]]:
    """Return the readings of a figure as ranges; months beside days are ranges of days."""
    if q.kind is Kind.MEASURE and q.units != other.units:
        if q.units == ("month",):
            return [(n * DAYS_PER_MONTH[0], n * DAYS_PER_MONTH[1]) for n in q.numbers]
        return [(n / SECONDS_PER_DAY, n / SECONDS_PER_DAY) for n in q.numbers]
    return [(n, n) for n in q.numbers]


def _reach(q: Quantity, number: tuple[Decimal, Decimal], sentence: Sentence, *, converted: bool) -> _Reach:
    low, high = number
    stated = re.match(r"[^a-z%]*[\d.,]*", q.text)
    at = sentence.figure_text.find(q.text)
    at = at if at >= 0 else sentence.figure_text.find(stated.group().strip() if stated else q.text)
    before = sentence.figure_text[max(0, at - _BEFORE) : at] if at >= 0 else ""
    behind = sentence.figure_text[at + len(q.text) :] if at >= 0 else ""
    if _UPPER.search(before) or _UPPER_BEHIND.search(behind):
        return _Reach(None, high, "upper")
    if _LOWER.search(before) or _LOWER_BEHIND.search(behind):
        return _Reach(low, None, "lower")
    span = _RANGE.search(before)
    if span is not None:
        try:
            return _Reach(min(low, Decimal(span.group(1).replace(",", ""))), high, "exact")
        except ArithmeticError:
            return _Reach(None, None, "exact")
    opened = _OPENS_RANGE.match(behind)
    if opened is not None:
        return _Reach(low, None, "exact")
    tolerance = CONVERTED_SHARE if converted else RELATIVE_TOLERANCE
    margin = abs(high) * (APPROXIMATE_SHARE if _ABOUT.search(before) else tolerance)
    return _Reach(low - margin, high + margin, "exact")


def _disjoint(a: _Reach, b: _Reach) -> bool:
    below = a.high is not None and b.low is not None and a.high < b.low
    above = a.low is not None and b.high is not None and a.low > b.high
    return below or above


def _close(m: Decimal, n: Decimal) -> bool:
    return abs(m - n) <= RELATIVE_TOLERANCE * max(abs(m), abs(n))
