"""Which memories may fade, what keeps them from it, and until when: a tenant's rules over what is stored of a memory.

Rules: turns, notes, insights and actions fade. Evidence (documents, invoices, payroll events, validations) does not,
unless the tenant says so: books are not forgotten because nobody asked. What is pinned, of safety, asked to be
remembered, or part of a finding that is not resolved never fades by decay. A commitment is kept until its date, and
from then on fades as if it had been used on that day; without a date it is kept. Where a capacity is set, what would
fade first goes first, and nothing that is protected.
It does not know the database, what ends a memory, nor the formula (salience.py).
Source: REQUIREMENTS D1, D2, D5.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from shared.domain import salience
from shared.domain.salience import USUAL, Fading, Protection, Trace
from shared.domain.types import MemoryKind, MemoryType

EVIDENCE = frozenset({MemoryKind.DOCUMENT, MemoryKind.INVOICE, MemoryKind.PAYROLL_EVENT, MemoryKind.VALIDATION})
FADING_KINDS = frozenset(MemoryKind) - EVIDENCE
SAFETY, EXPLICIT, COMMITMENT = "safety", "explicit", "commitment"  # how a memory is guarded, as stored


@dataclass(frozen=True, slots=True)
class Retention:
    """How a tenant's memories fade, which kinds do, and how many of those may be live."""

    fading: Fading = USUAL
    kinds: frozenset[MemoryKind] = FADING_KINDS
    capacity: int | None = None  # None: no bound


class Standing(NamedTuple):
    """What is stored of a live memory, as far as fading goes.

    Units: `guard` is none, safety, explicit or commitment; importances 0..1.
    """

    kind: MemoryKind
    memory_type: MemoryType
    recorded_at: datetime
    pinned: bool = False
    guard: str = "none"
    expires_at: datetime | None = None
    importance: float | None = None
    scored: float | None = None
    recalls: int = 0
    last_used_at: datetime | None = None
    in_finding: bool = False


def trace(memory: Standing) -> Trace:
    """Return what the memory's salience depends on; what was written after its last use counts from then."""
    used_at = memory.recorded_at if memory.last_used_at is None else max(memory.last_used_at, memory.recorded_at)
    if memory.guard == COMMITMENT and memory.expires_at is not None:
        used_at = max(used_at, memory.expires_at)
    return Trace(memory.memory_type, used_at, memory.recalls, memory.importance, memory.scored)


def protection(memory: Standing) -> Protection:
    """Return what keeps the memory from fading; of a commitment with a date, that date does."""
    return Protection(
        pinned=memory.pinned,
        safety=memory.guard == SAFETY,
        remember=memory.guard == EXPLICIT,
        commitment=memory.guard == COMMITMENT and memory.expires_at is None,
        finding=memory.in_finding,
    )


def fades_at(memory: Standing, retention: Retention) -> datetime | None:
    """Return when the memory has faded; None where that never comes."""
    if memory.kind not in retention.kinds:
        return None
    return salience.fades_at(trace(memory), protection(memory), retention.fading)


def is_kept(memory: Standing, retention: Retention) -> bool:
    """Tell whether the memory is of a kind that fades and is kept from it."""
    return memory.kind in retention.kinds and protection(memory).is_protected
