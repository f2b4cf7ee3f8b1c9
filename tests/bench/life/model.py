"""What the benchmark speaks of: turns, facts with their two time axes, probes with answer keys.

Rules: frozen data only. An agent sees turns and questions; facts, labels and answer keys stay with the referee. Times
carry a zone. It does not know how a life is made (generator.py) nor how an answer is graded (grader.py).
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique

ALIAS_MARK = "|"


@unique
class Half(StrEnum):
    """Which part of the templates a life is written with; rules are built on BUILD, mended on TUNE, whose wordings were
    found after them, and figures reported on REPORT, and on THIRD, which speaks of other things.
    """

    BUILD = "build"
    TUNE = "tune"
    REPORT = "report"
    THIRD = "third"


@unique
class ProbeKind(StrEnum):
    """What a probe tries."""

    CURRENT = "current"
    CHANGED = "changed"
    HISTORY = "history"
    CRITICAL_30 = "critical+30"
    CRITICAL_60 = "critical+60"
    CRITICAL_120 = "critical+120"
    PARAPHRASE = "paraphrase"
    FLOOD = "flood"
    DEADLINE = "deadline"
    MULTI = "multi-valued"
    CONDITIONAL = "conditional"
    PLAN = "plan"
    THIRD = "third person"
    TRIVIA = "trivia"


@unique
class Mode(StrEnum):
    """What the question wants of the slot: its value now, the one before, since when, or all values at once."""

    NOW = "now"
    BEFORE = "before"
    SINCE = "since"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange as an agent observes it."""

    at: datetime
    session: str
    user_text: str
    assistant_text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One value of one slot; `value` may hold spellings joined by "|", the first is the usual one.

    `valid_from` is when it began to hold, `said_at` when the user first told it; `valid_to` is None while it holds. A
    slot that ended without a new value has a fact with an empty value. `kind` is the act that told it.
    """

    slot: str
    value: str
    valid_from: datetime
    valid_to: datetime | None
    said_at: datetime
    critical: bool
    kind: str


@dataclass(frozen=True, slots=True)
class Label:
    """What the referee knows of a turn: the act, the slot it speaks of (empty for filler), a true sentence for it."""

    slot: str
    act: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """A question with its key.

    `answers`: every group must be met by one of its spellings. A spelling is a plain text, "re:" + regex over the
    normal form, or "date:2026-06-12" with an optional "/days" of tolerance. `stale` values were right earlier, `wrong`
    ones never (a plan, another person's). `known` is what a reader may recognise as values of the slot, each in all its
    spellings.
    """

    at: datetime
    question: str
    kind: ProbeKind
    answers: tuple[tuple[str, ...], ...]
    stale: tuple[str, ...]
    answerable_from: datetime
    slot: str
    mode: Mode = Mode.NOW
    wrong: tuple[str, ...] = ()
    known: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Life:
    """A whole conversation with its truth; `labels` run parallel to `turns`."""

    name: str
    half: Half
    turns: tuple[Turn, ...]
    labels: tuple[Label, ...]
    facts: tuple[Fact, ...]
    probes: tuple[Probe, ...]


def spellings(value: str) -> tuple[str, ...]:
    """Return the spellings of a value, the usual one first."""
    return tuple(value.split(ALIAS_MARK)) if value else ()
