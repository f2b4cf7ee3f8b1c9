"""The unit of work on a real server: its tenant, its end, its retries, and a database that goes away."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import asyncpg
import pytest

from shared.domain.errors import Overloaded, UpstreamUnavailable
from shared.store import migrate
from shared.store import pool as pool_module
from shared.store.pool import Connection, Pool, open_pool, run, run_without_tenant

pytestmark = pytest.mark.anyio

TENANT, OTHER = UUID(int=1), UUID(int=2)
INSERT = "INSERT INTO operation VALUES ($1, $2, 'create', 'a', 'r', '', now())"
COUNT = "SELECT count(*) FROM operation"


@pytest.fixture
async def writer(database: migrate.Dsns) -> AsyncIterator[Pool]:
    pool = await open_pool(database.writer, size=4, application_name="test")
    yield pool
    await pool.close()


async def count(pool: Pool, tenant: UUID, dsn: str) -> int:
    reader = await open_pool(dsn, size=1, application_name="test")
    try:

        async def work(connection: Connection) -> int:
            return int(await connection.fetchval(COUNT))

        return await run(reader, tenant, work, read_only=True)
    finally:
        await reader.close()


async def test_a_unit_of_work_sees_its_tenant_only(database: migrate.Dsns, writer: Pool) -> None:
    async def write(connection: Connection) -> None:
        await connection.execute(INSERT, TENANT, UUID(int=10))

    await run(writer, TENANT, write)
    assert await count(writer, TENANT, database.reader) == 1
    assert await count(writer, OTHER, database.reader) == 0
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await run(writer, OTHER, write)


async def test_who_gets_no_connection_in_time_is_told_and_nothing_is_lost(
    database: migrate.Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = await open_pool(database.reader, size=1, application_name="test")

    async def work(connection: Connection) -> int:
        return int(await connection.fetchval(COUNT))

    async with pool.acquire():
        monkeypatch.setattr(pool_module, "ACQUIRE_TIMEOUT_SECONDS", 0.01)
        with pytest.raises(Overloaded) as refused:
            await run(pool, TENANT, work, read_only=True)
    assert refused.value.reason == "DATABASE_BUSY"
    monkeypatch.undo()
    assert await run(pool, TENANT, work, read_only=True) == 0
    await pool.close()


async def test_the_tenant_does_not_outlive_the_transaction(database: migrate.Dsns) -> None:
    pool = await open_pool(database.reader, size=1, application_name="test")

    async def work(connection: Connection) -> int:
        return int(await connection.fetchval(COUNT))

    with pytest.raises(asyncpg.UndefinedObjectError):
        await run_without_tenant(pool, work)
    await run(pool, TENANT, work)
    with pytest.raises(asyncpg.InvalidTextRepresentationError):
        await run_without_tenant(pool, work)
    await pool.close()


async def test_an_error_leaves_nothing_and_the_connection_usable(database: migrate.Dsns, writer: Pool) -> None:
    async def fail(connection: Connection) -> None:
        await connection.execute(INSERT, TENANT, UUID(int=10))
        raise ZeroDivisionError

    for _ in range(6):  # more often than the pool has connections
        with pytest.raises(ZeroDivisionError):
            await run(writer, TENANT, fail)
    assert await count(writer, TENANT, database.reader) == 0


async def test_a_cancelled_request_leaves_nothing_and_the_connection_usable(
    database: migrate.Dsns, writer: Pool
) -> None:
    for _ in range(6):
        begun = asyncio.Event()

        async def wait(connection: Connection, begun: asyncio.Event = begun) -> None:
            await connection.execute(INSERT, TENANT, UUID(int=10))
            begun.set()
            await connection.execute("SELECT pg_sleep(60)")

        request = asyncio.ensure_future(run(writer, TENANT, wait))
        await begun.wait()
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
    assert await count(writer, TENANT, database.reader) == 0


async def test_a_wrong_value_is_no_outage(writer: Pool) -> None:
    async def work(connection: Connection) -> None:
        await connection.execute("SELECT $1::int", "one")

    with pytest.raises(asyncpg.DataError):
        await run(writer, TENANT, work)


async def test_a_killed_connection_leaves_nothing_and_is_named(database: migrate.Dsns, writer: Pool) -> None:
    async def work(connection: Connection) -> None:
        await connection.execute(INSERT, TENANT, UUID(int=10))
        admin = await asyncpg.connect(database.writer)
        try:  # a role may end its own sessions
            await admin.execute("SELECT pg_terminate_backend($1)", connection.get_server_pid())
        finally:
            await admin.close()
        await connection.execute(INSERT, TENANT, UUID(int=11))

    with pytest.raises(UpstreamUnavailable) as caught:
        await run(writer, TENANT, work)
    assert caught.value.reason == "DATABASE_UNAVAILABLE"
    assert caught.value.retry_after_seconds is not None
    assert await count(writer, TENANT, database.reader) == 0


async def test_a_schema_change_is_survived(database: migrate.Dsns) -> None:
    owner = await asyncpg.connect(database.migrator, server_settings={"search_path": "candor"})
    await owner.execute("CREATE TABLE changing (a int); GRANT SELECT ON changing TO candor_reader")
    pool = await open_pool(database.reader, size=1, application_name="test")
    runs = 0

    async def work(connection: Connection) -> int:
        nonlocal runs
        runs += 1
        return len(await connection.fetch("SELECT * FROM changing"))

    assert await run(pool, TENANT, work, read_only=True) == 0
    await owner.execute("ALTER TABLE changing ALTER COLUMN a TYPE bigint")
    assert await run(pool, TENANT, work, read_only=True) == 0
    assert runs == 3
    await owner.close()
    await pool.close()


async def test_a_deadlock_is_run_again(writer: Pool) -> None:
    attempts = 0

    async def work(connection: Connection) -> str:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            await connection.execute("DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$")
        return "done"

    assert await run(writer, TENANT, work) == "done"
    attempts = -1
    with pytest.raises(asyncpg.DeadlockDetectedError):
        await run(writer, TENANT, work)


async def test_no_database_is_named() -> None:
    pool = await open_pool("postgresql://nobody:x@127.0.0.1:1/none", size=1, application_name="test")

    async def work(connection: Connection) -> None:
        await connection.execute("SELECT 1")

    with pytest.raises(UpstreamUnavailable) as caught:
        await run(pool, TENANT, work)
    assert caught.value.reason == "DATABASE_UNAVAILABLE"
    await pool.close()
