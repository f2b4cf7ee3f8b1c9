"""The facts of one turn, put one after another among what is held.

Rules: each fact meets what those before it have left. What it takes the place of in its lane comes first, then what a
verdict says it cannot hold beside. It does not know how lanes are found, who judges, nor the database.
Source: REQUIREMENTS D3.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from shared.domain.lanes import is_contained
from shared.domain.supersession import Held, Settled, oppose, settle


@dataclass(frozen=True, slots=True)
class Placing:
    """A fact on its way to its place.

    `members` are what is held of its lane, `same` those of them that say the same in other words or say more, `refined`
    those that say less; `opposed` are
    memories that it cannot hold beside. `former` is the value that it ends, where that was named. `before` is the fact
    of the same turn that names this one as what was before it.
    """

    told: Held
    lane: Hashable
    members: tuple[UUID, ...] = ()
    same: Collection[UUID] = ()
    refined: Collection[UUID] = ()
    opposed: tuple[UUID, ...] = ()
    corrects: bool = False
    former: str = ""
    before: UUID | None = None


@dataclass(slots=True)
class Placed:
    """What the facts have left: all that is held, who speaks for each, which were written, and what was told again."""

    held: dict[UUID, Held]
    spoken_by: list[UUID] = field(default_factory=list)
    written: list[UUID] = field(default_factory=list)
    mentioned: dict[UUID, datetime] = field(default_factory=dict)


def place(facts: Sequence[Placing], held: Mapping[UUID, Held]) -> Placed:
    """Put facts in their places."""
    placed = Placed(dict(held))
    joined: dict[Hashable, list[UUID]] = {}
    for fact in facts:
        told = fact.told
        members = (*fact.members, *joined.get(fact.lane, ()))
        lane = [placed.held[one] for one in members]
        settled = _settled(fact, lane) if fact.before is None else _told_of_before(fact, lane, placed)
        placed.held.update((one.memory_id, one) for one in settled.changed)
        placed.spoken_by.append(settled.spoken_by)
        if settled.is_written:
            placed.written.append(told.memory_id)
            joined.setdefault(fact.lane, []).append(told.memory_id)
            opposed = [one for name in fact.opposed if (one := placed.held[name]).is_active]
            against = oppose(placed.held[told.memory_id], opposed)
            placed.held.update((one.memory_id, one) for one in against)
        elif fact.before is None:
            last = placed.mentioned.get(settled.spoken_by, told.since)
            placed.mentioned[settled.spoken_by] = max(last, told.since)
    return placed


def _told_of_before(fact: Placing, lane: Sequence[Held], placed: Placed) -> Settled:
    """Settle what was named as the value before another one: written as it ended, if nothing else tells of it."""
    by = placed.held.get(fact.before) if fact.before in placed.written else None
    if by is None or any(is_contained(one.value, fact.told.value) for one in lane if one.memory_id != fact.before):
        return Settled(placed.spoken_by[-1], False)
    return Settled(fact.told.memory_id, True, (fact.told.ended(by.memory_id, by.since),))


def _settled(fact: Placing, lane: Sequence[Held]) -> Settled:
    if fact.former:
        standing = next((one for one in lane if one.is_active and one.value != fact.told.value), None)
        if standing is not None and not is_contained(standing.value, fact.former):
            # What it ends is not what stands: it tells of a time before.
            ended = fact.told.ended(standing.memory_id, fact.told.since)
            return Settled(fact.told.memory_id, True, (ended,))
    return settle(fact.told, lane, same=fact.same, refined=fact.refined, corrects=fact.corrects)
