"""What sort of document evidence is of, told by its fields.

Rules: a type that was declared or read stays. Else one employee and no totals is a payslip; a gross or an employer cost
in total is a payroll register, and so are rows of several employees; a net total alone is a bank confirmation; an
invoice is a sale when the company itself sells, or when only a customer is named. It asks no model.
Source: archon-behaviour 7.3.
"""

from shared.domain.money.evidence import DocType, ExtractedDocument, InvoiceEvidence
from shared.domain.text import company_key


def classify(document: ExtractedDocument) -> DocType:
    """Return the type of a document."""
    if document.doc_type is not DocType.UNKNOWN:
        return document.doc_type
    if document.invoice is not None:
        return _invoice(document.invoice, company_key(document.company or ""))
    has_totals = document.gross_pay_total is not None or document.employer_cost_total is not None
    if has_totals or len(document.employees) > 1:
        return DocType.PAYROLL_REGISTER
    if document.employees:
        return DocType.PAYSLIP
    return DocType.BANK_CONFIRMATION if document.net_pay_total is not None else DocType.UNKNOWN


def _invoice(invoice: InvoiceEvidence, company: str) -> DocType:
    vendor, customer = company_key(invoice.vendor or ""), company_key(invoice.customer or "")
    if company and vendor != customer and company in (vendor, customer):
        return DocType.SALES_INVOICE if company == vendor else DocType.PURCHASE_INVOICE
    if bool(vendor) == bool(customer):
        return DocType.UNKNOWN
    return DocType.PURCHASE_INVOICE if vendor else DocType.SALES_INVOICE
