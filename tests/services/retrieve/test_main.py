"""The mount of retrieve: what it serves, when it is ready, what it refuses."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import grpc
import pytest
from candor.retrieve.v1.access_pb2 import AuthenticateKeyRequest
from candor.retrieve.v1.conflicts_pb2 import StreamConflictsRequest
from candor.retrieve.v1.memories_pb2 import ListMemoriesRequest
from candor.retrieve.v1.recall_pb2 import MODE_LEXICAL, RecallMemoriesRequest
from pydantic import SecretStr

from services.retrieve import main
from shared import config
from shared.domain.errors import Unauthenticated
from shared.rpc import clients, server
from shared.rpc.clients import rpc_errors
from shared.rpc.probe import is_serving
from shared.store import migrate

pytestmark = pytest.mark.anyio

SECRET = SecretStr("s" * 32)


@asynccontextmanager
async def mounted(dsn: str) -> AsyncIterator[grpc.aio.Channel]:
    settings = config.Settings(reader_dsn=SecretStr(dsn), secret=SECRET, drain_seconds=0.2)
    running = await server.start("retrieve", main.mount, settings)
    try:
        async with clients.channel(f"127.0.0.1:{running.port}", caller="test") as via:
            yield via
    finally:
        await running.stop()


async def test_it_serves_all_its_contracts(database: migrate.Dsns) -> None:
    tenant_id = str(UUID(int=1))
    async with mounted(database.reader) as via:
        assert await is_serving(via)
        query = RecallMemoriesRequest(tenant_id=tenant_id, query="zebra", mode=MODE_LEXICAL)
        assert not (await clients.recall(via).RecallMemories(query)).hits
        assert not (await clients.memory_reader(via).ListMemories(ListMemoriesRequest(tenant_id=tenant_id))).items
        stream = clients.conflicts(via).StreamConflicts(StreamConflictsRequest(tenant_id=tenant_id))
        assert [line.totals.memories async for line in stream] == [0]
        with pytest.raises(Unauthenticated), rpc_errors():
            await clients.access(via).AuthenticateKey(AuthenticateKeyRequest(key="x"))


async def test_it_is_not_ready_without_its_database() -> None:
    async with mounted("postgresql://candor_reader@127.0.0.1:1/candor") as via:
        assert not await is_serving(via)


async def test_it_does_not_start_without_an_address() -> None:
    with pytest.raises(server.StartRefused, match="CANDOR_READER_DSN"):
        await server.start("retrieve", main.mount, config.Settings(secret=SECRET))
