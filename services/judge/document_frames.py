"""How a document goes to the process that reads it, and what comes back: JSON with pieces of bytes behind it.

Rules: what comes back is data of a process that read a hostile file: it is checked like any other input and can name
nothing but texts, numbers and bytes. It does not know processes.
"""

from dataclasses import asdict, dataclass
from typing import Any, BinaryIO

import orjson

from services.judge.document_limits import DocumentLimits
from shared.domain.documents.reading import Media, Picture
from shared.domain.errors import ERRORS_BY_KIND, CandorError, Internal, Kind, Violation

HEAD_BYTES = 4
"""Of the length of the JSON."""

MAX_FRAME_BYTES = 256 * 1024 * 1024
"""Of a frame; pictures of a few pages take a tenth. Chosen, untested."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be read, and how: `declared` is a DeclaredDocument message, as bytes."""

    content: bytes
    declared: bytes
    limits: DocumentLimits
    pictures: bool


@dataclass(frozen=True, slots=True)
class Read:
    """What was read: the text for a model, pictures, and what the rules found, as ExtractedDocument messages.

    `needs_eyes`: there are no words in it.
    """

    media: Media
    pages: int
    text: str
    notes: tuple[str, ...]
    pictures: tuple[Picture, ...]
    documents: tuple[bytes, ...]
    needs_eyes: bool = False


def task_frame(task: Task) -> bytes:
    """Write a task."""
    about = {"limits": asdict(task.limits), "pictures": task.pictures}
    return _frame(about, (task.declared, task.content))


def task_of(about: dict[str, Any], pieces: list[bytes]) -> Task:
    """Read a task; it comes from our own process."""
    declared, content = pieces
    return Task(content, declared, DocumentLimits(**about["limits"]), about["pictures"])


def read_frame(read: Read) -> bytes:
    """Write what was read."""
    about = {
        "media": read.media.value,
        "pages": read.pages,
        "text": read.text,
        "notes": read.notes,
        "pictures": [{"media": each.media, "page": each.page} for each in read.pictures],
        "needs_eyes": read.needs_eyes,
    }
    return _frame(about, (*(each.content for each in read.pictures), *read.documents))


def error_frame(error: CandorError) -> bytes:
    """Write an error."""
    about = {
        "error": error.kind.value,
        "reason": error.reason,
        "message": error.message,
        "metadata": dict(error.metadata),
        "violations": [(each.field, each.reason, each.description) for each in error.violations],
    }
    return _frame(about, ())


def read_of(about: dict[str, Any], pieces: list[bytes]) -> Read:
    """Read what was read. Raises: CandorError, the one that the reader met; Internal for a frame that is none."""
    try:
        if "error" in about:
            raise _error_of(about)
        shown = about["pictures"]
        pictures = tuple(
            Picture(str(each["media"]), piece, int(each["page"])) for each, piece in zip(shown, pieces, strict=False)
        )
        return Read(
            Media(about["media"]),
            int(about["pages"]),
            str(about["text"]),
            tuple(map(str, about["notes"])),
            pictures,
            tuple(pieces[len(shown) :]),
            about["needs_eyes"] is True,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Internal("DOCUMENT_FRAME", "the reader of documents answered with what is no answer") from error


def head_of(head: bytes) -> int:
    """Return the length of the JSON. Raises: ValueError for one that is too long."""
    length = int.from_bytes(head)
    if not 0 < length <= MAX_FRAME_BYTES:
        raise ValueError("no frame")
    return length


def sizes_of(json: bytes) -> tuple[dict[str, Any], list[int]]:
    """Return the JSON, and the lengths of the pieces behind it. Raises: ValueError."""
    about = orjson.loads(json)
    sizes = about.pop("sizes") if isinstance(about, dict) else None
    if not isinstance(sizes, list) or not all(isinstance(each, int) and each >= 0 for each in sizes):
        raise ValueError("no frame")
    if sum(sizes) > MAX_FRAME_BYTES:
        raise ValueError("too long a frame")
    return about, sizes


def read_blocking(stream: BinaryIO) -> tuple[dict[str, Any], list[bytes]] | None:
    """Read a frame; None at the end."""
    head = stream.read(HEAD_BYTES)
    if len(head) < HEAD_BYTES:
        return None
    about, sizes = sizes_of(stream.read(head_of(head)))
    return about, [stream.read(size) for size in sizes]


def _frame(about: dict[str, Any], pieces: tuple[bytes, ...]) -> bytes:
    json = orjson.dumps(about | {"sizes": [len(piece) for piece in pieces]})
    return b"".join((len(json).to_bytes(HEAD_BYTES), json, *pieces))


def _error_of(about: dict[str, Any]) -> CandorError:
    return ERRORS_BY_KIND[Kind(about["error"])](
        str(about["reason"]),
        str(about["message"]),
        metadata={str(name): str(value) for name, value in about["metadata"].items()},
        violations=tuple(Violation(*map(str, each)) for each in about["violations"]),
    )
