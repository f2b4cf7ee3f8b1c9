"""What fading depends on, from a row: for those who write dates and those who only read.

Rules: a row has the columns of both statements named `standing`.
"""

import asyncpg

from shared.domain.retention import Standing
from shared.domain.types import MemoryKind, MemoryType


def standing_of(row: asyncpg.Record) -> Standing:
    """Return what fading depends on, from a row that has all of it."""
    return Standing(
        kind=MemoryKind(row["kind"]),
        memory_type=MemoryType(row["memory_type"]),
        recorded_at=row["recorded_at"],
        pinned=row["pinned"],
        guard=row["protection"],
        expires_at=row["expires_at"],
        importance=row["importance"],
        scored=row["scored_importance"],
        recalls=row["recall_count"] or 0,
        last_used_at=row["last_used_at"],
        in_finding=row["in_finding"],
    )
