"""The resolution ladder: which of several contradicting values a stated policy would trust, and why.

Rules: three rungs in a fixed order; the first that separates the sides decides. Importance counts only where somebody
flagged it. Every contradiction gets an answer, the answer is a carrier of one of the values, and the order of the
input changes nothing. Confidence is ordinal: it orders recommendations and is no probability. The ladder measures
conformance to a policy, not truth.
It does not know the database and never writes.
Source: REQUIREMENTS C4; the formulas of the reference product's ladder (its field audit, resolution).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from shared.domain.types import MemoryKind, MemoryType

POLICY_VERSION = "ladder-1"

IMPORTANCE_MIN_MARGIN = 0.05  # less is no difference
IMPORTANCE_CONFIDENCE_BASE = 0.6
IMPORTANCE_CONFIDENCE_PER_POINT = 0.5
IMPORTANCE_CONFIDENCE_MAX_GAIN = 0.3
UNFLAGGED_IMPORTANCE = -1.0  # so that a flag always has a full margin over none

AUTHORITY_DERIVED = 0  # text that came out of recall is never evidence (A5)
AUTHORITY_INTERPRETATION = 1
AUTHORITY_SOURCE = 2
INTERPRETING_KINDS = frozenset((MemoryKind.INSIGHT, MemoryKind.NOTE, MemoryKind.TURN))
AUTHORITY_CONFIDENCE = 0.75

RECENCY_CONFIDENCE_BASE = 0.5
RECENCY_CONFIDENCE_MAX_GAIN = 0.35
RECENCY_FULL_GAIN_DAYS = 30
TIE_CONFIDENCE = 0.4

CONFIDENCE_DECIMALS = 2
_IMPORTANCE_DECIMALS = 6  # what a 4-byte float keeps
_VALUE_MAX_CHARS = 120  # of a value quoted in a rationale
_SECONDS_PER_DAY = 86_400


@dataclass(frozen=True, slots=True)
class Rung:
    """One row of the policy table."""

    order: int
    rule: str
    reads: str
    decides_when: str
    confidence: str


POLICY: tuple[Rung, ...] = (
    Rung(
        1,
        "importance",
        "the importance a caller or a human decision flagged; never the scored one",
        f"the highest exceeds the next by {IMPORTANCE_MIN_MARGIN} or more; not flagged is {UNFLAGGED_IMPORTANCE:g}",
        f"{IMPORTANCE_CONFIDENCE_BASE} + "
        f"min({IMPORTANCE_CONFIDENCE_MAX_GAIN}, {IMPORTANCE_CONFIDENCE_PER_POINT} x margin)",
    ),
    Rung(
        2,
        "source-authority",
        f"derived text {AUTHORITY_DERIVED}; insight, note, turn and consolidated {AUTHORITY_INTERPRETATION}; "
        f"else {AUTHORITY_SOURCE}",
        "one side has a higher authority than every other",
        f"{AUTHORITY_CONFIDENCE}",
    ),
    Rung(
        3,
        "recency",
        "observed_at, else recorded_at; then recorded_at; then the smaller id",
        "always",
        f"{RECENCY_CONFIDENCE_BASE} + min({RECENCY_CONFIDENCE_MAX_GAIN}, days / {RECENCY_FULL_GAIN_DAYS} x "
        f"{RECENCY_CONFIDENCE_MAX_GAIN}); {TIE_CONFIDENCE} when only the id decides",
    ),
)
RULES: Mapping[str, Rung] = MappingProxyType({rung.rule: rung for rung in POLICY})


@dataclass(frozen=True, slots=True)
class Carrier:
    """A memory that carries a value, with all that the ladder weighs."""

    memory_id: UUID
    kind: MemoryKind
    memory_type: MemoryType | None
    derived: bool
    importance: float | None
    observed_at: datetime | None
    recorded_at: datetime
    source_ref: str | None
    raw: str  # the value as this memory wrote it: one JSON scalar

    @property
    def effective_at(self) -> datetime:
        """When the fact was observed, else when it was recorded."""
        return self.observed_at or self.recorded_at

    @property
    def authority(self) -> int:
        """How close the memory is to a source."""
        if self.derived:
            return AUTHORITY_DERIVED
        interprets = self.kind in INTERPRETING_KINDS or self.memory_type is MemoryType.CONSOLIDATED
        return AUTHORITY_INTERPRETATION if interprets else AUTHORITY_SOURCE


@dataclass(frozen=True, slots=True)
class Side:
    """One of the contradicting values and the memories that carry it, at least one."""

    value: str
    carriers: tuple[Carrier, ...]


@dataclass(frozen=True, slots=True)
class Resolution:
    """The ladder's advice. `recommended_value` is what the recommended memory wrote."""

    recommended_memory_id: UUID
    recommended_value: str
    rule: str
    confidence: float
    rationale: str


