"""Retrieve that answers, inside the test process: real database and gRPC, a judge of the test's choice, noted uses."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import grpc
from candor.ingest.v1 import reinforcement_pb2 as ingest_pb
from candor.ingest.v1.reinforcement_pb2_grpc import ReinforcementServiceServicer
from candor.retrieve.v1 import answer_pb2 as pb
from candor.retrieve.v1 import recall_pb2

from services.ingest.reinforcement import ReinforcementServicer
from services.ingest.upkeep import Upkeep
from services.judge.local_narrator import LocalNarrator
from services.judge.narration import Narration
from services.judge.narrator import ModelNarrator
from services.judge.rerank import Rerank
from services.retrieve.answers import Answers
from services.retrieve.hints import Hints
from services.retrieve.narrating import Narrator
from services.retrieve.question import Questions
from services.retrieve.ranking import Ranker
from services.retrieve.recall import Recall
from services.retrieve.reinforcement import Reinforcement
from services.retrieve.reranking import Reranker
from shared.clock import new_id
from shared.rpc import clients, server
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context
from shared.store import migrate
from shared.store.pool import open_pool
from tests.openai_server import OpenAIServer
from tests.services.judge.model import chat
from tests.services.retrieve.serving import MINE, THEIRS, Clock, Embedder
from tests.services.running import role
from tests.store.remembering import TERM_KEY, Book

NARRATION_SECONDS = 10.0
RERANK_SECONDS = 5.0


@dataclass
class Uses(ReinforcementServiceServicer):
    """Notes what is to be reinforced, once for a request, as ingest does; waits with the answer while `held`."""

    by_request: dict[str, ingest_pb.ReinforceMemoriesRequest] = field(default_factory=dict)
    held: asyncio.Event | None = None

    async def ReinforceMemories(
        self, request: ingest_pb.ReinforceMemoriesRequest, context: Context
    ) -> ingest_pb.ReinforceMemoriesResponse:
        assert self.by_request.setdefault(request.request_id, request) == request
        if self.held is not None:
            await self.held.wait()
        return ingest_pb.ReinforceMemoriesResponse(reinforced=len(request.memory_ids))

    @property
    def requests(self) -> list[ingest_pb.ReinforceMemoriesRequest]:
        """What was sent, each once."""
        return list(self.by_request.values())


@dataclass(frozen=True, slots=True)
class Answering:
    """What a test talks to, and what it writes through."""

    via: grpc.aio.Channel
    embedder: Embedder
    clock: Clock
    mine: Book
    theirs: Book
    uses: Uses

    async def answer(self, question: str, **given: object) -> pb.AnswerQuestionResponse:
        """Ask for an answer as a whole; without reranking unless the test wants it."""
        fields = {"tenant_id": str(MINE), "question": question, "rerank": False, **given}
        with rpc_errors():
            request = pb.AnswerQuestionRequest(**fields)  # type: ignore[arg-type]
            response: pb.AnswerQuestionResponse = await clients.answers(self.via).AnswerQuestion(request)
        return response

    async def stream(self, question: str, **given: object) -> list[pb.StreamAnswerResponse]:
        """Ask for a streamed answer and read it to its end."""
        fields = {"tenant_id": str(MINE), "question": question, "rerank": False, **given}
        with rpc_errors():
            request = pb.StreamAnswerRequest(**fields)  # type: ignore[arg-type]
            return [message async for message in clients.answers(self.via).StreamAnswer(request)]

    async def recall(self, query: str, **given: object) -> recall_pb2.RecallMemoriesResponse:
        with rpc_errors():
            request = recall_pb2.RecallMemoriesRequest(tenant_id=str(MINE), query=query, **given)  # type: ignore[arg-type]
            response: recall_pb2.RecallMemoriesResponse = await clients.recall(self.via).RecallMemories(request)
        return response


def local_judge() -> tuple[object, ...]:
    """Judge as it is without a model."""
    return Narration(LocalNarrator(str)), Rerank(None, timeout_seconds=RERANK_SECONDS)


@asynccontextmanager
async def model_judge(model_server: OpenAIServer) -> AsyncIterator[tuple[object, ...]]:
    """Judge with a model behind the OpenAI-compatible server."""
    model = chat(model_server)
    try:
        yield Narration(ModelNarrator(model)), Rerank(model, timeout_seconds=RERANK_SECONDS)
    finally:
        await model.close()


@asynccontextmanager
async def answering(
    database: migrate.Dsns,
    *judge: object,
    model: OpenAIServer | None = None,
    judge_target: str = "",
    narration_seconds: float = NARRATION_SECONDS,
    rerank_seconds: float = RERANK_SECONDS,
    uses: Uses | None = None,
    counted: bool = False,
) -> AsyncIterator[Answering]:
    """Start the roles. `judge` are servicers; with `model` they ask that one, with `judge_target` judge is there.

    What was used is sent before this ends; with `counted` to the real ingest, which writes it down.
    """
    embedder, clock, uses = Embedder(), Clock(), uses or Uses()
    async with AsyncExitStack() as stack:
        writer = await open_pool(database.writer, size=4, application_name="test")
        stack.push_async_callback(writer.close)
        reader = await open_pool(database.reader, size=4, application_name="test")
        stack.push_async_callback(reader.close)
        embed = await stack.enter_async_context(role("embed", embedder))
        if model is not None:
            judge = await stack.enter_async_context(model_judge(model))
        judging = clients.channel(judge_target, caller="test") if judge_target else role("judge", *judge)
        judged = await stack.enter_async_context(judging)
        upkeep = Upkeep(writer, now=clock.now, new_id=new_id)
        counting = ReinforcementServicer(writer, upkeep, now=clock.now) if counted else uses
        ingest = await stack.enter_async_context(role("ingest", counting))
        ranker = Ranker(reader, Questions(clients.embeddings(embed), TERM_KEY, lambda language: str), Hints())
        reranker = Reranker(ranker, clients.reranker(judged), rerank_seconds)
        reinforcement = Reinforcement(clients.reinforcement(ingest))
        narrator = Narrator(clients.narrator(judged), narration_seconds)

        async def behind(host: server.Host) -> None:
            host.background(reinforcement.run)
            host.close_with(reinforcement.drain)

        servicers = (
            Recall(reader, reranker, b"k" * 32, clock.now),
            Answers(reader, reranker, narrator, reinforcement, clock.now),
        )
        via = await stack.enter_async_context(role("retrieve", *servicers, also=behind))
        yield Answering(via, embedder, clock, Book(writer, MINE), Book(writer, THEIRS), uses)
