"""Evidence that arrives over requests, and what the books say after each: events, rules, invoices, profit and loss.

Rules: expected figures are added up here from the facts, by the contract's words, without the product's code; every
rule is said to pass unless a scenario names it. Files of both halves are drawn in the layouts of their half.
It does not know HTTP. Source: archon-behaviour.md 7.4 to 7.9; issue 6, what it must show.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from tests.bench.documents import damage, sheets, spreadsheets
from tests.bench.documents.catalogue import FIRMS, LAYOUTS, MANY, WRITINGS, Firm, Specimen, bill, part_paid, pay_of
from tests.bench.documents.drawing import MARGIN_POINTS, Page
from tests.bench.documents.facts import Invoice, Payroll, Worker
from tests.bench.documents.sheets import Sheet, plain
from tests.bench.documents.spreadsheets import Form
from tests.bench.documents.wording import Writing

RULES = ("R1", "R2", "R3", "R4", "R5", "R6")
R2_BAND = (Decimal("1.25"), Decimal("1.45"))
ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class Step:
    """One request: its files, which of them are refused, and the state of the books after it."""

    files: tuple[Specimen, ...]
    events: tuple[Mapping[str, Any], ...] | None
    pnl: Mapping[str, Any]
    refused: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A story in requests, about one company."""

    name: str
    half: str
    company: str
    tells: str
    steps: tuple[Step, ...]

    @property
    def papers(self) -> list[Specimen]:
        """Return the files of all steps."""
        return [paper for step in self.steps for paper in step.files]

    def as_json(self) -> dict[str, Any]:
        """Give what is committed beside the files."""
        return {
            "name": self.name,
            "company": self.company,
            "tells": self.tells,
            "requests": [
                {
                    "files": [{"file": paper.file, "declared": dict(paper.declared)} for paper in step.files],
                    "refused": list(step.refused),
                    "waitingFor": list(step.waiting),
                    "tellsOneOf": list(step.told),
                    "events": None if step.events is None else [dict(event) for event in step.events],
                    "pnl": dict(step.pnl),
                }
                for step in self.steps
            ],
        }


@dataclass(slots=True)
class Desk:
    """Draws the papers of one scenario."""

    half: str
    name: str
    language: str
    writing: Writing
    line: str
    papers: int = 0
    layouts: Sequence[str] = field(default_factory=tuple)

    def draw(self, sheet: Sheet, name: str) -> Specimen:
        """Draw a sheet in the next layout of the half."""
        layout = self.layouts[self.papers % len(self.layouts)]
        self.papers += 1
        return self.file(f"{name}.pdf", "pdf", LAYOUTS[self.half][layout](sheet), layout, sheet.declared)

    def file(
        self, name: str, format_: str, raw: bytes, layout: str = "none", declared: Mapping[str, str] | None = None
    ) -> Specimen:
        """Name a file of the scenario."""
        path = f"{self.half}/scenarios/{self.name}/{name}"
        return Specimen(path, "", layout, self.language, format_, raw, declared=declared or {})

    def register(self, pay: Payroll, **given: Any) -> Specimen:
        """Draw a register."""
        return self.draw(
            sheets.register(pay, self.language, self.half, self.writing, line=self.line, **given), "register"
        )

    def bank(self, pay: Payroll, **given: Any) -> Specimen:
        """Draw a bank's confirmation."""
        return self.draw(sheets.bank(pay, self.language, self.half, self.writing, line=self.line, **given), "bank")

    def slip(self, pay: Payroll, worker: Worker, name: str = "") -> Specimen:
        """Draw a payslip."""
        sheet = sheets.payslip(pay, worker, self.language, self.half, self.writing, line=self.line)
        return self.draw(sheet, name or f"payslip_{worker.employee_id}")

    def slips(self, pay: Payroll) -> list[Specimen]:
        """Draw all payslips of a payroll."""
        return [self.slip(pay, worker) for worker in pay.workers]

    def invoice(self, one: Invoice, name: str, title: str = "") -> Specimen:
        """Draw an invoice or a receipt."""
        sheet = sheets.invoice(
            one, self.language, self.half, self.writing, title=title, line=self.line, rows=title != "receipt"
        )
        return self.draw(sheet, name)


def desk_of(half: str, name: str, language: str = "en") -> Desk:
    """Set up a desk that draws in the layouts of a half, the currency told apart where amounts carry none."""
    writing, line, _ = WRITINGS[language, half][1]
    if not line and writing.mark == "none":
        line = "code"
    layouts = [layout for layout in LAYOUTS[half] if layout != MANY[half]]
    return Desk(half, name, language, writing, line, layouts=layouts)


