"""What a request may be before anybody looks at what it says: size, type and encoding of the body, and its headers.

Rules: a body over the limit is refused by its Content-Length, or while it is read where that is missing; only one type
is read, in UTF-8, uncompressed; a header that decides something may come once. It does not know what the body means.
"""

import re
from collections.abc import Iterable, Sequence

from starlette.types import Receive

from shared.domain.errors import InvalidArgument, TooLarge, UnsupportedMedia

MAX_IDEMPOTENCY_KEY_CHARACTERS = 128  # as the contract says

Headers = Sequence[tuple[bytes, bytes]]
_DIGITS = re.compile(rb"\d{1,18}")
_VISIBLE = re.compile(rb"[!-~]+")


class ClientGone(Exception):
    """The client went away before its request was read; nobody is left to answer."""


def values(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    """Return every value of a header."""
    return [value for key, value in headers if key == name]


async def read_body(headers: Headers, receive: Receive, max_bytes: int) -> bytes:
    """Return the whole body. Raises: TooLarge BODY_TOO_LARGE, ClientGone."""
    for length in values(headers, b"content-length"):
        if not _DIGITS.fullmatch(length) or int(length) > max_bytes:
            raise _too_large(max_bytes)
    parts: list[bytes] = []
    size_bytes = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        part: bytes = message.get("body", b"")
        size_bytes += len(part)
        if size_bytes > max_bytes:
            raise _too_large(max_bytes)
        parts.append(part)
        if not message.get("more_body", False):
            return parts[0] if len(parts) == 1 else b"".join(parts)


def require_media(headers: Headers, media_type: str) -> None:
    """Refuse a body of another type, or a packed one.

    Raises: UnsupportedMedia CONTENT_TYPE_UNSUPPORTED, ENCODING_UNSUPPORTED.
    """
    given = b", ".join(values(headers, b"content-type")).decode("latin-1")
    media, *parameters = (part.strip().lower() for part in given.split(";"))
    if media != media_type or any(p not in {"charset=utf-8", 'charset="utf-8"', ""} for p in parameters):
        raise UnsupportedMedia("CONTENT_TYPE_UNSUPPORTED", f"This body must be {media_type}, in UTF-8.")
    require_uncompressed(headers)


def require_uncompressed(headers: Headers) -> None:
    """Refuse a packed body. Raises: UnsupportedMedia ENCODING_UNSUPPORTED."""
    encoding = b", ".join(values(headers, b"content-encoding")).strip().lower()
    if encoding not in {b"", b"identity"}:
        raise UnsupportedMedia("ENCODING_UNSUPPORTED", "A body must come uncompressed.")


def idempotency_key(headers: Headers) -> str:
    """Return the header Idempotency-Key; empty if there is none. Raises: InvalidArgument IDEMPOTENCY_KEY_INVALID."""
    given = values(headers, b"idempotency-key")
    if not given:
        return ""
    if len(given) > 1 or len(given[0]) > MAX_IDEMPOTENCY_KEY_CHARACTERS or not _VISIBLE.fullmatch(given[0]):
        raise InvalidArgument.of(
            "Idempotency-Key",
            "IDEMPOTENCY_KEY_INVALID",
            f"must be given once, as 1 to {MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters",
        )
    return given[0].decode()


def _too_large(max_bytes: int) -> TooLarge:
    return TooLarge(
        "BODY_TOO_LARGE", f"A body may have at most {max_bytes} bytes.", metadata={"max_bytes": str(max_bytes)}
    )
