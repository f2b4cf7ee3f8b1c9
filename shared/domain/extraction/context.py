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
from shared.domain.extraction.moments import MARK, moment_of
from shared.domain.extraction.people import KIN, STAFF
from shared.domain.extraction.spans import NAME, Sort
from shared.domain.extraction.topics import FIGURE, values_in
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
_OTHERS = re.compile(rf"(?:my|our) (?:[\w-]+ )?{KIN}\b|(?:he|she|they)\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:now|new|instead|these days|nowadays|from now on|from today|switch\w*|mov(?:ed|ing)|replac\w*|swap\w*"
    r"|trad\w+|chang\w+|since|no longer"
    r"|goodbye|farewell|hello|welcome|left|over|gone|done|behind|anymore|any more|used to|was|were|became|become"
    r"|took|takes|start\w*|began|begun"
    r"|finally|officially|turned|convert\w*|back|quit|sold|retired|ended|new|last|until|ditch\w*|drop\w*"
    r"|abandon\w*|gave|given|but|yet)\b",
    re.IGNORECASE,
)
_DONE_WORD = re.compile(
    r"\b(?:done|finished|finishing|submitted|sent|handed|delivered|filed|turned in|off my|complete|completed"
    r"|behind me|wrapped|shipped|uploaded"
    r"|accepted|approved|ticked|crossed|paid|signed off|through|out the door|went out|is in|are in|closed|over "
    r"with|finally over|no longer on"
    r"|out of the way|posted|mailed|checked off|dusted)\b",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\b(?:not|never|almost|nearly|half|until|still have|have to|must|need to|should|will|want "
    r"to|by|before|due|start\w*)\b",
    re.IGNORECASE,
)
_NAMES = re.compile(rf"(?:(?<=[\w,;:] )|^)(?:{NAME})")
_ROLE = re.compile(
    rf"\b(?:my|our|the|as|new|former|old) (?P<x>(?:tech |team |line |project |product |qa )?{STAFF})\b(?! of)",
    re.IGNORECASE,
)
_SOLD = re.compile(
    r"(?:the|my|our) (?P<x>[\w -]+?) (?:is|was|has been|got|are|were) (?:sold|gone|scrapped|stolen|totalled|given "
    r"away|no more|dead)$",
    re.IGNORECASE,
)
_HAD = re.compile(r"(?:i|we) (?:have|own|drive|keep|pay|follow) (?:a|an|any|my|the) (?P<x>[\w -]+)$", re.IGNORECASE)
_ABOUT_A_THING = ("slot.due.", "slot.appointment.", "slot.status.", "slot.budget.", "slot.place.", "slot.holder.")
_SHORT_NAME_CHARS = 4  # of the first or last word of a name that may stand for the whole of it (chosen, untested)


def in_context(sentence: Sentence) -> Iterator[Finding]:
    """Yield what a told sentence says in the light of what is known."""
    yield from _done(sentence)
    yield from _over(sentence)
    yield from _moved(sentence)
    yield from _updated(sentence)
    yield from _left(sentence)
    yield from _exchanged(sentence)
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


def _over(sentence: Sentence) -> Iterator[Finding]:
    """Find that a known task is done, whatever the words: all of its own and one of doneness, and no day ahead."""
    if _DONE_WORD.search(sentence.plain) is None or _NOT_DONE.search(sentence.written):
        return
    for mark in re.findall(MARK, sentence.plain):
        day = moment_of(mark, sentence.moments).day(sentence.today, ahead=True)
        if day is not None and day > sentence.today:
            return
    said = set(re.findall(r"\w+", sentence.plain.lower()))
    for known in sentence.known:
        if known.slot.startswith("slot.due.") and set(known.slot.removeprefix("slot.due.").split("_")) <= said:
            yield Finding(known.slot, "", former=known.value, ends=True)


def _is_about(known: Known, sentence: Sentence) -> bool:
    """Tell whether a sentence may speak of the slot of a known value: of one value, and of nobody else."""
    if not known.slot.startswith("slot."):
        return False
    if known.subject:
        return re.search(rf"\b{re.escape(known.subject)}\b", sentence.plain, re.IGNORECASE) is not None
    return _OTHERS.match(sentence.plain) is None


def _updated(sentence: Sentence) -> Iterator[Finding]:
    """Find the new stage of a known project, and the new figure of a known budget."""
    said = set(re.findall(r"\w+", sentence.plain.lower()))
    for prefix, values in (("slot.status.", PATTERNS[Kind.STAGE]), ("slot.budget.", FIGURE)):
        for known in sentence.known:
            key = known.slot.removeprefix(prefix)
            if key == known.slot or not set(key.split("_")) <= said:
                continue
            seen = list(values_in(values, sentence.plain))
            holding = list(dict.fromkeys(each.value for each in seen if not each.former))
            former = [each.value for each in seen if each.former]
            if len(holding) == 1:
                noun = _spelled(key, sentence)
                says = "The project {x} is at the stage of {v}." if prefix == "slot.status." else ""
                yield Finding(known.slot, holding[0], former=former[0] if former else "", noun=noun, says=says)


def _spelled(key: str, sentence: Sentence) -> str:
    """Return the words of a key as the sentence spells them."""
    found = re.search(key.replace("_", r"\W+"), sentence.plain, re.IGNORECASE)
    return found.group() if found else key.replace("_", " ")


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
        if not _is_about(known, sentence) or len(known.value) < 2:
            continue
        for match in re.finditer(rf"(?<!\w)(?:{_spellings(known)})(?!\w)", sentence.plain, re.IGNORECASE):
            if not is_former(sentence.plain, match.start(), match.end()):
                continue
            others = _others(known, sentence)
            if len(others) == 1:
                yield Finding(known.slot, others[0], known.subject, former=known.value)
            elif not others and any(lets_go(clause) for clause in sentence.clauses):
                yield Finding(known.slot, "", known.subject, former=known.value, ends=True)
            break


def _exchanged(sentence: Sentence) -> Iterator[Finding]:
    """Find the one other value beside a known one, in a sentence of change."""
    if not _CHANGE.search(sentence.written):
        return
    for known in sentence.known:
        if not _is_about(known, sentence) or len(known.value) < _SHORT_NAME_CHARS - 1:
            continue
        if re.search(rf"(?<!\w)(?:{_spellings(known)})(?!\w)", sentence.plain, re.IGNORECASE):
            others = _others(known, sentence)
            if len(others) == 1:
                yield Finding(known.slot, others[0], known.subject, former=known.value)


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
        had = _HAD.match(undone(clause) or "") or _SOLD.match(clause)
        if had is None:
            continue
        thing = had["x"].lower()
        for each in sentence.known:
            words = each.value.lower()
            if not each.subject and each.slot.startswith("slot.") and (words == thing or words.endswith(f" {thing}")):
                yield Finding(each.slot, "", former=each.value, ends=True)
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
