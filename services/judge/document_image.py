"""Photographs and scans: looked at as far as a model needs, never believed by their headers.

Rules: the size that a file states is checked before a pixel is decoded; an image is decoded as what its first bytes
say and as nothing else, turned as its camera was held, made smaller where it has more pixels than a model reads, and
written anew, so that nothing but pixels leaves here. Frames after the first are left out.
It does not know what is shown.
"""

import io
import math
import warnings

from PIL import Image, ImageOps, UnidentifiedImageError

from services.judge.document_kinds import damaged
from services.judge.document_limits import DocumentLimits, too_large
from shared.domain.documents.reading import Media, Picture, Reading

MIN_SIDE_PIXELS = 16
"""Less cannot hold a document. Chosen, untested."""

_FORMATS = {Media.PNG: "PNG", Media.JPEG: "JPEG", Media.WEBP: "WEBP"}


def read_image(content: bytes, media: Media, limits: DocumentLimits) -> Reading:
    """Read an image.

    Raises: InvalidArgument DOCUMENT_DAMAGED; TooLarge DOCUMENT_PIXELS.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            image = Image.open(io.BytesIO(content), formats=(_FORMATS[media],))
            if image.width * image.height > limits.pixels:
                raise too_large("DOCUMENT_PIXELS", "pixels", limits.pixels)
            if min(image.width, image.height) < MIN_SIDE_PIXELS:
                raise damaged("an image too small to hold a document")
            image.load()
            shown = ImageOps.exif_transpose(image)
    except Image.DecompressionBombError as error:
        raise too_large("DOCUMENT_PIXELS", "pixels", limits.pixels) from error
    except UnidentifiedImageError as error:
        raise damaged("no image that can be opened") from error
    except (
        OSError,
        SyntaxError,
        ValueError,
        TypeError,
        LookupError,
        ArithmeticError,
        EOFError,
        AttributeError,
    ) as error:
        raise damaged("an image that breaks off or is wrong inside") from error
    scale = math.sqrt(limits.sent_pixels / (shown.width * shown.height))
    if scale < 1:
        shown = shown.resize((max(1, int(shown.width * scale)), max(1, int(shown.height * scale))))
    notes = ("Only the first picture of the file was looked at.",) if getattr(image, "n_frames", 1) > 1 else ()
    return Reading(media, pictures=(Picture("image/png", encoded(shown)),), notes=notes)


def encoded(image: Image.Image) -> bytes:
    """Write pixels as PNG, without anything else the file held."""
    plain = image.convert("RGB") if image.mode not in ("L", "RGB") else image
    out = io.BytesIO()
    Image.frombytes(plain.mode, plain.size, plain.tobytes()).save(out, "PNG")
    return out.getvalue()
