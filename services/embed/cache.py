"""The last vectors used, so that a question asked again costs no model.

Rules: bounded by bytes, the least recently used goes first. A key is a hash of tenant and text: the cache holds no
text, and no tenant can find out by timing what another one wrote. One cache belongs to one provider, hence to one
generation.
It does not know the model, batching or time: a vector of a text never goes stale.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence
from uuid import UUID

import numpy as np

from services.embed.batcher import Batcher
from services.embed.provider import Embedded, Generation, Provider, Vectors

KEY_BYTES = 16
"""128 bits: a chance of 1e-20 that any two of 1e9 texts meet."""

ENTRY_OVERHEAD_BYTES = 400
"""Key, array header, pair and the map's own share. Measured by tracemalloc at 20,000 entries: 356 B."""


class Embedder:
    """Answers from the cache and asks the provider, by two batchers, for the rest; each distinct text once a call."""

    def __init__(self, provider: Provider, limit_bytes: int) -> None:
        self._provider = provider
        self._queries = Batcher(provider)
        self._documents = Batcher(provider)
        row_bytes = provider.generation.dimensions * np.dtype(np.float32).itemsize
        self._limit_entries = limit_bytes // (row_bytes + ENTRY_OVERHEAD_BYTES)
        self._entries: OrderedDict[bytes, tuple[Vectors, float]] = OrderedDict()
        self.hits = 0
        self.misses = 0

    @property
    def generation(self) -> Generation:
        """Return the generation of every vector in here."""
        return self._provider.generation

    def __len__(self) -> int:
        return len(self._entries)

    async def embed(self, tenant_id: UUID, texts: Sequence[str], *, query: bool) -> Embedded:
        """Embed the texts in order.

        Raises: what the batcher and the provider raise; then nothing new is kept.
        """
        keys = [_key(tenant_id, text) for text in texts]
        found = {key: entry for key in keys if (entry := self._entries.get(key)) is not None}
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        self.hits += len(texts) - len(missing)
        self.misses += len(missing)
        if missing:
            batcher = self._queries if query else self._documents
            fresh = await batcher.embed(list(missing.values()))
            for row, key in enumerate(missing):
                found[key] = (fresh.vectors[row].copy(), float(fresh.unknown_token_shares[row]))
        self._keep(found)
        vectors = np.stack([found[key][0] for key in keys])
        return Embedded(vectors, np.array([found[key][1] for key in keys], dtype=np.float32))

    async def close(self) -> None:
        """End both batchers, then the provider."""
        await self._queries.close()
        await self._documents.close()
        await self._provider.close()

    def _keep(self, entries: dict[bytes, tuple[Vectors, float]]) -> None:
        """Make these the most recently used, and drop the oldest beyond the limit."""
        for key, entry in entries.items():
            self._entries[key] = entry
            self._entries.move_to_end(key)
        while len(self._entries) > self._limit_entries:
            self._entries.popitem(last=False)


def _key(tenant_id: UUID, text: str) -> bytes:
    """Return the hash under which a tenant's text is kept."""
    return hashlib.blake2b(text.encode(), key=tenant_id.bytes, digest_size=KEY_BYTES).digest()
