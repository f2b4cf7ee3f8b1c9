"""What was written to since a point in the order of commits: the few records that a delta audit looks at.

Rules: a point is a snapshot: exactly what it does not see was written since, whatever its recorded time and however
long its transaction ran. Every write to a memory or an assertion sets its `commit_xid`; what is removed with a memory
(references) is known by the memory. A point belongs to one cluster and one of its histories. It does not judge, and not
how a point travels.
Source: PostgreSQL 18, "Transaction ID and Snapshot Information Functions"; REQUIREMENTS C1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from shared.domain.records import reference_key
from shared.store.pool import Connection
from shared.store.reads.conflicts import Counted, GroupKey, Limits, RecordKey
from shared.store.statements import load

_SQL = load("reads/touched")


@dataclass(frozen=True, slots=True)
class Point:
    """A place in the order of commits: what was seen then. `epoch` names the cluster and its timeline."""

    epoch: str
    snapshot: str


@dataclass(frozen=True, slots=True)
class Touched:
    """What was written to, each in its order. `records` hold what is referred to as well."""

    memories: int
    groups: tuple[GroupKey, ...]
    contents: tuple[bytes, ...]
    records: tuple[RecordKey, ...]
    periods: tuple[tuple[str, str], ...]  # (company key, period)
    own_records: int  # distinct records of the memories that were written to


async def point(connection: Connection) -> Point:
    """Read where the order of commits stands."""
    row = await connection.fetchrow(_SQL["point"])
    if row is None:
        raise ValueError("a statement without a table has a row")
    return Point(row["epoch"], row["snapshot"])


async def since(connection: Connection, limits: Limits, snapshot: str, most: int) -> Touched | None:
    """Read what was written to since a point; None when that is more than `most` memories or attributes."""
    tenant_id, company_key = limits.tenant_id, limits.company_key
    rows = await connection.fetch(_SQL["memories"], tenant_id, snapshot, most + 1)
    ids: list[UUID] = [row["memory_id"] for row in rows]
    if len(ids) > most:
        return None
    groups = await connection.fetch(_SQL["groups"], tenant_id, ids, snapshot, company_key)
    if len(groups) > most:
        return None
    places = await connection.fetch(_SQL["places"], tenant_id, ids, company_key)
    targets = await connection.fetch(_SQL["targets"], tenant_id, ids, company_key)
    own = {(row["company_key"], row["record_key"]) for row in places if row["record_key"] is not None}
    records = {*own, *((row["company_key"], row["target_key"]) for row in targets)}
    for row in places:  # a memory with a record id of its own may be referred to by its source too
        key = reference_key(row["source_ref"] or "")
        if key:
            records.add((row["company_key"], key))
    return Touched(
        memories=len(ids),
        groups=tuple((row["company_key"], row["record_key"], row["attribute"]) for row in groups),
        contents=tuple(sorted({bytes(row["content_hash"]) for row in places if row["is_open"]})),
        records=tuple(sorted(records)),
        periods=tuple(sorted({(row["company_key"], row["period"]) for row in places if row["period"]})),
        own_records=len(own),
    )


async def contested(connection: Connection, limits: Limits, keys: Sequence[GroupKey]) -> list[Counted]:
    """Keep the groups that have more than one open value, or a superseded one, with how many assertions they have."""
    columns = ([key[part] for key in keys] for part in range(3))
    given = (limits.tenant_id, limits.company_key, limits.period, limits.kind, *columns)
    rows = await connection.fetch(_SQL["contested"], *given)
    return [((row["company_key"], row["record_key"], row["attribute"]), row["assertions"]) for row in rows]


async def missing(connection: Connection, limits: Limits, records: Sequence[RecordKey]) -> list[RecordKey]:
    """Keep the records that are referred to and not stored."""
    columns = ([record[part] for record in records] for part in range(2))
    rows = await connection.fetch(_SQL["missing"], limits.tenant_id, *columns)
    return [(row["company_key"], row["target_key"]) for row in rows]
