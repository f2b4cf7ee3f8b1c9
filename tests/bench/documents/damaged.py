"""The damaged and hostile files, made from papers of the build half.

Rules: `refused` wants a typed client error that names its reason; `read` wants the reading of the whole file: the first
bytes of a file say what it is, not its name.
"""

from collections.abc import Iterator
from dataclasses import replace

from tests.bench.documents import damage, sheets, spreadsheets
from tests.bench.documents.catalogue import FIRMS, LAYOUTS, Specimen, pay_of
from tests.bench.documents.drawing import MARGIN_POINTS, Page
from tests.bench.documents.wording import ENGLISH


def specimens() -> Iterator[Specimen]:
    """Make every damaged file."""
    firm = FIRMS["en", "build"]
    pay = pay_of(firm, "en", "damaged", "2026-08", 4)
    sheet = sheets.payslip(pay, pay.workers[0], "en", "build", ENGLISH)
    slip = LAYOUTS["build"]["label-value"](sheet)
    book, reading, _ = spreadsheets.register(pay, "en", "build", ENGLISH, spreadsheets.Form("xlsx"))

    def refused(name: str, format_: str, raw: bytes, why: str, *, is_picture: bool = False) -> Specimen:
        return Specimen(
            f"damaged/{name}", "damaged", "none", "en", format_, raw, expect="refused", why=why, is_picture=is_picture
        )

    locked = Page("en", encrypted_with="a password nobody told")
    locked.text(MARGIN_POINTS, locked.y, "Payslip")
    yield refused("encrypted.pdf", "pdf", locked.bytes(), "encrypted", is_picture=True)
    yield refused("truncated.pdf", "pdf", damage.truncated(slip, 0.4), "truncated")
    yield refused("truncated.xlsx", "xlsx", damage.truncated(book, 0.7), "truncated")
    yield refused("macros.xlsm", "xlsx", damage.with_macros(book), "macros")
    yield refused("macros_named_xlsx.xlsx", "xlsx", damage.with_macros(book), "macros, under another name")
    yield refused("sheet_bomb.xlsx", "xlsx", damage.sheet_bomb(book), "unpacks to 100 MB")
    yield refused("entities.xlsx", "xlsx", damage.with_entities(book), "entities that multiply")
    yield refused("empty.xlsx", "xlsx", damage.empty_workbook(), "a workbook without a cell")
    yield refused("pixel_bomb.png", "png", damage.pixel_bomb(), "400 million pixels")
    yield refused("thousand_pages.pdf", "pdf", damage.many_pages(), "a thousand pages")
    yield refused("empty.pdf", "pdf", b"", "no bytes")
    yield refused("not_a_document.pdf", "pdf", bytes(range(256)) * 8, "bytes of no format")
    yield refused("program.png", "png", b"\x7fELF" + bytes(600), "a program named as a picture")
    truth = Specimen("", "payslip", "label-value", "en", "pdf", slip, (sheet.expected,))
    yield replace(truth, file="damaged/pdf_named_png.png", why="a PDF whatever its name")
    yield replace(truth, file="damaged/pdf_without_name", why="a PDF without an extension")
    yield Specimen(
        "damaged/xlsx_named_csv.csv", "register", "xlsx 1", "en", "xlsx", book, (reading,), why="a workbook named CSV"
    )
    trailing = slip + b"\n" * 64
    yield replace(truth, file="damaged/trailing_bytes.pdf", raw=trailing, why="bytes after the end do no harm")
