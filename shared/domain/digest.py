"""The digest of repeats: one memory that says what all of them say.

Rules: the words of the newest stand first. Of the others every text stays whose words, but for stop words, are not in
one that is kept, in the same order: so no word, figure, name or date is lost. Then how often it was told and from which
day to which (UTC). It holds since the newest of its sources says so, never since the digest was made. The strongest
protection, the highest importance and any pin pass to it; tags and references are joined; what the sources do not share
(session) is left out. The same members give the same digest in any order.
It does not know the database, nor which memories are repeats (clusters.py).
Source: REQUIREMENTS D4.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from typing import NamedTuple
from uuid import UUID

from shared.domain.draft import DERIVED_FROM_MAX, REFERENCES_MAX, SOURCE_MEMORIES_MAX, TAGS_MAX
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold
from shared.domain.types import Draft, Guard, MemoryKind, MemoryType

DIGEST_MAX_CHARS = 2_000  # so that a digest remains one passage or few; chosen, untested
_STRENGTH = (Guard.NONE, Guard.COMMITMENT, Guard.EXPLICIT, Guard.SAFETY)  # rising
_TOLD = re.compile(r" \(told (\d+) times, (\d{4}-\d\d-\d\d)(?: to (\d{4}-\d\d-\d\d))?\)\Z")
_WORD = re.compile(r"[^\W_]+(?:[.,:/'-][^\W_]+)*")
_ENDS = (".", "!", "?", "。", "！", "？")


@dataclass(frozen=True, slots=True)
class Source:
    """A memory to be digested."""

    memory_id: UUID
    draft: Draft
    recorded_at: datetime

    @property
    def since(self) -> datetime:
        """Since when it holds, or is known to."""
        return self.draft.observed_at or self.recorded_at


class Told(NamedTuple):
    """What a memory says in its own words, how often that was told, and on which days."""

    text: str
    times: int
    first: str
    last: str


def told(draft: Draft, since: datetime) -> Told:
    """Read a memory; of a digest, what it counts is read back."""
    day = since.astimezone(UTC).date().isoformat()
    found = _TOLD.search(draft.content) if draft.memory_type is MemoryType.CONSOLIDATED else None
    if found is None:
        return Told(draft.content, 1, day, day)
    return Told(draft.content[: found.start()], int(found[1]), found[2], found[3] or found[2])


def digest(sources: Sequence[Source]) -> Draft | None:
    """Return the digest of repeats; None where it would be too long or have too many sources."""
    ordered = sorted(sources, key=lambda one: (one.since, one.recorded_at, one.memory_id), reverse=True)
    drafts = [one.draft for one in ordered]
    newest = drafts[0]
    ids = dict.fromkeys(chain((one.memory_id for one in ordered), *(draft.source_memory_ids for draft in drafts)))
    tags = dict.fromkeys(chain.from_iterable(draft.tags for draft in drafts))
    references = dict.fromkeys(chain.from_iterable(draft.references for draft in drafts))
    derived_from = dict.fromkeys(chain.from_iterable(draft.derived_from for draft in drafts))
    content = _content([told(one.draft, one.since) for one in ordered])
    bounds = (SOURCE_MEMORIES_MAX, TAGS_MAX, REFERENCES_MAX, DERIVED_FROM_MAX)
    sizes = (len(ids), len(tags), len(references), len(derived_from))
    if len(content) > DIGEST_MAX_CHARS or any(size > most for size, most in zip(sizes, bounds, strict=True)):
        return None
    return replace(
        newest,
        kind=MemoryKind.NOTE,
        memory_type=MemoryType.CONSOLIDATED,
        content=content,
        session=newest.session if len({draft.session for draft in drafts}) == 1 else None,
        tags=tuple(sorted(tags)),
        references=tuple(sorted(references)),
        derived_from=tuple(sorted(derived_from)),
        source_memory_ids=tuple(sorted(ids)),
        importance=max((draft.importance for draft in drafts if draft.importance is not None), default=None),
        pinned=any(draft.pinned for draft in drafts),
        protection=max((draft.protection for draft in drafts), key=_STRENGTH.index),
        observed_at=ordered[0].since,
    )


def wordings(sources: Sequence[Source]) -> tuple[str, ...]:
    """Return the texts that the digest of repeats is made of, the newest first."""
    ordered = sorted(sources, key=lambda one: (one.since, one.recorded_at, one.memory_id), reverse=True)
    return tuple(kept([told(one.draft, one.since).text for one in ordered]))


def kept(told_texts: Sequence[str]) -> list[str]:
    """Return the texts that say something the others do not, in their order."""
    found: list[tuple[str, list[str]]] = []
    for text in told_texts:
        words = _words(text)
        if not any(_is_within(words, others) for _, others in found):
            found = [(other, others) for other, others in found if not _is_within(others, words)]
            found.append((text.strip(), words))
    return [text for text, _ in found]


def joined(told_texts: Sequence[str]) -> str:
    """Return one text of those that say something the others do not."""
    found = kept(told_texts)
    return found[0] if len(found) == 1 else " ".join(one if one.endswith(_ENDS) else f"{one}." for one in found)


def reworded(draft: Draft, said: str) -> Draft:
    """Return a digest that says this in place of its sources' own words; what it counts stays."""
    counted = _TOLD.search(draft.content)
    return replace(draft, content=said + draft.content[counted.start() :]) if counted else draft


def said_of(draft: Draft) -> str:
    """Return what a digest says, without what it counts."""
    counted = _TOLD.search(draft.content)
    return draft.content[: counted.start()] if counted else draft.content


def _content(members: Sequence[Told]) -> str:
    first, last = min(member.first for member in members), max(member.last for member in members)
    days = first if first == last else f"{first} to {last}"
    return (
        f"{joined([member.text for member in members])} (told {sum(member.times for member in members)} times, {days})"
    )


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(fold(text)) if word not in ENGLISH_STOP_WORDS]


def _is_within(words: Sequence[str], others: Sequence[str]) -> bool:
    rest = iter(others)
    return all(word in rest for word in words)
