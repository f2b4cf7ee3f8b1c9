"""Invoices, and receipts for them, out of what was found of them.

Rules: whose books they are for decides whether something was bought or sold: the caller's company, else what the paper
calls itself; else the type is unknown. Of several totals the one that is net and tax together counts, else the first of
the surest label. The period is the month of the date. It does not know the invoice contract.
Source: archon-behaviour 7.9.
"""

from dataclasses import replace
from decimal import Decimal

from shared.domain.documents.declaring import Declared
from shared.domain.documents.found import Found
from shared.domain.money.amounts import agree
from shared.domain.money.classifying import classify
from shared.domain.money.evidence import DocType, ExtractedDocument, InvoiceEvidence
from shared.domain.text import fold

_STATUS = (
    ("unpaid", ("unpaid", "not paid", "open", "outstanding", "offen", "unbezahlt", "미납", "미결제", "미지급")),
    ("partial", ("partial", "part paid", "part-paid", "teil", "일부", "부분")),
    ("refund", ("refund", "erstattet", "gutschrift", "환불", "환급")),
    ("paid", ("paid", "settled", "cleared", "bezahlt", "beglichen", "완납", "완료")),
)


def invoice(found: Found, start: ExtractedDocument, declared: Declared, named: DocType) -> ExtractedDocument:
    """Return an invoice. `named` is the side that its title names."""
    net, tax = found.amount("net_total"), found.amount("tax_total")
    paper = InvoiceEvidence(
        invoice_ref=found.text("invoice_ref"),
        vendor=found.text("vendor"),
        customer=found.text("customer"),
        invoice_date=found.day("invoice_date"),
        total=_total(found, net, tax),
        net_total=net,
        tax_total=tax,
        paid_amount=found.amount("paid_amount"),
        status=_status(found.text("status")),
        payment_date=found.day("payment_date"),
    )
    side = declared.doc_type
    if side is DocType.UNKNOWN and declared.company is not None:
        side = classify(ExtractedDocument(start.doc_id, start.filename, company=declared.company, invoice=paper))
    if side is DocType.UNKNOWN:
        side = named
    company = declared.company
    if company is None and side is not DocType.UNKNOWN:
        company = paper.vendor if side is DocType.SALES_INVOICE else paper.customer
    period = f"{paper.invoice_date:%Y-%m}" if paper.invoice_date else None
    return replace(start, doc_type=side, company=company, period=period, invoice=paper)


def _total(found: Found, net: Decimal | None, tax: Decimal | None) -> Decimal | None:
    held = len(found.sources), len(found.notes), len(found.refused)
    totals: list[tuple[str, Decimal]] = []
    for name in ("total", "total_plain", "total_due"):
        amount = found.amount(name, "total")
        if amount is not None:
            totals.append((name, amount))
    if not totals:
        return None
    whole = None if net is None or tax is None else net + tax
    name, total = next(
        (each for each in totals if whole is not None and agree(each[1], whole, found.currency)), totals[0]
    )
    del found.sources[held[0] :], found.notes[held[1] :], found.refused[held[2] :]
    if whole is not None and not agree(total, whole, found.currency):
        found.notes.append(f"total: {total} is not the net total {net} and the tax {tax} together.")
    return found.amount(name, "total")


def _status(text: str | None) -> str | None:
    folded = fold(text or "")
    return next((status for status, words in _STATUS if any(word in folded for word in words)), None)
