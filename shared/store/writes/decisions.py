"""Decisions and what they do to assertions.

Rules: decisions of one tenant run one after the other. What a decision changes is kept as it was, so that it can be put
back row by row; a decision that another rests on, or whose assertions others have changed since, is not undone. It does
not know who wins: the domain does.
Source: REQUIREMENTS C9.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from json import dumps, loads
from typing import Any
from uuid import UUID

from shared.domain.decision import DECIDED_IMPORTANCE, Action
from shared.domain.errors import Conflict, FailedPrecondition, NotFound
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes import ledger
from shared.store.writes.events import Operation

_SQL = load("writes/decisions")

SELECTED, TARGET, CORRECTION = "selected", "target", "correction"


@dataclass(frozen=True, slots=True)
class Group:
    """One attribute of one record."""

    company_key: str
    record_key: str
    attribute: str

    @property
    def key(self) -> tuple[str, str, str]:
        """The key as the index has it."""
        return self.company_key, self.record_key, self.attribute


@dataclass(frozen=True, slots=True)
class NewDecision:
    """A decision to be kept. Without a group it is about whole memories."""

    decision_id: str
    action: Action
    finding_id: str | None
    selected: UUID | None
    memories: Mapping[UUID, str]
    effect: Mapping[str, Any]
    company: str | None = None
    subject: str | None = None
    group: Group | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """A decision as it was kept."""

    decision_id: str
    number: int
    action: Action
    finding_id: str | None
    group: Group | None
    selected: UUID | None
    memories: Mapping[UUID, str]
    effect: Mapping[str, Any]
    recorded_at: datetime

    def of_role(self, role: str) -> list[UUID]:
        """Return the memories of one role, sorted."""
        return sorted(memory_id for memory_id, own in self.memories.items() if own == role)


async def serialise(connection: Connection, tenant_id: UUID) -> None:
    """Wait until no other decision of the tenant is being taken, and let none be until the transaction ends."""
    await connection.execute(_SQL["serialise"], tenant_id)


async def carriers(connection: Connection, tenant_id: UUID, group: Group) -> list[UUID]:
    """Name the memories that assert an attribute of a record now, sorted."""
    rows = await connection.fetch(_SQL["carriers"], tenant_id, *group.key)
    return sorted(row["memory_id"] for row in rows)


async def insert(connection: Connection, operation: Operation, decision: NewDecision) -> int:
    """Keep a decision and return its number.

    Raises: Conflict DECISION_ID_REUSED.
    """
    o, group = operation, decision.group
    number = await connection.fetchval(
        _SQL["insert"],
        *(o.tenant_id, decision.decision_id, decision.action, decision.finding_id),
        *(decision.company, group and group.company_key, decision.subject, group and group.record_key),
        *(group and group.attribute, decision.selected, dumps(decision.effect)),
        *(o.operation_id, o.actor, o.reason, o.recorded_at),
    )
    if number is None:
        named = {"decision_id": decision.decision_id}
        raise Conflict("DECISION_ID_REUSED", "another decision has this id", metadata=named)
    ids, roles = list(decision.memories), list(decision.memories.values())
    await connection.execute(_SQL["insert_memories"], o.tenant_id, decision.decision_id, ids, roles)
    return int(number)


async def settle(
    connection: Connection,
    operation: Operation,
    decision_id: str,
    group: Group,
    *,
    selected: UUID,
    losers: Sequence[UUID],
) -> None:
    """End what the losers assert of an attribute and confirm what the selected memory does."""
    of = (operation.tenant_id, *group.key)
    for ids, ended in ((losers, True), ([selected], False)):
        await connection.execute(_SQL["keep_assertions"], *of, ids, decision_id, ended)
    await connection.execute(_SQL["end_assertions"], *of, losers, decision_id, operation.recorded_at)
    values = (decision_id, operation.recorded_at, DECIDED_IMPORTANCE)
    await connection.execute(_SQL["confirm_assertions"], *of, [selected], *values)
    await ledger.refresh(connection, operation, [selected, *losers])


async def undoable(connection: Connection, tenant_id: UUID, decision_id: str) -> Kept:
    """Read a decision that is to be undone, locked.

    Raises: NotFound DECISION_NOT_FOUND; FailedPrecondition DECISION_UNDONE; Conflict DECISION_DEPENDED_ON.
    """
    named = {"decision_id": decision_id}
    row = await connection.fetchrow(_SQL["find"], tenant_id, decision_id)
    if row is None:
        raise NotFound("DECISION_NOT_FOUND", "there is no such decision", metadata=named)
    if row["undone_at"] is not None:
        raise FailedPrecondition("DECISION_UNDONE", "the decision was undone before", metadata=named)
    later = await connection.fetchval(_SQL["later"], tenant_id, decision_id)
    if later is not None:
        metadata = {**named, "later_decision_id": later}
        raise Conflict("DECISION_DEPENDED_ON", f"decision {later} rests on it: undo that first", metadata=metadata)
    memories = await connection.fetch(_SQL["memories"], tenant_id, decision_id)
    has_group = row["attribute"] is not None
    return Kept(
        decision_id=decision_id,
        number=row["number"],
        action=Action(row["action"]),
        finding_id=row["finding_id"],
        group=Group(row["company_key"], row["record_key"], row["attribute"]) if has_group else None,
        selected=row["selected_memory_id"],
        memories={memory["memory_id"]: memory["role"] for memory in memories},
        effect=loads(row["effect"]),
        recorded_at=row["recorded_at"],
    )


async def put_back(connection: Connection, operation: Operation, kept: Kept) -> None:
    """Put the assertions of a decision back as they were.

    Raises: Conflict UNDO_IMPOSSIBLE.
    """
    tenant_id = operation.tenant_id
    changed = await connection.fetchval(_SQL["changed_since"], tenant_id, kept.decision_id)
    if changed is not None:
        raise undo_impossible(kept.decision_id, changed)
    await connection.execute(_SQL["put_back"], tenant_id, kept.decision_id)
    await ledger.refresh(connection, operation, sorted(kept.memories))


async def mark_undone(connection: Connection, operation: Operation, decision_id: str) -> None:
    """Say that a decision was undone by an operation."""
    o = operation
    values = (o.tenant_id, decision_id, o.recorded_at, o.actor, o.reason, o.operation_id)
    await connection.execute(_SQL["mark_undone"], *values)


def undo_impossible(decision_id: str, memory_id: UUID) -> Conflict:
    """Return the error for a decision about a memory that others have changed since."""
    return Conflict(
        "UNDO_IMPOSSIBLE",
        f"memory {memory_id} has changed since in what was decided about it",
        metadata={"decision_id": decision_id, "memory_id": str(memory_id)},
    )
