"""Terms of words, identifiers, amounts, dates and scripts, and their numbers."""

import unicodedata
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold
from shared.domain.tokens import TERM_ID_LIMIT, term_id, terms

TENANT, OTHER_TENANT = UUID(int=1), UUID(int=2)
KEY = b"a key of this test, 32 bytes long"

identifiers = st.from_regex(r"\A[A-Z]{2,5}[-/_][0-9]{1,8}\Z")


def shared(one: str, other: str) -> set[str]:
    """Return the terms by which a query `one` finds a memory `other`."""
    return set(terms(one)) & set(terms(other))


@given(st.text())
def test_terms_are_stable_under_compatibility_forms_and_case(text: str) -> None:
    assert terms(unicodedata.normalize("NFKC", text)) == terms(text) == terms(fold(text))


@given(st.text())
def test_no_term_is_empty_a_stop_word_or_unfolded(text: str) -> None:
    for term in terms(text):
        assert term
        assert term not in ENGLISH_STOP_WORDS
        assert not any(c.isspace() for c in term)


@given(identifiers, st.text(alphabet="abc ,.;"))
def test_identifiers_are_found_whole_and_in_parts(identifier: str, around: str) -> None:
    found = terms(f"{around} {identifier} {around}", stop_words=())
    letters, digits = identifier.replace("/", "-").replace("_", "-").split("-")
    assert {identifier.casefold(), letters.casefold(), digits} <= set(found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What do we owe on INV-5521?", ["owe", "inv-5521", "inv", "5521"]),
        ("INV5521", ["inv5521", "inv", "5521"]),
        ("PO/2026/17", ["po/2026/17", "po", "2026", "17"]),
        ("inv-2026-05-01", ["inv-2026-05-01", "inv", "2026", "05", "01"]),
        ("v1.2.3", ["v1.2.3", "v", "1", "2", "3"]),
        ("ada@example.com", ["ada@example.com", "ada", "example", "com"]),
        ("a well-known follow-up", ["well", "known", "follow"]),
        ("Caroline's dog didn't", ["caroline", "dog"]),
        ("rock'n'roll", ["rock", "n", "roll"]),
        ("it is what it is", []),
        ("...!?", []),
    ],
)
def test_words_and_identifiers(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    "text",
    ["18,400.00", "18.400,00", "18400", "18'400.00", "EUR 18,400", "18 400,00 EUR", "€18,400.00", "18,400-19,000"],
)
def test_spellings_of_an_amount_meet(text: str) -> None:
    assert "18400" in terms(text)


@pytest.mark.parametrize("text", ["EUR 8,400", "eur8400", "€8.400,00", "8400 EUR", "8,400.00€", "EUR 8.400"])
def test_an_amount_with_its_currency_is_one_term_beside_its_parts(text: str) -> None:
    assert {"eur8400", "eur", "8400"} <= set(terms(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8.400", ["8.4", "8400", "8"]),  # two readings
        ("8,400", ["8400"]),
        ("0,400", ["0.4", "0"]),
        ("2,50", ["2.5", "2"]),
        ("8400.50", ["8400.5", "8400"]),
        ("1.234.567", ["1234567"]),
        ("007", ["007"]),
        ("١٢٣", ["123"]),
        ("$5k", ["5k", "5", "k"]),
        ("12 400 people", ["12", "400", "people"]),  # without a currency a space separates
    ],
)
def test_numbers(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


DAY = ["2026-05-01", "2026-05", "2026", "may", "1"]


@pytest.mark.parametrize(
    "text",
    [
        "2026-05-01",
        "2026/5/1",
        "2026.05.01",
        "01.05.2026",
        "1 May 2026",
        "1st of May, 2026",
        "May 1st, 2026",
        "2026年5月1日",
    ],
)
def test_spellings_of_a_day_meet(text: str) -> None:
    assert terms(text) == DAY
    assert terms(f"on {text}, or") == DAY


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("May 2026", ["2026-05", "2026", "may"]),
        ("2026-05", ["2026-05", "2026", "may"]),
        ("2026-05-01T10:00:00Z", [*DAY, "t10:00:00z", "10", "00", "00", "z"]),
        ("03/04/2026", ["2026-04-03", "2026-04", "2026", "april", "3", "2026-03-04", "2026-03", "march", "4"]),
        ("31/04/2026", ["31/04/2026", "31", "04", "2026"]),  # no such day
        ("2026-02-30", ["2026-02-30", "2026", "02", "30"]),
        ("0000-00-00", ["0000-00-00", "0000", "00", "00"]),
        ("8 May", ["8", "may"]),
    ],
)
def test_dates(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_month_names_are_stemmed_like_other_words() -> None:
    assert "STEMMED" in terms("2026-05-01", stem=lambda word: "STEMMED")
    assert "2026-05-01" in terms("2026-05-01", stem=lambda word: "STEMMED")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("发票金额为 8400 元", ["发票", "票金", "金额", "额为", "8400", "元"]),
        ("ﾊﾝｶｸ", ["ハン", "ンカ", "カク"]),
        ("송장 금액", ["송장", "금액"]),
        ("INV-5521号", ["inv-5521", "inv", "5521", "号"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("Счёт оплачен", ["счёт", "оплачен"]),
    ],
)
def test_scripts(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_stop_words_and_stemmer_are_given() -> None:
    assert terms("the running dogs", stem=lambda word: word[:3], stop_words={"dogs"}) == ["the", "run"]
    assert shared("What did Ada pay on 1 May 2026?", "Ada paid EUR 8,400 on 2026-05-01.") == {"ada", *DAY}


@given(st.text(), st.binary(min_size=1, max_size=64))
def test_term_ids_fit_the_sparse_vector_from_0_and_from_1(term: str, key: bytes) -> None:
    assert 1 <= term_id(TENANT, term, key) < TERM_ID_LIMIT
    assert term_id(TENANT, term, key) == term_id(TENANT, term, key)


def test_term_ids_depend_on_tenant_term_and_key() -> None:
    here = term_id(TENANT, "inv-5521", KEY)
    assert here != term_id(OTHER_TENANT, "inv-5521", KEY)
    assert here != term_id(TENANT, "inv-5522", KEY)
    assert here != term_id(TENANT, "inv-5521", KEY[::-1])
    ids = {term_id(TENANT, str(n), KEY) for n in range(2_000)}
    assert len(ids) > 1_990
    assert max(ids) > TERM_ID_LIMIT * 0.9
