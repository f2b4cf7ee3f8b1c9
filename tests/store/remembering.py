"""Memories in a test database, written as ingest writes them but with vectors and instants of the test's choice.

`Book` keeps every revision it has written beside the database, as the oracle's truth.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count
from uuid import UUID

import numpy as np

from shared.domain.lexicon import Lexicon
from shared.domain.passages import Passage
from shared.domain.revision import Revision, revise, whole
from shared.domain.tokens import term_id, terms
from shared.domain.types import Draft, MemoryState
from shared.domain.vectors import Vector, normalise
from shared.store.pool import Connection, Pool, run
from shared.store.writes import statistics, writing
from shared.store.writes.events import Operation
from shared.store.writes.vectors import Embedded
from shared.store.writes.writing import Entry, Patch

DIMENSIONS = 384
GENERATION = 1
TERM_KEY = b"t" * 32
AVERAGE_LENGTH = 20.0
_ids = count(1)

# How a memory ends until a service does it: its rows move as the design says.
_END = """
WITH lexical AS (
    DELETE FROM memory_lexical WHERE tenant_id = $1 AND memory_id = $2 RETURNING *
), kept AS (
    INSERT INTO memory_lexical_history (tenant_id, memory_id, revision, terms, weights)
    SELECT l.tenant_id, l.memory_id, m.revision, l.terms, l.weights
    FROM lexical AS l JOIN memory AS m USING (tenant_id, memory_id)
), vectors AS (
    DELETE FROM memory_vector_g1 WHERE tenant_id = $1 AND memory_id = $2 RETURNING *
), moved AS (
    INSERT INTO memory_vector_g1_history (tenant_id, memory_id, revision, passage_no, char_start, char_end, embedding)
    SELECT v.tenant_id, v.memory_id, m.revision, v.passage_no, v.char_start, v.char_end, v.embedding
    FROM vectors AS v JOIN memory AS m USING (tenant_id, memory_id)
), tags AS (
    DELETE FROM memory_tag WHERE tenant_id = $1 AND memory_id = $2
), pointers AS (
    DELETE FROM reference WHERE tenant_id = $1 AND memory_id = $2
), asserted AS (
    UPDATE assertion SET ended_at = $4, ended_reason = $3, commit_xid = pg_current_xact_id()
    WHERE tenant_id = $1 AND memory_id = $2 AND ended_at IS NULL
)
UPDATE memory SET state = $3, ended_at = $4, commit_xid = pg_current_xact_id() WHERE tenant_id = $1 AND memory_id = $2
"""


def new_id() -> UUID:
    """Return ids that mean nothing and do not repeat."""
    return UUID(int=next(_ids) << 64)


def term(tenant: UUID, word: str) -> int:
    """Return the id of the one term in a word."""
    (found,) = terms(word)
    return term_id(tenant, found, TERM_KEY)


@dataclass(frozen=True, slots=True)
class Kept:
    """One revision as it was written, with what an arm compares of it."""

    memory_id: UUID
    number: int
    revision: Revision
    passages: tuple[Passage, ...]
    vectors: Vector  # as stored: half precision
    weights: Mapping[int, float]
    recorded_at: datetime
    ended_at: datetime | None = None
    state: MemoryState = MemoryState.ACTIVE


@dataclass(slots=True)
class Book:
    """Writes memories of one tenant and keeps what it wrote, earlier revisions included."""

    pool: Pool
    tenant: UUID
    kept: dict[UUID, list[Kept]] = field(default_factory=dict)

    async def add(
        self, drafts: Sequence[Draft], at: datetime, embedded: Sequence[Embedded | Vector | None] | None = None
    ) -> list[UUID]:
        """Write new memories in one transaction; None for a vector leaves it to follow."""
        revisions = [
            revise(self.tenant, draft, term_key=TERM_KEY, lexicon=Lexicon(lambda language: str)) for draft in drafts
        ]
        given = [_embedded(r, e) for r, e in zip(revisions, embedded or [None] * len(drafts), strict=True)]
        entries = [
            Entry(new_id(), revision, revision.weights(AVERAGE_LENGTH), vectors)
            for revision, vectors in zip(revisions, given, strict=True)
        ]

        async def work(connection: Connection) -> None:
            await writing.create(connection, self._operation("create", at), GENERATION, entries, new_id)

        await run(self.pool, self.tenant, work)
        for entry in entries:
            self._keep(entry.memory_id, 1, entry.revision, entry.embedded, entry.weights, at)
        await self._count(revisions)
        return [entry.memory_id for entry in entries]

    async def patch(self, memory_id: UUID, at: datetime, embedded: Vector | None = None, **changes: object) -> None:
        """Write the next revision of a memory; without a vector the former ones stay."""
        former = self.kept[memory_id][-1]
        draft = replace(former.revision.draft, **changes)  # type: ignore[arg-type]  # the fields of a draft
        revision = revise(self.tenant, draft, term_key=TERM_KEY, lexicon=Lexicon(lambda language: str))
        weights = revision.weights(AVERAGE_LENGTH)
        vectors = None if embedded is None else _embedded(revision, embedded)
        change = Patch(memory_id, former.number + 1, revision, weights, vectors, False, "{}")

        async def work(connection: Connection) -> None:
            await writing.patch(connection, self._operation("update", at), GENERATION, change, new_id)

        await run(self.pool, self.tenant, work)
        self.kept[memory_id][-1] = replace(former, ended_at=at)
        held = vectors or Embedded(former.passages, former.vectors)
        self._keep(memory_id, change.number, revision, held, weights, at)

    async def end(self, memory_id: UUID, at: datetime, state: MemoryState) -> None:
        """End a memory."""

        async def work(connection: Connection) -> None:
            await connection.execute(_END, self.tenant, memory_id, state, at)

        await run(self.pool, self.tenant, work)
        self.kept[memory_id][-1] = replace(self.kept[memory_id][-1], ended_at=at, state=state)

    def _keep(
        self,
        memory_id: UUID,
        number: int,
        revision: Revision,
        embedded: Embedded | None,
        weights: Mapping[int, float],
        at: datetime,
    ) -> None:
        passages = embedded.passages if embedded else ()
        vectors = embedded.vectors if embedded else np.empty((0, DIMENSIONS), np.float32)
        stored = vectors.astype(np.float16).astype(np.float32)
        self.kept.setdefault(memory_id, []).append(Kept(memory_id, number, revision, passages, stored, weights, at))

    async def _count(self, revisions: Sequence[Revision]) -> None:
        frequencies: dict[int, int] = {}
        for revision in revisions:
            for found in set(revision.terms):
                frequencies[found] = frequencies.get(found, 0) + 1
        length = sum(len(revision.terms) for revision in revisions)

        async def work(connection: Connection) -> None:
            await statistics.add(connection, self.tenant, frequencies, memories=len(revisions), terms=length)

        await run(self.pool, self.tenant, work)

    def _operation(self, action: str, at: datetime) -> Operation:
        return Operation(self.tenant, new_id(), action, "tester", "", "", at)


def _embedded(revision: Revision, given: Embedded | Vector | None) -> Embedded | None:
    if given is None or isinstance(given, Embedded):
        return given
    return Embedded(whole(revision.draft.content), normalise(given)[None, :])
