"""The raw material of a field audit in pages: contested and superseded groups, repeated contents, missing records.

Rules: candidates come from one ordered pass over an index; what is told of them holds as of `known_at`, so later writes
do not show. Assertions that ended otherwise than as superseded say nothing any more. Of one group at most
GROUP_MAX_ASSERTIONS are read, each value's newest first, the same ones for recall and audit.
It does not judge: opposition.py does.
Source: REQUIREMENTS B8, C1, C2.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TypeAlias
from uuid import UUID

import asyncpg

from shared.domain.claims import Claim
from shared.domain.findings import MEMORIES_MAX, Absence, Referrer
from shared.domain.ladder import Carrier
from shared.domain.opposition import Assertion
from shared.domain.records import record_label
from shared.domain.types import MemoryKind, MemoryType
from shared.domain.values import ValueType
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/conflicts")

GROUP_MAX_ASSERTIONS = 1_000  # keeps a group well under the size of a message (chosen, untested)

GroupKey: TypeAlias = tuple[str, str, str]  # company key, record key, attribute
RecordKey: TypeAlias = tuple[str, str]  # company key, record key
Counted: TypeAlias = tuple[GroupKey, int]  # with how many assertions it has, open and superseded


@dataclass(frozen=True, slots=True)
class Limits:
    """What of a tenant is looked at; None limits nothing. Of `period` or without one."""

    tenant_id: UUID
    company_key: str | None = None
    period: str | None = None
    kind: MemoryKind | None = None


@dataclass(frozen=True, slots=True)
class Totals:
    """How much is looked at, and when the tenant's newest revision was recorded."""

    memories: int
    records: int
    newest_at: datetime | None


@dataclass(frozen=True, slots=True)
class Copies:
    """Open memories of one company and record with the same content; ids sorted, at most MEMORIES_MAX."""

    content_hash: bytes
    memory_ids: tuple[UUID, ...]
    memory_count: int
    company: str | None
    record: str | None


async def totals(connection: Connection, limits: Limits) -> Totals:
    """Count the open memories and their records."""
    row = await connection.fetchrow(_SQL["totals"], limits.tenant_id, limits.company_key, limits.period, limits.kind)
    if row is None:
        raise ValueError("an aggregate has a row")
    return Totals(row["memories"], row["records"], row["newest_at"])


async def newest_at(connection: Connection, tenant_id: UUID) -> datetime | None:
    """Read when the tenant's newest revision was recorded."""
    found: datetime | None = await connection.fetchval(_SQL["newest"], tenant_id)
    return found


async def group_keys(connection: Connection, limits: Limits, after: GroupKey, page_size: int) -> list[Counted]:
    """Find the next groups that have more than one open value, or a superseded one, in order of their keys."""
    given = (limits.tenant_id, limits.company_key, limits.period, limits.kind, *after, page_size)
    superseded = [_counted(row) for row in await connection.fetch(_SQL["superseded_groups"], *given)]
    # Nothing beyond the last key of a full page can be on it, so the other pass does not look there.
    bound = superseded[-1][0] if len(superseded) == page_size else (None, None, None)
    contested = [_counted(row) for row in await connection.fetch(_SQL["contested_groups"], *given, *bound)]
    counts: Counter[GroupKey] = Counter()
    for key, assertions in (*superseded, *contested):
        counts[key] += assertions
    return sorted(counts.items())[:page_size]


async def groups(
    connection: Connection,
    limits: Limits,
    keys: Sequence[GroupKey],
    known_at: datetime | None,
    most: int = GROUP_MAX_ASSERTIONS,
) -> list[list[Assertion]]:
    """Read the assertions of groups, at most `most` of each, in the order of their keys.

    Units: as known at an instant, or as they are.
    """
    columns = ([key[part] for key in keys] for part in range(3))
    rows = await connection.fetch(
        _SQL["assertions"],
        limits.tenant_id,
        *columns,
        limits.period,
        limits.kind,
        known_at,
        most,
    )
    return [[assertion_of(row, known_at) for row in rows] for _, rows in groupby(rows, _group_key)]


async def small_groups(
    connection: Connection, limits: Limits, keys: Sequence[GroupKey], known_at: datetime
) -> list[list[Assertion]]:
    """Read all assertions of groups that are known to be small, in the order of their keys, as known at an instant."""
    columns = ([key[part] for key in keys] for part in range(3))
    given = (limits.tenant_id, *columns, limits.period, limits.kind, known_at)
    rows = await connection.fetch(_SQL["small_assertions"], *given)
    return [[assertion_of(row, known_at) for row in rows] for _, rows in groupby(rows, _group_key)]


