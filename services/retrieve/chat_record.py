"""Has ingest keep a talk: what the user says before anything is asked of a model, and the reply behind it.

Rules: a turn that cannot be recorded is an error. A reply is kept as far as it can be: it is a turn of the assistant,
of little importance, derived from what it cites, so that it fades soon and never speaks for itself. Both are sent under
the request id of the chat: asked again, nothing is written twice.
It does not know what was said.
Source: REQUIREMENTS A2, D3, D8.
"""

from collections.abc import Sequence
from uuid import UUID

import structlog
from candor.ingest.v1 import memories_pb2 as writing
from candor.ingest.v1 import turns_pb2 as turns
from candor.ingest.v1.memories_pb2_grpc import MemoriesServiceStub
from candor.ingest.v1.turns_pb2_grpc import TurnsServiceStub
from candor.memory.v1.memory_pb2 import KIND_TURN, MEMORY_TYPE_EPISODIC

from services.retrieve.chat_request import ASSISTANT, Saying
from shared.domain.errors import CandorError
from shared.domain.statements import without_citations
from shared.rpc.clients import rpc_errors

TIMEOUT_SECONDS = 10.0  # of one write; chosen, untested
REPLY_IMPORTANCE = 0.1  # it fades in three days: half-life 72 h, floor 0.05
_log = structlog.stdlib.get_logger("candor.retrieve.chat_record")


class Record:
    """Writes through ingest."""

    def __init__(self, turns_stub: TurnsServiceStub, memories_stub: MemoriesServiceStub) -> None:
        self._turns = turns_stub
        self._memories = memories_stub

    async def turn(self, saying: Saying, replied: str) -> UUID:
        """Record what the user says; `replied` is what the assistant said before. Raises: as ObserveTurn."""
        request = turns.ObserveTurnRequest(
            tenant_id=str(saying.tenant_id),
            actor=saying.actor,
            request_id=saying.request_id,
            user_text=saying.message,
            assistant_text=replied,
            session=saying.session,
            speaker=saying.speaker,
        )
        with rpc_errors():
            answer = await self._turns.ObserveTurn(request, timeout=TIMEOUT_SECONDS)
        return UUID(answer.memory.memory_id)

    async def reply(self, saying: Saying, text: str, cited: Sequence[UUID]) -> UUID | None:
        """Keep a reply; None where it cannot be kept."""
        said = without_citations(text).strip()
        if not said:
            return None
        memory = writing.NewMemory(
            kind=KIND_TURN,
            content=said,
            speaker=ASSISTANT,
            session=saying.session,
            importance=REPLY_IMPORTANCE,
            memory_type=MEMORY_TYPE_EPISODIC,
            derived_from=[str(memory_id) for memory_id in cited],
        )
        request = writing.CreateMemoryRequest(
            tenant_id=str(saying.tenant_id),
            actor=saying.actor,
            request_id=saying.request_id,
            memory=memory,
            allow_pending_vector=True,
        )
        try:
            with rpc_errors():
                answer = await self._memories.CreateMemory(request, timeout=TIMEOUT_SECONDS)
        except CandorError as error:
            _log.info("reply not kept", reason=error.reason)
            return None
        return UUID(answer.memory.memory_id)
