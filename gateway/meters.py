"""Work units of one subject, or of a whole pool, on one day: what this gateway holds of them.

Rules: a unit is idle (granted, for calls to come), in flight (of a call under way) or used. Between two words to ingest
their sum only shrinks, or stays; so what ingest counted is never too little. It does not know ingest or requests.
"""

import asyncio
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from candor.ingest.v1 import quota_pb2 as pb

from shared.domain import quota as blocks


@dataclass(slots=True, eq=False)
class Meter:
    """Units of a day. `elsewhere`: what others took of the limit, when ingest last told. Times are of one clock."""

    day: date
    pool: str
    subject: str
    limit: int
    holder_id: UUID
    used: int = 0
    in_flight: int = 0
    idle: int = 0
    waiting: int = 0
    elsewhere: int = 0
    touched_at: float = 0.0
    empty_until: float = 0.0
    empty_for: int = 0
    told: tuple[int, int] = (0, 0)
    sequence: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by the one who talks to ingest about this meter."""

    @property
    def kept(self) -> int:
        """Return what is held: idle or in flight."""
        return self.idle + self.in_flight

    @property
    def left(self) -> int:
        """Return what is left of the limit, as far as is known here."""
        return max(0, self.limit - self.elsewhere - self.used - self.in_flight)

    @property
    def is_near(self) -> bool:
        """Return whether nothing should lie idle here."""
        return blocks.is_near(self.left - self.idle, self.limit)

    @property
    def is_told(self) -> bool:
        """Return whether ingest knows all and nothing is held."""
        return not self.kept and self.told == (self.used, 0)

    def take(self, units: int) -> bool:
        """Put idle units in flight, if there are so many."""
        if self.idle < units:
            return False
        self.idle -= units
        self.in_flight += units
        return True

    def settle(self, units: int, used: int) -> None:
        """End a call of so many units; what it did not use is idle again."""
        self.in_flight -= units
        self.used += used
        self.idle += units - used

    def standing(self) -> pb.Standing:
        """Return a new word for ingest: all of how this holder stands."""
        self.sequence += 1
        meter = pb.Meter(day=self.day.isoformat(), pool=self.pool, subject=self.subject)
        return pb.Standing(
            meter=meter, holder_id=str(self.holder_id), sequence=self.sequence, used=self.used, kept=self.kept
        )

    def hear(self, told: pb.Standing, granted: int, level: pb.Level) -> None:
        """Take in what ingest answered to a word."""
        self.idle += granted
        self.told = (told.used, told.kept + granted)
        self.elsewhere = level.taken - told.used - told.kept - granted
