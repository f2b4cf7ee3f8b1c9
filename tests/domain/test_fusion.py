"""Min-max fusion, rank fusion and slot groups: order, bounds, ties, degenerate inputs."""

import random
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import Internal
from shared.domain.fusion import (
    RRF_K,
    FusionWeights,
    fuse,
    group_slots,
    min_max,
    reciprocal_rank,
)

keys = st.integers(1, 12)
cosines = st.dictionaries(keys, st.floats(-1, 1))
thousandths = st.dictionaries(keys, st.integers(-1_000, 1_000).map(lambda n: n / 1_000))  # no ties by rounding
bm25_scores = st.dictionaries(keys, st.floats(0.001, 60))
shares = st.builds(FusionWeights, dense=st.floats(0.01, 1), lexical=st.floats(0.01, 1), dense_floor=st.floats(-1, 0.5))
EQUAL = FusionWeights()
ROUNDING = 1e-12


@given(cosines, bm25_scores, shares, st.randoms(use_true_random=False))
def test_fusion_does_not_depend_on_input_order(
    dense: dict[int, float], lexical: dict[int, float], weights: FusionWeights, order: random.Random
) -> None:
    def shuffled(scores: dict[int, float]) -> dict[int, float]:
        items = list(scores.items())
        order.shuffle(items)
        return dict(items)

    assert fuse(shuffled(dense), shuffled(lexical), weights) == fuse(dense, lexical, weights)


@given(cosines, bm25_scores, shares)
def test_fusion_is_complete_bounded_ordered_and_explains_itself(
    dense: dict[int, float], lexical: dict[int, float], weights: FusionWeights
) -> None:
    fused = fuse(dense, lexical, weights)
    assert {item.key for item in fused} == dense.keys() | lexical.keys()
    assert fused == sorted(fused, key=lambda item: (-item.score, item.key))
    for item in fused:
        assert 0 <= item.score <= 1
        assert item.score == pytest.approx(item.dense_part + item.lexical_part)
        assert (item.dense, item.lexical) == (dense.get(item.key), lexical.get(item.key))
        assert (item.dense_rank is None, item.lexical_rank is None) == (item.dense is None, item.lexical is None)
    for ranks in ([item.dense_rank for item in fused], [item.lexical_rank for item in fused]):
        given_ranks = sorted(rank for rank in ranks if rank is not None)
        assert given_ranks == list(range(1, len(given_ranks) + 1))


@given(cosines, bm25_scores, shares)
def test_better_in_both_arms_is_never_ranked_lower(
    dense: dict[int, float], lexical: dict[int, float], weights: FusionWeights
) -> None:
    scores = {item.key: item.score for item in fuse(dense, lexical, weights)}
    for one in scores:
        for other in scores:
            if all(arm.get(one, -inf) >= arm.get(other, -inf) for arm in (dense, lexical)):
                assert scores[one] >= scores[other]


@given(cosines, bm25_scores, shares, keys, st.floats(0, 1))
def test_a_higher_score_in_one_arm_never_lowers_the_fused_score(
    dense: dict[int, float], lexical: dict[int, float], weights: FusionWeights, key: int, gain: float
) -> None:
    def of(scores: dict[int, float]) -> float:
        return next(item.score for item in fuse(scores, lexical, weights) if item.key == key)

    low = dense.get(key, -1.0)
    assert of({**dense, key: low + gain}) >= of({**dense, key: low}) - ROUNDING


@given(thousandths, shares)
def test_one_arm_alone_keeps_its_order_and_has_full_weight(dense: dict[int, float], weights: FusionWeights) -> None:
    fused = fuse(dense, None, weights)
    assert [item.dense_part for item in fused] == [item.score for item in fused]
    above = {key: cosine for key, cosine in dense.items() if cosine > weights.dense_floor}
    assert [item.key for item in fused[: len(above)]] == sorted(above, key=lambda key: (-above[key], key))
    assert all(item.score == 1.0 for item in fused[: min(1, len(above))])
    assert fused == fuse(dense, None, FusionWeights(0, 1, weights.dense_floor))  # even an arm without weight


def test_an_absent_arm_is_not_an_empty_one() -> None:
    assert fuse({1: 0.4, 2: 0.2}, None, EQUAL)[0].score == 1.0
    assert fuse({1: 0.4, 2: 0.2}, {}, EQUAL)[0].score == 0.5
    assert fuse(None, {1: 8.0}, EQUAL)[0].score == 1.0
    assert fuse({}, {}, EQUAL) == fuse(None, None, EQUAL) == []


def test_missing_in_an_arm_counts_as_nothing_of_it() -> None:
    both, dense_only, lexical_only = fuse({1: 0.9, 2: 0.45, 4: 0.1}, {1: 10.0, 3: 4.0}, EQUAL)[:3]
    assert (both.key, both.score, both.dense_rank, both.lexical_rank) == (1, 1.0, 1, 1)
    assert (dense_only.key, dense_only.score, dense_only.lexical, dense_only.lexical_rank) == (2, 0.25, None, None)
    assert (lexical_only.key, lexical_only.score, lexical_only.dense, lexical_only.dense_rank) == (3, 0.2, None, None)


