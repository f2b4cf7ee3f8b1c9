"""Text files: their encoding, whether they are a table, and by which sign its columns are parted.

Rules: a byte order mark decides; else UTF-16 shows by its zeros; else UTF-8 if it decodes, else Korean (CP949) if
that decodes and gives Hangul, else Latin-1 as Windows writes it (CP1252). An encoding that was supposed is noted. A
table has the same sign in most of its lines, as often; commas inside amounts ("1,234.00") do not make one. One JSON
object is kept as it is. It does not know what columns mean.
Source: RFC 4180, its semicolon form as European spreadsheets write it; encodings by what Korean and European payroll
programs export.
"""

import csv
import io
import re
from collections import Counter

from services.judge.document_kinds import damaged
from services.judge.document_limits import DocumentLimits, too_large
from shared.domain.documents.layout import Line, lines_of, words_of_text
from shared.domain.documents.reading import Media, Reading, Sheet
from shared.domain.text import refused_character

SNIFFED_LINES = 40
"""From which the sign between columns is guessed. Chosen, untested."""

MIN_COLUMNS = 3
"""Of a table; two columns are labels and values, which lines are read for as well. Chosen, untested."""

_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_HANGUL = re.compile("[가-힣]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_CONTROLS_OF_CHARS = 0.01
"""A larger share of control characters is no text. Chosen, untested."""


def read_text(content: bytes, limits: DocumentLimits) -> Reading:
    """Read a text file: a table where it is one, else lines.

    Raises: InvalidArgument DOCUMENT_DAMAGED; TooLarge DOCUMENT_CHARACTERS, DOCUMENT_ROWS, DOCUMENT_CELLS.
    """
    text, notes = _decoded(content)
    if len(text) > limits.characters * 8:  # a table of 10,000 rows is long; lines are checked below
        raise too_large("DOCUMENT_CHARACTERS", "characters", limits.characters * 8)
    if text.lstrip().startswith("{") and text.rstrip().endswith("}"):
        _check_length(text, limits)
        return Reading(Media.JSON, text=text, notes=notes)
    delimiter = delimiter_of(text)
    if delimiter is not None:
        return Reading(Media.CSV, sheets=(_table(text, delimiter, limits),), notes=notes)
    _check_length(text, limits)
    lines: list[Line] = []
    for number, page in enumerate(text.split("\f"), 1):
        lines += lines_of(number, words_of_text(page))
    return Reading(Media.TEXT, text.count("\f") + 1, tuple(lines), text=text, notes=notes)


def delimiter_of(text: str) -> str | None:
    """Return the sign between the columns of a table; None where the text is none."""
    lines = [line for line in text.splitlines()[: SNIFFED_LINES * 2] if line.strip()][:SNIFFED_LINES]
    if len(lines) < 2:
        return None
    best: tuple[int, int, str] | None = None
    for sign in (";", "\t", "|", ","):
        widths = Counter(len(row) for row in csv.reader(lines, delimiter=sign))
        wide = {width: count for width, count in widths.items() if width >= MIN_COLUMNS}
        if not wide:
            continue
        width, count = max(wide.items(), key=lambda each: (each[1], each[0]))
        if count >= 2 and count * 2 >= len(lines) and (best is None or (count, width) > best[:2]):
            best = (count, width, sign)
    return best[2] if best else None


def _table(text: str, delimiter: str, limits: DocumentLimits) -> Sheet:
    rows: list[tuple[str, ...]] = []
    cells_left = limits.cells
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter):
            rows.append(tuple(" ".join(cell.split()) for cell in row))
            cells_left -= len(row)
            if len(rows) > limits.rows:
                raise too_large("DOCUMENT_ROWS", "rows", limits.rows)
            if cells_left < 0:
                raise too_large("DOCUMENT_CELLS", "cells", limits.cells)
    except csv.Error as error:
        raise damaged("a table whose quotes do not close, or whose field has no end") from error
    return Sheet("", tuple(rows))


def _decoded(content: bytes) -> tuple[str, tuple[str, ...]]:
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "")
    supposed: tuple[str, ...] = ()
    if not encoding:
        encoding = _utf16_by_zeros(content) or "utf-8"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise damaged(f"text that is not {encoding}") from error
        text, named = _old_encoding(content)
        supposed = (f"The text was read as {named}: it is not Unicode.",)
    if refused_character(text) is not None or len(_CONTROL.findall(text)) > _CONTROLS_OF_CHARS * len(text):
        raise damaged("neither text nor a file that is known")
    return text, supposed


def _utf16_by_zeros(content: bytes) -> str:
    """Tell UTF-16 without a mark: every other byte of Latin text is zero."""
    head = content[:1_000]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if len(head) >= 8 and max(even, odd) * 5 > len(head):
        return "utf-16-be" if even > odd else "utf-16-le"
    return ""


def _old_encoding(content: bytes) -> tuple[str, str]:
    try:
        text = content.decode("cp949")
    except UnicodeDecodeError:
        text = ""
    high, syllables = sum(byte > 0x7F for byte in content), len(_HANGUL.findall(text))
    if syllables and high * 0.6 <= syllables * 2 <= high * 1.25:  # two high bytes each; umlauts are single ones
        return text, "CP949"
    try:
        return content.decode("cp1252"), "CP1252"
    except UnicodeDecodeError:
        return content.decode("latin-1"), "Latin-1"


def _check_length(text: str, limits: DocumentLimits) -> None:
    if len(text) > limits.characters:
        raise too_large("DOCUMENT_CHARACTERS", "characters", limits.characters)
