"""Files that are damaged, hostile or not what they are called, each with what a reader must do.

Rules: bombs are small on disk and large only when unpacked without a limit; nothing here runs. `refused` files must
give a typed client error, `read` ones the same reading as an undamaged file.
Source: the limits named in issue 6: encrypted, truncated, macros, decompression bombs, a thousand pages, magic bytes.
"""

import io
import struct
import zipfile
import zlib

from openpyxl import Workbook

from tests.bench.documents.spreadsheets import saved

BOMB_SIDE_PIXELS = 20_000  # 400 million pixels; 50 MB at one bit each
BOMB_SHEET_BYTES = 100_000_000  # of XML, when unpacked
PAGES = 1_000
_FIXED_MOMENT = (2026, 11, 30, 0, 0, 0)


def truncated(raw: bytes, share: float) -> bytes:
    """Keep the first part of a file."""
    return raw[: int(len(raw) * share)]


def pixel_bomb() -> bytes:
    """Make a one-bit PNG of 20,000 by 20,000 black pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", BOMB_SIDE_PIXELS, BOMB_SIDE_PIXELS, 1, 0, 0, 0, 0)
    packer = zlib.compressobj(9)
    row = bytes(1 + (BOMB_SIDE_PIXELS + 7) // 8)
    data = b"".join(packer.compress(row) for _ in range(BOMB_SIDE_PIXELS)) + packer.flush()
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def _repacked(raw: bytes, changed: dict[str, bytes]) -> bytes:
    """Write a workbook again with parts replaced or added."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(raw)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for name in dict.fromkeys([*source.namelist(), *changed]):
            content = changed[name] if name in changed else source.read(name)
            out.writestr(zipfile.ZipInfo(name, _FIXED_MOMENT), content, zipfile.ZIP_DEFLATED, 9)
    return target.getvalue()


def sheet_bomb(raw: bytes) -> bytes:
    """Blow up the first sheet of a workbook with spaces that pack to almost nothing."""
    name = "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile(io.BytesIO(raw)) as source:
        sheet = source.read(name)
    return _repacked(raw, {name: sheet.replace(b"<sheetData>", b"<sheetData>" + b" " * BOMB_SHEET_BYTES, 1)})


def with_macros(raw: bytes) -> bytes:
    """Add a VBA project (an empty compound file's head) and declare it, as a macro workbook does."""
    with zipfile.ZipFile(io.BytesIO(raw)) as source:
        types = source.read("[Content_Types].xml")
    types = types.replace(
        b"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
        b"application/vnd.ms-excel.sheet.macroEnabled.main+xml",
    )
    project = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(504)
    return _repacked(raw, {"[Content_Types].xml": types, "xl/vbaProject.bin": project})


def with_entities(raw: bytes) -> bytes:
    """Put an entity that grows a hundred million times into a cell of a workbook."""
    levels = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 9))
    name = "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile(io.BytesIO(raw)) as source:
        sheet = source.read(name).decode()
    start = sheet.index("<worksheet")
    cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&e8;</t></is></c></row>'
    sheet = f'<!DOCTYPE worksheet [<!ENTITY e0 "ha">{levels}]>' + sheet[start:].replace(
        "<sheetData>", f"<sheetData>{cell}", 1
    )
    return _repacked(raw, {name: sheet.encode()})


def many_pages() -> bytes:
    """Write a PDF of a thousand empty pages."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/MediaBox[0 0 595 842]/Count %d/Kids[%s]>>"
        % (PAGES, b" ".join(b"%d 0 R" % (number + 3) for number in range(PAGES))),
        *[b"<</Type/Page/Parent 2 0 R>>"] * PAGES,
    ]
    raw = bytearray(b"%PDF-1.4\n")
    places = []
    for number, content in enumerate(objects, start=1):
        places.append(len(raw))
        raw += b"%d 0 obj%s endobj\n" % (number, content)
    start = len(raw)
    raw += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    raw += b"".join(b"%010d 00000 n \n" % place for place in places)
    raw += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(raw)


def empty_workbook() -> bytes:
    """Make a workbook without a cell."""
    return saved(Workbook())
