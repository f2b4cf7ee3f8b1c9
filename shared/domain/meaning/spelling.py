"""Spellings that hide figures made plain: dozens, halves, hours, units and separable verbs of other languages.

Rules: input is folded text; a spelling is rewritten into one that quantities.py reads. Nothing is converted but
             words for numbers.
It does not know what is measured (figures.py).
Source: common fractions and counting words; unit names of the SI in German, Korean and Chinese.
"""

import re

from shared.domain.meaning.eastern_numbers import whole_numbers
from shared.domain.meaning.numerals import plain_numerals
from shared.domain.number_words import as_digits

_FRACTIONS = {
    "half": "50", "a third": "33.3", "one third": "33.3", "2 thirds": "66.7", "a quarter": "25", "one quarter": "25",
    "3 quarters": "75", "a fifth": "20", "a tenth": "10", "one half": "50",
}  # fmt: skip
_ONE_UNIT = re.compile(
    r"\b(?:one|an?)(?= (?:kilogram|kilo|kg|metre|meter|hour|week|month|litre|liter|tonne|mile"
    r"|kilometre|percent|euro|dollar|year)\b)"
)
_FRACTION = re.compile(rf"\b({'|'.join(sorted(_FRACTIONS, key=len, reverse=True))}) (of|the|its|our|their)\b")
_UNIT_TABLE = """
公斤=kg 千克=kg 克=g 吨=t 公里=km 厘米=cm 毫米=mm 米=m 小时=hours 分钟=minutes 天=days 升=l 킬로그램=kg
그램=g 톤=t 킬로미터=km 센티미터=cm 미터=m 시간=hours 리터=l kg=kg g=g cm=cm km=km tonnen=tonnes
tonne=tonnes gramm=g kilogramm=kg zentimeter=cm 개월=months 个月=months 주일=weeks
周=weeks kilometern=km metern=m 毫升=ml 毫克=mg 分=minutes 초=seconds 秒=seconds 밀리리터=ml 밀리미터=mm
킬로=kg liter=l litern=l milliliter=ml 公顷=hectares 헥타르=hectares hektar=hectares 亩=mu 평=pyeong 平方米=sqm
제곱미터=sqm 平米=sqm
quadratmetern=sqm quadratmeter=sqm qm=sqm m²=sqm
"""
_UNIT_OF = dict(pair.split("=") for pair in _UNIT_TABLE.split())
_UNITS = re.compile(r"(\d) ?(" + "|".join(sorted(_UNIT_OF, key=len, reverse=True)) + r")(?![a-zäöü年])")
_HAN_HOURS = {han: n for n, han in enumerate("一 二 三 四 五 六 七 八 九 十 十一 十二".split(), 1)} | {"两": 2}
_HAN_CLOCK = re.compile(r"(十[一二]?|[一二两三四五六七八九])点(?!\d)")
_METRES = re.compile(
    r"(?<![€$£\d.,])(?<!eur )(?<!usd )(?<!gbp )(?<!chf )(\d+(?:[.,]\d+)*) ?m\b\.?"
    r"(?! ?(?:usd|eur|gbp|chf|dollars|euros?|pounds|users|people|units|views|downloads))"
)
_CEILING = re.compile(
    r"\b(?:never|not|cannot) ((?:to )?[^,;.]{0,50}?)(?:above|over|more than|exceed|beyond|higher than) (?=\d)"
)
_NOT_BEFORE = re.compile(r"\b(?:not|never|cannot) ([^,;.]{0,40}?)(?:before|until) (?=\d{1,2}(?::\d\d)?(?![\d/]))")
_CUBIC = re.compile(
    r"(\d+(?:\.\d+)?) ?(?:cubic met(?:re|er)s?|m³|m3|kubikmetern?|立方米|세제곱미터|입방미터)(?![^\W_])"
)
_SEPARABLE = (
    (re.compile(r"\blehn(?:t|te|ten|en) (.+?) ab\b"), r"abgelehnt \1"),
    (re.compile(r"\b(?:nahm|nahmen|nimmt) (.+?) an\b"), r"angenommen \1"),
    (re.compile(r"\b(?:findet|fand) (.+? )?statt\b"), r"findet_statt \1"),
    (re.compile(r"\b(?:fällt|fiel) (.+? )?aus\b"), r"fällt_aus \1"),
    (re.compile(r"\b(?:stieg|steigt) (.+? )?an\b"), r"gestiegen \1"),
    (re.compile(r"\b(?:nahm|nimmt) (.+? )?zu\b"), r"zugenommen \1"),
)


def spelled(folded: str) -> str:
    """Return a folded sentence with contractions opened and counting words as digits."""
    opened = folded.replace("won't", "will not").replace("can't", "cannot").replace("n't", " not")
    opened = _NOT_BEFORE.sub(r"\1at ", opened)
    opened = _CEILING.sub(r"\1at most ", opened)
    return _dozens(plain_numerals(as_digits(whole_numbers(opened))))


def measured(text: str) -> str:
    """Return a text with foreign units, hours and separable verbs in the forms that are read."""
    text = _UNITS.sub(lambda m: f"{m.group(1)} {_UNIT_OF[m.group(2)]} ", text)
    text = re.sub(r"(\d) ?(?:square met(?:re|er)s?|m2)\b", r"\1 sqm", text)
    text = _CUBIC.sub(lambda m: f"{float(m.group(1)) * 1000:g} litres", text)
    text = _METRES.sub(r"\1 metres", text)
    text = _HAN_CLOCK.sub(lambda m: f" {_HAN_HOURS[m.group(1)]}:00 ", text)
    for separable, participle in _SEPARABLE:
        text = separable.sub(participle, text)
    return text


def _dozens(text: str) -> str:
    text = re.sub(r"\bhalf an hour\b", "30 minutes", re.sub(r"\bhalf a dozen\b", "6", text))
    text = re.sub(
        r"\ban hour and a half\b|\b1 and a half hours\b",
        "90 minutes",
        re.sub(r"\b(?:a|one) fortnight\b", "14 days", text),
    )
    text = re.sub(r"\ba quarter of a year\b", "3 months", text)
    text = re.sub(r"\ba quarter of an hour\b", "15 minutes", re.sub(r"\ba score of\b", "20", text))
    text = re.sub(r"\b(\d+) dozen\b", lambda m: str(12 * int(m.group(1))), re.sub(r"\b(?:a|one) dozen\b", "12", text))
    text = re.sub(r"\bein dutzend\b", "12", text)
    text = re.sub(r"\band (?:on )?(?:no one|nobody|no other \w+|nothing|nowhere) ?(?:else)?(?=[.,]|$)", "alone", text)
    text = _ONE_UNIT.sub("1", text)
    text = _FRACTION.sub(lambda m: f"{_FRACTIONS[m.group(1)]}% {m.group(2)}", text)
    return re.sub(
        r"\b(\d+) ((?:[a-z]+ )?)and (\d+) more\b", lambda m: f"{int(m.group(1)) + int(m.group(3))} {m.group(2)}", text
    )
