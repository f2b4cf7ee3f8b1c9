"""One payroll event: what a company paid its staff for a period, whole and checked by integrity.py.

Rules: totals are exact decimals; those of social security and tax of the employees are None while payslips are missing,
because nothing else states them. What follows from totals is computed, never read.
It does not know how documents came together (linking.py).
Source: archon-behaviour 1.12, 7.6.
"""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_EVEN, Context, Decimal

_WIDE = Context(prec=60)  # digits; quotients are rounded afterwards


@dataclass(frozen=True, slots=True)
class Employee:
    """One employee's pay, complete."""

    employee_id: str
    name: str
    gross: Decimal
    employee_social_security: Decimal
    tax: Decimal
    net: Decimal
    employer_social_security: Decimal
    employer_cost: Decimal


@dataclass(frozen=True, slots=True)
class PayrollEvent:
    """A payroll event. `currency` None is unknown, never assumed. `linked_docs` are the documents it came from."""

    event_id: str
    event_ref: str
    company: str
    period: str
    employee_count: int
    bank_net_total: Decimal
    gross_total: Decimal
    employer_social_security_total: Decimal
    employer_cost_total: Decimal
    employee_social_security_total: Decimal | None = None
    tax_withheld_total: Decimal | None = None
    currency: str | None = None
    payment_date: date | None = None
    employees: tuple[Employee, ...] = ()
    linked_docs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from an event's totals. Units: percentages of the net, rounded to one decimal; 0 when it is 0."""

    cost_gap_amount: Decimal
    cost_gap_pct: Decimal
    off_bank_cost: Decimal
    off_bank_cost_pct: Decimal


@dataclass(frozen=True, slots=True)
class Totals:
    """The sums over employees."""

    gross: Decimal
    employee_social_security: Decimal
    tax: Decimal
    net: Decimal
    employer_social_security: Decimal
    employer_cost: Decimal


def totals(employees: tuple[Employee, ...]) -> Totals:
    """Return the sums over employees."""
    zero = Decimal(0)
    return Totals(
        gross=sum((e.gross for e in employees), zero),
        employee_social_security=sum((e.employee_social_security for e in employees), zero),
        tax=sum((e.tax for e in employees), zero),
        net=sum((e.net for e in employees), zero),
        employer_social_security=sum((e.employer_social_security for e in employees), zero),
        employer_cost=sum((e.employer_cost for e in employees), zero),
    )


def derived(event: PayrollEvent) -> Derived:
    """Return what follows from an event's totals."""
    off_bank = event.employer_cost_total - event.bank_net_total
    return Derived(
        cost_gap_amount=event.employer_social_security_total,
        cost_gap_pct=percent(event.employer_social_security_total, event.bank_net_total, "0.1") or Decimal(0),
        off_bank_cost=off_bank,
        off_bank_cost_pct=percent(off_bank, event.bank_net_total, "0.1") or Decimal(0),
    )


def percent(part: Decimal, whole: Decimal, step: str) -> Decimal | None:
    """Return a part in percent of a positive whole, rounded to a step; None when the whole is not positive.

    Ties: half to even.
    """
    if whole <= 0:
        return None
    return _WIDE.divide(part * 100, whole).quantize(Decimal(step), rounding=ROUND_HALF_EVEN, context=_WIDE)
