"""Whole writes: new memories, and a patch of one, with all that hangs on them, in one transaction.

Rules: all or nothing; nothing here waits for a model. A plan is checked again: a memory that was there when the write
was planned and is gone now, or a revision that has moved on, makes the plan stale, and the caller plans anew.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from shared.domain.revision import Revision
from shared.domain.types import Draft
from shared.store.pool import Connection
from shared.store.writes import (
    assertions,
    endings,
    events,
    fading,
    ledger,
    lexical,
    memories,
    pending,
    staging,
    storage,
    vectors,
)
from shared.store.writes.events import Event, Operation
from shared.store.writes.memories import Written
from shared.store.writes.vectors import Embedded


class StalePlan(Exception):
    """What the write was planned on has changed since."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A memory to be written.

    `known` expects an identical memory to be there; else it is written, with its vectors or waiting for them.
    """

    memory_id: UUID
    revision: Revision
    weights: Mapping[int, float]
    embedded: Embedded | None
    known: bool = False


@dataclass(frozen=True, slots=True)
class Patch:
    """The next revision of a memory. Without `embedded` the vectors stay as they are."""

    memory_id: UUID
    number: int
    revision: Revision
    weights: Mapping[int, float]
    embedded: Embedded | None
    vector_pending: bool
    changes: str


async def create(
    connection: Connection,
    operation: Operation,
    generation: int,
    entries: Sequence[Entry],
    new_id: Callable[[], UUID],
    *,
    is_staged: bool = False,
    derive: Callable[[Draft], Revision] | None = None,
) -> list[Written]:
    """Write memories of distinct identities and return where each stands, in the order given.

    Staged vectors wait for the index; a job must be asked for in the same transaction. With `derive`, what a sweep
    forgot and is written again comes back instead of standing there twice.

    Raises: StalePlan when a known one is gone; FailedPrecondition STORAGE_QUOTA_EXCEEDED.
    """
    tenant_id, at = operation.tenant_id, operation.recorded_at
    revived = await _revived(connection, operation, entries, derive, new_id) if derive else frozenset[UUID]()
    fresh = [entry for entry in entries if not entry.known]
    rows = [(entry.memory_id, entry.embedded is None, entry.revision) for entry in fresh]
    inserted = await memories.insert(connection, operation, rows) if rows else frozenset[UUID]()
    made = [entry for entry in fresh if entry.memory_id in inserted]
    found: dict[bytes, Written] = {}
    if len(made) < len(entries):
        hashes = [entry.revision.identity_hash for entry in entries if entry.memory_id not in inserted]
        found = await memories.open_by_identity(connection, tenant_id, hashes)
        if len(found) < len(hashes):
            raise StalePlan
    if made:
        revisions = [(entry.memory_id, entry.revision) for entry in made]
        embedded = [(entry.memory_id, entry.embedded) for entry in made if entry.embedded is not None]
        insert = staging.insert if is_staged else vectors.insert
        await insert(connection, tenant_id, generation, embedded)
        weighed = ((entry.memory_id, entry.weights, len(entry.revision.terms)) for entry in made)
        await lexical.insert(connection, tenant_id, weighed)
        await memories.insert_tags(connection, tenant_id, revisions)
        await assertions.insert(connection, operation, revisions)
        await ledger.insert(connection, operation, revisions)
        waiting = [entry.memory_id for entry in made if entry.embedded is None]
        await pending.insert(connection, tenant_id, waiting, at)
        await fading.refresh(connection, tenant_id, [entry.memory_id for entry in made])
        noted = [Event(new_id(), entry.memory_id, 1, "{}") for entry in made]
        await (events.insert_events if revived else events.insert)(connection, operation, "created", noted)
        size_bytes = storage.size_of(entry.revision.draft for entry in made)
        await storage.add(connection, tenant_id, len(made), size_bytes)  # last: others may wait for its row
    return [
        Written(entry.memory_id, 1, False, entry.embedded is None, at)
        if entry.memory_id in inserted
        else _found(found[entry.revision.identity_hash], revived)
        for entry in entries
    ]


async def _revived(
    connection: Connection,
    operation: Operation,
    entries: Sequence[Entry],
    derive: Callable[[Draft], Revision],
    new_id: Callable[[], UUID],
) -> frozenset[UUID]:
    """Restore what had faded and is said again."""
    identities = [entry.revision.identity_hash for entry in entries if not entry.known]
    faded = await fading.faded(connection, operation.tenant_id, identities) if identities else {}
    if faded:
        await events.insert_operation(connection, operation)
        await endings.restore(connection, operation, sorted(faded.values()), derive, new_id)
    return frozenset(faded.values())


def _found(written: Written, revived: frozenset[UUID]) -> Written:
    return replace(written, revived=True) if written.memory_id in revived else written


async def patch(
    connection: Connection, operation: Operation, generation: int, change: Patch, new_id: Callable[[], UUID]
) -> Written:
    """Write the next revision of a memory.

    Raises: NotFound, FailedPrecondition MEMORY_ENDED, STORAGE_QUOTA_EXCEEDED, Conflict MEMORY_IDENTICAL; StalePlan when
    its revision moved on.
    """
    tenant_id, memory_id, former = operation.tenant_id, change.memory_id, change.number - 1
    if await memories.lock_active(connection, tenant_id, memory_id) != former:
        raise StalePlan
    await memories.replace(connection, operation, memory_id, change.revision, vector_pending=change.vector_pending)
    length = len(change.revision.terms)
    await lexical.replace(connection, tenant_id, memory_id, former, change.weights, length)
    await vectors.replace(connection, tenant_id, memory_id, former, generation, change.embedded)
    if change.embedded is not None:
        await pending.delete(connection, tenant_id, [memory_id])
    await assertions.replace(connection, operation, memory_id, change.number, change.revision)
    await ledger.refresh(connection, operation, [memory_id])
    await fading.refresh(connection, tenant_id, [memory_id])
    noted = [Event(new_id(), memory_id, change.number, change.changes)]
    await events.insert(connection, operation, "updated", noted)
    await storage.add(connection, tenant_id, 0, storage.size_of([change.revision.draft]))
    return Written(memory_id, change.number, False, change.vector_pending, operation.recorded_at)
