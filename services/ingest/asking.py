"""Who asks for a write, how the same request is known again, and what a write works with.

Rules: a request is the same when its id is and its body is; tenant, actor and the id itself are no part of the body. It
does not know what is written.
Source: REQUIREMENTS A2.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from typing import TypeAlias, TypeVar
from uuid import UUID

from candor.ingest.v1 import (
    admin_pb2,
    consolidation_pb2,
    decisions_pb2,
    documents_pb2,
    erasure_pb2,
    findings_pb2,
    forgetting_pb2,
    keys_pb2,
    lifecycle_pb2,
    memories_pb2,
    settings_pb2,
    turns_pb2,
)

from services.ingest.embedder import Embedder
from services.ingest.revising import Revisions
from services.ingest.term_statistics import TermStatistics
from services.ingest.upkeep import Upkeep
from shared.domain.errors import InvalidArgument, Overloaded
from shared.domain.text import refused_character
from shared.rpc import context as calls
from shared.rpc import wire
from shared.store.pool import Connection, Pool, run
from shared.store.writes import requests
from shared.store.writes.events import Operation
from shared.store.writes.requests import RequestKey

REASON_MAX_CHARS = 500
REQUEST_ID_MAX_CHARS = 128
ACTOR_MAX_CHARS = 256  # chosen, untested
PLANS_MAX = 5  # a plan goes stale only when the same memory is written meanwhile; chosen, untested
THREAD_FROM_MEMORIES = 8  # work for more would hold up the event loop; chosen, untested

T = TypeVar("T")


Request: TypeAlias = (
    memories_pb2.CreateMemoryRequest
    | memories_pb2.BatchCreateMemoriesRequest
    | memories_pb2.UpdateMemoryRequest
    | admin_pb2.CreateKeyRequest
    | consolidation_pb2.ConsolidateMemoriesRequest
    | decisions_pb2.ResolveConflictRequest
    | decisions_pb2.GiveFeedbackRequest
    | decisions_pb2.UndoDecisionRequest
    | documents_pb2.IngestDocumentsRequest
    | documents_pb2.IngestInvoiceRequest
    | documents_pb2.IngestPayrollEventRequest
    | erasure_pb2.EraseMemoriesRequest
    | findings_pb2.AcknowledgeFindingRequest
    | forgetting_pb2.ForgetMemoriesRequest
    | forgetting_pb2.SweepMemoriesRequest
    | forgetting_pb2.UndoOperationRequest
    | keys_pb2.RotateKeyRequest
    | keys_pb2.RevokeKeyRequest
    | lifecycle_pb2.InvalidateMemoryRequest
    | lifecycle_pb2.RestoreMemoryRequest
    | settings_pb2.UpdateSettingsRequest
    | turns_pb2.ObserveTurnRequest
)


_WITHOUT_REASON = (admin_pb2.CreateKeyRequest, keys_pb2.RotateKeyRequest, keys_pb2.RevokeKeyRequest)


@dataclass(frozen=True, slots=True)
class Ask:
    """One request to write; `key` is None when it came without an id."""

    tenant_id: UUID
    actor: str
    reason: str
    request_id: str
    key: RequestKey | None

    def operation(self, operation_id: UUID, action: str, recorded_at: datetime) -> Operation:
        """Return the operation that carries it out."""
        return Operation(self.tenant_id, operation_id, action, self.actor, self.reason, self.request_id, recorded_at)


@dataclass(frozen=True, slots=True)
class Done:
    """The answer to a request, and whether it was given for the first time."""

    answer: bytes
    is_first: bool


@dataclass(frozen=True, slots=True)
class Means:
    """What writes work with: the database, the embedder, statistics, upkeep, revisions, a secret, time and ids.

    `now` is what the call takes for the present; the schedule of jobs goes by `real_now`.
    """

    pool: Pool
    embedder: Embedder
    statistics: TermStatistics
    upkeep: Upkeep
    revisions: Revisions
    request_key: bytes
    now: Callable[[], datetime]
    real_now: Callable[[], datetime]
    new_id: Callable[[], UUID]

    async def off_loop(self, memories: int, work: Callable[[], T]) -> T:
        """Run pure work, in a thread when it is for many memories."""
        return await asyncio.to_thread(work) if memories >= THREAD_FROM_MEMORIES else work()

    async def once(self, ask: Ask, recorded_at: datetime, work: Callable[[Connection], Awaitable[bytes]]) -> Done:
        """Do the work of a request in one transaction and keep its answer, unless it was done before.

        Raises: Conflict REQUEST_ID_REUSED.
        """

        async def claimed(connection: Connection) -> Done:
            if ask.key is None:
                return Done(await work(connection), True)
            former = await requests.claim(connection, ask.key, recorded_at)
            if former is not None:
                calls.note_replay()
                return Done(former, False)
            answer = await work(connection)
            await requests.answer(connection, ask.key, answer)
            return Done(answer, True)

        done = await run(self.pool, ask.tenant_id, claimed)
        if ask.key is not None:
            self.upkeep.note(ask.tenant_id)  # what was kept must go one day
        return done


async def former_answer(connection: Connection, key: RequestKey | None) -> bytes | None:
    """Return the answer that the same request got before, or None.

    Raises: Conflict REQUEST_ID_REUSED.
    """
    former = await requests.find(connection, key) if key else None
    if former is not None:
        calls.note_replay()
    return former


def contended() -> Overloaded:
    """Return the error for a memory that others wrote each time a write was about to."""
    return Overloaded("OVERLOADED", "the same memory is written too often at once", retry_after_seconds=1.0)


def ask_of(request: Request, key: bytes, own_id: str = "") -> Ask:
    """Return who asks and how the same request is known again; an id in the body takes the place of the header's.

    Raises: InvalidArgument TENANT_INVALID, REASON_TOO_LONG, REQUEST_ID_TOO_LONG, ACTOR_TOO_LONG, FORBIDDEN_CHARACTER.
    """
    tenant_id = wire.tenant(request)
    actor = checked("actor", request.actor, ACTOR_MAX_CHARS, "ACTOR_TOO_LONG")
    why = "" if isinstance(request, _WITHOUT_REASON) else request.reason
    reason = checked("reason", why, REASON_MAX_CHARS, "REASON_TOO_LONG")
    request_id = checked("request_id", own_id or request.request_id, REQUEST_ID_MAX_CHARS, "REQUEST_ID_TOO_LONG")
    if not request_id:
        return Ask(tenant_id, actor, reason, "", None)
    rpc = request.DESCRIPTOR.name.removesuffix("Request")
    return Ask(tenant_id, actor, reason, request_id, RequestKey(tenant_id, rpc, request_id, _body_hash(request, key)))


def checked(field: str, value: str, max_chars: int, reason: str) -> str:
    """Return a text that goes along with a write.

    Raises: InvalidArgument with the reason when it is too long, FORBIDDEN_CHARACTER.
    """
    name = refused_character(value)
    if name is not None:
        raise InvalidArgument.of(field, "FORBIDDEN_CHARACTER", f"holds {name}")
    if len(value) > max_chars:
        raise InvalidArgument.of(field, reason, f"has {len(value)} characters; at most {max_chars}")
    return value


def _body_hash(request: Request, key: bytes) -> bytes:
    """Return 32 bytes that are equal for equal bodies."""
    body = type(request)()
    body.CopyFrom(request)  # type: ignore[arg-type]  # of its own type
    for field in ("tenant_id", "actor", "request_id"):
        body.ClearField(field)
    return blake2b(body.SerializeToString(deterministic=True), digest_size=32, key=key).digest()
