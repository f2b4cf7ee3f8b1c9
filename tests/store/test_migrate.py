"""Migrations against a real server: from nothing, again, at the same time, and after a file was changed."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest

from shared.clock import new_id
from shared.domain.errors import FailedPrecondition
from shared.store import embedded, migrate
from shared.store.pool import open_pool, run_without_tenant
from shared.store.schema import check_schema
from tests.conftest import PASSWORDS

pytestmark = pytest.mark.anyio

GENERATIONS = [("all-MiniLM-L6-v2", 384)]
LAST = max(path.name for path in migrate.FOLDER.glob("*.sql"))


@asynccontextmanager
async def connected(dsn: str) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(dsn, server_settings={"search_path": "candor,public"})
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture
async def name(database_server: embedded.Server) -> AsyncIterator[str]:
    """The name of a database that is not there yet."""
    name = f"test_{new_id().hex}"
    yield name
    async with connected(database_server.dsn()) as admin:
        await admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


async def make(server: embedded.Server, name: str, partitions: int = 2, folder: Path = migrate.FOLDER) -> migrate.Dsns:
    return await migrate.migrate(
        server.dsn(),
        partitions=partitions,
        passwords=PASSWORDS,
        generations=GENERATIONS,
        database=name,
        folder=folder,
    )


async def ledger(dsns: migrate.Dsns) -> list[tuple[object, ...]]:
    async with connected(dsns.migrator) as migrator:
        return [tuple(row) for row in await migrator.fetch("SELECT * FROM schema_migration ORDER BY name")]


async def test_a_second_run_changes_nothing(database_server: embedded.Server, name: str) -> None:
    first = await ledger(await make(database_server, name))
    dsns = await make(database_server, name, partitions=7)
    assert await ledger(dsns) == first
    assert [row[0] for row in first] == sorted(path.name for path in migrate.FOLDER.glob("*.sql"))
    async with connected(dsns.reader) as reader:
        rows = await reader.fetch("SELECT generation, is_current FROM embedding_generation")
        assert [tuple(row) for row in rows] == [(1, True)]


async def test_without_partitions_tables_are_whole(database_server: embedded.Server, name: str) -> None:
    dsns = await make(database_server, name, partitions=0)
    async with connected(dsns.migrator) as migrator:
        assert await migrator.fetchval("SELECT count(*) FROM pg_partitioned_table") == 0
        assert await migrator.fetchval("SELECT count(*) FROM memory_vector_g1") == 0


async def test_two_runs_at_once_make_one_schema(database_server: embedded.Server, name: str) -> None:
    first, second = await asyncio.gather(make(database_server, name), make(database_server, name))
    assert first == second
    assert len(await ledger(first)) == len(list(migrate.FOLDER.glob("*.sql")))


async def test_a_changed_file_is_refused(database_server: embedded.Server, name: str, tmp_path: Path) -> None:
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder)
    before = await ledger(await make(database_server, name, folder=folder))
    file = sorted(folder.glob("*.sql"))[0]
    file.write_text(file.read_text() + "\n-- one more line\n")
    with pytest.raises(migrate.MigrationError, match=file.name):
        await make(database_server, name, folder=folder)
    assert await ledger(migrate.addresses(database_server.dsn(), PASSWORDS, name)) == before


async def test_a_failing_file_leaves_nothing_of_itself(
    database_server: embedded.Server, name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder)
    before = await ledger(await make(database_server, name, folder=folder))
    (folder / "9999_bad.sql").write_text("CREATE TABLE half (id int); SELECT 1 / 0;")
    with pytest.raises(asyncpg.DivisionByZeroError):
        await make(database_server, name, folder=folder)
    dsns = migrate.addresses(database_server.dsn(), PASSWORDS, name)
    assert await ledger(dsns) == before
    async with connected(dsns.migrator) as migrator:
        assert await migrator.fetchval("SELECT to_regclass('half')") is None


async def test_only_the_roles_may_connect_and_services_make_nothing(
    database_server: embedded.Server, name: str
) -> None:
    dsns = await make(database_server, name)
    async with connected(database_server.dsn()) as admin:
        acl = await admin.fetch(
            "SELECT pg_get_userbyid(grantee) AS role FROM pg_database, aclexplode(datacl) WHERE datname = $1", name
        )
    assert {row["role"] for row in acl} == {
        "candor_super",
        "candor_migrator",
        "candor_writer",
        "candor_reader",
    }
    for dsn in (dsns.writer, dsns.reader):
        async with connected(dsn) as service:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await service.execute("CREATE TEMP TABLE mine (id int)")


async def test_a_database_behind_the_code_is_named(database_server: embedded.Server, name: str, tmp_path: Path) -> None:
    shutil.copytree(migrate.FOLDER, tmp_path / "migrations")
    (tmp_path / "migrations" / LAST).unlink()  # nothing builds on it
    (tmp_path / "migrations" / "9999_ahead.sql").write_text("SELECT 1;")
    dsns = await make(database_server, name, folder=tmp_path / "migrations")
    pool = await open_pool(dsns.reader, size=1, application_name="test")
    with pytest.raises(FailedPrecondition) as caught:
        await run_without_tenant(pool, check_schema)
    assert (caught.value.reason, caught.value.metadata["missing"]) == ("SCHEMA_OUTDATED", LAST)
    (tmp_path / "migrations" / LAST).write_text((migrate.FOLDER / LAST).read_text())
    await make(database_server, name, folder=tmp_path / "migrations")
    await run_without_tenant(pool, check_schema)
    await pool.close()


async def test_generations_made_before_uploads_get_their_staging_table(
    database_server: embedded.Server, name: str, tmp_path: Path
) -> None:
    for path in sorted(migrate.FOLDER.glob("000[1-6]*.sql")):
        shutil.copy(path, tmp_path)
    await make(database_server, name, folder=tmp_path)
    dsns = await make(database_server, name)
    async with connected(dsns.migrator) as migrator:
        shape = """SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
            WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"""
        live, staged = [await migrator.fetch(shape, f"memory_vector_g1{suffix}") for suffix in ("", "_staging")]
        assert staged == live
