"""The part of a text around a passage: bounded, in one piece, around the passage, whole words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.excerpt import excerpt

WORDS = " ".join(f"word{n}" for n in range(100))


@given(st.text(alphabet="ab \n", max_size=200), st.integers(0, 220), st.integers(0, 220), st.integers(1, 80))
def test_an_excerpt_is_a_bounded_part_of_the_text(text: str, start: int, end: int, most: int) -> None:
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    part = excerpt(text, start, end, most)
    assert len(part) <= most
    assert part in text
    if end - start <= most and text[start:end].strip():
        assert text[start:end].strip() in part


def test_what_fits_is_whole() -> None:
    assert excerpt("  a text ", 3, 4, 9) == "  a text "


@pytest.mark.parametrize("word", ["word0", "word50", "word99"])
def test_words_stay_whole(word: str) -> None:
    at = WORDS.index(word)
    part = excerpt(WORDS, at, at + len(word), 60)
    assert word in part
    assert set(part.split()) <= set(WORDS.split())
    assert len(part) > 40


def test_a_passage_that_is_too_long_is_shown_from_its_beginning() -> None:
    assert excerpt("y" * 100 + "x" * 200, 100, 300, 50) == "x" * 50
