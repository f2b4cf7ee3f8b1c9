"""Reading a model's text: wrapping comes off, and only strict JSON passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.judge.answer_text import NotJson, Unthinking, parse, spoken, unwrapped


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        (' \n{"a": [true, null, "x"]}\n', {"a": [True, None, "x"]}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('```\n{"a": 1}```', {"a": 1}),
        ('<think>{"a": 2}</think>{"a": 1}', {"a": 1}),
        ('hm\n</think>\n```json\n{"a": 1}\n```', {"a": 1}),
        ('{"a": "</think>"}', {"a": "</think>"}),
        ('{"a": "```"}', {"a": "```"}),
        ("[1, 2.5]", [1, 2.5]),
    ],
)
def test_what_is_read(text: str, value: object) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "```json\n```",
        "<think>{}",
        "{",
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": 1} {"a": 1}',
        'Here: {"a": 1}',
        '```json\n{"a": 1}\n``` there',
        '{"a": NaN}',
        '{"a": -Infinity}',
        '{"a": 1e999}',
        '{"a": 1, "a": 2}',
        '{"b": {"a": 1, "a": 1}}',
        '{"a": "\\ud800"}',
        "[" * 100_000,
        '{"a": ' + "9" * 5_000 + "}",
        '"' + "x" * 64_000 + '"',
    ],
)
def test_what_is_not(text: str) -> None:
    with pytest.raises(NotJson):
        parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "Paid [1].",
        "<think>Hm. Paid?</think>Paid [1].",
        "Hm. Paid?\n</think>\n\nPaid [1].",
        "```\nPaid [1].\n```",
        "Hm.</think>```text\nPaid [1].\n```",
    ],
)
def test_an_answer_in_words_is_taken_out_of_what_is_around_it(text: str) -> None:
    assert unwrapped(text) == "Paid [1]."


def test_a_fence_inside_an_answer_stays() -> None:
    assert unwrapped("It says ```no``` [1].") == "It says ```no``` [1]."


def fed(pieces: list[str]) -> str:
    unthinking = Unthinking()
    return "".join([*map(unthinking.feed, pieces), unthinking.rest()])


@given(st.data(), st.sampled_from(["", "<think>no</think>\n\n", " <think>\n1 < 2\n</think>", "<think></think>"]))
def test_a_stream_loses_its_think_block_wherever_it_is_cut(data: st.DataObject, before: str) -> None:
    answer = data.draw(st.sampled_from(["<b>It is 3.</b>", "It is <think>.", "<t", "Yes.\n\nNo."]))
    text, pieces = before + answer, []
    while text:
        length = data.draw(st.integers(1, len(text)))
        pieces.append(text[:length])
        text = text[length:]
    assert fed(pieces) == spoken(before + answer) == answer


def test_a_think_block_that_never_closes_holds_no_answer() -> None:
    assert fed(["<think>", "It is 3."]) == spoken("<think>It is 3.") == ""
