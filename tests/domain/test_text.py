"""Folding, company keys and refused characters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.text import company_key, fold, nfc, refused_character


@given(st.text())
def test_folding_is_idempotent_and_blind_to_normal_forms(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    for form in ("NFC", "NFKC"):
        assert fold(unicodedata.normalize(form, text)) == folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ＩＮＶ－５５２１", "inv-5521"),
        ("INV\u20115521", "INV-5521"),  # non-breaking hyphen
        ("a\u2013b \u2212 c", "A-B - C"),
        ("  Straße\u00a0\t12 ", "STRASSE 12"),
        ("e\u0301t\u00e9", "\u00e9te\u0301"),
        ("pay\u00adroll\u200b", "payroll"),
        ("Caroline\u2019s", "caroline's"),
        ("a\u034f\u0301", "\u00e1"),  # composes only once the invisible character between is gone
    ],
)
def test_spellings_that_meet(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("a b", "ab"), ("1", "2"), ("é", "e"), ("Acme Ltd", "Acme Inc")])
def test_spellings_that_stay_apart(one: str, other: str) -> None:
    assert fold(one) != fold(other)
    assert company_key(one) != company_key(other)


@given(st.text())
def test_company_key_is_idempotent(label: str) -> None:
    assert company_key(company_key(label)) == company_key(label)


def test_company_key_ignores_case_width_and_space() -> None:
    assert company_key(" Northwind\u3000 TRADING ") == company_key("northwind trading") == "northwind trading"
    assert company_key(" \t") == ""


def test_stored_form_composes_and_changes_nothing_else() -> None:
    assert nfc("e\u0301 ＡＢ  \u200dﬁ") == "\u00e9 ＡＢ  \u200dﬁ"


@pytest.mark.parametrize(
    ("text", "name"), [("a\x00b", "U+0000"), ("\ud83d!", "U+D83D"), ("\udc00", "U+DC00"), ("😀 \t\n\x01 שלום", None)]
)
def test_refused_characters_are_named(text: str, name: str | None) -> None:
    assert refused_character(text) == name


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00")))
def test_every_other_text_is_accepted(text: str) -> None:
    assert refused_character(text) is None
