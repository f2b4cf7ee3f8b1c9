"""The rules that find two sentences opposed: figures, poles, denials; each with what makes it sure or doubtful.

Rules: words that only one sentence has make a rule doubtful, words that each has alone make it more so; a name in
common makes it surer. Praise and fault oppose each other only where nothing else is said.
It does not know times, moods or other subjects: the guards come first (meaning.py, meaning_guards.py).
Source: REQUIREMENTS C6; confidences are ordinal, chosen on the build half of the fixtures.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.domain.meaning_figures import figures_apart
from shared.domain.meaning_guards import FRAME_MIN_SHARE, about_one_thing, frame_share, leftovers, of_all, same_head
from shared.domain.meaning_poles import MEASURES, VALENCE, Stance, two_sided
from shared.domain.meaning_reading import Sentence
from shared.domain.meaning_words import root
from shared.domain.subjects import Shared
from shared.domain.tense import disjoint


@dataclass(frozen=True, slots=True)
class Conflict:
    """What a rule found; `stateful` when a later statement may have taken the earlier one's place."""

    confidence: float
    rule: str
    reason: str
    stateful: bool


def by_figures(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield figures, or days of one event, that cannot both be right."""
    if a.negations != b.negations or shared.rivals or not about_one_thing(a, b, shared):
        return
    if a.roots - b.roots and b.roots - a.roots:
        return
    if disjoint(a.anchors, b.anchors):
        days = [[str(x.value) for x in s.anchors] for s in (a, b)]
        if (a.words <= b.roots or b.words <= a.roots) and (shared.both or a.words & b.words):
            yield Conflict(
                0.75, "date", f"{', '.join(sorted(days[0]))} against {', '.join(sorted(days[1]))}", stateful=not past
            )
        return
    pair = figures_apart(a, b)
    if pair is not None and _opposed(a, b) is None:
        yield Conflict(0.85, "figure", f"{pair[0].text} against {pair[1].text}", stateful=not past)


def by_poles(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield opposed poles said of one thing."""
    pair = _opposed(a, b)
    if _SHARE_OF.match(a.text) or _SHARE_OF.match(b.text) or (_SOME.match(a.text) and _SOME.match(b.text)):
        return  # "two of the three run"
    if past and (_THEN.search(a.text) or _THEN.search(b.text)):
        return  # "stopped", "started again"
    if pair is None or not about_one_thing(a, b, shared):
        return
    if pair[0].axis.rstrip("/") in _CONVERSE and not same_head(a, b):
        return  # "sold to the Dorns", "the Dorns bought"
    if pair[0].axis.rstrip("/") in _TWO_EVENTS and a.figures and b.figures and a.figures != b.figures:
        return  # "opens at nine", "closes at six"
    mine, theirs = (
        frozenset(
            word
            for word in s.roots - other.roots - {root(x.word) for x in s.stances if x.axis == stance.axis}
            if s.clause_of.get(word) == stance.clause or word in s.subject
        )
        for s, other, stance in ((a, b, pair[0]), (b, a, pair[1]))
    )
    if pair[0].axis == VALENCE and (mine or theirs or not (shared.both or same_head(a, b))):
        return
    measure = pair[0].axis in MEASURES
    named = bool(shared.both)
    if mine and theirs:
        confidence = 0.6 if named and not measure and len(mine) <= 2 and len(theirs) <= 2 else 0.4
    else:
        confidence = 0.8 if mine or theirs else 0.9
    if not named and of_all(a, b):
        pass
    elif not named and (shared.only_a or shared.only_b or not (a.words & b.words or same_head(a, b))):
        confidence = min(confidence, 0.45 if frame_share(a, b) < FRAME_MIN_SHARE else 0.7)
    if pair[0].axis == VALENCE:
        confidence = min(confidence, 0.55)
    words = [f"not {s.word}" if s.denied else s.word for s in pair]
    yield Conflict(
        confidence, "pole", f"{words[0]!r} against {words[1]!r} ({pair[0].axis.rstrip('/')})", stateful=not past
    )


_SOME = re.compile(r"(?:some|few|many|several|most|a few) ")
_THEN = re.compile(r"\b(?:again|then|later|afterwards|wieder|danach)\b")
_SHARE_OF = re.compile(r"(?:\d+|one|some|most|many|half|part|few) of (?:the|them|these|those|its|our|their) ")
_CONVERSE = frozenset("trade borrow hire_out victory loan import arrival".split())
_TWO_EVENTS = frozenset("opening start arrival staying trade join flow borrow".split())


def _opposed(a: Sentence, b: Sentence) -> tuple[Stance, Stance] | None:
    """Return two stances that exclude each other, when no stance on their axes or of their words agrees."""
    conflicts: list[tuple[Stance, Stance]] = []
    agreed: set[str] = set()
    for x in a.stances:
        for y in b.stances:
            if x.axis != y.axis or (x.axis[0] == "=" and x.pole == y.pole):
                continue
            if x.denied == y.denied:
                same = x.pole == y.pole or (x.denied and two_sided(x.axis))
                opposite = x.pole != y.pole and not x.denied
            else:
                same = x.pole != y.pole and two_sided(x.axis)
                opposite = x.pole == y.pole
            if same:
                agreed |= {x.word, y.word, x.axis}
            elif opposite:
                conflicts.append((x, y))
    left = [(x, y) for x, y in conflicts if x.axis not in agreed and not (x.word in agreed and y.word in agreed)]
    return min(left, key=lambda pair: pair[0].axis == VALENCE) if left else None


def by_denial(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield what one sentence denies and the other says."""
    if not (a.negations or b.negations) or max(a.negations, b.negations) > 1 or not about_one_thing(a, b, shared):
        return
    common = a.roots & b.roots
    if (
        a.figures
        and b.figures
        and {n for q in a.figures for n in q.numbers}.isdisjoint({n for q in b.figures for n in q.numbers})
    ):
        return  # two sides of one rule
    if a.script == "latin":
        differing = (a.denied ^ b.denied) & common
        if not differing or (a.denied & b.denied & common):
            return
    elif a.negations % 2 == b.negations % 2 or (any(s.denied for s in (*a.stances, *b.stances)) and _agreeing(a, b)):
        return
    shorter = min(len(a.roots), len(b.roots))
    share = len(common) / shorter if shorter else 0.0
    mine, theirs = leftovers(a, b)
    if shared.both:
        confidence = 0.75 if share >= 0.8 else 0.6 if share >= 0.6 else 0.4
    else:
        enough = len(common) >= 3 or (
            share == 1.0 and len(common) >= 2 and not (a.words - b.roots and b.words - a.roots)
        )
        confidence = 0.6 if share >= 0.8 and enough and not (shared.only_a or shared.only_b) else 0.4
    if mine and theirs:
        confidence = min(confidence, 0.55 if shared.both and len(mine) + len(theirs) <= 3 else 0.4)
    yield Conflict(confidence, "denial", "one denies what the other says", stateful=not past)


def _agreeing(a: Sentence, b: Sentence) -> bool:
    return any(
        x.axis == y.axis and two_sided(x.axis) and x.pole != y.pole and x.denied != y.denied
        for x in a.stances
        for y in b.stances
    )
