"""Sentences and their citations: what ends a sentence, and which citation speaks for which part of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.statements import markers_of, sentences, statements, without_citations


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("EUR 18,400, dated 2026-03 [1].", 1),
        ("Dr. J. Smith of Acme Inc. paid 1.5 million.", 1),
        ("It was due on 10. April 2026, i.e. a Friday.", 1),
        ("It was z.B. am 3. Mai fällig. Danach nicht mehr.", 2),
        ("Paid to Acme Inc. The rest is open.", 2),
        ("See file.pdf and v1.2 for No. 7 etc.", 1),
        ("Paid. Open! Really? Yes…", 4),
        ("发票已批准。金额为500元！对吗？", 3),
        ("one\ntwo", 1),
        ("One\nTwo", 2),
        ("It was paid.[1] It was late.[2]", 2),
        ("It was paid. [1] It was late. [2]", 2),
        ("[1] says 8,400. [2] says 8,900.", 2),
        ("He said \"no.\" Then he left.", 2),
    ],
)  # fmt: skip
def test_a_sentence_ends_where_a_reader_ends_it(text: str, count: int) -> None:
    assert len(sentences(text)) == count, sentences(text)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [("[1][2]", (1, 2)), ("[1, 2]", (1, 2)), ("[1-3]", (1, 2, 3)), ("[2; 4] and [2]", (2, 4)), ("【3】［4］", (3, 4)),
     ("[2026]", ()), ("[a]", ()), ("[1 and 5]", (1, 5)), ("[1-999]", (1, 999))],
)  # fmt: skip
def test_citations_are_read_in_all_their_spellings(text: str, numbers: tuple[int, ...]) -> None:
    assert markers_of(text) == numbers


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("A is 18,400 [1] and B is 500 [2].", [("18,400", (1,)), ("500", (2,))]),
        ("It was 8,400 according to [1] but 8,900 according to [2].", [("8,400", (1,)), ("8,900", (2,))]),
        ("According to [1], it is 8,400, whereas [2] says 8,900.", [("8,400", (1,)), ("8,900", (2,))]),
        ("8,400 [1] (2026-04-01) or 8,900 [2] (2026-04-10).", [("2026-04-01", (1,)), ("2026-04-10", (2,))]),
        ("The total is 8,400, according to [1], and 8,900, according to [2].", [("8,400", (1,)), ("8,900", (2,))]),
        ("Paid [1], late [2], in all 900.", [("900", (1, 2))]),
        ("It is 8,400. [1] It is 8,900. [2]", [("8,400", (1,)), ("8,900", (2,))]),
        ("Two are open. A is 8,400 [1].", [("Two", (1,))]),
        ("A is 8,400 [1]. That is much.", [("much", (1,))]),
        ("A is 8,400 [1].\n\nThat is much.", [("much", ())]),
    ],
)
def test_a_citation_speaks_for_its_part_of_the_sentence(text: str, bound: list[tuple[str, tuple[int, ...]]]) -> None:
    pieces = [piece for statement in statements(text) for piece in statement.pieces]
    for figure, markers in bound:
        assert [piece.markers for piece in pieces if figure in piece.text] == [markers]


@settings(max_examples=50)
@given(
    st.lists(st.sampled_from(["Paid", " [1]", "[2]", ". ", ", ", "8,400", "\n", "\n\n", "。", "but ", "(", ")", "1. "]))
)
def test_nothing_but_citations_and_list_numbers_is_lost(parts: list[str]) -> None:
    text = "".join(parts)
    told = "".join(piece.text for statement in statements(text) for piece in statement.pieces)
    kept = without_citations(text).replace("1. ", "")
    assert told.count("Paid") == kept.count("Paid")
    assert told.count("8,400") == kept.count("8,400")
