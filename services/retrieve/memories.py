"""MemoriesService: memories one by one, in lists, counted, streamed, and their history.

Rules: the first page of a list fixes the instant as of which all its pages hold, so none moves while memories change; a
stream does the same and reads each page in a short transaction of its own. A memory of another tenant is not there.
It does not rank.
Source: REQUIREMENTS A7, B3; DESIGN 5.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from candor.retrieve.v1 import memories_pb2 as pb
from candor.retrieve.v1.memories_pb2_grpc import MemoriesServiceServicer
from google.protobuf.message import Message

from services.retrieve.filters import Reader, memory_id_of, scope_of, stream_scope
from services.retrieve.memory_message import memory_message
from services.retrieve.page_tokens import Tokens, from_instant, to_instant
from shared.domain.errors import NotFound
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run
from shared.store.reads import events, memories
from shared.store.reads.events import Event
from shared.store.reads.memories import Memory

DEFAULT_LIMIT = 20  # the contract's
STREAM_PAGE_MEMORIES = 500  # in hand at once (chosen, untested)
PAGE_MAX_BYTES = 12 * 1024 * 1024  # a page ends early rather than outgrow a message of 20 MiB
FIRST_ID = UUID(int=0)
M = TypeVar("M", bound=Message)


class Memories(MemoriesServiceServicer):
    """Answers from the database of one pool."""

    def __init__(self, pool: Pool, token_key: bytes, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._token_key = token_key
        self._now = now

    async def GetMemory(self, request: pb.GetMemoryRequest, context: Context) -> pb.GetMemoryResponse:
        """Read one memory. Raises: NotFound MEMORY_NOT_FOUND."""
        tenant_id, memory_id = wire.tenant(request), memory_id_of(request.memory_id)
        known_at = wire.instant(request, "known_at")

        async def read(connection: Connection) -> Memory | None:
            return await memories.get(connection, tenant_id, memory_id, known_at)

        memory = await run(self._pool, tenant_id, read, read_only=True)
        if memory is None:
            raise _not_found(memory_id)
        return pb.GetMemoryResponse(memory=memory_message(memory))

    async def ListMemories(self, request: pb.ListMemoriesRequest, context: Context) -> pb.ListMemoriesResponse:
        """Read one page of a list."""
        now = self._now()
        reader = Reader(request)
        scope, limit = scope_of(request, reader, now), reader.limit(DEFAULT_LIMIT)
        reader.check()
        tokens = Tokens(self._token_key, scope.tenant_id, request, "page_token")
        token = tokens.open(request.page_token)
        after = None
        if token is not None:
            known_at = to_instant(token[0])
            after = to_instant(token[1]), UUID(str(token[2]))
            expired_at = scope.expired_at if scope.valid_at or scope.expired_at is None else known_at
            scope = replace(scope, known_at=known_at, expired_at=expired_at)

        async def read(connection: Connection) -> list[Memory]:
            return await memories.page(connection, scope, after, limit + 1)

        found = await run(self._pool, scope.tenant_id, read, read_only=True)
        items = _fitting([memory_message(memory) for memory in found[:limit]])
        next_token = ""
        if len(items) < len(found):
            # The clocks of writers may be ahead of ours: what the first page showed is within the instant it fixes.
            known_at = scope.known_at or max(now, found[0].recorded_at)
            recorded_at, memory_id = found[len(items) - 1].place
            next_token = tokens.seal((from_instant(known_at), from_instant(recorded_at), str(memory_id)))
        return pb.ListMemoriesResponse(items=items, count=len(items), next_page_token=next_token)

    async def CountMemories(self, request: pb.CountMemoriesRequest, context: Context) -> pb.CountMemoriesResponse:
        """Count the memories in scope."""
        reader = Reader(request)
        scope = scope_of(request, reader, self._now())
        reader.check()

        async def read(connection: Connection) -> int:
            return await memories.count(connection, scope)

        return pb.CountMemoriesResponse(count=await run(self._pool, scope.tenant_id, read, read_only=True))

    async def ListMemoryEvents(
        self, request: pb.ListMemoryEventsRequest, context: Context
    ) -> pb.ListMemoryEventsResponse:
        """Read one page of a memory's history. Raises: NotFound MEMORY_NOT_FOUND."""
        reader = Reader(request)
        tenant_id, memory_id = wire.tenant(request), memory_id_of(request.memory_id)
        limit = reader.limit(DEFAULT_LIMIT)
        reader.check()
        tokens = Tokens(self._token_key, tenant_id, request, "page_token")
        token = tokens.open(request.page_token)
        after = (int(token[0]), to_instant(token[1]), UUID(str(token[2]))) if token else events.BEGINNING

        async def read(connection: Connection) -> list[Event]:
            found = await events.page(connection, tenant_id, memory_id, after, limit + 1)
            if not found and await memories.get(connection, tenant_id, memory_id, None) is None:
                raise _not_found(memory_id)
            return found

        found = await run(self._pool, tenant_id, read, read_only=True)
        listed = _fitting([_event_message(event) for event in found[:limit]])
        next_token = ""
        if len(listed) < len(found):
            revision, recorded_at, event_id = found[len(listed) - 1].place
            next_token = tokens.seal((revision, from_instant(recorded_at), str(event_id)))
        return pb.ListMemoryEventsResponse(events=listed, next_page_token=next_token)

    async def StreamMemories(
        self, request: pb.StreamMemoriesRequest, context: Context
    ) -> AsyncIterator[pb.StreamMemoriesResponse]:
        """Stream the memories in scope by id, page by page."""
        tenant_id = wire.tenant(request)
        tokens = Tokens(self._token_key, tenant_id, request, "resume_token")
        token = tokens.open(request.resume_token)
        known_at = to_instant(token[0]) if token else self._now()
        after = UUID(str(token[1])) if token else FIRST_ID
        scope = stream_scope(request, known_at)
        if token is None:
            newest = await run(self._pool, tenant_id, lambda c: memories.newest_at(c, tenant_id), read_only=True)
            known_at = max(known_at, newest or known_at)
            scope = stream_scope(request, known_at)
        while True:

            async def read(connection: Connection, after: UUID = after) -> list[Memory]:
                return await memories.stream(connection, scope, after, STREAM_PAGE_MEMORIES)

            found = await run(self._pool, tenant_id, read, read_only=True)
            for memory in found:
                resume_token = tokens.seal((from_instant(known_at), str(memory.memory_id)))
                yield pb.StreamMemoriesResponse(memory=memory_message(memory), resume_token=resume_token)
            if len(found) < STREAM_PAGE_MEMORIES:
                return
            after = found[-1].memory_id


def _fitting(messages: Sequence[M]) -> list[M]:
    """Return the first messages that fit into a page, at least one."""
    size_bytes = 0
    fitting: list[M] = []
    for message in messages:
        size_bytes += message.ByteSize()
        if fitting and size_bytes > PAGE_MAX_BYTES:
            break
        fitting.append(message)
    return fitting


def _event_message(event: Event) -> pb.MemoryEvent:
    return pb.MemoryEvent(
        event_id=str(event.event_id),
        action=event.action,
        revision=event.revision,
        actor=event.actor,
        reason=event.reason,
        operation_id=str(event.operation_id),
        recorded_at=wire.to_timestamp(event.recorded_at),
        changes=event.changes,
    )


def _not_found(memory_id: UUID) -> NotFound:
    return NotFound("MEMORY_NOT_FOUND", "there is no such memory", metadata={"memory_id": str(memory_id)})
