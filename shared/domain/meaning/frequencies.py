"""How often one thing is done: "quarterly" against "every month".

Rules: each sentence names one frequency of a deed that has only one, and neither names a figure; what is said beside
it is of one subject.
It does not know times and moods (judge.py).
Source: closed classes of four languages; deeds chosen by us.
"""

import re
from collections.abc import Iterator

from shared.domain.meaning.loose import beside, one_subject
from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.rules import Conflict
from shared.domain.subjects import Shared

_TERMS = {
    "day": r"daily|every day|each day|once a day|täglich|jeden tag|每天|每日|매일|날마다",
    "week": r"weekly|every week|each week|once a week|wöchentlich|jede woche|每周|每星期|매주|주마다",
    "fortnight": r"fortnightly|every (?:two|2|other|second) weeks?|alle (?:zwei|2) wochen|每两周|隔周|격주|2주마다",
    "month": r"monthly|every month|each month|once a month|monatlich|jeden monat|每月|매달|매월|달마다",
    "quarter": r"quarterly|every quarter|each quarter|once a quarter|every (?:three|3) months|vierteljährlich"
    r"|每季度|每季|매분기|분기마다",
    "half": r"half-yearly|twice a year|every (?:six|6) months|halbjährlich|每半年|반년마다",
    "year": r"yearly|annually|every year|each year|once a year|jährlich|jedes jahr|每年|매년|해마다",
}
_OFTEN = {
    name: re.compile("|".join(
        word if re.search(r"[\u3400-\u9fff\uac00-\ud7a3]", word) else rf"(?<![^\W_]){word}(?![^\W_])"
        for word in terms.split("|")))
    for name, terms in _TERMS.items()
}  # fmt: skip
_DEED = re.compile(
    r"\b(?:paid|due|payable|billed|charged|held|meets?|served|serviced|inspected|audited|cleaned"
    r"|updated|delivered|published"
    r"|issued|backed up|checked|reviewed|tested|emptied|renewed|fällig|gezahlt|bezahlt|gewartet|geprüft|gereinigt"
    r"|abgerechnet|geliefert|tagt)\b|支付|缴纳|付款|结算|检修|检查|保养|更新|发布|开会|送货|지급|납부"
    r"|점검|정산|청소|발행|회의"
)


def by_frequency(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield two frequencies of one deed."""
    if a.negations or b.negations or a.figures or b.figures or not (_DEED.search(a.text) and _DEED.search(b.text)):
        return
    first, second = ({name for name, term in _OFTEN.items() if term.search(s.text)} for s in (a, b))
    if len(first) != 1 or len(second) != 1 or first == second:
        return
    found = beside(a, b, _bare(a.text), _bare(b.text))
    if one_subject(found, shared):
        yield Conflict(0.6, "frequency", f"every {min(first)} against every {min(second)}", stateful=not past)


def _bare(text: str) -> str:
    for term in (*_OFTEN.values(), _DEED):
        text = term.sub(" ", text)
    return text
