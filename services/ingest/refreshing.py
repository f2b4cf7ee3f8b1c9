"""The job refresh_fading: dates every live memory of a tenant anew, after a change of its settings or of ours.

Rules: in small transactions, in the order of ids; it may run again from the start at any point. It is the only pass
over fading that reads what does not fade.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from uuid import UUID

from services.ingest.runner import Turn
from services.ingest.upkeep import MAX_ATTEMPTS, SWEEP_KIND
from shared.store.pool import Connection
from shared.store.writes import fading, jobs
from shared.store.writes.jobs import NewJob

KIND = "refresh_fading"
PIECE_MEMORIES = 1_000  # chosen, untested
_FIRST = UUID(int=0)


async def ask(connection: Connection, tenant_id: UUID, now: datetime, new_id: Callable[[], UUID]) -> None:
    """Ask for the job, in the transaction that makes it necessary."""
    await jobs.enqueue(connection, NewJob(new_id(), tenant_id, KIND, now, now, MAX_ATTEMPTS))


async def handle(turn: Turn, *, new_id: Callable[[], UUID]) -> Mapping[str, int]:
    """Date the tenant's memories, then ask for a sweep."""
    tenant_id, after, done = turn.attempt.tenant_id, _FIRST, 0

    async def piece(connection: Connection) -> list[UUID]:
        ids = await fading.live_after(connection, tenant_id, after, PIECE_MEMORIES)
        await fading.refresh(connection, tenant_id, ids)
        return ids

    while ids := await turn.write(piece, progress=lambda ids: done + len(ids)):  # noqa: B023  # called at once
        after, done = ids[-1], done + len(ids)

    async def then(connection: Connection) -> None:
        now = turn.now()
        await jobs.enqueue(connection, NewJob(new_id(), tenant_id, SWEEP_KIND, now, now, MAX_ATTEMPTS))

    await turn.write(then, progress=lambda _: done)
    return {"dated": done}