def resolve(sides: Sequence[Side]) -> Resolution:
    """Recommend one carrier of two or more sides.

    Ties: on every rung the latest carrier, then the smaller id.
    Raises: ValueError for fewer than two sides or a side without carriers.
    """
    if len(sides) < 2 or not all(side.carriers for side in sides):
        raise ValueError("a contradiction has two sides or more, each with a carrier")
    return _by_importance(sides) or _by_authority(sides) or _by_recency(sides)


def latest(carriers: Sequence[Carrier]) -> Carrier:
    """Return the newest carrier. Ties: smaller id."""
    return max(carriers, key=_recency)


def policy_table() -> str:
    """Write the policy as a Markdown table."""
    rows = [f"| {r.order} | {r.rule} | {r.reads} | {r.decides_when} | {r.confidence} |" for r in POLICY]
    return "\n".join(
        [f"Policy {POLICY_VERSION}", "", "| | rule | reads | decides when | confidence |", "|-|-|-|-|-|", *rows]
    )


def _by_importance(sides: Sequence[Side]) -> Resolution | None:
    tops = [max(_importance(carrier) for carrier in side.carriers) for side in sides]
    first, second = sorted(tops, reverse=True)[:2]
    margin = round(first - second, _IMPORTANCE_DECIMALS)
    if first == UNFLAGGED_IMPORTANCE or margin < IMPORTANCE_MIN_MARGIN:
        return None
    side = sides[tops.index(first)]
    winner = latest([carrier for carrier in side.carriers if _importance(carrier) == first])
    against = "not flagged" if second == UNFLAGGED_IMPORTANCE else f"{second:g}"
    return _resolution(
        winner,
        "importance",
        IMPORTANCE_CONFIDENCE_BASE + min(IMPORTANCE_CONFIDENCE_MAX_GAIN, IMPORTANCE_CONFIDENCE_PER_POINT * margin),
        f"Memory {winner.memory_id} was flagged as more important ({first:g}; the next side: {against}); "
        "a flag goes before time.",
    )


def _by_authority(sides: Sequence[Side]) -> Resolution | None:
    tops = [max(carrier.authority for carrier in side.carriers) for side in sides]
    first, second = sorted(tops, reverse=True)[:2]
    if first == second:
        return None
    winner = latest([carrier for carrier in sides[tops.index(first)].carriers if carrier.authority == first])
    rival = latest([c for side, top in zip(sides, tops, strict=True) if top == second for c in side.carriers])
    return _resolution(
        winner,
        "source-authority",
        AUTHORITY_CONFIDENCE,
        f"A {_described(winner)} is closer to the source than a {_described(rival)}; authority goes before time.",
    )


def _by_recency(sides: Sequence[Side]) -> Resolution:
    newest, rival = sorted((latest(side.carriers) for side in sides), key=_recency, reverse=True)[:2]
    elapsed = newest.effective_at - rival.effective_at or newest.recorded_at - rival.recorded_at
    if not elapsed:
        return _resolution(
            newest,
            "recency",
            TIE_CONFIDENCE,
            "Both sides bear the same times; the smaller memory id decides, with low confidence.",
        )
    days = elapsed.total_seconds() / _SECONDS_PER_DAY
    gain = min(RECENCY_CONFIDENCE_MAX_GAIN, days / RECENCY_FULL_GAIN_DAYS * RECENCY_CONFIDENCE_MAX_GAIN)
    return _resolution(
        newest,
        "recency",
        RECENCY_CONFIDENCE_BASE + gain,
        f"The later statement ({_day(newest)}) goes before {_quoted(rival.raw)} ({_day(rival)}); "
        "nothing but time tells them apart.",
    )


def _resolution(winner: Carrier, rule: str, confidence: float, rationale: str) -> Resolution:
    return Resolution(winner.memory_id, winner.raw, rule, round(confidence, CONFIDENCE_DECIMALS), rationale)


def _importance(carrier: Carrier) -> float:
    return UNFLAGGED_IMPORTANCE if carrier.importance is None else carrier.importance


def _recency(carrier: Carrier) -> tuple[datetime, datetime, int]:
    return carrier.effective_at, carrier.recorded_at, -carrier.memory_id.int


def _described(carrier: Carrier) -> str:
    if carrier.derived:
        return f"derived {carrier.kind}"
    return f"consolidated {carrier.kind}" if carrier.memory_type is MemoryType.CONSOLIDATED else str(carrier.kind)


def _day(carrier: Carrier) -> str:
    return carrier.effective_at.date().isoformat()


def _quoted(raw: str) -> str:
    return raw if len(raw) <= _VALUE_MAX_CHARS else raw[: _VALUE_MAX_CHARS - 1] + "…"