def event(pay: Payroll, **rules: str) -> dict[str, Any]:
    """Say what an event of a payroll must look like; `rules` names those that do not pass."""
    ratio = pay.total("employer_cost") / pay.total("net")
    if "R2" not in rules and not R2_BAND[0] <= ratio <= R2_BAND[1]:
        raise ValueError(f"R2 would fail: {ratio}")
    return {
        "company": pay.company,
        "period": pay.period,
        "eventRef": pay.run,
        "currency": pay.currency,
        "rules": dict.fromkeys(RULES, "passed") | rules,
    }


def books(
    payrolls: Iterable[tuple[Payroll, Decimal, Decimal, Decimal]] = (), invoices: Iterable[Invoice] = ()
) -> dict[str, Any]:
    """Add up payrolls (each with gross, cost and net as register and bank tell) and invoices, per currency."""
    currencies: dict[str, dict[str, Decimal]] = {}
    names = (
        "employerCostTotal grossTotal cashOutTotal purchasesTotal purchaseCashOutTotal purchaseCashUnknownTotal "
        "revenueTotal"
    ).split()
    unknown = 0

    def row(currency: str) -> dict[str, Decimal]:
        return currencies.setdefault(currency, dict.fromkeys(names, ZERO))

    for pay, gross, cost, net in payrolls:
        if pay.currency is None:
            unknown += 1
            continue
        sums = row(pay.currency)
        sums["grossTotal"] += gross
        sums["employerCostTotal"] += cost
        sums["cashOutTotal"] += net
    for one in invoices:
        sums = row(one.currency)
        if one.type == "sales":
            sums["revenueTotal"] += one.total
            continue
        sums["purchasesTotal"] += one.total
        if one.paid_amount is None:
            sums["purchaseCashUnknownTotal"] += one.total
        else:
            sums["purchaseCashOutTotal"] += one.paid_amount
    by_currency = []
    for code, sums in sorted(currencies.items()):
        expenses = sums["employerCostTotal"] + sums["purchasesTotal"]
        figures = sums | {"totalExpenses": expenses, "netProfit": sums["revenueTotal"] - expenses}
        by_currency.append({"currency": code} | {name: plain(value) for name, value in figures.items()})
    status = "empty"
    if unknown:
        status = "mixed" if currencies else "unknown"
    elif currencies:
        status = "single" if len(currencies) == 1 else "mixed"
    return {"currencyStatus": status, "unknownCurrencyRecords": unknown, "byCurrency": by_currency}


def own(pay: Payroll) -> tuple[Payroll, Decimal, Decimal, Decimal]:
    """Return a payroll with the totals that its employees give."""
    return pay, pay.total("gross"), pay.total("employer_cost"), pay.total("net")


def _trading(half: str) -> Scenario:
    """Tell the demo's payroll and sales of an invented company with the same totals."""
    desk = desk_of(half, "trading")
    company = {"build": "Merrow Trading", "report": "Petrel Trading"}[half]
    rows = (
        ("E-01", "Ida Colne", 5000, 150, 350, 4500, 900, 5900),
        ("E-02", "Tam Reddish", 4000, 120, 280, 3600, 700, 4700),
        ("E-03", "Mirel Novar", 3000, 100, 200, 2700, 1000, 4000),
    )
    workers = tuple(Worker(key, name, *map(Decimal, amounts)) for key, name, *amounts in rows)
    pay = Payroll(company, "2026-05", "EUR", 2, "payroll-05", workers, date(2026, 5, 27), "Tarnside Bank")
    sales = [
        Invoice("sales", company, party, ref, day, day + timedelta(days=30), "EUR", 2, lines, 0)
        for party, ref, day, lines in (
            ("Cinder & Sage", "INV-SALES-101", date(2026, 5, 10), (("Tea, crates", 15, Decimal(1900)),)),
            ("Old Mill Foods", "INV-SALES-102", date(2026, 5, 20), (("Spices, sacks", 20, Decimal(710)),)),
        )
    ]
    files = [desk.register(pay), desk.bank(pay), *desk.slips(pay)]
    files += [desk.invoice(one, f"sales_{number}") for number, one in enumerate(sales, start=1)]
    step = Step(tuple(files), (event(pay),), books([own(pay)], sales))
    return Scenario("trading", half, company, "payroll and two sales; revenue 42,700, cost 14,600", (step,))


