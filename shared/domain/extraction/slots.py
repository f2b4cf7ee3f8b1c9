"""The slots that a sentence fills: frames, topics, known values and general possessives, in this order.

Rules: only clauses that are told as facts; dates are read from the whole sentence. A slot of one value gets the first
one found; a clause that ends something gives an ending. It does not know how values follow each other (changes.py).
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from shared.domain.extraction.attributes import key_of
from shared.domain.extraction.context import in_context, unified
from shared.domain.extraction.endings import lets_go, undone
from shared.domain.extraction.evidence import evident
from shared.domain.extraction.evidence_dates import dated
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.frames_dates import DATES
from shared.domain.extraction.frames_life import NAME_AND_HOME, WORK
from shared.domain.extraction.frames_things import HEALTH, PEOPLE_AND_PETS
from shared.domain.extraction.general import general
from shared.domain.extraction.matching import findings
from shared.domain.extraction.moments import MARK
from shared.domain.extraction.moods import Mood, clause_mood
from shared.domain.extraction.restating import restated
from shared.domain.extraction.spans import NAME
from shared.domain.extraction.topics import FIGURE, TOPICS, Mention, budget_thing, mentions, values_in

_FRAMES = (*HEALTH, *NAME_AND_HOME, *WORK, *PEOPLE_AND_PETS)
_SENTENCE_FRAMES = tuple(frame for frame in HEALTH if frame.slot in ("slot.emergency_contact", "slot.doctor"))
_CHANGED = re.compile(
    r"\b(?:now|new|these days|nowadays|from (?:now|today|this|here|tomorrow)|since|as of|switch\w*|chang\w+|swap\w*"
    r"|trad\w+"
    r"|mov\w+|relocat\w+|replac\w+|instead|rather than|no longer|any ?more|any longer|left|quit|gave up|given up"
    r"|drop\w*"
    r"|ditch\w*|sold|bought|got"
    r"|promot\w+|renam\w+|call\w*|join\w*|start\w*|bec[ao]me\w*|turn\w*|over|history|behind|gone"
    r"|goodbye|farewell|retired|back|again|once more|return\w*|used to|old|former\w*|at last|finally|took|takes?"
    r"|hand\w*|last|first|arriv\w+|landed|settl\w+|sign\w+|hir\w+|correct\w*|sorry|wrong|actually|mistake|says?|reads?|pays?"
    r"|for good|permanent\w*|always|usual\w*|every|only|just|all|ported|whole|entire\w*)\b"
    r"|\b(?:is|are|remains?|stays?) my\b|\bmy (?:[\w-]+ ){1,4}(?:is|are|remains?)\b"
    r"|\bi (?:live|work|use|drink|drive|eat|write|speak|listen|order|own|have)\b",
    re.IGNORECASE,
)
_OWN = re.compile(r"\b(?:i|me|my|we|us|our)\b", re.IGNORECASE)
_OTHERS = re.compile(r"^(?:my|our) \w+(?: \w+)? (?!is|are|says)", re.IGNORECASE)
_APPOSED = re.compile(
    rf"(?P<v>{NAME}),? (?P<w>(?:my|our) (?:(?:side|pet|hobby|weekend)[ -]project|employer|company|editor|doctor"
    rf"|manager|boss|designer|tester|tech lead|dog|cat|rabbit|parrot|landlord|landlady|emergency contact))\b"
)
_APPOSED_BEFORE = re.compile(rf"^(?P<w>(?:my|our) (?:side|pet|hobby|weekend)[ -]project),? (?P<v>{NAME})\b")


def slotted(sentence: Sentence, meant: Mood) -> list[Finding]:
    """Return the findings of a sentence in order."""
    found: list[Finding] = []
    for finding in (*_all(sentence, meant), *_general(sentence, meant)):
        if finding.general and any(each.value == finding.value for each in found):
            continue
        if _is_of_another(finding, sentence):
            continue
        finding = unified(finding, sentence)
        taken = [each for each in found if each.place == finding.place]
        taken = [each for each in taken if each.ends == finding.ends]
        if not taken or (finding.slot.startswith("slots.") and all(each.value != finding.value for each in taken)):
            found.append(finding)
    return found or (list(restated(_told_part(sentence))) if meant is Mood.TOLD else [])


def _is_of_another(finding: Finding, sentence: Sentence) -> bool:
    """Tell whether what a finding leaves behind is held in another slot and not in its own.

    "I left Alder and signed up with Axa" is no new employer where Alder is known as the user's insurer.
    """
    if not finding.former:
        return False
    former = finding.former.lower()
    holders = [each for each in sentence.known if each.value.lower() == former]
    return bool(holders) and all((each.slot, each.subject) != (finding.slot, finding.subject) for each in holders)


def _all(sentence: Sentence, meant: Mood) -> Iterator[Finding]:
    told = meant is Mood.TOLD
    if meant is not Mood.UNREAL:
        yield from _dated(sentence)
        yield from findings(_SENTENCE_FRAMES, sentence.plain.rstrip(".! "), sentence, told=told)
    for clause in sentence.clauses:
        real = told and clause_mood(clause) is Mood.TOLD
        held = undone(clause)
        if held is not None:
            if real:
                yield from (_ended(each) for each in _clause(held, sentence, told=True))
            continue
        if meant is not Mood.UNREAL:
            yield from _clause(clause, sentence, told=real)
    if meant is not Mood.UNREAL:
        yield from _by_day(sentence)
    if told:
        yield from _apposed(sentence)
        yield from _topics(sentence)
        yield from in_context(sentence)
        for each in evident(_told_part(sentence)):
            if not _is_blind(each, sentence):
                yield replace(each, general=True)


def _is_blind(finding: Finding, sentence: Sentence) -> bool:
    """Tell whether mere words would replace a value that is held, in a sentence that tells of no change and no state.

    "Time for tea" is no new usual drink; such a sentence stays as it is, beside what is held.
    """
    if not finding.slot.startswith("slot.") or finding.ends or not finding.value:
        return False
    held = [
        each.value.lower() for each in sentence.known if (each.slot, each.subject) == (finding.slot, finding.subject)
    ]
    value = finding.value.lower()
    if not held or any(each in value or value in each for each in held):
        return False
    said = sentence.plain.lower()
    return _CHANGED.search(sentence.written) is None and not any(each in said for each in held)


def _by_day(sentence: Sentence) -> Iterator[Finding]:
    """Read the one day of a sentence, where no frame has read a day."""
    if not any(each.day for each in _dated(sentence)):
        yield from (replace(each, general=True) for each in dated(sentence))


def _told_part(sentence: Sentence) -> Sentence:
    """Return a sentence without the clauses that are planned or of the past."""
    told = [clause for clause in sentence.clauses if clause_mood(clause) is Mood.TOLD]
    if len(told) == len(sentence.clauses):
        return sentence
    text = ", ".join(told)
    return replace(sentence, plain=text, written=text, clauses=tuple(told))


def _clause(clause: str, sentence: Sentence, *, told: bool) -> Iterator[Finding]:
    yield from findings(_FRAMES, clause, sentence, told=told)


def _general(sentence: Sentence, meant: Mood) -> Iterator[Finding]:
    """Read what "my X is", where no other rule has read the value."""
    if meant is not Mood.TOLD:
        return
    for clause in sentence.clauses:
        if clause_mood(clause) is not Mood.TOLD:
            continue
        held = undone(clause)
        yield from general(clause, sentence) if held is None else map(_ended, general(held, sentence))


def _dated(sentence: Sentence) -> Iterator[Finding]:
    if re.search(MARK, sentence.plain):
        for text in (sentence.plain.rstrip(".! "), *sentence.clauses):
            yield from findings(DATES, text, sentence)


def _ended(finding: Finding) -> Finding:
    if finding.slot.startswith("slots."):
        return Finding(finding.slot, finding.value, finding.subject, ends=True, noun=finding.noun)
    return Finding(finding.slot, "", finding.subject, former=finding.value, ends=True, noun=finding.noun)


def _apposed(sentence: Sentence) -> Iterator[Finding]:
    """Read "Things at Vantor, my employer, are calm" and "I worked on Heron, my side project"."""
    for pattern in (_APPOSED, _APPOSED_BEFORE):
        for match in pattern.finditer(sentence.plain):
            yield from general(f"{match['w']} is {match['v']}", sentence)


def _topics(sentence: Sentence) -> Iterator[Finding]:
    if not _OWN.search(sentence.written) and not re.search(
        r"\b(?:barista|budget|rent|at work|the office)\b", sentence.written, re.IGNORECASE
    ):
        return
    planned = [clause for clause in sentence.clauses if clause_mood(clause) is not Mood.TOLD]
    ending = any(undone(clause) is not None or lets_go(clause) for clause in sentence.clauses)
    over = [clause for clause in sentence.clauses if undone(clause) is not None]
    for topic in TOPICS:
        seen = [
            m
            for m in mentions(topic, sentence.plain, sentence.written, ending=ending)
            if not any(m.value in p for p in planned)
        ]
        seen = [replace(m, former=m.former or any(m.value in clause for clause in over)) for m in seen]
        yield from _of_topic(topic.slot, seen, several=topic.several, may_end=topic.may_end)
    thing = budget_thing(sentence.plain)
    if thing:
        seen = list(values_in(FIGURE, sentence.plain))
        yield from _of_topic(f"slot.budget.{key_of(thing)}", seen, several=False, may_end=False)


def _of_topic(slot: str, seen: list[Mention], *, several: bool, may_end: bool) -> Iterator[Finding]:
    holding = list(dict.fromkeys(each.value for each in seen if not each.former))
    former = list(dict.fromkeys(each.value for each in seen if each.former and each.value not in holding))
    if several:
        yield from (Finding(slot, value) for value in holding)
        yield from (Finding(slot, value, ends=True) for value in former)
    elif len(holding) == 1:
        yield Finding(slot, holding[0], former=former[0] if former else "")
    elif not holding and former and may_end:
        yield Finding(slot, "", former=former[0], ends=True)
