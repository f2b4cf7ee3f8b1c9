"""A pair of statements, what a judge says of it, and what any judge of meaning is.

Rules: a word without a verdict is inconclusive, has no confidence and names its cause; it is never a "no". Reasons are
one line of plain text of bounded length. It does not know how a judge comes to its word.
Source: REQUIREMENTS C5, C6.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from typing import Protocol

from services.judge.provider import Usage

MAX_STATEMENT_CHARS = 8_000
"""Of one statement, as the reference; a longer one is not judged, and not cut: the rest might say otherwise."""

MAX_REASON_CHARS = 500

TOO_LONG, TIME_EXCEEDED = "STATEMENT_TOO_LONG", "TIME_EXCEEDED"

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


@unique
class Verdict(StrEnum):
    """What two statements are to each other, or that nobody could say."""

    CONTRADICTION = "contradiction"
    SUPERSEDED = "superseded"
    CONSISTENT = "consistent"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as it was stored; None for what is not known."""

    text: str
    subject: str | None = None
    period: str | None = None
    observed_at: datetime | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements; their order means nothing."""

    first: Statement
    second: Statement


@dataclass(frozen=True, slots=True)
class Word:
    """What a judge says of a pair. `cause` is set where it is inconclusive, and only there."""

    verdict: Verdict
    confidence: float
    reason: str
    cause: str = ""


class MeaningJudge(Protocol):
    """Judges one pair at a time; safe to call concurrently. It answers, or says that it cannot; it never raises."""

    model: str
    prompt_version: str

    async def judge(self, pair: Pair, seconds: float) -> tuple[Word, Usage]:
        """Judge one pair within this many seconds."""
        ...


def inconclusive(cause: str, reason: str) -> Word:
    """Return the word for a pair without a verdict."""
    return Word(Verdict.INCONCLUSIVE, 0.0, plain(reason), cause)


def plain(reason: str) -> str:
    """Return a reason on one line, without control characters, cut to its length."""
    return _CONTROLS.sub(" ", reason).strip()[:MAX_REASON_CHARS]
