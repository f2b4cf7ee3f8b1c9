"""When a fact holds, in words: lasting, an event, ended, to come."""

from datetime import UTC, datetime

from shared.domain.types import MemoryKind, MemoryState, MemoryType
from shared.domain.valid_time import held_until, lasts, told

JAN, APR, MAY = (datetime(2026, month, 2, tzinfo=UTC) for month in (1, 4, 5))


def test_lasting_facts_events_and_ended_facts_are_told_apart() -> None:
    assert told(JAN, APR, None, is_lasting=True) == "since 2026-01-02"
    assert told(JAN, APR, None, is_lasting=False) == "2026-01-02"
    assert told(None, APR, None, is_lasting=True) == "2026-04-02"
    assert told(JAN, APR, APR, is_lasting=True) == told(JAN, APR, APR, is_lasting=False) == "2026-01-02 to 2026-04-02"
    assert told(None, APR, APR, is_lasting=True) == told(MAY, APR, APR, is_lasting=True) == "until 2026-04-02"


def test_a_fact_held_until_its_end_in_the_world_else_until_it_was_superseded() -> None:
    assert held_until(MemoryState.ACTIVE, None, None, MAY) is None
    assert held_until(MemoryState.ACTIVE, MAY, None, APR) is None  # a deadline that is still to come
    assert held_until(MemoryState.ACTIVE, APR, None, APR) == APR
    assert held_until(MemoryState.SUPERSEDED, JAN, MAY, MAY) == JAN
    assert held_until(MemoryState.SUPERSEDED, None, APR, MAY) == APR
    assert held_until(MemoryState.SUPERSEDED, MAY, APR, APR) == APR
    assert held_until(MemoryState.INCORRECT, None, APR, MAY) is None


def test_only_a_note_of_a_lasting_fact_lasts() -> None:
    assert lasts(MemoryKind.NOTE, MemoryType.SEMANTIC)
    assert not lasts(MemoryKind.NOTE, MemoryType.EPISODIC)
    assert not lasts(MemoryKind.INVOICE, MemoryType.SEMANTIC)
