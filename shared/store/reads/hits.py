"""What is told of the memories that a recall chose.

Rules: each comes with the attributes of its record that are contested and, as of now, with what its salience depends
on. How it was used by an earlier instant is not kept, so as of one there is no salience.
It does not choose.
Source: REQUIREMENTS B5, B8.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg

from shared.domain.salience import Trace
from shared.store.pool import Connection
from shared.store.reads.memories import Memory, memory_of
from shared.store.reads.recall import Candidate, believed_from
from shared.store.reads.scopes import Scope, compose
from shared.store.statements import load

_SQL = load("reads/hits")

CONTESTED_PROBE_LIMIT = 2_000  # assertions of one record that a hit is compared with (chosen, untested)


@dataclass(frozen=True, slots=True)
class Hit:
    """A chosen memory, the attributes of its record on which open assertions differ, what its salience depends on."""

    memory: Memory
    contested: tuple[str, ...]
    trace: Trace | None


async def read(connection: Connection, scope: Scope, chosen: Sequence[Candidate]) -> list[Hit]:
    """Read the chosen memories, in the order given."""
    ids = [candidate.memory_id for candidate in chosen]
    believed_at = believed_from(scope)
    if believed_at is None:
        rows = await connection.fetch(compose(_SQL["chosen"]), scope.tenant_id, ids, CONTESTED_PROBE_LIMIT)
    else:
        revisions = [candidate.revision for candidate in chosen]
        rows = await connection.fetch(compose(_SQL["chosen_believed"]), scope.tenant_id, ids, revisions, believed_at)
    found = {}
    for row in rows:
        memory = memory_of(row, scope.known_at)
        trace = _trace(row, memory) if believed_at is None else None
        found[memory.memory_id] = Hit(memory, tuple(row["contested"]), trace)
    return [found[memory_id] for memory_id in ids]


def _trace(row: asyncpg.Record, memory: Memory) -> Trace:
    used_at = max(memory.recorded_at, row["last_used_at"] or memory.recorded_at)
    recalls = row["recall_count"] or 0
    return Trace(memory.memory_type, used_at, recalls, memory.importance, row["scored_importance"])
