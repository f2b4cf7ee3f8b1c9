"""The job expire_requests: removes answers, counted uses and finished jobs of a tenant after 30 days.

Rules: in small transactions; while anything is left, the job asks for itself again, for when the oldest is due.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from uuid import UUID

from services.ingest.runner import Turn
from services.ingest.upkeep import EXPIRE_KIND, MAX_ATTEMPTS
from shared.store.pool import Connection
from shared.store.writes import expiry, jobs
from shared.store.writes.jobs import NewJob

KEPT = timedelta(days=30)  # REQUIREMENTS A2
ROWS = 1_000  # of one table in one transaction; chosen, untested
SLACK = timedelta(hours=1)  # so that a busy tenant's job does not come back for single rows; chosen


async def handle(turn: Turn, *, new_id: Callable[[], UUID]) -> Mapping[str, int]:
    """Remove what is too old."""
    tenant_id, now, removed = turn.attempt.tenant_id, turn.now(), 0
    while True:
        delete = partial(expiry.delete, tenant_id=tenant_id, before=now - KEPT, limit=ROWS)
        number = await turn.write(delete, progress=lambda number: removed + number)  # noqa: B023  # called at once
        removed += number
        if number == 0:
            break

    async def again(connection: Connection) -> None:
        oldest = await expiry.oldest(connection, tenant_id)
        if oldest is not None:
            due_at = oldest + KEPT + SLACK
            await jobs.enqueue(connection, NewJob(new_id(), tenant_id, EXPIRE_KIND, due_at, now, MAX_ATTEMPTS))

    await turn.write(again, progress=lambda _: removed)
    return {"removed": removed}
