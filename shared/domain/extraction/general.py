"""Anything that "my X is": a slot named by the user's own noun, where the value is a name, a number or a known word.

Rules: a known noun takes a value of its own sort; "favourite X" takes any noun; a person's role takes a name; what ends
like a number takes figures; any other noun only a name or figures. A mood, a part of the body or a time of day is no
slot. It does not know verbs other than "be", "change" and "call". Source: English possessives.
"""

import re
from collections.abc import Iterator

from shared.domain.extraction.attributes import ATTRIBUTES, NOUN_MAX_WORDS, is_known_noun, noun_of, slot_of
from shared.domain.extraction.former import is_former
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.kinds import kinds_of
from shared.domain.extraction.matching import left_behind
from shared.domain.extraction.people import is_kin, is_staff, subject_of
from shared.domain.extraction.spans import Sort, bare, taken

_BE = (
    r"(?:is|are|am|has changed to|changed to|has become|became|switched to|moved to|is called|is named|goes by"
    r"|reads|would be"
    r"|went up to|rose to|went down to|dropped to|{be})".replace("|{be}", "")
)
_POSSESSED = re.compile(
    rf"^(?P<p>(?:my|our) [\w -]+?'s|[\w-]+'s|my|our|the) (?P<x>[\w-]+(?: [\w-]+){{0,4}}?)(?: (?:at|for) (?:work|the "
    rf"office))? (?:is |are )?(?:now )?(?:{_BE}) (?P<v>.+)$",
    re.IGNORECASE,
)
_RISING = re.compile(
    r"^(?P<p>my|our) (?P<x>[\w' -]+?) (?:went|rose|climbed|dropped|fell|jumped|changed|switched|moved) (?:up |down "
    r")?from (?P<o>.+?) to (?P<v>.+)$",
    re.IGNORECASE,
)
_INVERTED = re.compile(
    r"^(?P<v>.+?) (?:is|are|remains|stays) (?:now )?"
    r"(?P<p>my|our) (?:new |current |absolute |all-time )*(?P<x>[\w'-]+(?: "
    r"[\w'-]+){0,3})$",
    re.IGNORECASE,
)
_GIVEN = re.compile(r"^(?P<p>my|our|the new) (?P<x>[\w' -]+?),? (?P<v>#?[A-Z0-9-]*\d[\w-]*)$", re.IGNORECASE)
_MORE_THAN = re.compile(
    r"^(?:i|we) (?:love|like|enjoy|prefer) (?P<v>.+?) (?:more|better) than any other (?P<x>[\w -]+)$", re.IGNORECASE
)
_NUMBERED = re.compile(
    r"\b(?:number|code|pin|extension|id|no|account|plate|size|password|passphrase|combination|line|serial"
    r"|reference|zip|postcode|iban|badge|locker|seat|room)$"
)
_SECRET = re.compile(r"\b(?:password|passphrase|pass code|passcode|user ?name|handle|login)$")
_MEASURED = re.compile(
    r"\b(?:rent|salary|budget|income|height|weight|age|wage|pay|limit|mortgage|goal|target|fee|subscription|record"
    r"|score|deposit|allowance|pension|bill|time|rate|dose|pulse)$"
)
_NO_SLOT = re.compile(
    r"""\b(?:day|days|week|weekend|morning|evening|night|mood|head|back|leg|legs|foot|feet|arm|arms|stomach|throat|nose
        |eyes?|hair|face|heart|mind|brain
    |hands?|body|skin|life|time|luck|bad|fault|turn|point|question|answer|idea|problem|issue|guess|opinion
        |understanding|impression|concern|worry|fear|hope
    |advice|reason|thought|thoughts|bet|pleasure|apologies|thanks|phone battery|train|bus|flight|lunch|dinner
        |breakfast|meeting|side|way|last|first|next
    |only|biggest|main problem|whole|boxes|keys|flat|place|spirits|schedule|calendar|inbox|patience|energy|love|walk
        |plan|plans|wish|dream|experience|kids?)$""",
    re.VERBOSE,
)
_ORDINARY = re.compile(
    r"^(?:a|an|not|so|very|too|really|quite|getting|going|in|at|on|about|full|still|always|never|the)\b", re.IGNORECASE
)


def general(clause: str, sentence: Sentence) -> Iterator[Finding]:
    """Yield the slot that a clause names and fills, if it does."""
    for pattern in (_RISING, _POSSESSED, _INVERTED, _GIVEN, _MORE_THAN):
        match = pattern.match(clause)
        if match is None:
            continue
        marks = match.groupdict()
        owner = marks.get("p") or "my"
        subject = "" if owner.lower() in ("my", "our", "the", "the new") else subject_of(re.sub(r"'s?$", "", owner))
        if subject is None:
            continue
        if (
            owner.lower() == "the"
            and not _NUMBERED.search(noun_of(marks["x"]))
            and not _SECRET.search(noun_of(marks["x"]))
        ):
            continue
        noun = noun_of(marks["x"])
        if pattern is _MORE_THAN:
            noun = f"favourite {noun}"
        found = _valued(noun, marks["v"], sentence, exact=pattern is _GIVEN)
        if found is None:
            continue
        slot, value, sort = found
        start = clause.find(value)
        if start < 0 or is_former(clause, start, start + len(value)):
            continue
        former = taken(marks["o"], sort, lower=sentence.lower) if marks.get("o") else None
        yield Finding(slot, value, subject, former or left_behind(sort, value, sentence), noun=noun, general=True)
        return


def _valued(noun: str, text: str, sentence: Sentence, *, exact: bool) -> tuple[str, str, Sort] | None:
    """Return the slot, value and sort of what a noun is said to be."""
    slot = slot_of(noun)
    if not slot or len(noun.split()) > NOUN_MAX_WORDS or (subject_of(noun) is not None and not noun):
        return None
    if is_known_noun(noun) and slot in ATTRIBUTES:
        sort = ATTRIBUTES[slot].sort
        value = taken(text, sort, lower=sentence.lower)
        if value is None and slot == "slot.favourite_dish":
            value = taken(text, Sort.NOUNS)
        return (slot, value, sort if isinstance(sort, Sort) else Sort.NOUNS) if value else None
    if _SECRET.search(noun) and (secret := re.match(r"[^\s,;]*[^\s,;.!?]", text)):
        return slot, secret.group(), Sort.CODE
    if _NUMBERED.search(noun) and (value := taken(text, Sort.CODE)):
        return slot, value, Sort.CODE
    if exact:
        return None
    if _MEASURED.search(noun):
        value = taken(text, Sort.NUMBER)
        return (slot, value, Sort.NUMBER) if value else None
    if noun.startswith("favourite "):
        value = taken(text, Sort.NAME) or taken(text, Sort.NOUNS)
        return (slot, value, Sort.NOUNS) if value else None
    if is_staff(noun):
        value = taken(text, Sort.PERSON, lower=False)
        return (slot, value, Sort.PERSON) if value else None
    if _NO_SLOT.search(noun) or is_kin(noun):
        return None
    value = taken(
        bare(text) if text.lower().startswith(("a ", "an ", "the ")) and not text.islower() else text, Sort.NAME
    )
    if value and not _ORDINARY.match(text):
        return slot, value, Sort.NAME
    known = kinds_of(bare(text).rstrip(" ."))
    return (slot, bare(text).rstrip(" ."), Sort.NOUNS) if known else None
