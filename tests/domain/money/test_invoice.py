"""The invoice contract: what is refused, what is derived, and what makes two states one invoice."""

from decimal import Decimal
from typing import Any

import pytest

from shared.domain.errors import InvalidArgument
from shared.domain.money.cash import CashStatus
from shared.domain.money.invoice import Invoice, check

GOOD: dict[str, Any] = {
    "invoice_type": "purchase",
    "company": "Halden Mills",
    "period": "2026-05",
    "dated": "2026-05-10",
    "currency": "EUR",
    "total": "8400",
    "invoice_ref": "INV-7",
    "vendor": "Orrin Paper",
}


def invoice(**changed: Any) -> Invoice:
    return check(**(GOOD | changed))


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"invoice_type": "loan"}, "type"),
        ({"company": "  "}, "company"),
        ({"period": "2026-06"}, "period"),
        ({"dated": "2026-02-30", "period": "2026-02"}, "date"),
        ({"currency": ""}, "currency"),
        ({"currency": "EURO"}, "currency"),
        ({"total": "0"}, "total"),
        ({"total": "-5"}, "total"),
        ({"total": "0.001"}, "total"),
        ({"total": "8.400", "currency": "KWD"}, "total"),
        ({"total": "1.5", "currency": "JPY"}, "total"),
        ({"vendor": None}, "vendor"),
        ({"customer": "Pell"}, "customer"),
        ({"paid_amount": "8401"}, "paid_amount"),
        ({"paid_amount": "8000", "status": "paid"}, "paid_amount"),
        ({"status": "partial"}, "paid_amount"),
        ({"paid_amount": "8400", "status": "partial"}, "paid_amount"),
        ({"paid_amount": "1", "status": "unpaid"}, "paid_amount"),
        ({"status": "refund", "paid_amount": "5"}, "paid_amount"),
        ({"payment_date": "2026-05-09"}, "payment_date"),
        ({"status": "maybe"}, "status"),
    ],
)
def test_each_wrong_field_is_named(changed: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        invoice(**changed)
    assert field in {violation.field for violation in refusal.value.violations}


@pytest.mark.parametrize(
    ("changed", "status", "amount"),
    [
        ({}, CashStatus.UNKNOWN, None),
        ({"status": "unpaid"}, CashStatus.UNPAID, "0"),
        ({"status": "paid"}, CashStatus.PAID, "8400"),
        ({"status": "unknown"}, CashStatus.UNKNOWN, None),
        ({"payment_date": "2026-05-11"}, CashStatus.UNKNOWN, None),
        ({"paid_amount": "400", "status": "partial"}, CashStatus.PARTIAL, "400"),
        ({"paid_amount": "8400"}, CashStatus.PAID, "8400"),
        ({"paid_amount": "8399.99", "status": "paid"}, CashStatus.PAID, "8399.99"),
        ({"paid_amount": "0"}, CashStatus.UNPAID, "0"),
        ({"paid_amount": "-8400", "status": "refund"}, CashStatus.REFUND, "-8400"),
    ],
)
def test_cash_follows_from_what_is_recorded(changed: dict[str, Any], status: CashStatus, amount: str | None) -> None:
    cash = invoice(**changed).cash
    assert cash.status is status
    assert cash.amount == (None if amount is None else Decimal(amount))


def test_states_and_spellings_of_one_invoice_share_its_record() -> None:
    paid = invoice(status="paid", vendor="ORRIN  paper", invoice_ref="inv-7")
    assert paid.record == invoice().record == "invoice:purchase:orrin paper:inv-7"
    assert invoice(vendor="Pell").record != invoice().record
