"""The rules that find two sentences opposed: figures, poles, ways of saying, denials; and what makes each doubtful.

Rules: words that only one sentence has make a rule doubtful, words that each has alone stop it; a name in common makes
it surer. Praise and fault oppose each other only where nothing else is said. A part or a possession of a thing
("the dog's basket") is another thing.
It does not know times, moods or other subjects: the guards come first (meaning.py, guards.py).
Source: REQUIREMENTS C6; confidences are ordinal, chosen on the build halves of the fixtures.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.domain.meaning.guards import FRAME_MIN_SHARE, about_one_thing, frame_share, leftovers, of_all, same_head
from shared.domain.meaning.loose import LIGHT, beside, named_topic, one_subject, same_bearer
from shared.domain.meaning.poles import VALENCE, Stance, two_sided
from shared.domain.meaning.reading import Sentence
from shared.domain.meaning.rival_kinds import rival_kinds
from shared.domain.meaning.ways import PLANS, opposed_ways
from shared.domain.meaning.words import root
from shared.domain.subjects import Shared, shared_things
from shared.domain.tense import disjoint

ROOT_MIN_CHARS = 5  # of a root that is looked for inside a text (chosen, untested)


@dataclass(frozen=True, slots=True)
class Conflict:
    """What a rule found; `stateful` when a later statement may have taken the earlier one's place."""

    confidence: float
    rule: str
    reason: str
    stateful: bool


def part_of_it(whole: Sentence, part: Sentence) -> bool:
    """Tell "the parking space of flat 22" beside "flat 22"."""
    if _owned_apart(whole, part):
        return True
    found = _OF_IT.match(part.text)
    if found is None or _OF_IT.match(whole.text) is not None or found.group(1) not in whole.text:
        return False
    return any(word[:ROOT_MIN_CHARS] not in whole.text for word in part.subject - whole.roots)


def _owned_apart(a: Sentence, b: Sentence) -> bool:
    """Tell "the dog" beside "the dog's basket", by what stands in front of the verb."""
    first, second = _POSSESSED.match(a.text), _POSSESSED.match(b.text)
    if (first is None) == (second is None):
        return False
    owned, other = (first, b) if first is not None else (second, a)
    return owned is not None and any(word not in other.text for word in owned.groups())


