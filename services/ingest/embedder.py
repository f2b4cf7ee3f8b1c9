"""Asking embed for the vectors of texts.

Rules: vectors of another generation than the database's current one are never taken. Texts go in slices, one after the
other, so that one large batch does not fill the embedder's queue. An embedder that does not answer, or is too busy, is
EMBEDDER_UNAVAILABLE: nothing was written, and the caller may try again.
"""

from collections.abc import Sequence
from uuid import UUID

import numpy as np
from candor.embed.v1 import embeddings_pb2
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceStub

from shared.domain.errors import CandorError, FailedPrecondition, Internal, Overloaded, UpstreamUnavailable
from shared.domain.vectors import Vector
from shared.rpc.clients import rpc_errors
from shared.store.writes.plans import Generation

SLICE_TEXTS = 512  # about 3 s of the local model on 2 cores; chosen, untested
RETRY_AFTER_SECONDS = 2.0  # chosen, untested


class Embedder:
    """The embed role, as ingest sees it."""

    def __init__(self, stub: EmbeddingsServiceStub) -> None:
        self._stub = stub

    async def embed(self, tenant_id: UUID, texts: Sequence[str], generation: Generation) -> Vector:
        """Return the vectors of texts.

        Shapes: (len(texts), generation.dimensions).
        Raises: UpstreamUnavailable EMBEDDER_UNAVAILABLE; FailedPrecondition EMBEDDING_GENERATION_MISMATCH.
        """
        slices = [texts[start : start + SLICE_TEXTS] for start in range(0, len(texts), SLICE_TEXTS)]
        rows = [await self._embed_slice(tenant_id, part, generation) for part in slices]
        return np.concatenate(rows) if rows else np.empty((0, generation.dimensions), np.float32)

    async def check(self, generation: Generation) -> None:
        """Compare the embedder's generation with the database's; one that does not answer is no mismatch.

        Raises: FailedPrecondition EMBEDDING_GENERATION_MISMATCH.
        """
        try:
            with rpc_errors():
                answer = await self._stub.GetGeneration(embeddings_pb2.GetGenerationRequest())
        except (UpstreamUnavailable, Overloaded):
            return
        _compare(answer.generation, generation)

    async def _embed_slice(self, tenant_id: UUID, texts: Sequence[str], generation: Generation) -> Vector:
        request = embeddings_pb2.EmbedTextsRequest(
            tenant_id=str(tenant_id), texts=texts, purpose=embeddings_pb2.PURPOSE_DOCUMENT
        )
        try:
            with rpc_errors():
                answer = await self._stub.EmbedTexts(request)
        except (UpstreamUnavailable, Overloaded) as error:
            raise _unavailable(error) from error
        _compare(answer.generation, generation)
        vectors = np.frombuffer(answer.vectors, dtype="<f4").astype(np.float32)
        if vectors.size != len(texts) * generation.dimensions:
            raise Internal("EMBEDDER_ANSWER_INVALID", "the embedder returned another number of vectors than texts")
        return vectors.reshape(len(texts), generation.dimensions)


def mismatch(model: str, dimensions: int, generation: Generation) -> FailedPrecondition:
    """Return the error for vectors of another generation than the current one."""
    given, current = f"{model} ({dimensions})", f"{generation.model} ({generation.dimensions})"
    return FailedPrecondition(
        "EMBEDDING_GENERATION_MISMATCH",
        f"the vectors are of {given}; memories here are embedded with {current}",
        metadata={"given": given, "current": current},
    )


def _compare(given: embeddings_pb2.Generation, generation: Generation) -> None:
    if (given.model, given.dimensions) != (generation.model, generation.dimensions):
        raise mismatch(given.model, given.dimensions, generation)


def _unavailable(error: CandorError) -> UpstreamUnavailable:
    return UpstreamUnavailable(
        "EMBEDDER_UNAVAILABLE",
        "the embedder does not answer; nothing was written",
        metadata={"cause": error.reason},
        retry_after_seconds=error.retry_after_seconds or RETRY_AFTER_SECONDS,
    )
