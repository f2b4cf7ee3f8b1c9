"""The ledger beside the memories: written, ended and written anew in the transactions that change what they say.

Rules: entries follow from a memory's fields and from the decisions about them, so whatever changes either brings the
ledger to it (`refresh`). Where a decision ended what a memory says of an attribute, the value that was chosen stands in
its place, as long as its own memory says it; where none stands, the memory says nothing of it. What repeats recalled
text is no evidence and makes no entry. Entries are ended and never changed: the ledger as of any instant is kept.
It does not know which fields are money (shared/domain/money/ledger.py), nor sums.
Source: DESIGN 4; REQUIREMENTS A5, C9, E4.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from json import dumps
from typing import Any, TypeAlias
from uuid import UUID

import asyncpg

from shared.domain.metadata import overlaid
from shared.domain.money.ledger import LedgerEntry, entries_of_draft
from shared.domain.periods import period_bounds
from shared.domain.revision import Revision
from shared.domain.types import Draft, MemoryState
from shared.store.arrays import array_text
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes.events import Operation
from shared.store.writes.plans import draft_of

_SQL = load("writes/ledger")
_KEY_BYTES = 16  # of the digest: 128 bits, as a UUID has
_TAKEN_FROM = 22  # the place of the only list in a row
Values: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    """A memory as its entries need it. `taken_from` are memories whose values its draft has by decision."""

    memory_id: UUID
    revision: int
    draft: Draft
    valid_to: datetime | None
    recorded_at: datetime
    taken_from: tuple[UUID, ...] = ()


async def insert(connection: Connection, operation: Operation, rows: Sequence[tuple[UUID, Revision]]) -> None:
    """Insert the entries of new memories."""
    at = operation.recorded_at
    sources = (_Source(memory_id, 1, revision.draft, revision.draft.expires_at, at) for memory_id, revision in rows)
    await _insert(connection, operation, [values for source in sources for values in _entries(source)], {})


async def refresh(connection: Connection, operation: Operation, memory_ids: Sequence[UUID]) -> None:
    """Bring the ledger to what memories say by now, and to what others say that a decision gave a value of theirs."""
    tenant_id = operation.tenant_id
    rows = await connection.fetch(_SQL["lock"], tenant_id, memory_ids)
    if not rows:
        return
    ids = [row["memory_id"] for row in rows]
    lost: dict[UUID, list[asyncpg.Record]] = {memory_id: [] for memory_id in ids}
    for row in await connection.fetch(_SQL["lost"], tenant_id, ids):
        lost[row["memory_id"]].append(row)
    active = (row for row in rows if row["state"] == MemoryState.ACTIVE)
    wanted = [values for row in active for values in _entries(_source(row, lost[row["memory_id"]]))]
    standing = await connection.fetch(_SQL["standing"], tenant_id, ids)
    open_ = {_known(row): (row["memory_id"], row["ordinal"]) for row in standing if row["is_open"]}
    ended = [place for values, place in open_.items() if values not in wanted]
    if ended:
        await connection.execute(_SQL["end"], tenant_id, operation.recorded_at, *zip(*ended, strict=True))
    fresh = [values for values in wanted if values not in open_]
    await _insert(connection, operation, fresh, {row["memory_id"]: row["made"] for row in standing})


async def borrowers(connection: Connection, tenant_id: UUID, memory_ids: Collection[UUID]) -> list[UUID]:
    """Name the other memories that a decision may have given a value of these; to be asked before they are erased."""
    return [row["memory_id"] for row in await connection.fetch(_SQL["borrowers"], tenant_id, list(memory_ids))]


async def _insert(
    connection: Connection, operation: Operation, rows: Sequence[Values], made: Mapping[UUID, int]
) -> None:
    """Insert entries; `made` says how many each memory has made before."""
    if not rows:
        return
    ordinals = Counter(made)
    numbered = []
    for memory_id, *values in rows:
        ordinals[memory_id] += 1
        recorded_at = max(operation.recorded_at, values[-1])
        numbered.append((memory_id, ordinals[memory_id], *values, recorded_at))
    columns: list[Sequence[Any]] = list(zip(*numbered, strict=True))
    columns[_TAKEN_FROM] = [array_text(ids) for ids in columns[_TAKEN_FROM]]
    ids = [operation.of(memory_id) for memory_id in columns[0]]
    await connection.execute(_SQL["insert"], operation.tenant_id, ids, *columns)


def _source(row: asyncpg.Record, lost: Sequence[asyncpg.Record]) -> _Source:
    """Return a memory with the values that decisions left it."""
    draft = draft_of(row)
    if lost:
        entries = (f"{dumps(one['attribute'])}: {one['raw'] or 'null'}" for one in lost)
        draft = replace(draft, metadata_json=overlaid(draft.metadata_json, "{" + ", ".join(entries) + "}"))
    chosen = tuple(sorted({one["chosen_id"] for one in lost if one["chosen_id"]}))
    return _Source(row["memory_id"], row["revision"], draft, row["valid_to"], row["recorded_at"], chosen)


def _entries(source: _Source) -> list[Values]:
    """Return what a memory puts on record, in the order of the statements' columns."""
    return [] if source.draft.derived_from else [_values(source, entry) for entry in entries_of_draft(source.draft)]


def _values(source: _Source, entry: LedgerEntry) -> Values:
    days = period_bounds(entry.period) if entry.period else (None, None)
    return (
        *(source.memory_id, source.revision, entry.side.value, bytes.fromhex(entry.dedup_key)[:_KEY_BYTES]),
        *(entry.currency or "", entry.amount, entry.cash, entry.cash_status.value, entry.gross),
        *(entry.employer_social_security, entry.employee_social_security, entry.tax, entry.employee_count),
        *(entry.company, entry.company_key, entry.period, *days, entry.party, entry.number, entry.dated),
        *(source.taken_from, source.draft.observed_at, source.valid_to, source.recorded_at),
    )


def _known(row: asyncpg.Record) -> Values:
    """Return an entry that is there in the same order."""
    *values, _, _, _ = row
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)
