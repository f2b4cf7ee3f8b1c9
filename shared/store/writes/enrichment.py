"""What only the enrichment of turns writes: its order, and that a turn was read.

Rules: the lock ends with the transaction, and no model is asked meanwhile. What is written of facts goes through
writing.py and endings.py.
"""

from collections.abc import Callable, Sequence
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes import events
from shared.store.writes.events import Event, Operation

_SQL = load("writes/enrichment")


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
