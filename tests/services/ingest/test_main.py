"""The role as it is mounted: ready only with its own generation, drained with its statistics written."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
import grpc
import pytest
from pydantic import SecretStr

from services.ingest.main import mount
from shared.clock import new_id
from shared.config import Settings
from shared.rpc import clients
from shared.rpc.probe import is_serving
from shared.rpc.server import Host, StartRefused, start
from shared.store import migrate
from tests.services.ingest.stand_in import StandIn
from tests.services.ingest.workplace import created

pytestmark = pytest.mark.anyio


@pytest.fixture
async def embed() -> AsyncIterator[tuple[StandIn, str]]:
    stand_in = StandIn()

    async def serve(host: Host) -> None:
        host.add(stand_in)

    running = await start("embed", serve, Settings.model_validate({"drain_seconds": 0.2}))
    yield stand_in, f"127.0.0.1:{running.port}"
    await running.stop()


def settings(database: migrate.Dsns, embed_target: str) -> Settings:
    return Settings.model_validate(
        {
            "writer_dsn": SecretStr(database.writer),
            "embed_target": embed_target,
            "secret": SecretStr("s" * 32),
            "drain_seconds": 0.2,
        }
    )


@asynccontextmanager
async def mounted(database: migrate.Dsns, embed_target: str) -> AsyncIterator[grpc.aio.Channel]:
    running = await start("ingest", mount, settings(database, embed_target))
    try:
        async with clients.channel(f"127.0.0.1:{running.port}") as channel:
            yield channel
    finally:
        await running.stop()


async def test_statistics_are_written_before_it_ends(module_database: migrate.Dsns, embed: tuple[StandIn, str]) -> None:
    tenant = new_id()
    async with mounted(module_database, embed[1]) as channel:
        assert await is_serving(channel)
        await clients.memory_writer(channel).CreateMemory(created(tenant))
    look = await asyncpg.connect(module_database.migrator, server_settings={"search_path": "candor"})
    assert await look.fetchval("SELECT memories FROM tenant_stat WHERE tenant_id = $1", tenant) == 1
    await look.close()


async def test_jobs_have_connections_of_their_own(module_database: migrate.Dsns, embed: tuple[StandIn, str]) -> None:
    names = "SELECT DISTINCT application_name FROM pg_stat_activity WHERE datname = current_database()"
    look = await asyncpg.connect(module_database.writer)
    async with mounted(module_database, embed[1]) as channel:
        assert await is_serving(channel)
        named = {row[0] for row in await look.fetch(names)}
    await look.close()
    assert {"candor-ingest", "candor-worker"} <= named


async def test_it_is_not_ready_with_another_generation(
    module_database: migrate.Dsns, embed: tuple[StandIn, str]
) -> None:
    embed[0].model = "another-model"
    async with mounted(module_database, embed[1]) as channel:
        assert not await is_serving(channel)


async def test_it_is_ready_while_the_embedder_is_down(
    module_database: migrate.Dsns, embed: tuple[StandIn, str]
) -> None:
    embed[0].is_down = True
    async with mounted(module_database, embed[1]) as channel:
        assert await is_serving(channel)


async def test_it_refuses_to_start_without_a_database_address() -> None:
    with pytest.raises(StartRefused):
        await start("ingest", mount, Settings.model_validate({"writer_dsn": None}))
