"""What a fact that was told takes the place of, what takes its place, and what merely repeats it.

Rules: a lane is what is said of one thing that has one value at a time: a slot of a record, or whether one value is
among those of a slot of several; an end is a value like any other (NOTHING). In a lane the time since when a value
holds decides, never the order of arrival: of two facts of one time the one that was recorded later holds. A value that
is told again is mentioned, not written: a fact told before the mention does not end it; one told after it does, from
when it says that it holds, be that before the mention ("I left a week ago"). One that is told more exactly is spoken
for by the fact that says more. What was held, ended and is told again holds again, as something new. What was incorrect
or erased says nothing. A fact that begins earlier than the same one that stands speaks for it from then on.
Between lanes a verdict decides that two statements exclude each other, and again the time which of them ends.
It does not know how values are compared, who judges, nor the database.
Source: REQUIREMENTS A8, C2, D3.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from shared.domain.types import MemoryState

NOTHING = "\0nothing"  # the value of a lane that has none any more; no text holds U+0000
_SAYS_NOTHING = frozenset((MemoryState.INCORRECT, MemoryState.ERASED))


@dataclass(frozen=True, slots=True)
class Held:
    """A memory as far as its time and its end go.

    `value` is canonical within its lane, empty outside of any; `until` is the end of its valid time, an expiry too;
    `mentioned` is the last time at which it was told again, `told_at` when a new fact was told.
    """

    memory_id: UUID
    since: datetime
    recorded_at: datetime
    value: str = ""
    state: MemoryState = MemoryState.ACTIVE
    until: datetime | None = None
    superseded_by: UUID | None = None
    mentioned: datetime | None = None
    told_at: datetime | None = None

    @property
    def is_active(self) -> bool:
        """Whether it is believed now."""
        return self.state is MemoryState.ACTIVE

    @property
    def last(self) -> datetime:
        """When it was told last."""
        return self.since if self.mentioned is None else max(self.since, self.mentioned)

    @property
    def spokesman(self) -> UUID:
        """The memory that speaks for it: itself, unless it was merged."""
        merged_into = self.superseded_by if self.state is MemoryState.MERGED else None
        return merged_into or self.memory_id

    def ended(self, by: UUID, at: datetime | None, state: MemoryState = MemoryState.SUPERSEDED) -> "Held":
        """Return it as it is once another memory has taken its place; `at` None leaves its valid time as it is."""
        until = self.until if at is None else at if self.until is None else min(self.until, at)
        return replace(self, state=state, until=until, superseded_by=by)


@dataclass(frozen=True, slots=True)
class Settled:
    """What becomes of a fact: who speaks for it, whether it is written, and all that is other than it was.

    `changed` holds the fact itself where it is written. A memory in it that was ended and is active now is revived.
    """

    spoken_by: UUID
    is_written: bool
    changed: tuple[Held, ...] = ()


class _Telling(NamedTuple):
    """When a memory was told, for the first time or again."""

    at: datetime
    recorded_at: datetime
    held: Held


def settle(
    told: Held,
    lane: Iterable[Held],
    *,
    same: Collection[UUID] = (),
    refined: Collection[UUID] = (),
    corrects: bool = False,
) -> Settled:
    """Put a fact into its lane.

    `same` are memories of it that say what the fact says and more; `refined` are those of which it says more: then it
    speaks for them. `corrects`: what stands was never right.
    """
    members = [held for held in lane if held.state not in _SAYS_NOTHING]
    known = [
        replace(held, value=told.value)
        if held.memory_id in (same if _is_before(held, told) else refined)
        else _as_told_by(told, held)
        for held in members
    ]
    tellings = sorted(_tellings(known), key=lambda telling: telling[:2])
    before = [telling.held for telling in tellings if telling[:2] <= (told.since, told.recorded_at)]
    after = tellings[len(before) :]
    former, following = (before[-1] if before else None), (after[0] if after else None)
    if former is not None and former.value == told.value and _covers(former, told):
        return _repeated(told, former, is_last=following is None)
    if following is not None and following.held.value == told.value:
        return _begun_earlier(told, known, following.held)
    written = told if following is None else told.ended(following.held.spokesman, following.at)
    next_id = None if following is None else following.held.memory_id
    state = MemoryState.INCORRECT if corrects else MemoryState.SUPERSEDED
    return Settled(told.memory_id, True, (written, *_displaced(told, known, next_id, state, refined)))


def oppose(told: Held, opposed: Sequence[Held]) -> tuple[Held, ...]:
    """Return what ends between a fact and the active memories that it cannot hold beside: the fact too, if one of them
    was told later.
    """
    opposed = [_as_told_by(told, held) for held in opposed]
    later = [held for held in opposed if (held.last, held.recorded_at) > (told.since, told.recorded_at)]
    changed = [held.ended(told.memory_id, told.since) for held in opposed if held not in later]
    if later and told.is_active:
        first = min(later, key=lambda held: (held.last, held.recorded_at))
        changed.append(told.ended(first.memory_id, first.since if first.since > told.since else first.last))
    return tuple(changed)


def _as_told_by(told: Held, held: Held) -> Held:
    """Return a memory of another value without a mention that was made before the fact was told."""
    if told.told_at is None or held.mentioned is None or held.value == told.value != "":
        return held
    return replace(held, mentioned=None) if held.mentioned <= told.told_at else held


def _tellings(known: Sequence[Held]) -> Iterator[_Telling]:
    for held in known:
        yield _Telling(held.since, held.recorded_at, held)
        if held.last > held.since:
            yield _Telling(held.last, held.recorded_at, held)


def _is_before(held: Held, told: Held) -> bool:
    return (held.since, held.recorded_at) <= (told.since, told.recorded_at)


def _covers(held: Held, told: Held) -> bool:
    """Tell whether a memory of the same value, and the last before the fact, speaks for the time of the fact."""
    has_ended = held.is_active or held.state is MemoryState.SUPERSEDED
    return not has_ended or held.until is None or told.since < held.until or told.since == held.since


def _repeated(told: Held, held: Held, *, is_last: bool) -> Settled:
    if held.state is MemoryState.FORGOTTEN and is_last:
        revived = replace(held, state=MemoryState.ACTIVE, superseded_by=None)
        return Settled(held.memory_id, False, (revived,))
    return Settled(held.spokesman, False)


def _begun_earlier(told: Held, known: Sequence[Held], following: Held) -> Settled:
    """Let the fact speak for one of the same value that begins later; what has ended stays as it is."""
    if following.since <= told.since or following.state in (MemoryState.FORGOTTEN, MemoryState.MERGED):
        return Settled(following.spokesman, False)
    displaced = _displaced(told, known, following.memory_id)
    if following.is_active:
        written = replace(told, mentioned=following.last, until=following.until or told.until)
        merged = following.ended(told.memory_id, None, MemoryState.MERGED)
        return Settled(told.memory_id, True, (written, merged, *displaced))
    written = told.ended(following.superseded_by or following.memory_id, following.until)
    return Settled(told.memory_id, True, (written, *displaced))


def _displaced(
    told: Held,
    known: Sequence[Held],
    following: UUID | None,
    state: MemoryState = MemoryState.SUPERSEDED,
    refined: Collection[UUID] = (),
) -> tuple[Held, ...]:
    """Return those before that end with the fact, or are followed by it instead of by what follows it."""
    former = [held for held in known if held.value != told.value and _is_before(held, told)]
    ended = {held.memory_id for held in former if held.is_active and held.last <= told.since}
    spoken_for = ended.intersection(refined)
    changed: list[Held] = []
    for held in former:
        if held.memory_id in spoken_for:
            changed.append(held.ended(told.memory_id, None, MemoryState.MERGED))
        elif held.memory_id in ended:
            changed.append(held.ended(told.memory_id, told.since if state is MemoryState.SUPERSEDED else None, state))
    latest = max((held.since for held in former), default=None)
    for held in former:
        superseded, merged = held.state is MemoryState.SUPERSEDED, held.state is MemoryState.MERGED
        if held.superseded_by in spoken_for and (superseded or merged):
            changed.append(replace(held, superseded_by=told.memory_id))
            continue
        followed = superseded and following is not None and held.superseded_by == following
        faded = held.state is MemoryState.FORGOTTEN and held.since == latest and held.last <= told.since
        is_followed_now = followed and (held.until is None or held.until > told.since)
        if (merged and held.superseded_by in ended) or faded or is_followed_now:
            changed.append(held.ended(told.memory_id, told.since))
    return tuple(changed)
