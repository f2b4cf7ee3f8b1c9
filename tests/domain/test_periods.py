"""Periods and the days they span."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.periods import canonical_period, period_bounds


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        ("2024-Q1", date(2024, 1, 1), date(2024, 3, 31)),
        ("2024-Q4", date(2024, 10, 1), date(2024, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2024-12", date(2024, 12, 1), date(2024, 12, 31)),
        ("2024-02-29", date(2024, 2, 29), date(2024, 2, 29)),
        ("9999", date(9999, 1, 1), date(9999, 12, 31)),
        ("9999-Q4", date(9999, 10, 1), date(9999, 12, 31)),
        ("0001-01", date(1, 1, 1), date(1, 1, 31)),
    ],
)
def test_a_period_spans_its_days(period: str, first: date, last: date) -> None:
    assert canonical_period(period) == period
    assert period_bounds(period) == (first, last)


@given(st.dates(max_value=date(9999, 12, 30)))
def test_months_follow_each_other_without_gap(day: date) -> None:
    month = f"{day:%Y-%m}".rjust(7, "0")
    first, last = period_bounds(month)
    assert first <= day <= last
    assert (last + timedelta(days=1)).day == 1 or last == date.max


@pytest.mark.parametrize("text", ["2024-13", "2024-Q5", "2024-02-30", "24", "2024-2", "", "0000", "２０２４"])
def test_other_spellings_are_no_periods(text: str) -> None:
    assert canonical_period(text) is None