def _pieces(half: str) -> Scenario:
    desk = desk_of(half, "pieces", "de")
    firm = FIRMS["de", half]
    pay = pay_of(firm, "de", f"{half} pieces", "2026-06", 5)
    form = Form("xlsx") if half == "build" else Form(delimiter=";", encoding="cp1252", currency="column")
    raw, _, declared = spreadsheets.register(pay, "de", half, Writing(".", ",", "none", "dots", "slash"), form)
    register = desk.file(f"register.{form.format}", form.format, raw, declared=declared)
    steps = (
        Step((register,), (), books(), waiting=("bank_confirmation",)),
        Step(tuple(desk.slips(pay)), (), books(), waiting=("bank_confirmation",)),
        Step((desk.bank(pay),), (event(pay),), books([own(pay)])),
    )
    return Scenario("pieces", half, firm.name, "register, payslips and bank in three requests", steps)


def _korean(half: str) -> Scenario:
    desk = desk_of(half, "korean", "ko")
    firm = FIRMS["ko", half]
    pay = pay_of(firm, "ko", f"{half} korean", "2026-07", 4)
    raw, _, declared = spreadsheets.register(
        pay, "ko", half, Writing(",", ".", "none", "iso", "long"), Form(encoding="cp949")
    )
    files = (desk.file("register.csv", "csv", raw, declared=declared), desk.bank(pay), *desk.slips(pay))
    return Scenario(
        "korean", half, firm.name, "a CP949 register in won", (Step(files, (event(pay),), books([own(pay)])),)
    )


def _wrong(half: str) -> list[Scenario]:
    """Tell payrolls of which one paper disagrees with the others."""
    firm = FIRMS["en", half]
    told = []

    def pay_for(name: str, employees: int = 4, **given: Any) -> tuple[Desk, Payroll]:
        return desk_of(half, name), pay_of(firm, "en", f"{half} {name}", "2026-05", employees, **given)

    def tell(
        name: str, tells: str, files: Sequence[Specimen], outcome: Mapping[str, Any], pnl: Mapping[str, Any]
    ) -> None:
        told.append(Scenario(name, half, firm.name, tells, (Step(tuple(files), (outcome,), pnl),)))

    desk, pay = pay_for("wrong-totals")
    extra = Decimal(500)
    totals = {"gross": pay.total("gross") + extra, "employer_cost": pay.total("employer_cost") + extra}
    files = [desk.register(pay, rows=False, totals=totals), desk.bank(pay), *desk.slips(pay)]
    pnl = books([(pay, totals["gross"], totals["employer_cost"], pay.total("net"))])
    tell("wrong-totals", "the register's totals are 500 too high", files, event(pay, R5="failed", R6="failed"), pnl)

    desk, pay = pay_for("missing-payslip")
    open_ = dict.fromkeys(("R1", "R5", "R6"), "not_evaluated")
    files = [desk.register(pay, rows=False), desk.bank(pay), *desk.slips(pay)[:-1]]
    tell("missing-payslip", "three payslips of four", files, event(pay, R4="failed", **open_), books([own(pay)]))

    desk, pay = pay_for("same-payslip-twice")
    files = [desk.register(pay), desk.bank(pay), *desk.slips(pay), desk.slip(pay, pay.workers[1], "payslip_again")]
    tell("same-payslip-twice", "one payslip in two files, equal", files, event(pay), books([own(pay)]))

    desk, pay = pay_for("late-payment")
    late = replace(pay, paid_on=date(2026, 6, 19))
    files = [desk.register(pay), desk.bank(late), *desk.slips(pay)]
    tell("late-payment", "paid on 19 June for May", files, event(pay, R3="failed"), books([own(pay)]))

    desk, pay = pay_for("short-bank")
    net = (pay.total("net") * Decimal("0.96")).quantize(Decimal("0.01"))
    files = [desk.register(pay), desk.bank(pay, net=net), *desk.slips(pay)]
    pnl = books([(pay, pay.total("gross"), pay.total("employer_cost"), net)])
    if not R2_BAND[0] <= pay.total("employer_cost") / net <= R2_BAND[1]:
        raise ValueError("R2 would fail as well")
    tell("short-bank", "the bank paid 4 % less than the payslips say", files, event(pay, R1="failed"), pnl)

    desk, pay = pay_for("out-of-band")
    dear = []
    for worker in pay.workers:
        half_of_gross = (worker.gross / 2).quantize(Decimal("0.01"))
        dear.append(replace(worker, employer_social_security=half_of_gross, employer_cost=worker.gross + half_of_gross))
    pay = replace(pay, workers=tuple(dear))
    files = [desk.register(pay), desk.bank(pay), *desk.slips(pay)]
    tell("out-of-band", "contributions of half the gross pay", files, event(pay, R2="failed"), books([own(pay)]))
    return told