def by_poles(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield opposed poles said of one thing."""
    pair = opposed_poles(a, b)
    if _SHARE_OF.match(a.text) or _SHARE_OF.match(b.text) or (_SOME.match(a.text) and _SOME.match(b.text)):
        return  # "two of the three run"
    if past and (_THEN.search(a.text) or _THEN.search(b.text)):
        return  # "stopped", "started again"
    if pair is not None and pair[0].denied != pair[1].denied and _two_sides(a, b):
        return
    if pair is None or not about_one_thing(a, b, shared) or part_of_it(a, b) or part_of_it(b, a):
        return
    if pair[0].axis.rstrip("/") in CONVERSE and not same_head(a, b):
        return  # "sold to the Dorns", "the Dorns bought"
    if pair[0].axis.rstrip("/") in TWO_EVENTS and _WHEN.search(a.text) and _WHEN.search(b.text):
        return  # "arrived late", "left early"
    if pair[0].axis.rstrip("/") in TWO_EVENTS and a.figures and b.figures and a.figures != b.figures:
        return  # "opens at nine", "closes at six"
    mine, theirs = (
        frozenset(
            word
            for word in s.roots - other.roots - LIGHT - {root(x.word) for x in s.stances if x.axis == stance.axis}
            if s.clause_of.get(word) == stance.clause or word in s.subject
        )
        for s, other, stance in ((a, b, pair[0]), (b, a, pair[1]))
    )
    if pair[0].axis == VALENCE and (mine or theirs or not (shared.both or same_head(a, b))):
        return
    named = bool(shared.both)
    confidence = 0.4 if mine and theirs else 0.8 if mine or theirs else 0.9
    if not named and of_all(a, b):
        pass
    elif not named and (shared.only_a or shared.only_b or not (a.words & b.words or same_head(a, b))):
        confidence = min(confidence, 0.45 if frame_share(a, b) < FRAME_MIN_SHARE else 0.7)
    if pair[0].axis == VALENCE:
        confidence = min(confidence, 0.55)
    if pair[0].denied != pair[1].denied and _two_objects(a, b):
        confidence = min(confidence, 0.4)
    words = [f"not {s.word}" if s.denied else s.word for s in pair]
    yield Conflict(
        confidence, "pole", f"{words[0]!r} against {words[1]!r} ({pair[0].axis.rstrip('/')})", stateful=not past
    )


_POSSESSED = re.compile(r"^(?:the |our |an? )?(?:[^,; ]+ ){0,3}?([^,; ]{2,20}?)(?:'s|s') ([a-z]+)")
_OF_IT = re.compile(r"(?:the |our |an? )?[a-z]+(?: [a-z]+| \d+)? (?:of|for|in|at|on) (?:the |our |an? )?([a-z]+)")
_SOME = re.compile(r"(?:some|few|many|several|most|a few) ")
_THEN = re.compile(r"\b(?:again|then|later|afterwards|wieder|danach)\b")
_SHARE_OF = re.compile(r"(?:\d+|one|some|most|many|half|part|few) of (?:the|them|these|those|its|our|their) ")
_WHEN = re.compile(r"\b(?:before|after|early|late|earlier|later|first|last|at once|früh|spät)\b")
CONVERSE = frozenset("trade borrow hire_out victory loan import arrival".split())
TWO_EVENTS = frozenset("opening start arrival staying trade join flow borrow".split())


def opposed_poles(a: Sentence, b: Sentence) -> tuple[Stance, Stance] | None:
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


def _two_sides(a: Sentence, b: Sentence) -> bool:
    """Tell two sides of one rule: a denial beside opposed circumstances, other figures, or another kind."""
    if rival_kinds(a.text, b.text):
        return True
    numbers = [{n for q in s.figures for n in q.numbers} for s in (a, b)]
    return bool(numbers[0] & numbers[1]) and bool(_BELOW.search(a.text)) != bool(_BELOW.search(b.text))


_BELOW = re.compile(
    r"\b(?:under|below|less than|up to|within|unter|bis|weniger als)\b|미만|이하|이내|以下|以内|不满|低于"
)


def by_ways(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield opposed ways of saying, "let go" against "kept on", of one subject in whatever words."""
    found = opposed_ways(a, b)
    if found is None or not (
        (
            (one_subject(found[2], shared) or (named_topic(found[2], shared) and not rival_kinds(a.text, b.text)))
            and not part_of_it(a, b)
            and not part_of_it(b, a)
        )
        or (found[0].of_subject and same_bearer(a, b, found[2], shared))
    ):
        return
    mine, theirs, besides = found
    confidence = 0.58 if mine.of_subject or besides.apart or not shared.both else 0.65
    yield Conflict(confidence, "way", f"{mine.said!r} against {theirs.said!r} ({mine.axis})", stateful=not past)


def by_loose_denial(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield what one sentence denies without restriction and the other tells, with whatever more it tells."""
    numbers = [{n for q in s.figures for n in q.numbers} for s in (a, b)]
    if (
        a.negations + b.negations != 1
        or _two_sides(a, b)
        or (numbers[0] and numbers[1] and numbers[0].isdisjoint(numbers[1]))
    ):
        return
    denying, telling = (a, b) if a.negations else (b, a)
    if not _denies_it(denying, telling):
        return
    found = beside(denying, telling, NEGATOR.sub(" ", denying.text), telling.text)
    if found.only_a or found.others or shared.rivals or shared.apart or not denying.anchors <= telling.anchors:
        return
    if a.script == "latin" and not (shared.both or same_head(a, b)):
        return
    if (found.common > 1 or (shared.both and found.common)) and not _owned_apart(a, b) and not _agreeing(a, b):
        yield Conflict(0.57, "denial", "one denies what the other says", stateful=not past)


def _denies_it(denying: Sentence, telling: Sentence) -> bool:
    """Tell whether what is denied is told, and under no circumstance that the other does not name."""
    if any(word not in telling.text for word in _CIRCUMSTANCE.findall(denying.text)):
        return False
    if denying.script == "latin":
        return bool(denying.denied & telling.roots)
    found = _EASTERN_DENIED.search(denying.text)
    return found is not None and any(part[:2].strip() in telling.text for part in found.groups() if part)


_CIRCUMSTANCE = re.compile(
    r"\b(?:on|before|after|during|within|until|over|under|above|below|without|with|for|at|in|by) "
    r"(?:the |an? |his |her |its )?([a-z]+)"
)
_EASTERN_DENIED = re.compile(
    r"(?:从来没有?|从不|从未|没有?|并未|尚未|未|不会?)(?!是|同|少|错)([\u4e00-\u9fff]{1,2})"
    r"|([가-힣]{1,6}?)[을를은는도]? ?하지 ?(?:는 |도 )?(?:않|못)"
    r"|([가-힣]{1,4}?)지 ?(?:는 |도 )?(?:않|못)|([가-힣]+?)[이가은는도] 없"
)
NEGATOR = re.compile(
    r"\b(?:cannot|unable to|not|no|never|none|nobody|nothing|neither|nor|nicht|kein\w*|nie|niemand)\b"
    r"|从来没有|从不|从未|没有|并未|尚未|没|未|不会|不"
    r"|한 번도|전혀|지 않[가-힣]*|지 못[가-힣]*|없[가-힣]*"
)


def by_plans(a: Sentence, b: Sentence) -> Iterator[Conflict]:
    """Yield a plan against its being ruled out: of what is planned, nothing else contradicts the present."""
    shared = shared_things(a.things, b.things)
    found = opposed_ways(a, b, axis=PLANS)
    if found is not None and one_subject(found[2], shared) and not disjoint(a.anchors, b.anchors):
        yield Conflict(0.6, "way", f"{found[0].said!r} against {found[1].said!r} (plans)", stateful=True)


def by_denial(a: Sentence, b: Sentence, shared: Shared, past: bool) -> Iterator[Conflict]:
    """Yield what one sentence denies and the other says."""
    if not (a.negations or b.negations) or max(a.negations, b.negations) > 1 or not about_one_thing(a, b, shared):
        return
    common = a.roots & b.roots
    if _two_sides(a, b):
        return
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
    elif (
        a.negations % 2 == b.negations % 2
        or _says_the_same(a, b)
        or (any(s.denied for s in (*a.stances, *b.stances)) and _agreeing(a, b))
        or not _denies_it(*((a, b) if a.negations else (b, a)))
    ):
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
    if _two_objects(a, b):
        confidence = min(confidence, 0.4)
    yield Conflict(confidence, "denial", "one denies what the other says", stateful=not past)


def _two_objects(a: Sentence, b: Sentence) -> bool:
    """Tell whether what one denies and what the other tells are each of something else: "heating", "water"."""
    return beside(a, b, NEGATOR.sub(" ", a.text), NEGATOR.sub(" ", b.text)).apart


def _says_the_same(a: Sentence, b: Sentence) -> bool:
    return any(
        x.axis == y.axis and x.pole == y.pole and not (x.denied or y.denied) for x in a.stances for y in b.stances
    )


def _agreeing(a: Sentence, b: Sentence) -> bool:
    return any(
        x.axis == y.axis and two_sided(x.axis) and x.pole != y.pole and x.denied != y.denied
        for x in a.stances
        for y in b.stances
    )
