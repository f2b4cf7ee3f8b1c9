"""Pictures of documents: what a scanner or a telephone gives of a page.

Rules: a picture is the page drawn again in grey, turned a little; no text layer stands behind it. Pictures are made
once and committed: their bytes follow the versions of the drawing libraries, so `making --check` does not compare them.
Korean is left out: without a Korean font on the machine its letters would not be drawn.
"""

from io import BytesIO

import pypdfium2
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

DOTS_PER_INCH = 100  # chosen: small, and every letter can be read
GREYS = 8  # of a PNG


def picture(pdf: bytes, degrees: float = 0.6, share: float = 0.62) -> Image.Image:
    """Draw the first page as a grey picture, turned, the empty foot cut off. Units: `share` of the height is kept."""
    document = pypdfium2.PdfDocument(pdf)
    try:
        drawn: Image.Image = document[0].render(scale=DOTS_PER_INCH / 72, grayscale=True).to_pil().convert("L")
    finally:
        document.close()
    turned = drawn.rotate(degrees, resample=Image.Resampling.BICUBIC, fillcolor=255)
    return turned.crop((0, 0, turned.width, int(turned.height * share)))


def png(image: Image.Image) -> bytes:
    """Save as PNG with few greys."""
    out = BytesIO()
    image.quantize(GREYS).save(out, "PNG", optimize=True)
    return out.getvalue()


def jpeg(image: Image.Image) -> bytes:
    """Save as JPEG."""
    out = BytesIO()
    image.save(out, "JPEG", quality=40, optimize=True)
    return out.getvalue()


def webp(image: Image.Image) -> bytes:
    """Save as WebP."""
    out = BytesIO()
    image.save(out, "WEBP", quality=40, method=6)
    return out.getvalue()


def saved(image: Image.Image, form: str) -> bytes:
    """Save a picture as png, jpeg, webp or the page of a pdf."""
    if form == "pdf":
        return scanned_pdf(image)
    return png(image) if form == "png" else jpeg(image) if form == "jpeg" else webp(image)


def scanned_pdf(*images: Image.Image) -> bytes:
    """Put pictures on the pages of a PDF without any text."""
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    for image in images:
        width, height = (side * 72 / DOTS_PER_INCH for side in image.size)
        canvas.setPageSize((width, height))
        canvas.drawImage(ImageReader(BytesIO(jpeg(image))), 0, 0, width, height)
        canvas.showPage()
    canvas.save()
    return out.getvalue()
