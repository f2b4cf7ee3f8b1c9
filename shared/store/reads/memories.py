"""Memories one by one, in pages, counted, and streamed.

Rules: what is read as known at an instant is shown as it was believed then: an end that came later does not show. Pages
of a scope with `known_at` do not move while memories change, because a revision's recorded interval never does.
It does not know tokens or messages.
"""

from dataclasses import dataclass, fields, replace
from datetime import datetime
from operator import itemgetter
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg

from shared.domain.types import MemoryKind, MemoryState, MemoryType
from shared.store.pool import Connection
from shared.store.reads.scopes import Scope, compose
from shared.store.statements import load

_SQL = load("reads/memories")

Place: TypeAlias = tuple[datetime, UUID]  # recorded time, falling; then id


@dataclass(frozen=True, slots=True)
class Memory:
    """One revision of a memory. Keys are what labels are compared by; `metadata` is a JSON object, verbatim."""

    memory_id: UUID
    revision: int
    kind: MemoryKind
    content: str
    company: str | None
    company_key: str
    period: str | None
    record: str | None
    record_key: str | None
    source_ref: str | None
    counterparty: str | None
    speaker: str | None
    session: str | None
    tags: tuple[str, ...]
    metadata: str
    importance: float | None
    pinned: bool
    memory_type: MemoryType
    refs: tuple[str, ...]
    derived_from: tuple[UUID, ...]
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None
    recorded_at: datetime
    ended_at: datetime | None
    state: MemoryState
    state_reason: str | None
    superseded_by: UUID | None
    vector_pending: bool

    @property
    def place(self) -> Place:
        """Where it stands in a list."""
        return self.recorded_at, self.memory_id


_NAMES = tuple(field.name for field in fields(Memory))
_in_order = itemgetter(*_NAMES)
_WORDS = {
    _NAMES.index(name): {word.value: word for word in words}
    for name, words in (("kind", MemoryKind), ("memory_type", MemoryType), ("state", MemoryState))
}
_LISTS = tuple(map(_NAMES.index, ("tags", "refs", "derived_from")))


def memory_of(row: asyncpg.Record, known_at: datetime | None = None) -> Memory:
    """Return the memory in a row, as it was believed at `known_at`."""
    values: list[Any] = list(_in_order(row))
    for place, words in _WORDS.items():
        values[place] = words[values[place]]
    for place in _LISTS:
        values[place] = tuple(values[place])
    memory = Memory(*values)
    if known_at is None or memory.ended_at is None or memory.ended_at <= known_at:
        return memory
    return replace(memory, ended_at=None, state=MemoryState.ACTIVE, state_reason=None, superseded_by=None)


async def get(connection: Connection, tenant_id: UUID, memory_id: UUID, known_at: datetime | None) -> Memory | None:
    """Read one memory as it is, or as it was known at an instant; None when there was none."""
    if known_at is None:
        row = await connection.fetchrow(compose(_SQL["get"]), tenant_id, memory_id)
    else:
        row = await connection.fetchrow(compose(_SQL["get_believed"]), tenant_id, memory_id, known_at)
    return memory_of(row, known_at) if row else None


async def newest_at(connection: Connection, tenant_id: UUID) -> datetime | None:
    """Read when the tenant's newest revision was recorded."""
    found: datetime | None = await connection.fetchval(_SQL["newest"], tenant_id)
    return found


async def page(connection: Connection, scope: Scope, after: Place | None, limit: int) -> list[Memory]:
    """Read the next memories of a scope, newest first; after a place only in a scope with `known_at`."""
    if scope.known_at is None:
        if after is not None:
            raise ValueError("a scope without known_at moves: only its first page can be read")
        statement = compose(_SQL["page"], tagged=scope.starts_from_tags)
        rows = await connection.fetch(statement, *scope.parameters(), limit)
    else:
        place = after or (None, None)
        statement = compose(_SQL["page_believed"])
        rows = await connection.fetch(statement, *scope.parameters(), scope.known_at, *place, limit)
    return [memory_of(row, scope.known_at) for row in rows]


async def count(connection: Connection, scope: Scope) -> int:
    """Count the memories of a scope."""
    if scope.known_at is None:
        statement = compose(_SQL["count"], tagged=scope.starts_from_tags)
        found = await connection.fetchval(statement, *scope.parameters())
    else:
        found = await connection.fetchval(compose(_SQL["count_believed"]), *scope.parameters(), scope.known_at)
    return int(found)


async def stream(connection: Connection, scope: Scope, after: UUID, limit: int) -> list[Memory]:
    """Read the next memories by id of a scope with `known_at`."""
    if scope.known_at is None:
        raise ValueError("a stream holds as of an instant")
    rows = await connection.fetch(compose(_SQL["stream"]), *scope.parameters(), scope.known_at, after, limit)
    return [memory_of(row, scope.known_at) for row in rows]
