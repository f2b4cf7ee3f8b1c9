"""An embedder whose vectors are made of the words of a text, which counts, waits and fails on demand."""

import asyncio
from hashlib import blake2b

import numpy as np
from candor.embed.v1 import embeddings_pb2
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceServicer

from shared.domain.errors import InvalidArgument, UpstreamUnavailable
from shared.domain.vectors import Vector, normalise
from shared.rpc.context import Context

MODEL, DIMENSIONS = "all-MiniLM-L6-v2", 384


def vector_of(text: str) -> Vector:
    """Return a vector that two texts share as far as they share words."""
    made = np.zeros(DIMENSIONS, np.float32)
    for word in text.casefold().split():
        number = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")
        made[number % DIMENSIONS] += 1 if number >> 32 & 1 else -1
    return normalise(made)


class StandIn(EmbeddingsServiceServicer):
    """`texts` holds what it was asked for, call by call; `is_down` and `refused` tenants get no answer, and neither
    does a text with poison in it.

    A call releases `entered` and waits until `gate` is set.
    """

    def __init__(self) -> None:
        self.texts: list[list[str]] = []
        self.is_down = False
        self.model = MODEL
        self.gate = asyncio.Event()
        self.gate.set()
        self.entered = asyncio.Semaphore(0)
        self.refused: set[str] = set()

    async def EmbedTexts(
        self, request: embeddings_pb2.EmbedTextsRequest, context: Context
    ) -> embeddings_pb2.EmbedTextsResponse:
        self.texts.append(list(request.texts))
        self.entered.release()
        await self.gate.wait()
        if self.is_down or request.tenant_id in self.refused:
            raise UpstreamUnavailable("PROVIDER_DOWN", "down", retry_after_seconds=7)
        if any("poison" in text for text in request.texts):
            raise InvalidArgument.of("texts", "TEXT_REFUSED", "holds poison")
        return embeddings_pb2.EmbedTextsResponse(
            vectors=np.stack([vector_of(text) for text in request.texts]).astype("<f4").tobytes(),
            generation=self._generation(),
            unknown_token_shares=[0.0] * len(request.texts),
        )

    async def GetGeneration(
        self, request: embeddings_pb2.GetGenerationRequest, context: Context
    ) -> embeddings_pb2.GetGenerationResponse:
        if self.is_down:
            raise UpstreamUnavailable("PROVIDER_DOWN", "down")
        return embeddings_pb2.GetGenerationResponse(generation=self._generation())

    def _generation(self) -> embeddings_pb2.Generation:
        return embeddings_pb2.Generation(model=self.model, dimensions=DIMENSIONS)
