"""ForgettingService: forgetting by decay and by choice, and taking an operation's ends back.

Rules: a plan is carried out as it was shown or not at all. A repeated request gets the same answer. It does not know
how memories end (store/writes/endings.py) nor what has faded (sweep.py).
Source: REQUIREMENTS D5.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from uuid import UUID

from candor.ingest.v1 import forgetting_pb2 as pb
from candor.ingest.v1.forgetting_pb2_grpc import ForgettingServiceServicer

from services.ingest import consolidation_revival, enrichment_undoing, forgetting_plan
from services.ingest.asking import Means, ask_of, former_answer
from services.ingest.consolidation_pass import ACTION as CONSOLIDATE
from services.ingest.enrichment import ACTION as ENRICH
from services.ingest.forgetting_plan import FORGET
from services.ingest.sweep import ACTION, PIECE_MEMORIES, Piece, sweep
from shared.domain.errors import FailedPrecondition, NotFound
from shared.domain.revision import Revision
from shared.domain.types import Draft, MemoryState
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run
from shared.store.writes import consolidation, endings, events, fading, forgetting, plans
from shared.store.writes.endings import Ending
from shared.store.writes.events import Operation

SWEPT_MAX = 10_000  # of one call; the contract's
UNDOABLE = frozenset({ACTION, FORGET, "invalidate", CONSOLIDATE, ENRICH})  # what only ends memories


class ForgettingServicer(ForgettingServiceServicer):
    """Serves ForgettingService."""

    def __init__(self, means: Means) -> None:
        self._means = means

    async def ForgetMemories(self, request: pb.ForgetMemoriesRequest, context: Context) -> pb.ForgetMemoriesResponse:
        """Show a plan, or carry one out."""
        means, ask = self._means, ask_of(request, self._means.request_key)
        step = forgetting_plan.step_of(request, means.now())
        now = means.now()
        if not isinstance(step, UUID):
            operation = ask.operation(means.new_id(), FORGET, now)

            async def show(connection: Connection) -> bytes:
                planned = await forgetting_plan.planned(connection, ask.tenant_id, step, now)
                await forgetting.keep_plan(connection, operation, planned.plan)
                return planned.message(operation.operation_id).SerializeToString(deterministic=True)

            return pb.ForgetMemoriesResponse.FromString((await means.once(ask, now, show)).answer)

        plan_id = step
        operation = ask.operation(means.new_id(), FORGET, now)
        derive = await means.revisions.of(ask.tenant_id)
        ended: list[Draft] = []

        async def carry_out(connection: Connection) -> bytes:
            planned = await forgetting_plan.confirmed(connection, ask.tenant_id, plan_id, now)
            response = planned.message(plan_id)
            response.applied = True
            if planned.plan.ends:
                await events.insert_operation(connection, operation)
                reason = ask.reason or "forgotten by choice"
                ending = [Ending(end.memory_id, MemoryState.FORGOTTEN, reason) for end in planned.plan.ends]
                found = await endings.end(connection, operation, ending, means.new_id)
                ended[:] = [memory.draft for memory in found]
                response.operation_id = str(operation.operation_id)
            return response.SerializeToString(deterministic=True)

        done = await means.once(ask, now, carry_out)
        if done.is_first:
            means.statistics.add(ask.tenant_id, [], replaced=map(derive, ended))
        return pb.ForgetMemoriesResponse.FromString(done.answer)

    async def SweepMemories(self, request: pb.SweepMemoriesRequest, context: Context) -> pb.SweepMemoriesResponse:
        """Run the pass that the job runs."""
        means, ask = self._means, ask_of(request, self._means.request_key)
        if ask.key is not None:
            former = await run(means.pool, ask.tenant_id, partial(former_answer, key=ask.key), read_only=True)
            if former is not None:
                return pb.SweepMemoriesResponse.FromString(former)
        now = means.now()
        derive = await means.revisions.of(ask.tenant_id)

        async def write(work: Callable[[Connection], Awaitable[Piece]]) -> Piece:
            piece = await run(means.pool, ask.tenant_id, work)
            replaced = await means.off_loop(len(piece.ended), lambda: list(map(derive, piece.ended)))
            means.statistics.add(ask.tenant_id, [], replaced=replaced)
            return piece

        pieces, more = await sweep(
            write, lambda: ask.operation(means.new_id(), ACTION, now), means.new_id, SWEPT_MAX // PIECE_MEMORIES
        )

        async def answer(connection: Connection) -> bytes:
            next_at = await fading.next_at(connection, ask.tenant_id)
            return pb.SweepMemoriesResponse(
                examined=sum(piece.examined for piece in pieces),
                faded=sum(piece.faded for piece in pieces),
                surplus=sum(piece.surplus for piece in pieces),
                kept=sum(piece.kept for piece in pieces),
                operation_ids=list(dict.fromkeys(str(p.operation_id) for p in pieces if p.operation_id is not None)),
                truncated=more,
                next_fades_at=wire.to_timestamp(next_at),
            ).SerializeToString(deterministic=True)

        return pb.SweepMemoriesResponse.FromString((await means.once(ask, now, answer)).answer)

    async def UndoOperation(self, request: pb.UndoOperationRequest, context: Context) -> pb.UndoOperationResponse:
        """Believe again what an operation ended."""
        means, ask = self._means, ask_of(request, self._means.request_key)
        operation_id = wire.identifier(request.operation_id, "operation_id", "OPERATION_ID_INVALID")
        now = means.now()
        operation = ask.operation(means.new_id(), "undo", now)
        derive = await means.revisions.of(ask.tenant_id)
        restored: list[Revision] = []
        ended: list[Draft] = []

        async def work(connection: Connection) -> bytes:
            done = await plans.operation(connection, ask.tenant_id, operation_id)
            named = {"operation_id": str(operation_id)}
            if done is None:
                raise NotFound("OPERATION_NOT_FOUND", "there is no such operation", metadata=named)
            if done.action not in UNDOABLE:
                told = f"it is {done.action!r}; only what merely ended memories is undone here"
                raise FailedPrecondition("OPERATION_NOT_UNDOABLE", told, metadata=named)
            restored.clear()
            ended.clear()
            if done.action in (CONSOLIDATE, ENRICH):  # in the order in which their own writes take locks
                await consolidation.serialise(connection, ask.tenant_id)
            await endings.lock(connection, ask.tenant_id, done.memory_ids)
            if done.action == CONSOLIDATE:
                digest = await consolidation_revival.withdraw(connection, operation, operation_id, derive, means.new_id)
                restored[:], ended[:] = digest.revived, digest.ended
                return _undone(operation, digest.back, digest.stay)
            if done.action == ENRICH:
                unread = await enrichment_undoing.unread(connection, operation, operation_id, derive, means.new_id)
                restored[:], ended[:] = unread.revived, unread.ended
                return _undone(operation, unread.back, unread.stay, unread.gone)
            back, stay = await forgetting.ended_by(connection, ask.tenant_id, operation_id)
            if back:
                await events.insert_operation(connection, operation)
                restored[:] = await endings.restore(connection, operation, back, derive, means.new_id)
            return _undone(operation, back, stay)

        answered = await means.once(ask, now, work)
        if answered.is_first:
            means.statistics.add(ask.tenant_id, restored, replaced=map(derive, ended))
        return pb.UndoOperationResponse.FromString(answered.answer)


def _undone(operation: Operation, back: Sequence[UUID], stay: Sequence[UUID], gone: Sequence[UUID] = ()) -> bytes:
    return pb.UndoOperationResponse(
        restored_memory_ids=map(str, back),
        skipped_memory_ids=map(str, stay),
        operation_id=str(operation.operation_id) if back or gone else "",
        ended_memory_ids=map(str, gone),
    ).SerializeToString(deterministic=True)
