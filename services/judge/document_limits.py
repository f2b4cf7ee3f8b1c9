"""How large a document may be in every way in which one can be too large.

Rules: what goes beyond is refused by name and figure, before it is unpacked where the file says so, else while it is.
It does not know who sets them.
"""

from dataclasses import dataclass

from shared.domain.errors import TooLarge


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """The limits of one document. Reasons for the numbers: docs/operations.md."""

    bytes: int = 5_000_000
    pages: int = 200
    seen_pages: int = 8
    pixels: int = 40_000_000
    sent_pixels: int = 3_000_000
    unpacked_bytes: int = 50_000_000
    ratio: int = 200
    rows: int = 10_000
    cells: int = 400_000
    characters: int = 250_000
    seconds: float = 5.0
    memory_bytes: int = 1_000_000_000


def too_large(reason: str, what: str, limit: int) -> TooLarge:
    """Return the error for what is over a limit."""
    return TooLarge(reason, f"content: has more than {limit} {what}", metadata={"limit": str(limit)})
