"""Pages of a recall: which hits of a question were shown already.

Rules: a page holds the best hits that no earlier page showed, so none comes twice and none is skipped, however scores
move with the depth of the search or memories change meanwhile; with `known_at` all pages hold as of one instant. A
token carries a mark for each hit shown, hence a bounded depth: a question with more answers than that wants a filter.
It does not rank, nor know how a token is sealed.
Source: REQUIREMENTS B5.
"""

from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from services.retrieve.page_tokens import Tokens
from shared.domain.errors import InvalidArgument

DEPTH_MAX = 1_000  # hits of one question; the contract's
MARK_BYTES = 8  # both halves of an id, 62 random bits: two of 3,000 memories are alike once in 10^12 lists
_HALF = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Shown:
    """What earlier pages held, by marks."""

    marks: frozenset[bytes] = frozenset()

    def __contains__(self, memory_id: UUID) -> bool:
        return bool(self.marks) and _mark(memory_id) in self.marks

    def __len__(self) -> int:
        return len(self.marks)

    def with_these(self, memory_ids: Iterable[UUID]) -> "Shown":
        """Return what will have been shown after these."""
        return Shown(self.marks | {_mark(memory_id) for memory_id in memory_ids})

    def seal(self, tokens: Tokens) -> str:
        """Return the token of the page after these."""
        return tokens.seal((b64encode(b"".join(sorted(self.marks))).decode(),))


NOTHING_SHOWN = Shown()


def shown_before(tokens: Tokens, token: str) -> Shown:
    """Return what was shown before the page of a token.

    Raises: InvalidArgument PAGE_TOKEN_INVALID, PAGE_TOO_DEEP.
    """
    place = tokens.open(token)
    if place is None:
        return NOTHING_SHOWN
    raw = b64decode(str(place[0]))
    shown = Shown(frozenset(raw[start : start + MARK_BYTES] for start in range(0, len(raw), MARK_BYTES)))
    if len(shown) >= DEPTH_MAX:
        raise InvalidArgument.of(
            "page_token", "PAGE_TOO_DEEP", f"{DEPTH_MAX:,} hits of this question were shown; a filter narrows it"
        )
    return shown


def _mark(memory_id: UUID) -> bytes:
    number = memory_id.int
    return ((number >> 64) ^ (number & _HALF)).to_bytes(MARK_BYTES, "big")
