"""Which state of an invoice may follow which.

Rules: an invoice moves from unpaid over partly paid and paid to refunded, never back; its total, currency and date
stay. What says nothing of payment changes nothing that is known of it. A wrong state is corrected as any memory is.
It does not know how states are stored.
Source: REQUIREMENTS E3.
"""

from shared.domain.errors import Conflict
from shared.domain.money.amounts import agree, plain
from shared.domain.money.cash import CashStatus
from shared.domain.money.invoice import Invoice
from shared.domain.money.ledger import LedgerEntry

_ORDER = {
    status: place
    for place, status in enumerate(
        (CashStatus.UNKNOWN, CashStatus.UNPAID, CashStatus.PARTIAL, CashStatus.PAID, CashStatus.REFUND)
    )
}


def follows(before: LedgerEntry, after: Invoice) -> bool:
    """Tell whether a state is to take the place of the one on record; False where it adds nothing.

    Raises: Conflict INVOICE_CONTRADICTS, INVOICE_STATE_PAST.
    """
    told = (
        ("currency", before.currency or "", after.currency),
        ("date", f"{before.dated or after.dated}", f"{after.dated}"),
    )
    for field, known, said in told:
        if known and known != said:
            raise _contradicts(field, known, said)
    if not agree(before.amount, after.total, after.currency):
        raise _contradicts("total", plain(before.amount), plain(after.total))
    is_silent = after.status in (None, CashStatus.UNKNOWN) and after.paid_amount is None and after.payment_date is None
    if is_silent:
        return before.cash_status is CashStatus.UNKNOWN
    cash = after.cash
    is_less = cash.status is CashStatus.PARTIAL and before.cash is not None and (cash.amount or 0) < before.cash
    if _ORDER[cash.status] < _ORDER[before.cash_status] or (cash.status is before.cash_status and is_less):
        raise Conflict(
            "INVOICE_STATE_PAST",
            f"the invoice is on record as {before.cash_status}; {cash.status} cannot follow",
            metadata={"current": str(before.cash_status), "given": str(cash.status)},
        )
    return True


def _contradicts(field: str, known: str, said: str) -> Conflict:
    return Conflict(
        "INVOICE_CONTRADICTS",
        f"{field}: the invoice is on record with {known}, not {said}; give feedback on its memory to correct it",
        metadata={"field": field, "current": known, "given": said},
    )
