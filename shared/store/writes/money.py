"""What documents and money are planned and written by: an event's papers, a record's memories, uploads that wait.

Rules: writes of one event or invoice run one after the other; what a plan rests on is read again then. Uploads are gone
when their job has ended. It does not know what papers say.
Source: REQUIREMENTS E1, E3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from shared.domain.types import Draft
from shared.store.pool import Connection
from shared.store.statements import load
from shared.store.writes.plans import Current, draft_of

_SQL = load("writes/money")


@dataclass(frozen=True, slots=True)
class Held:
    """An open memory, as it stands."""

    memory_id: UUID
    current: Current

    @property
    def draft(self) -> Draft:
        """What its writer said."""
        return self.current.draft


@dataclass(frozen=True, slots=True)
class Upload:
    """A document that waits for its job; `reading` is None until it was read."""

    position: int
    declared: str
    reading: str | None


async def serialise(connection: Connection, tenant_id: UUID, record: str) -> None:
    """Wait until nobody else writes this event or invoice, and let nobody until the transaction ends."""
    await connection.execute(_SQL["serialise"], tenant_id, record)


async def papers(connection: Connection, tenant_id: UUID, company_key: str, record_key: str) -> list[Held]:
    """Read the open documents that refer to a record, in the order they were written."""
    return [_held(row) for row in await connection.fetch(_SQL["papers"], tenant_id, company_key, record_key)]


async def of_records(
    connection: Connection, tenant_id: UUID, company_key: str, record_keys: Sequence[str]
) -> dict[tuple[str, str], Held]:
    """Read the open memories of records by (kind, record key). Ties: the newest counts."""
    rows = await connection.fetch(_SQL["of_records"], tenant_id, company_key, record_keys)
    return {(row["kind"], row["record_key"]): _held(row) for row in rows}


async def keep_upload(
    connection: Connection, tenant_id: UUID, job_id: UUID, documents: Sequence[tuple[str, bytes]], now: datetime
) -> None:
    """Keep documents, each as (declared, bytes), until their job has read them."""
    declared, contents = zip(*documents, strict=True)
    places = list(range(len(documents)))
    await connection.execute(_SQL["keep_upload"], tenant_id, job_id, places, list(declared), list(contents), now)


async def uploaded(connection: Connection, tenant_id: UUID, job_id: UUID) -> list[Upload]:
    """Read the documents of a job, in the order of the request."""
    return [Upload(*row.values()) for row in await connection.fetch(_SQL["uploaded"], tenant_id, job_id)]


async def upload_content(connection: Connection, tenant_id: UUID, job_id: UUID, position: int) -> bytes:
    """Read the bytes of a document that waits."""
    return bytes(await connection.fetchval(_SQL["upload_content"], tenant_id, job_id, position) or b"")


async def keep_reading(connection: Connection, tenant_id: UUID, job_id: UUID, position: int, reading: str) -> None:
    """Keep what a document says, in place of its bytes."""
    await connection.execute(_SQL["keep_reading"], tenant_id, job_id, position, reading)


async def drop_uploads(connection: Connection, tenant_id: UUID, job_id: UUID, before: datetime) -> None:
    """Let go of the documents of a job, and of those kept before an instant."""
    await connection.execute(_SQL["drop_uploads"], tenant_id, job_id, before)


def _held(row: asyncpg.Record) -> Held:
    current = Current(draft_of(row), row["revision"], row["vector_pending"], row["recorded_at"])
    return Held(row["memory_id"], current)
