"""`PGVector` of langchain-postgres as a peer, as it is made by default: no index; and with an HNSW index made by hand.

Rules: rows are loaded by `add_embeddings`; a search is `similarity_search`. It has vectors only, no words. The address
ends in `?hnsw` where the index is to be made.
"""

from collections.abc import Sequence
from typing import Any

from langchain_core.embeddings import Embeddings  # type: ignore[import-not-found]
from langchain_postgres import PGVector  # type: ignore[import-not-found]
from sqlalchemy import create_engine, text  # type: ignore[import-not-found]

from tests.bench.speed.peer import Vectors, serve

BATCH = 500
INDEX = "CREATE INDEX ON langchain_pg_embedding USING hnsw (embedding vector_cosine_ops)"


class Embedder(Embeddings):  # type: ignore[misc]
    """What langchain asks of an embedder."""

    def __init__(self, vectors: Vectors) -> None:
        self._vectors = vectors

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self._vectors.of(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self._vectors.of(text)


class Langchain:
    """One collection."""

    def __init__(self, dsn: str, vectors: Vectors) -> None:
        address, _, index = dsn.partition("?")
        self._engine = create_engine(address.replace("postgresql://", "postgresql+psycopg://"), pool_size=8)
        self._is_indexed = index == "hnsw"
        self._store = PGVector(
            Embedder(vectors),
            connection=self._engine,
            embedding_length=len(next(iter(vectors.known.values()))),
            collection_name="memories",
        )

    def load(self, texts: Sequence[str], vectors: Any) -> None:
        if self._is_indexed:
            with self._engine.begin() as connection:
                connection.execute(text(INDEX))
        for start in range(0, len(texts), BATCH):
            some = list(texts[start : start + BATCH])
            numbers = [{"number": start + place} for place in range(len(some))]
            self._store.add_embeddings(some, vectors[start : start + BATCH].tolist(), numbers)

    def search(self, question: str, k: int) -> list[int]:
        return [int(found.metadata["number"]) for found in self._store.similarity_search(question, k=k)]


if __name__ == "__main__":
    serve(Langchain)
