"""Lines of an archive, written as they are, and what follows from the text of memories made anew.

Rules: a row says what its line says. Terms, vectors, tags and references are those of the revision that the text gives
here. That a memory was imported is an event of its own, which no export tells.
It does not know how lines are read.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from json import dumps
from uuid import UUID

import asyncpg

from shared.domain.archive import Record
from shared.domain.errors import Conflict, InvalidArgument
from shared.domain.revision import Revision
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes import assertions, events, fading, lexical, storage, vectors
from shared.store.writes.events import Event, Operation
from shared.store.writes.vectors import Embedded

_SQL = load("writes/archive")
PARTS = (
    "setting", "event", "assertion", "use", "entry", "operation", "decision", "decision_memory", "decision_assertion",
    "finding", "finding_memory",
)  # fmt: skip
"""What is written as it is, beside memories."""
ACTION = "import-tenant"  # of the operation; exports leave it out by this name
EVENT = "imported"


@dataclass(frozen=True, slots=True)
class Kept:
    """A line of the part memory, with what follows from its text; nothing where it was erased."""

    record: Record
    revision: Revision | None
    weights: Mapping[int, float]
    embedded: Embedded | None

    @property
    def memory_id(self) -> UUID:
        """Its memory."""
        memory_id: UUID = self.record["memory_id"]
        return memory_id

    @property
    def is_live(self) -> bool:
        """Whether recall finds it."""
        return self.record["current"] and "ended_at" not in self.record


async def is_empty(connection: Connection, tenant_id: UUID) -> bool:
    """Return whether a tenant may take an archive; whoever else asks waits until the transaction ends."""
    return bool(await connection.fetchval(_SQL["is_empty"], tenant_id))


async def settle(connection: Connection, tenant_id: UUID, import_id: str) -> None:
    """Note that an import has come to its end."""
    await connection.execute(_SQL["settle"], tenant_id, import_id)


async def write(
    connection: Connection,
    operation: Operation,
    generation: int,
    memories: Sequence[Kept],
    others: Mapping[str, Sequence[Record]],
    new_id: Callable[[], UUID],
) -> None:
    """Write lines: memories, and records by their part.

    Raises: Conflict ARCHIVE_CLASH; InvalidArgument ARCHIVE_REFUSED for what the tables do not take; FailedPrecondition
    STORAGE_QUOTA_EXCEEDED.
    """
    tenant_id = operation.tenant_id
    try:
        if memories:
            await _memories(connection, operation, generation, memories, new_id)
        for part in PARTS:
            if records := others.get(part):
                await connection.execute(_SQL[part], tenant_id, dumps(records, default=str))
    except asyncpg.UniqueViolationError as error:
        told = "something that the archive holds is there already: written meanwhile, or twice in the archive"
        raise Conflict("ARCHIVE_CLASH", told, metadata={"table": error.table_name or ""}) from error
    except (asyncpg.DataError, asyncpg.ProgramLimitExceededError, asyncpg.IntegrityConstraintViolationError) as error:
        where = {"table": error.table_name or "", "column": error.column_name or ""}
        told = f"the tables do not take it: {type(error).__name__}"
        raise InvalidArgument("ARCHIVE_REFUSED", told, metadata=where) from error
    touched = [kept.memory_id for kept in memories if kept.is_live]
    touched += [record["memory_id"] for part in ("use", "finding_memory") for record in others.get(part, ())]
    await fading.refresh(connection, tenant_id, sorted(set(touched)))
    kept_here = [kept for kept in memories if kept.revision]
    if kept_here:
        size_bytes = storage.size_of(kept.revision.draft for kept in kept_here if kept.revision)
        await storage.add(connection, tenant_id, sum(kept.record["current"] for kept in kept_here), size_bytes)


async def _memories(
    connection: Connection, operation: Operation, generation: int, memories: Sequence[Kept], new_id: Callable[[], UUID]
) -> None:
    tenant_id = operation.tenant_id
    current = [kept for kept in memories if kept.record["current"]]
    past = [kept for kept in memories if not kept.record["current"]]
    for name, rows in (("memory", current), ("revision", past)):
        if rows:
            await connection.execute(_SQL[name], tenant_id, dumps([_row(kept) for kept in rows], default=str))
    live = [(kept.memory_id, kept.revision, kept) for kept in current if kept.is_live and kept.revision]
    ended = [(kept.memory_id, kept.record["revision"], kept) for kept in memories if not kept.is_live and kept.revision]
    await connection.execute(_SQL["tag"], tenant_id, [memory_id for memory_id, _, _ in live])
    await assertions.insert_references(connection, tenant_id, [(memory_id, one) for memory_id, one, _ in live])
    await lexical.insert(connection, tenant_id, [(i, kept.weights, len(one.terms)) for i, one, kept in live])
    histories = [(i, number, kept.weights, len(kept.revision.terms)) for i, number, kept in ended if kept.revision]
    await lexical.insert_history(connection, tenant_id, histories)
    embedded = [(i, kept.embedded) for i, _, kept in live if kept.embedded]
    await vectors.insert(connection, tenant_id, generation, embedded)
    former = [(i, number, kept.embedded) for i, number, kept in ended if kept.embedded]
    await vectors.insert_history(connection, tenant_id, generation, former)
    noted = [Event(new_id(), kept.memory_id, kept.record["revision"], "{}") for kept in current]
    await events.insert_events(connection, operation, EVENT, noted)


def _row(kept: Kept) -> Record:
    """Return a record with the columns that follow from it."""
    revision = kept.revision
    if revision is None:
        return {**kept.record, "company_key": "", "content_hash": "", "identity_hash": kept.memory_id.hex}
    draft = revision.draft
    return {
        **kept.record,
        "content": draft.content,
        "company": draft.company,
        "company_key": revision.company_key,
        "period": draft.period,
        "period_start": revision.period_start,
        "period_end": revision.period_end,
        "record": draft.record,
        "record_key": revision.record_key,
        "source_ref": draft.source_ref,
        "counterparty": draft.counterparty,
        "counterparty_key": revision.counterparty_key,
        "speaker": draft.speaker,
        "session": draft.session,
        "refs": draft.references,
        "content_hash": revision.content_hash.hex(),
        "identity_hash": revision.identity_hash.hex(),
    }
