"""The local judge of meaning: whether two statements contradict each other, or a later one took an earlier one's
place.

Rules: a contradiction is what cannot both hold of one subject at one time, as plain readers take the words. Guards come
first: another subject, a period or time apart, a plan or a condition against a fact, a report of what somebody says,
former against now. Then slots, figures, comparisons, opposed poles and ways of saying, denials, lives with an end, and
what the world rules out. Between two dated statements of the present, or where the later one tells the change, the
earlier is superseded. A verdict below REPORTED_MIN_CONFIDENCE is not reported. What a text orders is not read.
It does not know the world beyond its tables, nor pronouns across sentences. Confidence orders verdicts and is no
probability.
Source: REQUIREMENTS C3, C5, C6; figures in docs/benchmarks/meaning.json (tests/bench/meaning.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique

from shared.domain.comparatives import compares, reversed_comparison
from shared.domain.meaning.events import by_events
from shared.domain.meaning.figure_rules import by_figures, by_loose_figures, same_hour
from shared.domain.meaning.frequencies import by_frequency
from shared.domain.meaning.guards import (
    dated_event,
    is_past,
    other_owner,
    other_start,
    same_condition,
    scoped_apart,
    times_besides_value,
    told_of_two_times,
)
from shared.domain.meaning.loose import beside, same_bearer
from shared.domain.meaning.loose_rules import by_loose_poles
from shared.domain.meaning.reading import Sentence, read
from shared.domain.meaning.roles import by_roles
from shared.domain.meaning.rules import (
    Conflict,
    by_denial,
    by_loose_denial,
    by_plans,
    by_poles,
    by_ways,
)
from shared.domain.meaning.sole import second_holder
from shared.domain.meaning.spans import outside_its_life
from shared.domain.meaning.time_frames import frames_apart, settings_apart
from shared.domain.meaning.worlds import ruled_out
from shared.domain.slots import filled_twice
from shared.domain.subjects import shared_things
from shared.domain.tense import Mood, disjoint, periods_apart, same_source
from shared.domain.text import fold

JUDGE_VERSION = "rules-3"
REPORTED_MIN_CONFIDENCE = 0.5  # below: a hint, not a finding (chosen on the build half)


@unique
class MeaningVerdict(StrEnum):
    """What two statements are to each other."""

    CONTRADICTION = "contradiction"
    SUPERSEDED = "superseded"
    CONSISTENT = "consistent"


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement as the judge needs it; `subject` is the company or speaker, None when unknown."""

    text: str
    subject: str | None = None
    period: str | None = None
    observed_at: datetime | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its rule and reason; `confidence` 0..1, ordinal."""

    verdict: MeaningVerdict
    confidence: float
    rule: str
    reason: str

    @property
    def reported(self) -> bool:
        """Whether the verdict is sure enough to be a finding."""
        return self.verdict is not MeaningVerdict.CONSISTENT and self.confidence >= REPORTED_MIN_CONFIDENCE


def judge_pair(a: Stated, b: Stated) -> Judgement:
    """Judge two statements; their order changes nothing."""
    if a.subject and b.subject and fold(a.subject) != fold(b.subject):
        return _consistent("other-subject", "the statements are filed under two subjects")
    if periods_apart(a.period, b.period):
        return _consistent("period", "the periods have no day in common")
    if fold(a.text) == fold(b.text):
        return _consistent("same-text", "the same words")
    first, second = read(a.text), read(b.text)
    earlier, later = _in_time(a, b)
    if earlier is not None and later is not None and _took_place(read(earlier.text), read(later.text)):
        return Judgement(MeaningVerdict.SUPERSEDED, 0.7, "change", "the later statement tells the change")
    found = max(
        (conflict for x in first for y in second for conflict in _conflicts(x, y)),
        key=lambda conflict: (conflict.confidence, conflict.rule, conflict.reason),
        default=None,
    )
    if found is None:
        return _consistent("none", "nothing excludes the other")
    if earlier is not None and later is not None and (found.stateful or _tells_change(earlier, later)):
        return Judgement(
            MeaningVerdict.SUPERSEDED, found.confidence, found.rule, f"{found.reason}; the later holds now"
        )
    return Judgement(MeaningVerdict.CONTRADICTION, found.confidence, found.rule, found.reason)


def _tells_change(earlier: Stated, later: Stated) -> bool:
    return any(s.changes for s in read(later.text)) and not any(s.changes or is_past(s) for s in read(earlier.text))


def _consistent(rule: str, reason: str) -> Judgement:
    return Judgement(MeaningVerdict.CONSISTENT, 0.6, rule, reason)


def _in_time(a: Stated, b: Stated) -> tuple[Stated | None, Stated | None]:
    if a.observed_at is None or b.observed_at is None or a.observed_at == b.observed_at:
        return None, None
    return (a, b) if a.observed_at < b.observed_at else (b, a)


def _took_place(earlier: tuple[Sentence, ...], later: tuple[Sentence, ...]) -> bool:
    """Tell whether a later statement says that it ended what the earlier one says."""
    for x in earlier:
        for y in later:
            shared = shared_things(x.things, y.things)
            topic = x.roots & y.roots
            if (
                not y.changes
                or x.changes
                or x.mood is not Mood.ASSERTED
                or y.mood is not Mood.ASSERTED
                or x.former
                or is_past(x)
            ):
                continue
            if shared.apart or (x.script != y.script):
                continue
            if (shared.both and (topic or len(shared.both) > 1)) or len(topic) >= 2 or (x.script != "latin" and topic):
                return True
    return False


def _conflicts(a: Sentence, b: Sentence) -> Iterator[Conflict]:
    if a.script != b.script or Mood.ASKED in (a.mood, b.mood) or Mood.POSSIBLE in (a.mood, b.mood):
        return
    if {a.mood, b.mood} == {Mood.ASSERTED, Mood.PLANNED}:
        yield from by_plans(a, b)
    if a.mood is not b.mood or (a.mood is Mood.REPORTED and not same_source(a.text, b.text)):
        return
    shared = shared_things(a.things, b.things)
    life = outside_its_life(a, b) if a.mood is Mood.ASSERTED else None
    if life is not None and same_bearer(a, b, beside(a, b, a.text, b.text), shared):
        yield Conflict(0.6, "life", life, stateful=False)
    if other_owner(a, b):
        return
    if a.mood is Mood.ASSERTED:
        yield from by_events(a, b, shared, is_past(a) or is_past(b))
    if told_of_two_times(a, b) or scoped_apart(a, b):
        return
    past = is_past(a) or is_past(b)
    apart_in_time = disjoint(a.anchors, b.anchors) or frames_apart(a.text, b.text)
    scale = reversed_comparison(a.text, b.text)
    if (scale is not None and not apart_in_time) or (scale is not None and scale.startswith("amount")):
        yield Conflict(0.85, "comparison", f"{scale} turned round", stateful=not past)
        return
    if compares(a.text) or compares(b.text):
        return
    if a.mood is Mood.CONDITIONAL and not same_condition(a, b):
        return
    slot = filled_twice(a, b)
    if (
        slot is not None
        and not (a.negations or b.negations or same_hour(a, b))
        and not times_besides_value(a, b, slot.a, slot.b)
    ):
        yield Conflict(0.8, "slot", f"{slot.a!r} against {slot.b!r}", stateful=slot.stateful and not past)
        return
    if not apart_in_time:
        yield from by_roles(a, b, shared, past)
    if shared.apart or (not shared.both and other_start(a, b)):
        return
    if (
        not shared.rivals
        and a.qualifiers == b.qualifiers
        and (shared.both or a.head & b.frame or b.head & a.frame or (a.script == "han" and a.words & b.words))
    ):
        reason = ruled_out(a, b)
        if reason is not None and not (shared.both and a.subject - b.roots and b.subject - a.roots):
            yield Conflict(0.6 if shared.both else 0.5, "world", reason, stateful=False)
        part = second_holder(a, b, shared)
        if part is not None:
            yield Conflict(0.6, "sole", f"one alone, and another ({part})", stateful=not past)
    if (apart_in_time and not dated_event(a, b)) or settings_apart(a.text, b.text):
        return
    yield from by_figures(a, b, shared, past)
    yield from by_loose_figures(a, b, shared, past)
    if shared.rivals or apart_in_time:
        return
    yield from by_frequency(a, b, shared, past)
    yield from by_poles(a, b, shared, past)
    yield from by_loose_poles(a, b, shared, past)
    yield from by_denial(a, b, shared, past)
    yield from by_ways(a, b, shared, past)
    yield from by_loose_denial(a, b, shared, past)
