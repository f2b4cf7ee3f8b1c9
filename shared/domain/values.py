"""Canonical values: one spelling for everything that means the same, so that the audit compares meaning and not typing.

Rules: equal canonicals always agree; different ones are only candidates, which `equality` judges. Where a value can
be read in two ways the canonical holds both, joined by "|", preferred one first. Reading a canonical again changes
nothing, save that three decimals are unclear as text. Codes, identifiers and prose are folded text; what is too long
for an index stands as its hash. The raw value is kept elsewhere.
It does not know attributes and records (claims.py).
Source: REQUIREMENTS A6, B11.
"""

import re
from dataclasses import dataclass
from decimal import Decimal, localcontext
from enum import StrEnum, unique
from hashlib import sha256

from shared.domain import dates, numerals
from shared.domain.codes import code_of
from shared.domain.currencies import MINOR_DIGITS, MINOR_DIGITS_DEFAULT, mark_of
from shared.domain.metadata import NUMBER_MAX_DIGITS, NumberLiteral, plain_decimal
from shared.domain.text import fold
from shared.domain.units import BASE_SYMBOLS, Unit, known_unit, unit_of

CANONICAL_MAX_BYTES = 256  # it is part of an index entry; what is longer is hashed
TYPED_MAX_CHARS = 96  # longer text is prose; also bounds the work of the patterns below (chosen, untested)
READING_MARK = "|"
# Written where nothing is known, or decided yet: no claim.
_OPEN = "to be announced|to be confirmed|to be decided|to be defined|to be determined".split("|")
_SILENT = frozenset(("", "-", "n/a", "null", "tba", "tbc", "tbd", *_OPEN))
# English, German, Korean, Chinese
_TRUE, _FALSE = "true yes y ja 예 네 是", "false no n nein 아니오 아니요 否"
_BOOLEANS = {**dict.fromkeys(_TRUE.split(), "true"), **dict.fromkeys(_FALSE.split(), "false")}
_FIGURE = r"[0-9.,'_ ]*[0-9][0-9.,'_ ]*"
_MONEY = re.compile(
    rf"(?P<open>\()?(?P<sign>[-+])? ?(?P<before>[^\W\d_]*[^\w\s.,'()+-]|[^\W\d_]{{2,3}})?\s?(?P<inner>[-+(])? ?"
    rf"(?P<figure>{_FIGURE}?)\s?(?P<after>[^\W\d_]*[^\w\s,'()+-]|[^\W\d_]{{1,3}}\.?)?(?P<close>\))?"
    r"(?P<tail> [a-z]{3})?"
)
_QUANTITY = re.compile(rf"(?P<figure>[-+]? ?{_FIGURE}?)(?P<space> ?)(?P<unit>[^\W\d_][^\W\d]*(?: cent)?|%|° ?[cf])")


@unique
class ValueType(StrEnum):
    """What a value is. A quantity is a number with a unit."""

    TEXT = "text"
    NUMBER = "number"
    MONEY = "money"
    BOOLEAN = "boolean"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class CanonicalValue:
    """A value in its canonical spelling, typed. `number` is as stated, in `unit`, by the preferred reading."""

    canonical: str
    value_type: ValueType
    number: Decimal | None = None
    currency: str | None = None
    unit: str | None = None


def canonical_value(value: str | int | Decimal | bool, currency: str | None = None) -> CanonicalValue | None:
    """Return the canonical form of a JSON scalar, or None when it claims nothing.

    `currency` is asserted beside the value, by a sibling key: it makes a bare number money; a code in the value goes
    before it.
    """
    if isinstance(value, bool):
        return CanonicalValue("true" if value else "false", ValueType.BOOLEAN)
    if isinstance(value, NumberLiteral | int | Decimal):
        return _number((Decimal(value),), currency)
    text = fold(value)
    if text in _SILENT:
        return None
    if text in _BOOLEANS:
        return CanonicalValue(_BOOLEANS[text], ValueType.BOOLEAN)
    if len(text) > TYPED_MAX_CHARS:
        return text_value(text)
    figure = numerals.without_dash(numerals.ascii_digits(text))
    days = dates.readings(figure)
    if days:
        return CanonicalValue(READING_MARK.join(days), ValueType.DATE)
    return _bare(figure, currency) or _quantity(figure) or _money(figure, currency) or text_value(text)


def text_value(text: str) -> CanonicalValue:
    """Return the canonical form of a value that is read as text whatever it looks like."""
    folded = fold(text)
    return CanonicalValue(_bounded(code_of(folded) or folded), ValueType.TEXT)


def base_amount(number: Decimal, unit: Unit) -> Decimal:
    """Return a stated number in the base unit of its dimension, exactly."""
    with localcontext() as context:
        context.prec = 2 * NUMBER_MAX_DIGITS
        return number * unit.factor + unit.offset


def money_readings(text: str) -> tuple[tuple[Decimal, ...], tuple[str, ...]]:
    """Return what a folded amount can mean, preferred reading first, and its currency marks.

    A mark is a code, or "" for a sign that several currencies share. Both are empty when it is no amount.
    """
    match = _MONEY.fullmatch(text)
    if match is None or ((match["open"] is None) != (match["close"] is None) and match["inner"] != "("):
        return (), ()
    marks = [mark_of(mark.strip()) for mark in match.group("before", "after", "tail") if mark and mark.strip()]
    found = numerals.readings(match["figure"])
    if None in marks:
        return (), ()
    if match["open"] or match["inner"] == "(" or "-" in (match["sign"], match["inner"]):
        found = tuple(number.copy_negate() if number else number for number in found)
    return found, tuple(mark for mark in marks if mark is not None)


def _bounded(canonical: str) -> str:
    encoded = canonical.encode("utf-8", "surrogatepass")
    return canonical if len(encoded) <= CANONICAL_MAX_BYTES else f"sha256:{sha256(encoded).hexdigest()}"


def _bare(text: str, currency: str | None) -> CanonicalValue | None:
    found = numerals.readings(text)
    return _number(found, currency) if found else None


def _number(found: tuple[Decimal, ...], currency: str | None) -> CanonicalValue:
    if currency is None:
        return CanonicalValue(_bounded(READING_MARK.join(map(plain_decimal, found))), ValueType.NUMBER, found[0])
    # Three decimals are written only where a currency has them; there they come first, elsewhere the separator groups.
    if len(found) > 1:
        found = found[::-1] if MINOR_DIGITS.get(currency, MINOR_DIGITS_DEFAULT) == 3 else found[:1]
    canonical = f"{READING_MARK.join(map(plain_decimal, found))} {currency}"
    return CanonicalValue(_bounded(canonical), ValueType.MONEY, found[0], currency)


def _money(text: str, currency: str | None) -> CanonicalValue | None:
    found, marks = money_readings(text)
    if not marks or not found:
        return None
    return _number(found, next((mark for mark in reversed(marks) if mark), currency))


def _quantity(text: str) -> CanonicalValue | None:
    match = _QUANTITY.fullmatch(text)
    found = numerals.readings(match["figure"]) if match else ()
    if match is None or not found or mark_of(match["unit"]) is not None:
        return None
    key = match["unit"].replace("per cent", "percent").replace("° ", "°")
    unit = unit_of(key) if match["space"] else known_unit(key)
    if unit is None:
        return None
    symbol = BASE_SYMBOLS.get(unit.dimension, unit.symbol)
    amounts = READING_MARK.join(plain_decimal(base_amount(number, unit)) for number in found)
    return CanonicalValue(f"{amounts} {symbol}", ValueType.NUMBER, found[0], unit=unit.symbol)
