"""A payroll of any size made on the fly: register (XLSX), the bank's PDF, a payslip PDF for each employee.

Rules: nothing is written to disk; the same arguments give the same facts. One payslip may be corrupt: its first bytes
still say PDF. Totals are those of register and bank, whole whatever became of a payslip.
It does not know who reads it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tests.bench.documents import sheets, spreadsheets
from tests.bench.documents.facts import Payroll, payroll
from tests.bench.documents.layouts_build import label_value
from tests.bench.documents.wording import ENGLISH

CORRUPT = b"%PDF-1.4\n%damaged on its way\n" + bytes(200)


@dataclass(frozen=True, slots=True)
class PayrollPapers:
    """The files of a payroll by name, and the facts behind them."""

    pay: Payroll
    register: tuple[str, bytes]
    bank: tuple[str, bytes]
    payslips: Mapping[str, bytes]
    corrupt: str | None
    whole_slip: bytes


def papers(
    employees: int = 400,
    *,
    corrupt: int | None = 217,
    company: str = "Brackenfield Mills Ltd",
    period: str = "2026-05",
    currency: str = "GBP",
    seed: str = "four hundred",
) -> PayrollPapers:
    """Make a payroll's files; `corrupt` is the place of the damaged payslip, from 0, None for none.

    `whole_slip` is the corrupt employee's payslip undamaged (or the first one), to be sent afterwards.
    """
    pay = payroll(seed, "en", company, period, currency, employees)
    book, _, _ = spreadsheets.register(pay, "en", "build", ENGLISH, spreadsheets.Form("xlsx"))
    slips: dict[str, bytes] = {}
    whole, broken = b"", None
    for number, worker in enumerate(pay.workers):
        name = f"payslip-{worker.employee_id}.pdf"
        slips[name] = label_value(sheets.payslip(pay, worker, "en", "build", ENGLISH))
        if number == (corrupt or 0):
            whole = slips[name]
        if number == corrupt:
            slips[name], broken = CORRUPT, name
    bank = label_value(sheets.bank(pay, "en", "build", ENGLISH))
    return PayrollPapers(pay, ("register.xlsx", book), ("bank.pdf", bank), slips, broken, whole)
