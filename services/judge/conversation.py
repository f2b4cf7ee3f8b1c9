"""candor.judge.v1.ConversationService: checks the request, lets a narrator reply, and passes on what the guard passed.

Rules: a refusal is an answer of this service, not an error: its caller has something plain to say instead. It does not
know who writes.
Source: REQUIREMENTS D8.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from candor.judge.v1 import conversation_pb2 as pb
from candor.judge.v1.conversation_pb2_grpc import ConversationServiceServicer

from services.judge.local_narrator import NAME, LocalNarrator
from services.judge.narration_messages import narration, task_of
from services.judge.narrator import Manner, Narrated, Narrator, Task
from services.judge.prompts import wording
from services.judge.provider import Purpose, Usage
from shared.domain.conversation import NOTED, asks, check_reply
from shared.domain.errors import InvalidArgument
from shared.domain.figures import utc_day
from shared.domain.narration import NOTHING_FOUND
from shared.rpc import wire
from shared.rpc.context import Context

MAX_SAID = 40
MAX_SAID_CHARS = 8_000

CONVERSING = Manner(Purpose.CONVERSATION, wording("converse"), check_reply)


class Conversation(ConversationServiceServicer):
    """Serves one narrator."""

    def __init__(self, narrator: Narrator) -> None:
        self._narrator = narrator

    async def Converse(self, request: pb.ConverseRequest, context: Context) -> pb.ConverseResponse:
        """Reply as a whole. Raises: InvalidArgument; as ChatModel."""
        wire.tenant(request)
        narrated = await self._narrator.narrate(_task(request.task))
        return pb.ConverseResponse(narration=narration(narrated))

    async def StreamConverse(
        self, request: pb.StreamConverseRequest, context: Context
    ) -> AsyncGenerator[pb.StreamConverseResponse, None]:
        """Reply sentence by sentence, the whole last. Raises: InvalidArgument; as ChatModel."""
        wire.tenant(request)
        async with aclosing(self._narrator.stream(_task(request.task))) as items:
            async for item in items:
                if isinstance(item, str):
                    yield pb.StreamConverseResponse(text=item)
                else:
                    yield pb.StreamConverseResponse(narration=narration(item))


class LocalConverser:
    """Implements Narrator for talk: the memories' own sentences answer a question, a statement is taken note of."""

    def __init__(self, narrator: LocalNarrator) -> None:
        self._narrator = narrator

    async def narrate(self, task: Task) -> Narrated:
        """Reply as a whole."""
        if asks(task.question) and task.memories:
            return await self._narrator.narrate(task)
        return Narrated(NOTHING_FOUND if asks(task.question) else NOTED, (), 1, NAME, "", Usage())

    async def stream(self, task: Task) -> AsyncGenerator[str | Narrated, None]:
        """Reply in one part: it is there at once."""
        narrated = await self.narrate(task)
        if narrated.answer:
            yield narrated.answer
        yield narrated


def _task(message: pb.ConversationTask) -> Task:
    """Read what to reply to. Raises: InvalidArgument."""
    task = task_of(message.narration, "task.narration", may_lack_evidence=True)
    if len(message.said) > MAX_SAID or any(not 1 <= len(each.text) <= MAX_SAID_CHARS for each in message.said):
        told = f"must be at most {MAX_SAID} texts of 1 to {MAX_SAID_CHARS} characters"
        raise InvalidArgument.of("task.said", "SAID_TOO_MUCH", told)
    said = tuple(("user" if each.by_user else "assistant", each.text) for each in message.said)
    at = wire.instant(message, "at")
    return replace(task, said=said, today=utc_day(at) if at else None)
