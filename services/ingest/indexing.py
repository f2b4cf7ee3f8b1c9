"""The job index_bulk: moves vectors that wait for the graph into it.

Rules: in small transactions, each of which moves a vector or leaves it, so it may be stopped and begun again anywhere;
it ends when none is left. An upload that adds more asks for it in the same transaction.
"""

from collections.abc import Mapping
from functools import partial

from services.ingest.runner import Turn
from shared.store.writes import plans, staging

KIND = "index_bulk"
MAX_ATTEMPTS = 20  # each goes on where the last one was stopped
MOVE_VECTORS = 250  # of one transaction: about a quarter of a second; chosen, untested


async def handle(turn: Turn) -> Mapping[str, int]:
    """Move everything over."""
    tenant_id, indexed, after = turn.attempt.tenant_id, 0, staging.START
    generation = await turn.read(plans.generation)
    while True:
        move = partial(staging.move, tenant_id=tenant_id, generation=generation.number, after=after, limit=MOVE_VECTORS)
        moved = await turn.write(move, progress=lambda moved: indexed + moved.vectors)  # noqa: B023  # called at once
        indexed += moved.vectors
        if moved.last is not None:
            after = moved.last
        elif after == staging.START:
            return {"indexed": indexed}
        else:
            after = staging.START  # ids do not rise strictly over processes: look once more from the beginning
