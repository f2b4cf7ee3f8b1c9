"""Payroll registers as CSV and XLSX: title rows, separators, encodings, extra columns, totals here or there.

Rules: a form (`Form`) says how a file is laid out, the payroll what is in it; totals are expected where a total row
stands, else they are derivable. Files are the same for every run: dates inside the XLSX are fixed.
It does not know which forms belong to which half: the catalogue says so.
"""

import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Font

from tests.bench.documents.facts import Payroll, Worker
from tests.bench.documents.sheets import MONEY_KEYS, expected, plain, worker_fields
from tests.bench.documents.wording import Writing, amount, month, words

_FIXED_MOMENT = datetime(2026, 11, 30)  # noqa: DTZ001 - a workbook keeps no zone
_DEFAULT_ORDER = ("employee_id", "name", "gross", "ee", "tax", "net", "er", "cost")
EXTRA = {
    "en": ("Department", ("Stores", "Yard", "Office")),
    "de": ("Abteilung", ("Lager", "Werk", "Verwaltung")),
    "ko": ("부서", ("창고", "현장", "사무")),
}


@dataclass(frozen=True, slots=True)
class Form:
    """How a spreadsheet register is laid out.

    Units: `titles` is where company and month stand: rows above the head, columns of every row, or declared.
    """

    format: str = "csv"  # csv or xlsx
    delimiter: str = ","
    encoding: str = "utf-8"
    order: tuple[str, ...] = _DEFAULT_ORDER
    titles: str = "rows"
    total: str = "last"  # last, first or none
    currency: str = "title"  # title, column, head or declared; none: nowhere
    typed: bool = True  # XLSX: numbers as numbers, a month as a date
    extra: bool = False
    second_sheet: bool = False
    two_line_head: bool = False
    blank_rows: bool = False


def register(
    pay: Payroll, language: str, half: str, writing: Writing, form: Form
) -> tuple[bytes, dict[str, Any], dict[str, str]]:
    """Write a register and give its reading and what is declared with it."""
    rows = _rows(pay, language, half, writing, form)
    raw = _xlsx(rows, form, words(language, half)["register"]) if form.format == "xlsx" else _csv(rows, form)
    keys = tuple((key, name) for key, name in MONEY_KEYS if key in form.order)
    totals = {
        "gross_pay_total": plain(pay.total("gross")),
        "employer_social_security_total": plain(pay.total("employer_social_security")),
        "employer_cost_total": plain(pay.total("employer_cost")),
        "net_pay_total": plain(pay.total("net")),
    }
    written = {"gross_pay_total": "gross", "employer_social_security_total": "er", "employer_cost_total": "cost"}
    stated = {name for name, key in written.items() if key in form.order} if form.total != "none" else set()
    reading = expected(
        "payroll_register",
        pay.company,
        pay.period,
        pay.currency,
        fields={name: value for name, value in totals.items() if name in stated},
        employees=[worker_fields(worker, keys) for worker in pay.workers],
        derivable={name: value for name, value in totals.items() if name not in stated}
        | {"employee_count": str(len(pay.workers))},
        missing=[] if pay.currency else ["currency"],
    )
    declared = {}
    if form.titles == "declared":
        declared = {"company": pay.company, "period": pay.period}
    if form.currency == "declared" and pay.currency:
        declared["currency"] = pay.currency
    return raw, reading, declared


def _rows(pay: Payroll, language: str, half: str, writing: Writing, form: Form) -> list[list[Any]]:
    w = words(language, half)
    typed = form.format == "xlsx" and form.typed

    def money(value: Decimal) -> object:
        return float(value) if typed else amount(value, pay.digits, None, writing)

    def cells(worker: Worker, number: int) -> list[object]:
        names = dict(MONEY_KEYS)
        row: list[object] = []
        for key in form.order:
            row.append(money(getattr(worker, names[key])) if key in names else getattr(worker, key))
        if form.extra:
            row.insert(2, EXTRA[language][1][number % 3])
        if form.currency == "column":
            row.append(pay.currency or "")
        if form.titles == "columns":
            row = [pay.company, month(pay.period, language, writing), *row]
        return row

    def heads() -> list[object]:
        suffix = f" ({pay.currency})" if form.currency == "head" and pay.currency else ""
        money_keys = {key for key, _ in MONEY_KEYS}
        row: list[object] = [w[key] + (suffix if key in money_keys else "") for key in form.order]
        if form.extra:
            row.insert(2, EXTRA[language][0])
        if form.currency == "column":
            row.append(w["currency"])
        if form.titles == "columns":
            row = [w["employer"], w["period"], *row]
        return row

    def total() -> list[object]:
        names = dict(MONEY_KEYS)
        row: list[object] = [money(pay.total(names[key])) if key in names else "" for key in form.order]
        if form.extra:
            row.insert(2, "")
        if form.titles == "columns":
            row = ["", "", *row]
        row[0] = w["sum_row"]
        return row + ([""] if form.currency == "column" else [])

    table: list[list[Any]] = []
    if form.titles == "rows":
        when: object = date.fromisoformat(f"{pay.period}-01") if typed and form.extra else None
        table += [
            [w["register"]],
            [w["employer"], pay.company],
            [w["period"], when or month(pay.period, language, writing)],
        ]
    if form.currency == "title" and pay.currency:
        table.append([w["currency"], pay.currency])
    if table:
        table.append([])
    body = [cells(worker, number) for number, worker in enumerate(pay.workers)]
    if form.blank_rows:
        body = [row for filled in body for row in (filled, [])]
    head = heads()
    if form.two_line_head:
        table.append([w["employee_id"], w["name"], *[""] * (len(head) - 2)])
        head = ["", "", *head[2:]]
    table.append(head)
    if form.total == "first":
        table.append(total())
    table += body
    if form.total == "last":
        table.append(total())
    return table


