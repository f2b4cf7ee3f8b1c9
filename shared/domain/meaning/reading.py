"""A statement read for the meaning judge: sentences with things, topic words, poles, denials, figures, times and
mood.

Rules: what a statement orders is not read (orders.py). Each text is read once and kept.
It does not know whether two readings contradict each other (judge.py).
Source: polarity axes with negation scope, as in the measured local judge of the project's recipes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from shared.domain.meaning.latin import latin_parts
from shared.domain.meaning.orders import facts
from shared.domain.meaning.poles import CJK, Stance
from shared.domain.meaning.spelling import measured, spelled
from shared.domain.meaning.unspaced import unspaced_parts
from shared.domain.quantities import Kind, Quantity, quantities
from shared.domain.subjects import Thing, is_german, things
from shared.domain.tense import Anchor, Mood, anchors_of, is_former, mood_of, tells_change
from shared.domain.text import fold

SENTENCES_MAX = 12  # of one statement; the rest is not judged (chosen, untested)

_HANGUL = re.compile(r"[가-힣]")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as the rules see it. `words` are topic roots without poles, things and figures."""

    text: str
    tokens: tuple[str, ...]
    things: tuple[Thing, ...]
    words: frozenset[str]
    subject: frozenset[str]  # of them, those in front of the first verb
    stances: tuple[Stance, ...]
    negations: int
    denied: frozenset[str]  # topic roots and pole words that an odd number of negations reaches
    figures: tuple[Quantity, ...]
    figure_text: str
    anchors: frozenset[Anchor]
    mood: Mood
    former: bool
    changes: bool
    script: str  # latin, hangul or han
    roots: frozenset[str] = field(default=frozenset())  # all content roots, poles included
    head: frozenset[str] = field(default=frozenset())  # what stands in front of the first verb, neutral nouns included
    frame: frozenset[str] = field(default=frozenset())  # all roots but articles and the like
    qualifiers: frozenset[str] = field(default=frozenset())  # "first", "younger" in front of the verb
    clause_of: Mapping[str, int] = field(default_factory=dict)  # in which clause a topic root stands


@lru_cache(maxsize=4096)
def read(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a statement that state facts."""
    return tuple(_sentence(part, spelled(fold(part))) for part in facts(text)[:SENTENCES_MAX])


def _sentence(raw: str, folded: str) -> Sentence:
    script = "hangul" if _HANGUL.search(folded) else "han" if CJK.search(folded) else "latin"
    named, rest = things(raw, folded, german=script == "latin" and is_german(folded))
    rest = measured(rest)
    figures = tuple(q for q in quantities(rest) if q.kind is not Kind.IDENTIFIER)
    parsed = latin_parts(rest, named, figures) if script == "latin" else unspaced_parts(rest, script, figures)
    return Sentence(
        text=folded,
        things=named,
        figures=figures,
        figure_text=rest,
        anchors=anchors_of(folded, figures),
        mood=mood_of(folded),
        former=is_former(folded),
        changes=tells_change(folded),
        script=script,
        **parsed,
    )
