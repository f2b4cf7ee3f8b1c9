"""Settings of a tenant: each change is a version of its own, with who made it and why.

Rules: changes of one tenant run one after the other; a version is never changed. It does not know what settings mean.
"""

from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes.events import Operation, insert_operation

_SQL = load("writes/settings")


async def serialise(connection: Connection, tenant_id: UUID) -> None:
    """Wait until nobody else changes the tenant's settings, and let nobody until the transaction ends."""
    await connection.execute(_SQL["serialise"], tenant_id)


async def insert(connection: Connection, operation: Operation, version: int, settings: str) -> None:
    """Add a version: a JSON object."""
    o = operation
    await insert_operation(connection, operation)
    values = (o.tenant_id, version, settings, o.actor, o.reason, o.operation_id, o.recorded_at)
    await connection.execute(_SQL["insert"], *values)
