"""Values sighted in a sentence, each with whether it is left behind; and the finding that exactly one of them makes.

Rules: a member of a class counts where it is no part of a longer noun, or where a person is called by it ("a chai
person"). A name at the beginning counts only as a subject. Everyday words that are members of a class too do not count.
It does not know topics (evidence_topics.py).
Source: own.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from shared.domain.extraction.endings import undone
from shared.domain.extraction.former import is_former
from shared.domain.extraction.found import Finding, Sentence
from shared.domain.extraction.kinds import PATTERNS, Kind, kinds_of
from shared.domain.extraction.spans import NAME, is_finished, occupations
from shared.domain.stop_words import ENGLISH_STOP_WORDS

Values = Callable[[Sentence], list[tuple[str, bool]]]
"""The values of a sort in a sentence, each with whether it is left behind."""

_NAMES = re.compile(rf"(?:(?<=[\w,;:\"(] )|(?<=[\"(])|^)(?:{NAME})")
_DOCTOR = re.compile(r"\bDr\.? [A-Z][\w'-]+")
_OWNERS = re.compile(
    r"\s+(?:person|fan|lover|drinker|addict|user|guy|girl|enthusiast|resident|dweller|local|citizen|inhabitant"
    r"|address|household)\b"
)
_ORDINARY = frozenset(
    """
    house rock metal soul folk country pop rap trap swing noise fusion emo drill jungle garage minimal
    grime disco dub rai highlife rose mate coke stout ale gin rum port concept design planning testing
    review live launch development
    """.split()
)
"""Members of classes that are everyday words too: a frame or topics.py may read them, not evidence alone."""


_OPENERS = frozenset(
    """
    the a an my our since after before when while if on in at by for from to of with as all everything
    everyone nothing nobody some each new one two now today yesterday every most little big good great
    nice honestly finally please remember note sorry correction hi hello hey thanks yes no ok okay guess
    turns small quick update news what where who which how why life work home things people mornings
    evenings days lately these those
    """.split()
)


def of_kind(kind: Kind) -> Values:
    """Return what finds the members of a class."""

    def values(sentence: Sentence) -> list[tuple[str, bool]]:
        found = []
        over = " ".join(clause for clause in sentence.clauses if undone(clause) is not None)
        for match in PATTERNS[kind].finditer(sentence.plain):
            if match.group() in _ORDINARY or (kind is Kind.MUSIC and match.group().lower() in _ORDINARY):
                continue
            former = match.group() in over or is_former(sentence.plain, match.start(), match.end())
            if former or is_finished(rest := sentence.plain[match.end() :]) or _OWNERS.match(rest):
                found.append((match.group(), former))
        return found

    return values


def names(sentence: Sentence) -> list[tuple[str, bool]]:
    """Return the names that are no city and no member of a class."""
    found = []
    for match in _NAMES.finditer(sentence.plain):
        name = match.group().removesuffix("'s")
        at_start = match.start() == 0 and " " not in name
        plain_word = name.split()[0].lower() in ENGLISH_STOP_WORDS | _OPENERS or name == "I"
        if (
            plain_word
            or kinds_of(name)
            or PATTERNS[Kind.CITY].fullmatch(name)
            or (at_start and not _is_subject(sentence.plain[match.end() :]))
        ):
            continue
        found.append((name, is_former(sentence.plain, match.start(), match.end())))
    return found


def _is_subject(rest: str) -> bool:
    return (
        re.match(
            r"(?:'s)?\s*(?:is|are|has|was|will|and|it is|,|pays|took|takes|gets|keeps|holds|looks|does|became"
            r"|joined|employs|hired|signs?|now|still|whose)\b|'s|$",
            rest,
        )
        is not None
    )


def persons(sentence: Sentence) -> list[tuple[str, bool]]:
    """Return the names that may be a person's."""
    return [(name, former) for name, former in names(sentence) if not any(c.isdigit() for c in name)]


def doctors(sentence: Sentence) -> list[tuple[str, bool]]:
    """Return the names with a doctor's title."""
    return [(m.group(), is_former(sentence.plain, m.start(), m.end())) for m in _DOCTOR.finditer(sentence.plain)]


def found_occupations(sentence: Sentence) -> list[tuple[str, bool]]:
    """Return the occupations."""
    return [
        (sentence.plain[start:end], is_former(sentence.plain, start, end)) for start, end in occupations(sentence.plain)
    ]


def one(
    slot: str,
    values: Sequence[tuple[str, bool]],
    *,
    subject: str = "",
    may_end: bool = False,
    says: str = "",
    noun: str = "",
) -> Iterator[Finding]:
    """Yield the one value that holds, else the end of the one that does not."""
    holding = list(dict.fromkeys(value for value, former in values if not former))
    former = [value for value in dict.fromkeys(value for value, gone in values if gone) if value not in holding]
    if len(holding) == 1:
        yield Finding(slot, holding[0], subject, former=former[0] if former else "", says=says, noun=noun)
    elif not holding and len(former) == 1 and may_end:
        yield Finding(slot, "", subject, former=former[0], ends=True, noun=noun)
