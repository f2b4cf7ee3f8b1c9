"""Salience: the formula, its half-lives and defaults, the instant at which a memory fades, protection."""

from dataclasses import fields
from datetime import UTC, datetime, timedelta
from math import log

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shared.domain.salience import (
    FLOOR,
    UNPROTECTED,
    USUAL,
    Fading,
    Protection,
    Trace,
    fades_at,
    importance,
    salience,
)
from shared.domain.types import MemoryType

USED = datetime(2026, 3, 1, tzinfo=UTC)
EPISODIC, SEMANTIC, CONSOLIDATED = MemoryType.EPISODIC, MemoryType.SEMANTIC, MemoryType.CONSOLIDATED
A_MILLISECOND = timedelta(milliseconds=1)
ROUNDING = 1e-9

shares = st.floats(0, 1)
maybe = st.none() | shares
traces = st.builds(
    Trace,
    st.sampled_from(MemoryType),
    st.integers(-(10**15), 10**15).map(lambda given: USED + timedelta(microseconds=given)),  # some 30 years either way
    st.integers(0, 2**63 - 1),
    maybe,
    maybe,
)
hours = st.floats(1, 10_000)
fadings = st.builds(Fading, hours, hours, st.floats(0.001, 0.9), shares)
spans = st.floats(0, 100_000).map(lambda given: timedelta(hours=given))


@pytest.mark.parametrize(
    ("trace", "hours_later", "expected"),
    [
        (Trace(EPISODIC, USED, flagged=0.6), 0, 0.6),
        (Trace(EPISODIC, USED, flagged=0.6), 72, 0.3),
        (Trace(SEMANTIC, USED, flagged=0.6), 72, 0.6 * 2 ** (-72 / 720)),
        (Trace(CONSOLIDATED, USED, flagged=0.6), 720, 0.3),
        (Trace(EPISODIC, USED, recalls=5, flagged=0.5), 144, 0.5 * (1 + log(6)) / 4),
        (Trace(EPISODIC, USED, flagged=0.8), 720, 0.4),  # important: the half-life of a lasting fact
        (Trace(EPISODIC, USED, flagged=0.79), 720, 0.79 / 2**10),
        (Trace(EPISODIC, USED, scored=0.9), 720, 0.45),
        (Trace(SEMANTIC, USED, flagged=0.2, scored=0.9), 0, 0.2),  # what was flagged counts, not what was scored
        (Trace(SEMANTIC, USED, flagged=0.0, scored=0.9), 0, 0.0),
        (Trace(EPISODIC, USED), 0, 0.4),
        (Trace(SEMANTIC, USED), 0, 0.5),
        (Trace(CONSOLIDATED, USED), 0, 0.6),
        (Trace(SEMANTIC, USED, flagged=0.6), -5, 0.6),  # before its last use nothing is lost
    ],
)
def test_salience_is_importance_times_use_times_time(trace: Trace, hours_later: float, expected: float) -> None:
    assert salience(trace, USED + timedelta(hours=hours_later)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("trace", "days"),
    [
        (Trace(EPISODIC, USED), 9),
        (Trace(SEMANTIC, USED), 99.66),
        (Trace(CONSOLIDATED, USED), 107.55),
        (Trace(EPISODIC, USED, flagged=0.9), 125.1),  # the reference drops it on day 13
        (Trace(EPISODIC, USED, flagged=0.1), 3),
        (Trace(EPISODIC, USED, flagged=FLOOR), 0),
        (Trace(EPISODIC, USED, flagged=0.0), 0),
    ],
)
def test_when_a_memory_fades_by_default(trace: Trace, days: float) -> None:
    faded = fades_at(trace)
    assert faded is not None
    assert (faded - USED) / timedelta(days=1) == pytest.approx(days, abs=0.01)


@given(traces, fadings)
def test_a_memory_fades_where_its_salience_crosses_the_floor(trace: Trace, fading: Fading) -> None:
    faded = fades_at(trace, UNPROTECTED, fading)
    assert faded is not None
    assert salience(trace, faded, fading) <= fading.floor * (1 + ROUNDING)
    assert faded >= trace.used_at
    if faded > trace.used_at + A_MILLISECOND:
        assert salience(trace, faded - A_MILLISECOND, fading) > fading.floor


