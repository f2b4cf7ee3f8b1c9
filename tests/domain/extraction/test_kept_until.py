"""What is kept of statements that fill no slot: days ahead, dangers, what merely happened; and what replaces nothing.

Rules: texts in, facts and weights out; no database. It does not know how a life is lived (tests/bench/life).
Source: REQUIREMENTS D2, D3; losses seen in the life benchmark's tune half.
"""

from datetime import UTC, datetime

import pytest

from shared.domain.extraction.facts import Fact, Heard, Known, Weighed
from shared.domain.extraction.importance import weigh
from shared.domain.extraction.reader import extract
from shared.domain.lanes import goes_on
from shared.domain.types import Guard, MemoryType

NOW = datetime(2026, 4, 1, 9, tzinfo=UTC)


def facts(text: str, *known: Known) -> tuple[Fact, ...]:
    return extract(Heard(text, NOW, known=known))


def test_a_day_ahead_without_a_slot_is_a_commitment_until_that_day() -> None:
    (fact,) = facts("On April 8th the electricians come to our flat.")
    assert (fact.slot, fact.valid_to) == ("", datetime(2026, 4, 9, tzinfo=UTC))
    (weight,) = weigh([Weighed(fact.text, evidence=fact.evidence)])
    assert weight.protection is Guard.COMMITMENT


@pytest.mark.parametrize(
    "text",
    [
        "Went to the cinema for Amber Static on Sunday.",
        "My aunt celebrates her birthday on November 5th with me.",
        "I'm thinking of moving to Ghent next year.",
    ],
)
def test_what_happened_comes_again_or_names_no_day_does_not_end(text: str) -> None:
    assert [fact.valid_to for fact in facts(text)] == [None]


@pytest.mark.parametrize("text", ["If I eat kiwi I end up in hospital.", "Even a trace of mustard could kill me."])
def test_a_danger_to_the_user_is_protected_in_any_words(text: str) -> None:
    (fact,) = facts(text)
    (weight,) = weigh([Weighed(fact.text, fact.slot, fact.evidence)])
    assert weight.protection is Guard.SAFETY


def test_what_happened_ages_as_an_event_and_what_holds_as_a_fact() -> None:
    happened, holds = weigh([Weighed("I watched Amber Static with Ines."), Weighed("There is a Panda in my garage.")])
    assert (happened.memory_type, holds.memory_type) == (MemoryType.EPISODIC, MemoryType.SEMANTIC)


def test_a_mere_mention_replaces_no_value_that_is_held() -> None:
    espresso = Known("slot.usual_drink", "espresso")
    assert [fact.slot for fact in facts("I burned the toast, then tea.", espresso) if fact.slot] == []
    (fact,) = facts("My usual drink is tea.", espresso)
    assert (fact.slot, fact.value) == ("slot.usual_drink", "tea")


def test_a_value_that_a_sentence_ends_is_not_told_by_it() -> None:
    (fact,) = facts("I don't have a car any longer, not even the Clio.", Known("slot.vehicle", "Clio"))
    assert (fact.slot, fact.value, fact.ends) == ("slot.vehicle", "", True)


@pytest.mark.parametrize("text", ["While I'm here. I live in Ghent.", "This is important. I live in Ghent."])
def test_function_words_are_no_names(text: str) -> None:
    assert [fact.slot for fact in facts(text) if fact.slot] == ["slot.residence"]


def test_the_day_at_the_end_of_a_sentence_is_read() -> None:
    (fact,) = facts("My dentist appointment is on April 23rd.")
    assert fact.value == "2026-04-23"


def test_a_value_in_other_gaps_is_the_same_value() -> None:
    assert goes_on("vscode", "vs code")
    assert goes_on("vs code", "vscode")
    assert not goes_on("vs code", "vs code")
