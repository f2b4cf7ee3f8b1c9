"""The job fill_ledger: puts memories on record that were written before there was a ledger.

Rules: in small transactions, in the order of ids; it may run again from the start at any point, and changes nothing of
what is on record already. What it puts there counts since its memory was written. It is asked for by a migration.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from uuid import UUID

from services.ingest.runner import Turn
from shared.store.pool import Connection
from shared.store.writes import fading, ledger
from shared.store.writes.events import Operation

KIND = "fill_ledger"
PIECE_MEMORIES = 1_000  # chosen, untested
_FIRST = UUID(int=0)
_ALWAYS = datetime(1970, 1, 1, tzinfo=UTC)  # before every memory: so each entry begins with its own


async def handle(turn: Turn, *, new_id: Callable[[], UUID]) -> Mapping[str, int]:
    """Bring the ledger to what the tenant's live memories say."""
    tenant_id, after, done = turn.attempt.tenant_id, _FIRST, 0
    operation = Operation(tenant_id, new_id(), "fill-ledger", "candor", "", "", _ALWAYS)

    async def piece(connection: Connection) -> list[UUID]:
        ids = await fading.live_after(connection, tenant_id, after, PIECE_MEMORIES)
        await ledger.refresh(connection, operation, ids)
        return ids

    while ids := await turn.write(piece, progress=lambda ids: done + len(ids)):  # noqa: B023  # called at once
        after, done = ids[-1], done + len(ids)
    return {"memories": done}
