"""Facts and their lanes: whom they are about, how values and ends are written and read back, what says the same."""

from datetime import UTC, datetime
from typing import Any

import pytest

from shared.domain.claims import claims_of
from shared.domain.extraction.facts import Fact
from shared.domain.lanes import (
    Lane,
    canonical_of,
    goes_on,
    is_contained,
    is_value,
    metadata_of,
    place_of,
    record_of,
    says_the_same,
)
from shared.domain.supersession import NOTHING

WHEN = datetime(2026, 5, 1, tzinfo=UTC)


def told(slot: str = "", value: str = "", **given: Any) -> Fact:
    return Fact("text", "text", WHEN, slot=slot, value=value, **given)


@pytest.mark.parametrize(
    ("subject", "speaker", "record"),
    [
        ("", "user", "user"),
        ("", "Ben", "Ben"),
        ("Maya", "user", "Maya"),
        ("Maya", "Ben", "Maya"),
        ("sister", "user", "sister"),
        ("sister", "Ben", "Ben's sister"),
    ],
)
def test_a_fact_is_about_the_speaker_or_whom_it_names(subject: str, speaker: str, record: str) -> None:
    assert record_of(told(subject=subject), speaker) == record


@pytest.mark.parametrize(
    ("fact", "metadata", "lane", "value"),
    [
        (told("slot.residence", "Lisbon"), '{"slot.residence": "Lisbon"}', Lane("user", "slot.residence"), "lisbon"),
        (told("slot.residence", ends=True), '{"slot.residence": "none"}', Lane("user", "slot.residence"), NOTHING),
        (told("slots.allergy", "Nuts"), '{"slots.allergy": "Nuts"}', Lane("user", "slots.allergy", "nuts"), "holds"),
        (
            told("slots.allergy", "Nuts", ends=True),
            '{"slots.allergy": "no longer Nuts"}',
            Lane("user", "slots.allergy", "nuts"),
            NOTHING,
        ),
    ],
)
def test_values_and_ends_are_read_back_as_they_were_told(fact: Fact, metadata: str, lane: Lane, value: str) -> None:
    assert metadata_of(fact) == metadata
    (claim,) = claims_of(metadata)
    assert place_of("user", claim) == (lane, value)
    assert is_value(claim.raw) == (not fact.ends)


def test_values_that_claim_nothing_have_no_lane() -> None:
    assert metadata_of(told()) == "{}"
    assert canonical_of("slot.employer", "tbd") == ""
    assert claims_of(metadata_of(told("slot.employer", "tbd"))) == ()


@pytest.mark.parametrize("value", ["5", "true", "2026-05-01", "12 euros"])
def test_typed_values_are_values(value: str) -> None:
    (claim,) = claims_of(metadata_of(told("slot.any", value)))
    assert is_value(claim.raw)
    assert place_of("user", claim)[1] == claim.canonical == canonical_of("slot.any", value)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("User prefers tea in the morning.", "In the morning User prefers tea.", True),
        ("User prefers tea in the morning.", "User likes having tea in the morning.", True),
        ("User went for a run this morning.", "User went for a run this evening.", False),
        ("User's budget is 400 euros.", "The budget of User is 500 euros.", False),
        ("User meets Anna on Mondays.", "On Mondays User meets Hannah.", False),
        ("The gym is open on Sundays.", "On Sundays User's gym is closed.", False),
    ],
)
def test_near_texts_say_the_same_unless_something_tells_them_apart(one: str, other: str, same: bool) -> None:
    assert says_the_same(one, other, 0.95) is same
    assert not says_the_same(one, other, 0.91)


def test_values_are_contained_by_words() -> None:
    assert is_contained("lisbon", "lisbon, portugal")
    assert not is_contained("lisbon", "lisbonne")
    assert not is_contained("", "lisbon")


def test_a_value_says_more_where_it_goes_on() -> None:
    assert goes_on("oolong", "oolong tea") and goes_on("lisbon", "lisbon, portugal")
    assert not goes_on("oolong tea", "oolong") and not goes_on("oolong", "oolong")
    assert not goes_on("developer", "senior developer") and not goes_on("", "tea")
