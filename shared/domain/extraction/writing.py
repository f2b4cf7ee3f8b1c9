"""A finding written as a fact: its sentence, its value in the form values are compared in, its days.

Rules: days are ISO dates in values; in sentences they stand as the user said them, with the ISO date behind in brackets
unless it is one. A value begins to hold when it was said, unless the clause names a day ("since March", "on 3 May").
What is due or arranged ends with its day, and so does a sentence without a slot that names one ahead.
It does not know how a finding was made.
"""

import re
from datetime import UTC, date, datetime, time, timedelta

from shared.domain.extraction.attributes import told
from shared.domain.extraction.facts import Fact, Heard
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.lasting import is_event
from shared.domain.extraction.moments import MARK, moment_of, restored
from shared.domain.extraction.moods import Mood, mood

_SINCE = re.compile(
    rf"\b(?:since|on|as of|from|starting|effective|in|last|back in|started|was|began|,)\s*,?\s*(?P<d>{MARK})",
    re.IGNORECASE,
)
_AGO = re.compile(rf"(?P<d>{MARK})")
_CORRECTS = re.compile(
    r"\b(?:sorry|correction|wrong|mistake|misspoke|mistyped|typo|meant|meant to say|correct(?:ed|ing)? (?:that"
    r"|myself|is)|not right|apologies|i misremembered|mixed up|to correct"
    r"|let me correct|scratch that|should have said|was off)\b",
    re.IGNORECASE,
)
_EXPIRES = ("slot.due.", "slot.appointment.")
_YEARLY = re.compile(r"\b(?:birthdays?|anniversar\w+|born|every|each|yearly|annually|since)\b", re.IGNORECASE)
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


def fact_of(finding: Finding, sentence: Sentence, heard: Heard) -> Fact:
    """Write a finding as a fact."""
    value, text_value, day = finding.value, restored(finding.value, sentence.moments), None
    former = restored(finding.former, sentence.moments)
    if finding.day:
        moment = moment_of(finding.day, sentence.moments)
        day = moment.day(sentence.today, ahead=finding.slot != "slot.birthday")
        if finding.slot == "slot.birthday" and day is not None:
            value = day.strftime("--%m-%d") if moment.yearless else day.isoformat()
            text_value = moment.words
        elif day is not None:
            value = day.isoformat()
            text_value = moment.words if _ISO.search(moment.words) else f"{moment.words} ({value})"
        else:
            value = moment.words
    if finding.former and re.fullmatch(MARK, finding.former):
        was = moment_of(finding.former, sentence.moments).day(sentence.today, ahead=True)
        former = was.isoformat() if was else former
    says = finding.says.replace("{r}", restored(finding.rest, sentence.moments))
    if finding.ends:
        text = sentence.verbatim
    else:
        text = told(finding.slot, finding.subject, text_value, noun=finding.noun, sentence=says)
    return Fact(
        text=text,
        evidence=sentence.verbatim,
        valid_from=_since(finding, sentence, heard),
        valid_to=_end_of(day) if day and finding.slot.startswith(_EXPIRES) else None,
        subject=finding.subject,
        slot=finding.slot,
        value=folded(value),
        former_value=folded(former),
        ends=finding.ends,
        corrects=bool(former and not finding.ends and _CORRECTS.search(sentence.verbatim)),
    )


def free(verbatim: str, heard: Heard, sentence: Sentence | None = None) -> Fact:
    """Write a sentence that fills no slot as a fact; one that names a day ahead is kept until that day."""
    ahead = _day_ahead(sentence) if sentence is not None else None
    if ahead is None:
        return Fact(text=verbatim, evidence=verbatim, valid_from=heard.observed_at)
    text = f"{verbatim} [until {ahead.isoformat()}]"
    return Fact(text=text, evidence=verbatim, valid_from=heard.observed_at, valid_to=_end_of(ahead))


def _day_ahead(sentence: Sentence) -> date | None:
    """Return the last day that a sentence names, if all lies ahead and none comes again each year."""
    if _YEARLY.search(sentence.written):
        return None
    happened = is_event(sentence.written)  # "we went there on Sunday": the last one
    moments = [each for each in sentence.moments if each.is_day and not (happened and each.exact)]
    days = [day for each in moments if (day := each.day(sentence.today, ahead=True))]
    return max(days) if days and max(days) > sentence.today else None


def folded(value: str) -> str:
    """Return a value as it is compared: without articles, words of time and closing marks."""
    value = re.sub(r"^(?:the|a|an|my|our|some) (?=\S)", "", value.strip(" .,;:!?\"'"), flags=re.IGNORECASE)
    return re.sub(r" (?:now|these days|again|too|as well|instead|any more|anymore)$", "", value, flags=re.IGNORECASE)


def _since(finding: Finding, sentence: Sentence, heard: Heard) -> datetime:
    """Return when a value began to hold: on a day of the past that the sentence names, else when it was said."""
    if finding.day or (finding.ends and finding.slot.startswith(_EXPIRES)):
        return heard.observed_at
    for found in (*_SINCE.finditer(sentence.written), *_AGO.finditer(sentence.written)):
        moment = moment_of(found["d"], sentence.moments)
        day = moment.day(sentence.today, ahead=False)
        if day is not None and day < sentence.today and mood(sentence.plain) is Mood.TOLD:
            return datetime.combine(day, time(), UTC)
    return heard.observed_at


def _end_of(day: date) -> datetime | None:
    if day == date.max:
        return None
    return datetime.combine(day + timedelta(days=1), time(), UTC)
