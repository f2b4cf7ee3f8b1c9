"""A question that leans on the talk before it, written out so that memory can be asked: "and before that?", "what about
her sister?", "when did she move?".

Rules: a question that stands alone stays as it is, whatever was said before. What it leans on is the last question of
the talk, itself written out. "She" and "her" are the last person that was named, as far as the word for them allows;
"what about X?" asks the last question of X; what is left of a question ("since when?", "why?") is asked of the last
one. In doubt both questions are asked together: ranking by their words finds what either means.
It does not know memories, nor who answers. English and German.
Source: REQUIREMENTS D8; ellipsis and anaphora as in any grammar (rules chosen, tested on own examples).
"""

import re
from collections.abc import Sequence

from shared.domain.conversation import asks
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold

TURNS_LOOKED = 12  # of a talk, the last ones: what is further back is seldom meant (chosen, untested)
LOOKED_CHARS = 600  # of a text; a longer question stands alone (chosen, untested)
WRITTEN_OUT_MAX_CHARS = 1_000  # beyond, too much was put together (chosen, untested)
_KIN_SHE = "sister|mother|mum|mom|wife|girlfriend|daughter|aunt|niece|grandmother|grandma|granny"
_KIN_HE = "brother|father|dad|husband|boyfriend|son|uncle|nephew|grandfather|grandpa"
_KIN = rf"{_KIN_SHE}|{_KIN_HE}|cousin|friend|boss|manager|doctor|dentist|neighbour|neighbor|colleague|partner|dog|cat"
_PERSON = re.compile(rf"\b(?:(?P<kin>(?:[Mm]y|[Oo]ur) (?:\w+ )?(?:{_KIN}))\b|(?P<name>[^\W\d_a-z][^\W\d_]+))")
_LEAD = re.compile(r"^(?:(?:and|but|so|ok(?:ay)?|then|also|und|aber)\b[,\s]*)+", re.IGNORECASE)
_ABOUT = re.compile(r"^(?:what|how) about\s+|^(?:and\s+)?was ist mit\s+|^wie steht es (?:um|mit)\s+", re.IGNORECASE)
_SHE = re.compile(r"\b(?:she|her|hers)\b", re.IGNORECASE)
_HE = re.compile(r"\b(?:he|him|his)\b", re.IGNORECASE)
_HER = re.compile(r"\b(?:her|hers)(?= [^\W\d_]+)", re.IGNORECASE)
_HIS = re.compile(r"\bhis(?= [^\W\d_]+)", re.IGNORECASE)
_POINTS = re.compile(
    r"\b(?:it|its|that|this|those|these|there|they|them|their|then|one|ones|same|davor|danach|dort|dahin|das|es)\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:do|did|am|was|have|should|can) I\b|\b[Mm]y [^\W\d_]+(?:'s)?|\b(?:I|me|ich)\b")
_BARE = re.compile(
    r"^(?:why|how come|since when|until when|when|where|who|how long|how much|how many|how often|which one|really"
    r"|before(?: (?:that|then|this|it))?|after(?: (?:that|then))?|and then|seit wann|warum|wann|wo|wie lange|davor"
    r"|vorher|danach)[\s?.!]*$",
    re.IGNORECASE,
)
_IN = re.compile(r"\b(?:in|at|to|from|near|into|on|aus|nach|bei)\s+\Z", re.IGNORECASE)
_NOT_NAMES = frozenset("i ok okay yes no hi hello thanks remember please note user what who".split())


def expanded(message: str, said: Sequence[str]) -> str:
    """Return a message with what it leaves to the talk put in; `said` is what was said before, the oldest first."""
    topic, persons = "", list[str]()
    for text in (one[:LOOKED_CHARS] for one in said[-TURNS_LOOKED:]):
        written_out = _written_out(text, topic, persons)
        persons += _persons(text)
        topic = written_out if asks(text) or _BARE.search(_bare(text)) else topic
    found = _written_out(message, topic, persons) if len(message) <= LOOKED_CHARS else message
    return found if len(found) <= WRITTEN_OUT_MAX_CHARS else message


def _written_out(message: str, topic: str, persons: Sequence[str]) -> str:
    text = message.strip()
    if not asks(text) and not _BARE.search(_bare(text)):
        return message
    led = _LEAD.search(text) is not None
    rest = _bare(text)
    resolved = _resolved(rest, persons)
    about = _ABOUT.search(resolved)
    if about is not None and topic:
        return _asked_of(topic, resolved[about.end() :].rstrip(" ?!."))
    if topic and (_BARE.search(rest) or (_POINTS.search(rest) and not _persons(rest)) or (led and _is_short(rest))):
        if led and not _BARE.search(rest) and not asks(rest.rstrip("?")) and _is_short(rest):
            return _asked_of(topic, resolved.rstrip(" ?!."))
        return f"{topic} {resolved}"
    return resolved if resolved != rest else message


def _bare(text: str) -> str:
    return _LEAD.sub("", text.strip())


def _is_short(text: str) -> bool:
    return sum(word not in ENGLISH_STOP_WORDS for word in fold(text).strip("?!. ").split()) <= 2


def _persons(text: str) -> list[str]:
    """Return the people that a text names, in order; a capital at its very start counts for what is no common word."""
    found = []
    for match in _PERSON.finditer(text):
        if match["kin"]:
            found.append(match["kin"][0].lower() + match["kin"][1:])
        elif not _is_common(match["name"]) and not _is_place(text, match):
            found.append(match["name"])
    return found


def _is_place(text: str, match: "re.Match[str]") -> bool:
    """Tell a word behind "in" or "to", and one that is a sentence of its own, from a person."""
    alone = text[match.end() :][:1] in (".", "!", "?", "") and text[: match.start()].rstrip()[-1:] in (
        ".",
        "!",
        "?",
        "",
    )
    return alone or _IN.search(text, 0, match.start()) is not None


def _is_common(word: str) -> bool:
    return fold(word) in ENGLISH_STOP_WORDS or fold(word) in _NOT_NAMES


def _resolved(text: str, persons: Sequence[str]) -> str:
    """Put the person that is meant in the place of "she" or "his"."""
    for pronoun, own, others in ((_SHE, _HER, _KIN_HE), (_HE, _HIS, _KIN_SHE)):
        fitting = [one for one in persons if not re.search(rf"\b(?:{others})$", one)]
        if fitting:
            person = fitting[-1]
            text = pronoun.sub(person, own.sub(f"{person}'s", text))
    return text


def _asked_of(topic: str, whom: str) -> str:
    """Ask a question of somebody or something else: of whom it names first, else of who asks."""
    named = [one for one in _PERSON.finditer(topic) if one["kin"] or (one.start() and not _is_common(one["name"]))]
    if named:
        return f"{topic[: named[0].start()]}{whom}{topic[named[0].end() :]}"
    own_self = _SELF.search(topic)
    if own_self is None:
        return f"{topic} {whom}?"
    verb = own_self[0].rpartition(" I")[0] if own_self[0].endswith(" I") else ""
    return f"{topic[: own_self.start()]}{verb + ' ' if verb else ''}{whom}{topic[own_self.end() :]}"
