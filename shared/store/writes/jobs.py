"""Jobs: work that is done after the answer.

Rules: the table holds ids and parameters, never content; in a tenant's transaction only that tenant's jobs are seen. A
worker takes a job on lease; the number of its attempt is in every statement about it, so a worker that was taken for
dead changes nothing any more. `keep` is the last statement of each transaction that a job writes in: what it wrote
stands only if the job was still its own. It does not know what a job does.
Source: row locks with SKIP LOCKED as in PostgreSQL 18, "SELECT"; fencing by a rising number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

import asyncpg

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/jobs")


class JobStatus(StrEnum):
    """Where a job stands."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to be asked for; `dedup_key` None lets others of its kind wait beside it."""

    job_id: UUID
    tenant_id: UUID
    kind: str
    due_at: datetime
    created_at: datetime
    max_attempts: int
    dedup_key: str | None = ""
    parameters: str = "{}"


@dataclass(frozen=True, slots=True)
class Attempt:
    """A job that a worker has taken; `number` counts this attempt."""

    job_id: UUID
    tenant_id: UUID
    kind: str
    parameters: str
    dedup_key: str | None
    number: int
    max_attempts: int


@dataclass(frozen=True, slots=True)
class Seen:
    """A job as its tenant sees it."""

    job_id: UUID
    kind: str
    status: JobStatus
    attempts: int
    max_attempts: int
    due_at: datetime
    progress: int
    total: int | None
    last_error: str | None
    result: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


async def enqueue(connection: Connection, job: NewJob) -> UUID:
    """Ask for a job and return its id, or that of the open one with the same key."""
    values = (job.job_id, job.tenant_id, job.kind, job.dedup_key, job.parameters)
    found: UUID = await connection.fetchval(_SQL["enqueue"], *values, job.max_attempts, job.due_at, job.created_at)
    return found


async def claim(connection: Connection, kinds: Sequence[str], now: datetime, lease_until: datetime) -> Attempt | None:
    """Take a due job of one of the kinds, tenants in turn; give up those that were lost too often."""
    await connection.execute(_SQL["bury"], now)
    row = await connection.fetchrow(_SQL["claim"], now, lease_until, kinds)
    return None if row is None else Attempt(*row.values())


async def keep(
    connection: Connection,
    attempt: Attempt,
    lease_until: datetime,
    progress: int | None = None,
    total: int | None = None,
) -> bool:
    """Prolong the lease and note how far the work is; False if the job is no longer this attempt's."""
    values = (attempt.job_id, attempt.number, lease_until, progress, total)
    return bool(await connection.fetchval(_SQL["keep"], *values))


async def finish(connection: Connection, attempt: Attempt, now: datetime, result: str) -> bool:
    """End an attempt well; False if it was lost."""
    return bool(await connection.fetchval(_SQL["finish"], attempt.job_id, attempt.number, now, result))


async def fail(connection: Connection, attempt: Attempt, now: datetime, due_at: datetime, reason: str) -> bool:
    """End an attempt that failed; False if it was lost."""
    return bool(await connection.fetchval(_SQL["fail"], attempt.job_id, attempt.number, now, due_at, reason))


async def release(connection: Connection, attempt: Attempt, now: datetime) -> bool:
    """Give an attempt back as if it had not begun; False if it was lost."""
    return bool(await connection.fetchval(_SQL["release"], attempt.job_id, attempt.number, now))


async def depth(connection: Connection) -> dict[tuple[str, str], int]:
    """Count the open jobs by kind and status."""
    return {(row["kind"], row["status"]): row["jobs"] for row in await connection.fetch(_SQL["depth"])}


async def find(connection: Connection, tenant_id: UUID, job_id: UUID) -> Seen | None:
    """Read a job."""
    row = await connection.fetchrow(_SQL["get"], tenant_id, job_id)
    return None if row is None else _seen(row)


async def list_jobs(
    connection: Connection,
    tenant_id: UUID,
    status: JobStatus | None,
    kind: str | None,
    after: tuple[datetime, UUID] | None,
    limit: int,
) -> list[Seen]:
    """List jobs, newest first, from after a place."""
    place = after or (None, None)
    return [_seen(row) for row in await connection.fetch(_SQL["list"], tenant_id, status, kind, *place, limit)]


def _seen(row: asyncpg.Record) -> Seen:
    job_id, kind, status, *rest = row.values()
    return Seen(job_id, kind, JobStatus(status), *rest)
