"""candor.embed.v1.EmbeddingsService: checks the request, asks the embedder, writes vectors as bytes.

Rules: a call is all or none; a wrong text is named by its index, never quoted. It does not know which provider embeds.
"""

from collections.abc import Sequence
from typing import Any

import grpc
from candor.embed.v1 import embeddings_pb2 as pb
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceServicer

from services.embed.cache import Embedder
from shared.domain.errors import InvalidArgument, Violation
from shared.rpc import wire

MAX_TEXTS = 2_048
MAX_TEXT_CHARS = 8_000
MAX_VIOLATIONS = 20
"""More details than a status can carry help nobody: gRPC metadata ends at 16 KiB."""


class Embeddings(EmbeddingsServiceServicer):
    """Serves the one embedder of this process."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        generation = embedder.generation
        self._generation = pb.Generation(model=generation.model, dimensions=generation.dimensions)

    async def EmbedTexts(
        self, request: pb.EmbedTextsRequest, context: "grpc.aio.ServicerContext[Any, Any]"
    ) -> pb.EmbedTextsResponse:
        """Embed texts in the order given.

        Raises: InvalidArgument TENANT_INVALID, TEXTS_MISSING, TEXTS_TOO_MANY, TEXT_EMPTY, TEXT_TOO_LONG.
        """
        tenant_id = wire.tenant(request)
        _check(request.texts)
        embedded = await self._embedder.embed(tenant_id, request.texts, query=request.purpose == pb.PURPOSE_QUERY)
        return pb.EmbedTextsResponse(
            vectors=embedded.vectors.astype("<f4", copy=False).tobytes(),
            generation=self._generation,
            unknown_token_shares=embedded.unknown_token_shares.tolist(),
        )

    async def GetGeneration(
        self, request: pb.GetGenerationRequest, context: "grpc.aio.ServicerContext[Any, Any]"
    ) -> pb.GetGenerationResponse:
        """Name the generation that this process embeds with."""
        return pb.GetGenerationResponse(generation=self._generation)


def _check(texts: Sequence[str]) -> None:
    """Refuse what is not 1 to MAX_TEXTS texts of 1 to MAX_TEXT_CHARS characters.

    Raises: InvalidArgument.
    """
    if not texts:
        raise InvalidArgument.of("texts", "TEXTS_MISSING", "must have at least one text")
    if len(texts) > MAX_TEXTS:
        raise InvalidArgument.of("texts", "TEXTS_TOO_MANY", f"must have at most {MAX_TEXTS} texts, has {len(texts)}")
    wrong = [
        Violation(f"texts[{index}]", "TEXT_TOO_LONG", f"must have at most {MAX_TEXT_CHARS} characters, has {len(text)}")
        if text
        else Violation(f"texts[{index}]", "TEXT_EMPTY", "must not be empty")
        for index, text in enumerate(texts)
        if not 1 <= len(text) <= MAX_TEXT_CHARS
    ]
    if wrong:
        raise InvalidArgument.of_all(tuple(wrong[:MAX_VIOLATIONS]))
