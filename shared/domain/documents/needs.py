"""Which fields a sort of document needs, and which of them were not found.

Rules: a register needs two of gross, contribution and cost at least: the third follows. A payslip needs cost or
contribution. It does not know why a field is absent.
Source: archon-behaviour 7.2, 7.9.
"""

from shared.domain.money.evidence import DocType, EmployeeEvidence, ExtractedDocument, InvoiceEvidence

_THREE = ("gross_pay_total", "employer_social_security_total", "employer_cost_total")


def missing_of(document: ExtractedDocument) -> tuple[str, ...]:
    """Return the names of the fields that a document's type needs and that it has not."""
    wanted: list[tuple[str, object]] = [
        ("company", document.company),
        ("period", document.period),
        ("currency", document.currency),
    ]
    match document.doc_type:
        case DocType.PAYSLIP:
            one = document.employees[0] if document.employees else EmployeeEvidence()
            cost = one.employer_cost if one.employer_cost is not None else one.employer_social_security
            wanted += [
                ("employee_id", one.employee_id),
                ("gross", one.gross),
                ("net", one.net),
                ("employer_cost", cost),
            ]
        case DocType.BANK_CONFIRMATION:
            wanted.append(("net_pay_total", document.net_pay_total))
        case DocType.PAYROLL_REGISTER:
            absent = [name for name in _THREE if getattr(document, name) is None]
            wanted += [(name, None) for name in absent if len(absent) > 1]
        case DocType.PURCHASE_INVOICE | DocType.SALES_INVOICE:
            wanted += _of_invoice(document)
        case DocType.UNKNOWN:
            wanted = [("doc_type", None), *wanted, *(_of_invoice(document)[:3] if document.invoice else [])]
    return tuple(name for name, value in wanted if value is None)


def _of_invoice(document: ExtractedDocument) -> list[tuple[str, object]]:
    paper = document.invoice or InvoiceEvidence()
    sold = document.doc_type is DocType.SALES_INVOICE
    party = ("customer", paper.customer) if sold else ("vendor", paper.vendor)
    return [("invoice_ref", paper.invoice_ref), ("invoice_date", paper.invoice_date), ("total", paper.total), party]
