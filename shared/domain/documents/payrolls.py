"""Payslips, payroll registers and bank confirmations out of what was found of them.

Rules: a deduction that is written with a minus is the same deduction. A register's totals are its row of totals or
its labels; a total that is not stated is the sum of its rows where every row has the amount, and the third of gross,
cost and contribution follows from the two others. It does not know rules R1 to R6.
Source: archon-behaviour 7.2.
"""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from shared.domain.documents.found import Found
from shared.domain.documents.tables import Row, Table
from shared.domain.money.evidence import DocType, EmployeeEvidence, ExtractedDocument

_PAY = ("gross", "employee_social_security", "tax", "net", "employer_social_security", "employer_cost")
_DEDUCTED = frozenset(("employee_social_security", "tax"))
_TOTALS = (
    ("gross", "gross_pay_total"),
    ("employer_social_security", "employer_social_security_total"),
    ("employer_cost", "employer_cost_total"),
    ("net", "net_pay_total"),
)


def payslip(found: Found, start: ExtractedDocument) -> ExtractedDocument:
    """Return a payslip."""
    pay = {name: _deducted(name, found.amount(name)) for name in _PAY}
    employee = EmployeeEvidence(found.text("employee_id"), found.text("name"), **pay)
    return replace(start, doc_type=DocType.PAYSLIP, payment_date=found.day("payment_date"), employees=(employee,))


def register(found: Found, start: ExtractedDocument, table: Table | None) -> ExtractedDocument:
    """Return a register: its rows, and totals that are stated or follow."""
    employees = tuple(_employee(found, row, place) for place, row in enumerate(table.rows if table else ()))
    totals = {field: _total(found, table, name, field) for name, field in _TOTALS}
    for name, field in _TOTALS:
        if totals[field] is None:
            totals[field] = _sum(found, employees, name, field)
    _third(found, totals)
    count = found.count()
    if count is None and employees:
        count = len(employees)
        found.derived("employee_count", "the number of rows")
    return replace(
        start,
        doc_type=DocType.PAYROLL_REGISTER,
        gross_pay_total=totals["gross_pay_total"],
        employer_cost_total=totals["employer_cost_total"],
        employer_social_security_total=totals["employer_social_security_total"],
        net_pay_total=totals["net_pay_total"],
        employee_count=count,
        payment_date=found.day("payment_date"),
        employees=employees,
    )


def bank(found: Found, start: ExtractedDocument, table: Table | None) -> ExtractedDocument:
    """Return a bank's confirmation of what was paid out."""
    net = found.amount("net", "net_pay_total")
    if net is None and table is not None and table.totals is not None:
        net = found.cell(table.totals, "net", "net_pay_total")
        if net is not None:
            found.source("net_pay_total", table.totals.text, table.totals.line)
    return replace(
        start,
        doc_type=DocType.BANK_CONFIRMATION,
        net_pay_total=net,
        employee_count=found.count(),
        payment_date=found.day("payment_date"),
    )


def _employee(found: Found, row: Row, place: int) -> EmployeeEvidence:
    named = f"employees[{place}]"
    found.source(named, row.text, row.line)
    pay = {name: _deducted(name, found.cell(row, name, f"{named}.{name}")) for name in _PAY}
    return EmployeeEvidence(row.cells.get("employee_id") or None, row.cells.get("name") or None, **pay)


def _deducted(name: str, amount: Decimal | None) -> Decimal | None:
    return abs(amount) if amount is not None and name in _DEDUCTED else amount


def _total(found: Found, table: Table | None, name: str, field: str) -> Decimal | None:
    stated = found.amount(name, field)
    if stated is not None or table is None or table.totals is None:
        return stated
    total = found.cell(table.totals, name, field)
    if total is not None:
        found.source(field, table.totals.text, table.totals.line)
    return total


def _sum(found: Found, employees: Sequence[EmployeeEvidence], name: str, field: str) -> Decimal | None:
    amounts: list[Decimal | None] = [getattr(employee, name) for employee in employees]
    if not amounts or any(amount is None for amount in amounts):
        return None
    found.derived(field, "the sum of the rows")
    return sum((amount for amount in amounts if amount is not None), Decimal(0))


def _third(found: Found, totals: dict[str, Decimal | None]) -> None:
    gross, own, cost = (totals[f"{name}_total"] for name in ("gross_pay", "employer_social_security", "employer_cost"))
    if gross is not None and own is not None and cost is None:
        totals["employer_cost_total"] = gross + own
        found.derived("employer_cost_total", "gross and contribution")
    elif gross is not None and cost is not None and own is None:
        totals["employer_social_security_total"] = cost - gross
        found.derived("employer_social_security_total", "cost less gross")
    elif cost is not None and own is not None and gross is None:
        totals["gross_pay_total"] = cost - own
        found.derived("gross_pay_total", "cost less contribution")
