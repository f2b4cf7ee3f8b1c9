"""How many calls to a model (or reads of a document) run at a time, and how many callers wait for one to end.

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

    def __init__(
        self, *, running: int, waiting: int, reason: str = "MODEL_OVERLOADED", what: str = "every call to the model"
    ) -> None:
        self._slots = asyncio.Semaphore(running)
        self._room = waiting
        self._reason, self._what = reason, what

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Hold a slot.

        Raises: Overloaded, MODEL_OVERLOADED by default.
        """
        if self._slots.locked() and self._room <= 0:
            message = f"{self._what} is taken, and enough callers wait"
            raise Overloaded(self._reason, message, retry_after_seconds=RETRY_AFTER_SECONDS)
        self._room -= 1
        try:
            await self._slots.acquire()
        finally:
            self._room += 1
        try:
            yield
        finally:
            self._slots.release()
