"""The contract of an extractor that answers in JSON: one object with known keys, read strictly.

Rules: no other key, and no value of another kind: a text is no list, a boolean no number. An amount is a JSON number
or a text as people write amounts, not negative but for what was paid back. What is absent, null or empty was not
found, and is missing where the type needs it. Every fault is told. It does not know who answered.
Source: archon-behaviour 7.2; REQUIREMENTS C6, E2.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final

from shared.domain.documents.declaring import Declared
from shared.domain.documents.needs import missing_of
from shared.domain.documents.values import amount_of
from shared.domain.errors import InvalidArgument
from shared.domain.money.amounts import checked, known_currency
from shared.domain.money.classifying import classify
from shared.domain.money.evidence import DocType, EmployeeEvidence, ExtractedDocument, FieldSource, InvoiceEvidence
from shared.domain.periods import canonical_period
from shared.domain.text import fold

MAX_FAULTS = 12
"""Of one answer that are told. Chosen, untested."""

MAX_EMPLOYEES, MAX_COUNT = 5_000, 1_000_000
"""Of one answer; of a company. Chosen, untested."""

TEXT_MAX_CHARS = 256
"""archon-behaviour 7.1."""

TOTALS: Final = ("gross_pay_total", "employer_cost_total", "employer_social_security_total", "net_pay_total")
PAY: Final = ("gross", "employee_social_security", "tax", "net", "employer_social_security", "employer_cost")
INVOICE_TEXTS: Final = ("invoice_ref", "vendor", "customer", "status")
INVOICE_MONEY: Final = ("total", "net_total", "tax_total", "paid_amount")
STATUSES: Final = ("paid", "partial", "unpaid", "refund", "unknown")
KEYS: Final = frozenset(
    (
        *("doc_type", "company", "period", "currency", "event_ref", "payroll_run_id"),
        *("employee_count", "payment_date", "employee", "payslip", "employees", "invoice", *TOTALS),
    )
)
_EMPLOYEE_KEYS = frozenset(("employee_id", "employee_code", "name", *PAY))
_INVOICE_KEYS = frozenset(("invoice_date", "payment_date", *INVOICE_TEXTS, *INVOICE_MONEY))
_NOBODY = frozenset(("", "unknown", "n/a", "na", "none", "null", "-"))


class _Reader:
    """Collects what is wrong while it reads."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.currency: str | None = None

    def fault(self, told: str) -> None:
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(told)

    def keys(self, value: Mapping[str, object], allowed: frozenset[str], where: str) -> None:
        for key in value:
            if key not in allowed:
                self.fault(f"{where}there is no key {key[:40]!r}")

    def text(self, value: Mapping[str, object], key: str, where: str = "") -> str | None:
        given = value.get(key)
        if given is None:
            return None
        if not isinstance(given, str):
            self.fault(f"{where}{key} is not a text")
            return None
        text = " ".join(given.split())
        if len(text) > TEXT_MAX_CHARS:
            self.fault(f"{where}{key} has more than {TEXT_MAX_CHARS} characters")
        return None if fold(text) in _NOBODY else text

    def money(
        self, value: Mapping[str, object], key: str, where: str = "", *, negative: bool = False
    ) -> Decimal | None:
        given = value.get(key)
        if given is None or given == "":
            return None
        if isinstance(given, bool) or not isinstance(given, int | float | Decimal | str):
            self.fault(f"{where}{key} is not an amount")
            return None
        number = amount_of(given, self.currency) if isinstance(given, str) else Decimal(str(given))
        if not isinstance(number, Decimal):
            self.fault(f"{where}{key} is not an amount" if number is None else f"{where}{key}: {number.note}")
            return None
        try:
            return checked(key, number, self.currency, allow_negative=negative)
        except InvalidArgument as error:
            self.fault(f"{where}{key} {error.violations[0].description}")
            return None

    def day(self, value: Mapping[str, object], key: str, where: str = "") -> date | None:
        text = self.text(value, key, where)
        if text is None:
            return None
        try:
            if len(text) == len("YYYY-MM-DD"):
                return date.fromisoformat(text)
        except ValueError:
            pass
        self.fault(f"{where}{key} is not a day as YYYY-MM-DD")
        return None

    def count(self, value: Mapping[str, object], key: str) -> int | None:
        given = value.get(key)
        if given is None:
            return None
        whole = isinstance(given, int) and not isinstance(given, bool)
        if isinstance(given, float) and given.is_integer():
            whole, given = True, int(given)
        if not whole or not isinstance(given, int) or not 0 <= given <= MAX_COUNT:
            self.fault(f"{key} is not a whole number of employees")
            return None
        return given


