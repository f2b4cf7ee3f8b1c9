"""How memories end and how they come back, with all that hangs on them: the only place that does either.

Rules: an end says which of the distinct ends it is. What recall reads of live memories moves into the histories: terms,
and vectors of every generation; tags and references go, open assertions and its entries in
the ledger end with the memory. A restored memory has all
of it again as it was, save what other writes have ended meanwhile, and begins to fade anew. Memories are locked in the
order of their ids. The events belong to the caller's operation, which the caller keeps.
It does not decide what ends, nor why.
Source: DESIGN 4; REQUIREMENTS A8.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import dumps
from uuid import UUID

import asyncpg

from shared.domain.errors import Conflict, FailedPrecondition, NotFound
from shared.domain.revision import Revision
from shared.domain.types import Draft, Guard, MemoryState
from shared.store.pool import Connection
from shared.store.statements import for_generation, load
from shared.store.writes import assertions, events, fading, ledger, plans
from shared.store.writes.events import Event, Operation
from shared.store.writes.memories import check_active
from shared.store.writes.plans import draft_of

_SQL = load("writes/endings")


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of one memory. `valid_to` closes its valid time; None leaves that as it is."""

    memory_id: UUID
    state: MemoryState
    reason: str
    superseded_by: UUID | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Locked:
    """A memory that this transaction has locked, in its current revision."""

    memory_id: UUID
    revision: int
    state: MemoryState
    ended_at: datetime | None
    superseded_by: UUID | None
    recorded_at: datetime
    draft: Draft


async def lock(connection: Connection, tenant_id: UUID, memory_ids: Sequence[UUID]) -> dict[UUID, Locked]:
    """Lock memories until the transaction ends; those that are not there are left out."""
    rows = await connection.fetch(_SQL["lock"], tenant_id, memory_ids)
    return {
        row["memory_id"]: Locked(
            row["memory_id"],
            row["revision"],
            MemoryState(row["state"]),
            row["ended_at"],
            row["superseded_by"],
            row["recorded_at"],
            draft_of(row),
        )
        for row in rows
    }


async def end(
    connection: Connection, operation: Operation, endings: Sequence[Ending], new_id: Callable[[], UUID]
) -> list[Locked]:
    """End active memories and return them as they were, in the order given.

    Raises: NotFound MEMORY_NOT_FOUND, FailedPrecondition MEMORY_ENDED.
    """
    tenant_id = operation.tenant_id
    ids = [ending.memory_id for ending in endings]
    found = await lock(connection, tenant_id, ids)
    for memory_id in ids:
        check_active(found[memory_id].state if memory_id in found else None, memory_id)
    columns = zip(*((e.memory_id, e.state, e.reason, e.superseded_by, e.valid_to) for e in endings), strict=True)
    await connection.execute(_SQL["end"], tenant_id, operation.recorded_at, *columns)
    for name in ("end_assertions", "delete_tags", "delete_references", "delete_pending", "end_terms"):
        await connection.execute(_SQL[name], tenant_id, ids)
    for generation in await _generations(connection):
        for name in ("end_vectors", "delete_vectors", "delete_staged"):
            await connection.execute(for_generation(_SQL[name], generation), tenant_id, ids)
    await ledger.refresh(connection, operation, ids)
    await fading.clear(connection, tenant_id, ids)
    noted = [Event(new_id(), e.memory_id, found[e.memory_id].revision, _ended(e)) for e in endings]
    await events.insert_events(connection, operation, "ended", noted)
    return [found[memory_id] for memory_id in ids]


async def restore(
    connection: Connection,
    operation: Operation,
    memory_ids: Sequence[UUID],
    derive: Callable[[Draft], Revision],
    new_id: Callable[[], UUID],
) -> list[Revision]:
    """Believe ended memories again and return their revisions, in the order given.

    Raises: NotFound MEMORY_NOT_FOUND; FailedPrecondition MEMORY_ACTIVE, MEMORY_ERASED; Conflict MEMORY_IDENTICAL when
    another open memory says the same by now.
    """
    tenant_id = operation.tenant_id
    found = await lock(connection, tenant_id, memory_ids)
    for memory_id in memory_ids:
        _check_ended(found, memory_id)
    revisions = {memory_id: derive(found[memory_id].draft) for memory_id in memory_ids}
    try:
        await connection.execute(_SQL["restore"], tenant_id, memory_ids)
    except asyncpg.UniqueViolationError as error:
        raise Conflict("MEMORY_IDENTICAL", "another open memory says the same by now") from error
    for memory_id, revision in revisions.items():
        was, attributes = found[memory_id], [claim.attribute for claim in revision.claims]
        values = (tenant_id, memory_id, was.ended_at, was.state, attributes)
        await connection.execute(_SQL["restore_assertions"], *values)
    await assertions.insert_references(connection, tenant_id, list(revisions.items()))
    await ledger.refresh(connection, operation, memory_ids)
    for name in ("restore_tags", "restore_terms"):
        await connection.execute(_SQL[name], tenant_id, memory_ids)
    for generation in await _generations(connection):
        await connection.execute(for_generation(_SQL["restore_vectors"], generation), tenant_id, memory_ids)
    current = (await plans.generation(connection)).number
    statement = for_generation(_SQL["without_vectors"], current)
    waiting = [row["memory_id"] for row in await connection.fetch(statement, tenant_id, memory_ids)]
    await connection.execute(_SQL["mark_pending"], tenant_id, memory_ids, waiting)
    await connection.execute(_SQL["wait"], tenant_id, waiting, operation.recorded_at)
    await fading.begin_anew(connection, tenant_id, memory_ids, operation.recorded_at)
    noted = [Event(new_id(), i, found[i].revision, _restored(found[i])) for i in memory_ids]
    await events.insert_events(connection, operation, "restored", noted)
    return [revisions[memory_id] for memory_id in memory_ids]


