"""Taking the reading of a turn back: what it wrote ends as incorrect, what it ended is believed again.

Rules: a fact goes that the reading wrote, that is as it was, and that no other turn is spoken for by; what the reading
revived is forgotten again. Then what it ended comes back, the turn among it, and what it only let follow others stands
as before. Anything that was written to since stays, and is named. The turn is not read again; uses that were counted
stay counted. It does not know who asks.
Source: REQUIREMENTS A8, D3.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from uuid import UUID

from shared.domain.revision import Revision
from shared.domain.types import Draft, MemoryState
from shared.store.pool import Connection
from shared.store.writes import endings, enrichment, events, forgetting
from shared.store.writes.endings import Ending
from shared.store.writes.events import Operation

REASON = "reading undone"


@dataclass(frozen=True, slots=True)
class Unread:
    """What came back, what ended and what stays; and that for the statistics of terms."""

    back: list[UUID] = field(default_factory=list)
    gone: list[UUID] = field(default_factory=list)
    stay: list[UUID] = field(default_factory=list)
    revived: list[Revision] = field(default_factory=list)
    ended: list[Draft] = field(default_factory=list)


async def unread(
    connection: Connection,
    operation: Operation,
    undone_id: UUID,
    derive: Callable[[Draft], Revision],
    new_id: Callable[[], UUID],
) -> Unread:
    """Undo an operation that wrote the facts of a turn."""
    tenant_id = operation.tenant_id
    await enrichment.serialise(connection, tenant_id)
    done = await enrichment.done_by(connection, tenant_id, undone_id)
    await events.insert_operation(connection, operation)
    if done.past:
        await endings.restore(connection, operation, done.past, derive, new_id)
    reason = operation.reason or REASON
    ending = [Ending(one, MemoryState.INCORRECT, reason) for one in (*done.written, *done.past)]
    ending += [Ending(one, MemoryState.FORGOTTEN, reason) for one in done.revived]
    ended = await endings.end(connection, operation, ending, new_id) if ending else []
    back, stay = await forgetting.ended_by(connection, tenant_id, undone_id)
    revived = await endings.restore(connection, operation, back, derive, new_id) if back else []
    await endings.link_back(connection, operation, undone_id, new_id)
    gone = [one.memory_id for one in ending]
    was_live = {*done.written, *done.revived}
    drafts = [memory.draft for memory in ended if memory.memory_id in was_live]
    return Unread(back, gone, [*done.stay, *stay], revived, drafts)
