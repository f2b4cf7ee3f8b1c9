"""The resolution ladder (C4): its three rungs, its formulas, and that order changes nothing."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.ladder import POLICY, POLICY_VERSION, RULES, Carrier, Side, policy_table, resolve
from shared.domain.types import MemoryKind, MemoryType

START = datetime(2026, 5, 1, 9, tzinfo=UTC)
BASE = Carrier(UUID(int=1), MemoryKind.DOCUMENT, None, False, None, None, START, "INV-1", "1")


def carrier(number: int, **fields: object) -> Carrier:
    return replace(BASE, memory_id=UUID(int=number), raw=str(number), **fields)  # type: ignore[arg-type]


def sides(*carriers: Carrier) -> list[Side]:
    return [Side(one.raw, (one,)) for one in carriers]


@pytest.mark.parametrize(
    ("importance", "other", "confidence"),
    [(0.9, None, 0.9), (0.9, 0.5, 0.8), (0.55, 0.5, 0.62), (0.95, 0.9, 0.62), (1.0, 0.0, 0.9)],
)
def test_a_flag_goes_before_authority_and_time(importance: float, other: float | None, confidence: float) -> None:
    flagged = carrier(1, importance=importance, kind=MemoryKind.NOTE)
    found = resolve(sides(flagged, carrier(2, importance=other, recorded_at=START + timedelta(days=90))))
    assert (found.recommended_memory_id, found.rule, found.confidence) == (UUID(int=1), "importance", confidence)


def test_flags_that_hardly_differ_do_not_decide() -> None:
    found = resolve(
        sides(carrier(1, importance=0.54), carrier(2, importance=0.5, recorded_at=START + timedelta(days=1)))
    )
    assert (found.recommended_memory_id, found.rule) == (UUID(int=2), "recency")


@pytest.mark.parametrize(
    "weaker",
    [
        {"kind": MemoryKind.INSIGHT},
        {"kind": MemoryKind.NOTE},
        {"kind": MemoryKind.TURN},
        {"memory_type": MemoryType.CONSOLIDATED},
        {"derived": True},
    ],
)
def test_a_source_goes_before_what_was_made_of_it(weaker: dict[str, object]) -> None:
    found = resolve(sides(carrier(1), carrier(2, recorded_at=START + timedelta(days=90), **weaker)))
    assert (found.recommended_memory_id, found.rule, found.confidence) == (UUID(int=1), "source-authority", 0.75)


def test_even_an_insight_goes_before_derived_text() -> None:
    later = START + timedelta(days=90)
    found = resolve(sides(carrier(1, kind=MemoryKind.INSIGHT), carrier(2, derived=True, recorded_at=later)))
    assert (found.recommended_memory_id, found.rule) == (UUID(int=1), "source-authority")


@pytest.mark.parametrize(("days", "confidence"), [(7.229, 0.58), (24.052, 0.78), (30, 0.85), (900, 0.85), (0.001, 0.5)])
def test_recency_grows_with_the_distance(days: float, confidence: float) -> None:
    found = resolve(sides(carrier(1), carrier(2, recorded_at=START + timedelta(days=days))))
    assert (found.recommended_memory_id, found.rule, found.confidence) == (UUID(int=2), "recency", confidence)


def test_observation_goes_before_recording_and_recording_before_the_id() -> None:
    seen, later = START + timedelta(days=1), START + timedelta(days=2)
    old_news = carrier(1, observed_at=START, recorded_at=later)
    assert resolve(sides(old_news, carrier(2, observed_at=seen))).recommended_memory_id == UUID(int=2)
    same_day = resolve(sides(carrier(1, observed_at=seen), carrier(2, observed_at=seen, recorded_at=later)))
    assert (same_day.recommended_memory_id, same_day.confidence) == (UUID(int=2), 0.52)
    tie = resolve(sides(carrier(2), carrier(1)))
    assert (tie.recommended_memory_id, tie.confidence) == (UUID(int=1), 0.4)


def test_the_recommended_value_is_what_the_recommended_memory_wrote() -> None:
    spelt = replace(carrier(2, recorded_at=START + timedelta(days=1)), raw='"18,400"')
    found = resolve([Side("18400", (carrier(1), spelt)), Side("5", (carrier(3),))])
    assert (found.recommended_memory_id, found.recommended_value) == (UUID(int=2), '"18,400"')


def test_one_side_is_no_contradiction() -> None:
    with pytest.raises(ValueError, match="two sides"):
        resolve(sides(carrier(1)))


def test_the_policy_is_data_and_printable() -> None:
    assert [rung.rule for rung in POLICY] == ["importance", "source-authority", "recency"]
    assert set(RULES) == {rung.rule for rung in POLICY}
    table = policy_table()
    assert POLICY_VERSION in table
    assert all(rung.rule in table and rung.confidence in table for rung in POLICY)


carriers = st.builds(
    carrier,
    st.integers(1, 10**6),
    kind=st.sampled_from(MemoryKind),
    memory_type=st.none() | st.sampled_from(MemoryType),
    derived=st.booleans(),
    importance=st.none() | st.floats(0, 1),
    observed_at=st.none() | st.sampled_from([START, START + timedelta(days=3)]),
    recorded_at=st.sampled_from([START, START + timedelta(seconds=1), START + timedelta(days=40)]),
)
contests = st.lists(carriers, min_size=2, max_size=8, unique_by=lambda c: c.memory_id).flatmap(
    lambda cs: st.integers(1, len(cs) - 1).map(lambda cut: [Side("a", tuple(cs[:cut])), Side("b", tuple(cs[cut:]))])
)


@given(contests)
def test_the_answer_is_a_carrier_and_does_not_depend_on_order(contest: list[Side]) -> None:
    found = resolve(contest)
    winners = {c.memory_id: c.raw for side in contest for c in side.carriers}
    assert winners[found.recommended_memory_id] == found.recommended_value
    assert 0 <= found.confidence <= 0.95
    assert found.rule in RULES
    shuffled = [Side(side.value, tuple(reversed(side.carriers))) for side in reversed(contest)]
    assert resolve(shuffled) == found
