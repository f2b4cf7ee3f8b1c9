"""Opposed words and denials of one subject told in other words: the tables of poles, read as loosely as ways.

Rules: the opposed words and the denials are taken out of both sentences; what is left must be of one subject, neither
side with content of its own that the other lacks. Praise and fault are left to the strict rule.
It does not know times and moods (judge.py).
Source: own; chosen on the development sets of fixtures/audit, figures in docs/benchmarks/meaning.json.
"""

from collections.abc import Iterator

from shared.domain.meaning.loose import Beside, beside, named_topic, one_subject
from shared.domain.meaning.poles import VALENCE, Stance
from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.rival_kinds import rival_kinds
from shared.domain.meaning.rules import CONVERSE, NEGATOR, TWO_EVENTS, Conflict, opposed_poles, part_of_it
from shared.domain.subjects import Shared


def by_loose_poles(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield opposed poles of one subject, whatever the order and the light words around them."""
    pair = opposed_poles(a, b)
    if pair is None or pair[0].axis == VALENCE or pair[0].axis.rstrip("/") in CONVERSE | TWO_EVENTS:
        return
    if a.qualifiers and b.qualifiers and a.qualifiers != b.qualifiers:
        return
    found = beside(a, b, _without(a, pair[0]), _without(b, pair[1]))
    if (
        not (
            _one_subject(a, found, shared)
            or (pair[0].denied == pair[1].denied and named_topic(found, shared) and not rival_kinds(a.text, b.text))
        )
        or part_of_it(a, b)
        or part_of_it(b, a)
    ):
        return
    words = [f"not {s.word}" if s.denied else s.word for s in pair]
    yield Conflict(0.6, "pole", f"{words[0]!r} against {words[1]!r} ({pair[0].axis.rstrip('/')})", stateful=not past)


def _one_subject(a: Sentence, found: Beside, shared: Shared) -> bool:
    if not one_subject(found, shared):
        return False
    return found.common > 1 or bool(shared.both)


def _without(sentence: Sentence, stance: Stance) -> str:
    """Return a sentence's text without a stance's word and without denials."""
    word = stance.word.replace("_", " ")
    at = sentence.text.find(word)
    text = sentence.text if at < 0 else f"{sentence.text[:at]} {sentence.text[at + len(word) :]}"
    return NEGATOR.sub(" ", text)
