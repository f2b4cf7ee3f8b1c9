"""Amounts: read as people write them, refused where two readings stand, never floats."""

import ast
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import InvalidArgument
from shared.domain.money import amounts


@pytest.mark.parametrize(
    ("text", "beside", "number", "currency"),
    [
        ("1.250,00 EUR", None, "1250.00", "EUR"),
        ("(1,234.50)", None, "-1234.50", None),
        ("¥1,200", None, "1200", None),
        ("¥1,200", "CNY", "1200", "CNY"),
        ("¥1,200", "JPY", "1200", "JPY"),
        ("₩1,200,000", None, "1200000", "KRW"),
        ("−5,00 €", None, "-5.00", "EUR"),
        ("1'234.50 CHF", None, "1234.50", "CHF"),
        ("1 234,50", "EUR", "1234.50", "EUR"),
        ("1,234 EUR", None, "1234", "EUR"),
        ("KWD 1,234.500", None, "1234.500", "KWD"),
        ("0,125", None, "0.125", None),
        ("12,34,567.00", "INR", "1234567.00", "INR"),
        ("٣٫٥٠", None, "3.50", None),
    ],
)
def test_amounts_are_read(text: str, beside: str | None, number: str, currency: str | None) -> None:
    found = amounts.read_amount("total", text, beside)
    assert (found.number, found.currency) == (Decimal(number), currency)


@pytest.mark.parametrize(
    ("text", "beside", "reason"),
    [
        ("1,234", None, "AMOUNT_AMBIGUOUS"),
        ("1.234", None, "AMOUNT_AMBIGUOUS"),
        ("KWD 1,234", None, "AMOUNT_AMBIGUOUS"),
        ("kr 1.234 x", None, "AMOUNT_INVALID"),
        ("twelve", None, "AMOUNT_INVALID"),
        ("", None, "AMOUNT_INVALID"),
        ("9" * 200, None, "AMOUNT_INVALID"),
        ("¥1,200", "USD", "CURRENCY_MISMATCH"),
        ("12 EUR", "USD", "CURRENCY_MISMATCH"),
    ],
)
def test_what_is_not_one_amount_is_refused(text: str, beside: str | None, reason: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        amounts.read_amount("total", text, beside)
    assert refusal.value.reason == reason


def test_a_shared_sign_leaves_the_currency_open() -> None:
    assert amounts.read_amount("total", "¥1,200").candidates == ("JPY", "CNY")


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert amounts.read_amount("total", text).number.is_finite()
    except InvalidArgument as error:
        assert error.reason in {"AMOUNT_INVALID", "AMOUNT_AMBIGUOUS", "CURRENCY_MISMATCH"}


@given(st.integers(-(10**17), 10**17), st.sampled_from(["JPY", "EUR", "KWD", "CLF"]))
def test_minor_units_come_back(units: int, currency: str) -> None:
    assert amounts.to_minor(amounts.from_minor(units, currency), currency) == units


@pytest.mark.parametrize(("currency", "finest", "too_fine"), [("JPY", "1", "0.5"), ("KWD", "0.001", "0.0001")])
def test_a_currency_has_its_own_decimals(currency: str, finest: str, too_fine: str) -> None:
    assert amounts.checked("total", Decimal(finest), currency) == Decimal(finest)
    with pytest.raises(InvalidArgument, match="decimals"):
        amounts.checked("total", Decimal(too_fine), currency)


def test_no_float_anywhere() -> None:
    for path in Path(amounts.__file__).parent.glob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        importance = {
            id(node.value) for node in tree.body if isinstance(node, ast.Assign) and _is_importance(node.targets)
        }
        for node in ast.walk(tree):
            if id(node) in importance:
                continue  # how a memory is kept is no money
            assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), (path.name, node.lineno)
            assert not (isinstance(node, ast.Name) and node.id == "float"), (path.name, node.lineno)


def _is_importance(targets: list[ast.expr]) -> bool:
    return all(isinstance(target, ast.Name) and target.id.endswith("_IMPORTANCE") for target in targets)
