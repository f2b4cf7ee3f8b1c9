"""Days that a sentence names, in every spelling, from a Wednesday."""

from datetime import date

import pytest

from shared.domain.extraction.moments import marked, restored

TODAY = date(2026, 4, 1)


@pytest.mark.parametrize(
    ("text", "ahead", "behind"),
    [
        ("due on 12 May.", "2026-05-12", "2025-05-12"),
        ("May 3 works", "2026-05-03", "2025-05-03"),
        ("the 12th of May, please", "2026-05-12", "2025-05-12"),
        ("on May 12th, 2026", "2026-05-12", "2026-05-12"),
        ("2026-05-12!", "2026-05-12", "2026-05-12"),
        ("by 12.05.2026", "2026-05-12", "2026-05-12"),
        ("13/05/2026", "2026-05-13", "2026-05-13"),
        ("next Friday", "2026-04-10", "2026-04-10"),
        ("on Friday", "2026-04-03", "2026-04-03"),
        ("last Monday", "2026-03-30", "2026-03-30"),
        ("in two weeks", "2026-04-15", "2026-04-15"),
        ("3 days ago", "2026-03-29", "2026-03-29"),
        ("tomorrow", "2026-04-02", "2026-04-02"),
        ("the day after tomorrow", "2026-04-03", "2026-04-03"),
        ("the end of the month", "2026-04-30", "2026-04-30"),
        ("on the 14th", "2026-04-14", "2026-04-14"),
        ("since March", "2027-03-31", "2026-03-01"),
        ("since 2019", "2019-12-31", "2019-01-01"),
    ],
)
def test_a_day_is_read_forwards_and_backwards(text: str, ahead: str, behind: str) -> None:
    with_mark, (moment,) = marked(text, TODAY)
    assert restored(with_mark, (moment,)) == text
    assert moment.day(TODAY, ahead=True) == date.fromisoformat(ahead)
    assert moment.day(TODAY, ahead=False) == date.fromisoformat(behind)


@pytest.mark.parametrize(
    "text", ["in the end", "I may go", "at 12", "version 3.4", "a second time", "30 February 2026"]
)
def test_what_is_no_day_is_none(text: str) -> None:
    _, moments = marked(text, TODAY)
    assert all(moment.day(TODAY, ahead=True) is None for moment in moments)


def test_at_the_last_days_of_the_calendar_nothing_breaks() -> None:
    text, moments = marked("in 999 years or at the end of the month, on the 3rd or 31 December", date(9999, 12, 30))
    assert all(moment.day(date(9999, 12, 30), ahead=True) is None or moment for moment in moments)
    assert restored(text, moments).startswith("in 999 years")
