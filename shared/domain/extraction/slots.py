"""The slots that a sentence fills: frames, topics, known values and general possessives, in this order.

Rules: only clauses that are told as facts; dates are read from the whole sentence. A slot of one value gets the first
one found; a clause that ends something gives an ending. It does not know how values follow each other (changes.py).
"""

import re
from collections.abc import Iterator

from shared.domain.extraction.attributes import ATTRIBUTES, key_of
from shared.domain.extraction.endings import lets_go, undone
from shared.domain.extraction.former import is_former
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.frames_dates import DATES
from shared.domain.extraction.frames_life import NAME_AND_HOME, WORK
from shared.domain.extraction.frames_things import HEALTH, PEOPLE_AND_PETS
from shared.domain.extraction.general import general
from shared.domain.extraction.kinds import PATTERNS, Kind, kinds_of
from shared.domain.extraction.matching import attribute_sort, findings
from shared.domain.extraction.moments import MARK
from shared.domain.extraction.moods import Mood, clause_mood
from shared.domain.extraction.spans import NAME, Sort
from shared.domain.extraction.topics import FIGURE, TOPICS, Mention, budget_thing, mentions, values_in

_FRAMES = (*HEALTH, *NAME_AND_HOME, *WORK, *PEOPLE_AND_PETS)
_SENTENCE_FRAMES = tuple(frame for frame in HEALTH if frame.slot in ("slot.emergency_contact", "slot.doctor"))
_OWN = re.compile(r"\b(?:i|me|my|we|us|our)\b", re.IGNORECASE)
_OTHERS = re.compile(r"^(?:my|our) \w+(?: \w+)? (?!is|are|says)", re.IGNORECASE)
_APPOSED = re.compile(
    rf"(?P<v>{NAME}),? (?P<w>(?:my|our) (?:(?:side|pet|hobby|weekend)[ -]project|employer|company|editor|doctor"
    rf"|manager|boss|designer|tester|tech lead|dog|cat|rabbit|parrot|landlord|landlady|emergency contact))\b"
)
_APPOSED_BEFORE = re.compile(rf"^(?P<w>(?:my|our) (?:side|pet|hobby|weekend)[ -]project),? (?P<v>{NAME})\b")
_DONE = re.compile(
    r"^(?:(?:i|we) (?:have )?(?:handed in|handed over|submitted|finished|completed|delivered|sent(?: off| out| "
    r"in)?|filed|turned in|wrapped up|shipped|uploaded|paid|mailed|posted|returned"
    r"|signed off|closed|got|passed|did|given|gave|dropped off|put in|am done with|are done with|can tick off"
    r"|ticked off|got rid of)"
    r" (?:the |my |our |that )?(?P<x>[\w' -]+?)(?: (?:off|in|out|away|done|to .+|with .+|on time|early|at last"
    r"|over|[\ue000-\ue03f]))*"
    r"|(?:the |my |our )?(?P<y>[\w' -]+?) (?:is|are|was|were|has been|have been|went|got) (?:all )?(?:done"
    r"|finished|submitted|handed in|delivered|filed|sent|in|out|off|complete|completed"
    r"|behind me|off my (?:desk|list|plate|chest)|history|over|turned in|accepted|paid|out the door|uploaded)(?: "
    r".*)?)$",
    re.IGNORECASE,
)


