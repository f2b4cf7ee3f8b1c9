"""What only the enrichment of turns writes: its order, and that a turn was read.

Rules: the lock ends with the transaction, and no model is asked meanwhile. What is written of facts goes through
writing.py and endings.py.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from shared.domain.types import MemoryState
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes import events
from shared.store.writes.events import Event, Operation

_SQL = load("writes/enrichment")


@dataclass(frozen=True, slots=True)
class Done:
    """What an operation wrote that stands, or has ended in it; what had faded and it revived; what must stay."""

    written: list[UUID] = field(default_factory=list)
    past: list[UUID] = field(default_factory=list)
    revived: list[UUID] = field(default_factory=list)
    stay: list[UUID] = field(default_factory=list)


async def serialise(connection: Connection, tenant_id: UUID) -> None:
    """Wait until no other turn of the tenant is written to its place, and let none until the transaction ends."""
    await connection.execute(_SQL["serialise"], tenant_id)


async def note(
    connection: Connection,
    operation: Operation,
    told: Sequence[tuple[UUID, int, str]],
    new_id: Callable[[], UUID],
) -> None:
    """Note (memory, revision, what is known of it as JSON) of a turn that was read and of its facts.

    Of the turn it is the sign by which it is not read again.
    """
    noted = [Event(new_id(), memory_id, revision, changes) for memory_id, revision, changes in told]
    await events.insert_events(connection, operation, "enriched", noted)


async def done_by(connection: Connection, tenant_id: UUID, operation_id: UUID) -> Done:
    """Return what an operation wrote or revived, and whether it can be taken back."""
    done = Done()
    for row in await connection.fetch(_SQL["done_by"], tenant_id, operation_id):
        is_active = row["state"] == MemoryState.ACTIVE
        match row["is_as_it_was"], row["action"], is_active:
            case True, "created", True:
                done.written.append(row["memory_id"])
            case True, "created", False:
                done.past.append(row["memory_id"])
            case True, "restored", True if row["before"] == MemoryState.FORGOTTEN:
                done.revived.append(row["memory_id"])
            case _:
                done.stay.append(row["memory_id"])
    return done
