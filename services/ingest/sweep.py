"""The sweep: forgets what has faded, and what is beyond a tenant's capacity, some memories at a time.

Rules: only memories whose date has come are looked at, found by index; each is dated again in the transaction that ends
it, so that what was used, protected or set otherwise meanwhile stays. Up to a thousand memories are one operation,
which can be undone. Where a capacity is set, what would fade next goes first, never what is protected. It may run again
at any point, and two at once forget nothing twice. The job and the RPC run the same pass.
Source: REQUIREMENTS D1, D2, D5.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from services.ingest.revising import Revisions
from services.ingest.runner import Turn
from services.ingest.term_statistics import TermStatistics
from services.ingest.upkeep import MAX_ATTEMPTS, SWEEP_KIND
from shared.domain.types import Draft, MemoryState
from shared.store.pool import Connection
from shared.store.writes import endings, events, fading, jobs
from shared.store.writes.endings import Ending
from shared.store.writes.events import Operation
from shared.store.writes.jobs import NewJob

ACTION, ACTOR = "sweep", "candor"
FADED, SURPLUS = "faded", "beyond the capacity"  # the reasons that the history keeps
PIECE_MEMORIES = 20  # of one transaction, so that writes beside it hardly wait: tests/bench/life/sweep.py
REST_SHARE = 3.0  # of the time a piece took, before the next: writes have the machine most of the time
OPERATION_MEMORIES = 1_000  # what GetOperation names
SWEEP_EVERY = timedelta(hours=1)  # at most; chosen, untested


@dataclass(frozen=True, slots=True)
class Piece:
    """What one transaction did; `operation_id` None when it ended nothing."""

    examined: int = 0
    faded: int = 0
    surplus: int = 0
    operation_id: UUID | None = None
    ended: tuple[Draft, ...] = ()

    @property
    def kept(self) -> int:
        """How many were looked at and stay."""
        return self.examined - self.faded - self.surplus


Write = Callable[[Callable[[Connection], Awaitable[Piece]]], Awaitable[Piece]]
"""Carries a piece out in one transaction."""


async def sweep_piece(
    connection: Connection, operation: Operation, new_id: Callable[[], UUID], *, is_first: bool = True
) -> Piece:
    """Forget some of what has faded at the operation's instant; when nothing has, some of what is too many.

    `is_first`: nothing of the operation was written before.
    """
    tenant_id, at = operation.tenant_id, operation.recorded_at
    due = await fading.due(connection, tenant_id, at, PIECE_MEMORIES)
    if due:
        return await _end(connection, operation, due, at, new_id, is_first)
    capacity = (await fading.rules(connection, tenant_id)).capacity
    if capacity is None:
        return Piece()
    surplus = await fading.surplus(connection, tenant_id, capacity, PIECE_MEMORIES)
    return await _end(connection, operation, surplus, None, new_id, is_first) if surplus else Piece()


async def _end(
    connection: Connection,
    operation: Operation,
    ids: list[UUID],
    until: datetime | None,
    new_id: Callable[[], UUID],
    is_first: bool,
) -> Piece:
    """End those that have faded until an instant, or, without one, those that fade at all."""
    tenant_id = operation.tenant_id
    locked = await endings.lock(connection, tenant_id, ids)
    dated = await fading.refresh(connection, tenant_id, ids)
    gone = [memory_id for memory_id in ids if memory_id not in dated]  # ended by somebody else in between
    await fading.clear(connection, tenant_id, gone)
    reason = SURPLUS if until is None else FADED
    ending = [
        Ending(memory_id, MemoryState.FORGOTTEN, reason)
        for memory_id, at in dated.items()
        if memory_id in locked and at is not None and (until is None or at <= until)
    ]
    if not ending:
        return Piece(len(ids))
    if is_first:
        await events.insert_operation(connection, replace(operation, reason=operation.reason or reason))
    ended = await endings.end(connection, operation, ending, new_id)
    counted = (len(ids), 0, len(ended)) if until is None else (len(ids), len(ended), 0)
    return Piece(*counted, operation.operation_id, tuple(memory.draft for memory in ended))


async def sweep(
    write: Write, operation: Callable[[], Operation], new_id: Callable[[], UUID], pieces_max: int | None = None
) -> tuple[list[Piece], bool]:
    """Sweep a tenant piece by piece; return the pieces, and whether there was more than `pieces_max`."""
    done: list[Piece] = []
    current, held = operation(), 0
    while pieces_max is None or len(done) < pieces_max:
        if held + PIECE_MEMORIES > OPERATION_MEMORIES:
            current, held = operation(), 0
        began = time.perf_counter()
        piece = await write(partial(sweep_piece, operation=current, new_id=new_id, is_first=held == 0))
        if not piece.examined:
            return done, False
        done.append(piece)
        held += len(piece.ended)
        if piece.examined == PIECE_MEMORIES:
            await asyncio.sleep((time.perf_counter() - began) * REST_SHARE)
    return done, True


async def handle(
    turn: Turn, *, revisions: Revisions, statistics: TermStatistics, new_id: Callable[[], UUID]
) -> Mapping[str, int]:
    """Sweep the job's tenant, and ask for the next sweep while anything may fade."""
    tenant_id, now = turn.attempt.tenant_id, turn.now()
    derive = await revisions.of(tenant_id)
    ended = 0

    async def write(work: Callable[[Connection], Awaitable[Piece]]) -> Piece:
        nonlocal ended
        piece = await turn.write(work, progress=lambda piece: ended + len(piece.ended))
        ended += len(piece.ended)
        statistics.add(tenant_id, [], replaced=await asyncio.to_thread(lambda: list(map(derive, piece.ended))))
        return piece

    def operation() -> Operation:
        return Operation(tenant_id, new_id(), ACTION, ACTOR, "", "", now)

    async def again(connection: Connection) -> None:
        fades_at = await fading.next_at(connection, tenant_id)
        if fades_at is not None:
            due_at = max(fades_at, now + SWEEP_EVERY)
            await jobs.enqueue(connection, NewJob(new_id(), tenant_id, SWEEP_KIND, due_at, now, MAX_ATTEMPTS))

    pieces, _ = await sweep(write, operation, new_id)
    await turn.write(again, progress=lambda _: ended)
    return {"examined": sum(piece.examined for piece in pieces), "forgotten": ended}
