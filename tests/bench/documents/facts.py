"""What a sample document is about: payrolls and invoices of invented companies, before anything is drawn.

Rules: money is Decimal in whole minor units; every payroll keeps gross = net + contribution + tax and cost = gross +
employer's contribution for each employee; everything follows from the seed. Faults are put in by `replace`, never here.
It does not know layouts, languages' words or files.
Source: the contract of the document pipeline (archon-behaviour.md 7), in our own numbers.
"""

import random
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from shared.domain.currencies import MINOR_DIGITS

EMPLOYEE_SHARE_PERCENT = (2, 5)  # of gross; chosen so that R2's default band holds
TAX_SHARE_PERCENT = (5, 9)
EMPLOYER_SHARE_PERCENT = (20, 24)

NAMES: dict[str, tuple[str, ...]] = {
    "en": tuple(
        "Isla Fenwood, Piers Oakhanger, Maud Sallowby, Corin Thripp, Nell Quarrender, Jory Pelham, Tamsin Brack, "
        "Ewan Littlemere, Hester Vane, Rufus Applegarth, Wren Dunsany, Abel Harrowgate".split(", ")
    ),
    "de": tuple(
        "Jörg Käsbichler, Änne Voßwinkel, Gesa Trautmühl, Ruprecht Ödenwald, Wiebke Sünnemann, Lorenz Haselgruß, "
        "Imke Dörrbach, Veit Hollerstedt, Dörthe Küstenmay, Alrik Süßkorn, Frauke Möhlenhof, Eike Brüsewitz".split(", ")
    ),
    "ko": tuple(
        "도하람, 봉새론, 류다솔, 편가온, 피나래, 추미르, 감한솔, 옥보름, 경누리, 선달래, 제아름, 마루한".split(", ")
    ),
}


@dataclass(frozen=True, slots=True)
class Worker:
    """One employee's month."""

    employee_id: str
    name: str
    gross: Decimal
    employee_social_security: Decimal
    tax: Decimal
    net: Decimal
    employer_social_security: Decimal
    employer_cost: Decimal


@dataclass(frozen=True, slots=True)
class Payroll:
    """A month of a company: what register, bank and payslips tell together."""

    company: str
    period: str
    currency: str | None
    digits: int
    run: str | None
    workers: tuple[Worker, ...]
    paid_on: date
    bank: str

    def total(self, name: str) -> Decimal:
        """Add one amount over all employees."""
        return sum((getattr(worker, name) for worker in self.workers), Decimal(0))


@dataclass(frozen=True, slots=True)
class Invoice:
    """An invoice as one company holds it, with what is known of its payment."""

    type: str
    company: str
    party: str
    ref: str
    issued: date
    due: date
    currency: str
    digits: int
    lines: tuple[tuple[str, int, Decimal], ...]
    tax_percent: int
    paid_amount: Decimal | None = None
    paid_on: date | None = None
    order: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def period(self) -> str:
        """Name the month of the invoice's date."""
        return f"{self.issued:%Y-%m}"

    @property
    def subtotal(self) -> Decimal:
        """Add the lines, before tax."""
        return sum((quantity * price for _, quantity, price in self.lines), Decimal(0))

    @property
    def tax(self) -> Decimal:
        """Return the tax on all lines, in whole minor units."""
        return (self.subtotal * self.tax_percent / 100).quantize(Decimal(1).scaleb(-self.digits))

    @property
    def total(self) -> Decimal:
        """Return what is to be paid."""
        return self.subtotal + self.tax


def payroll(
    seed: str,
    language: str,
    company: str,
    period: str,
    currency: str | None,
    employees: int,
    *,
    run: str | None = None,
    bank: str = "Tarnside Bank",
    pay_day: int = 27,
    prefix: str = "E-",
    scale: int = 1,
    digits: int | None = None,
) -> Payroll:
    """Draw a payroll. Units: `scale` multiplies amounts, for currencies whose unit is small."""
    draw = random.Random(f"payroll {seed}")
    places = digits if digits is not None else MINOR_DIGITS[currency] if currency else 2
    step = Decimal(1).scaleb(-places)
    names = NAMES[language]
    workers = []
    for number in range(employees):
        gross = (Decimal(draw.randrange(240_000, 690_000)) / 100 * scale).quantize(step)
        if places == 0:
            gross = (gross / 1000).quantize(Decimal(1)) * 1000 if scale >= 100 else gross
        contribution, tax, own = (
            (gross * draw.randrange(low * 100, high * 100) / 10_000).quantize(step)
            for low, high in (EMPLOYEE_SHARE_PERCENT, TAX_SHARE_PERCENT, EMPLOYER_SHARE_PERCENT)
        )
        name = names[number % len(names)]
        if number >= len(names):
            name = f"{name} {number // len(names) + 1}"
        workers.append(
            Worker(
                f"{prefix}{number + 1:0{3 if employees > 99 else 2}d}",
                name,
                gross,
                contribution,
                tax,
                gross - contribution - tax,
                own,
                gross + own,
            )
        )
    year, month = map(int, period.split("-"))
    return Payroll(company, period, currency, places, run, tuple(workers), date(year, month, pay_day), bank)
