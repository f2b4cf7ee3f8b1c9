"""What a tenant keeps is counted exactly, and a write above the limit leaves nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

import grpc
import pytest
from candor.ingest.v1 import bulk_pb2, erasure_pb2, memories_pb2
from candor.ingest.v1.bulk_pb2_grpc import ImportServiceStub
from candor.ingest.v1.memories_pb2_grpc import MemoriesServiceStub

from services.ingest.importing import ImportServicer
from services.ingest.memories import MemoriesServicer
from shared.domain.errors import FailedPrecondition
from shared.limit_settings import LimitSettings
from shared.rpc import life_stubs
from shared.rpc.clients import rpc_errors
from shared.store import migrate
from shared.store.pool import open_pool
from tests.services.ingest.judging import feedback, invoice, resolve
from tests.services.ingest.workplace import Workplace, created, memory
from tests.services.running import role

pytestmark = pytest.mark.anyio
KEPT = """SELECT count(*) FILTER (WHERE current AND state <> 'erased'), coalesce(sum(octet_length(content) +
        octet_length(metadata::text)) FILTER (WHERE NOT current OR state <> 'erased'), 0)::bigint
    FROM (SELECT true AS current, tenant_id, state, content, metadata FROM memory
        UNION ALL SELECT false, tenant_id, state, content, metadata FROM memory_revision) AS rows
    WHERE tenant_id = $1"""


async def counted(ingest: Workplace, tenant: UUID) -> tuple[int, int]:
    sums = "coalesce(sum(memories), 0)::bigint, coalesce(sum(bytes), 0)::bigint"
    [(memories, size_bytes)] = await ingest.rows(f"SELECT {sums} FROM storage_use WHERE tenant_id = $1", tenant)
    return memories, size_bytes


async def kept(ingest: Workplace, tenant: UUID) -> tuple[int, int]:
    """Return what is kept, by looking at every row."""
    [(memories, size_bytes)] = await ingest.rows(KEPT, tenant)
    return memories, size_bytes


async def erase(ingest: Workplace, tenant: UUID, **given: Any) -> None:
    await life_stubs.erasure(ingest.via).EraseMemories(
        erasure_pb2.EraseMemoriesRequest(tenant_id=str(tenant), actor="officer", **given)
    )


async def update(stub: MemoriesServiceStub, tenant: UUID, memory_id: str, content: str) -> None:
    patch = memories_pb2.MemoryPatch(content=content)
    await stub.UpdateMemory(
        memories_pb2.UpdateMemoryRequest(tenant_id=str(tenant), actor="a", memory_id=memory_id, patch=patch)
    )


async def test_the_count_is_what_a_look_at_every_row_finds(ingest: Workplace, tenant: UUID) -> None:
    await asyncio.gather(*(ingest.create(tenant, f"fact {i} ü", metadata='{"a": "é"}') for i in range(20)))
    await asyncio.gather(*(ingest.create(tenant, "the same") for _ in range(10)))
    first = await invoice(ingest, tenant, "8400", content="one session")
    await invoice(ingest, tenant, "8900", content="another session")
    ingest.clock.tick()
    await resolve(ingest, tenant, first)
    await feedback(ingest, tenant, first, "correct")
    made = (await ingest.create(tenant, "a draft")).memory.memory_id
    ingest.clock.tick()
    await update(ingest.writer, tenant, made, "a longer draft, in a second revision")
    assert await counted(ingest, tenant) == await kept(ingest, tenant)
    assert (await counted(ingest, tenant))[0] == 24
    ingest.clock.tick()
    await erase(ingest, tenant, memory_ids=[made, first])
    assert await counted(ingest, tenant) == await kept(ingest, tenant)
    assert (await counted(ingest, tenant))[0] == 22
    await erase(ingest, tenant, whole_tenant=True)
    assert await counted(ingest, tenant) == (0, 0)


@asynccontextmanager
async def limited(ingest: Workplace, database: migrate.Dsns, **limits: Any) -> AsyncIterator[grpc.aio.Channel]:
    """Serve memories with limits of storage."""
    settings = LimitSettings(**limits)
    pool = await open_pool(database.writer, size=4, application_name="test", also=settings.storage)
    means = replace(ingest.means, pool=pool)
    try:
        async with role("ingest", MemoriesServicer(means), ImportServicer(means)) as channel:
            yield channel
    finally:
        await pool.close()


async def test_a_memory_too_many_is_refused_and_room_can_be_made(
    ingest: Workplace, module_database: migrate.Dsns, tenant: UUID
) -> None:
    async with limited(ingest, module_database, storage_memories=3) as channel:
        writer = MemoriesServiceStub(channel)
        ids = [(await writer.CreateMemory(created(tenant, f"fact {i}"))).memory.memory_id for i in range(3)]
        batch = memories_pb2.BatchCreateMemoriesRequest(
            tenant_id=str(tenant), actor="a", request_id="batch", memories=[memory("x"), memory("y")]
        )
        for call in (writer.CreateMemory(created(tenant, "one more")), writer.BatchCreateMemories(batch)):
            with pytest.raises(FailedPrecondition) as caught, rpc_errors():
                await call
            assert caught.value.reason == "STORAGE_QUOTA_EXCEEDED"
            assert (caught.value.metadata["what"], caught.value.metadata["limit"]) == ("memories", "3")
        assert await counted(ingest, tenant) == await kept(ingest, tenant) == (3, 18 + 6)
        assert (
            await writer.CreateMemory(created(tenant, "fact 1"))
        ).memory.existing  # what is there already is no more
        ingest.clock.tick()
        await update(writer, tenant, ids[0], "fact zero")  # a revision is no memory more
        await erase(ingest, tenant, memory_ids=ids[:2])
        await writer.BatchCreateMemories(batch)
        assert (await counted(ingest, tenant))[0] == 3


async def test_bytes_too_many_are_refused_for_revisions_too(
    ingest: Workplace, module_database: migrate.Dsns, tenant: UUID
) -> None:
    async with limited(ingest, module_database, storage_bytes=200) as channel:
        writer = MemoriesServiceStub(channel)
        made = (await writer.CreateMemory(created(tenant, "a" * 100))).memory.memory_id
        ingest.clock.tick()
        with pytest.raises(FailedPrecondition) as caught, rpc_errors():
            await update(writer, tenant, made, "b" * 100)
        assert (caught.value.metadata["what"], caught.value.metadata["would_be"]) == ("bytes", "204")
        await update(writer, tenant, made, "b" * 90)
        assert await counted(ingest, tenant) == await kept(ingest, tenant) == (1, 194)


async def test_an_upload_ends_at_the_batch_that_does_not_fit(
    ingest: Workplace, module_database: migrate.Dsns, tenant: UUID
) -> None:
    async def upload() -> AsyncIterator[bulk_pb2.ImportMemoriesRequest]:
        yield bulk_pb2.ImportMemoriesRequest(tenant_id=str(tenant), actor="a", request_id="all")
        lines = [bulk_pb2.ImportLine(number=i, memory=memory(f"line {i}")) for i in range(1, 1_001)]
        yield bulk_pb2.ImportMemoriesRequest(lines=lines)

    async with limited(ingest, module_database, storage_memories=700) as channel:
        with pytest.raises(FailedPrecondition) as caught, rpc_errors():
            await ImportServiceStub(channel).ImportMemories(upload())
    assert caught.value.reason == "STORAGE_QUOTA_EXCEEDED"
    standing = await ingest.importer.GetImport(bulk_pb2.GetImportRequest(tenant_id=str(tenant), import_id="all"))
    assert (standing.lines, standing.written) == (500, 500)
    assert await counted(ingest, tenant) == await kept(ingest, tenant)
