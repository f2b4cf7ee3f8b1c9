"""Counterparts that records call for and do not have, and what memories depend on, in pages.

Rules: candidates come in the order of their keys, from one pass over an index or from a list of records; what is told
of them holds as of `known_at`. Of one dependent at most RESTED_MAX_ASSERTIONS are read, the newest. It does not know
what calls for what (counterpart.py) and not what is stale (dependency.py).
Source: REQUIREMENTS C2.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, TypeAlias
from uuid import UUID

from shared.domain.counterpart import Expectation
from shared.domain.dependency import Dependent
from shared.domain.findings import MEMORIES_MAX, Absence, Referrer
from shared.domain.opposition import Assertion
from shared.domain.records import record_label
from shared.store.pool import Connection
from shared.store.reads.conflicts import Limits, RecordKey, assertion_of
from shared.store.statements import load

_SQL = load("reads/expected")

RESTED_MAX_ASSERTIONS = 1_000  # keeps a message well under its size (chosen, untested)

DependencyKey: TypeAlias = tuple[str, str, UUID]  # company key and record key it depends on, memory


async def calling(
    connection: Connection, limits: Limits, expectation: Expectation, after: RecordKey, page_size: int
) -> list[RecordKey]:
    """Find the next records that call for a counterpart, in order of their keys."""
    said = _said(expectation)
    rows = await connection.fetch(_SQL["calling"], *_limits(limits), *after, expectation.kinds, *said, page_size)
    return [(row["company_key"], row["record_key"]) for row in rows]


async def calling_of_periods(
    connection: Connection, limits: Limits, expectation: Expectation, periods: Sequence[tuple[str, str]]
) -> list[RecordKey]:
    """Find the records of these companies and periods that call for a counterpart."""
    columns = ([period[part] for period in periods] for part in range(2))
    given = (*_limits(limits), *columns, expectation.kinds, *_said(expectation))
    rows = await connection.fetch(_SQL["calling_of_period"], *given)
    return [(row["company_key"], row["record_key"]) for row in rows]


async def unanswered(
    connection: Connection,
    limits: Limits,
    expectation: Expectation,
    records: Sequence[RecordKey],
    known_at: datetime,
) -> list[Absence]:
    """Read which of these records call for a counterpart that is not there, and who says so."""
    columns = ([record[part] for record in records] for part in range(2))
    answers = (expectation.answering_kinds, expectation.answering_types, expectation.by_period)
    given = (*_limits(limits), *columns, known_at, expectation.kinds, *_said(expectation), *answers, MEMORIES_MAX)
    rows = await connection.fetch(_SQL["unanswered"], *given)
    found = []
    for (company_key, record_key), group in groupby(rows, lambda row: (row["company_key"], row["record_key"])):
        callers = list(group)
        first = callers[0]
        label = record_label(first["record"], first["source_ref"]) or record_key
        referrers = tuple(Referrer(row["memory_id"], row["source_ref"]) for row in callers)
        counted = first["callers"]
        found.append(
            Absence(label, first["company"], company_key, record_key, referrers, counted, expectation.expected)
        )
    return found


async def dependents(
    connection: Connection, limits: Limits, after: DependencyKey, page_size: int
) -> list[DependencyKey]:
    """Find the next memories that depend on a record, in order of their keys."""
    given = (limits.tenant_id, limits.company_key, *after, page_size)
    return [_dependency_key(row) for row in await connection.fetch(_SQL["dependents"], *given)]


async def dependents_on(connection: Connection, limits: Limits, records: Sequence[RecordKey]) -> list[DependencyKey]:
    """Find the memories that depend on one of these records, in order of their keys."""
    columns = ([record[part] for record in records] for part in range(2))
    rows = await connection.fetch(_SQL["dependents_on"], limits.tenant_id, limits.company_key, *columns)
    return [_dependency_key(row) for row in rows]


async def rested_on(
    connection: Connection, limits: Limits, keys: Sequence[DependencyKey], known_at: datetime
) -> list[tuple[DependencyKey, Dependent, list[list[Assertion]]]]:
    """Read the dependents whose record changed after them, with what was said of the attributes that changed."""
    rows = await connection.fetch(
        _SQL["rested_on"],
        limits.tenant_id,
        [key[2] for key in keys],
        [key[0] for key in keys],
        [key[1] for key in keys],
        known_at,
        RESTED_MAX_ASSERTIONS,
        limits.period,
        limits.kind,
    )
    found = []
    for place, of_one in groupby(rows, lambda row: row["place"]):
        said = list(of_one)
        first = said[0]
        source_ref = first["dependent_source_ref"]
        dependent = Dependent(
            memory_id=first["dependent_id"],
            source_ref=source_ref,
            record=record_label(first["dependent_record"], source_ref),
            company=first["dependent_company"],
            recorded_at=first["dependent_recorded_at"],
        )
        groups = [
            [assertion_of(row, known_at) for row in group] for _, group in groupby(said, lambda row: row["attribute"])
        ]
        found.append((keys[place - 1], dependent, groups))
    return found


def _limits(limits: Limits) -> tuple[Any, ...]:
    return limits.tenant_id, limits.company_key, limits.period, limits.kind


def _said(expectation: Expectation) -> tuple[list[str], list[str]]:
    return [attribute for attribute, _ in expectation.says], [value for _, value in expectation.says]


def _dependency_key(row: Any) -> DependencyKey:
    return row["company_key"], row["target_key"], row["memory_id"]
