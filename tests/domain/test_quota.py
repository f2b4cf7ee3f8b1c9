"""Blocks of work units: never more than is left, all of what is needed or nothing, and smaller as less is left."""

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.quota import BLOCK_UNITS_MAX, granted, is_near

COUNTS = st.integers(0, 10**7)


@given(left=st.integers(-100, 10**7), needed=st.integers(1, 1000), more=st.integers(0, 1000))
def test_all_of_what_is_needed_or_nothing_and_never_more_than_is_left(left: int, needed: int, more: int) -> None:
    given_out = granted(left, needed, needed + more)
    assert given_out == 0 if left < needed else needed <= given_out <= left


@given(left=COUNTS, fewer=COUNTS)
def test_a_block_shrinks_with_what_is_left(left: int, fewer: int) -> None:
    assert granted(max(1, left - fewer), 1, 1) <= granted(max(1, left), 1, 1) <= BLOCK_UNITS_MAX


def test_near_the_limit_exactly_what_is_asked_for_is_given() -> None:
    assert [granted(left, 1, 1) for left in (127, 64, 2, 1)] == [1, 1, 1, 1]
    assert granted(50, 3, 40) == 40
    assert granted(128_000, 1, 1) == BLOCK_UNITS_MAX


def test_a_tenth_of_the_limit_is_near_it() -> None:
    assert is_near(99, 1000)
    assert not is_near(100, 1000)
    assert is_near(0, 1)
