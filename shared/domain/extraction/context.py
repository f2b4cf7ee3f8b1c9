"""What a sentence tells only together with what is known: a value left behind, a date moved, a task done, a successor.

Rules: a known value that the sentence leaves behind gives its slot the one other value of the same sort, if there is
exactly one, or ends it where the user lets it go. A known deadline or appointment whose words all occur takes the one
new day. Where a role of somebody around the user is named with one name that left and one that did not, the latter has
the role. It does not know frames. Source: own.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from shared.domain.extraction.attributes import ATTRIBUTES, is_known_noun, key_of, noun_of, slot_of
from shared.domain.extraction.endings import lets_go, undone
from shared.domain.extraction.facts import Known
from shared.domain.extraction.former import is_former
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.kinds import PATTERNS, Kind, kinds_of
from shared.domain.extraction.matching import attribute_sort
from shared.domain.extraction.moments import MARK
from shared.domain.extraction.people import STAFF
from shared.domain.extraction.spans import NAME, Sort
from shared.domain.extraction.topics import values_in
from shared.domain.stop_words import ENGLISH_STOP_WORDS

_DONE = re.compile(
    r"^(?:(?:done|finished|through) with (?:the |my |our )?(?P<z>[\w' -]+)|(?:i|we) (?:have )?(?:handed in|handed "
    r"over|submitted|finished|completed|delivered|sent(?: off| out| "
    r"in)?|filed|turned in|wrapped up|shipped|uploaded|paid|mailed|posted|returned"
    r"|signed off|closed|passed|given|gave|dropped off|put in|am done with|are done with|can tick off"
    r"|ticked off|got rid of)"
    r" (?:the |my |our |that )?(?P<x>[\w' -]+?)(?: (?:off|in|out|away|done|to .+|with .+|on time|early|at last"
    r"|over|[\ue000-\ue03f]))*"
    r"|(?:the |my |our )?(?P<y>[\w' -]+?) (?:is|are|was|were|has been|have been|went|got) (?:all )?(?:done"
    r"|finished|submitted|handed in|delivered|filed|sent|in|out|off|complete|completed"
    r"|behind me|off my (?:desk|list|plate|chest)|history|over|turned in|accepted|paid|out the door|uploaded)(?: "
    r".*)?)$",
    re.IGNORECASE,
)
_NAMES = re.compile(rf"(?:(?<=[\w,;:] )|^)(?:{NAME})")
_ROLE = re.compile(
    rf"\b(?:my|our|the|as|new|former|old) (?P<x>(?:tech |team |line |project |product |qa )?{STAFF})\b(?! of)",
    re.IGNORECASE,
)
_HAD = re.compile(r"(?:i|we) (?:have|own|drive|keep|pay|follow) (?:a|an|any|my|the) (?P<x>[\w -]+)$", re.IGNORECASE)
_ABOUT_A_THING = ("slot.due.", "slot.appointment.", "slot.status.", "slot.budget.", "slot.place.", "slot.holder.")
_SHORT_NAME_CHARS = 4  # of the first or last word of a name that may stand for the whole of it (chosen, untested)


def in_context(sentence: Sentence) -> Iterator[Finding]:
    """Yield what a told sentence says in the light of what is known."""
    yield from _done(sentence)
    yield from _moved(sentence)
    yield from _left(sentence)
    yield from _succeeded(sentence)
    yield from _gone(sentence)


def unified(finding: Finding, sentence: Sentence) -> Finding:
    """Return a finding about a thing under the name by which the thing is known: "trip" is the known "summer trip"."""
    prefix = next((each for each in _ABOUT_A_THING if finding.slot.startswith(each)), "")
    if not prefix:
        return finding
    key = _known_key(finding.slot.removeprefix(prefix), prefix, sentence)
    return replace(finding, slot=f"{prefix}{key}")


def _known_key(thing: str, prefix: str, sentence: Sentence) -> str:
    key = key_of(thing)
    words = set(key.split("_"))
    keys = [known.slot.removeprefix(prefix) for known in sentence.known if known.slot.startswith(prefix)]
    if key in keys:
        return key
    fitting = [each for each in keys if words <= set(each.split("_")) or set(each.split("_")) <= words]
    return fitting[0] if len(fitting) == 1 else key


def _done(sentence: Sentence) -> Iterator[Finding]:
    """Find that what was due is done."""
    due = {known.slot: known for known in sentence.known if known.slot.startswith("slot.due.")}
    for clause in sentence.clauses:
        match = _DONE.match(clause)
        if match is None:
            continue
        thing = match["x"] or match["y"] or match["z"]
        if re.search(r"\b(?:notice|keys?|resignation)\b", thing):
            continue
        slot = f"slot.due.{_known_key(thing, 'slot.due.', sentence)}"
        if slot in due or (not sentence.known and re.search(r"\b(?:handed in|submitted|filed|turned in)\b", clause)):
            yield Finding(slot, "", former=due[slot].value if slot in due else "", ends=True, noun=thing)


def _moved(sentence: Sentence) -> Iterator[Finding]:
    """Find the new day of a known deadline or appointment."""
    days = [m for m in re.finditer(MARK, sentence.plain) if not is_former(sentence.plain, m.start(), m.end())]
    if len(days) != 1:
        return
    said = set(re.findall(r"\w+", sentence.plain.lower()))
    for known in sentence.known:
        prefix = next((each for each in _ABOUT_A_THING[:2] if known.slot.startswith(each)), "")
        words = known.slot.removeprefix(prefix).split("_")
        if prefix and set(words) <= said:
            noun = " ".join(words) + (" appointment" if prefix == "slot.appointment." else "")
            yield Finding(known.slot, days[0].group(), noun=noun, day=days[0].group())


def _left(sentence: Sentence) -> Iterator[Finding]:
    """Find a known value that the sentence leaves behind, and the one in its place if there is one."""
    for known in sentence.known:
        if known.subject or not known.slot.startswith("slot.") or len(known.value) < 2:
            continue
        for match in re.finditer(rf"(?<!\w)(?:{_spellings(known)})(?!\w)", sentence.plain, re.IGNORECASE):
            if not is_former(sentence.plain, match.start(), match.end()):
                continue
            others = _others(known, sentence)
            if len(others) == 1:
                yield Finding(known.slot, others[0], former=known.value)
            elif not others and any(lets_go(clause) for clause in sentence.clauses):
                yield Finding(known.slot, "", former=known.value, ends=True)
            break


def _spellings(known: Known) -> str:
    words = known.value.split()
    short = [w for w in (words[0], words[-1]) if len(words) > 1 and len(w) >= _SHORT_NAME_CHARS and w[0].isupper()]
    return "|".join(map(re.escape, [known.value, *short]))


def _others(known: Known, sentence: Sentence) -> list[str]:
    kinds = kinds_of(known.value)
    sort = attribute_sort(known.slot) if known.slot in ATTRIBUTES or not kinds else min(kinds)
    if isinstance(sort, Kind):
        seen = [m.value for m in values_in(PATTERNS[sort], sentence.plain) if not m.former]
    elif sort in (Sort.NUMBER, Sort.CODE, Sort.DAY):
        return []
    else:
        seen = _holding_names(sentence)
    value = known.value.lower()
    return list(dict.fromkeys(each for each in seen if each.lower() not in value and value not in each.lower()))


def _succeeded(sentence: Sentence) -> Iterator[Finding]:
    """Find who has a role now: "our designer Greta resigned, Bram does her job"."""
    role = _ROLE.search(sentence.plain)
    if role is None:
        return
    holding, former = _holding_names(sentence), _former_names(sentence)
    if len(holding) == len(former) == 1:
        yield Finding(slot_of(role["x"]), holding[0], former=former[0], noun=role["x"].lower())


def _gone(sentence: Sentence) -> Iterator[Finding]:
    """Find that the user has a thing no more: "I no longer have a car"."""
    for clause in sentence.clauses:
        had = _HAD.match(undone(clause) or "")
        if had is None:
            continue
        noun = noun_of(had["x"])
        known = {each.slot: each.value for each in sentence.known if not each.subject}
        slot = slot_of(noun) if is_known_noun(noun) else f"slot.pet.{key_of(noun)}"
        if slot in known or slot == "slot.vehicle":
            yield Finding(slot, "", former=known.get(slot, ""), ends=True, noun=noun)


def _holding_names(sentence: Sentence) -> list[str]:
    return [name for name, former in _names(sentence) if not former and name not in _former_names(sentence)]


def _former_names(sentence: Sentence) -> list[str]:
    return [name for name, former in _names(sentence) if former]


def _names(sentence: Sentence) -> list[tuple[str, bool]]:
    found: dict[str, bool] = {}
    for match in _NAMES.finditer(sentence.plain):
        name = match.group().removesuffix("'s")
        if name.split()[0].lower() not in ENGLISH_STOP_WORDS and name != "I" and not kinds_of(name):
            found[name] = is_former(sentence.plain, match.start(), match.end()) or found.get(name, False)
    return list(found.items())
