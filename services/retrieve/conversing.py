"""Has judge reply in a talk, and says plainly what was found where it does not: as narrating.py, of which this is the
other use. It does not know how a reply is written or guarded.
"""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from uuid import UUID

from candor.judge.v1 import conversation_pb2 as pb
from candor.judge.v1.conversation_pb2_grpc import ConversationServiceStub

from services.retrieve.evidence import Exhibit
from services.retrieve.narrating import TIMEOUT_SECONDS, Told, parts, patience, whole


class Converser:
    """Asks judge."""

    def __init__(self, judge_stub: ConversationServiceStub, timeout_seconds: float = TIMEOUT_SECONDS) -> None:
        self._judge = judge_stub
        self._timeout_seconds = timeout_seconds

    async def reply(self, tenant_id: UUID, task: pb.ConversationTask, evidence: Sequence[Exhibit]) -> Told:
        """Return the reply as a whole."""
        request = pb.ConverseRequest(tenant_id=str(tenant_id), task=task)
        answering = self._judge.Converse(request, timeout=patience(self._timeout_seconds))
        return _plain(await whole(answering, evidence), evidence)

    async def stream(
        self, tenant_id: UUID, task: pb.ConversationTask, evidence: Sequence[Exhibit]
    ) -> AsyncGenerator[str | Told, None]:
        """Yield the reply in guarded parts; last comes the whole."""
        request = pb.StreamConverseRequest(tenant_id=str(tenant_id), task=task)
        answering = self._judge.StreamConverse(request, timeout=patience(self._timeout_seconds))
        async for item in parts(answering, evidence):
            yield item if isinstance(item, str) else _plain(item, evidence)


def _plain(told: Told, evidence: Sequence[Exhibit]) -> Told:
    """Without a reply and without anything found there is only the reason to tell."""
    return replace(told, answer=told.reason) if told.code and not evidence else told
