"""Salience as a tie-breaker: it decides near ties, and nothing else."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.fusion import Fused
from shared.domain.salience import Trace
from shared.domain.tie_break import BOOST_MAX, NEAR_TIES_MAX, SALIENCE_SHARE, contenders, presence, ties_broken
from shared.domain.types import MemoryType

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ROUNDING = 1e-12

shares = st.floats(0, 1)
lists = st.lists(st.tuples(shares, shares), max_size=30)
limits = st.integers(1, 30)


def ranked(scores: list[float]) -> list[Fused[int]]:
    """A list in its order of relevance, keyed by place."""
    return [Fused(n, s, s, None, 1, None, s, 0.0) for n, s in enumerate(sorted(scores, reverse=True))]


@given(lists)
def test_what_is_clearly_more_relevant_always_stands_first(pairs: list[tuple[float, float]]) -> None:
    before = ranked([score for score, _ in pairs])
    relevance = {item.key: item.score for item in before}
    order = [item.key for item in ties_broken(before, {n: present for n, (_, present) in enumerate(pairs)})]
    assert sorted(order) == sorted(relevance)
    for place, key in enumerate(order):
        for later in order[place + 1 :]:
            assert relevance[later] * (1 - SALIENCE_SHARE) <= relevance[key] + ROUNDING


@given(lists)
def test_scores_stay_in_order_and_within_the_bound_and_tell_salience(pairs: list[tuple[float, float]]) -> None:
    before = ranked([score for score, _ in pairs])
    presences = {n: present for n, (_, present) in enumerate(pairs)}
    after = ties_broken(before, presences)
    assert [item.score for item in after] == sorted((item.score for item in after), reverse=True)
    for item in after:
        relevance = before[item.key].score
        assert relevance * (1 - SALIENCE_SHARE) - ROUNDING <= item.score <= relevance
        assert item.salience == presences[item.key]
        assert item[2:10] == before[item.key][2:10]


@given(st.lists(shares, max_size=30), shares)
def test_where_all_are_as_salient_order_and_scores_stay(scores: list[float], present: float) -> None:
    before = ranked(scores)
    after = ties_broken(before, dict.fromkeys(range(len(scores)), present))
    assert [item[:10] for item in after] == [item[:10] for item in before]
    assert ties_broken(before, {}) == before


@given(lists, limits)
def test_among_equally_relevant_ones_the_most_present_come_first(pairs: list[tuple[float, float]], limit: int) -> None:
    presences = {n: present for n, (_, present) in enumerate(pairs)}
    order = ties_broken(ranked([0.5] * len(pairs)), presences)[:limit]
    found = [presences[item.key] for item in order]
    assert all(one >= other - ROUNDING for one, other in pairwise(found))


@given(lists, limits)
def test_contenders_are_all_that_can_be_in_a_list(pairs: list[tuple[float, float]], limit: int) -> None:
    before = ranked([score for score, _ in pairs])
    presences = {n: present for n, (_, present) in enumerate(pairs)} | {0: 1.0}  # the same most present one in both
    whole = ties_broken(before, presences)[:limit]
    near = contenders(before, limit)
    assert near == before[: len(near)]
    assert len(near) <= limit + NEAR_TIES_MAX
    if len(near) < limit + NEAR_TIES_MAX:
        assert [item.key for item in ties_broken(near, presences)[:limit] if item.score] == [
            item.key for item in whole if item.score
        ]


def test_use_counts_up_to_a_cap_only() -> None:
    often = [presence(Trace(MemoryType.SEMANTIC, NOW, recalls, flagged=1.0), NOW) for recalls in (0, 1, 7, 1000)]
    assert often == pytest.approx([1 / BOOST_MAX, 1.6931 / BOOST_MAX, 1, 1], abs=1e-4)
    assert presence(Trace(MemoryType.SEMANTIC, NOW, 1000, flagged=1.0), NOW + timedelta(hours=720)) == pytest.approx(
        0.5
    )
    assert presence(Trace(MemoryType.SEMANTIC, NOW, 1000, flagged=0.0), NOW) == 0


def test_small_talk_stands_behind_what_tells_something() -> None:
    before, presences = ranked([0.6, 0.5]), {0: 0.0, 1: 0.0}
    assert [item.key for item in ties_broken(before, presences)] == [0, 1]
    assert [item.key for item in ties_broken(before, presences, {0})] == [1, 0]
