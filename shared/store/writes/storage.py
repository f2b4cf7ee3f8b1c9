"""How much a tenant keeps, and that it is not more than it may.

Rules: counted in the transaction that writes, so what is refused leaves nothing, in constant time. Only what grows is
refused: whoever is above a limit can still forget, erase and decide. Writes that run at once do not see each other's,
so together they may pass a limit by what they write. The limits come with the connection (`pool.open_pool`); 0 is none.
It does not know what a memory says.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from uuid import UUID

from shared.domain.errors import FailedPrecondition
from shared.domain.types import Draft
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/storage")


@dataclass(frozen=True, slots=True)
class Size:
    """So many memories, and the bytes of their content and metadata."""

    memories: int
    bytes: int


def size_of(drafts: Iterable[Draft]) -> int:
    """Return the bytes that drafts take."""
    return sum(len(draft.content.encode()) + len(draft.metadata_json.encode()) for draft in drafts)


async def of_memories(connection: Connection, tenant_id: UUID, memory_ids: Collection[UUID]) -> Size:
    """Return what memories take, with all their revisions."""
    [row] = await connection.fetch(_SQL["size"], tenant_id, list(memory_ids))
    return Size(**row)


async def add(connection: Connection, tenant_id: UUID, memories: int, size_bytes: int) -> None:
    """Count what is written; both may be negative.

    Raises: FailedPrecondition STORAGE_QUOTA_EXCEEDED.
    """
    [row] = await connection.fetch(_SQL["add"], tenant_id, memories, size_bytes)
    for what, grows in (("memories", memories > 0), ("bytes", size_bytes > 0)):
        kept, limit = row[what], row[f"{what}_max"]
        if grows and 0 < limit < kept:
            raise FailedPrecondition(
                "STORAGE_QUOTA_EXCEEDED",
                f"the tenant may keep {limit} {what}, and would keep {kept}",
                metadata={"what": what, "limit": str(limit), "would_be": str(kept)},
            )
