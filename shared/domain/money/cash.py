"""What has moved of an invoice's money, by what is recorded of it.

Rules: an amount that was paid decides; below zero it is a refund. Without one, a plain statement decides: not paid,
paid in full. Everything else is unknown: paid in part without an amount, a payment date alone, nothing recorded at all.
It does not know ledgers and periods.
Source: archon-behaviour 7.8 (cash status); a shortfall of up to one minor unit is a rounding.
"""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum, unique

_PAID_WORDS = frozenset(("paid", "settled", "cleared"))
_OPEN_WORDS = frozenset(("unpaid", "open", "outstanding"))


@unique
class CashStatus(StrEnum):
    """Whether an invoice was paid."""

    PAID = "paid"
    PARTIAL = "partial"
    UNPAID = "unpaid"
    REFUND = "refund"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Cash:
    """The status, and the amount that moved; None when it is unknown."""

    status: CashStatus
    amount: Decimal | None


def cash_of(
    total: Decimal,
    *,
    paid_amount: Decimal | None = None,
    paid: bool | None = None,
    payment_status: str | None = None,
    tolerance: Decimal = Decimal(0),
) -> Cash:
    """Return what has moved of an invoice's total. `payment_status` is folded text."""
    if paid_amount is not None:
        return Cash(_by_amount(total, paid_amount, tolerance), paid_amount)
    if paid is False:
        return Cash(CashStatus.UNPAID, Decimal(0))
    if paid is True or payment_status in _PAID_WORDS:
        return Cash(CashStatus.PAID, total)
    if payment_status in _OPEN_WORDS:
        return Cash(CashStatus.UNPAID, Decimal(0))
    return Cash(CashStatus.UNKNOWN, None)


def _by_amount(total: Decimal, paid_amount: Decimal, tolerance: Decimal) -> CashStatus:
    if paid_amount < 0:
        return CashStatus.REFUND
    if paid_amount == 0:
        return CashStatus.UNPAID
    return CashStatus.PARTIAL if paid_amount < total - tolerance else CashStatus.PAID
