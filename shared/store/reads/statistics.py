"""What recall must know before it can ask: the current embedding generation, and how common words are.

Rules: frequencies are hints for ranking and may lag; a term without a row occurs nowhere yet. It does not cache.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/statistics")
_ALL_MEMORIES = 0  # no term has this id


@dataclass(frozen=True, slots=True)
class Generation:
    """An embedding generation: the number of its tables, its model, and how long its vectors are."""

    number: int
    model: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How many live memories there are, and in how many of them each term occurs."""

    memories: int
    by_term: dict[int, int]


async def current_generation(connection: Connection) -> Generation | None:
    """Read which generation is searched; None before the first was made."""
    row = await connection.fetchrow(_SQL["current_generation"])
    return Generation(row["generation"], row["model"], row["dimensions"]) if row else None


async def frequencies(connection: Connection, tenant_id: UUID, term_ids: Sequence[int]) -> Frequencies:
    """Read how common these terms are; one that is unknown is 0."""
    found = {
        row["term_id"]: row["memories"] for row in await connection.fetch(_SQL["frequencies"], tenant_id, term_ids)
    }
    memories = found.pop(_ALL_MEMORIES, 0)
    return Frequencies(memories, {term: found.get(term, 0) for term in term_ids})


async def speakers(connection: Connection, tenant_id: UUID, most: int) -> tuple[str, ...]:
    """Read the distinct speakers of a tenant's memories, in their order, the first `most` of them."""
    return tuple(row["speaker"] for row in await connection.fetch(_SQL["speakers"], tenant_id, most))
