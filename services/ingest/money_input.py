"""Payroll events and invoices as callers give them, read into the domain's words.

Rules: an amount is a JSON number or a text as people write it; two readings are refused. Every field that is wrong is
named as the caller knows it. It does not know what becomes of it.
Source: archon-behaviour 1.12, 7.9.
"""

import json
from datetime import date
from decimal import Decimal

from candor.ingest.v1 import documents_pb2 as pb
from candor.ingest.v1 import payroll_pb2 as payroll_pb

from shared.domain.currencies import MINOR_DIGITS
from shared.domain.errors import InvalidArgument, TooLarge, Violation
from shared.domain.metadata import NumberLiteral
from shared.domain.money import amounts, integrity, invoice
from shared.domain.money.invoice import Invoice
from shared.domain.money.linking import EVENT_REF_DEFAULT
from shared.domain.money.payroll import Employee, PayrollEvent
from shared.domain.periods import canonical_period
from shared.domain.text import company_key, fold, refused_character

EMPLOYEES_MAX = 500  # of one event as JSON (chosen, untested)
EVENT_ID_MAX_CHARS = 300  # leaves room for an employee's id in a record
LABEL_MAX_CHARS = 256  # as draft.LABEL_MAX_CHARS
LINKED_DOCS_MAX = 1_000  # chosen, untested
_TOTALS = (
    *("bank_net_total", "gross_total", "employer_social_security_total", "employee_social_security_total"),
    *("tax_withheld_total", "employer_cost_total"),
)
_PAY = ("gross", "employee_social_security", "tax", "net", "employer_social_security", "employer_cost")


def event_of(given: payroll_pb.NewPayrollEvent) -> PayrollEvent:
    """Return a whole event that adds up.

    Raises: InvalidArgument naming every wrong field; TooLarge TOO_MANY_EMPLOYEES.
    """
    if len(given.employees) > EMPLOYEES_MAX:
        raise TooLarge("TOO_MANY_EMPLOYEES", f"an event holds at most {EMPLOYEES_MAX} employees")
    wrong: list[Violation] = []
    code = given.currency.strip().upper() or None
    if code is not None and code not in MINOR_DIGITS:
        wrong.append(Violation("event.currency", "CURRENCY_UNKNOWN", "must be an ISO 4217 code"))
        code = None
    totals = {name: _amount(getattr(given, name), f"event.{name}", code, wrong) for name in _TOTALS}
    employees = tuple(_employee(one, f"event.employees[{i}].", code, wrong) for i, one in enumerate(given.employees))
    period = canonical_period(given.period)
    for field, text, most in (
        ("event_id", given.event_id, EVENT_ID_MAX_CHARS),
        ("company", given.company, LABEL_MAX_CHARS),
    ):
        if not company_key(text) or len(text) > most or not text.isprintable():
            wrong.append(Violation(f"event.{field}", "LABEL_INVALID", f"must be 1 to {most} printable characters"))
    if period is None:
        wrong.append(Violation("event.period", "PERIOD_INVALID", "must be YYYY, YYYY-Qn, YYYY-MM or YYYY-MM-DD"))
    paid_on = _day(given.payment_date, wrong)
    if given.employee_count < 0:
        wrong.append(Violation("event.employee_count", "COUNT_INVALID", "must not be negative"))
    if len({fold(one.employee_id) for one in employees if one}) != len(employees):
        wrong.append(Violation("event.employees", "EMPLOYEE_REPEATED", "holds an employee twice or without an id"))
    if len(given.linked_docs) > LINKED_DOCS_MAX or any(refused_character(one) for one in given.linked_docs):
        wrong.append(Violation("event.linked_docs", "LABEL_INVALID", f"must be at most {LINKED_DOCS_MAX} texts"))
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong[: integrity.VIOLATIONS_MAX]))
    event = PayrollEvent(
        event_id=given.event_id.strip(),
        event_ref=given.event_ref.strip() or EVENT_REF_DEFAULT,
        company=given.company.strip(),
        period=period or "",
        employee_count=given.employee_count,
        currency=code,
        payment_date=paid_on,
        employees=tuple(one for one in employees if one),
        linked_docs=tuple(sorted(set(given.linked_docs))),
        **{name: amount or Decimal(0) for name, amount in totals.items()},
    )
    integrity.event(event, whole=True)
    return event


def invoice_of(given: pb.IngestInvoiceRequest) -> Invoice:
    """Return the checked invoice. Raises: InvalidArgument naming every wrong field."""
    return invoice.check(
        invoice_type=given.type,
        company=given.company,
        period=given.period,
        dated=given.date,
        currency=given.currency,
        total=_value(given.total, "total"),
        invoice_ref=given.invoice_ref,
        vendor=given.vendor,
        customer=given.customer,
        paid_amount=_value(given.paid_amount, "paid_amount"),
        status=given.status,
        payment_date=given.payment_date,
    )


def _employee(
    given: payroll_pb.NewPayrollEmployee, prefix: str, code: str | None, wrong: list[Violation]
) -> Employee | None:
    pay = {name: _amount(getattr(given, name), prefix + name, code, wrong) for name in _PAY}
    name, most = given.employee_id.strip(), integrity.EMPLOYEE_ID_MAX_CHARS
    if not fold(name) or len(name) > most or not name.isprintable():
        wrong.append(Violation(f"{prefix}employee_id", "LABEL_INVALID", f"must be 1 to {most} printable characters"))
        return None
    label = given.name.strip()
    if len(label) > LABEL_MAX_CHARS or not label.isprintable():
        wrong.append(Violation(f"{prefix}name", "LABEL_INVALID", f"must be at most {LABEL_MAX_CHARS} characters"))
    return Employee(name, label or name, **{field: amount or Decimal(0) for field, amount in pay.items()})


def _amount(raw: str, field: str, code: str | None, wrong: list[Violation]) -> Decimal | None:
    try:
        value = _value(raw, field)
        if value is not None and value != "":
            number = value if isinstance(value, Decimal) else amounts.read_amount(field, value, code).number
            return amounts.checked(field, number, code)
        wrong.append(Violation(field, "FIELD_MISSING", "is required"))
    except InvalidArgument as error:
        wrong.extend(error.violations)
    return None


def _value(raw: str, field: str) -> Decimal | str | None:
    """Return an amount: exact from a JSON number, else a text: of a JSON text, or as callers of the stubs give it.

    Raises: InvalidArgument AMOUNT_INVALID, WRONG_TYPE.
    """
    if raw in ("", "null"):
        return None
    try:
        value = json.loads(raw, parse_float=NumberLiteral, parse_int=NumberLiteral)
    except ValueError:
        return raw
    if isinstance(value, NumberLiteral):
        number = Decimal(value) if len(value) <= amounts.AMOUNT_TEXT_MAX_CHARS else Decimal("Infinity")
        if number.is_finite() and abs(number.adjusted()) <= amounts.AMOUNT_TEXT_MAX_CHARS:
            return number
        raise InvalidArgument.of(field, "AMOUNT_INVALID", f"must be at most {amounts.AMOUNT_MAX}")
    if isinstance(value, str):
        return value
    raise InvalidArgument.of(field, "WRONG_TYPE", "must be a number or a text")


def _day(text: str, wrong: list[Violation]) -> date | None:
    if not text:
        return None
    try:
        if len(text) == len("2026-05-27"):
            return date.fromisoformat(text)
    except ValueError:
        pass
    wrong.append(Violation("event.payment_date", "DATE_INVALID", "must be a day, YYYY-MM-DD"))
    return None
