"""The vectors of questions: asked of embed, the last ones remembered, so that a question asked again costs no call.

Rules: a vector is remembered by a hash of tenant and text: no text is held, and no tenant can find out by timing what
another one asked. It serves as long as its generation is the one that is searched. The least recently used goes first.
It does not know what a vector is compared with.
"""

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from uuid import UUID

import numpy as np
from candor.embed.v1.embeddings_pb2 import PURPOSE_QUERY, EmbedTextsRequest
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceStub
from numpy.typing import NDArray

from services.retrieve.hints import Known
from shared.domain import vectors
from shared.rpc.clients import rpc_errors

TIMEOUT_SECONDS = 3.0  # then words alone answer; an online embedder takes under one (chosen, untested)
VECTORS_MAX = 4_000  # remembered: 8 MB of 384 dimensions, 18 MB of 1,024 (chosen, untested)
KEY_BYTES = 16  # a chance of 1e-20 that any two of 1e9 questions meet


@dataclass(frozen=True, slots=True)
class Embedding:
    """The vector of a question, the generation it belongs to, and how much of the text its model does not know."""

    vector: NDArray[np.float32]
    model: str
    dimensions: int
    unknown_share: float


class QueryVectors:
    """Asks embed through a stub."""

    def __init__(self, embeddings: EmbeddingsServiceStub) -> None:
        self._embeddings = embeddings
        self._remembered: OrderedDict[bytes, Embedding] = OrderedDict()

    async def of(self, tenant_id: UUID, text: str, known: Known) -> Embedding:
        """Return the vector of a question; of the generation that is searched, as far as embed still has that one.

        Raises: as embed.
        """
        key = blake2b(text.encode(), key=tenant_id.bytes, digest_size=KEY_BYTES).digest()
        found = self._remembered.get(key)
        if found is None or (found.model, found.dimensions) != (known.model, known.dimensions):
            found = self._remembered[key] = await self._ask(tenant_id, text)
            if len(self._remembered) > VECTORS_MAX:
                self._remembered.popitem(last=False)
        self._remembered.move_to_end(key)
        return found

    async def _ask(self, tenant_id: UUID, text: str) -> Embedding:
        request = EmbedTextsRequest(tenant_id=str(tenant_id), texts=[text], purpose=PURPOSE_QUERY)
        with rpc_errors():
            response = await self._embeddings.EmbedTexts(request, timeout=TIMEOUT_SECONDS)
        generation = response.generation
        vector = vectors.from_bytes(response.vectors, generation.dimensions)
        # A share travels in single precision: 3 of 10 must not come out as more than 0.3.
        share = round(response.unknown_token_shares[0], 6) if response.unknown_token_shares else 0.0
        return Embedding(vector, generation.model, generation.dimensions, share)
