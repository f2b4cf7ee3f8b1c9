"""Amounts, days, periods and currencies of business paper: one reading or none, and never an error."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.documents.values import (
    Refused,
    amount_of,
    count_of,
    currencies_beside,
    currency_stated,
    day_of,
    days_of,
    grouping_of,
    period_of,
)

TEXT = st.one_of(st.text(max_size=60), st.text("0123456789.,-'() EURUSD€$₩원¥년월일/:", max_size=40))


@pytest.mark.parametrize(
    ("text", "currency", "number"),
    [
        ("1.250,00 EUR", None, "1250.00"),
        ("EUR 5,000.00", "EUR", "5000.00"),
        ("3,200,000원", None, "3200000"),
        ("₩1,200", None, "1200"),
        ("¥1,200", "JPY", "1200"),
        ("(1,234.50)", None, "-1234.50"),
        ("−350.00", None, "-350.00"),
        ("5 000,00 €", None, "5000.00"),
        ("12.345", "KWD", None),
        ("1,234", None, None),
        ("1,234", "EUR", None),
        ("EUR 1.234", None, None),
        ("0,125", "KWD", "0.125"),
    ],
)
def test_amounts(text: str, currency: str | None, number: str | None) -> None:
    read = amount_of(text, currency)
    assert isinstance(read, Refused) if number is None else read == Decimal(number)


def test_a_documents_figures_settle_one_sign_before_three_digits() -> None:
    assert grouping_of(["Gross 3,783,000", "Tax 278,807"]) == ","
    assert grouping_of(["Brutto 3.776,98"]) == "."
    assert grouping_of(["1,234.50", "1.234,50"]) is None
    assert grouping_of(["paid on 27.05.2026", "1,234"]) is None
    assert amount_of("278,807", None, ",") == Decimal(278807)
    assert amount_of("523.400", "KWD", ",") == Decimal("523.400")
    assert isinstance(amount_of("523.400", "EUR", ","), Refused)
    assert amount_of("1,200", "JPY", ".") == Decimal(1200)


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("May 2026", "2026-05"),
        ("Mai 2026", "2026-05"),
        ("05/2026", "2026-05"),
        ("2026년 5월분", "2026-05"),
        ("2026. 5.", "2026-05"),
        ("01.05.2026 - 31.05.2026", "2026-05"),
        ("2026-05-01 to 2026-06-30", None),
        ("Q2 2026", "2026-Q2"),
        ("13/2026", None),
        ("27", None),
    ],
)
def test_periods(text: str, period: str | None) -> None:
    assert period_of(text) == period


def test_days() -> None:
    for text in (
        "27 May 2026",
        "27. Mai 2026",
        "2026. 5. 27.",
        "27.05.2026",
        "2026년 5월 27일",
        "May 27, 2026",
        "2026-05-27 10:22",
    ):
        assert day_of(text) == date(2026, 5, 27), text
    assert isinstance(day_of("05/06/2026"), Refused)
    assert days_of("31.02.2026") == ()


def test_currencies() -> None:
    assert list(currencies_beside("Gross (EUR)")) == ["EUR"]
    assert list(currencies_beside("¥1,200")) == [""]
    assert list(currencies_beside("TOP employees of ALL sites")) == []
    assert currency_stated("All amounts in GBP") == "GBP"
    assert currency_stated("(단위: 원)") == "KRW"
    assert currency_stated("Alle Beträge in Euro und Cent") in (None, "EUR")


def test_counts() -> None:
    assert [count_of(text) for text in ("5", "1,200", "5명", "12 employees", "3.5", "-1", "")] == [
        5, 1200, 5, 12, None, None, None,
    ]  # fmt: skip


@given(TEXT, st.sampled_from([None, "EUR", "JPY", "KWD"]), st.sampled_from([None, ".", ","]))
def test_no_text_is_an_error(text: str, currency: str | None, grouping: str | None) -> None:
    amount_of(text, currency, grouping)
    day_of(text)
    period_of(text)
    count_of(text)
    list(currencies_beside(text))
    currency_stated(text)
    grouping_of([text])


@given(st.decimals(0, 10**9, places=2, allow_nan=False, allow_infinity=False))
def test_what_is_written_plainly_is_read_back(number: Decimal) -> None:
    assert amount_of(f"{number:f}", "EUR") == number
    assert amount_of(f"EUR {number:,.2f}", None) == number
    german = f"{number:,.2f}".translate(str.maketrans(",.", ".,"))
    assert amount_of(f"{german} €", None) == number
