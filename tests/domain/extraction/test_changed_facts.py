"""What once ended the wrong value or none: found on wordings written after the rules, in a life's own context."""

import pytest

from tests.domain.extraction.turns import facts, told


@pytest.mark.parametrize(
    ("text", "slot", "value", "expected"),
    [
        ("Anyway: it rained all day, time for tea.", "slot.usual_drink", "chai", []),
        ("Second green tea of the day.", "slot.usual_drink", "green tea", ["|slot.usual_drink=green tea"]),
        ("Spent the shift writing Swift.", "slot.work_language", "Swift", ["|slot.work_language=Swift"]),
        ("His brother spent a day writing Swift.", "slot.work_language", "Swift", []),
        ("I left Alder and signed up with Axa.", "slot.insurer", "Alder", ["|slot.insurer=Axa<Alder"]),
        ("I left Alder and signed with Axa.", "slot.employer", "Alder", ["|slot.employer=Axa<Alder"]),
        ("Turned around and moved home to Malmö.", "slot.residence", "Bilbao", ["|slot.residence=Malmö"]),
        ("I earn my keep as a data engineer.", "slot.age", "40", ["|slot.role=data engineer"]),
        ("Typo: it's extension 3237, not 3134.", "slot.extension_number", "3134", []),
    ],
)
def test_a_value_is_told_by_its_own_words_alone(text: str, slot: str, value: str, expected: list[str]) -> None:
    assert told(text, {slot: value}) == expected


def test_a_day_of_the_past_with_its_year_is_no_day_ahead() -> None:
    (kept,) = facts("Harborline took me on as of February 24, 2026.")
    assert kept.valid_to is None and "until" not in kept.text


@pytest.mark.parametrize(
    "text",
    [
        "Long flights: aisle seat, please.",
        "In bad weather it's the metro to work, in good weather the bus.",
        "When it rains I work from home.",
        "On hot days: iced coffee.",
    ],
)
def test_what_is_wanted_under_a_condition_is_kept_and_fills_no_slot(text: str) -> None:
    assert [(fact.text, fact.slot) for fact in facts(text, {"slot.commute": "bus"})] == [(text, "")]
