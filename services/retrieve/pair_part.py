"""A part of a search for pairs: what one search covers in its time, and how a stream goes on in it or after it.

Rules: a part keeps its bounds once they are known, so searching it again brings the same pairs; it is then searched
without a limit of time. What earlier parts came to is carried along. A token says all of it. It does not know messages
or the database.
Source: REQUIREMENTS C5.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from services.retrieve.page_tokens import Tokens, from_instant, to_instant
from services.retrieve.pair_search import Found, Reach, Search
from shared.domain.pairs import Place

_REACH_PARTS, _PLACE_PARTS = 2, 3


@dataclass(frozen=True, slots=True)
class Counts:
    """Memories that were looked at, eligible pairs among them, and restatements."""

    audited: int = 0
    eligible: int = 0
    restatements: int = 0

    def plus(self, found: Found) -> "Counts":
        """Add what a search came to."""
        pairs = found.pairs
        return Counts(
            self.audited + found.audited, self.eligible + pairs.eligible, self.restatements + pairs.restatements
        )


@dataclass(frozen=True, slots=True)
class Part:
    """After `begin` up to `end` (None: to the last memory, if `is_bounded`), and of that what comes after `place`.

    `began_at` is when the first part was begun, `before` what the earlier ones came to.
    """

    began_at: datetime
    begin: Reach | None = None
    end: Reach | None = None
    is_bounded: bool = False
    place: Place | None = None
    before: Counts = Counts()

    def within(self, search: Search) -> Search:
        """Return the search for this part."""
        seconds = None if self.is_bounded else search.seconds
        return replace(search, begin=self.begin, end=self.end, seconds=seconds)

    def up_to(self, found: Found) -> "Part":
        """Return this part with the bounds that its search came to."""
        return self if self.is_bounded else replace(self, end=found.reached, is_bounded=True)

    def next(self, found: Found) -> "Part | None":
        """Return the part after this one; None if it was the last."""
        return None if self.end is None else Part(self.began_at, begin=self.end, before=self.before.plus(found))


def seal(tokens: Tokens, part: Part) -> str:
    """Return the token of a place in a part."""
    place = part.place and (part.place.falling, str(part.place.first), str(part.place.second))
    told: list[str | int] = [
        from_instant(part.began_at),
        int(part.is_bounded),
        *(part.before.audited, part.before.eligible, part.before.restatements),
    ]
    for given, count in (
        (_written(part.begin), _REACH_PARTS),
        (_written(part.end), _REACH_PARTS),
        (place, _PLACE_PARTS),
    ):
        told += [1, *given] if given else [0] * (1 + count)
    return tokens.seal(told)


def opened(told: Sequence[str | int] | None) -> Part | None:
    """Read the part from what a token holds; None without one."""
    if told is None:
        return None
    began_at, is_bounded, audited, eligible, restatements, *rest = told
    begin, end = (_read(rest[start : start + 1 + _REACH_PARTS]) for start in (0, 1 + _REACH_PARTS))
    has_place, falling, first, second = rest[2 * (1 + _REACH_PARTS) :]
    place = Place(int(falling), UUID(str(first)), UUID(str(second))) if has_place else None
    before = Counts(int(audited), int(eligible), int(restatements))
    return Part(to_instant(began_at), begin, end, bool(is_bounded), place, before)


def _written(reach: Reach | None) -> tuple[str, str] | None:
    return None if reach is None else (reach.company_key, str(reach.memory_id or ""))


def _read(told: Sequence[str | int]) -> Reach | None:
    is_given, company_key, memory_id = told
    return Reach(str(company_key), UUID(str(memory_id)) if memory_id else None) if is_given else None
