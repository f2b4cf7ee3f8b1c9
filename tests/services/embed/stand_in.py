"""A provider whose vectors name their text, whose runs wait at a gate, and which fails on demand."""

import asyncio
from collections.abc import Sequence

import numpy as np

from services.embed.provider import Batching, Embedded, Generation, Vectors
from shared.domain.errors import FailedPrecondition

DIMENSIONS = 8


def vector_of(text: str) -> Vectors:
    number = sum(text.encode()) * 31 + len(text)
    return np.array([number // 7**power % 7 + 1 for power in range(DIMENSIONS)], dtype=np.float32)


class StandIn:
    """Keeps every slice it was given; texts in `refused` fail their slice."""

    def __init__(self, batching: Batching) -> None:
        self.batching = batching
        self.generation = Generation("stand-in", DIMENSIONS)
        self.slices: list[list[str]] = []
        self.running = 0
        self.most_running = 0
        self.gate = asyncio.Event()
        self.gate.set()
        self.entered = asyncio.Event()
        self.refused: set[str] = set()
        self.failure: Exception | None = None
        self.closed = False

    async def embed(self, texts: Sequence[str]) -> Embedded:
        self.slices.append(list(texts))
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        self.entered.set()
        try:
            await asyncio.sleep(0)  # a real provider always gives way to the loop
            await self.gate.wait()
        finally:
            self.running -= 1
        if self.failure:
            raise self.failure
        if self.refused & set(texts):
            raise FailedPrecondition("EMBEDDER_REFUSED", "refused")
        shares = np.array([len(text) % 10 / 10 for text in texts], dtype=np.float32)
        return Embedded(np.stack([vector_of(text) for text in texts]), shares)

    async def close(self) -> None:
        self.closed = True
