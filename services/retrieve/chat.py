"""ChatService: a talk that is remembered.

Rules: the turn is recorded first, then memory is asked, then a model; what fails after the first leaves the turn
recorded. What the reply cites counts as used, unless it only gives what comes nearest. The reply is kept before its
last message is sent, so that the next turn finds it; a failure to keep it costs nobody the reply.
It does not know how any of this is done.
Source: REQUIREMENTS B9, D8.
"""

import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from candor.judge.v1.conversation_pb2 import ConversationTask
from candor.retrieve.v1 import chat_pb2 as pb
from candor.retrieve.v1.chat_pb2_grpc import ChatServiceServicer

from services.retrieve.chat_context import LOOKED_HITS, TURNS_MAX, Material, before, last_reply, material, up_to
from services.retrieve.chat_message import conversation_task, heard_message, reply_message
from services.retrieve.chat_record import Record
from services.retrieve.chat_request import Request, Saying, saying_of
from services.retrieve.conversing import Converser
from services.retrieve.narrating import Told
from services.retrieve.ranking import Asked
from services.retrieve.reinforcement import Reinforcement, Use
from services.retrieve.reranking import Reranker
from shared.domain.errors import Conflict
from shared.domain.follow_up import expanded
from shared.rpc.context import Context
from shared.store.pool import Pool, run
from shared.store.reads.scopes import Scope
from shared.store.reads.session import Turn, last_turns


@dataclass(frozen=True, slots=True)
class Case:
    """What was said, with everything that a reply may use."""

    saying: Saying
    question: str  # what is said, with what it leaves to the talk put in
    turn_id: UUID
    material: Material
    now: datetime
    started: float  # of time.perf_counter

    @property
    def task(self) -> ConversationTask:
        """What judge is asked."""
        return conversation_task(self.saying, self.question, self.material)

    @property
    def heard(self) -> pb.Heard:
        """What the caller is told first."""
        return heard_message(self.saying, self.turn_id, self.material)


class Chats(ChatServiceServicer):
    """Talks from the database of one pool, with the help of judge, and has ingest keep the talk."""

    def __init__(
        self,
        pool: Pool,
        reranker: Reranker,
        converser: Converser,
        record: Record,
        reinforcement: Reinforcement,
        now: Callable[[], datetime],
        new_id: Callable[[], UUID],
    ) -> None:
        self._pool = pool
        self._reranker = reranker
        self._converser = converser
        self._record = record
        self._reinforcement = reinforcement
        self._now = now
        self._new_id = new_id

    async def Chat(self, request: pb.ChatRequest, context: Context) -> pb.ChatResponse:
        """Reply as a whole. Raises: InvalidArgument; as ObserveTurn; as Ranker."""
        case = await self._case(request)
        told = await self._converser.reply(case.saying.tenant_id, case.task, case.material.evidence)
        return pb.ChatResponse(heard=case.heard, reply=await self._reply(case, told))

    async def StreamChat(
        self, request: pb.StreamChatRequest, context: Context
    ) -> AsyncGenerator[pb.StreamChatResponse, None]:
        """Reply as it comes. Raises: InvalidArgument; as ObserveTurn; as Ranker, before the first message."""
        case = await self._case(request)
        yield pb.StreamChatResponse(heard=case.heard)
        async with aclosing(self._converser.stream(case.saying.tenant_id, case.task, case.material.evidence)) as items:
            async for item in items:
                if isinstance(item, Told):
                    yield pb.StreamChatResponse(reply=await self._reply(case, item))
                else:
                    yield pb.StreamChatResponse(text=item)

    async def _case(self, request: Request) -> Case:
        started, now = time.perf_counter(), self._now()
        saying = saying_of(request, self._new_id)
        tenant_id = saying.tenant_id
        said = await run(
            self._pool,
            tenant_id,
            lambda connection: last_turns(connection, tenant_id, saying.session, now, TURNS_MAX),
            read_only=True,
        )
        turn_id, turns = await self._recorded(saying, said)
        question = expanded(saying.message, [turn.text for turn in turns])
        asked = Asked(question, Scope(tenant_id, expired_at=now), LOOKED_HITS)
        ranked, _ = await self._reranker.ranked(asked, now, rerank=False)
        used = await material(self._pool, asked, ranked, turn_id, turns, saying.token_budget)
        return Case(saying, question, turn_id, used, now, started)

    async def _recorded(self, saying: Saying, turns: Sequence[Turn]) -> tuple[UUID, Sequence[Turn]]:
        """Record the turn; return it and the turns before it.

        What the assistant said before goes along. When a request is made again that is another reply by now, so that it
        is found out by its conflict with the first time.
        """
        try:
            turn_id = await self._record.turn(saying, last_reply(turns))
        except Conflict:
            earlier = before(saying.message, turns)
            if len(earlier) == len(turns):
                raise
            turn_id, turns = await self._record.turn(saying, last_reply(earlier)), earlier
        return turn_id, up_to(turn_id, turns)

    async def _reply(self, case: Case, told: Told) -> pb.Reply:
        """Keep and write the reply, and have what it cites reinforced."""
        saying = case.saying
        cited = tuple(case.material.evidence[marker - 1].memory.memory_id for marker in told.cited)
        reply_id = None
        if not told.code:
            reply_id = await self._record.reply(saying, told.answer, cited)
            if saying.reinforce and not told.nearest_only:
                self._reinforcement.note(Use(saying.tenant_id, saying.request_id, cited, case.now))
        milliseconds = round((time.perf_counter() - case.started) * 1000)
        return reply_message(told, case.material, reply_id, milliseconds)
