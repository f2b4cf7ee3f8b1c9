"""How many callers do something at a time, and how many wait for one of them to end.

Rules: a caller that would wait behind too many, or waits too long, is refused: a short queue keeps the time to an
answer bounded, and callers know better than a queue what to do meanwhile. First come, first served. It does not know
what runs.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from shared.domain.errors import Overloaded

RETRY_AFTER_SECONDS = 2.0
"""About the time of one short call of a model. Chosen, untested."""


class Admission:
    """`running` at a time, `waiting` behind them, each at most `wait_seconds` (None: as long as it likes)."""

    def __init__(
        self,
        *,
        running: int,
        waiting: int,
        reason: str = "MODEL_OVERLOADED",
        what: str = "every call to the model",
        wait_seconds: float | None = None,
    ) -> None:
        self._slots = asyncio.Semaphore(running)
        self._room = waiting
        self._reason, self._what = reason, what
        self._wait_seconds = wait_seconds
        self.running = 0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot.

        Raises: Overloaded, MODEL_OVERLOADED by default.
        """
        await self.enter()
        try:
            yield
        finally:
            self.leave()

    async def enter(self) -> None:
        """Take a slot, which `leave` gives back.

        Raises: Overloaded, MODEL_OVERLOADED by default.
        """
        if self._slots.locked():
            await self._wait()
        else:
            await self._slots.acquire()  # at once
        self.running += 1

    def leave(self) -> None:
        """Give a slot back."""
        self.running -= 1
        self._slots.release()

    async def _wait(self) -> None:
        if self._room <= 0:
            raise self._refusal()
        self._room -= 1
        try:
            async with asyncio.timeout(self._wait_seconds):
                await self._slots.acquire()
        except TimeoutError:
            raise self._refusal() from None
        finally:
            self._room += 1

    def _refusal(self) -> Overloaded:
        message = f"{self._what} is taken, and enough callers wait"
        return Overloaded(self._reason, message, retry_after_seconds=RETRY_AFTER_SECONDS)
