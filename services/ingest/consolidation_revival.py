"""Taking a digest back: what was merged into it is believed again.

Rules: only what still is merged into it comes back, and nothing that another memory says by now. A digest that has
ended otherwise, superseded or forgotten, takes its sources with it: they say the same. It does not know who asks.
Source: REQUIREMENTS A8, D4.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from shared.domain.revision import Revision
from shared.domain.types import Draft, MemoryState
from shared.store.pool import Connection
from shared.store.writes import consolidation, endings, events
from shared.store.writes.endings import Ending
from shared.store.writes.events import Operation

REASON = "taken apart"


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """What came back and what stays as it is; the digest that ended."""

    back: list[UUID] = field(default_factory=list)
    stay: list[UUID] = field(default_factory=list)
    revived: list[Revision] = field(default_factory=list)
    ended: list[Draft] = field(default_factory=list)


async def revive(
    connection: Connection,
    operation: Operation,
    digest_id: UUID,
    derive: Callable[[Draft], Revision],
    new_id: Callable[[], UUID],
) -> Withdrawn:
    """Believe again what was merged into a digest that this operation has ended; of any other memory nothing was."""
    back, stay = await consolidation.merged_into(connection, operation.tenant_id, digest_id)
    revived = await endings.restore(connection, operation, back, derive, new_id) if back else []
    return Withdrawn(back, stay, revived)


async def withdraw(
    connection: Connection,
    operation: Operation,
    undone_id: UUID,
    derive: Callable[[Draft], Revision],
    new_id: Callable[[], UUID],
) -> Withdrawn:
    """Undo an operation that wrote a digest: end the digest, if it is active, and believe its sources again."""
    tenant_id = operation.tenant_id
    await consolidation.serialise(connection, tenant_id)
    digest_id, ids = await consolidation.digest_of(connection, tenant_id, undone_id)
    if digest_id is None:
        return Withdrawn(stay=ids)
    await events.insert_operation(connection, operation)
    ending = Ending(digest_id, MemoryState.INCORRECT, operation.reason or REASON)
    ended = await endings.end(connection, operation, [ending], new_id)
    found = await revive(connection, operation, digest_id, derive, new_id)
    stay = [one for one in ids if one not in found.back]
    return Withdrawn(found.back, stay, found.revived, [memory.draft for memory in ended])
