"""Retrieve that talks, inside the test process: real database and gRPC, judge with or without a model, an ingest that
writes what it is told to through a book and notes it, once for a request id.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import NoReturn

import grpc
from candor.ingest.v1 import memories_pb2 as writing
from candor.ingest.v1 import turns_pb2 as turns_pb
from candor.ingest.v1.memories_pb2_grpc import MemoriesServiceServicer
from candor.ingest.v1.turns_pb2_grpc import TurnsServiceServicer
from candor.retrieve.v1 import chat_pb2 as pb

from services.judge.conversation import CONVERSING, Conversation, LocalConverser
from services.judge.local_narrator import LocalNarrator
from services.judge.narrator import ModelNarrator
from services.retrieve.chat import Chats
from services.retrieve.chat_record import Record
from services.retrieve.conversing import Converser
from services.retrieve.hints import Hints
from services.retrieve.question import Questions
from services.retrieve.ranking import Ranker
from services.retrieve.reinforcement import Reinforcement
from services.retrieve.reranking import Reranker
from shared.clock import new_id
from shared.domain.draft import check
from shared.domain.errors import CandorError, Conflict
from shared.rpc import clients, life_stubs, server
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context
from shared.stemmer import stemmer
from shared.store import migrate
from shared.store.pool import open_pool
from tests.openai_server import OpenAIServer
from tests.services.judge.model import chat
from tests.services.retrieve.answering import Uses
from tests.services.retrieve.serving import MINE, Clock, Embedder, vector_of
from tests.services.running import role
from tests.store.remembering import TERM_KEY, Book


@dataclass
class Kept:
    """What ingest was asked to keep, in order; it fails as told to."""

    book: Book
    clock: Clock
    failure: CandorError | None = None
    replies_fail: bool = False
    turns: list[turns_pb.ObserveTurnRequest] = field(default_factory=list)
    replies: list[writing.CreateMemoryRequest] = field(default_factory=list)
    by_request: dict[tuple[str, str], tuple[bytes, str]] = field(default_factory=dict)

    async def once(self, request: turns_pb.ObserveTurnRequest | writing.CreateMemoryRequest, text: str, by: str) -> str:
        key = (type(request).__name__, request.request_id)
        known = self.by_request.get(key)
        if known is None:
            session = request.session if isinstance(request, turns_pb.ObserveTurnRequest) else request.memory.session
            draft = check(kind="turn", content=text, speaker=by, session=session, memory_type="episodic")
            (memory_id,) = await self.book.add([draft], self.clock.at, [vector_of(text)])
            self.clock.pass_days(1 / 86_400)
            known = self.by_request[key] = (request.SerializeToString(deterministic=True), str(memory_id))
        if known[0] != request.SerializeToString(deterministic=True):
            raise Conflict("REQUEST_ID_REUSED", "the same id with another body")
        return known[1]


@dataclass
class Turns(TurnsServiceServicer):
    kept: Kept

    async def ObserveTurn(self, request: turns_pb.ObserveTurnRequest, context: Context) -> turns_pb.ObserveTurnResponse:
        if self.kept.failure:
            raise self.kept.failure
        self.kept.turns.append(request)
        memory_id = await self.kept.once(request, request.user_text, request.speaker)
        return turns_pb.ObserveTurnResponse(memory=writing.WrittenMemory(memory_id=memory_id))


class Writer(MemoriesServiceServicer):
    def __init__(self, kept: Kept) -> None:
        self.kept = kept

    async def CreateMemory(
        self, request: writing.CreateMemoryRequest, context: Context
    ) -> writing.CreateMemoryResponse:
        if self.kept.replies_fail:
            raise Conflict("REQUEST_ID_REUSED", "no")
        self.kept.replies.append(request)
        memory_id = await self.kept.once(request, request.memory.content, request.memory.speaker)
        return writing.CreateMemoryResponse(memory=writing.WrittenMemory(memory_id=memory_id))

    async def BatchCreateMemories(self, request: object, context: Context) -> NoReturn:
        raise NotImplementedError

    async def UpdateMemory(self, request: object, context: Context) -> NoReturn:
        raise NotImplementedError

    async def GetOperation(self, request: object, context: Context) -> NoReturn:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Talking:
    """What a test talks to, and what it writes through."""

    via: grpc.aio.Channel
    embedder: Embedder
    clock: Clock
    mine: Book
    kept: Kept
    uses: Uses

    async def chat(self, message: str, **given: object) -> pb.ChatResponse:
        """Say something and have the reply as a whole."""
        fields = {"tenant_id": str(MINE), "message": message, "session": "s", **given}
        with rpc_errors():
            request = pb.ChatRequest(**fields)  # type: ignore[arg-type]
            response: pb.ChatResponse = await life_stubs.chats(self.via).Chat(request)
        return response

    async def stream(self, message: str, **given: object) -> list[pb.StreamChatResponse]:
        """Say something and read the streamed reply to its end."""
        fields = {"tenant_id": str(MINE), "message": message, "session": "s", **given}
        with rpc_errors():
            request = pb.StreamChatRequest(**fields)  # type: ignore[arg-type]
            return [item async for item in life_stubs.chats(self.via).StreamChat(request)]


@asynccontextmanager
async def talking(database: migrate.Dsns, model: OpenAIServer | None = None) -> AsyncIterator[Talking]:
    """Start the roles; what was used is sent before this ends."""
    embedder, clock, uses = Embedder(), Clock(), Uses()
    async with AsyncExitStack() as stack:
        writer = await open_pool(database.writer, size=2, application_name="test")
        stack.push_async_callback(writer.close)
        reader = await open_pool(database.reader, size=2, application_name="test")
        stack.push_async_callback(reader.close)
        kept = Kept(Book(writer, MINE), clock)
        conversation = Conversation(LocalConverser(LocalNarrator(stemmer())))
        if model is not None:
            chosen = chat(model)
            stack.push_async_callback(chosen.close)
            conversation = Conversation(ModelNarrator(chosen, CONVERSING))
        embed = await stack.enter_async_context(role("embed", embedder))
        judge = await stack.enter_async_context(role("judge", conversation))
        ingest = await stack.enter_async_context(role("ingest", uses, Turns(kept), Writer(kept)))
        ranker = Ranker(reader, Questions(clients.embeddings(embed), TERM_KEY, lambda language: str), Hints())
        reinforcement = Reinforcement(clients.reinforcement(ingest))

        async def behind(host: server.Host) -> None:
            host.background(reinforcement.run)
            host.close_with(reinforcement.drain)

        chats = Chats(
            reader,
            Reranker(ranker, clients.reranker(judge), 1.0),
            Converser(life_stubs.conversation(judge), 10.0),
            Record(clients.turns(ingest), clients.memory_writer(ingest)),
            reinforcement,
            clock.now,
            new_id,
        )
        via = await stack.enter_async_context(role("retrieve", chats, also=behind))
        yield Talking(via, embedder, clock, kept.book, kept, uses)
