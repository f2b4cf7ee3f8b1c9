"""The six rules that payroll evidence is held against, R1 to R6.

Rules: a rule without its evidence is not evaluated, which is no failure. A result names the figures it compared and the
documents they stand in. Bands are settings.
It does not know why figures differ.
Source: archon-behaviour 7.5, its bands as defaults.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from decimal import Context, Decimal
from enum import StrEnum, unique

from shared.domain.money.amounts import minor_unit, plain, rounded, spoken
from shared.domain.money.linking import LinkedEvent, Piece
from shared.domain.money.payroll import Totals, percent, totals
from shared.domain.periods import period_bounds

_WIDE = Context(prec=60)  # digits


@dataclass(frozen=True, slots=True)
class RuleBands:
    """What the rules let pass. Units: percentages and ratios are exact decimals; days."""

    net_difference_max_pct: Decimal = Decimal(2)
    cost_ratio_min: Decimal = Decimal("1.25")
    cost_ratio_max: Decimal = Decimal("1.45")
    payment_grace_days: int = 7
    total_difference_max_pct: Decimal = Decimal("0.1")


@unique
class RuleStatus(StrEnum):
    """How a rule came out."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_EVALUATED = "not_evaluated"


@unique
class Severity(StrEnum):
    """How much a result matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class RuleResult:
    """How one rule came out. `figures` are the compared ones, by name; `documents` the ids they stand in."""

    rule: str
    title: str
    status: RuleStatus
    severity: Severity
    message: str
    figures: tuple[tuple[str, str], ...] = ()
    documents: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Tell whether the rule holds."""
        return self.status is RuleStatus.PASSED


TITLES = {
    "R1": "bank net against the payslips' net",
    "R2": "employer cost against bank net",
    "R3": "payment date",
    "R4": "declared employees against payslips",
    "R5": "register gross against the payslips' gross",
    "R6": "register employer cost against the payslips' employer cost",
}


def evaluate(linked: LinkedEvent, bands: RuleBands | None = None) -> tuple[RuleResult, ...]:
    """Return how each of the six rules comes out for an event."""
    return tuple(_results(linked, bands or RuleBands()))


def _results(linked: LinkedEvent, bands: RuleBands) -> Iterator[RuleResult]:
    register, bank, slips, code = linked.register, linked.bank, linked.payslips, linked.currency
    sums = totals(tuple(one.employee for one in slips if one.employee)) if linked.has_all_payslips else None
    net = bank.document.net_pay_total if bank else None
    yield _net(bank, net, slips, sums, code, bands)
    yield _ratio(register, bank, net, code, bands)
    yield _paid_in_time(linked, bands)
    yield _count(linked)
    gross, cost = (register.gross, register.cost) if register else (None, None)
    yield _same("R5", register, gross, slips, sums.gross if sums else None, code, bands)
    yield _same("R6", register, cost, slips, sums.employer_cost if sums else None, code, bands)


def _net(
    bank: Piece | None,
    net: Decimal | None,
    slips: tuple[Piece, ...],
    sums: Totals | None,
    code: str | None,
    bands: RuleBands,
) -> RuleResult:
    if bank is None or net is None or sums is None:
        return _open("R1", "needs a bank confirmation and every payslip")
    share = percent(abs(net - sums.net), sums.net, "0.01")
    figures = (("bank_net_total", plain(net)), ("payslip_net_total", plain(sums.net)))
    said = f"the bank paid {spoken(net, code)}, the payslips say {spoken(sums.net, code)}"
    documents = (bank.doc_id, *(one.doc_id for one in slips))
    if share is None:
        return _result("R1", False, Severity.WARNING, said, figures, documents)
    within = abs(net - sums.net) * 100 <= sums.net * bands.net_difference_max_pct
    said += f": {share} % apart, at most {bands.net_difference_max_pct} % are allowed"
    return _result("R1", within, Severity.ERROR, said, figures, documents)