async def repeated_contents(connection: Connection, limits: Limits, after: bytes, page_size: int) -> list[bytes]:
    """Find the next contents that more than one open memory has."""
    rows = await connection.fetch(
        _SQL["repeated_contents"],
        limits.tenant_id,
        limits.company_key,
        limits.period,
        limits.kind,
        after,
        page_size,
    )
    return [row["content_hash"] for row in rows]


async def copies(connection: Connection, limits: Limits, contents: Sequence[bytes], known_at: datetime) -> list[Copies]:
    """Read who has each of these contents, where still more than one memory does."""
    rows = await connection.fetch(
        _SQL["duplicates"],
        limits.tenant_id,
        limits.company_key,
        limits.period,
        limits.kind,
        contents,
        known_at,
        MEMORIES_MAX,
    )
    return [
        Copies(
            row["content_hash"],
            tuple(row["memory_ids"]),
            row["memories"],
            row["company"],
            record_label(row["record"], row["source_ref"]),
        )
        for row in rows
    ]


async def missing_records(connection: Connection, limits: Limits, after: RecordKey, page_size: int) -> list[RecordKey]:
    """Find the next records that are referred to and not stored, in whatever kind and period."""
    rows = await connection.fetch(_SQL["missing_records"], limits.tenant_id, limits.company_key, *after, page_size)
    return [(row["company_key"], row["target_key"]) for row in rows]


async def absences(
    connection: Connection, limits: Limits, records: Sequence[RecordKey], known_at: datetime
) -> list[Absence]:
    """Read who refers to each of these records."""
    rows = await connection.fetch(
        _SQL["referrers"],
        limits.tenant_id,
        [company for company, _ in records],
        [record for _, record in records],
        limits.period,
        limits.kind,
        known_at,
        MEMORIES_MAX,
    )
    found = []
    for (company_key, record_key), group in groupby(rows, lambda row: (row["company_key"], row["target_key"])):
        by_place = list(group)
        first = by_place[0]
        referrers = tuple(Referrer(row["memory_id"], row["source_ref"]) for row in by_place)
        absence = Absence(first["target"], first["company"], company_key, record_key, referrers, first["referrers"])
        found.append(absence)
    return found


def _counted(row: asyncpg.Record) -> Counted:
    return _group_key(row), row["assertions"]


def _group_key(row: asyncpg.Record) -> GroupKey:
    return row["company_key"], row["record_key"], row["attribute"]


def assertion_of(row: asyncpg.Record, known_at: datetime | None) -> Assertion:
    """Return the assertion in a row, as it was believed at an instant."""
    # A patch may have moved the memory to another record: its labels then no longer name this one.
    is_of_company = row["memory_company_key"] == row["company_key"]
    is_of_record = is_of_company and row["memory_record_key"] == row["record_key"]
    has_ended = row["ended_at"] is not None and (known_at is None or row["ended_at"] <= known_at)
    carrier = Carrier(
        memory_id=row["memory_id"],
        kind=MemoryKind(row["kind"]),
        memory_type=MemoryType(row["memory_type"]),
        derived=row["is_derived"],
        importance=row["importance"],
        observed_at=row["valid_from"],
        recorded_at=row["recorded_at"],
        source_ref=row["source_ref"],
        raw=row["raw"],
    )
    claim = Claim(
        attribute=row["attribute"],
        raw=row["raw"],
        canonical=row["canonical"],
        value_type=ValueType(row["value_type"]),
        number=row["number"],
        currency=row["currency"],
        unit=row["unit"],
    )
    return Assertion(
        carrier=carrier,
        claim=claim,
        company=row["company"] if is_of_company else row["company_key"] or None,
        company_key=row["company_key"],
        record=(record_label(row["record"], row["source_ref"]) if is_of_record else None) or row["record_key"],
        record_key=row["record_key"],
        counterparty_key=row["counterparty_key"],
        period=row["period"],
        session=row["session"],
        valid_to=row["valid_to"],
        ended_at=row["ended_at"] if has_ended else None,
        ended_reason=row["ended_reason"] if has_ended else None,
    )
