"""mem0 (`mem0ai`) as a peer: its pgvector store with the HNSW index that it makes by default.

Rules: rows are what `Memory.add(infer=False)` writes, loaded by its store's own insert in batches; a search is
`Memory.search`. The embedder is replaced by a table; no model is ever called. Without spaCy, as pip installs it, it
matches words by PostgreSQL's full-text search over the text as it is.
"""

import hashlib
import uuid
from collections.abc import Sequence
from typing import Any

from mem0 import Memory  # type: ignore[import-not-found]
from mem0.utils.lemmatization import lemmatize_for_bm25  # type: ignore[import-not-found]

from tests.bench.speed.peer import Vectors, serve

BATCH = 500
USER = "bench"
CREATED = "2026-01-01T00:00:00+00:00"


class Embedder:
    """What mem0 asks of an embedder."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self._vectors.of(text)

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self._vectors.of(text) for text in texts]


class Mem0:
    """Memories of one user."""

    def __init__(self, dsn: str, vectors: Vectors) -> None:
        dimensions = len(next(iter(vectors.known.values())))
        store = {
            "connection_string": dsn,
            "embedding_model_dims": dimensions,
            "collection_name": "memories",
            "maxconn": 8,
        }
        never = {"api_key": "none", "openai_base_url": "http://127.0.0.1:9"}
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "pgvector", "config": store},
                "embedder": {"provider": "openai", "config": never},
                "llm": {"provider": "openai", "config": never},
                "history_db_path": ":memory:",
            }
        )
        self._memory.embedding_model = Embedder(vectors)

    def load(self, texts: Sequence[str], vectors: Any) -> None:
        for start in range(0, len(texts), BATCH):
            numbers = range(start, min(start + BATCH, len(texts)))
            self._memory.vector_store.insert(
                vectors=vectors[start : start + BATCH].tolist(),
                ids=[str(uuid.UUID(int=number)) for number in numbers],
                payloads=[_payload(texts[number], number) for number in numbers],
            )

    def search(self, question: str, k: int) -> list[int]:
        found = self._memory.search(question, top_k=k, filters={"user_id": USER}, threshold=0.0)
        return [uuid.UUID(hit["id"]).int for hit in found["results"]]


def _payload(text: str, number: int) -> dict[str, object]:
    return {
        "user_id": USER,
        "role": "user",
        "data": text,
        "hash": hashlib.md5(text.encode()).hexdigest(),
        "created_at": CREATED,
        "updated_at": CREATED,
        "text_lemmatized": lemmatize_for_bm25(text),
        "number": number,
    }


if __name__ == "__main__":
    serve(Mem0)
