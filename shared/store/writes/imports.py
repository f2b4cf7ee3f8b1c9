"""Uploads: how far each one is, kept in the transactions that write its lines.

Rules: an upload goes on only from the line where it stands, so of two that are on their way under one id only one does,
and a line has its effect once.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/imports")


class ImportMode(StrEnum):
    """Where the vectors of an upload go: into the index, or beside it until a job moves them; or that of an archive."""

    LIVE = "live"
    BULK = "bulk"
    ARCHIVE = "archive"


@dataclass(frozen=True, slots=True)
class LineFault:
    """What is wrong with one line."""

    line: int
    field: str
    reason: str
    description: str


@dataclass(frozen=True, slots=True)
class Standing:
    """How far an upload is; `faults` of its first wrong lines. `is_whole`: an archive's end has come."""

    mode: ImportMode
    lines: int
    written: int
    existing: int
    failed: int
    faults: tuple[LineFault, ...]
    started_at: datetime
    updated_at: datetime
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Step:
    """Lines dealt with at once: up to which, what became of them, and all faults that are kept from then on."""

    lines: int
    written: int
    existing: int
    failed: int
    faults: Sequence[LineFault]


async def begin(
    connection: Connection, tenant_id: UUID, import_id: str, mode: ImportMode, actor: str, now: datetime
) -> Standing:
    """Begin an upload or find it again."""
    await connection.execute(_SQL["begin"], tenant_id, import_id, mode, actor, now)
    found = await find(connection, tenant_id, import_id)
    assert found is not None
    return found


async def find(connection: Connection, tenant_id: UUID, import_id: str) -> Standing | None:
    """Read how far an upload is."""
    row = await connection.fetchrow(_SQL["find"], tenant_id, import_id)
    if row is None:
        return None
    faults = tuple(LineFault(**fault) for fault in json.loads(row["errors"]))
    return Standing(
        ImportMode(row["mode"]),
        *(row["lines"], row["written"], row["existing"], row["failed"]),
        faults,
        *(row["started_at"], row["updated_at"], row["is_whole"]),
    )


async def advance(
    connection: Connection, tenant_id: UUID, import_id: str, from_line: int, step: Step, now: datetime
) -> bool:
    """Note a step; False if the upload does not stand at `from_line`, where the step began."""
    faults = json.dumps([asdict(fault) for fault in step.faults])
    counts = (step.lines, step.written, step.existing, step.failed)
    return bool(await connection.fetchval(_SQL["advance"], tenant_id, import_id, from_line, *counts, faults, now))