def read_contract(
    value: object, declared: Declared, place: str, notes: tuple[str, ...] = ()
) -> ExtractedDocument | tuple[str, ...]:
    """Return the document that an answer describes, or what is wrong with the answer. `place` names its source."""
    if not isinstance(value, Mapping):
        return ("the answer is not a JSON object",)
    reader = _Reader()
    reader.keys(value, KEYS, "")
    reader.currency = _currency(value, reader)
    stated = reader.currency
    reader.currency = stated or declared.currency
    event_ref, run = reader.text(value, "event_ref"), reader.text(value, "payroll_run_id")
    if event_ref and run and fold(event_ref) != fold(run):
        reader.fault("event_ref and payroll_run_id differ")
    read = ExtractedDocument(
        declared.doc_id,
        declared.filename,
        _doc_type(value, reader),
        reader.text(value, "company"),
        _period(value, reader),
        stated,
        event_ref or run,
        gross_pay_total=reader.money(value, "gross_pay_total"),
        employer_cost_total=reader.money(value, "employer_cost_total"),
        employer_social_security_total=reader.money(value, "employer_social_security_total"),
        net_pay_total=reader.money(value, "net_pay_total"),
        employee_count=reader.count(value, "employee_count"),
        payment_date=reader.day(value, "payment_date"),
        employees=_employees(value, reader),
        invoice=_invoice(value.get("invoice"), reader),
        notes=notes,
    )
    if reader.faults:
        return tuple(reader.faults)
    return _completed(read, declared, place)


def _completed(read: ExtractedDocument, declared: Declared, place: str) -> ExtractedDocument:
    doc_type = read.doc_type
    if doc_type is DocType.UNKNOWN:
        known = replace(read, doc_type=declared.doc_type, company=read.company or declared.company)
        doc_type = classify(known)
    period = read.period
    if period is None and read.invoice is not None and read.invoice.invoice_date is not None:
        period = f"{read.invoice.invoice_date:%Y-%m}"
    names = ("company", "period", "currency", "event_ref", "employee_count", "payment_date", *TOTALS)
    sources = tuple(
        FieldSource(name, str(getattr(read, name)), place) for name in names if getattr(read, name) is not None
    )
    whole = replace(read, doc_type=doc_type, period=period, sources=sources)
    return replace(whole, missing=missing_of(whole))


def _doc_type(value: Mapping[str, object], reader: _Reader) -> DocType:
    given = value.get("doc_type")
    if given is None:
        return DocType.UNKNOWN
    if given not in [each.value for each in DocType]:
        reader.fault(f"doc_type is none of {', '.join(each.value for each in DocType)}")
        return DocType.UNKNOWN
    return DocType(str(given))


def _currency(value: Mapping[str, object], reader: _Reader) -> str | None:
    text = reader.text(value, "currency")
    code = known_currency(text)
    if text is not None and (code is None or fold(text) != code.casefold()):
        reader.fault("currency is not a code of ISO 4217")
        return None
    return code


def _period(value: Mapping[str, object], reader: _Reader) -> str | None:
    text = reader.text(value, "period")
    period = canonical_period(text) if text else None
    if text is not None and period is None:
        reader.fault("period is not YYYY, YYYY-Qn, YYYY-MM or YYYY-MM-DD")
    return period


def _employees(value: Mapping[str, object], reader: _Reader) -> tuple[EmployeeEvidence, ...]:
    given = [key for key in ("employee", "payslip", "employees") if value.get(key) is not None]
    if len(given) > 1:
        reader.fault(f"{' and '.join(given)} are given together")
        return ()
    if not given:
        return ()
    held = value[given[0]]
    if given[0] != "employees":
        return (_employee(held, reader, f"{given[0]}: "),)
    if not isinstance(held, Sequence) or isinstance(held, str):
        reader.fault("employees is not a list")
        return ()
    if len(held) > MAX_EMPLOYEES:
        reader.fault(f"employees has more than {MAX_EMPLOYEES} entries")
        return ()
    return tuple(_employee(each, reader, f"employees[{place}]: ") for place, each in enumerate(held))


def _employee(value: object, reader: _Reader, where: str) -> EmployeeEvidence:
    if not isinstance(value, Mapping):
        reader.fault(f"{where}is not an object")
        return EmployeeEvidence()
    reader.keys(value, _EMPLOYEE_KEYS, where)
    own, code = reader.text(value, "employee_id", where), reader.text(value, "employee_code", where)
    if own and code and fold(own) != fold(code):
        reader.fault(f"{where}employee_id and employee_code differ")
    pay = {name: reader.money(value, name, where) for name in PAY}
    return EmployeeEvidence(own or code, reader.text(value, "name", where) or own or code, **pay)


def _invoice(value: object, reader: _Reader) -> InvoiceEvidence | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        reader.fault("invoice is not an object")
        return None
    reader.keys(value, _INVOICE_KEYS, "invoice: ")
    status = reader.text(value, "status", "invoice: ")
    if status is not None and status not in STATUSES:
        reader.fault(f"invoice: status is none of {', '.join(STATUSES)}")
    return InvoiceEvidence(
        invoice_ref=reader.text(value, "invoice_ref", "invoice: "),
        vendor=reader.text(value, "vendor", "invoice: "),
        customer=reader.text(value, "customer", "invoice: "),
        invoice_date=reader.day(value, "invoice_date", "invoice: "),
        total=reader.money(value, "total", "invoice: "),
        net_total=reader.money(value, "net_total", "invoice: "),
        tax_total=reader.money(value, "tax_total", "invoice: "),
        paid_amount=reader.money(value, "paid_amount", "invoice: ", negative=True),
        status=status,
        payment_date=reader.day(value, "payment_date", "invoice: "),
    )
