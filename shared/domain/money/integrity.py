"""Whether payroll figures add up: of one employee, of a register, of a whole event.

Rules: gross is net, contribution and tax together; cost is gross and the employer's contribution together. Two amounts
agree within one minor unit of the currency. A whole event's totals are the sums of its employees. Everything that does
not add up is named, with both figures.
It does not know which document is right.
Source: archon-behaviour 7.2, 7.6; minor units by ISO 4217.
"""

from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal

from shared.domain.errors import InvalidArgument, Violation
from shared.domain.money.amounts import agree, plain, rounded
from shared.domain.money.evidence import EmployeeEvidence, ExtractedDocument
from shared.domain.money.payroll import Employee, PayrollEvent, totals

_AMOUNTS = ("gross", "employee_social_security", "tax", "net", "employer_social_security", "employer_cost")
EMPLOYEE_ID_MAX_CHARS = 128  # chosen, untested
VIOLATIONS_MAX = 20  # as draft.VIOLATIONS_MAX


def employee(evidence: EmployeeEvidence, currency: str | None, prefix: str = "") -> Employee:
    """Return an employee's pay, complete: what is not stated and follows is derived.

    Raises: InvalidArgument FIELD_MISSING, AMOUNT_NEGATIVE, INTEGRITY naming every wrong field.
    """
    wrong = [
        Violation(f"{prefix}{field}", "FIELD_MISSING", "was not found")
        for field in ("employee_id", "gross", "net")
        if getattr(evidence, field) in (None, "")
    ]
    wrong += [
        Violation(f"{prefix}{field}", "AMOUNT_NEGATIVE", f"is {plain(amount)}; must not be negative")
        for field in _AMOUNTS
        if (amount := getattr(evidence, field)) is not None and amount < 0
    ]
    if evidence.employee_id and (
        len(evidence.employee_id) > EMPLOYEE_ID_MAX_CHARS or not evidence.employee_id.isprintable()
    ):
        reason = f"must be at most {EMPLOYEE_ID_MAX_CHARS} printable characters"
        wrong.append(Violation(f"{prefix}employee_id", "LABEL_INVALID", reason))
    if evidence.employer_social_security is None and evidence.employer_cost is None:
        missing = "employer_social_security or employer_cost"
        wrong.append(Violation(f"{prefix}employer_cost", "FIELD_MISSING", f"was not found: {missing} is needed"))
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong))
    assert evidence.employee_id and evidence.gross is not None and evidence.net is not None
    cost, contribution = evidence.employer_cost, evidence.employer_social_security
    if cost is None:
        cost = evidence.gross + (contribution or Decimal(0))
    found = Employee(
        employee_id=evidence.employee_id,
        name=evidence.name or evidence.employee_id,
        gross=evidence.gross,
        employee_social_security=evidence.employee_social_security or Decimal(0),
        tax=evidence.tax or Decimal(0),
        net=evidence.net,
        employer_social_security=cost - evidence.gross if contribution is None else contribution,
        employer_cost=cost,
    )
    refuse(_of_employee(found, currency, prefix))
    return found


def register(document: ExtractedDocument) -> tuple[Decimal, Decimal, Decimal]:
    """Return gross, employer contribution and employer cost of a register, the third derived where two are stated.

    Totals that are not stated are the sums of its rows. Raises: InvalidArgument FIELD_MISSING, INTEGRITY.
    """
    gross, cost = document.gross_pay_total, document.employer_cost_total
    contribution = document.employer_social_security_total
    if sum(stated is not None for stated in (gross, cost, contribution)) < 2 and document.employees:
        rows = totals(
            tuple(employee(e, document.currency, f"employees[{i}].") for i, e in enumerate(document.employees))
        )
        gross = rows.gross if gross is None else gross
        cost = rows.employer_cost if cost is None else cost
        contribution = rows.employer_social_security if contribution is None else contribution
    if gross is None and cost is not None and contribution is not None:
        gross = cost - contribution
    if cost is None and gross is not None and contribution is not None:
        cost = gross + contribution
    if contribution is None and gross is not None and cost is not None:
        contribution = cost - gross
    if gross is None or cost is None or contribution is None:
        reason = "two of gross, employer cost and employer social security in total were not found"
        raise InvalidArgument.of("gross_pay_total", "FIELD_MISSING", reason)
    refuse(
        _sum("employer_cost_total", cost, gross + contribution, "gross and employer social security", document.currency)
    )
    for name, amount in (("gross_pay_total", gross), ("employer_social_security_total", contribution)):
        if amount < 0:
            raise InvalidArgument.of(name, "AMOUNT_NEGATIVE", f"is {plain(amount)}; must not be negative")
    return gross, contribution, cost


def event(found: PayrollEvent, *, whole: bool) -> None:
    """Check an event; `whole` says that its employees are all there.

    Raises: InvalidArgument INTEGRITY naming everything that does not add up, at most 20.
    """
    refuse(_of_event(found, whole))


def refuse(wrong: Iterator[Violation]) -> None:
    """Raise what is wrong, if anything is. Raises: InvalidArgument."""
    found = tuple(violation for _, violation in zip(range(VIOLATIONS_MAX), wrong, strict=False))
    if found:
        raise InvalidArgument.of_all(found)


def _of_employee(found: Employee, currency: str | None, prefix: str) -> Iterator[Violation]:
    parts = found.gross + found.employer_social_security
    yield from _sum(
        f"{prefix}employer_cost", found.employer_cost, parts, "gross and employer social security", currency
    )
    parts = found.net + found.employee_social_security + found.tax
    yield from _sum(f"{prefix}gross", found.gross, parts, "net, employee social security and tax", currency)


def _of_event(found: PayrollEvent, whole: bool) -> Iterator[Violation]:
    code = found.currency
    for field in fields(found):
        amount = getattr(found, field.name)
        if isinstance(amount, Decimal) and amount < 0:
            yield Violation(field.name, "AMOUNT_NEGATIVE", f"is {plain(amount)}; must not be negative")
    parts = found.gross_total + found.employer_social_security_total
    words = "gross and employer social security in total"
    yield from _sum("employer_cost_total", found.employer_cost_total, parts, words, code)
    for position, one in enumerate(found.employees):
        yield from _of_employee(one, code, f"employees[{position}].")
    if not whole:
        return
    if found.employee_count != len(found.employees):
        reason = f"is {found.employee_count}; {len(found.employees)} employees are listed"
        yield Violation("employee_count", "INTEGRITY", reason)
    sums = totals(found.employees)
    for name, stated, summed in (
        ("gross_total", found.gross_total, sums.gross),
        ("employer_social_security_total", found.employer_social_security_total, sums.employer_social_security),
        ("employee_social_security_total", found.employee_social_security_total, sums.employee_social_security),
        ("tax_withheld_total", found.tax_withheld_total, sums.tax),
        ("employer_cost_total", found.employer_cost_total, sums.employer_cost),
        ("bank_net_total", found.bank_net_total, sums.net),
    ):
        yield from _sum(name, stated or Decimal(0), summed, "the employees' amounts", code)


def _sum(field: str, stated: Decimal, summed: Decimal, words: str, currency: str | None) -> Iterator[Violation]:
    if not agree(stated, summed, currency):
        shown = f"{plain(rounded(stated, currency))}; {words} add up to {plain(rounded(summed, currency))}"
        yield Violation(field, "INTEGRITY", f"is {shown}")
