"""What was found in one document: the fields of payroll and invoice evidence, and what could not be found.

Rules: a field that was not found is None, and is named in `missing` where its type needs it; nothing is made up, least
of all a currency. Amounts are exact decimals in major units. A document may be wrong in itself: completing and checking
is the work of payroll.py and invoice.py.
It does not know how a document was read.
Source: REQUIREMENTS E1, E2; archon-behaviour 7.2.
"""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum, unique


@unique
class DocType(StrEnum):
    """What sort of document it is."""

    PAYROLL_REGISTER = "payroll_register"
    BANK_CONFIRMATION = "bank_confirmation"
    PAYSLIP = "payslip"
    PURCHASE_INVOICE = "purchase_invoice"
    SALES_INVOICE = "sales_invoice"
    UNKNOWN = "unknown"


PAYROLL_TYPES = frozenset((DocType.PAYROLL_REGISTER, DocType.BANK_CONFIRMATION, DocType.PAYSLIP))
INVOICE_TYPES = frozenset((DocType.PURCHASE_INVOICE, DocType.SALES_INVOICE))


@dataclass(frozen=True, slots=True)
class EmployeeEvidence:
    """One employee's pay as a payslip or a row of a register states it."""

    employee_id: str | None = None
    name: str | None = None
    gross: Decimal | None = None
    employee_social_security: Decimal | None = None
    tax: Decimal | None = None
    net: Decimal | None = None
    employer_social_security: Decimal | None = None
    employer_cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class InvoiceEvidence:
    """An invoice as its paper states it. `status` is paid, partial, unpaid, refund or unknown."""

    invoice_ref: str | None = None
    vendor: str | None = None
    customer: str | None = None
    invoice_date: date | None = None
    total: Decimal | None = None
    net_total: Decimal | None = None
    tax_total: Decimal | None = None
    paid_amount: Decimal | None = None
    status: str | None = None
    payment_date: date | None = None


@dataclass(frozen=True, slots=True)
class FieldSource:
    """Where a field was read: its name, the text as it stands there, and the place ("page 1, line 7", "B12")."""

    field: str
    text: str
    place: str


@dataclass(frozen=True, slots=True)
class ExtractedDocument:
    """A document, read. `period` is canonical (periods.py), `currency` an ISO 4217 code, `doc_id` the caller's.

    `employees` holds a payslip's one employee, or the rows of a register. `missing` names the fields that the type
    needs and the reader did not find; `notes` are whole sentences about what it found odd.
    """

    doc_id: str
    filename: str
    doc_type: DocType = DocType.UNKNOWN
    company: str | None = None
    period: str | None = None
    currency: str | None = None
    event_ref: str | None = None
    gross_pay_total: Decimal | None = None
    employer_cost_total: Decimal | None = None
    employer_social_security_total: Decimal | None = None
    net_pay_total: Decimal | None = None
    employee_count: int | None = None
    payment_date: date | None = None
    employees: tuple[EmployeeEvidence, ...] = ()
    invoice: InvoiceEvidence | None = None
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    sources: tuple[FieldSource, ...] = ()