def _ratio(
    register: Piece | None, bank: Piece | None, net: Decimal | None, code: str | None, bands: RuleBands
) -> RuleResult:
    if register is None or register.cost is None or bank is None or net is None:
        return _open("R2", "needs a payroll register and a bank confirmation")
    cost = register.cost
    figures = (("employer_cost_total", plain(cost)), ("bank_net_total", plain(net)))
    said = f"employer cost is {spoken(cost, code)}, bank net {spoken(net, code)}"
    if cost <= 0 or net <= 0:
        return _result("R2", False, Severity.WARNING, said, figures, (register.doc_id, bank.doc_id))
    ratio = _WIDE.divide(cost, net).quantize(Decimal("0.001"), context=_WIDE)
    within = net * bands.cost_ratio_min <= cost <= net * bands.cost_ratio_max
    said += f": ratio {ratio}, between {bands.cost_ratio_min} and {bands.cost_ratio_max} is expected"
    return _result("R2", within, Severity.WARNING, said, figures, (register.doc_id, bank.doc_id))


def _paid_in_time(linked: LinkedEvent, bands: RuleBands) -> RuleResult:
    bank = linked.bank
    paid_on = bank.document.payment_date if bank else None
    if bank is None or paid_on is None:
        return _open("R3", "needs a bank confirmation with a payment date")
    latest = period_bounds(linked.period)[1] + timedelta(days=bands.payment_grace_days)
    figures = (("payment_date", f"{paid_on}"), ("latest_date", f"{latest}"))
    said = f"paid on {paid_on}; {latest} is the latest day for {linked.period}"
    return _result("R3", paid_on <= latest, Severity.WARNING, said, figures, (bank.doc_id,))


def _count(linked: LinkedEvent) -> RuleResult:
    declared, slips = linked.declared_count, linked.payslips
    if declared is None or not slips:
        return _open("R4", "needs a declared number of employees and payslips")
    figures = (("employee_count", str(declared)), ("payslips", str(len(slips))))
    said = f"{declared} employees are declared, {len(slips)} payslips are there"
    declaring = (
        one.doc_id for one in (linked.register, linked.bank) if one and one.document.employee_count is not None
    )
    documents = (*declaring, *(one.doc_id for one in slips))
    return _result("R4", declared == len(slips), Severity.WARNING, said, figures, documents)


def _same(
    rule: str,
    register: Piece | None,
    stated: Decimal | None,
    slips: tuple[Piece, ...],
    summed: Decimal | None,
    code: str | None,
    bands: RuleBands,
) -> RuleResult:
    if register is None or stated is None or summed is None:
        return _open(rule, "needs a payroll register and every payslip")
    apart = abs(stated - summed)
    scale = max(abs(stated), abs(summed), Decimal(1))
    within = apart <= minor_unit(code) or apart * 100 <= scale * bands.total_difference_max_pct
    name = "gross" if rule == "R5" else "employer cost"
    said = f"the register's {name} is {spoken(stated, code)}, the payslips' {spoken(summed, code)}"
    if not within:
        said += f": {spoken(rounded(apart, code), code)} apart"
    figures = (
        (f"register_{name.replace(' ', '_')}_total", plain(stated)),
        (f"payslip_{name.replace(' ', '_')}_total", plain(summed)),
    )
    return _result(rule, within, Severity.ERROR, said, figures, (register.doc_id, *(one.doc_id for one in slips)))


def _open(rule: str, needs: str) -> RuleResult:
    return RuleResult(rule, TITLES[rule], RuleStatus.NOT_EVALUATED, Severity.INFO, f"not evaluated: {needs}")


def _result(
    rule: str,
    passed: bool,
    severity: Severity,
    said: str,
    figures: tuple[tuple[str, str], ...],
    documents: tuple[str, ...],
) -> RuleResult:
    status = RuleStatus.PASSED if passed else RuleStatus.FAILED
    return RuleResult(rule, TITLES[rule], status, Severity.INFO if passed else severity, said, figures, documents)
