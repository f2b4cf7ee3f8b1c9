"""The product as the benchmark uses it: ingest writes, recall answers, both over gRPC on PostgreSQL, in one process.

Rules: memories go in as any client's do and are embedded by the embed role, unless their vectors are given; questions
are asked of the service's own RPC. A condition differs from the product in nothing but the mode it asks for, the
weights its ranker is given, or who answers for embed and judge.
It does not know labels.
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from uuid import UUID

import grpc
import numpy as np
from candor.embed.v1 import embeddings_pb2 as embed_pb
from candor.embed.v1.embeddings_pb2_grpc import EmbeddingsServiceServicer, EmbeddingsServiceStub
from candor.ingest.v1 import admin_pb2
from candor.ingest.v1.memories_pb2 import BatchCreateMemoriesRequest
from candor.judge.v1 import rerank_pb2
from candor.judge.v1.rerank_pb2_grpc import RerankServiceServicer
from candor.retrieve.v1 import recall_pb2 as pb
from pydantic import SecretStr

from services.embed.main import mount as mount_embed
from services.ingest.main import mount as mount_ingest
from services.retrieve.hints import Hints, Known
from services.retrieve.question import Questions
from services.retrieve.ranking import Ranker
from services.retrieve.recall import Recall
from services.retrieve.reranking import Reranker
from shared import clock, config
from shared.domain.ranking_weights import RankingWeights, weights_for
from shared.rpc import clients, server
from shared.rpc.context import Context
from shared.stemmer import stemmer
from shared.store import migrate
from shared.store.pool import Connection, Pool, open_pool
from tests.bench.recall.cases import Corpus

BATCH = 100
DEPTH = 20  # hits asked for: the deepest cut
WRITE_TIMEOUT_SECONDS = 300.0


class NoNames(Hints):
    """Knows no speakers: names stay in questions and count for nothing."""

    def tenant(self, tenant_id: UUID, now: datetime) -> Known | None:
        known = super().tenant(tenant_id, now)
        return replace(known, speakers=()) if known else None

    async def read_tenant(
        self, connection: Connection, tenant_id: UUID, language_ids: Mapping[int, str], now: datetime
    ) -> Known:
        return replace(await super().read_tenant(connection, tenant_id, language_ids, now), speakers=())


class Shuffled(EmbeddingsServiceServicer):
    """Gives each question the vector of another one: what the dense arm is worth without meaning."""

    def __init__(self, stub: EmbeddingsServiceStub, others: Sequence[str]) -> None:
        self._stub = stub
        self._others = others

    async def EmbedTexts(self, request: embed_pb.EmbedTextsRequest, context: Context) -> embed_pb.EmbedTextsResponse:
        asked = embed_pb.EmbedTextsRequest()
        asked.CopyFrom(request)
        del asked.texts[:]
        for text in request.texts:
            number = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
            asked.texts.append(self._others[number % len(self._others)])
        response: embed_pb.EmbedTextsResponse = await self._stub.EmbedTexts(asked)
        return response

    async def GetGeneration(
        self, request: embed_pb.GetGenerationRequest, context: Context
    ) -> embed_pb.GetGenerationResponse:
        response: embed_pb.GetGenerationResponse = await self._stub.GetGeneration(request)
        return response


@dataclass(frozen=True, slots=True)
class Given(EmbeddingsServiceServicer):
    """Answers with vectors that were made elsewhere."""

    model: str
    vectors: Mapping[str, Sequence[float]]

    def _generation(self) -> embed_pb.Generation:
        return embed_pb.Generation(model=self.model, dimensions=len(next(iter(self.vectors.values()))))

    async def EmbedTexts(self, request: embed_pb.EmbedTextsRequest, context: Context) -> embed_pb.EmbedTextsResponse:
        rows = np.array([self.vectors[text] for text in request.texts], "<f4")
        return embed_pb.EmbedTextsResponse(vectors=rows.tobytes(), generation=self._generation())

    async def GetGeneration(
        self, request: embed_pb.GetGenerationRequest, context: Context
    ) -> embed_pb.GetGenerationResponse:
        return embed_pb.GetGenerationResponse(generation=self._generation())


@dataclass(frozen=True, slots=True)
class Remembered:
    """A corpus in its tenant: the readable ids of what was stored."""

    corpus: Corpus
    tenant_id: UUID
    ids: Mapping[str, str]


class Cached(RerankServiceServicer):
    """Scores as a model once did, by question and readable id."""

    def __init__(self) -> None:
        self.of: Remembered | None = None

    async def RerankMemories(
        self, request: rerank_pb2.RerankMemoriesRequest, context: Context
    ) -> rerank_pb2.RerankMemoriesResponse:
        assert self.of is not None
        scores = self.of.corpus.rerank_scores[request.question]
        return rerank_pb2.RerankMemoriesResponse(
            scores=[
                rerank_pb2.Score(memory_id=c.memory_id, score=scores[self.of.ids[c.memory_id]])
                for c in request.candidates
            ],
            model="cached",
            prompt_version="cached",
        )


@dataclass(frozen=True, slots=True)
class Condition:
    """How a question is asked."""

    name: str
    mode: pb.Mode.ValueType = pb.MODE_HYBRID
    weights: Callable[[str], RankingWeights] = weights_for
    knows_names: bool = True
    is_shuffled: bool = False
    reranks: bool = False
    is_grouped: bool = False


class Product:
    """Writes memories and asks questions."""

    def __init__(self, stack: AsyncExitStack, settings: config.Settings, pool: Pool, embed: grpc.aio.Channel) -> None:
        self._stack = stack
        self._settings = settings
        self._asking: dict[str, grpc.aio.Channel] = {}
        self.pool = pool
        self.embed = embed
        self.judge = Cached()

    @property
    def questions(self) -> Questions:
        """What makes questions ready."""
        return Questions(clients.embeddings(self.embed), self._settings.key("term-id"), stemmer)

    async def remember(self, corpora: Sequence[Corpus]) -> list[Remembered]:
        """Write each corpus into a tenant of its own; word statistics are in place when it returns."""
        running = await server.start("ingest", mount_ingest, self._settings)
        try:
            async with clients.channel(f"127.0.0.1:{running.port}", caller="bench") as channel:
                return [await self._write(channel, corpus) for corpus in corpora]
        finally:
            await running.stop()  # writes the statistics that are still gathered

    async def _write(self, channel: grpc.aio.Channel, corpus: Corpus) -> Remembered:
        tenant = (await clients.admin(channel).CreateTenant(admin_pb2.CreateTenantRequest(name=corpus.name))).tenant_id
        ids: dict[str, str] = {}
        items = list(corpus.memories.items())
        for start in range(0, len(items), BATCH):
            part = items[start : start + BATCH]
            request = BatchCreateMemoriesRequest(tenant_id=tenant, actor="bench", memories=[m for _, m in part])
            written = await clients.memory_writer(channel).BatchCreateMemories(request, timeout=WRITE_TIMEOUT_SECONDS)
            for (readable, _), memory in zip(part, written.memories, strict=True):
                ids.setdefault(memory.memory_id, readable)
        return Remembered(corpus, UUID(tenant), ids)

    async def order(self, condition: Condition, remembered: Remembered, text: str) -> list[str]:
        """Ask, and return the readable ids of the hits."""
        if condition.name not in self._asking:
            self._asking[condition.name] = await self._retrieve(condition, remembered)
        request = pb.RecallMemoriesRequest(
            tenant_id=str(remembered.tenant_id),
            query=text,
            limit=DEPTH,
            mode=condition.mode,
            ungrouped=not condition.is_grouped,
            rerank=condition.reranks,
        )
        self.judge.of = remembered
        answer = await clients.recall(self._asking[condition.name]).RecallMemories(request)
        return [remembered.ids[hit.memory.id] for hit in answer.hits]

    async def _retrieve(self, condition: Condition, remembered: Remembered) -> grpc.aio.Channel:
        embed = self.embed
        if condition.is_shuffled:
            others = [question.text for question in remembered.corpus.questions]
            shuffled = Shuffled(clients.embeddings(self.embed), others)
            embed = await _serving(self._stack, "embed", lambda host: _add(host, shuffled), self._settings)
        judge = await _serving(self._stack, "judge", lambda host: _add(host, self.judge), self._settings)
        questions = Questions(clients.embeddings(embed), self._settings.key("term-id"), stemmer)
        hints = Hints() if condition.knows_names else NoNames()
        ranker = Ranker(self.pool, questions, hints, condition.weights)
        reranker = Reranker(ranker, clients.reranker(judge), 10.0)
        recall = Recall(self.pool, reranker, self._settings.key("page-token"), clock.now)
        return await _serving(self._stack, "retrieve", lambda host: _add(host, recall), self._settings)


@asynccontextmanager
async def product(database: migrate.Dsns, given: Given | None = None) -> AsyncIterator[Product]:
    """Start what a database is written and read by; `given` answers for embed."""
    async with AsyncExitStack() as stack:
        settings = config.Settings(
            writer_dsn=SecretStr(database.writer),
            reader_dsn=SecretStr(database.reader),
            secret=SecretStr("s" * 32),
            embed_provider=config.ProviderChoice.LOCAL,
            drain_seconds=0.2,
        )
        mount = mount_embed if given is None else (lambda host: _add(host, given))
        running = await server.start("embed", mount, settings)
        stack.push_async_callback(running.stop)
        target = f"127.0.0.1:{running.port}"
        embed = await stack.enter_async_context(clients.channel(target, caller="bench"))
        pool = await open_pool(database.reader, size=4, application_name="bench")
        stack.push_async_callback(pool.close)
        yield Product(stack, settings.model_copy(update={"embed_target": target}), pool, embed)


async def _add(host: server.Host, servicer: object) -> None:
    host.add(servicer)


async def _serving(
    stack: AsyncExitStack, role: str, mount: server.Mount, settings: config.Settings
) -> grpc.aio.Channel:
    running = await server.start(role, mount, settings)
    stack.push_async_callback(running.stop)
    return await stack.enter_async_context(clients.channel(f"127.0.0.1:{running.port}", caller="bench"))
