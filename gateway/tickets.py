"""One call on its way through: its units are reserved before it, its place is held during it, then both are settled.

Rules: a call that failed costs nothing; one whose client went away costs all the same. A stream of unknown length
reserves as it goes, and ends as a problem when the quota does. What a response says was not used goes back. It does not
know any single method, or how limits are kept.
Source: REQUIREMENTS F3.
"""

from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self

from google.protobuf.message import Message

from gateway import limit_metrics as metrics
from gateway import trace
from gateway.costs import Cost
from gateway.quotas import Quotas, Reservation
from shared.domain.errors import CandorError, Overloaded
from shared.rpc.admission import Admission


class Ticket:
    """Inside it there is a place, and the units are reserved.

    `used`: what the call turned out to cost; None: all that was reserved.
    Raises, when it is entered: RateLimited QUOTA_EXHAUSTED; Overloaded OVERLOADED; UpstreamUnavailable.
    """

    __slots__ = ("_cost", "_places", "_pool", "_quotas", "_record", "_reserved", "_subject", "_units", "_work", "used")

    def __init__(
        self,
        quotas: Quotas,
        places: Admission,
        pool: str,
        subject: str,
        cost: Cost,
        units: int,
        work: str,
        record: trace.Trace,
    ) -> None:
        self._quotas = quotas
        self._places = places
        self._pool, self._subject = pool, subject
        self._cost = cost
        self._units = units
        self._work = work
        self._record = record
        self._reserved: list[tuple[Reservation, int]] = []
        self.used: int | None = None

    async def __aenter__(self) -> Self:
        if self._units:
            try:
                await self._reserve(self._units)
            finally:
                self._tell()
        try:
            await self._places.enter()
        except BaseException as error:
            if isinstance(error, Overloaded):
                metrics.PLACES_REFUSED.labels(self._pool, self._work).inc()
            self._settle(0)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._places.leave()
        self._settle(0 if isinstance(error, CandorError) else self.used)

    def answered(self, response: Message, *, is_replayed: bool) -> None:
        """Note what a response tells of what was used."""
        if is_replayed:
            self.used = 0
        elif self._cost.used is not None:
            self.used = self._cost.used(response)

    def counted(self, messages: AsyncIterator[Any]) -> AsyncIterator[Any]:
        """Return the messages of a stream; before one goes out, units are reserved for what comes behind it.

        Raises: RateLimited QUOTA_EXHAUSTED.
        """
        return self._counted(messages) if self._cost.so_far or self._cost.used else messages

    async def _counted(self, messages: AsyncIterator[Any]) -> AsyncIterator[Any]:
        so_far, used, step = self._cost.so_far, self._cost.used, self._units
        async for message in messages:
            done = so_far(message) if so_far else None
            if done is not None and done + step > self._units:
                await self._reserve(done + step - self._units)
                self._units = done + step
            if used is not None:
                self.used = used(message)
            yield message

    async def _reserve(self, units: int) -> None:
        self._reserved.append((await self._quotas.reserve(self._pool, self._subject, units), units))

    def _settle(self, used: int | None) -> None:
        for reservation, units in self._reserved:
            part = units if used is None else min(units, used)
            reservation.settle(part)
            used = None if used is None else used - part
        if self._reserved:
            self._tell()

    def _tell(self) -> None:
        self._record.headers.update(self._quotas.headers(self._pool, self._subject))
