"""Salience: how present a memory still is, and when it fades.

Rules: salience is importance × (1 + ln(1 + recalls)) × 2^(−hours since its last use / half-life). Importance is the one
that a caller or a human decision flagged, else the one that was scored, else the usual one of its type. What is
important lives as long as a lasting fact, whatever its type. A memory fades when its salience falls to the floor: that
instant has a closed form, so it can be stored, indexed and swept without reading what does not fade. A protected memory
never fades; its salience falls like any other, for ranking. Time is given, and before the last use nothing is lost.
It does not know what a sweep does, what makes a memory protected, nor how ranking uses salience (tie_break.py).
Source: REQUIREMENTS D1, D2. Half-lives, floor and boost: Synapse (reference), which loses what is important but seldom
recalled; the share of importance and protection are ours. Forgetting by powers of time: Ebbinghaus, 1885.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime, timedelta
from math import ceil, exp2, isfinite, log1p, log2
from types import MappingProxyType
from typing import NamedTuple

from shared.domain.types import MemoryType

EPISODIC_HALF_LIFE_HOURS = 72.0  # D1
LASTING_HALF_LIFE_HOURS = 720.0  # of semantic and consolidated memories; D1
FLOOR = 0.05  # D1
LASTING_IMPORTANCE = 0.8  # from here on nothing lives shorter than a lasting fact; D2
SMALL_TALK_MAX = 0.2  # what is scored so low is small talk; by the contract of scoring
HALF_LIFE_MIN_HOURS, HALF_LIFE_MAX_HOURS = 1.0, 876_000.0  # an hour to a century; chosen, untested
# Of a memory that nobody flagged or scored (chosen, untested): never recalled, an event fades after 9 days, a fact
# after 100, a digest after 107.
_USUAL_IMPORTANCE: Mapping[MemoryType, float] = MappingProxyType(
    {MemoryType.EPISODIC: 0.4, MemoryType.SEMANTIC: 0.5, MemoryType.CONSOLIDATED: 0.6}
)
_MICROSECONDS_PER_HOUR = 3_600_000_000
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Fading:
    """How memories fade: the defaults, which a tenant's own settings may replace."""

    episodic_half_life_hours: float = EPISODIC_HALF_LIFE_HOURS
    lasting_half_life_hours: float = LASTING_HALF_LIFE_HOURS
    floor: float = FLOOR  # 0: nothing ever fades
    lasting_importance: float = LASTING_IMPORTANCE
    usual_importance: Mapping[MemoryType, float] = field(default_factory=lambda: _USUAL_IMPORTANCE)

    def __post_init__(self) -> None:
        for hours in (self.episodic_half_life_hours, self.lasting_half_life_hours):
            if not HALF_LIFE_MIN_HOURS <= hours <= HALF_LIFE_MAX_HOURS:
                raise ValueError(f"a half-life has {HALF_LIFE_MIN_HOURS} to {HALF_LIFE_MAX_HOURS} hours, not {hours}")
        for share in (self.floor, self.lasting_importance, *self.usual_importance.values()):
            if not (isfinite(share) and 0 <= share <= 1):
                raise ValueError(f"{share} is not between 0 and 1")

    def half_life_hours(self, memory_type: MemoryType, importance: float) -> float:
        """Return how long it takes a memory to lose half of its salience."""
        if memory_type is not MemoryType.EPISODIC:
            return self.lasting_half_life_hours
        if importance >= self.lasting_importance:
            return max(self.episodic_half_life_hours, self.lasting_half_life_hours)
        return self.episodic_half_life_hours


USUAL = Fading()


class Trace(NamedTuple):
    """What salience depends on.

    Units: importances 0..1, None where there is none; `used_at` is an aware instant: the last use, else when it was
    recorded. A renewed mention is a use.
    """

    memory_type: MemoryType
    used_at: datetime
    recalls: int = 0
    flagged: float | None = None
    scored: float | None = None


@dataclass(frozen=True, slots=True)
class Protection:
    """What keeps a memory from fading; an end by its own date, or by a person, is not held up."""

    pinned: bool = False
    safety: bool = False  # of health or safety
    remember: bool = False  # somebody asked for it to be remembered
    commitment: bool = False  # one that is still open
    finding: bool = False  # it is part of an open finding

    @property
    def reasons(self) -> tuple[str, ...]:
        """What holds, by name."""
        return tuple(reason.name for reason in fields(self) if getattr(self, reason.name))

    @property
    def is_protected(self) -> bool:
        """Whether the memory must not fade."""
        return self.pinned or self.safety or self.remember or self.commitment or self.finding


UNPROTECTED = Protection()


def importance(trace: Trace, fading: Fading = USUAL) -> float:
    """Return the importance that counts."""
    if trace.flagged is not None:
        return trace.flagged
    return fading.usual_importance[trace.memory_type] if trace.scored is None else trace.scored


def is_small_talk(trace: Trace) -> bool:
    """Tell whether a memory was scored as small talk, and nobody flagged it."""
    return trace.flagged is None and trace.scored is not None and trace.scored <= SMALL_TALK_MAX


def boost(recalls: int) -> float:
    """Return what use adds: a factor of 1 or more, that grows with the logarithm of the uses."""
    return 1 + log1p(recalls)


def decay(trace: Trace, at: datetime, fading: Fading = USUAL) -> float:
    """Return the share, in [0, 1], that time has left."""
    hours = (at - trace.used_at) / _HOUR
    if hours <= 0:
        return 1.0
    return exp2(-hours / fading.half_life_hours(trace.memory_type, importance(trace, fading)))


def salience(trace: Trace, at: datetime, fading: Fading = USUAL) -> float:
    """Return how present a memory is at an instant, 0 or more; above 1 where it is used often."""
    return importance(trace, fading) * boost(trace.recalls) * decay(trace, at, fading)


def fades_at(trace: Trace, protection: Protection = UNPROTECTED, fading: Fading = USUAL) -> datetime | None:
    """Return the first microsecond at which salience is at the floor or below; None where that never comes."""
    if protection.is_protected or fading.floor == 0:
        return None
    weight = importance(trace, fading)
    fresh = weight * boost(trace.recalls)
    if fresh <= fading.floor:
        return trace.used_at
    half_life_hours = fading.half_life_hours(trace.memory_type, weight)
    try:
        # Counted in whole microseconds: what a floating-point sum of an instant would round is too little to matter.
        microseconds = ceil(half_life_hours * log2(fresh / fading.floor) * _MICROSECONDS_PER_HOUR)
        return trace.used_at + timedelta(microseconds=microseconds)
    except OverflowError:  # beyond the calendar
        return None
