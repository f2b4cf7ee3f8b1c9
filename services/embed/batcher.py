"""Micro-batching: texts of concurrent calls share runs of the model, and no call waits behind a huge one.

    calls ──► waiting texts ──► slices of ≤ slice_texts, one in flight per worker ──► rows back to their calls

Rules: a slice takes what waits now, shared evenly between the idle workers; with an idle worker it waits at most
`window_seconds` for company. Calls take turns slice by slice, so a single document is not held up by thousands. The
texts of a call are taken in order of length, so that a slice needs little padding. A cancelled call gives up its place.
A failure that may be about one text is tried again call by call, so that nobody is answered for a neighbour's text.
Queries and documents have a batcher each over one provider: a query beside documents takes twice its own time (11 ms
where it waited 49 ms for a slice to end; tests/bench/embed.py).
It does not know models, tenants or caching.
"""

import asyncio
import math
from collections import deque
from collections.abc import Sequence
from functools import partial

import numpy as np

from services.embed.provider import Embedded, Generation, Provider, unavailable
from shared.domain.errors import Overloaded, UpstreamUnavailable

OVERLOADED_RETRY_AFTER_SECONDS = 1.0
"""About the time that 300 short texts take on 2 cores (tests/bench/embed.py)."""


class _Call:
    """One caller's texts: the rows that still wait, and the vectors that came back."""

    def __init__(self, texts: Sequence[str], dimensions: int) -> None:
        self.texts = texts
        self.waiting = deque(sorted(range(len(texts)), key=lambda row: len(texts[row])))
        self.missing = len(texts)
        self.vectors = np.empty((len(texts), dimensions), dtype=np.float32)
        self.shares = np.empty(len(texts), dtype=np.float32)
        self.answer: asyncio.Future[Embedded] = asyncio.get_running_loop().create_future()

    def put(self, row: int, embedded: Embedded, source: int) -> None:
        self.vectors[row] = embedded.vectors[source]
        self.shares[row] = embedded.unknown_token_shares[source]
        self.missing -= 1
        if not self.missing and not self.answer.done():
            self.answer.set_result(Embedded(self.vectors, self.shares))

    def fail(self, error: BaseException) -> None:
        if not self.answer.done():
            self.answer.set_exception(error)


_Slice = list[tuple[_Call, int]]


class Batcher:
    """Gathers the texts of concurrent callers into slices for one provider."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self._batching = provider.batching
        self._calls: deque[_Call] = deque()
        self._again: deque[_Slice] = deque()
        self._idle_workers = self._batching.workers
        self._waiting_texts = 0
        self._wake: asyncio.TimerHandle | None = None
        self._running: set[asyncio.Task[Embedded]] = set()
        self._closing = False

    @property
    def generation(self) -> Generation:
        """Return the generation of the provider behind."""
        return self._provider.generation

    @property
    def waiting_texts(self) -> int:
        """Return how many texts are not yet in a slice."""
        return self._waiting_texts

    async def embed(self, texts: Sequence[str]) -> Embedded:
        """Embed one or more texts in order, in slices shared with other callers.

        Raises: Overloaded EMBEDDER_OVERLOADED when too many texts wait; UpstreamUnavailable; what the provider raises.
        """
        if self._closing:
            raise unavailable("the embedder is closing")
        if self._waiting_texts and self._waiting_texts + len(texts) > self._batching.waiting_texts_limit:
            raise Overloaded(
                "EMBEDDER_OVERLOADED",
                f"{self._waiting_texts} texts wait for the embedder",
                metadata={"waiting_texts": str(self._waiting_texts)},
                retry_after_seconds=OVERLOADED_RETRY_AFTER_SECONDS,
            )
        call = _Call(texts, self.generation.dimensions)
        self._calls.append(call)
        self._waiting_texts += len(texts)
        if self._wake is None and self._idle_workers:
            self._wake = asyncio.get_running_loop().call_later(self._batching.window_seconds, self._start)
        try:
            return await call.answer
        finally:
            self._waiting_texts -= len(call.waiting)
            call.waiting.clear()

    async def close(self) -> None:
        """Refuse what waits and let running slices end; the provider stays open."""
        self._closing = True
        waiting = [call for call in self._calls if call.waiting] + [call for part in self._again for call, _ in part]
        for call in waiting:
            call.fail(unavailable("the embedder is closing"))
        await asyncio.gather(*self._running, return_exceptions=True)

    def _start(self) -> None:
        """Give every idle worker a slice, as long as texts wait."""
        self._wake = None
        while self._idle_workers and (part := self._next_slice()):
            self._idle_workers -= 1
            task = asyncio.create_task(self._provider.embed([call.texts[row] for call, row in part]))
            self._running.add(task)
            task.add_done_callback(partial(self._finished, part))

    def _next_slice(self) -> _Slice:
        """Take what is to be tried again, else from the first calls; a call with texts left goes to the back."""
        while self._again:
            if part := [(call, row) for call, row in self._again.popleft() if not call.answer.done()]:
                return part
        quota = min(self._batching.slice_texts, math.ceil(self._waiting_texts / self._idle_workers))
        part = []
        chars = 0
        while self._calls and len(part) < quota:
            call = self._calls[0]
            if call.answer.done() or not call.waiting:
                self._calls.popleft()
                continue
            chars += len(call.texts[call.waiting[0]])
            if part and chars > self._batching.slice_chars:
                break
            part.append((call, call.waiting.popleft()))
        self._calls.rotate(-1)
        self._waiting_texts -= len(part)
        return part

    def _finished(self, part: _Slice, task: asyncio.Task[Embedded]) -> None:
        """Give the rows, or the error, to the callers they belong to, and start what waits."""
        self._running.discard(task)
        self._idle_workers += 1
        error = unavailable("the embedder is closing") if task.cancelled() else task.exception()
        if error is None:
            embedded = task.result()
            for source, (call, row) in enumerate(part):
                call.put(row, embedded, source)
        else:
            self._failed(part, error)
        if self._wake is None:
            self._start()

    def _failed(self, part: _Slice, error: BaseException) -> None:
        """Fail the one caller of the slice, or all when the provider is down; else try each caller's texts alone."""
        calls = list(dict.fromkeys(call for call, _ in part))
        if len(calls) == 1 or isinstance(error, UpstreamUnavailable):
            for call in calls:
                call.fail(error)
        else:
            self._again.extend([pair for pair in part if pair[0] is call] for call in calls)
