"""Frames tried on clauses: the first shape that matches and whose value is of the right sort gives a finding.

Rules: a frame whose words of exclusion stand in the sentence is passed over. The value before is taken from the frame,
else from the values of the same sort that the sentence leaves behind. It does not know what a frame tells.
"""

import re
from collections.abc import Iterator, Sequence

from shared.domain.extraction.attributes import ATTRIBUTES, key_of, noun_of, slot_of
from shared.domain.extraction.former import is_former
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.frames import Frame, groups
from shared.domain.extraction.kinds import PATTERNS, Kind
from shared.domain.extraction.moments import MARK
from shared.domain.extraction.people import is_staff, subject_of
from shared.domain.extraction.spans import NAME, Sort, taken
from shared.domain.extraction.topics import FIGURE

_NAMES = re.compile(NAME)
_CODES = re.compile(r"(?<![\w.,-])[A-Z0-9-]*\d[\w-]*")
_DAYS = re.compile(MARK)
_HOSTS = frozenset(
    """
    dentist optician physio vet doctor gp hairdresser barber mechanic lawyer accountant therapist dermatologist
    cardiologist notary bank clinic hospital garage surgeon physiotherapist optometrist orthodontist
    """.split()
)
_NOTHING = re.compile(r"(?!)")
_SPLIT = re.compile(r", (?:and |or )?| and | or ")


def findings(frames: Sequence[Frame], clause: str, sentence: Sentence, *, told: bool = True) -> Iterator[Finding]:
    """Yield what the frames find in a clause, at most one per frame; of several values one finding each."""
    for frame in frames:
        if not (told or frame.any_mood):
            continue
        match = frame.pattern.match(clause)
        if match is None:
            continue
        if (frame.needs and not frame.needs.search(sentence.written)) or (
            frame.never and frame.never.search(sentence.written)
        ):
            continue
        yield from _read(frame, clause, groups(match), match.start("v" + _shape(match)), sentence)


def _shape(match: re.Match[str]) -> str:
    return next(name[1:] for name, text in match.groupdict().items() if text is not None and name[0] == "v")


_MOVES = re.compile(
    r"(?:turned|moved|packed|settled|relocated|switched|returned|changed|started|finished|signed|joined|landed|arrived)$",
    re.IGNORECASE,
)
"""What begins a sentence whose "I" was left out, and is no name."""

_NOTHING_NAMED = frozenset("i we you it he she they this that these those there all everything".split())


def is_somebody(name: str, sentence: Sentence) -> bool:
    """Tell whether a name is held as somebody's: "Ines has retired" tells of no project."""
    return any(
        attribute_sort(each.slot) is Sort.PERSON or is_staff(each.slot.removeprefix("slot.").replace("_", " "))
        for each in sentence.known
        if each.value == name
    )


def _read(frame: Frame, clause: str, marks: dict[str, str], at: int, sentence: Sentence) -> Iterator[Finding]:
    subject = _subject(marks)
    if subject is None:
        return
    texts = _SPLIT.split(marks["v"]) if frame.slot.startswith("slots.") else [marks["v"]]
    first = True
    for text in texts:
        value = taken(text, frame.sort, lower=sentence.lower)
        if value is None:
            if first:
                return
            break
        begins = clause.find(value, at if first else 0)
        named = frame.any_mood or frame.slot.startswith("slot.status")  # "off limits", "shelved": the words of an end
        if not named and is_former(clause, begins, begins + len(value)):
            return
        about = re.sub(r"^(?:the|my|our|a|an) ", "", marks.get("x", "").strip(), flags=re.IGNORECASE)
        if frame.sort is Sort.DAY:
            about = re.sub(r" (?:for|to) [A-Z][\w .'-]*$", "", about)
        about = re.sub(r" (?:on|over|in|up|off|out|to|at)$", "", about)
        if about.lower() in _NOTHING_NAMED or (frame.slot.startswith("slot.status") and is_somebody(about, sentence)):
            return
        own = frame.slot.startswith("slot.status") or any(c.isupper() for c in about[1:])
        noun = about if own else noun_of(about)
        slot = _slot(frame.slot, noun)
        if slot.startswith("slot.appointment.") and noun.lower() in _HOSTS:
            noun = f"{noun} appointment"
        if not slot:
            return
        yield Finding(
            slot=slot,
            value=value,
            subject=subject,
            former=_former(frame, marks, value, sentence),
            ends=frame.ends,
            says=_says(frame, marks),
            noun=noun,
            rest=_rest(text, value),
            day=value if frame.sort is Sort.DAY else "",
        )
        first = False


def _subject(marks: dict[str, str]) -> str | None:
    """Return whom a match is about: the subject, else the owner; empty for the user, None for nobody."""
    if "s" in marks:
        if _MOVES.match(marks["s"]):
            return ""
        return "" if marks["s"].lower() == "my" else subject_of(marks["s"])
    owner = marks.get("p", "")
    if owner.lower() in ("", "my", "our", "the"):
        about = marks.get("x", "")
        return about if owner and about and subject_of(f"my {about}") == about and not is_staff(about) else ""
    return subject_of(re.sub(r"'s?$", "", owner))


def _slot(slot: str, noun: str) -> str:
    if slot == "slot.birthday":
        return slot
    if slot in ("slot.role_of.{x}",):
        return "slot.manager"
    if slot == "slot.{x}":
        return slot_of(noun) if noun else ""
    if "{x}" not in slot:
        return slot
    if slot.startswith("slot.due.") and re.search(r"\b(?:appointment|birthday|deadline for)\b", noun):
        return ""
    key = key_of(re.sub(r"\b(?:appointment|new|next|follow-up)\b", "", noun).strip() or noun)
    return slot.replace("{x}", key) if key and len(noun.split()) <= 5 else ""


def _says(frame: Frame, marks: dict[str, str]) -> str:
    return frame.says.replace("{y}", marks.get("y", "in"))


def _former(frame: Frame, marks: dict[str, str], value: str, sentence: Sentence) -> str:
    """Return the value that a sentence leaves behind, of the same sort as the one that it gives."""
    own = taken(marks["o"], frame.sort, lower=sentence.lower) if "o" in marks else None
    if own and own.lower() != value.lower():
        return own
    return left_behind(frame.sort, value, sentence)


def left_behind(sort: Sort | Kind, value: str, sentence: Sentence) -> str:
    """Return the first value of a sort in a sentence that no longer holds; empty where there is none."""
    for found in _candidates(sort).finditer(sentence.plain):
        text = found.group().strip(" .")
        if text == "I" or text.lower() in value.lower() or value.lower() in text.lower():
            continue
        if is_former(sentence.plain, found.start(), found.end()):
            return text
    return ""


def _candidates(sort: Sort | Kind) -> re.Pattern[str]:
    if isinstance(sort, Kind):
        return PATTERNS[sort]
    if sort is Sort.OCCUPATION:
        return _NOTHING
    if sort is Sort.DAY:
        return _DAYS
    if sort is Sort.NUMBER:
        return FIGURE
    return _CODES if sort is Sort.CODE else _NAMES


def attribute_sort(slot: str) -> Sort | Kind:
    """Return what the values of a slot look like; a name where nothing is known."""
    known = ATTRIBUTES.get(slot)
    return known.sort if known else Sort.NAME


def _rest(text: str, value: str) -> str:
    """Return the few words behind a value that say how, for sentences that carry them."""
    _, _, rest = text.partition(value)
    rest = rest.strip(" ,.")
    return rest if len(rest.split()) <= 5 and not re.search(r"\b(?:i|my|me)\b", rest, re.IGNORECASE) else ""
