"""Uses of memories.

Rules: a use counts once for a request and a memory; the counters lie apart from what is indexed. Memories are counted
in the order of their ids, so that two requests never wait for each other in a ring.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes import fading

_SQL = load("writes/uses")


async def count(
    connection: Connection, tenant_id: UUID, request_id: str, memory_ids: Sequence[UUID], used_at: datetime
) -> tuple[int, int]:
    """Count the use of active memories; return how many were counted now, and how many are active."""
    counted = await connection.fetch(_SQL["count"], tenant_id, request_id, memory_ids, used_at)
    await fading.refresh(connection, tenant_id, [row["memory_id"] for row in counted])
    return len(counted), int(await connection.fetchval(_SQL["active"], tenant_id, memory_ids))


@dataclass(frozen=True, slots=True)
class Score:
    """How much a memory matters by a model or rules, 0..1, and when it was told again, where it was."""

    memory_id: UUID
    importance: float | None
    mentioned_at: datetime | None = None


async def score(connection: Connection, tenant_id: UUID, scores: Sequence[Score]) -> None:
    """Note how much memories matter and when they were told last; what is higher, or later, stays."""
    await score_new(connection, tenant_id, scores)
    await fading.refresh(connection, tenant_id, [one.memory_id for one in scores])


async def score_new(connection: Connection, tenant_id: UUID, scores: Sequence[Score]) -> None:
    """Note it of memories that are about to be written: when they fade is reckoned with them."""
    if scores:
        columns = zip(*((one.memory_id, one.importance, one.mentioned_at) for one in scores), strict=True)
        await connection.execute(_SQL["score"], tenant_id, *columns)
