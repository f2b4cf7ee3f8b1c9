"""What a statement tells, without what it orders its reader: planted verdicts, machine text, notes to a judge.

Rules: a sentence that orders, or names a verdict of this judge, is dropped; what stands in front of the order in
             the same sentence stays. An
aside in brackets or behind a semicolon goes alone. Markup and JSON are no statement.
It does not know what the facts say (reading.py); orders to any model are told by instructions.py.
Source: OWASP LLM01 (prompt injection); forms collected on the build half of the fixtures.
"""

import re

from shared.domain.instructions import evidence_sentences, is_instruction
from shared.domain.statements import sentences
from shared.domain.text import fold

FACT_MIN_WORDS = 3  # "Hugo is ill" (chosen, untested)

_MACHINE = re.compile(r"\{[^{}]*\}|</?[a-z_|]{2,20}>|<\|[^>]*\|>|```\w*|\[/?(?:inst|sys)\w*\]", re.IGNORECASE)
_ORDERS_JUDGE = re.compile(
    r"\b(?:contradict\w*|(?:in)?consistent|verdict|superseded|other statement|statements|this pair"
    r"|no pair)\b.*\b(?:answer|output|report|reply|say"
    r"|mark|return|respond|declare|conclude|label|rate|score|treat|flag|must|confirmed|call)\b"
    r"|\b(?:answer|output|report|reply|say|mark|return"
    r"|respond|declare|conclude|label|rate|score|treat|flag|call|set"
    r"|always says?)\b.*\b(?:contradict\w*|consistent|verdict|as opposed"
    r"|superseded|conflicting|inconsistent|nothing here conflicts)\b|^(?:this"
    r"|the) statement is (?:consistent|contradict\w+)|^(?:system|assistant|user|admin|developer"
    r"|note to (?:the )?\w+)\b ?[:,]"
    r"|(?:判定|判断|回答|输出|标记).{0,12}(?:矛盾|一致|冲突)|(?:모순|일치|상충).{0,12}(?:답|판정|출력"
    r"|표시|보고)"
    r"|\b(?:widerspruch|widersprüchlich|vereinbar|konsistent)\b.*\b(?:antwort\w*|melde\w*|ausgeben"
    r"|gib)\b"
    r"|\b(?:antwort\w*|melde\w*|gib|sag\w*)\b.*\b(?:widerspruch|widersprüchlich|vereinbar"
    r"|konsistent)\b",
)
_ASIDE = re.compile(
    r"<(?P<tag>\w+)>[^<]*</\w+>|\([^()]*\)|\[[^\[\]]*\]|<!--.*?-->|;[^.;!?]*|\*{2,}[^*]*\*{2,}"
    r"|【[^】]*】|（[^）]*）|——[^。]*"
)


def _without_orders(match: re.Match[str]) -> str:
    """Keep an aside unless it gives orders."""
    folded = fold(match.group()).strip(";()[]<>!-* 【】（）—")
    return " " if _ORDERS_JUDGE.search(folded) or is_instruction(folded) or _VERDICT.search(folded) else match.group()


_ADDRESSES = re.compile(
    r"\b(?:ignore|disregard|forget|judge|assistant|system|model|instructions?|statements?|prompt"
    r"|evaluator|auditor|ai|note|whatever|important)\b"
)
_VERDICT = re.compile(r"\b(?:contradict\w*|(?:in)?consistent|verdict)\b|矛盾|判定|모순|판정|widerspr")


_ESTABLISHED = re.compile(
    r"^[^,;:]{2,48}? (?:has |have |had |only |now |soon |then |later |recently )?(?:realis\w+|realiz\w+|discover\w+"
    r"|found out|finds out|establish\w+|noticed|notices"
    r"|learn(?:ed|t)|knows|knew|regrets|regretted|confirmed|proved|proves|is aware|was aware|remembers"
    r"|is glad|is sorry"
    r"|is proud|revealed|showed|verified|determined|has shown|hat (?:herausgefunden|festgestellt|bestätigt|ermittelt"
    r"|nachgewiesen|bemerkt|erfahren|gezeigt|entdeckt),|fand heraus,|ergab,|zeigte,|bestätigte,"
    r"|stellte fest,|bemerkte,|weiss,|bedauert,|entdeckte,) (?:that |dass )|^[^，。]{2,8}(?:发现|得知"
    r"|意识到"
    r"|查明|查实|证实|确认|后悔)了?，?"
)


def facts(text: str) -> list[str]:
    """Return the sentences of a statement that state facts."""
    plain = _MACHINE.sub(" ", _ASIDE.sub(_without_orders, text))
    kept = set(evidence_sentences(plain))
    found: list[str] = []
    for part in sentences(plain):
        told = _before_orders(part) if part not in kept or _ORDERS_JUDGE.search(fold(part)) else part
        told = _ESTABLISHED.sub("", told, count=1)
        if fold(told):
            found.append(told[:1].upper() + told[1:])
    return found


def _before_orders(sentence: str) -> str:
    """Return what a sentence tells in front of the order that it ends with."""
    first = re.split(r"[,:;—–]|\s-\s| and (?=[a-z]+ )| so (?=[a-z]+ )", sentence, maxsplit=1)[0].strip()
    folded = fold(first)
    order = (
        _ORDERS_JUDGE.search(folded) or is_instruction(first) or _VERDICT.search(folded) or _ADDRESSES.search(folded)
    )
    return "" if order or first == sentence or len(first.split()) < FACT_MIN_WORDS else first
