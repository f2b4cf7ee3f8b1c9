"""Document frequencies of terms and totals per tenant, kept beside what they count.

Rules: they are hints for ranking: written after the memories, in transactions of their own, sorted by term.
"""

from collections.abc import Mapping
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/statistics")


async def add(
    connection: Connection, tenant_id: UUID, frequencies: Mapping[int, int], *, memories: int, terms: int
) -> None:
    """Add to a tenant's statistics; numbers may be negative."""
    changed = sorted((term, number) for term, number in frequencies.items() if number)
    if changed:
        await connection.execute(_SQL["add_terms"], tenant_id, *zip(*changed, strict=True))
    await connection.execute(_SQL["add_totals"], tenant_id, memories, terms)