def test_a_dense_floor_makes_scores_independent_of_what_else_was_fetched() -> None:
    weights = FusionWeights(dense_floor=-0.1)
    few, many = {1: 0.7, 2: 0.3}, {1: 0.7, 2: 0.3, 3: 0.1, 4: -0.2}
    by_key = {item.key: item.score for item in fuse(many, {}, weights)}
    assert [item.score for item in fuse(few, {}, weights)] == [by_key[1], by_key[2]] == pytest.approx([0.5, 0.25])
    assert by_key[4] == 0


def test_ties_go_to_the_smaller_key() -> None:
    assert [item.key for item in fuse({"b": 0.5, "a": 0.5, "c": 0.5}, {}, EQUAL)] == ["a", "b", "c"]
    assert [item.dense_rank for item in fuse({"b": 0.5, "a": 0.5}, {}, EQUAL)] == [1, 2]


@given(cosines, st.floats(-1, 1))
def test_min_max_lies_between_0_and_1(scores: dict[int, float], floor: float) -> None:
    scaled = min_max(scores, floor=floor)
    assert scaled.keys() == scores.keys()
    assert all(0 <= value <= 1 for value in scaled.values())
    if scores and max(scores.values()) > floor:
        assert max(scaled.values()) == 1.0


def test_the_best_of_all_may_not_be_among_those_given() -> None:
    assert min_max({1: 2.0}, floor=0.0, best=4.0) == {1: 0.5}
    assert min_max({1: 5.0}, floor=0.0, best=4.0) == {1: 1.0}
    (half,) = fuse({1: 0.3}, {1: 5.0}, EQUAL, best_dense=0.6, best_lexical=10.0)
    assert half.score == half.fused == pytest.approx(0.5)


def test_min_max_with_a_floor() -> None:
    assert min_max({1: 4.0, 2: 2.0}, floor=0.0) == {1: 1.0, 2: 0.5}
    assert min_max({1: 4.0, 2: -2.0}, floor=0.0) == {1: 1.0, 2: 0.0}
    assert min_max({1: 3.0, 2: 3.0}, floor=0.0) == {1: 1.0, 2: 1.0}
    assert min_max({1: -3.0, 2: 0.0}, floor=0.0) == {1: 0.0, 2: 0.0}


@pytest.mark.parametrize("bad", [nan, inf, -inf])
def test_scores_that_cannot_be_ranked_are_refused(bad: float) -> None:
    for dense, lexical in (({1: bad}, {}), ({}, {1: bad, 2: 1.0})):
        with pytest.raises(Internal) as refused:
            fuse(dense, lexical, EQUAL)
        assert refused.value.reason == "SCORE_NOT_FINITE"


@pytest.mark.parametrize(("dense", "lexical"), [(0, 0), (-0.1, 1), (nan, 1), (1, inf)])
def test_weights_that_make_no_order_are_refused(dense: float, lexical: float) -> None:
    with pytest.raises(ValueError, match="weight"):
        FusionWeights(dense, lexical)


def test_of_each_slot_the_first_few_stay() -> None:
    items = ["a1", "b1", "a2", "c", "a3", "b2"]
    assert group_slots(items, lambda item: item[0]) == ["a1", "b1", "c"]
    assert group_slots(items, lambda item: item[0], 2) == ["a1", "b1", "a2", "c", "b2"]
    assert group_slots(items, lambda item: item[0] if item[0] == "a" else None) == ["a1", "b1", "c", "b2"]


def test_an_arm_that_is_left_alone_has_all_of_the_weight() -> None:
    weights = FusionWeights(0.9, 0.3)
    assert weights.shares(dense=True, lexical=True) == pytest.approx((0.75, 0.25))
    assert weights.shares(dense=False, lexical=True) == (0.0, 1.0)
    assert FusionWeights(1, 0).shares(dense=False, lexical=True) == (0.0, 1.0)


def test_reciprocal_rank_adds_over_rankings() -> None:
    fused = reciprocal_rank([["a", "b"], ["b", "c"]])
    assert [key for key, _ in fused] == ["b", "a", "c"]
    assert dict(fused)["b"] == pytest.approx(1 / (RRF_K + 2) + 1 / (RRF_K + 1))
    assert reciprocal_rank([]) == reciprocal_rank([[], []]) == []
    assert [key for key, _ in reciprocal_rank([["b"], ["a"]])] == ["a", "b"]  # tie


@given(st.permutations(range(6)), st.permutations(range(6)), st.integers(1, 100))
def test_reciprocal_rank_is_symmetric_and_respects_agreement(one: list[int], other: list[int], k: int) -> None:
    assert reciprocal_rank([one, other], k) == reciprocal_rank([other, one], k)
    assert [key for key, _ in reciprocal_rank([one, one], k)] == one


@given(st.lists(st.tuples(st.integers(), st.none() | st.sampled_from("abc"))))
def test_groups_keep_the_first_of_each_slot_and_all_without_one(items: list[tuple[int, str | None]]) -> None:
    kept = group_slots(items, lambda item: item[1])
    slots = [slot for _, slot in kept if slot is not None]
    assert len(slots) == len(set(slots))
    assert set(slots) == {slot for _, slot in items if slot is not None}
    assert [item for item in kept if item[1] is None] == [item for item in items if item[1] is None]
    for slot in set(slots):
        assert next(item for item in kept if item[1] == slot) == next(item for item in items if item[1] == slot)
    rest = iter(items)
    assert all(item in rest for item in kept)  # a subsequence: the order stays
