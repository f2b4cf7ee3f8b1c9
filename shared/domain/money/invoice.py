"""The invoice contract: what an invoice must say, and which invoice it is.

Rules: the type decides who is the other party; the currency is explicit; the period is the month of the date. An
invoice is known by type, company, party and reference, so that a payment is a later state of the same one. Every field
that is wrong is named.
It does not know how an invoice is stored.
Source: archon-behaviour 7.9; REQUIREMENTS E3 (refunds: a negative paid amount).
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum, unique
from typing import TypeVar

from shared.domain.currencies import MINOR_DIGITS
from shared.domain.errors import InvalidArgument, Violation
from shared.domain.money import amounts
from shared.domain.money.cash import Cash, CashStatus, cash_of
from shared.domain.periods import canonical_period
from shared.domain.text import company_key, fold, nfc, refused_character

LABEL_MAX_CHARS = 256  # as draft.LABEL_MAX_CHARS
REF_MAX_CHARS = 128  # chosen, untested

_E = TypeVar("_E", bound=StrEnum)


@unique
class InvoiceType(StrEnum):
    """Who owes whom."""

    PURCHASE = "purchase"
    SALES = "sales"


@dataclass(frozen=True, slots=True)
class Invoice:
    """A checked invoice. `party` is the vendor of a purchase and the customer of a sale."""

    type: InvoiceType
    company: str
    period: str
    dated: date
    currency: str
    total: Decimal
    invoice_ref: str
    party: str
    paid_amount: Decimal | None = None
    status: CashStatus | None = None
    payment_date: date | None = None

    @property
    def record(self) -> str:
        """The id of its record, the same for every state of one invoice."""
        return f"invoice:{self.type}:{company_key(self.party)}:{fold(self.invoice_ref)}"

    @property
    def cash(self) -> Cash:
        """What has moved of its money."""
        status = None if self.status in (None, CashStatus.UNKNOWN) else str(self.status)
        tolerance = amounts.minor_unit(self.currency)
        return cash_of(self.total, paid_amount=self.paid_amount, payment_status=status, tolerance=tolerance)


def check(
    *,
    invoice_type: str,
    company: str,
    period: str,
    dated: str,
    currency: str,
    total: Decimal | str | None,
    invoice_ref: str,
    vendor: str | None = None,
    customer: str | None = None,
    paid_amount: Decimal | str | None = None,
    status: str | None = None,
    payment_date: str | None = None,
    prefix: str = "",
) -> Invoice:
    """Return the checked invoice; amounts are exact, or texts as people write them; days are YYYY-MM-DD.

    Raises: InvalidArgument naming every wrong field.
    """
    checker = _Checker(prefix)
    kind = checker.word("type", invoice_type, InvoiceType)
    code = checker.currency(currency)
    day, paid_on = checker.day("date", dated), checker.day("payment_date", payment_date or "")
    amount, paid = checker.amount("total", total, code), checker.amount("paid_amount", paid_amount, code)
    standing = checker.word("status", status, CashStatus) if status else None
    name = checker.label("company", company, LABEL_MAX_CHARS)
    reference = checker.label("invoice_ref", invoice_ref, REF_MAX_CHARS)
    party = checker.party(kind, vendor, customer)
    month = canonical_period(period or "") or ""
    if not dated:
        checker.refuse("date", "DATE_MISSING", "is required, as YYYY-MM-DD")
    if total is None or total == "":
        checker.refuse("total", "AMOUNT_MISSING", "is required")
    if day and month != f"{day:%Y-%m}":
        checker.refuse("period", "PERIOD_MISMATCH", f"must be the month of the date, {day:%Y-%m}")
    if day and paid_on and paid_on < day:
        checker.refuse("payment_date", "DATE_INVALID", "must not be before the date of the invoice")
    if amount is not None and amount <= 0:
        checker.refuse("total", "AMOUNT_INVALID", "must be above zero")
    elif amount is not None and code:
        checker.payment(amount, paid, standing, paid_on, amounts.minor_unit(code))
    if checker.violations:
        raise InvalidArgument.of_all(tuple(checker.violations))
    assert kind and day and code and amount is not None
    return Invoice(kind, name, month, day, code, amount, reference, party, paid, standing, paid_on)


class _Checker:
    """Collects what is wrong while the fields are looked at one by one."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.violations: list[Violation] = []

    def refuse(self, field: str, reason: str, description: str) -> None:
        self.violations.append(Violation(self._prefix + field, reason, description))

    def word(self, field: str, value: str | None, words: type[_E]) -> _E | None:
        try:
            return words(fold(value or ""))
        except ValueError:
            reason = f"{field.upper()}_{'UNKNOWN' if value else 'MISSING'}"
            self.refuse(field, reason, f"must be one of {', '.join(words)}")
            return None

    def label(self, field: str, value: str, max_chars: int) -> str:
        text = nfc(value).strip()
        refused = refused_character(text)
        if refused:
            self.refuse(field, "FORBIDDEN_CHARACTER", f"holds {refused}")
        elif not fold(text):
            self.refuse(field, "LABEL_MISSING", "must not be blank")
        elif len(text) > max_chars:
            self.refuse(field, "LABEL_TOO_LONG", f"has {len(text)} characters; at most {max_chars}")
        return text

    def currency(self, value: str) -> str | None:
        code = value.strip().upper()
        if code in MINOR_DIGITS:
            return code
        self.refuse("currency", "CURRENCY_UNKNOWN" if code else "CURRENCY_MISSING", "must be an ISO 4217 code")
        return None

    def day(self, field: str, value: str) -> date | None:
        if not value:
            return None
        try:
            if len(value) == len("2026-05-27"):
                return date.fromisoformat(value)
        except ValueError:
            pass
        self.refuse(field, "DATE_INVALID", "must be a day, YYYY-MM-DD")
        return None

    def amount(self, field: str, value: Decimal | str | None, code: str | None) -> Decimal | None:
        if value is None or value == "":
            return None
        name = self._prefix + field
        try:
            number = value if isinstance(value, Decimal) else amounts.read_amount(name, value, code).number
            return amounts.checked(name, number, code, allow_negative=True)
        except InvalidArgument as error:
            self.violations.extend(error.violations)
            return None

    def party(self, kind: InvoiceType | None, vendor: str | None, customer: str | None) -> str:
        own, other = ("customer", "vendor") if kind is InvoiceType.SALES else ("vendor", "customer")
        given = {"vendor": vendor or "", "customer": customer or ""}
        if given[other].strip():
            self.refuse(other, "FIELD_NOT_ALLOWED", f"a {kind or 'purchase'} invoice has none")
        return self.label(own, given[own], LABEL_MAX_CHARS)

    def payment(
        self,
        total: Decimal,
        paid: Decimal | None,
        status: CashStatus | None,
        paid_on: date | None,
        tolerance: Decimal,
    ) -> None:
        if paid is not None and paid > total:
            self.refuse("paid_amount", "AMOUNT_INVALID", "must not be above the total")
        elif paid is not None and paid < 0 and status not in (None, CashStatus.REFUND):
            self.refuse("paid_amount", "AMOUNT_NEGATIVE", "is a refund: the status must say so")
        elif status is CashStatus.REFUND and (paid is None or paid >= 0):
            self.refuse("paid_amount", "AMOUNT_INVALID", "of a refund is what was given back, below zero")
        elif status is CashStatus.PAID and paid is not None and paid < total - tolerance:
            self.refuse("paid_amount", "AMOUNT_INVALID", "is less than the total of a paid invoice")
        elif status is CashStatus.PARTIAL and not (paid is not None and 0 < paid < total - tolerance):
            self.refuse("paid_amount", "AMOUNT_INVALID", "of a part payment is between zero and the total")
        elif status is CashStatus.UNPAID and ((paid is not None and paid > 0) or paid_on is not None):
            self.refuse("paid_amount", "AMOUNT_INVALID", "and payment_date of an unpaid invoice must be absent")