def _csv(rows: Sequence[Sequence[Any]], form: Form) -> bytes:
    lines = []
    for row in rows:
        cells = [str(cell) for cell in row]
        special = (form.delimiter, '"', "\n")
        quoted = ['"' + cell.replace('"', '""') + '"' if any(s in cell for s in special) else cell for cell in cells]
        lines.append(form.delimiter.join(quoted))
    return ("\r\n".join(lines) + "\r\n").encode(form.encoding)


def _xlsx(rows: Sequence[Sequence[Any]], form: Form, title: str) -> bytes:
    book = Workbook()
    sheet = book.active
    if sheet is None:
        raise RuntimeError("a new workbook has a sheet")
    if form.second_sheet:
        sheet.title = "Info"
        sheet.append(["Prepared by the payroll office", "internal"])
        sheet = book.create_sheet(title[:31])
    for number, row in enumerate(rows, start=1):
        for column, value in enumerate(row, start=1):
            if value == "":
                continue
            cell = sheet.cell(number, column, value)
            if isinstance(value, float):
                cell.number_format = "#,##0.00"
            if isinstance(value, date):
                cell.number_format = "mmmm yyyy"
        if len(row) > 4 and not any(isinstance(value, float) for value in row):
            for cell in sheet[number]:
                cell.font = Font(bold=True)
    return saved(book, shares=form.typed)


_INLINE = re.compile(r'(<c r="[A-Z]+\d+"(?: s="\d+")?) t="inlineStr"><is><t[^>]*>([^<]*)</t></is></c>')
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"


def _shared(parts: dict[str, bytes]) -> dict[str, bytes]:
    """Move the texts of all cells to the table of shared strings, where spreadsheet programs keep them."""
    strings: dict[str, int] = {}

    def move(match: re.Match[str]) -> str:
        return f'{match[1]} t="s"><v>{strings.setdefault(match[2], len(strings))}</v></c>'

    moved = {
        name: _INLINE.sub(move, raw.decode()).encode() if name.startswith("xl/worksheets/") else raw
        for name, raw in parts.items()
    }
    items = "".join(f"<si><t>{text}</t></si>" for text in strings)
    moved["xl/sharedStrings.xml"] = f'<sst xmlns="{_MAIN}" uniqueCount="{len(strings)}">{items}</sst>'.encode()
    additions = {
        "[Content_Types].xml": ("</Types>", f'<Override PartName="/xl/sharedStrings.xml" ContentType="{_TYPE}"/>'),
        "xl/_rels/workbook.xml.rels": (
            "</Relationships>",
            f'<Relationship Id="rIdStrings" Type="{_RELATION}" Target="sharedStrings.xml"/>',
        ),
    }
    for name, (end, addition) in additions.items():
        kept = re.sub(r"<(?:Override|Relationship)\b[^>]*sharedStrings[^>]*>", "", moved[name].decode())
        moved[name] = kept.replace(end, addition + end).encode()
    return moved


def saved(book: Workbook, *, shares: bool = False) -> bytes:
    """Save a workbook so that the same content gives the same bytes, its texts in the cells or shared."""
    book.properties.creator = "candor fixtures"
    book.properties.created = _FIXED_MOMENT
    raw = io.BytesIO()
    book.save(raw)
    fixed = io.BytesIO()
    with zipfile.ZipFile(raw) as source:
        parts = {name: source.read(name) for name in source.namelist()}
    stamp = rb"(<dcterms:modified[^>]*>)[^<]*"
    parts["docProps/core.xml"] = re.sub(stamp, rb"\g<1>2026-11-30T00:00:00Z", parts["docProps/core.xml"])
    with zipfile.ZipFile(fixed, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in (_shared(parts) if shares else parts).items():
            target.writestr(zipfile.ZipInfo(name, _FIXED_MOMENT.timetuple()[:6]), content, zipfile.ZIP_DEFLATED, 9)
    return fixed.getvalue()
