"""Findings with a life: recorded when an audit is asked to, moved by people, resolved when they are gone.

Rules: a finding is open until somebody acknowledges it or it is resolved; it is open again when it is seen after it was
resolved, or when its set of values has changed. What an audit saw before a later audit or a decision does not undo
that. It does not know how findings are found; `detail` is the finding's message, unread.
Source: REQUIREMENTS C8.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.domain.errors import NotFound
from shared.domain.findings import FindingKind, FindingState
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes import fading
from shared.store.writes.events import Operation

_SQL = load("writes/findings")


@dataclass(frozen=True, slots=True)
class Seen:
    """A finding as an audit sees it."""

    finding_id: str
    kind: FindingKind
    company: str | None
    company_key: str
    subject: str | None
    attribute: str | None
    values_hash: bytes
    detail: bytes
    memory_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What recording came to, in numbers of findings."""

    opened: int = 0
    reopened: int = 0


async def record(connection: Connection, tenant_id: UUID, found: Sequence[Seen], seen_at: datetime) -> Recorded:
    """Record findings of distinct ids, as seen at an instant."""
    if not found:
        return Recorded()
    ids = [one.finding_id for one in found]
    before = {row["finding_id"] for row in await connection.fetch(_SQL["lock"], tenant_id, ids)}
    hashes = [one.values_hash for one in found]
    reopened = await connection.fetch(_SQL["reopen"], tenant_id, seen_at, ids, hashes)
    columns = zip(
        *(
            (f.finding_id, f.kind, f.company, f.company_key, f.subject, f.attribute, f.values_hash, f.detail)
            for f in found
        ),
        strict=True,
    )
    written = {row["finding_id"] for row in await connection.fetch(_SQL["record"], tenant_id, seen_at, *columns)}
    pairs = [(one.finding_id, memory_id) for one in found if one.finding_id in written for memory_id in one.memory_ids]
    of = ([finding_id for finding_id, _ in pairs], [memory_id for _, memory_id in pairs])
    await connection.execute(_SQL["delete_memories"], tenant_id, sorted(written), *of)
    await connection.execute(_SQL["insert_memories"], tenant_id, *of)
    await _date(connection, tenant_id, ids)
    return Recorded(opened=len(written - before), reopened=len(reopened))


async def resolve_unseen(
    connection: Connection, tenant_id: UUID, kinds: Collection[FindingKind], seen_at: datetime
) -> int:
    """Resolve what an audit of the whole tenant as of an instant did not see; return how many."""
    resolved = await connection.fetch(_SQL["resolve_unseen"], tenant_id, seen_at, list(kinds))
    await _date(connection, tenant_id, [row["finding_id"] for row in resolved])
    return len(resolved)


async def note_unjudged(connection: Connection, tenant_id: UUID, finding_ids: Sequence[str], met_at: datetime) -> None:
    """Note which findings an audit could say nothing about; those that are not recorded are passed over."""
    if finding_ids:
        await connection.execute(_SQL["note_unjudged"], tenant_id, met_at, finding_ids)


async def resolve_unmet(connection: Connection, tenant_id: UUID, began_at: datetime, ended_at: datetime) -> int:
    """Resolve what an audit of meaning of the whole tenant, begun and ended then, has not met; return how many."""
    resolved = await connection.fetch(_SQL["resolve_unmet"], tenant_id, began_at, ended_at)
    await _date(connection, tenant_id, [row["finding_id"] for row in resolved])
    return len(resolved)


async def state_of(connection: Connection, tenant_id: UUID, finding_id: str) -> FindingState | None:
    """Read where a finding stands and lock it; None when it was never recorded."""
    row = await connection.fetchrow(_SQL["lock"], tenant_id, [finding_id])
    return FindingState(row["state"]) if row else None


async def move(
    connection: Connection,
    operation: Operation,
    finding_id: str,
    state: FindingState,
    *,
    decision_id: str | None = None,
) -> None:
    """Put a recorded finding into a state.

    Raises: NotFound FINDING_NOT_FOUND.
    """
    o = operation
    values = (o.tenant_id, finding_id, state, o.recorded_at, o.actor, o.reason, decision_id)
    if await connection.execute(_SQL["move"], *values) == "UPDATE 0":
        raise NotFound("FINDING_NOT_FOUND", "there is no such finding", metadata={"finding_id": finding_id})
    await _date(connection, o.tenant_id, [finding_id])


async def move_back(
    connection: Connection, operation: Operation, finding_id: str, decision_id: str, state: FindingState
) -> None:
    """Put a finding back into the state before a decision, unless it has moved on since."""
    o = operation
    await connection.execute(_SQL["move_back"], o.tenant_id, finding_id, decision_id, state, o.recorded_at, o.actor)
    await _date(connection, o.tenant_id, [finding_id])


async def _date(connection: Connection, tenant_id: UUID, finding_ids: Sequence[str]) -> None:
    """Date the memories of findings anew: what is part of one that is not resolved does not fade."""
    found = await connection.fetch(_SQL["memories"], tenant_id, finding_ids) if finding_ids else []
    await fading.refresh(connection, tenant_id, [row["memory_id"] for row in found])
