"""Lexicons: memories and questions of one embedding model get the same terms."""

import pytest

from shared.domain.draft import check
from shared.domain.lexicon import Lexicon
from shared.stemmer import stemmer

TEXT = "Which invoices are the late ones?"


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("all-MiniLM-L6-v2", ["invoic", "late", "one"]),
        ("text-embedding-v4", ["which", "invoic", "are", "the", "late", "one"]),
        ("never-measured", ["invoic", "late", "one"]),
    ],
)
def test_stop_words_are_kept_where_the_model_wants_them(model: str, expected: list[str]) -> None:
    lexicon = Lexicon.of(model, stemmer())
    assert lexicon.question(TEXT) == lexicon.memory(check(kind="note", content=TEXT)) == expected


def test_a_question_asks_each_term_once_a_memory_repeats_them() -> None:
    lexicon = Lexicon(stemmer())
    assert lexicon.question("paid, paying, pay") == ["paid", "pay"]
    assert lexicon.memory(check(kind="note", content="paid, paying, pay")) == ["paid", "pay", "pay"]
