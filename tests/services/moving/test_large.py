"""Many memories go out and in through a memory that does not grow with them.

MOVING_MEMORIES makes it larger.
"""

import json
import os
from collections.abc import AsyncIterator, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import archive_pb2
from candor.retrieve.v1 import export_pb2

from services.retrieve.export import Export
from shared.clock import new_id
from shared.rpc import moving_stubs
from shared.store import migrate
from shared.store.pool import open_pool
from tests.services.moving.conftest import TOKEN_KEY
from tests.services.moving.lives import Both
from tests.services.running import role

pytestmark = pytest.mark.anyio

MEMORIES = int(os.environ.get("MOVING_MEMORIES", "2000"))
CONTENT = "Subject{0} has something said of it."
CHANGES = json.dumps({"said": "x" * 40_000})  # what nothing is derived from
LINES = 2 + 2 * MEMORIES
GROWN_MAX_BYTES = 30_000_000  # after the first quarter; chosen: the rest of the archive has 60 MB of text


def archive() -> Iterator[tuple[str, str]]:
    """Yield the lines of an archive of memories with one event each."""
    yield "archive", '{"format":"candor-archive","version":1}'
    operation_id, at = str(UUID(int=7)), "2026-01-01T00:00:00+00:00"
    for number in range(MEMORIES):
        memory_id = str(UUID(int=2**120 + number))
        yield "memory", json.dumps(
            {
                "memory_id": memory_id, "revision": 1, "current": True, "recorded_at": at, "state": "active",
                "kind": "note", "content": CONTENT.format(number), "tags": [], "metadata": "{}",
                "memory_type": "semantic", "pinned": False, "protection": "none", "refs": [], "derived_from": [],
                "source_memory_ids": [], "operation_id": operation_id,
            },
            separators=(",", ":"),
        )  # fmt: skip
        yield "event", json.dumps(
            {
                "memory_id": memory_id, "event_id": str(UUID(int=number)), "action": "created", "revision": 1,
                "actor": "ann", "reason": "", "operation_id": operation_id, "recorded_at": at, "changes": CHANGES,
            },
            separators=(",", ":"),
        )  # fmt: skip
    yield "end", f'{{"lines":{1 + 2 * MEMORIES}}}'


def resident_bytes() -> int:
    """Return what the process, and with it every role of the test, holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Growth:
    """What the process holds, line by line, above what it held after the first quarter."""

    def __init__(self) -> None:
        self._began_bytes = 0
        self.bytes = 0

    def look(self, number: int) -> None:
        """Look now and then."""
        if number == LINES // 4:
            self._began_bytes = resident_bytes()
        elif number > LINES // 4 and number % 100 == 0:
            self.bytes = max(self.bytes, resident_bytes() - self._began_bytes)


async def sent(tenant: UUID, digest: Any, growth: Growth) -> AsyncIterator[archive_pb2.ImportTenantRequest]:
    """Yield the archive as messages of 100 lines."""
    yield archive_pb2.ImportTenantRequest(tenant_id=str(tenant), actor="mover", request_id="large")
    message = archive_pb2.ImportTenantRequest()
    for number, (part, record) in enumerate(archive(), start=1):
        digest.update(f"{part} {record}\n".encode())
        growth.look(number)
        message.lines.add(number=number, line=archive_pb2.ArchiveRecord(part=part, record=record))
        if len(message.lines) == 100:
            yield message
            message = archive_pb2.ImportTenantRequest()
    if message.lines:
        yield message


async def test_what_goes_out_and_in_is_never_held_as_a_whole(both: Both, module_database: migrate.Dsns) -> None:
    tenant = new_id()
    reader = await open_pool(module_database.reader, size=2, application_name="test")
    given, told = sha256(), sha256()
    coming, going = Growth(), Growth()
    try:
        async with role("retrieve", Export(reader, TOKEN_KEY, both.ingest.clock.now)) as via:
            answer = await moving_stubs.importer(both.ingest.via).ImportTenant(sent(tenant, given, coming))
            assert (answer.complete, answer.memories) == (True, MEMORIES)
            request = export_pb2.ExportTenantRequest(tenant_id=str(tenant))
            number = 0
            async for line in moving_stubs.exporter(via).ExportTenant(request):
                number += 1
                told.update(f"{line.part} {line.record}\n".encode())
                going.look(number)
    finally:
        await reader.close()
    assert told.hexdigest() == given.hexdigest()
    print(f"{MEMORIES} memories: grown by {coming.bytes} and {going.bytes}")
    assert max(coming.bytes, going.bytes) < GROWN_MAX_BYTES
