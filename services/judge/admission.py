"""How many calls to a model run at a time, and how many callers wait for one to end.

Rules: a caller that would wait behind too many is refused at once: a short queue keeps the time to an answer bounded,
and the callers all have something to fall back on. First come, first served. It does not know what runs.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from shared.domain.errors import Overloaded

RETRY_AFTER_SECONDS = 2.0
"""About the time of one short call. Chosen, untested."""


class Admission:
    """`running` at a time, `waiting` behind them."""

    def __init__(self, *, running: int, waiting: int) -> None:
        self._slots = asyncio.Semaphore(running)
        self._room = waiting

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot.

        Raises: Overloaded MODEL_OVERLOADED.
        """
        if self._slots.locked() and self._room <= 0:
            message = "every call to the model is taken, and enough callers wait"
            raise Overloaded("MODEL_OVERLOADED", message, retry_after_seconds=RETRY_AFTER_SECONDS)
        self._room -= 1
        try:
            await self._slots.acquire()
        finally:
            self._room += 1
        try:
            yield
        finally:
            self._slots.release()
