"""A page to draw on: text at points of an A4 sheet, lines and boxes, written as a PDF that is the same for every run.

Rules: positions are in points from the top left; Korean uses a CID font that readers know by name, so no font file is
needed; an empty string draws nothing.
It does not know what it draws.
Source: reportlab's canvas with `invariant`, which fixes dates and ids.
"""

from io import BytesIO

from reportlab.lib.pagesizes import A4, landscape
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

MARGIN_POINTS = 56.0
LINE_POINTS = 17.0
SIZE_POINTS = 10.0

for _name in ("HYGothic-Medium", "HYSMyeongJo-Medium"):
    pdfmetrics.registerFont(UnicodeCIDFont(_name))


class Page:
    """One PDF that is being drawn, and the cursor `y` below its last line."""

    def __init__(self, language: str, wide: bool = False, encrypted_with: str | None = None) -> None:
        self._buffer = BytesIO()
        size: tuple[float, float] = landscape(A4) if wide else A4
        self.width, self.height = size
        self._canvas = Canvas(
            self._buffer,
            pagesize=(self.width, self.height),
            invariant=1,
            pageCompression=1,
            encrypt=encrypted_with,
        )
        korean = language == "ko"
        self._font = "HYSMyeongJo-Medium" if korean else "Helvetica"
        self._strong = "HYGothic-Medium" if korean else "Helvetica-Bold"
        self.y = MARGIN_POINTS

    @property
    def right_edge(self) -> float:
        """Return where the right margin begins."""
        return self.width - MARGIN_POINTS

    def measure(self, text: str, size: float = SIZE_POINTS, strong: bool = False) -> float:
        """Return how wide a text is. Units: points."""
        width: float = pdfmetrics.stringWidth(text, self._strong if strong else self._font, size)
        return width

    def text(self, x: float, y: float, text: str, size: float = SIZE_POINTS, strong: bool = False) -> None:
        """Draw a text whose first letter stands at x."""
        if text:
            self._canvas.setFont(self._strong if strong else self._font, size)
            self._canvas.drawString(x, self.height - y, text)

    def right(self, x: float, y: float, text: str, size: float = SIZE_POINTS, strong: bool = False) -> None:
        """Draw a text whose last letter ends at x."""
        self.text(x - self.measure(text, size, strong), y, text, size, strong)

    def line(self, x1: float, y1: float, x2: float, y2: float, width: float = 0.6) -> None:
        """Draw a line."""
        self._canvas.setLineWidth(width)
        self._canvas.line(x1, self.height - y1, x2, self.height - y2)

    def box(self, x: float, y: float, width: float, height: float) -> None:
        """Draw a box whose top left corner is at (x, y)."""
        self._canvas.setLineWidth(0.6)
        self._canvas.rect(x, self.height - y - height, width, height)

    def shade(self, x: float, y: float, width: float, height: float) -> None:
        """Fill a box with light grey."""
        self._canvas.setFillGray(0.92)
        self._canvas.rect(x, self.height - y - height, width, height, stroke=0, fill=1)
        self._canvas.setFillGray(0)

    def down(self, lines: float = 1.0) -> float:
        """Move the cursor down and return it."""
        self.y += lines * LINE_POINTS
        return self.y

    def new_page(self) -> None:
        """Begin another page of the same document."""
        self._canvas.showPage()
        self.y = MARGIN_POINTS

    def bytes(self) -> bytes:
        """Finish the document."""
        self._canvas.showPage()
        self._canvas.save()
        return self._buffer.getvalue()
