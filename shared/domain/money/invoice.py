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

from shared.domain.money import amounts
from shared.domain.money.cash import Cash, CashStatus, cash_of
from shared.domain.text import company_key, fold

LABEL_MAX_CHARS = 256  # as draft.LABEL_MAX_CHARS
REF_MAX_CHARS = 128  # chosen, untested


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
