"""Work units of a day: how holders of a meter stand, and what is left for one that asks.

Rules: whoever grants units has the meter to itself until its transaction ends, and looks at it only then. A holder's
later word replaces the earlier one, never the other way round. What a silent holder kept is free again. It does not
know limits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/quota")


@dataclass(frozen=True, slots=True)
class Standing:
    """How a holder stands to a meter: a day, a pool and a subject."""

    day: date
    pool: str
    subject: str
    holder_id: UUID
    sequence: int
    used: int
    kept: int


@dataclass(frozen=True, slots=True)
class Level:
    """What is used or held of a meter, and what of it others hold."""

    taken: int
    held_elsewhere: int


@dataclass(frozen=True, slots=True)
class Taken:
    """What all others took of a meter, what of it they hold, and what this holder had by its last word."""

    elsewhere: int
    held_elsewhere: int
    sequence: int
    own: int


async def taken(connection: Connection, standing: Standing, at: datetime) -> Taken:
    """Keep the meter from all others until the transaction ends, and read it."""
    meter = (standing.day, standing.pool, standing.subject)
    await connection.execute(_SQL["serialise"], *meter)  # apart from the look, which must see what others wrote
    [row] = await connection.fetch(_SQL["taken"], *meter, standing.holder_id, at)
    return Taken(**row)


async def stand(connection: Connection, standing: Standing, until: datetime) -> None:
    """Keep how a holder stands."""
    s = standing
    values = (s.day, s.pool, s.subject, s.holder_id, s.sequence, s.used, s.kept, until)
    await connection.execute(_SQL["stand"], *values)


async def settle(connection: Connection, standings: Sequence[Standing], at: datetime, until: datetime) -> list[Level]:
    """Keep how holders stand and return how their meters do."""
    names = ("day", "pool", "subject", "holder_id", "sequence", "used", "kept")
    columns = [[getattr(standing, name) for standing in standings] for name in names]
    await connection.execute(_SQL["settle"], *columns, until)
    return [Level(**row) for row in await connection.fetch(_SQL["levels"], *columns[:4], at)]


async def forget(connection: Connection, before: date) -> None:
    """Delete the days before one."""
    await connection.execute(_SQL["forget"], before)
