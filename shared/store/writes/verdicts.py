"""Verdicts of meaning: kept once for each pair of statements, judge model and wording.

Rules: a verdict is kept only while both of its memories are active, and they are held until it is there: what erases a
memory then finds its verdicts by its id. One that is kept already stays. It does not know how statements are hashed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/verdicts")


@dataclass(frozen=True, slots=True)
class NewVerdict:
    """A verdict on two statements, the one with the smaller hash first, and the memories that made them."""

    first_hash: bytes
    second_hash: bytes
    first_memory_id: UUID
    second_memory_id: UUID
    verdict: str
    confidence: float
    reason: str


async def insert(
    connection: Connection,
    tenant_id: UUID,
    model: str,
    prompt_version: str,
    recorded_at: datetime,
    verdicts: Sequence[NewVerdict],
) -> int:
    """Keep verdicts; return how many were not there before."""
    named = sorted({one for verdict in verdicts for one in (verdict.first_memory_id, verdict.second_memory_id)})
    held = {row["memory_id"] for row in await connection.fetch(_SQL["hold_memories"], tenant_id, named)}
    kept = [verdict for verdict in verdicts if {verdict.first_memory_id, verdict.second_memory_id} <= held]
    columns = ("first_hash", "second_hash", "verdict", "confidence", "reason", "first_memory_id", "second_memory_id")
    values = ([getattr(verdict, name) for verdict in kept] for name in columns)
    return len(await connection.fetch(_SQL["insert"], tenant_id, model, prompt_version, recorded_at, *values))
