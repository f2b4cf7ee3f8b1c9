"""The job consolidate_memories: merges the repeats among what was written since it ran last.

Rules: some memories at a time, in the order of commits; the cursor moves on when all digests of a piece are written, so
that after a kill the piece is looked at again and what is left of it follows. What others wrote meanwhile is passed
over: it has been written anew and is looked at then. Repeats that are worded differently are worded anew by judge
(summarizing.py), with no transaction open; without it they stand in their own words. Vectors that wait for the index
make it wait too.
Source: REQUIREMENTS D4.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from functools import partial
from uuid import UUID

from candor.judge.v1.summaries_pb2_grpc import SummariesServiceStub

from services.ingest import consolidation_pass
from services.ingest.asking import Means
from services.ingest.consolidation_pass import ACTION, Found, Intended, Written
from services.ingest.runner import Turn
from services.ingest.summarizing import Wording
from shared.store.pool import Connection
from shared.store.writes import consolidation, plans
from shared.store.writes.events import Operation
from shared.store.writes.writing import StalePlan

ACTOR = "candor"
PIECE_MEMORIES = 200  # looked at in one snapshot; between what was measured (docs/benchmarks.md)
DIGESTS_AT_ONCE = 10  # written in one transaction, which keeps the tenant's turns waiting
REST_MAX_SECONDS = 0.05  # so that a machine busy with other work does not stretch the pass twice
REST_SHARE = 1.0  # of the time that a look or a transaction took, before the next: writes have their turn


async def handle(turn: Turn, *, means: Means, summaries: SummariesServiceStub | None = None) -> Mapping[str, int]:
    """Consolidate the job's tenant."""
    tenant_id = turn.attempt.tenant_id
    examined = pairs = digests = merged = 0
    wording = Wording(summaries)
    while True:
        began = time.perf_counter()
        found = await consolidation_pass.find(
            turn.read, tenant_id, None, PIECE_MEMORIES, means.new_id, only_settled=True
        )
        if found.end is None:
            found_out = {"examined": examined, "pairs": pairs, "digests": digests, "merged": merged}
            asked = {"worded": wording.worded, "not_worded": wording.failed}
            return found_out | {name: number for name, number in asked.items() if number}
        examined, pairs = examined + found.examined, pairs + found.pairs
        await _rest(began)
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
    drafts = [(one.planned, await wording.of(tenant_id, one.draft, one.wordings)) for one in found.digests]
    intended = await consolidation_pass.prepared(means, tenant_id, drafts, basis)
    done: list[Written] = []
    for first in range(0, len(intended), DIGESTS_AT_ONCE):
        began = time.perf_counter()
        some = intended[first : first + DIGESTS_AT_ONCE]
        written = await _written(turn, tenant_id, some, basis.generation.number, means, examined)
        for one in written:
            means.statistics.add(tenant_id, [one.revision], replaced=map(derive, one.ended))
        done += written
        await _rest(began)
    return done


async def _written(
    turn: Turn, tenant_id: UUID, some: Sequence[Intended], generation: int, means: Means, examined: int
) -> list[Written]:
    """Write digests in one transaction; where one of them cannot be written, one by one."""
    write = partial(
        consolidation_pass.write,
        operation=Operation(tenant_id, some[0].operation_id, ACTION, ACTOR, "", "", turn.now()),
        intended=some,
        generation=generation,
        means=means,
    )
    try:
        return await turn.write(write, progress=partial(_progress, examined))
    except StalePlan:
        alone = [[one] for one in some] if len(some) > 1 else []
        return [each for one in alone for each in await _written(turn, tenant_id, one, generation, means, examined)]


async def _rest(began: float) -> None:
    await asyncio.sleep(min((time.perf_counter() - began) * REST_SHARE, REST_MAX_SECONDS))


async def _basis(connection: Connection, tenant_id: UUID) -> plans.Basis:
    return await plans.basis(connection, tenant_id)


def _progress(examined: int, _: object) -> int:
    return examined
