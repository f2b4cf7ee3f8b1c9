"""Grades an answer against a probe's key, without a model: is it right, does it assert what was right only earlier?

Rules: right needs every group of the key met by one of its spellings; when the question asks for what holds now, the
value must be asserted, not merely mentioned as past. A stale value asserted as current makes the answer stale and
wrong, whatever else it says; mentioned as past it does no harm. A value that never held (a plan, another person's)
asserted in place of the right one is wrong, and not stale. "I don't know" is an answer without a value.
It does not know where the answer comes from: the extractive reader's line and a model's text are graded alike.
"""

from dataclasses import dataclass

from tests.bench.life.cues import Tense, said
from tests.bench.life.model import Mode, Probe
from tests.bench.life.wording import REGEX_PREFIX, mentions, normal


@dataclass(frozen=True, slots=True)
class Grade:
    """What an answer is worth. `answered` is false when it holds no value of the slot at all."""

    correct: bool
    stale: bool
    answered: bool


def grade(probe: Probe, answer: str) -> Grade:
    """Grade one answer."""
    keys = [spelling for group in probe.answers for spelling in group]
    wanted = {normal(key) for key in keys}
    stale_values = [value for value in probe.stale if normal(value) not in wanted]
    plain = [key for key in keys if not key.startswith(REGEX_PREFIX)]
    told = {found.value: found.tense for found in said(answer, [*plain, *stale_values, *probe.wrong])}
    holds_now = probe.mode in (Mode.NOW, Mode.ALL)
    stale = holds_now and any(told.get(value) is Tense.CURRENT for value in stale_values)
    met = all(any(_met(spelling, answer, told, holds_now) for spelling in group) for group in probe.answers)
    return Grade(met and not stale, stale, bool(told) or met)


def _met(spelling: str, answer: str, told: dict[str, Tense], holds_now: bool) -> bool:
    if spelling.startswith(REGEX_PREFIX):
        return mentions(spelling, answer)
    tense = told.get(spelling)
    return tense is not None and (not holds_now or tense is not Tense.PAST)
