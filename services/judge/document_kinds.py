"""What a document's bytes are: by how they begin, never by a name.

Rules: what may run code, what is encrypted and what we have no reader for is refused by name. Bytes that are none of
the binary forms are text if they decode as text. It does not read further than it must.
Source: the signatures of PDF 32000-1, PNG, JFIF, RIFF/WebP, PKWARE APPNOTE, MS-CFB; OPC part names of ECMA-376.
"""

import io
import zipfile
import zlib

from shared.domain.documents.reading import Media
from shared.domain.errors import InvalidArgument, UnsupportedMedia

PDF_HEADER_BYTES = 1024
"""Readers look for the header of a PDF in so many bytes (PDF 32000-1, annex H)."""

_PNG, _JPEG, _ZIP, _OLE = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_NAMED = (
    (b"GIF8", "a GIF image"),
    (b"BM", "a bitmap"),
    (b"II*\x00", "a TIFF image"),
    (b"MM\x00*", "a TIFF image"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"%!PS", "a PostScript file"),
    (b"{\\rtf", "an RTF file"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"PK\x05\x06", "an empty archive"),
)
_MACRO_PARTS = ("vbaproject", "/macrosheets/", "/activex/", "vbadata")


def media_of(content: bytes) -> Media:
    """Return what the bytes are; text is TEXT, its further form is seen when it is read.

    Raises: InvalidArgument DOCUMENT_EMPTY, DOCUMENT_DAMAGED, DOCUMENT_ENCRYPTED; UnsupportedMedia DOCUMENT_MACROS,
    DOCUMENT_MEDIA.
    """
    if not content.strip(b" \t\r\n\0\xef\xbb\xbf"):
        raise InvalidArgument.of("content", "DOCUMENT_EMPTY", "must not be empty")
    if content.startswith(_PNG):
        return Media.PNG
    if content.startswith(_JPEG):
        return Media.JPEG
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return Media.WEBP
    if content.startswith(_ZIP):
        return _of_archive(content)
    if content.startswith(_OLE):
        return _refuse_compound(content)
    if b"%PDF-" in content[:PDF_HEADER_BYTES]:
        return Media.PDF
    for mark, named in _NAMED:
        if content.startswith(mark):
            raise _unread(named)
    return Media.TEXT


def _of_archive(content: bytes) -> Media:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = [name.casefold() for name in archive.namelist()]
            types = b""
            if "[Content_Types].xml" in archive.namelist():
                with archive.open("[Content_Types].xml") as part:
                    types = part.read(65_536).lower()
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, NotImplementedError, RuntimeError) as error:
        raise damaged("an archive that cannot be opened") from error
    if any(part in f"/{name}" for name in names for part in _MACRO_PARTS) or b"macroenabled" in types:
        raise UnsupportedMedia("DOCUMENT_MACROS", "content: is a workbook with macros, which is not opened")
    if "xl/workbook.xml" in names:
        return Media.XLSX
    raise _unread("an archive, but not an XLSX workbook")


def _refuse_compound(content: bytes) -> Media:
    if "EncryptedPackage".encode("utf-16-le") in content:
        told = "is encrypted: it can be read only without a password"
        raise InvalidArgument.of("content", "DOCUMENT_ENCRYPTED", told)
    if "_VBA_PROJECT".encode("utf-16-le") in content:
        raise UnsupportedMedia("DOCUMENT_MACROS", "content: is a workbook with macros, which is not opened")
    raise _unread("a binary Office file; save it as XLSX")


def damaged(told: str) -> InvalidArgument:
    """Return the error for bytes that begin as what they are not."""
    return InvalidArgument.of("content", "DOCUMENT_DAMAGED", f"cannot be read: it is {told}")


def _unread(named: str) -> UnsupportedMedia:
    told = f"content: is {named}; read are PDF, PNG, JPEG, WebP, XLSX, CSV and text"
    return UnsupportedMedia("DOCUMENT_MEDIA", told, metadata={"found": named})