@given(traces, traces, fadings, spans)
def test_of_two_memories_the_one_that_fades_first_is_below_the_floor_first(
    one: Trace, other: Trace, fading: Fading, later: timedelta
) -> None:
    # What a sweep relies on: what is due by the stored instant is what the formula calls faded, and nothing else.
    at = max(one.used_at, other.used_at) + later
    for trace in (one, other):
        faded = fades_at(trace, UNPROTECTED, fading)
        assert faded is not None
        assume(abs(faded - at) > A_MILLISECOND)
        assert (faded < at) == (salience(trace, at, fading) <= fading.floor)


@given(traces, fadings, spans, st.integers(1, 1_000))
def test_more_recalls_never_make_a_memory_less_present(
    trace: Trace, fading: Fading, later: timedelta, more: int
) -> None:
    oftener = trace._replace(recalls=min(trace.recalls, 2**62) + more)
    trace = trace._replace(recalls=min(trace.recalls, 2**62))
    at = trace.used_at + later
    assert salience(oftener, at, fading) >= salience(trace, at, fading)
    first, second = fades_at(trace, UNPROTECTED, fading), fades_at(oftener, UNPROTECTED, fading)
    assert first is not None
    assert second is not None
    assert second >= first


@given(traces, fadings, spans, spans)
def test_salience_falls_with_time_and_time_alone_is_what_moves_it(
    trace: Trace, fading: Fading, one: timedelta, more: timedelta
) -> None:
    early, late = trace.used_at + one, trace.used_at + one + more
    assert 0 <= salience(trace, late, fading) <= salience(trace, early, fading)
    moved = trace._replace(used_at=trace.used_at + more)
    assert salience(moved, late, fading) == pytest.approx(salience(trace, early, fading), rel=1e-6, abs=1e-12)


@given(traces, fadings, shares, shares)
def test_what_is_more_important_never_fades_earlier(trace: Trace, fading: Fading, one: float, other: float) -> None:
    low, high = (trace._replace(flagged=share) for share in sorted((one, other)))
    first, second = fades_at(low, UNPROTECTED, fading), fades_at(high, UNPROTECTED, fading)
    assert first is not None
    assert second is not None
    assert second >= first
    assert importance(low, fading) <= importance(high, fading)


@given(traces, st.sampled_from([field.name for field in fields(Protection)]))
def test_any_protection_keeps_a_memory(trace: Trace, reason: str) -> None:
    protection = Protection(**{reason: True})
    assert protection.is_protected
    assert protection.reasons == (reason,)
    assert fades_at(trace, protection) is None
    assert fades_at(trace) is not None


def test_nothing_protects_by_itself() -> None:
    assert not UNPROTECTED.is_protected
    assert UNPROTECTED.reasons == ()
    assert Protection(pinned=True, finding=True).reasons == ("pinned", "finding")


def test_without_a_floor_nothing_fades() -> None:
    assert fades_at(Trace(EPISODIC, USED), fading=Fading(floor=0)) is None


def test_what_would_fade_beyond_the_calendar_never_does() -> None:
    endless = Fading(lasting_half_life_hours=876_000, floor=1e-300)
    assert fades_at(Trace(SEMANTIC, USED), fading=endless) is None
    assert salience(Trace(SEMANTIC, USED), datetime(9999, 1, 1, tzinfo=UTC), endless) > 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"episodic_half_life_hours": 0.5},
        {"lasting_half_life_hours": float("nan")},
        {"lasting_half_life_hours": 1e9},
        {"floor": -0.1},
        {"floor": float("nan")},
        {"lasting_importance": 1.1},
        {"usual_importance": {EPISODIC: 2.0}},
    ],
)
def test_settings_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"half-life|between"):
        Fading(**wrong)  # type: ignore[arg-type]
    assert Fading() == USUAL
