"""How many memories were in which state at instants, from what moved them.

Rules: a memory is in the state that its last event up to an instant left it in; what was recorded at the very instant
counts. It does not know where events come from.
Source: REQUIREMENTS A8, D9.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from shared.domain.types import MemoryState

A_MICROSECOND = timedelta(microseconds=1)


class Move(NamedTuple):
    """So many memories went from one state into another in one piece of time; `before` None: they were written.

    Units: `piece` n lies after n − 1 instants and up to the next: it counts from the n-th on, counted from 0.
    """

    piece: int
    before: MemoryState | None
    after: MemoryState
    memories: int


def instants(since: datetime, until: datetime, step: timedelta) -> list[datetime]:
    """Return the instants of a range, the first included, at equal distances."""
    return [since + step * number for number in range((until - since) // step + 1)]


def bounds(points: Sequence[datetime]) -> list[datetime]:
    """Return where one piece of time ends and the next begins: what is recorded at an instant counts at it."""
    return [at + A_MICROSECOND for at in points]


def populations(points: int, moves: Iterable[Move]) -> list[Counter[MemoryState]]:
    """Return how many memories are in each state at so many instants."""
    changes: list[Counter[MemoryState]] = [Counter() for _ in range(points)]
    for move in moves:
        if move.piece < points:
            changes[move.piece][move.after] += move.memories
            if move.before is not None:
                changes[move.piece][move.before] -= move.memories
    for number in range(1, points):
        for state, memories in changes[number - 1].items():
            changes[number][state] += memories
    return changes