def slotted(sentence: Sentence, meant: Mood) -> list[Finding]:
    """Return the findings of a sentence in order."""
    found: list[Finding] = []
    for finding in (*_all(sentence, meant), *_general(sentence, meant)):
        if finding.general and any(each.value == finding.value for each in found):
            continue
        taken = [each for each in found if each.place == finding.place]
        taken = [each for each in taken if each.ends == finding.ends]
        if not taken or (finding.slot.startswith("slots.") and all(each.value != finding.value for each in taken)):
            found.append(finding)
    return found


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
    if told:
        yield from _apposed(sentence)
        yield from _topics(sentence)
        yield from _done(sentence)
        yield from _known(sentence)


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
        r"\b(?:barista|budget|rent|at work|the office)\b", sentence.written
    ):
        return
    planned = [clause for clause in sentence.clauses if clause_mood(clause) is not Mood.TOLD]
    ending = any(undone(clause) is not None or lets_go(clause) for clause in sentence.clauses)
    for topic in TOPICS:
        seen = [
            m
            for m in mentions(topic, sentence.plain, sentence.written, ending=ending)
            if not any(m.value in p for p in planned)
        ]
        yield from _of_topic(topic.slot, seen, several=topic.several, may_end=topic.may_end)
    thing = budget_thing(sentence.plain)
    if thing:
        seen = list(values_in(FIGURE, sentence.plain))
        yield from _of_topic(
            f"slot.budget.{_known_key(thing, 'slot.budget.', sentence)}", seen, several=False, may_end=False
        )


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


def _known_key(thing: str, prefix: str, sentence: Sentence) -> str:
    """Return the key of a thing, or of the one known thing whose words include it: "trip" for "summer trip"."""
    words = set(key_of(thing).split("_"))
    keys = [known.slot.removeprefix(prefix) for known in sentence.known if known.slot.startswith(prefix)]
    if key_of(thing) in keys:
        return key_of(thing)
    fitting = [key for key in keys if words <= set(key.split("_")) or set(key.split("_")) <= words]
    return fitting[0] if len(fitting) == 1 else key_of(thing)


def _done(sentence: Sentence) -> Iterator[Finding]:
    """Find that what was due is done."""
    due = {known.slot: known for known in sentence.known if known.slot.startswith("slot.due.")}
    for clause in sentence.clauses:
        match = _DONE.match(clause)
        if match is None:
            continue
        thing = match["x"] or match["y"]
        if re.search(r"\b(?:notice|keys?|resignation)\b", thing):
            continue
        slot = f"slot.due.{_known_key(thing, 'slot.due.', sentence)}"
        if slot in due or (not sentence.known and re.search(r"\b(?:handed in|submitted|filed|turned in)\b", clause)):
            yield Finding(slot, "", former=due[slot].value if slot in due else "", ends=True, noun=thing)


def _known(sentence: Sentence) -> Iterator[Finding]:
    """Find a known value that the sentence leaves behind, and the one in its place if there is one."""
    for known in sentence.known:
        if known.subject or not known.slot.startswith("slot.") or len(known.value) < 2:
            continue
        for match in re.finditer(rf"(?<!\w){re.escape(known.value)}(?!\w)", sentence.plain, re.IGNORECASE):
            if not is_former(sentence.plain, match.start(), match.end()):
                continue
            others = _others(known.slot, known.value, sentence)
            if len(others) == 1:
                yield Finding(known.slot, others[0], former=match.group())
            elif not others and any(lets_go(clause) for clause in sentence.clauses):
                yield Finding(known.slot, "", former=match.group(), ends=True)
            break


def _others(slot: str, value: str, sentence: Sentence) -> list[str]:
    sort = attribute_sort(slot) if slot in ATTRIBUTES or not kinds_of(value) else next(iter(sorted(kinds_of(value))))
    if isinstance(sort, Kind):
        seen = [m.value for m in values_in(PATTERNS[sort], sentence.plain) if not m.former]
    elif sort in (Sort.NUMBER, Sort.CODE, Sort.DAY):
        return []
    else:
        seen = [
            match.group()
            for match in re.finditer(rf"(?:(?<=[\w,;:] )|^)(?:{NAME})", sentence.plain)
            if not is_former(sentence.plain, match.start(), match.end()) and not kinds_of(match.group())
        ]
        seen = [name for name in seen if name.split()[0].lower() not in _PLAIN_WORDS]
    return list(
        dict.fromkeys(each for each in seen if each.lower() not in value.lower() and value.lower() not in each.lower())
    )


_PLAIN_WORDS = frozenset(
    "i my we our the a an it he she they this that these those there here all both no not and but so as at in on "
    "by from for to of with since after"
    " before when while if everything everyone nothing nobody some any every each new one two three four now today "
    "yesterday".split()
)
