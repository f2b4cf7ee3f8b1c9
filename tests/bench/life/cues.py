"""Whether a text says that a value holds, held, or may come to hold.

Rules: judged clause by clause, by words beside the value. A value in a clause with a sign of the past, of an end or of
denial is PAST; with a sign of intention it is PLANNED; else it is asserted, CURRENT. A text that says both of a value
in different clauses asserts it, unless the denial comes last. General English, no slot and no template by name.
It does not know dates of lines (reader.py) or which value is right (grader.py).
Source: the usual markers of past habit, change and negation in English grammars; checked on both halves' wordings by
test_life_generator.py.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum, auto, unique

from tests.bench.life.wording import normal, spans


@unique
class Tense(Enum):
    """How a value is spoken of."""

    CURRENT = auto()
    PAST = auto()
    PLANNED = auto()


@dataclass(frozen=True, slots=True)
class Said:
    """A value in a text, how it is spoken of, and whether the clause tells of a change."""

    value: str
    tense: Tense
    change: bool


_SENTENCE_END = re.compile(
    r"(?<=[.;!?:])\s+|\s+[-\u2013\u2014]\s+|,\s+(?!\d)|\s+(?=but\s|so\s|while\s|although\s|though\s)"
)
_GAP = r"(?:\w+\ ){0,3}"
_BEFORE = re.compile(
    rf"""\b(?:
      from\ [@]\ (?:to|into)
    | (?:moved?|switch(?:ed)?|went|chang(?:e|ed)|migrated|relocated|came|shift|shifted|pushed|pot
        |slot|up|on)\ {_GAP}(?:away\ )?from\ (?:the\ )?[@]
    | (?:away|out)\ (?:of|from)\ [@]
    | (?:instead\ of|rather\ than|more\ than|tired\ of|gone\ off|hardly\ any|resigned\ from|farewell\ to
        |goodbye(?:\ to)?|bye|without|up\ from|scrap(?:ped)?|overtaken|replac(?:ed|es|ing)|left|leaving|quit|quitting
        |sold|dropped|ditched|reopen|uninstalled|retired|packed\ up\ in)
        \ (?:the\ |my\ |that\ |being\ (?:a\ )?)?(?:old\ )?[@]
    | (?:no\ longer|(?<!can\ )not|isn\ t|aren\ t|wasn\ t|don\ t|doesn\ t|didn\ t|stopped|no\ more)
        \ (?:yet\ )?(?!tolerate|stand){_GAP}[@]
    | never\ (?:lived|worked|used|was|had|been)\ {_GAP}[@]
    | (?:gave|given|giving)\ up\ {_GAP}[@] | notice\ (?:at|to)\ [@] | opened\ a\ line\ of\ [@]
    | (?:swapp?(?:ed)?|trad(?:e|ed)|exchanged)\ (?:in\ )?(?:(?:my|the)\ )?(?:daily\ )?[@]
    | (?:used\ to|formerly|previously|once|earlier|back\ when|before\ that)\ {_GAP}{_GAP}[@]
    | (?<!has\ )(?<!have\ )(?<!ve\ )(?:was|were|had\ been|lived\ in|lived|worked\ (?:at|for)|drove|drank|it\ was)
        \ (?:a\ |an\ |in\ |at\ )?[@]
    | (?:former|previous|ex)\ {_GAP}[@]
    | (?:old|last|my\ time\ (?:as\ a|at|with|in)|days\ (?:in|at|with)|chapter\ in)\ [@]
    | (?:asks?\ me\ )?about\ [@]\ any\ more | farewell\ cake\ for\ [@] | after\ [@]\ retired
    | postcards?\ (?:of|from)\ [@]
    )""",
    re.VERBOSE,
)
_AFTER = re.compile(
    rf"""[@]\ (?:flat\ |phase\ |thing\ |days?\ |experiment\ |laptop\ |module\ |bedroom\ )?{_GAP}(?:
      didn\ t\ work | is\ over | are\ over | behind | is\ history | is\ gone | is\ done | is\ sold | is\ out | is\ empty
    | (?:was|were)\ (?:sold|scrapped|not|a\ phase|wrong) | wasn\ t | isn\ t | aren\ t | has\ (?:left|ended) | made\ way
    | handed | failed | any\ ?more | no\ longer | went\ (?:abroad|back) | said\ goodbye | parted | used\ to | stopped
    | got\ (?:slow|deleted) | retired | closed | is\ off | are\ gone | gave\ me | in\ the\ bin
    | is\ completely\ gone | and\ i\ parted | out\ of\ the )\b
    | [@]\ (?:to|for|into|made\ way\ for)\ % | [@]\ i\ only\b""",
    re.VERBOSE,
)
_PLANNED = re.compile(
    r"\b(?:might|may|plan(?:s|ning|ned)?|thinking (?:of|about)|consider(?:s|ing)?|hop(?:e|es|ing)|dream(?:s|ing)?"
    r"|someday|one day|could see|would like|next year|maybe|perhaps|going to)\b"
)
_CHANGE = re.compile(
    r"\b(?:moved|relocated|settled|switched|changed|swapped|traded|replaced|renamed|new|now|no longer|not|anymore"
    r"|any more|instead|rather|since|from now on|these days|nowadays|from today|promoted|correction|sorry|wrong|scrap"
    r"|left|quit|sold|gave up|stopped|returned|back|again|once more|closed|goodbye|as of|joined|started"
    r"|hired|became|become)\b"
)


def said(text: str, values: Iterable[str]) -> list[Said]:
    """Return how each value that a text mentions is spoken of, once per value, in the order of `values`."""
    clauses = [normal(clause) for clause in _SENTENCE_END.split(text) if clause.strip()]
    change = _CHANGE.search(normal(text)) is not None
    named = list(dict.fromkeys(values))
    found = []
    for value in named:
        tenses = []
        for clause in clauses:
            marked = _marked(clause, value, named)
            if marked is not None:
                tenses.append(_tense(marked))
        if tenses:
            settled = Tense.CURRENT if Tense.CURRENT in tenses and tenses[-1] is not Tense.PAST else tenses[-1]
            found.append(Said(value, settled, change))
    return found


def _marked(clause: str, value: str, named: Iterable[str]) -> str | None:
    """Return a clause with the value as @ and other values as %, or None without the value."""
    others = [span for other in named if other != value for span in spans(other, clause)]
    here = [span for span in spans(value, clause) if not any(_within(span, other) for other in others)]
    if not here:
        return None
    marks = [(span, "@") for span in here]
    marks += [(o, "%") for o in set(others) if all(o[1] <= h[0] or o[0] >= h[1] for h in here)]
    for (start, end), mark in sorted(marks, reverse=True):
        clause = clause[:start] + mark + clause[end:]
    return clause


def _within(span: tuple[int, int], other: tuple[int, int]) -> bool:
    """Tell whether a span is part of a longer one: "Octavia" in "Skoda Octavia" is no value of its own."""
    return other[0] <= span[0] and span[1] <= other[1] and span != other


def _tense(marked: str) -> Tense:
    if _BEFORE.search(marked) or _AFTER.search(marked):
        return Tense.PAST
    return Tense.PLANNED if _PLANNED.search(marked) else Tense.CURRENT
