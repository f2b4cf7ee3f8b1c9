"""Extracted documents, between judge's contract and the domain. It does not know how a document was read."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TypeVar

from candor.judge.v1 import documents_pb2 as pb
from google.protobuf.message import Message

from shared.domain.documents.declaring import Declared
from shared.domain.errors import Internal
from shared.domain.money.evidence import DocType, EmployeeEvidence, ExtractedDocument, FieldSource, InvoiceEvidence

T = TypeVar("T")

_TEXTS = ("company", "period", "currency", "event_ref")
_TOTALS = ("gross_pay_total", "employer_cost_total", "employer_social_security_total", "net_pay_total")
_PAY = ("gross", "employee_social_security", "tax", "net", "employer_social_security", "employer_cost")
_INVOICE_TEXTS = ("invoice_ref", "vendor", "customer", "status")
_INVOICE_MONEY = ("total", "net_total", "tax_total", "paid_amount")
_INVOICE_DAYS = ("invoice_date", "payment_date")


def to_extracted(document: ExtractedDocument) -> pb.ExtractedDocument:
    """Write an extracted document as a message."""
    message = pb.ExtractedDocument(
        doc_id=document.doc_id,
        filename=document.filename,
        doc_type=document.doc_type.value,
        employee_count=document.employee_count,
        employees=[_to_employee(each) for each in document.employees],
        invoice=None if document.invoice is None else _to_invoice(document.invoice),
        missing=document.missing,
        notes=document.notes,
        sources=[pb.FieldSource(field=each.field, text=each.text, place=each.place) for each in document.sources],
    )
    _write(message, document, (*_TEXTS, *_TOTALS, "payment_date"))
    return message


def extracted_of(message: pb.ExtractedDocument) -> ExtractedDocument:
    """Read a document that judge extracted. Raises: Internal for a message that is none."""
    try:
        return ExtractedDocument(
            doc_id=message.doc_id,
            filename=message.filename,
            doc_type=DocType(message.doc_type),
            company=_text(message, "company"),
            period=_text(message, "period"),
            currency=_text(message, "currency"),
            event_ref=_text(message, "event_ref"),
            gross_pay_total=_money(message, "gross_pay_total"),
            employer_cost_total=_money(message, "employer_cost_total"),
            employer_social_security_total=_money(message, "employer_social_security_total"),
            net_pay_total=_money(message, "net_pay_total"),
            employee_count=message.employee_count if message.HasField("employee_count") else None,
            payment_date=_day(message, "payment_date"),
            employees=tuple(map(_employee_of, message.employees)),
            invoice=_invoice_of(message.invoice) if message.HasField("invoice") else None,
            missing=tuple(message.missing),
            notes=tuple(message.notes),
            sources=tuple(FieldSource(each.field, each.text, each.place) for each in message.sources),
        )
    except (ValueError, InvalidOperation) as error:
        raise Internal("EXTRACTED_DOCUMENT", "judge extracted what is no document") from error


def to_declared(declared: Declared) -> pb.DeclaredDocument:
    """Write what a caller says of a document as a message."""
    return pb.DeclaredDocument(
        doc_id=declared.doc_id,
        filename=declared.filename,
        doc_type="" if declared.doc_type is DocType.UNKNOWN else declared.doc_type.value,
        company=declared.company or "",
        period=declared.period or "",
        currency=declared.currency or "",
        event_ref=declared.event_ref or "",
    )


def declared_of(message: pb.DeclaredDocument) -> Declared:
    """Read what a caller says of a document, as it was checked by declaring.checked."""
    return Declared(
        doc_id=message.doc_id,
        filename=message.filename,
        doc_type=DocType(message.doc_type or DocType.UNKNOWN),
        company=message.company or None,
        period=message.period or None,
        currency=message.currency or None,
        event_ref=message.event_ref or None,
    )


def _to_employee(employee: EmployeeEvidence) -> pb.EmployeeEvidence:
    message = pb.EmployeeEvidence()
    _write(message, employee, ("employee_id", "name", *_PAY))
    return message


def _employee_of(message: pb.EmployeeEvidence) -> EmployeeEvidence:
    return EmployeeEvidence(
        employee_id=_text(message, "employee_id"),
        name=_text(message, "name"),
        gross=_money(message, "gross"),
        employee_social_security=_money(message, "employee_social_security"),
        tax=_money(message, "tax"),
        net=_money(message, "net"),
        employer_social_security=_money(message, "employer_social_security"),
        employer_cost=_money(message, "employer_cost"),
    )


def _to_invoice(invoice: InvoiceEvidence) -> pb.InvoiceEvidence:
    message = pb.InvoiceEvidence()
    _write(message, invoice, (*_INVOICE_TEXTS, *_INVOICE_MONEY, *_INVOICE_DAYS))
    return message


def _invoice_of(message: pb.InvoiceEvidence) -> InvoiceEvidence:
    return InvoiceEvidence(
        invoice_ref=_text(message, "invoice_ref"),
        vendor=_text(message, "vendor"),
        customer=_text(message, "customer"),
        invoice_date=_day(message, "invoice_date"),
        total=_money(message, "total"),
        net_total=_money(message, "net_total"),
        tax_total=_money(message, "tax_total"),
        paid_amount=_money(message, "paid_amount"),
        status=_text(message, "status"),
        payment_date=_day(message, "payment_date"),
    )


def _write(message: Message, evidence: object, names: tuple[str, ...]) -> None:
    for name in names:
        value = getattr(evidence, name)
        if value is not None:
            setattr(message, name, format(value, "f") if isinstance(value, Decimal) else str(value))


def _read(message: Message, name: str, read: Callable[[str], T]) -> T | None:
    return read(getattr(message, name)) if message.HasField(name) else None


def _text(message: Message, name: str) -> str | None:
    return _read(message, name, str)


def _money(message: Message, name: str) -> Decimal | None:
    return _read(message, name, Decimal)


def _day(message: Message, name: str) -> date | None:
    return _read(message, name, date.fromisoformat)
