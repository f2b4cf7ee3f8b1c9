"""The rules that find two figures, or two days of one event, opposed.

Rules: figures of one measure meet where both sentences speak of one subject. Where each side has words of its own, the
measure must be named alike or a unit be in common, and no side or kind of people may differ. A count that only one side
has, a part, and two named quantities ("deposit", "rent") are other figures.
It does not know times and moods (judge.py), nor how figures are read (figures.py).
Source: REQUIREMENTS C6; confidences are ordinal, chosen on the development sets of fixtures/audit.
"""

import re
from collections.abc import Iterator

from shared.domain.meaning.figures import figures_apart, measures
from shared.domain.meaning.guards import about_one_thing
from shared.domain.meaning.loose import Beside, beside, one_subject
from shared.domain.meaning.measure_nouns import measured_by, one_measure, other_measure
from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.rival_kinds import rival_kinds
from shared.domain.meaning.rules import Conflict, opposed_poles, part_of_it
from shared.domain.quantities import Kind, Quantity
from shared.domain.subjects import Shared
from shared.domain.tense import disjoint

OWN_WORDS_MAX = 3  # that a sentence may have alone where both give one named measure (chosen on the development sets)


def by_figures(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield figures, or days of one event, that cannot both be right."""
    if a.negations != b.negations or shared.rivals or rival_kinds(a.text, b.text) or not about_one_thing(a, b, shared):
        return
    if bool(_EVER_SINCE.search(a.text)) != bool(_EVER_SINCE.search(b.text)):
        return
    if (a.roots - b.roots and b.roots - a.roots) or _several_of_one(a, b):
        return
    if disjoint(a.anchors, b.anchors):
        if measures(a) and measures(b):
            return  # "nine days in 2023, two days in 2024"
        days = [[str(x.value) for x in s.anchors] for s in (a, b)]
        if (a.words <= b.roots or b.words <= a.roots) and (shared.both or a.words & b.words):
            yield Conflict(
                0.75, "date", f"{', '.join(sorted(days[0]))} against {', '.join(sorted(days[1]))}", stateful=not past
            )
        return
    pair = figures_apart(a, b)
    if _other_part(a, b):
        return
    if pair is not None and opposed_poles(a, b) is None:
        yield Conflict(0.85, "figure", f"{pair[0].text} against {pair[1].text}", stateful=not past)


def by_loose_figures(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield figures of one measure that cannot both be right, where the words around them differ."""
    if (
        a.negations
        or b.negations
        or disjoint(a.anchors, b.anchors)
        or rival_kinds(a.text, b.text)
        or _several_of_one(a, b)
        or _other_part(a, b)
    ):
        return
    if bool(_EVER_SINCE.search(a.text)) != bool(_EVER_SINCE.search(b.text)):
        return
    found = beside(a, b, a.figure_text, b.figure_text)
    pair = figures_apart(a, b)
    if pair is None or other_measure(a.text, b.text) or opposed_poles(a, b) is not None:
        return
    if one_subject(found, shared):
        confidence = 0.7 if shared.both and not found.apart else 0.6
    elif _one_measure(a, b, pair, found, shared):
        confidence = 0.55
    else:
        return
    yield Conflict(confidence, "figure", f"{pair[0].text} against {pair[1].text}", stateful=not past)


def _one_measure(a: Sentence, b: Sentence, pair: tuple[Quantity, Quantity], found: Beside, shared: Shared) -> bool:
    """Tell whether two figures measure one thing though each sentence has words of its own."""
    if (
        shared.apart
        or shared.rivals
        or found.others
        or (a.qualifiers and b.qualifiers and a.qualifiers != b.qualifiers)
    ):
        return False
    if max(len(found.only_a), len(found.only_b)) > OWN_WORDS_MAX:
        return False
    exact = pair[0].kind is not Kind.NUMBER or bool(pair[0].nouns and pair[1].nouns)
    known = found.common + len(shared.both)
    return (
        exact
        and known > 1
        and (found.common > 0 or len(shared.both) > 1)
        and (one_measure(a.text, b.text) or known > found.alone)
    )


def same_hour(a: Sentence, b: Sentence) -> bool:
    """Tell "14:00" beside "2 pm"."""
    first, second = ({n for q in s.figures if q.kind is Kind.CLOCK for n in q.numbers} for s in (a, b))
    return bool(first) and first == second


def _other_part(a: Sentence, b: Sentence) -> bool:
    """Tell whether one sentence measures a part or a possession of what the other measures."""
    if beside(a, b, a.figure_text, b.figure_text).alone == 0:
        return False
    heads = [match.group(1) for s in (a, b) if (match := _HEAD_OF.match(s.text)) is not None]
    if any(_BOUND.search(head) or measured_by(head) for head in heads):
        return False
    return part_of_it(a, b) or part_of_it(b, a)


_EVER_SINCE = re.compile(r"\b(?:has|have) (?:been |\w+ed ).{0,60}\bfor (?:over |more than |about )?\d")
_HEAD_OF = re.compile(r"(?:the |our |an? |die |der |das )?((?:[\w-]+ ){0,2}?[\w-]+) (?:of|for|in|at|on|von|für) ")
_BOUND = re.compile(r"\b(?:limit|maximum|minimum|ceiling|size|amount|number|level|frist|grenze|anzahl|menge)\b")


def _several_of_one(a: Sentence, b: Sentence) -> bool:
    """Tell "forty sacks make a tonne" beside "a sack weighs 25 kg": a count that only one side has."""
    counts = [sum(q.kind is Kind.NUMBER and bool(q.nouns) for q in s.figures) for s in (a, b)]
    measured = [sum(q.kind in (Kind.MEASURE, Kind.MONEY) for q in s.figures) for s in (a, b)]
    return counts[0] != counts[1] and all(measured)
