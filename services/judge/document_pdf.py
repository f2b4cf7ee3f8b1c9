"""PDF files: their words with their places, and pictures of pages that hold no words.

Rules: a page is turned as it is shown. A word ends at white space, where the next letter stands apart or on another
line; letters that PDFium made up are only white space. Pages are rendered only where there is no word on any page, and
at most so many pixels large. Encrypted files are refused, forms and scripts never run. Not safe for threads, as PDFium
is not: it runs in the process of document_process.py. It does not know what words mean.
Source: PDFium's text API (fpdf_text.h).
"""

import ctypes
import math
from collections.abc import Iterator

import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from services.judge.document_image import encoded
from services.judge.document_kinds import damaged
from services.judge.document_limits import DocumentLimits, too_large
from shared.domain.documents.layout import Line, Word, lines_of
from shared.domain.documents.reading import Media, Picture, Reading
from shared.domain.errors import InvalidArgument

APART_OF_SIZE = 0.2
"""A gap between letters that parts words, as a share of their height: a narrow space is 0.22. Measured on ours."""

RENDERED_DPI = 150
"""Of a page that is shown to a model; smaller for a large page. Chosen, untested."""

MIN_SCANNED_WORDS = 3
"""A document with fewer words is taken for a scan: scanners write a stamp or a page number. Chosen, untested."""

_POINTS_PER_INCH = 72
_TURNED = {0: 0, 90: 1, 180: 2, 270: 3}


def read_pdf(content: bytes, limits: DocumentLimits, *, pictures: bool) -> Reading:
    """Read a PDF; with `pictures`, render its pages where it has no words.

    Raises: InvalidArgument DOCUMENT_ENCRYPTED, DOCUMENT_DAMAGED; TooLarge DOCUMENT_PAGES, DOCUMENT_CHARACTERS.
    """
    try:
        document = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            told = "is encrypted: it can be read only without a password"
            raise InvalidArgument.of("content", "DOCUMENT_ENCRYPTED", told) from error
        raise damaged("no PDF that can be opened") from error
    try:
        count = len(document)
        if count > limits.pages:
            raise too_large("DOCUMENT_PAGES", "pages", limits.pages)
        if count == 0:
            raise damaged("a PDF without pages")
        try:
            return _read(document, count, limits, pictures=pictures)
        except pypdfium2.PdfiumError as error:
            raise damaged("a PDF of which a page cannot be opened") from error
    finally:
        document.close()


def _read(document: pypdfium2.PdfDocument, count: int, limits: DocumentLimits, *, pictures: bool) -> Reading:
    lines: list[Line] = []
    left = limits.characters
    for number in range(count):
        page = document[number]
        words = list(_words(page, left))
        left -= sum(len(word.text) for word in words)
        if left < 0:
            raise too_large("DOCUMENT_CHARACTERS", "characters", limits.characters)
        lines += lines_of(number + 1, words)
        page.close()
    if sum(len(phrase.text.split()) for line in lines for phrase in line.phrases) >= MIN_SCANNED_WORDS:
        return Reading(Media.PDF, count, tuple(lines))
    seen = min(count, limits.seen_pages) if pictures else 0
    notes = (f"Only the first {seen} of {count} pages were looked at.",) if pictures and seen < count else ()
    shown = tuple(_picture(document, number, limits) for number in range(seen))
    return Reading(Media.PDF, count, pictures=shown, notes=notes)


def _picture(document: pypdfium2.PdfDocument, number: int, limits: DocumentLimits) -> Picture:
    page = document[number]
    width, height = page.get_size()
    area = max(1.0, width * height)
    scale = min(RENDERED_DPI / _POINTS_PER_INCH, math.sqrt(limits.sent_pixels / area))
    if min(width, height) * scale < 1 or not math.isfinite(area):
        raise damaged("a PDF whose page has no size")
    image: Image.Image = page.render(scale=scale, may_draw_forms=False).to_pil()
    return Picture("image/png", encoded(image), number + 1)


def _words(page: pypdfium2.PdfPage, most: int) -> Iterator[Word]:
    """Yield the words of a page in the order of the file. Stops soon after `most` characters."""
    turn = _TURNED.get(page.get_rotation(), 0)
    left, bottom, right, top = page.get_bbox()
    text = page.get_textpage()
    box = pdfium.FS_RECTF()
    letters: list[str] = []
    place: tuple[float, float, float, float] | None = None
    for index in range(min(text.count_chars(), most + 1_000)):
        code = pdfium.FPDFText_GetUnicode(text, index)
        char = chr(code) if 0 < code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else ""
        blank = not char or char.isspace() or pdfium.FPDFText_IsGenerated(text, index) == 1
        held = None
        if not blank and pdfium.FPDFText_GetLooseCharBox(text, index, ctypes.byref(box)):
            corners = (box.left - left, top - box.top, box.right - left, top - box.bottom)
            held = _turned(corners, turn, right - left, top - bottom)
        if letters and place is not None and (held is None or _apart(place, held)):
            yield Word("".join(letters), *place)
            letters, place = [], None
        if held is not None:
            letters.append(char)
            place = held if place is None else _around(place, held)
    if letters and place is not None:
        yield Word("".join(letters), *place)
    text.close()


def _apart(word: tuple[float, float, float, float], letter: tuple[float, float, float, float]) -> bool:
    height = min(word[3] - word[1], letter[3] - letter[1])
    if abs((word[1] + word[3]) - (letter[1] + letter[3])) / 2 > height / 2:
        return True
    gap = letter[0] - word[2]
    return gap > APART_OF_SIZE * height or letter[2] < word[0]


def _around(
    first: tuple[float, float, float, float], second: tuple[float, float, float, float]
) -> tuple[float, float, float, float]:
    return min(first[0], second[0]), min(first[1], second[1]), max(first[2], second[2]), max(first[3], second[3])


def _turned(
    box: tuple[float, float, float, float], turn: int, width: float, height: float
) -> tuple[float, float, float, float]:
    """Turn a box with its page by quarter turns clockwise. Units: points from the upper left corner."""
    left, top, right, bottom = box
    match turn:
        case 1:
            return height - bottom, left, height - top, right
        case 2:
            return width - right, height - bottom, width - left, height - top
        case 3:
            return top, width - right, bottom, width - left
        case _:
            return box
