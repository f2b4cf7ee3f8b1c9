"""What is due, arranged or celebrated on the one day that a sentence names, whatever its grammar.

Rules: exactly one day that is not left behind. A relative and a word of birthdays make a birthday; a meeting, or
somebody one has appointments with, makes an appointment; a word of handing in and a thing make something due. The thing
is a known one whose words occur, else the first noun phrase that is not itself about time.
It does not know frames: they go first. Source: own word lists.
"""

import re
from collections.abc import Iterator

from shared.domain.extraction.attributes import key_of, noun_of
from shared.domain.extraction.former import is_former
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.moments import MARK, moment_of
from shared.domain.extraction.people import KIN
from shared.domain.extraction.spans import Sort, taken

_BORN = re.compile(
    r"\b(?:birthday|bday|b-day|born|turns|cake|celebrat\w+|candles|a year older|congratulate|birth)\b", re.IGNORECASE
)
_KIN = re.compile(rf"\b((?:(?:older|younger|big|little|twin) )?{KIN})\b(?:'s)?", re.IGNORECASE)
_HOST = (
    r"dentist|optician|physio(?:therapist)?|vet|doctor|gp|hairdresser|barber|mechanic|lawyer|accountant|therapist"
    r"|dermatologist|cardiologist|notary|surgeon|optometrist|orthodontist|gynaecologist|osteopath|chiropractor"
)
_MEETING = re.compile(
    r"\b(?P<y>(?:[a-z-]+ )?(?:appointment|check-?up|surgery|operation|exam|interview|viva|hearing|vaccination|screening"
    r"|consultation|driving test|flight|wedding|concert))\b",
    re.IGNORECASE,
)
_HOSTED = re.compile(rf"\b(?P<x>{_HOST})\b", re.IGNORECASE)
_DUE = re.compile(
    r"\b(?:deadline|due|cut-?off|closing date|submission|submit\w*|hand(?:ed|ing)? (?:in|over)|hand over|turn in"
    r"|deliver\w*|send"
    r"|sending|finish|complete|file|expect\w*|waiting for|wants?|needs?|owe\w*|promis\w*|agreed|swore|committed|by"
    r"|before"
    r"|until|till|no later|latest|ready|extension|postponed|pushed|moved|extended|rescheduled|delayed|target|get"
    r"|gets|have"
    r"|will have|must|counting on)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|ago|started|joined|moved to|began|was born|ended|left|quit|from then)\b", re.IGNORECASE
)
_THING = re.compile(r"\b(?:the|my|our|a|an|her|his|their|this) ", re.IGNORECASE)
_NO_THING = re.compile(
    r"^(?:new |final |exact |hard |real |last |latest |actual |official |agreed )*(?:deadline|due date|date|day"
    r"|end|time|times?|more time|extra time"
    r"|extension|week|month|office|work|team|client|submission date|cut-?off|closing date|promise|word|calendar"
    r"|diary|morning"
    r"|evening|latest|moment|bit|while|few days|delay|inbox|door|desk|mail|post|hands?)\b",
    re.IGNORECASE,
)
_THING_MAX_WORDS = 3  # of a noun phrase that names what is due (chosen, untested)


def dated(sentence: Sentence) -> Iterator[Finding]:
    """Yield what the one day of a sentence is the day of."""
    marks = [m for m in re.finditer(MARK, sentence.plain) if not is_former(sentence.plain, m.start(), m.end())]
    if len(marks) != 1:
        return
    day = marks[0].group()
    kin = _KIN.search(sentence.plain)
    if kin and _BORN.search(sentence.plain):
        yield Finding("slot.birthday", day, noun_of(kin.group(1)), day=day)
        return
    if _SINCE.search(sentence.plain):
        return
    when = moment_of(day, sentence.moments).day(sentence.today, ahead=True)
    if when is None or when < sentence.today:
        return
    meeting = _HOSTED.search(sentence.plain) or _MEETING.search(sentence.plain)
    if meeting:
        name = meeting.groupdict().get("x") or re.sub(
            r"^(?:the|my|our|a|an|next|new|another|that|this|have|see) ", "", meeting["y"].lower()
        )
        key = key_of(re.sub(r" ?appointment$", "", name)) or "appointment"
        noun = name.lower() if not meeting.groupdict().get("x") else f"{name.lower()} appointment"
        yield Finding(f"slot.appointment.{key}", day, says="{P} {x} is on {v}.", noun=noun, day=day)
        return
    thing = _thing(sentence) if _DUE.search(sentence.plain) else ""
    if thing:
        yield Finding(f"slot.due.{key_of(thing)}", day, says="{P} {x} is due on {v}.", noun=thing, day=day)


def _thing(sentence: Sentence) -> str:
    """Return what is due."""
    said = set(re.findall(r"\w+", sentence.plain.lower()))
    for known in sentence.known:
        words = known.slot.removeprefix("slot.due.").split("_")
        if known.slot.startswith("slot.due.") and set(words) <= said:
            return " ".join(words)
    for found in _THING.finditer(sentence.plain):
        if thing := _noun_phrase(sentence.plain[found.end() :]):
            return thing
    for clause in sentence.clauses:
        if thing := _noun_phrase(re.sub(rf"^(?:(?:on|by|until|before) )?{MARK}[:, ]*(?:is )?", "", clause)):
            return thing
    return ""


def _noun_phrase(text: str) -> str:
    """Return the noun phrase in lower case that a text begins with, if it may name a task."""
    bare = re.split(
        rf"{MARK}|\b(?:due|deadline|by|must|has|have|is|are|was|will|can|needs?|until|before|to|for)\b", text
    )[0]
    phrase = taken(bare.strip(" ,:;."), Sort.NOUNS) if bare.strip(" ,:;.") else None
    if phrase is None or _NO_THING.match(phrase) or phrase != phrase.lower():
        return ""
    return phrase if len(phrase.split()) <= _THING_MAX_WORDS else ""
