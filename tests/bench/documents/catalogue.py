"""The single documents of each half: which kind is written in which layout, language and form.

Rules: every language has every kind, every layout of its half has payslip, bank confirmation, invoice and receipt in
every language; the two halves share no company, no person's figures, no label and no layout.
It does not know how anything is drawn. Source: fixtures/README.md, section documents.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from tests.bench.documents import layouts_build, layouts_report, letters, scans, sheets, spreadsheets
from tests.bench.documents import wording as writing_of
from tests.bench.documents.facts import Invoice, Payroll, payroll
from tests.bench.documents.sheets import Sheet
from tests.bench.documents.spreadsheets import Form
from tests.bench.documents.wording import Writing

LAYOUTS = {"build": layouts_build.LAYOUTS, "report": layouts_report.LAYOUTS}
MANY = {"build": "many-pages", "report": "wide-pages"}
LANGUAGES = ("en", "de", "ko")
MANY_EMPLOYEES = 60  # three pages in the build half, five in the reporting half


@dataclass(frozen=True, slots=True)
class Specimen:
    """One file with what a reader must make of it. `expect` is read, vision or refused."""

    file: str
    kind: str
    layout: str
    language: str
    format: str
    raw: bytes
    documents: tuple[Mapping[str, Any], ...] = ()
    declared: Mapping[str, str] = field(default_factory=dict)
    expect: str = "read"
    why: str = ""
    is_picture: bool = False

    def as_json(self) -> dict[str, Any]:
        """Give what is committed beside the file."""
        given: dict[str, Any] = {
            "file": self.file,
            "kind": self.kind,
            "layout": self.layout,
            "language": self.language,
            "format": self.format,
            "declared": dict(self.declared),
            "expect": self.expect,
            "documents": [dict(document) for document in self.documents],
        }
        return given | ({"why": self.why} if self.why else {})


@dataclass(frozen=True, slots=True)
class Firm:
    """A company of one half and language, with whom it deals."""

    name: str
    bank: str
    currency: str
    scale: int
    vendors: tuple[str, ...]
    customers: tuple[str, ...]
    items: tuple[str, ...]


FIRMS = {
    ("en", "build"): Firm(
        "Larkspur Joinery Ltd",
        "Tarnside Bank",
        "GBP",
        1,
        ("Copperbeck Timber", "Ashfold Hardware", "Mossgill Paints"),
        ("Wexcombe Theatre", "Dunlin Hotels", "St Odo's College"),
        ("Oak boards, planed", "Brass hinges", "Fitting on site", "Varnish, satin"),
    ),
    ("de", "build"): Firm(
        "Haselbrunn Feinwerk GmbH",
        "Auental Kreditbank",
        "EUR",
        1,
        ("Stahlhof Merkenried", "Lagerbau Öhlsbach", "Druckerei Zwiesel & Söhne"),
        ("Uhrenwerk Kaltenau", "Messtechnik Brückfeld", "Optik Süderau KG"),
        ("Drehteile nach Zeichnung", "Präzisionswellen", "Prüfung und Protokoll", "Öl, 5 Liter"),
    ),
    ("ko", "build"): Firm(
        "주식회사 달무리제지",
        "노을은행",
        "KRW",
        1000,
        ("두메펄프상사", "나루물류", "꽃샘인쇄"),
        ("별하출판", "마루문구", "이든포장"),
        ("크라프트지", "상자용 판지", "운송료", "재단 작업"),
    ),
    ("en", "report"): Firm(
        "Quillmoor Ferries plc",
        "Harbour & Fell Bank",
        "USD",
        1,
        ("Skerry Rope Works", "Limpet Diving Services", "Northhaven Fuel"),
        ("Isle of Carrow Council", "Puffin Tours", "Thrift Island Dairy"),
        ("Mooring line", "Hull inspection", "Marine diesel", "Crew jackets"),
    ),
    ("de", "report"): Firm(
        "Torvik Wasserbau AG",
        "Grenzmark Bank",
        "EUR",
        1,
        ("Kieswerk Albruck-Süd", "Pumpenbau Wölfle", "Taucherei Nix OHG"),
        ("Stadtwerke Mühlfurt", "Deichverband Ostersiel", "Gemeinde Klein-Ahrenloh"),
        ("Spundwandbohlen", "Bagger mit Fahrer", "Vermessung", "Dichtungsbahn"),
    ),
    ("ko", "report"): Firm(
        "솔내식품 주식회사",
        "가람상호은행",
        "KRW",
        1000,
        ("언덕농산", "바다빛수산", "하늬포장재"),
        ("푸른식탁", "온새미급식", "달빛시장"),
        ("건나물 세트", "냉동 해물", "포장 상자", "배송비"),
    ),
}
WRITINGS: dict[tuple[str, str], tuple[tuple[Writing, str, str], ...]] = {
    ("en", "build"): (
        (writing_of.ENGLISH, "", ""),
        (writing_of.ENGLISH_BARE, "code", ""),
        (writing_of.ENGLISH_SIGN, "", ""),
        (writing_of.ENGLISH_BARE, "", "code"),
    ),
    ("de", "build"): (
        (writing_of.GERMAN, "", ""),
        (writing_of.GERMAN_BARE, "code", ""),
        (writing_of.GERMAN_BARE, "", "code"),
    ),
    ("ko", "build"): (
        (writing_of.KOREAN, "", ""),
        (writing_of.KOREAN_BARE, "code", ""),
        (writing_of.KOREAN_SIGN, "", ""),
    ),
    ("en", "report"): (
        (writing_of.ENGLISH_SIGN, "", ""),
        (Writing(mark="code-after", day="long", month="iso"), "", ""),
        (Writing(mark="none", day="long", month="long"), "", "code"),
    ),
    ("de", "report"): (
        (writing_of.GERMAN_SPACE, "", ""),
        (Writing(".", ",", "code-after", "dots", "long"), "", ""),
        (Writing(".", ",", "none", "long", "slash"), "code", ""),
    ),
    ("ko", "report"): (
        (Writing(",", ".", "sign-after", "dots", "long"), "", ""),
        (Writing(",", ".", "code-after", "long", "dots"), "", ""),
        (Writing(",", ".", "none", "iso", "long"), "code", ""),
    ),
}


def bill(firm: Firm, type_: str, number: int, half: str, *, currency: str | None = None, digits: int = -1) -> Invoice:
    """Make an invoice of a firm, different for every number."""
    code = currency or firm.currency
    places = digits if digits >= 0 else 0 if code in ("KRW", "JPY") else 3 if code == "KWD" else 2
    unit = Decimal(1000 if code == "KRW" else 100 if code == "JPY" else 1)
    price = [
        (Decimal(3175 + 1290 * ((number * 7 + row * 5) % 11)) / 100 * unit).quantize(Decimal(1).scaleb(-places))
        for row in range(3)
    ]
    parties = firm.vendors if type_ == "purchase" else firm.customers
    issued = date(2026, 3 + number % 4, 3 + (number * 5) % 23)
    letters_ = {"build": ("PI", "SI"), "report": ("RV", "SC")}[half]
    return Invoice(
        type=type_,
        company=firm.name,
        party=parties[number % len(parties)],
        ref=f"{letters_[type_ == 'sales']}-{2026 if number % 2 else 26}-{4100 + 37 * number}",
        issued=issued,
        due=issued + timedelta(days=30),
        currency=code,
        digits=places,
        lines=tuple(
            (firm.items[(number + row) % len(firm.items)], 4 + (number * 3 + row * 7) % 23, price[row])
            for row in range(3)
        ),
        tax_percent=(10, 19, 20)[number % 3],
        order=f"PO-{88000 + 13 * number}" if number % 2 else "",
    )


def part_paid(invoice: Invoice, percent: int, days: int = 12) -> Invoice:
    """Say that a part of an invoice was paid."""
    paid = (invoice.total * percent / 100).quantize(Decimal(1).scaleb(-invoice.digits))
    return replace(invoice, paid_amount=paid, paid_on=invoice.issued + timedelta(days=days))


def pay_of(firm: Firm, language: str, seed: str, period: str, employees: int, **given: Any) -> Payroll:
    """Make a payroll of a firm."""
    options: dict[str, Any] = {"bank": firm.bank, "scale": firm.scale} | given
    return payroll(seed, language, firm.name, period, firm.currency, employees, **options)


def _specimen(half: str, sheet: Sheet, name: str, kind: str, layout: str, why: str = "") -> Specimen:
    file = f"{half}/{name}.pdf"
    raw = LAYOUTS[half][layout](sheet)
    return Specimen(file, kind, layout, sheet.language, "pdf", raw, (sheet.expected,), sheet.declared, why=why)


def _papers(half: str, language: str) -> Iterator[Specimen]:
    """Draw every kind in every layout of a half."""
    firm = FIRMS[language, half]
    styles = WRITINGS[language, half]
    for number, layout in enumerate(LAYOUTS[half]):
        style, line, note = styles[number % len(styles)]
        name = f"{language}_{layout}"
        run = f"PR-{700 + number}" if number % 2 else None
        pay = pay_of(firm, language, f"{half} {language} {number}", f"2026-{2 + number:02d}", 5, run=run)
        if layout == MANY[half]:
            many = pay_of(firm, language, f"{half} {language} many", "2026-09", MANY_EMPLOYEES, run="PR-709")
            sheet = sheets.register(many, language, half, style, line=line or "code", note=note, columns="code")
            yield _specimen(half, sheet, f"{name}_register", "register", layout)
            continue
        without = (("employer_cost",), (), ("employer_social_security",))[number % 3]
        slip = sheets.payslip(
            pay, pay.workers[number % 5], language, half, style, line=line, note=note, without=without
        )
        yield _specimen(half, slip, f"{name}_payslip", "payslip", layout)
        yield _specimen(
            half, sheets.bank(pay, language, half, style, line=line, note=note), f"{name}_bank", "bank", layout
        )
        register = sheets.register(pay, language, half, style, line=line, note=note, rows=number % 2 == 0)
        yield _specimen(half, register, f"{name}_register", "register", layout)
        type_ = ("purchase", "sales")[number % 2]
        titled = type_ if number % 3 == 0 else ""
        one = bill(firm, type_, number + 1, half)
        sheet = sheets.invoice(one, language, half, style, title=titled, line=line, note=note)
        yield _specimen(half, sheet, f"{name}_invoice", f"{type_} invoice", layout)
        part = part_paid(bill(firm, "purchase", number + 7, half), 25 + 10 * number)
        sheet = sheets.invoice(part, language, half, style, title="receipt", line=line, note=note, rows=False)
        yield _specimen(half, sheet, f"{name}_receipt", "receipt", layout)


def _letters(half: str, language: str) -> Iterator[Specimen]:
    firm = FIRMS[language, half]
    style = WRITINGS[language, half][0][0]
    pay = pay_of(firm, language, f"{half} {language} letter", "2026-10", 8)
    raw, reading = letters.bank_letter(pay, language, half, style)
    yield Specimen(f"{half}/{language}_letter_bank.pdf", "bank", "letter", language, "pdf", raw, (reading,))
    part = part_paid(bill(firm, "purchase", 15, half), 40)
    raw, reading = letters.receipt_letter(part, language, half, style)
    declared = {"company": firm.name}
    yield Specimen(
        f"{half}/{language}_letter_receipt.pdf", "receipt", "letter", language, "pdf", raw, (reading,), declared
    )


_FEW = ("employee_id", "name", "gross", "net", "er", "cost")
_TURNED = ("name", "employee_id", "net", "tax", "ee", "gross", "er", "cost")
FORMS: dict[str, dict[str, tuple[Form, ...]]] = {
    "build": {
        "en": (
            Form(),
            Form(delimiter="\t", encoding="utf-16", currency="column"),
            Form("xlsx", second_sheet=True),
            Form("xlsx", currency="head", titles="columns", total="none", extra=True),
        ),
        "de": (
            Form(delimiter=";", encoding="cp1252"),
            Form(delimiter=";", encoding="utf-8-sig", order=_FEW, total="none", currency="head"),
            Form("xlsx", typed=False, currency="column"),
            Form("xlsx", order=_TURNED, total="first"),
        ),
        "ko": (
            Form(encoding="cp949"),
            Form(encoding="utf-8-sig", titles="columns", currency="column", total="none"),
            Form("xlsx", two_line_head=True),
            Form("xlsx", typed=False, currency="head", extra=True),
        ),
    },
    "report": {
        "en": (
            Form(delimiter=";", titles="columns", currency="head", total="none"),
            Form(encoding="utf-8-sig", order=_TURNED, extra=True, total="first"),
            Form("xlsx", titles="declared", currency="column", blank_rows=True),
            Form("xlsx", order=_TURNED, extra=True),
        ),
        "de": (
            Form(delimiter="\t", encoding="utf-16", currency="column"),
            Form(delimiter=";", encoding="cp1252", titles="declared", currency="declared", extra=True),
            Form("xlsx", two_line_head=True, second_sheet=True),
            Form("xlsx", typed=False, order=_FEW, total="first", blank_rows=True),
        ),
        "ko": (
            Form(delimiter="|", encoding="utf-8", currency="column"),
            Form(encoding="cp949", titles="declared", currency="head", order=_TURNED),
            Form("xlsx", second_sheet=True, extra=True),
            Form("xlsx", titles="columns", currency="column", order=_FEW, total="none"),
        ),
    },
}
_SHEET_WRITING = {
    "en": Writing(mark="none", day="iso", month="long"),
    "de": Writing(".", ",", "none", "dots", "slash"),
    "ko": Writing(",", ".", "none", "iso", "long"),
}


def _spreadsheets(half: str, language: str) -> Iterator[Specimen]:
    firm = FIRMS[language, half]
    for number, form in enumerate(FORMS[half][language]):
        pay = pay_of(firm, language, f"{half} {language} sheet {number}", f"2026-{3 + number:02d}", 6 + number)
        raw, reading, declared = spreadsheets.register(pay, language, half, _SHEET_WRITING[language], form)
        layout = f"{form.format} {number % 2 + 1}"
        file = f"{half}/{language}_register_{number + 1}.{form.format}"
        yield Specimen(file, "register", layout, language, form.format, raw, (reading,), declared)


def without_ambiguous(reading: Mapping[str, Any], text_of: Mapping[str, str]) -> dict[str, Any]:
    """Take out of a reading the amounts whose text has two readings, and name them missing."""
    open_ = [name for name, text in text_of.items() if "," in text]
    employees = [{k: v for k, v in employee.items() if k not in open_} for employee in reading["employees"]]
    return dict(reading) | {"employees": employees, "missing": [*reading["missing"], *open_]}


def _doubtful(half: str, language: str) -> Iterator[Specimen]:
    """Draw what a reader must not guess: no currency, a sign of two currencies, amounts of two readings."""
    firm = FIRMS[language, half]
    first, second = list(LAYOUTS[half])[:2]
    style = WRITINGS[language, half][1][0]
    bare = replace(style, mark="none")
    none = replace(pay_of(firm, language, f"{half} {language} none", "2026-11", 4), currency=None)
    sheet = sheets.payslip(none, none.workers[0], language, half, bare)
    yield _specimen(half, sheet, f"{language}_no-currency_payslip", "payslip", first, "no currency stands on it")
    sheet = sheets.bank(none, language, half, bare)
    yield _specimen(half, sheet, f"{language}_no-currency_bank", "bank", second, "no currency stands on it")
    if language == "en":
        yen = payroll(f"{half} yen", "en", firm.name, "2026-11", "JPY", 3, bank=firm.bank, scale=100)
        sheet = sheets.payslip(yen, yen.workers[1], "en", half, replace(style, mark="sign-before"))
        # Whether 412,000 of yen or yuan has one reading may be argued: given it is right, refused it is not missed.
        amounts = [name for _, name in sheets.MONEY_KEYS]
        employee = sheet.expected["employees"][0]
        reading = dict(sheet.expected) | {
            "employees": [{name: value for name, value in employee.items() if name not in amounts}],
            "derivable": {name: employee[name] for name in amounts},
        }
        sheet = replace(sheet, expected=reading)
        yield _specimen(half, sheet, "en_yen-or-yuan_payslip", "payslip", second, "the sign names two currencies")
        whole = payroll(f"{half} whole", "en", firm.name, "2026-11", "EUR", 3, bank=firm.bank, digits=0)
        sheet = sheets.payslip(whole, whole.workers[2], "en", half, replace(style, mark="code-before"))
        taken = {name: wrote for (_, name), (_, wrote) in zip(sheets.MONEY_KEYS, sheet.sums, strict=True)}
        sheet = replace(sheet, expected=without_ambiguous(sheet.expected, taken))
        yield _specimen(half, sheet, "en_ambiguous_payslip", "payslip", first, "1,234 has two readings")


def _pictures(half: str) -> Iterator[Specimen]:
    """Turn papers of the half into pictures: a vision model must read them, offline they are clearly refused."""
    kinds = ("payslip", "bank", "invoice", "register", "receipt", "payslip")
    forms = ("png", "jpeg", "webp", "pdf", "pdf", "png")
    layouts = [layout for layout in LAYOUTS[half] if layout != MANY[half]]
    papers = {specimen.file: specimen for language in ("en", "de") for specimen in _papers(half, language)}
    for number, (kind, form) in enumerate(zip(kinds, forms, strict=True)):
        language = ("en", "de")[number % 2]
        source = papers[f"{half}/{language}_{layouts[number % len(layouts)]}_{kind}.pdf"]
        image = scans.picture(source.raw, degrees=(0.6, -0.8, 0.4)[number % 3])
        raw = scans.saved(image, form)
        extension = {"jpeg": "jpg"}.get(form, form)
        yield replace(
            source,
            file=f"{half}/{language}_scan_{number + 1}_{kind}.{extension}",
            format=f"scanned {form}" if form == "pdf" else form,
            layout="picture",
            raw=raw,
            expect="vision",
            is_picture=True,
        )


def specimens(half: str) -> Sequence[Specimen]:
    """Make all single documents of a half."""
    made: list[Specimen] = []
    for language in LANGUAGES:
        for part in (_papers, _letters, _spreadsheets, _doubtful):
            made += part(half, language)
    return [*made, *_pictures(half)]
