"""candor.judge.v1.NarrationService: checks the request, lets the narrator answer, and passes on what the guard passed.

Rules: a refusal is an answer of this service, not an error: its caller has something plain to say instead. It does not
know who writes.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from candor.judge.v1 import narrate_pb2 as pb
from candor.judge.v1.narrate_pb2_grpc import NarrationServiceServicer

from services.judge.narration_messages import narration, task_of
from services.judge.narrator import Narrator
from shared.rpc import wire
from shared.rpc.context import Context


class Narration(NarrationServiceServicer):
    """Serves one narrator."""

    def __init__(self, narrator: Narrator) -> None:
        self._narrator = narrator

    async def NarrateAnswer(self, request: pb.NarrateAnswerRequest, context: Context) -> pb.NarrateAnswerResponse:
        """Answer as a whole. Raises: InvalidArgument; as ChatModel."""
        wire.tenant(request)
        narrated = await self._narrator.narrate(task_of(request.task))
        return pb.NarrateAnswerResponse(narration=narration(narrated))

    async def StreamNarration(
        self, request: pb.StreamNarrationRequest, context: Context
    ) -> AsyncGenerator[pb.StreamNarrationResponse, None]:
        """Answer sentence by sentence, the whole last. Raises: InvalidArgument; as ChatModel."""
        wire.tenant(request)
        async with aclosing(self._narrator.stream(task_of(request.task))) as items:
            async for item in items:
                if isinstance(item, str):
                    yield pb.StreamNarrationResponse(text=item)
                else:
                    yield pb.StreamNarrationResponse(narration=narration(item))