def _conflict(half: str) -> Scenario:
    firm = FIRMS["en", half]
    desk = desk_of(half, "two-versions")
    pay = pay_of(firm, "en", f"{half} two-versions", "2026-05", 3)
    worker = pay.workers[0]
    other = replace(worker, tax=worker.tax + 10, net=worker.net - 10)
    second = desk.slip(pay, other, "payslip_other")
    slips = desk.slips(pay)
    step = Step((desk.register(pay), desk.bank(pay), *slips, second), None, {}, told=(slips[0].file, second.file))
    return Scenario(
        "two-versions", half, firm.name, "two payslips of one employee that differ: told, not chosen", (step,)
    )


def _no_currency(half: str) -> Scenario:
    firm = FIRMS["en", half]
    desk = desk_of(half, "no-currency")
    known = bill(firm, "sales", 21, half, currency="EUR")
    sale = desk.invoice(known, "sales")
    pay = replace(pay_of(firm, "en", f"{half} no-currency", "2026-05", 3), currency=None)
    bare = replace(desk, writing=replace(desk.writing, mark="none"), line="")
    files = (bare.register(pay), bare.bank(pay), *bare.slips(pay), sale)
    step = Step(files, (event(pay),), books([own(pay)], [known]))
    return Scenario("no-currency", half, firm.name, "a payroll without currency beside a sale in euros", (step,))


def _ambiguous(half: str) -> Scenario:
    firm = FIRMS["en", half]
    desk = desk_of(half, "ambiguous")
    pay = pay_of(replace(firm, currency="EUR"), "en", f"{half} ambiguous", "2026-05", 3, digits=0)
    files = (desk.register(pay, rows=False), desk.bank(pay), *desk.slips(pay))
    step = Step(files, (), books(), refused=tuple(file.file for file in files))
    return Scenario("ambiguous", half, firm.name, "every amount is like 1,234: nothing is guessed", (step,))


def _currencies(half: str) -> Scenario:
    firm = FIRMS["en", half]
    desk = desk_of(half, "four-currencies")
    bills = [
        bill(firm, type_, 30 + number, half, currency=code)
        for number, (type_, code) in enumerate(
            (t, c) for c in ("EUR", "USD", "JPY", "KWD") for t in ("sales", "purchase")
        )
    ]
    marked = replace(desk, writing=replace(desk.writing, mark="code-before"), line="code")
    files = tuple(marked.invoice(one, f"{one.type}_{one.currency}") for one in bills)
    step = Step(files, (), books([], bills))
    return Scenario("four-currencies", half, firm.name, "a sale and a purchase each in EUR, USD, JPY and KWD", (step,))


def _payments(half: str) -> Scenario:
    firm: Firm = FIRMS["de", half]
    desk = desk_of(half, "payments", "de")
    opened = bill(firm, "purchase", 41, half)
    other = bill(firm, "purchase", 44, half)
    half_paid, paid = part_paid(opened, 40), part_paid(opened, 100, 25)
    steps = (
        Step((desk.invoice(opened, "invoice"), desk.invoice(other, "other")), (), books([], [opened, other])),
        Step((desk.invoice(half_paid, "receipt_1", "receipt"),), (), books([], [half_paid, other])),
        Step((desk.invoice(paid, "receipt_2", "receipt"),), (), books([], [paid, other])),
    )
    return Scenario("payments", half, firm.name, "an invoice, its part payment, the rest", steps)


def _corrupt(half: str) -> Scenario:
    firm = FIRMS["en", half]
    desk = desk_of(half, "one-corrupt")
    pay = pay_of(firm, "en", f"{half} one-corrupt", "2026-05", 4)
    slips = desk.slips(pay)
    locked = Page("en", encrypted_with="a password nobody told")
    locked.text(MARGIN_POINTS, locked.y, "Payslip")
    broken = desk.file("payslip_locked.pdf", "pdf", locked.bytes())
    broken = replace(broken, is_picture=True)
    cut = desk.file("payslip_cut.pdf", "pdf", damage.truncated(slips[2].raw, 0.3))
    open_ = dict.fromkeys(("R1", "R5", "R6"), "not_evaluated")
    first = (desk.register(pay, rows=False), desk.bank(pay), slips[0], slips[1], cut, broken)
    steps = (
        Step(first, (event(pay, R4="failed", **open_),), books([own(pay)]), refused=(cut.file, broken.file)),
        Step((slips[2], slips[3]), (event(pay),), books([own(pay)])),
    )
    return Scenario("one-corrupt", half, firm.name, "two broken payslips are told alone, whole ones follow", steps)


def scenarios(half: str) -> list[Scenario]:
    """Make every scenario of a half."""
    told = [_trading(half), _pieces(half), _korean(half), *_wrong(half), _conflict(half), _no_currency(half)]
    return [*told, _ambiguous(half), _currencies(half), _payments(half), _corrupt(half)]
