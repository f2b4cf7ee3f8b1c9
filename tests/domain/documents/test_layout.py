"""Lines and phrases out of placed words: independent of the order of the words, nothing lost."""

import random

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.documents.layout import Word, lines_of, lines_of_sheet, text_of, words_of_text

WORDS = st.lists(
    st.builds(
        lambda text, left, row, width: Word(text, left, row * 12.0, left + width, row * 12.0 + 10),
        st.text("abcdef09,가나", min_size=1, max_size=8),
        st.floats(0, 500, allow_nan=False),
        st.integers(0, 20),
        st.floats(1, 60, allow_nan=False),
    ),
    max_size=40,
)


def test_text_keeps_its_columns() -> None:
    text = "Gross pay      5,000.00   Employer cost  6,000.00\n지급총액   3,200,000원\n\nNet pay 4,500.00"
    lines = lines_of(1, words_of_text(text))
    assert [[phrase.text for phrase in line.phrases] for line in lines] == [
        ["Gross pay", "5,000.00", "Employer cost", "6,000.00"],
        ["지급총액", "3,200,000원"],
        ["Net pay 4,500.00"],
    ]
    assert text_of(lines).splitlines()[0] == "Gross pay  5,000.00  Employer cost  6,000.00"


def test_a_sheets_cells_are_its_phrases() -> None:
    (first, last) = lines_of_sheet(2, (("a", "", "c"), ("", ""), ("d",)))
    assert ([phrase.text for phrase in first.phrases], first.number) == (["a", "c"], 1)
    assert (last.number, last.page) == (3, 2)


def test_leaders_are_gaps() -> None:
    text = "Gross pay ........ 5,000.00\nEmployee........Ana Ilves\nTotal . . . . . 7.5\nPaid on ____ 2026-05-27"
    lines = lines_of(1, words_of_text(text))
    assert [[phrase.text for phrase in line.phrases] for line in lines] == [
        ["Gross pay", "5,000.00"],
        ["Employee", "Ana Ilves"],
        ["Total", "7.5"],
        ["Paid on", "2026-05-27"],
    ]


@given(WORDS, st.randoms(use_true_random=False))
def test_the_order_of_words_says_nothing_and_none_is_lost(words: list[Word], chance: random.Random) -> None:
    shuffled = words[:]
    chance.shuffle(shuffled)
    lines = lines_of(1, words)
    assert lines == lines_of(1, shuffled)
    held = sorted(word.text for line in lines for phrase in line.phrases for word in phrase.words)
    assert held == sorted(word.text for word in words)
