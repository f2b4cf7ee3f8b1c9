"""When a memory holds in the world, as a line tells it.

Rules: a lasting fact that holds is told `since 2026-04-19`, an event by its day, what held and no longer does by both
its days, `2026-01-02 to 2026-04-19`, or `until 2026-04-19` where it is not known since when. An end that is still to
come, such as a deadline, is none yet. Days are those of UTC.
It does not know what the memory says.
Source: REQUIREMENTS A8, B6, D3.
"""

from datetime import datetime

from shared.domain.figures import utc_day
from shared.domain.types import MemoryKind, MemoryState, MemoryType


def lasts(kind: MemoryKind, memory_type: MemoryType) -> bool:
    """Return whether a memory tells a state and no event: a note of a lasting fact."""
    return kind is MemoryKind.NOTE and memory_type is MemoryType.SEMANTIC


def held_until(
    state: MemoryState, valid_to: datetime | None, ended_at: datetime | None, at: datetime
) -> datetime | None:
    """Return when a fact ceased to hold; None while it holds at an instant, and of what was never true.

    What was superseded without an end in the world held until the system learned better.
    """
    if valid_to is not None and valid_to <= at:
        return valid_to
    if state is not MemoryState.SUPERSEDED or ended_at is None:
        return None
    return min(valid_to or ended_at, ended_at)


def told(since: datetime | None, recorded_at: datetime, until: datetime | None, *, is_lasting: bool) -> str:
    """Return the words for when a fact holds; `since` None: only when it was recorded is known."""
    if until is None:
        return f"since {utc_day(since)}" if is_lasting and since else utc_day(since or recorded_at)
    if since is None or since > until:
        return f"until {utc_day(until)}"
    return f"{utc_day(since)} to {utc_day(until)}"
