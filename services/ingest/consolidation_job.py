"""The job consolidate_memories: merges the repeats among what was written since it ran last.

Rules: some memories at a time, in the order of commits; the cursor moves on when all digests of a piece are written, so
that after a kill the piece is looked at again and what is left of it follows. What others wrote meanwhile is passed
over: it has been written anew and is looked at then. Repeats that are worded differently are worded anew by judge
(summarizing.py), with no transaction open; without it they stand in their own words. Vectors that wait for the index
make it wait too.
Source: REQUIREMENTS D4.
"""

from collections.abc import Mapping
from functools import partial
from uuid import UUID

from candor.judge.v1.summaries_pb2_grpc import SummariesServiceStub

from services.ingest import consolidation_pass
from services.ingest.asking import Means
from services.ingest.consolidation_pass import ACTION, Found, Written
from services.ingest.runner import Turn
from services.ingest.summarizing import Wording
from shared.store.pool import Connection
from shared.store.writes import consolidation, plans
from shared.store.writes.events import Operation
from shared.store.writes.writing import StalePlan

ACTOR = "candor"
PIECE_MEMORIES = 500  # looked at in one snapshot; chosen, untested


async def handle(turn: Turn, *, means: Means, summaries: SummariesServiceStub | None = None) -> Mapping[str, int]:
    """Consolidate the job's tenant."""
    tenant_id = turn.attempt.tenant_id
    examined = pairs = digests = merged = 0
    wording = Wording(summaries)
    while True:
        found = await consolidation_pass.find(
            turn.read, tenant_id, None, PIECE_MEMORIES, means.new_id, only_settled=True
        )
        if found.end is None:
            found_out = {"examined": examined, "pairs": pairs, "digests": digests, "merged": merged}
            asked = {"worded": wording.worded, "not_worded": wording.failed}
            return found_out | {name: number for name, number in asked.items() if number}
        examined, pairs = examined + found.examined, pairs + found.pairs
        written = await _write(turn, tenant_id, found, means, wording, examined)
        digests, merged = digests + len(written), merged + sum(len(one.ended) for one in written)
        advance = partial(consolidation.advance, tenant_id=tenant_id, place=found.end)
        await turn.write(advance, progress=partial(_progress, examined))


async def _write(
    turn: Turn, tenant_id: UUID, found: Found, means: Means, wording: Wording, examined: int
) -> list[Written]:
    if not found.digests:
        return []
    basis = await turn.read(partial(_basis, tenant_id=tenant_id))
    derive = await means.revisions.of(tenant_id)
    done = []
    for planned, local, wordings in found.digests:
        draft = await wording.of(tenant_id, local, wordings)
        entry = await consolidation_pass.prepared(means, tenant_id, planned, draft, basis)
        write = partial(
            consolidation_pass.write,
            operation=Operation(tenant_id, means.new_id(), ACTION, ACTOR, "", "", turn.now()),
            planned=planned,
            entry=entry,
            generation=basis.generation.number,
            means=means,
        )
        try:
            written = await turn.write(write, progress=partial(_progress, examined))
        except StalePlan:
            continue
        means.statistics.add(tenant_id, [written.revision], replaced=map(derive, written.ended))
        done.append(written)
    return done


async def _basis(connection: Connection, tenant_id: UUID) -> plans.Basis:
    return await plans.basis(connection, tenant_id)


def _progress(examined: int, _: object) -> int:
    return examined