async def relink(
    connection: Connection, operation: Operation, endings: Sequence[Ending], new_id: Callable[[], UUID]
) -> None:
    """Let ended memories be superseded by others than was known when they ended; all else of them stays.

    Raises: FailedPrecondition MEMORY_ACTIVE, MEMORY_ERASED; NotFound MEMORY_NOT_FOUND.
    """
    tenant_id = operation.tenant_id
    ids = [ending.memory_id for ending in endings]
    found = await lock(connection, tenant_id, ids)
    for memory_id in ids:
        _check_ended(found, memory_id)
    columns = zip(*((e.memory_id, e.reason, e.superseded_by, e.valid_to) for e in endings), strict=True)
    await connection.execute(_SQL["relink"], tenant_id, *columns)
    await connection.execute(_SQL["relink_assertions"], tenant_id, ids)
    noted = [Event(new_id(), e.memory_id, found[e.memory_id].revision, _ended(e, found[e.memory_id])) for e in endings]
    await events.insert_events(connection, operation, "ended", noted)


async def link_back(connection: Connection, operation: Operation, undone_id: UUID, new_id: Callable[[], UUID]) -> None:
    """Let what an operation has relinked, and nothing has touched since, stand as it did before."""
    rows = await connection.fetch(_SQL["link_back"], operation.tenant_id, undone_id)
    await connection.execute(_SQL["link_back_assertions"], operation.tenant_id, [row["memory_id"] for row in rows])
    noted = []
    for row in rows:
        by = None if row["superseded_by"] is None else str(row["superseded_by"])
        changes = {
            "state": {"before": MemoryState.SUPERSEDED, "after": row["state"]},
            "superseded_by": {"before": row["was_superseded_by"], "after": by},
        }
        noted.append(Event(new_id(), row["memory_id"], row["revision"], dumps(changes)))
    await events.insert_events(connection, operation, "ended", noted)


async def protect(
    connection: Connection, operation: Operation, guards: Mapping[UUID, Guard], new_id: Callable[[], UUID]
) -> None:
    """Protect active memories from fading that nothing protected before."""
    rows = await connection.fetch(_SQL["protect"], operation.tenant_id, list(guards), list(guards.values()))
    await fading.refresh(connection, operation.tenant_id, list(guards))
    noted = [
        Event(
            new_id(),
            row["memory_id"],
            row["revision"],
            dumps({"protection": {"before": Guard.NONE, "after": row["protection"]}}),
        )
        for row in rows
    ]
    await events.insert_events(connection, operation, "weighed", noted)


async def weigh(
    connection: Connection,
    operation: Operation,
    memory: Locked,
    importance: float | None,
    new_id: Callable[[], UUID],
) -> None:
    """Give a locked memory the importance that a human decision says; what it says stays the same revision."""
    await connection.execute(_SQL["weigh"], operation.tenant_id, memory.memory_id, importance)
    await fading.refresh(connection, operation.tenant_id, [memory.memory_id])
    changes = dumps({"importance": {"before": memory.draft.importance, "after": importance}})
    noted = [Event(new_id(), memory.memory_id, memory.revision, changes)]
    await events.insert_events(connection, operation, "weighed", noted)


async def _generations(connection: Connection) -> list[int]:
    return [row["generation"] for row in await connection.fetch(load("writes/vectors")["generations"])]


def _check_ended(found: Mapping[UUID, Locked], memory_id: UUID) -> None:
    named = {"memory_id": str(memory_id)}
    if memory_id not in found:
        raise NotFound("MEMORY_NOT_FOUND", "there is no such memory", metadata=named)
    match found[memory_id].state:
        case MemoryState.ACTIVE:
            raise FailedPrecondition("MEMORY_ACTIVE", "the memory has not ended", metadata=named)
        case MemoryState.ERASED:
            raise FailedPrecondition("MEMORY_ERASED", "the memory was erased: nothing is left of it", metadata=named)


def _ended(ending: Ending, was: Locked | None = None) -> str:
    """Return the changes of an end; `was` says how the memory had ended before."""
    before = MemoryState.ACTIVE if was is None else was.state
    former = None if was is None or was.superseded_by is None else str(was.superseded_by)
    changes: dict[str, object] = {"state": {"before": before, "after": ending.state}}
    if ending.superseded_by is not None:
        changes["superseded_by"] = {"before": former, "after": str(ending.superseded_by)}
    return dumps(changes)


def _restored(memory: Locked) -> str:
    changes: dict[str, object] = {"state": {"before": memory.state, "after": MemoryState.ACTIVE}}
    if memory.superseded_by is not None:
        changes["superseded_by"] = {"before": str(memory.superseded_by), "after": None}
    return dumps(changes)
