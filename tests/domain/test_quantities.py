"""Figures of a text (B11): one reading for every spelling; identifiers, dates and words that only look like one."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.quantities import Kind, Quantity, compact, quantities

_Key = tuple[object, ...]


def _key(figure: Quantity) -> _Key:
    days = tuple((d.year, d.month, d.day) for d in figure.days)
    return (
        figure.kind,
        figure.numbers[:1],
        figure.units,
        days,
        compact(figure.text) if not (figure.numbers or days) else "",
    )


def _only(text: str) -> _Key:
    found = quantities(text)
    assert len(found) == 1, found
    return _key(found[0])


@pytest.mark.parametrize(
    "spellings",
    [
        ("$500", "USD 500", "500 dollars", "500 USD", "US$500", "usd500", "five hundred dollars"),
        ("65%", "65 percent", "65 per cent", "65 Prozent", "sixty-five percent", "百分之六十五", "65 퍼센트"),
        ("EUR 18,400", "€18.400,00", "18400 EUR", "18 400 €", "18,400 euros", "€18.4k", "18,4 Tsd. Euro"),
        ("USD 3 million", "$3,000,000", "3m dollars", "$3m", "three million dollars", "3 Mio. USD"),
        ("CNY 30000", "3万元", "30,000 yuan", "三万元"),
        ("KRW 5000", "5,000원", "₩5,000", "5000 won"),
        ("21 days", "twenty-one days", "3 weeks", "21-day", "einundzwanzig Tage"),
        ("72 hours", "3 days"),
        ("2026-04-10", "10 April 2026", "April 10, 2026", "10. April 2026", "10.04.2026", "2026年4月10日",
         "10 de abril de 2026", "10th of April 2026"),
        ("2026-04", "April 2026", "2026年4月"),
        ("14:30", "2:30 pm"),
        ("INV-2043", "inv-2043", "INV/2043"),
        ("TRY 500", "₺500"),
        ("205", "two hundred and five"),
        ("-€500", "€-500"),
    ],
)  # fmt: skip
def test_spellings_of_one_figure_have_one_reading(spellings: tuple[str, ...]) -> None:
    assert len({_only(spelling) for spelling in spellings}) == 1, [_only(s) for s in spellings]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("invoice number 2043", [Kind.NUMBER]),
        ("INV-2043", [Kind.IDENTIFIER]),
        ("PO-5590 and SO-330", [Kind.IDENTIFIER, Kind.IDENTIFIER]),
        ("合同CN-8的金额", [Kind.IDENTIFIER]),
        ("EUR 18,400, dated 2026-03", [Kind.MONEY, Kind.DATE]),
        ("they won 3 contracts, try 5 times", [Kind.NUMBER, Kind.NUMBER]),
        ("no one paid; it may be the one", []),
        ("in May and Q2 2026", [Kind.DATE, Kind.DATE]),
        ("2026-04-10T09:30:00Z", [Kind.DATE, Kind.CLOCK]),
        ("12 tonnes at €1,075", [Kind.MEASURE, Kind.MONEY]),
        ("v1.2.3", [Kind.IDENTIFIER]),
    ],
)
def test_each_figure_has_its_kind(text: str, kinds: list[Kind]) -> None:
    assert [figure.kind for figure in quantities(text)] == kinds


def test_what_is_counted_is_kept() -> None:
    assert quantities("three open invoices were sent")[0].nouns == ("open", "invoice", "were")[:2]


@given(st.integers(1, 10**9), st.sampled_from(["EUR", "USD", "GBP", "JPY"]))
def test_an_amount_survives_its_grouping(amount: int, code: str) -> None:
    grouped = f"{amount:,}"
    for text in (f"{code} {amount}", f"{grouped} {code}", f"{code}{grouped}", f"we owe {code} {grouped}, at last."):
        assert [(q.kind, q.numbers[0], q.units) for q in quantities(text)] == [(Kind.MONEY, Decimal(amount), (code,))]


@given(st.text(max_size=60))
def test_any_text_is_read(text: str) -> None:
    quantities(text)


def test_a_long_run_of_digits_is_one_code() -> None:
    assert [figure.kind for figure in quantities("1" * 32_000)] == [Kind.IDENTIFIER]
