"""What a reader of files found: lines with their places, sheets of cells, pictures; before anything is understood.

Rules: at most one of lines and sheets is filled. It does not know file formats.
"""

from dataclasses import dataclass, field
from enum import StrEnum, unique

from shared.domain.documents.layout import Line, lines_of_sheet, text_of


@unique
class Media(StrEnum):
    """What the bytes of a document are, by their first ones."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    XLSX = "xlsx"
    PDF = "pdf"
    PNG = "png"
    JPEG = "jpeg"
    WEBP = "webp"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of texts, row by row; a cell without a value is empty. Rows may differ in length."""

    name: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """A page or a photograph for a model that sees: an encoded image of at most the pixels that are allowed."""

    media: str
    content: bytes
    page: int = 1


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of one document. `notes` say what was left out or had to be supposed."""

    media: Media
    pages: int = 1
    lines: tuple[Line, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    pictures: tuple[Picture, ...] = ()
    text: str = ""
    notes: tuple[str, ...] = field(default=())

    @property
    def needs_eyes(self) -> bool:
        """Whether it holds no words: an image, or a PDF of images."""
        image = self.media in (Media.PNG, Media.JPEG, Media.WEBP)
        return image or (self.media is Media.PDF and not self.lines)

    @property
    def is_table(self) -> bool:
        """Whether it came as cells."""
        return bool(self.sheets)

    @property
    def placed(self) -> tuple[Line, ...]:
        """Return the lines, of sheets their rows; each sheet is a page."""
        if not self.sheets:
            return self.lines
        return tuple(line for page, sheet in enumerate(self.sheets, 1) for line in lines_of_sheet(page, sheet.rows))

    @property
    def written(self) -> str:
        """Return what can be read as text: as it came, else lines, else sheets row by row."""
        if self.text:
            return self.text
        if self.lines:
            return text_of(self.lines)
        return "\n\n".join("\n".join("\t".join(row) for row in sheet.rows) for sheet in self.sheets)
