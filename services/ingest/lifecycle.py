"""LifecycleService: memories that end and memories that come back, one at a time.

Rules: an end may be taken back; what it took away comes back with it. What was merged into a digest that is said to be
incorrect is believed again: each of its sources stands for itself. How that is done is in store/writes/endings.py.
Source: REQUIREMENTS A7, A8.
"""

from candor.ingest.v1 import lifecycle_pb2 as pb
from candor.ingest.v1.lifecycle_pb2_grpc import LifecycleServiceServicer

from services.ingest import consolidation_revival
from services.ingest.asking import Means, ask_of
from shared.domain.errors import InvalidArgument
from shared.domain.revision import Revision
from shared.domain.types import Draft, MemoryState
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection
from shared.store.writes import endings, events
from shared.store.writes.endings import Ending

_ENDS = (MemoryState.INCORRECT, MemoryState.SUPERSEDED)


class LifecycleServicer(LifecycleServiceServicer):
    """Serves LifecycleService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def InvalidateMemory(
        self, request: pb.InvalidateMemoryRequest, context: Context
    ) -> pb.InvalidateMemoryResponse:
        """End a memory."""
        means, ask = self._means, ask_of(request, self._means.request_key)
        memory_id = wire.identifier(request.memory_id, "memory_id", "MEMORY_ID_INVALID")
        state = ending_state(request.state, "state", MemoryState.INCORRECT)
        now = means.now()
        operation = ask.operation(means.new_id(), "invalidate", now)
        derive = await means.revisions.of(ask.tenant_id)
        ended: list[Draft] = []
        revived: list[Revision] = []

        async def work(connection: Connection) -> bytes:
            await events.insert_operation(connection, operation)
            found = await endings.end(connection, operation, [Ending(memory_id, state, ask.reason)], means.new_id)
            ended[:] = [memory.draft for memory in found]
            if state is MemoryState.INCORRECT:
                back = await consolidation_revival.revive(connection, operation, memory_id, derive, means.new_id)
                revived[:] = back.revived
            return pb.InvalidateMemoryResponse(
                memory_id=str(memory_id), state=wire.to_state(state), operation_id=str(operation.operation_id)
            ).SerializeToString(deterministic=True)

        done = await means.once(ask, now, work)
        if done.is_first:
            means.statistics.add(ask.tenant_id, revived, replaced=map(derive, ended))
        return pb.InvalidateMemoryResponse.FromString(done.answer)

    async def RestoreMemory(self, request: pb.RestoreMemoryRequest, context: Context) -> pb.RestoreMemoryResponse:
        """Believe an ended memory again."""
        means, ask = self._means, ask_of(request, self._means.request_key)
        memory_id = wire.identifier(request.memory_id, "memory_id", "MEMORY_ID_INVALID")
        now = means.now()
        operation = ask.operation(means.new_id(), "restore", now)
        derive = await means.revisions.of(ask.tenant_id)
        restored: list[Revision] = []

        async def work(connection: Connection) -> bytes:
            await events.insert_operation(connection, operation)
            restored[:] = await endings.restore(connection, operation, [memory_id], derive, means.new_id)
            return pb.RestoreMemoryResponse(
                memory_id=str(memory_id), operation_id=str(operation.operation_id)
            ).SerializeToString(deterministic=True)

        done = await means.once(ask, now, work)
        if done.is_first:
            means.statistics.add(ask.tenant_id, restored)
        return pb.RestoreMemoryResponse.FromString(done.answer)


def ending_state(number: int, field: str, default: MemoryState) -> MemoryState:
    """Return how a memory is to end. Raises: InvalidArgument STATE_INVALID."""
    state = wire.state_of(number, field) or default
    if state not in _ENDS:
        raise InvalidArgument.of(field, "STATE_INVALID", "must be incorrect or superseded")
    return state
