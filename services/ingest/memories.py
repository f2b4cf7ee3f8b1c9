"""MemoriesService: writing memories, and telling what a write did.

Rules: creating one memory is a batch of one. Answers go through bytes, so that a repeated request gets the very same.
How a write is planned and carried out is in creation.py and patching.py; it does not know SQL.
Source: REQUIREMENTS A1, A2, A7, A8.
"""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

from candor.ingest.v1 import memories_pb2
from candor.ingest.v1.memories_pb2_grpc import MemoriesServiceServicer

from services.ingest import creation, drafts, patching
from services.ingest.asking import Means, ask_of
from shared.domain.errors import InvalidArgument, NotFound, TooLarge
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import run
from shared.store.writes import plans
from shared.store.writes.memories import Written

BATCH_MAX_MEMORIES = 1_000  # A4


class MemoriesServicer(MemoriesServiceServicer):
    """Serves MemoriesService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def CreateMemory(
        self, request: memories_pb2.CreateMemoryRequest, context: Context
    ) -> memories_pb2.CreateMemoryResponse:
        """Write one memory."""
        ask = ask_of(request, self._means.request_key)
        news = creation.news_of([request.memory], in_batch=False)
        answer = await creation.create(
            self._means, ask, news, "create", _created, allow_pending=request.allow_pending_vector
        )
        return memories_pb2.CreateMemoryResponse.FromString(answer)

    async def BatchCreateMemories(
        self, request: memories_pb2.BatchCreateMemoriesRequest, context: Context
    ) -> memories_pb2.BatchCreateMemoriesResponse:
        """Write 1 to 1,000 memories: all or none."""
        count = len(request.memories)
        if count == 0:
            raise InvalidArgument.of("memories", "MEMORIES_EMPTY", "must hold at least one memory")
        if count > BATCH_MAX_MEMORIES:
            raise TooLarge("BATCH_TOO_LARGE", f"a batch holds at most {BATCH_MAX_MEMORIES} memories, not {count}")
        ask = ask_of(request, self._means.request_key)
        news = await self._means.off_loop(count, partial(creation.news_of, request.memories, in_batch=True))
        answer = await creation.create(
            self._means, ask, news, "batch-create", batch_created, allow_pending=request.allow_pending_vector
        )
        return memories_pb2.BatchCreateMemoriesResponse.FromString(answer)

    async def UpdateMemory(
        self, request: memories_pb2.UpdateMemoryRequest, context: Context
    ) -> memories_pb2.UpdateMemoryResponse:
        """Patch a memory as a new revision."""
        ask = ask_of(request, self._means.request_key)
        memory_id = wire.identifier(request.memory_id, "memory_id", "MEMORY_ID_INVALID")
        if request.expected_revision < 0:
            raise InvalidArgument.of("expected_revision", "REVISION_INVALID", "must not be negative")
        values = drafts.patch_of(request)
        answer = await patching.update(
            self._means, ask, memory_id, values, _updated, expected_revision=request.expected_revision
        )
        return memories_pb2.UpdateMemoryResponse.FromString(answer)

    async def GetOperation(
        self, request: memories_pb2.GetOperationRequest, context: Context
    ) -> memories_pb2.GetOperationResponse:
        """Tell who did what, when and why."""
        tenant_id = wire.tenant(request)
        operation_id = wire.identifier(request.operation_id, "operation_id", "OPERATION_ID_INVALID")
        read = partial(plans.operation, tenant_id=tenant_id, operation_id=operation_id)
        done = await run(self._means.pool, tenant_id, read, read_only=True)
        if done is None:
            named = {"operation_id": str(operation_id)}
            raise NotFound("OPERATION_NOT_FOUND", "there is no such operation", metadata=named)
        return memories_pb2.GetOperationResponse(
            operation_id=str(operation_id),
            action=done.action,
            actor=done.actor,
            reason=done.reason,
            request_id=done.request_id,
            recorded_at=wire.to_timestamp(done.recorded_at),
            memory_ids=map(str, done.memory_ids),
        )


def _created(written: Sequence[Written], operation_id: UUID | None) -> memories_pb2.CreateMemoryResponse:
    return memories_pb2.CreateMemoryResponse(memory=written_message(written[0]), operation_id=_text(operation_id))


def batch_created(written: Sequence[Written], operation_id: UUID | None) -> memories_pb2.BatchCreateMemoriesResponse:
    """Say where the memories of a batch stand."""
    return memories_pb2.BatchCreateMemoriesResponse(
        memories=map(written_message, written), operation_id=_text(operation_id)
    )


def _updated(written: Written, operation_id: UUID | None) -> memories_pb2.UpdateMemoryResponse:
    return memories_pb2.UpdateMemoryResponse(memory=written_message(written), operation_id=_text(operation_id))


def written_message(written: Written) -> memories_pb2.WrittenMemory:
    """Say where a memory stands."""
    return memories_pb2.WrittenMemory(
        memory_id=str(written.memory_id),
        revision=written.revision,
        existing=written.existing,
        vector_pending=written.vector_pending,
        recorded_at=wire.to_timestamp(written.recorded_at),
    )


def _text(operation_id: UUID | None) -> str:
    return str(operation_id) if operation_id else ""
