"""Retrieve inside the test process: real database, real gRPC, an embedder of the test's own."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

import grpc
import numpy as np
from candor.embed.v1 import embeddings_pb2 as embed_pb
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceServicer

from services.retrieve.access import Access
from services.retrieve.conflicts import Conflicts
from services.retrieve.hints import Hints
from services.retrieve.memories import Memories
from services.retrieve.question import Questions
from services.retrieve.ranking import Ranker
from services.retrieve.recall import Recall
from services.retrieve.reranking import Reranker
from shared.domain.errors import CandorError
from shared.domain.vectors import Vector, normalise
from shared.rpc import clients
from shared.rpc.context import Context
from shared.store import migrate
from shared.store.pool import Pool, open_pool
from tests.services.running import role
from tests.store.remembering import DIMENSIONS, TERM_KEY, Book

MINE, THEIRS = UUID(int=1), UUID(int=2)
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
TOKEN_KEY, PEPPER = b"k" * 32, b"p" * 32
MODEL = "all-MiniLM-L6-v2"
CONFLICT_PAGE = 3  # so that a few groups already make several pages


def vector_of(text: str) -> Vector:
    """A direction that belongs to a text alone."""
    seed = int.from_bytes(sha256(text.encode()).digest()[:8], "big")
    return normalise(np.random.default_rng(seed).standard_normal(DIMENSIONS))


@dataclass
class Embedder(EmbeddingsServiceServicer):
    """Embeds as it is told to: the vectors given, else one for each text; or fails."""

    vectors: dict[str, Vector] = field(default_factory=dict)
    failure: CandorError | None = None
    unknown_share: float = 0.0
    model: str = MODEL
    asked: list[str] = field(default_factory=list)

    async def EmbedTexts(self, request: embed_pb.EmbedTextsRequest, context: Context) -> embed_pb.EmbedTextsResponse:
        self.asked.extend(request.texts)
        assert request.purpose == embed_pb.PURPOSE_QUERY
        if self.failure:
            raise self.failure
        rows = [self.vectors.get(text, vector_of(text)) for text in request.texts]
        return embed_pb.EmbedTextsResponse(
            vectors=np.stack(rows).astype("<f4").tobytes(),
            generation=embed_pb.Generation(model=self.model, dimensions=DIMENSIONS),
            unknown_token_shares=[self.unknown_share] * len(rows),
        )

    async def GetGeneration(
        self, request: embed_pb.GetGenerationRequest, context: Context
    ) -> embed_pb.GetGenerationResponse:
        return embed_pb.GetGenerationResponse(generation=embed_pb.Generation(model=self.model, dimensions=DIMENSIONS))


@dataclass
class Clock:
    """The time that the services are told."""

    at: datetime = NOW

    def now(self) -> datetime:
        return self.at

    def pass_days(self, days: float) -> None:
        self.at += timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Serving:
    """What a test talks to, and what it writes through."""

    via: grpc.aio.Channel
    embedder: Embedder
    clock: Clock
    mine: Book
    theirs: Book
    dsns: migrate.Dsns


@asynccontextmanager
async def serve(database: migrate.Dsns) -> AsyncIterator[Serving]:
    writer = await open_pool(database.writer, size=4, application_name="test")
    reader = await open_pool(database.reader, size=4, application_name="test")
    embedder, clock = Embedder(), Clock()
    try:
        async with role("embed", embedder) as embed, role("retrieve", *_servicers(reader, embed, clock.now)) as via:
            yield Serving(via, embedder, clock, Book(writer, MINE), Book(writer, THEIRS), database)
    finally:
        await reader.close()
        await writer.close()


def _servicers(pool: Pool, embed: grpc.aio.Channel, now: Callable[[], datetime]) -> tuple[object, ...]:
    questions = Questions(clients.embeddings(embed), TERM_KEY, lambda language: str)
    return (
        # Nothing reranks here: judge would be behind this stub.
        Recall(pool, Reranker(Ranker(pool, questions, Hints()), clients.reranker(embed), 1.0), TOKEN_KEY, now),
        Memories(pool, TOKEN_KEY, now),
        Conflicts(pool, TOKEN_KEY, now, CONFLICT_PAGE),
        Access(pool, PEPPER, TOKEN_KEY, now),
    )
