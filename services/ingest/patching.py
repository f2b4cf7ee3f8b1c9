"""Patching a memory: planned without a lock, carried out in one transaction that checks the plan again.

Rules: what is not sent stays; a patch that changes nothing writes nothing. Vectors are made anew only when what the
embedder reads has changed. A revision that moved on between plan and transaction makes the plan anew, unless the caller
named the revision it had read.
Source: REQUIREMENTS A7, A8.
"""

from collections import Counter
from collections.abc import Callable
from uuid import UUID

from candor.ingest.v1 import memories_pb2

from services.ingest.asking import PLANS_MAX, Ask, Means, contended, former_answer
from shared.domain import patch as patches
from shared.domain.errors import Conflict
from shared.domain.patch import EMBEDDED, Values
from shared.domain.revision import average_length
from shared.store.pool import Connection, run
from shared.store.writes import plans, writing
from shared.store.writes.memories import Written
from shared.store.writes.plans import Basis, Current
from shared.store.writes.vectors import Embedded
from shared.store.writes.writing import Patch, StalePlan

Respond = Callable[[Written, UUID | None], memories_pb2.UpdateMemoryResponse]


async def update(
    means: Means, ask: Ask, memory_id: UUID, values: Values, respond: Respond, *, expected_revision: int
) -> bytes:
    """Patch a memory and return the answer, or the former answer of the same request.

    Units: `expected_revision` 0 takes whichever is current.
    Raises: NotFound, FailedPrecondition MEMORY_ENDED, Conflict REVISION_MISMATCH, MEMORY_IDENTICAL,
    REQUEST_ID_REUSED; UpstreamUnavailable EMBEDDER_UNAVAILABLE; InvalidArgument.
    """
    for _ in range(PLANS_MAX):
        try:
            return await _attempt(means, ask, memory_id, values, respond, expected_revision)
        except StalePlan:
            continue
    raise contended()


async def _attempt(
    means: Means, ask: Ask, memory_id: UUID, values: Values, respond: Respond, expected_revision: int
) -> bytes:
    async def read(connection: Connection) -> bytes | tuple[Basis, Current]:
        former = await former_answer(connection, ask.key)
        if former is not None:
            return former
        basis = await plans.basis(connection, ask.tenant_id)
        return basis, await plans.current(connection, ask.tenant_id, memory_id)

    plan = await run(means.pool, ask.tenant_id, read, read_only=True)
    if isinstance(plan, bytes):
        return plan
    basis, current = plan
    if expected_revision not in (0, current.revision):
        raise Conflict(
            "REVISION_MISMATCH",
            f"the memory is at revision {current.revision}, not {expected_revision}",
            metadata={"current_revision": str(current.revision)},
        )
    derive = await means.revisions.of(ask.tenant_id)
    draft = patches.patched(current.draft, values)
    changes = patches.changes(current.draft, draft)
    recorded_at = max(means.now(), current.recorded_at)
    if not changes:
        unchanged = Written(memory_id, current.revision, True, current.vector_pending, current.recorded_at)

        async def nothing(_: Connection) -> bytes:
            return respond(unchanged, None).SerializeToString(deterministic=True)

        return (await means.once(ask, recorded_at, nothing)).answer

    revision = derive(draft)
    embedded = None
    if EMBEDDED & changes.keys():
        made = await means.embedder.embed(ask.tenant_id, revision.embedded_texts(), basis.generation)
        embedded = Embedded(revision.passages, made)
    length = Counter({len(revision.terms): 1})
    change = Patch(
        memory_id=memory_id,
        number=current.revision + 1,
        revision=revision,
        weights=revision.weights(average_length(length, memories=basis.memories, terms=basis.terms)),
        embedded=embedded,
        vector_pending=current.vector_pending and embedded is None,
        changes=patches.changes_json(changes),
    )
    operation = ask.operation(means.new_id(), "update", recorded_at)

    async def work(connection: Connection) -> bytes:
        written = await writing.patch(connection, operation, basis.generation.number, change, means.new_id)
        return respond(written, operation.operation_id).SerializeToString(deterministic=True)

    done = await means.once(ask, recorded_at, work)
    if done.is_first:
        means.statistics.add(ask.tenant_id, [revision], replaced=[derive(current.draft)])
        means.upkeep.note(ask.tenant_id, 1)
    return done.answer
