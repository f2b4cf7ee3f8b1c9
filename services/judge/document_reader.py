"""Reads one document with the reader for what its bytes are. It does not know what the document says."""

from services.judge.document_csv import read_text
from services.judge.document_image import read_image
from services.judge.document_kinds import media_of
from services.judge.document_limits import DocumentLimits, too_large
from services.judge.document_pdf import read_pdf
from shared.domain.documents.reading import Media, Reading


def read_document(content: bytes, limits: DocumentLimits, *, pictures: bool) -> Reading:
    """Read a document; `pictures`: pages without words are rendered for a model that sees.

    Raises: InvalidArgument DOCUMENT_EMPTY, DOCUMENT_DAMAGED, DOCUMENT_ENCRYPTED; UnsupportedMedia DOCUMENT_MACROS,
    DOCUMENT_MEDIA; TooLarge DOCUMENT_BYTES, _PAGES, _PIXELS, _UNPACKED, _ROWS, _CELLS, _CHARACTERS.
    """
    if len(content) > limits.bytes:
        raise too_large("DOCUMENT_BYTES", "bytes", limits.bytes)
    media = media_of(content)
    match media:
        case Media.PDF:
            return read_pdf(content, limits, pictures=pictures)
        case Media.XLSX:
            from services.judge.document_xlsx import read_xlsx  # takes half of the start; most documents are none

            return read_xlsx(content, limits)
        case Media.PNG | Media.JPEG | Media.WEBP:
            return read_image(content, media, limits)
        case _:
            return read_text(content, limits)
