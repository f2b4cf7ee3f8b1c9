"""XLSX workbooks: cells as texts, sheet by sheet.

Rules: what the archive says it unpacks to is counted before anything is unpacked, and no more than that comes out of
it. Formulas are never computed: the value that was stored with them counts. A number is written to the 15 digits that
spreadsheets keep, in a way that has one reading, with the currency that its format names outright. XML with entities
or a document type is refused. Hidden sheets are read, and said to be hidden. It does not know what cells mean.
Source: ECMA-376; the refusals of XML are defusedxml's.
"""

import io
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterable
from datetime import date, datetime, time
from decimal import Decimal, InvalidOperation
from xml.etree.ElementTree import ParseError

import openpyxl
from defusedxml import DefusedXmlException
from openpyxl.utils.exceptions import InvalidFileException

from services.judge.document_kinds import damaged
from services.judge.document_limits import DocumentLimits, too_large
from shared.domain.documents.reading import Media, Reading, Sheet
from shared.domain.errors import InvalidArgument, TooLarge

RATIO_FROM_BYTES = 1_000_000
"""Smaller parts may shrink as they like: a sheet of empty cells shrinks a hundredfold. Chosen, untested."""

PROLOG_BYTES = 4_096
"""Of a part, in which a document type would stand; behind them defusedxml refuses it. Chosen, untested."""

MAX_PARTS = 5_000
"""Of an archive. Chosen, untested."""

MAX_CELL_CHARS = 2_000
"""A longer cell is cut: no label or value is. Chosen, untested."""

_WRONG_INSIDE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, ParseError, InvalidFileException, DefusedXmlException),
    *(OSError, EOFError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError, AssertionError),
    *(NotImplementedError, RecursionError, RuntimeError, UnicodeError),
)
"""What openpyxl and zipfile raise for files that are wrong inside; found by mutating files in tests."""

_CURRENCY = re.compile(r'\[\$([A-Z]{3}|[€£₩])(?:-[0-9A-Fa-f]+)?\]|"\s*([A-Z]{3}|[€£₩원])\s*"|([€£₩])')


def read_xlsx(content: bytes, limits: DocumentLimits) -> Reading:
    """Read a workbook.

    Raises: InvalidArgument DOCUMENT_DAMAGED; TooLarge DOCUMENT_UNPACKED, DOCUMENT_ROWS, DOCUMENT_CELLS.
    """
    try:
        _check_archive(content, limits)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parts that openpyxl does not know
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
            try:
                return _read(book, limits)
            finally:
                book.close()
    except (TooLarge, InvalidArgument):
        raise
    except _WRONG_INSIDE as error:
        raise damaged("a workbook that is wrong inside") from error


def _check_archive(content: bytes, limits: DocumentLimits) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > MAX_PARTS:
            raise too_large("DOCUMENT_UNPACKED", "parts", MAX_PARTS)
        for part in parts:
            with archive.open(part) as held:
                if b"<!DOCTYPE" in held.read(PROLOG_BYTES).replace(b"\0", b""):
                    raise damaged("a workbook whose XML declares entities")
    if sum(part.file_size for part in parts) > limits.unpacked_bytes:
        raise too_large("DOCUMENT_UNPACKED", "bytes unpacked", limits.unpacked_bytes)
    for part in parts:
        if part.file_size > RATIO_FROM_BYTES and part.file_size > limits.ratio * max(1, part.compress_size):
            raise too_large("DOCUMENT_UNPACKED", "times its size unpacked", limits.ratio)


def _read(book: "openpyxl.Workbook", limits: DocumentLimits) -> Reading:
    sheets: list[Sheet] = []
    notes: list[str] = []
    rows_left, cells_left = limits.rows, limits.cells
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # what a file says of its size pads every row to it
        rows: list[tuple[str, ...]] = []
        for row in sheet.iter_rows():
            texts = _without_end(
                [_text(cell.value, cell.number_format) if cell.value is not None else "" for cell in row]
            )
            rows.append(texts)
            rows_left -= bool(texts)
            cells_left -= len(texts)
            if rows_left < 0:
                raise too_large("DOCUMENT_ROWS", "rows", limits.rows)
            if cells_left < 0:
                raise too_large("DOCUMENT_CELLS", "cells", limits.cells)
        while rows and not rows[-1]:
            rows.pop()
        if rows:
            sheets.append(Sheet(sheet.title, tuple(rows)))
            if sheet.sheet_state != "visible":
                notes.append(f"The sheet {sheet.title!r} is hidden.")
    if not sheets:
        raise InvalidArgument.of("content", "DOCUMENT_EMPTY", "must not be empty: no cell of the workbook has a value")
    return Reading(Media.XLSX, len(sheets), sheets=tuple(sheets), notes=tuple(notes))


def _without_end(texts: list[str]) -> tuple[str, ...]:
    while texts and not texts[-1]:
        texts.pop()
    return tuple(texts)


def _text(value: object, number_format: str | None) -> str:
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case int() | float() | Decimal():
            number = _digits(value)
            marks: Iterable[str] = next(iter(_CURRENCY.findall(number_format or "")), ())
            return " ".join([*(mark for mark in marks if mark), number])
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
        case date() | time():
            return value.isoformat()
        case _:
            return " ".join(str(value)[:MAX_CELL_CHARS].split())


def _digits(value: int | float | Decimal) -> str:
    """Write a number in digits. With exactly three decimals a fourth is written: "1.234" could be a thousand."""
    try:
        number = Decimal(format(value, ".15g"))
    except (InvalidOperation, ValueError):  # a cell may say NaN
        return str(value)
    if not number.is_finite():
        return str(value)
    exponent = number.normalize().as_tuple().exponent
    return format(number.quantize(Decimal("0.0001")) if exponent == -3 else number, "f")
