"""Amounts of money: exact decimals, as many decimals as the currency has, read as people write them or refused.

Rules: a reading that is finer than the currency's minor unit is no reading: EUR 1,234 and ¥1,200 group; KWD 1,234 and
a bare 1,234 have two readings and are refused. A sign that several currencies share names none of them. A currency is
an ISO 4217 code that is listed, or unknown; it is never assumed. Two amounts agree within one minor unit: a rounding.
It does not know documents, and no exchange rates.
Source: ISO 4217; REQUIREMENTS E2; archon-behaviour 7.2 (numbers).
"""

from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal

from shared.domain import numerals
from shared.domain.currencies import MINOR_DIGITS, MINOR_DIGITS_DEFAULT, currency_code
from shared.domain.errors import InvalidArgument
from shared.domain.text import fold
from shared.domain.values import money_readings

AMOUNT_MAX = Decimal(10) ** 15  # major units; the reference's 1e12 refuses large sums of IDR and VND (chosen, untested)
AMOUNT_MAX_DECIMALS = 6  # of an amount whose currency is unknown; archon-behaviour 7.2
AMOUNT_TEXT_MAX_CHARS = 96  # longer text is no amount (chosen, untested)
_EXACT = Context(prec=60)  # digits; above AMOUNT_MAX and AMOUNT_MAX_DECIMALS with room for sums
_SHARED_SIGNS = {"¥": ("JPY", "CNY"), "kr": ("DKK", "NOK", "SEK", "ISK"), "kr.": ("DKK", "NOK", "SEK", "ISK")}


@dataclass(frozen=True, slots=True)
class ReadAmount:
    """An amount in major units, the currency its text or its reader named, and those its sign leaves open."""

    number: Decimal
    currency: str | None = None
    candidates: tuple[str, ...] = ()


def known_currency(text: str | None) -> str | None:
    """Return the listed ISO 4217 code that a text means, or None: unlisted, unclear and absent are unknown."""
    code = currency_code(text) if text else None
    return code if code in MINOR_DIGITS else None


def minor_digits(currency: str | None) -> int:
    """Return how many decimals a currency has; two when it is unknown."""
    return MINOR_DIGITS.get(currency or "", MINOR_DIGITS_DEFAULT)


def minor_unit(currency: str | None) -> Decimal:
    """Return the smallest amount of a currency, in major units; 0.01 when it is unknown."""
    return Decimal(1).scaleb(-minor_digits(currency))


def agree(one: Decimal, other: Decimal, currency: str | None) -> bool:
    """Tell whether two amounts are the same but for a rounding."""
    return abs(one - other) <= minor_unit(currency)


def rounded(amount: Decimal, currency: str | None) -> Decimal:
    """Return an amount in whole minor units, written in major ones; one of unknown currency stays exact.

    Ties: half to even.
    """
    if currency is None:
        return amount
    return amount.quantize(minor_unit(currency), rounding=ROUND_HALF_EVEN, context=_EXACT)


def to_minor(amount: Decimal, currency: str) -> int:
    """Return an amount in whole minor units. Ties: half to even."""
    return int(rounded(amount, currency).scaleb(minor_digits(currency), context=_EXACT))


def from_minor(units: int, currency: str) -> Decimal:
    """Return the amount of so many minor units, in major ones."""
    return Decimal(units).scaleb(-minor_digits(currency), context=_EXACT)


def checked(field: str, amount: Decimal, currency: str | None, *, allow_negative: bool = False) -> Decimal:
    """Return an amount that a currency can have.

    Raises: InvalidArgument AMOUNT_INVALID, AMOUNT_NEGATIVE, AMOUNT_TOO_LARGE, AMOUNT_TOO_FINE.
    """
    if not amount.is_finite():
        raise InvalidArgument.of(field, "AMOUNT_INVALID", "must be a finite number")
    if amount < 0 and not allow_negative:
        raise InvalidArgument.of(field, "AMOUNT_NEGATIVE", f"is {plain(amount)}; must not be negative")
    if abs(amount) > AMOUNT_MAX:
        raise InvalidArgument.of(field, "AMOUNT_TOO_LARGE", f"must be at most {AMOUNT_MAX}")
    decimals = minor_digits(currency) if currency else AMOUNT_MAX_DECIMALS
    if amount != amount.quantize(Decimal(1).scaleb(-decimals), context=_EXACT):
        of = f"; {currency} has {decimals}" if currency else ""
        raise InvalidArgument.of(field, "AMOUNT_TOO_FINE", f"has more than {decimals} decimals{of}")
    return amount


def read_amount(field: str, text: str, currency: str | None = None) -> ReadAmount:
    """Read an amount as people write it: "1.250,00 EUR", "(1,234.50)", "¥1,200". `currency` stands beside it.

    Raises: InvalidArgument AMOUNT_INVALID, AMOUNT_AMBIGUOUS, CURRENCY_MISMATCH.
    """
    folded = fold(text[: AMOUNT_TEXT_MAX_CHARS + 1])
    if len(folded) > AMOUNT_TEXT_MAX_CHARS:
        raise InvalidArgument.of(field, "AMOUNT_INVALID", f"is longer than {AMOUNT_TEXT_MAX_CHARS} characters")
    figure = numerals.without_dash(numerals.ascii_digits(folded))
    marks: tuple[str, ...] = ()
    found = numerals.readings(figure)
    if not found:
        found, marks = money_readings(figure)
    if not found:
        raise InvalidArgument.of(field, "AMOUNT_INVALID", f"{text[:64]!r} is not an amount of money")
    named = {mark for mark in marks if mark} | ({currency} if currency else set())
    open_to = next((codes for sign, codes in _SHARED_SIGNS.items() if "" in marks and sign in folded), ())
    if len(named) > 1 or (currency and open_to and currency not in open_to):
        not_in = currency or "one currency"
        raise InvalidArgument.of(field, "CURRENCY_MISMATCH", f"{text[:64]!r} is not in {not_in}")
    code = next(iter(named), None)
    number = _only(field, text, found, (code,) if code else open_to or (None,))
    return ReadAmount(number, code, () if code else open_to)


def _only(field: str, text: str, found: tuple[Decimal, ...], currencies: tuple[str | None, ...]) -> Decimal:
    """Return the one reading that a currency can have. Raises: InvalidArgument AMOUNT_AMBIGUOUS."""
    if len(found) == 1:
        return found[0]
    fitting = tuple(number for number in found if any(_fits(number, currency) for currency in currencies))
    if len(fitting) != 1:
        meanings = " or ".join(map(plain, found))
        reason = f"{text[:64]!r} can mean {meanings}; write it without the separator, or with all its decimals"
        raise InvalidArgument.of(field, "AMOUNT_AMBIGUOUS", reason)
    return fitting[0]


def _fits(number: Decimal, currency: str | None) -> bool:
    return currency is None or -int(number.as_tuple().exponent) <= minor_digits(currency)


def plain(amount: Decimal) -> str:
    """Write an amount as contracts do: without exponent, with the decimals it came with; -0 is 0."""
    return format(amount if amount else abs(amount), "f")


def spoken(amount: Decimal, currency: str | None) -> str:
    """Write an amount for a sentence: "EUR 14,600.00", or "14,600.00 currency units" where the currency is unknown."""
    shown = amount.quantize(minor_unit(currency), rounding=ROUND_HALF_EVEN, context=_EXACT) if currency else amount
    text = f"{shown if shown else abs(shown):,f}"
    return f"{currency} {text}" if currency else f"{text} currency units"
