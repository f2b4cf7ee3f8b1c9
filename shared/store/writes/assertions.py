"""What memories assert of records, and which records they refer to.

Rules: assertions are never deleted. A patch leaves open what it does not change; what it changes or drops ends as
superseded, and what it says anew begins with its revision. What a decision has ended stays ended until its writer says
something else. References are those of the current revision only.
"""

from collections.abc import Iterable, Sequence
from typing import Any
from uuid import UUID

from shared.domain.revision import Revision
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes.events import Operation

_SQL = load("writes/assertions")
SUPERSEDED = "superseded"


async def insert(connection: Connection, operation: Operation, rows: Sequence[tuple[UUID, Revision]]) -> None:
    """Insert the assertions and references of new memories."""
    made = [(memory_id, 1, *row) for memory_id, revision in rows for row in _rows(revision).values()]
    await _insert(connection, operation, made)
    await insert_references(connection, operation.tenant_id, rows)


async def replace(
    connection: Connection, operation: Operation, memory_id: UUID, number: int, revision: Revision
) -> None:
    """Bring the assertions and references of a memory to its revision of the given number."""
    tenant_id = operation.tenant_id
    before, is_open = {}, set()
    for row in await connection.fetch(_SQL["last"], tenant_id, memory_id):
        before[row["attribute"]] = tuple(row)[:-1]
        if row["is_open"]:
            is_open.add(row["attribute"])
    after = _rows(revision)
    ended = [attribute for attribute in before if attribute in is_open and after.get(attribute) != before[attribute]]
    if ended:
        values = (tenant_id, memory_id, operation.recorded_at, SUPERSEDED, ended)
        await connection.execute(_SQL["end"], *values)
    made = [(memory_id, number, *row) for attribute, row in after.items() if before.get(attribute) != row]
    await _insert(connection, operation, made)
    await connection.execute(_SQL["delete_references"], tenant_id, memory_id)
    await insert_references(connection, tenant_id, [(memory_id, revision)])


def _rows(revision: Revision) -> dict[str, tuple[Any, ...]]:
    """Return what a revision asserts, by attribute, in the order of the statements' columns."""
    draft = revision.draft
    record = (revision.company_key, revision.record_key, draft.kind.value, revision.counterparty_key, draft.period)
    valid = (draft.observed_at, draft.expires_at)
    return {
        claim.attribute: (
            *(*record, *valid, claim.attribute, claim.raw, claim.canonical, claim.value_type.value),
            *(claim.number, claim.currency, claim.unit),
        )
        for claim in revision.claims
    }


async def _insert(connection: Connection, operation: Operation, rows: Iterable[tuple[Any, ...]]) -> None:
    columns = list(zip(*rows, strict=True))
    if columns:
        ids = [operation.of(memory_id) for memory_id in columns[0]]
        values = (operation.tenant_id, ids, operation.recorded_at, *columns)
        await connection.execute(_SQL["insert"], *values)


async def insert_references(connection: Connection, tenant_id: UUID, rows: Sequence[tuple[UUID, Revision]]) -> None:
    """Insert the references of memories."""
    made = [
        (memory_id, revision.company_key, key, target, key in revision.dependencies)
        for memory_id, revision in rows
        for key, target in revision.references
    ]
    if made:
        await connection.execute(_SQL["insert_references"], tenant_id, *zip(*made, strict=True))
