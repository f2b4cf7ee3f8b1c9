"""Which payroll event a document belongs to, and what the documents of one event say together.

Rules: an event is known by company, period and reference. Documents are taken in the order given, those on record
first; one that contradicts what was taken before is refused alone: another figure for the same total, another currency,
another payslip of one employee. The same evidence twice is taken once. An event has figures as soon as its register and
its bank confirmation are there; what is missing is named until it comes.
It does not know how documents are stored.
Source: archon-behaviour 7.4; REQUIREMENTS E3.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from hashlib import sha256

from shared.domain.errors import InvalidArgument, Violation
from shared.domain.money import integrity
from shared.domain.money.amounts import agree, plain
from shared.domain.money.evidence import PAYROLL_TYPES, DocType, ExtractedDocument
from shared.domain.money.payroll import Employee, PayrollEvent, totals
from shared.domain.text import company_key, fold, refused_character

EVENT_REF_DEFAULT = "monthly-consolidated"  # archon-behaviour 7.2
EVENT_REF_MAX_CHARS = 128  # archon-behaviour 7.2
COMPANY_MAX_CHARS = 256  # as draft.LABEL_MAX_CHARS
SLUG_MAX_CHARS = 80  # of each part of an event's id (chosen, untested); the digest keeps ids apart
_NO_COMPANY = frozenset(("", "unknown", "n/a", "null", "none"))
_NOT_IN_SLUG = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Piece:
    """One document of an event, completed: totals of a register, the net of a bank confirmation, or one employee."""

    doc_id: str
    doc_type: DocType
    company: str
    period: str
    event_ref: str
    event_id: str
    document: ExtractedDocument
    gross: Decimal | None = None
    contribution: Decimal | None = None
    cost: Decimal | None = None
    employee: Employee | None = None


@dataclass(frozen=True, slots=True)
class LinkedEvent:
    """What the documents of one event say together."""

    event_id: str
    event_ref: str
    company: str
    period: str
    currency: str | None = None
    register: Piece | None = None
    bank: Piece | None = None
    payslips: tuple[Piece, ...] = ()
    pieces: tuple[Piece, ...] = ()

    @property
    def declared_count(self) -> int | None:
        """How many employees the register declares, else the bank."""
        counts = (piece.document.employee_count for piece in (self.register, self.bank) if piece)
        return next((count for count in counts if count is not None), None)

    @property
    def has_all_payslips(self) -> bool:
        """Tell whether there are as many payslips as are declared."""
        return bool(self.payslips) and self.declared_count == len(self.payslips)

    @property
    def missing(self) -> tuple[str, ...]:
        """What the event still waits for, by types of documents."""
        waits = [
            name for name, piece in (("payroll_register", self.register), ("bank_confirmation", self.bank)) if not piece
        ]
        declared = self.declared_count
        if declared is None and not self.payslips:
            waits.append("payslips")
        elif declared is not None and len(self.payslips) < declared:
            waits.append(f"payslips: {len(self.payslips)} of {declared}")
        return tuple(waits)


@dataclass(slots=True)
class _Taken:
    """What has been taken of one event so far."""

    currency: str | None = None
    register: Piece | None = None
    bank: Piece | None = None
    payslips: dict[str, Piece] = field(default_factory=dict)
    by_doc: dict[str, Piece] = field(default_factory=dict)


def event_id(company: str, period: str, event_ref: str) -> str:
    """Return the id of an event."""
    keys = company_key(company), fold(event_ref)
    digest = sha256("\0".join(keys).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    slugs = (_NOT_IN_SLUG.sub("-", key)[:SLUG_MAX_CHARS].strip("-") or "x" for key in keys)
    return "-".join(("evt", *slugs, digest, period))


def piece(document: ExtractedDocument) -> Piece:
    """Return a payroll document, completed and checked in itself.

    Raises: InvalidArgument naming every wrong field.
    """
    company = (document.company or "").strip()
    event_ref = (document.event_ref or "").strip() or EVENT_REF_DEFAULT
    wrong = []
    if document.doc_type not in PAYROLL_TYPES:
        wrong.append(Violation("doc_type", "DOC_TYPE_UNKNOWN", "is no payroll document"))
    if company_key(company) in _NO_COMPANY:
        wrong.append(Violation("company", "FIELD_MISSING", "was neither declared nor found"))
    elif len(company) > COMPANY_MAX_CHARS or refused_character(company):
        wrong.append(Violation("company", "LABEL_INVALID", f"must be text of at most {COMPANY_MAX_CHARS} characters"))
    if not document.period:
        wrong.append(Violation("period", "FIELD_MISSING", "was neither declared nor found"))
    if len(event_ref) > EVENT_REF_MAX_CHARS or not event_ref.isprintable() or not fold(event_ref):
        reason = f"must be 1 to {EVENT_REF_MAX_CHARS} printable characters"
        wrong.append(Violation("event_ref", "LABEL_INVALID", reason))
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong))
    assert document.period
    gross = contribution = cost = employee = None
    if document.doc_type is DocType.PAYROLL_REGISTER:
        gross, contribution, cost = integrity.register(document)
    elif document.doc_type is DocType.BANK_CONFIRMATION:
        net = document.net_pay_total
        if net is None:
            raise InvalidArgument.of("net_pay_total", "FIELD_MISSING", "was not found")
        if net < 0:
            raise InvalidArgument.of("net_pay_total", "AMOUNT_NEGATIVE", f"is {plain(net)}; must not be negative")
    elif len(document.employees) != 1:
        reason = "FIELD_MISSING" if not document.employees else "PAYSLIP_AMBIGUOUS"
        raise InvalidArgument.of("employee", reason, f"is there {len(document.employees)} times on a payslip")
    else:
        employee = integrity.employee(document.employees[0], document.currency, "employee.")
    return Piece(
        doc_id=document.doc_id,
        doc_type=document.doc_type,
        company=company,
        period=document.period,
        event_ref=event_ref,
        event_id=event_id(company, document.period, event_ref),
        document=document,
        gross=gross,
        contribution=contribution,
        cost=cost,
        employee=employee,
    )


def fuse(pieces: Sequence[Piece]) -> tuple[LinkedEvent, Mapping[int, InvalidArgument]]:
    """Return what the pieces of one event say together, and why a piece at a position was refused.

    Ties: the earlier piece is taken. Raises: ValueError without pieces or with pieces of several events.
    """
    if len({one.event_id for one in pieces}) != 1:
        raise ValueError("pieces of exactly one event are fused")
    taken, refused = _Taken(), dict[int, InvalidArgument]()
    for position, one in enumerate(pieces):
        try:
            _take(taken, one)
        except InvalidArgument as error:
            refused[position] = error
    first = pieces[0]
    payslips = tuple(taken.payslips[key] for key in sorted(taken.payslips))
    linked = LinkedEvent(
        event_id=first.event_id,
        event_ref=first.event_ref,
        company=first.company,
        period=first.period,
        currency=taken.currency,
        register=taken.register,
        bank=taken.bank,
        payslips=payslips,
        pieces=tuple(taken.by_doc[doc_id] for doc_id in sorted(taken.by_doc)),
    )
    return linked, refused


def event_of(linked: LinkedEvent) -> PayrollEvent | None:
    """Return the payroll event, or None while its register or its bank confirmation is missing."""
    register, bank = linked.register, linked.bank
    if register is None or bank is None:
        return None
    assert register.gross is not None and register.contribution is not None and register.cost is not None
    employees = _employees(linked)
    declared = linked.declared_count
    is_whole = bool(employees) and len(employees) == (len(employees) if declared is None else declared)
    sums = totals(employees) if is_whole else None
    return PayrollEvent(
        event_id=linked.event_id,
        event_ref=linked.event_ref,
        company=linked.company,
        period=linked.period,
        employee_count=len(employees) if declared is None else declared,
        bank_net_total=bank.document.net_pay_total or Decimal(0),
        gross_total=register.gross,
        employer_social_security_total=register.contribution,
        employer_cost_total=register.cost,
        employee_social_security_total=sums.employee_social_security if sums else None,
        tax_withheld_total=sums.tax if sums else None,
        currency=linked.currency,
        payment_date=bank.document.payment_date,
        employees=employees,
        linked_docs=tuple(one.doc_id for one in linked.pieces),
    )


def _employees(linked: LinkedEvent) -> tuple[Employee, ...]:
    """Return the employees by their payslips, or while there is none by the rows of the register that are complete."""
    if linked.payslips or linked.register is None:
        return tuple(one.employee for one in linked.payslips if one.employee)
    rows: dict[str, Employee] = {}
    for row in linked.register.document.employees:
        try:
            found = integrity.employee(row, linked.currency)
        except InvalidArgument:
            return ()
        rows.setdefault(fold(found.employee_id), found)
    return tuple(rows[key] for key in sorted(rows))


def _take(taken: _Taken, one: Piece) -> None:
    known = taken.by_doc.get(one.doc_id)
    if known is not None:
        if _evidence(known.document) != _evidence(one.document):
            raise _contradicts("doc_id", f"{one.doc_id!r} is on record with other content")
        return
    currency = one.document.currency
    if currency and taken.currency and currency != taken.currency:
        raise _contradicts("currency", f"is {currency}; the other documents of the event are in {taken.currency}")
    if one.employee is not None:
        _take_payslip(taken, one, one.employee)
    else:
        _take_totals(taken, one)
    taken.currency = taken.currency or currency
    taken.by_doc[one.doc_id] = one


def _take_payslip(taken: _Taken, one: Piece, employee: Employee) -> None:
    former = taken.payslips.setdefault(fold(employee.employee_id), one)
    if former is not one and former.employee != employee:
        raise _contradicts(
            "employee.employee_id", f"{employee.employee_id!r} has another payslip, in document {former.doc_id!r}"
        )


def _take_totals(taken: _Taken, one: Piece) -> None:
    is_register = one.doc_type is DocType.PAYROLL_REGISTER
    former, beside = (taken.register, taken.bank) if is_register else (taken.bank, taken.register)
    for other in (former, beside):
        count = other.document.employee_count if other else None
        if other and None not in (count, one.document.employee_count) and count != one.document.employee_count:
            reason = f"is {one.document.employee_count}; document {other.doc_id!r} says {count}"
            raise _contradicts("employee_count", reason)
    if former is not None:
        _same_totals(former, one, taken.currency or one.document.currency)
    elif is_register:
        taken.register = one
    else:
        taken.bank = one


def _same_totals(former: Piece, one: Piece, currency: str | None) -> None:
    for name, before, now in (
        ("gross_pay_total", former.gross, one.gross),
        ("employer_cost_total", former.cost, one.cost),
        ("employer_social_security_total", former.contribution, one.contribution),
        ("net_pay_total", former.document.net_pay_total, one.document.net_pay_total),
    ):
        if before is not None and now is not None and not agree(before, now, currency):
            raise _contradicts(name, f"is {plain(now)}; document {former.doc_id!r} says {plain(before)}")
    dates = (former.document.payment_date, one.document.payment_date)
    if None not in dates and dates[0] != dates[1]:
        raise _contradicts("payment_date", f"is {dates[1]}; document {former.doc_id!r} says {dates[0]}")


def _evidence(document: ExtractedDocument) -> ExtractedDocument:
    """Return what a document says, without how it was read; rows of a register are not always kept."""
    rows = document.employees if document.doc_type is DocType.PAYSLIP else ()
    return replace(document, filename="", employees=rows, missing=(), notes=(), sources=())


def _contradicts(name: str, reason: str) -> InvalidArgument:
    return InvalidArgument.of(name, "EVIDENCE_CONTRADICTS", reason)
