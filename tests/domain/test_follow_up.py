"""Questions that lean on the talk are written out; those that stand alone stay as they are."""

import pytest

from shared.domain.follow_up import expanded
from shared.domain.history_questions import asks_for_past

LIVE = "Where do I live?"


@pytest.mark.parametrize(
    ("said", "message", "asked"),
    [
        ([LIVE, "You live in Oslo [1]."], "and before that?", "Where do I live? before that?"),
        ([LIVE], "Since when?", "Where do I live? Since when?"),
        ([LIVE, "Oslo."], "And my sister?", "Where do my sister live?"),
        (["Where does Lena live?", "In Oslo."], "What about her sister?", "Where does Lena's sister live?"),
        (["Where does Lena live?", "In Oslo."], "and what about Ben?", "Where does Ben live?"),
        (["Where does Lena live?", "In Oslo."], "and Ben?", "Where does Ben live?"),
        (["My brother is a pilot.", "Noted."], "Where does he work?", "Where does my brother work?"),
        (["My brother knows Lena.", "Noted."], "When is her birthday?", "When is Lena's birthday?"),
        (["I met Lena and my uncle."], "Where does she work?", "Where does Lena work?"),
        (["Where does Lena live?"], "And Ben?", "Where does Ben live?"),
        (["Which car do I drive?", "A Fiat."], "How much did it cost?", "Which car do I drive? How much did it cost?"),
        ([LIVE, "Oslo.", "and before that?", "Porto."], "Why?", "Where do I live? before that? Why?"),
        (["Who is my dentist?", "Dr Roth."], "What's Roth's phone number?", "What's Roth's phone number?"),
    ],
)
def test_what_is_left_to_the_talk_is_put_in(said: list[str], message: str, asked: str) -> None:
    assert expanded(message, said) == asked


@pytest.mark.parametrize(
    "message",
    [
        "Where does Maya work?",
        "What is the gate code of the cellar?",
        "I live in Oslo.",
        "She is late.",
        "Remind me of the deadline of the grant report, please?",
    ],
)
def test_what_stands_alone_and_what_is_told_stays(message: str) -> None:
    assert expanded(message, [LIVE, "You live in Oslo."]) == message
    assert expanded(message, []) == message


def test_without_a_talk_nothing_is_put_in() -> None:
    assert expanded("and before that?", []) == "and before that?"


def test_the_past_is_asked_for_as_such() -> None:
    assert asks_for_past(expanded("and before that?", [LIVE, "Oslo."]))
