"""Who may see and do what: row-level security, grants and partitions, as the roles that services use."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeAlias
from uuid import UUID

import asyncpg
import pytest

from shared.store import migrate

pytestmark = pytest.mark.anyio

TENANT, OTHER = UUID(int=1), UUID(int=2)
Connected: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
# Outside row-level security, each for a reason that its migration gives; none holds content.
OPEN_TABLES = {
    "api_key",
    "embedding_generation",
    "memory_lexical",
    "memory_lexical_history",
    "pending_vector",
    "quota",
    "schema_migration",
    "tenant",
}
MEMORY = """INSERT INTO memory (tenant_id, memory_id, revision, kind, content, company_key, tags, metadata, memory_type,
    pinned, refs, derived_from, source_memory_ids, recorded_at, state, vector_pending, content_hash, identity_hash,
    operation_id)
VALUES ($1, gen_random_uuid(), 1, 'note', 'secret', '', '{}', '{}', 'semantic', false, '{}', '{}', '{}', now(),
    'active', false, '', $2, gen_random_uuid())"""


@asynccontextmanager
async def connected(dsn: str) -> AsyncIterator[Connected]:
    connection = await asyncpg.connect(dsn, server_settings={"search_path": "candor,public"})
    try:
        yield connection
    finally:
        await connection.close()


@pytest.fixture(scope="module")
async def look(module_database: migrate.Dsns, anyio_backend: str) -> AsyncIterator[Connected]:
    """The migrator, who owns everything."""
    async with connected(module_database.migrator) as connection:
        for tenant in (TENANT, OTHER):
            await connection.execute(MEMORY, tenant, tenant.bytes)
        yield connection


@pytest.fixture(params=["writer", "reader"])
async def service(
    request: pytest.FixtureRequest, module_database: migrate.Dsns, look: Connected
) -> AsyncIterator[Connected]:
    async with connected(getattr(module_database, request.param)) as connection:
        yield connection


async def as_tenant(connection: Connected, tenant: UUID) -> None:
    await connection.execute(f"SELECT set_config('candor.tenant', '{tenant}', false)")


async def test_every_table_with_a_tenant_is_protected_and_so_is_each_partition(look: Connected) -> None:
    rows = await look.fetch(
        """SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity AS forced, c.relispartition AS is_part,
                  (SELECT inhparent::regclass::text FROM pg_inherits WHERE inhrelid = c.oid) AS parent,
                  ARRAY(SELECT polname::text FROM pg_policy WHERE polrelid = c.oid ORDER BY 1) AS policies
           FROM pg_class AS c WHERE relnamespace = 'candor'::regnamespace AND relkind IN ('r', 'p')"""
    )
    assert len(rows) > 50  # parents and their four partitions
    for row in rows:
        if (row["parent"] or row["relname"]) in OPEN_TABLES:
            continue
        assert row["forced"], row["relname"]
        # A partition has no policy: reached directly it shows nothing, whoever asks.
        assert row["policies"] == ([] if row["is_part"] else ["owner", "tenant"]), row["relname"]


async def test_grants_are_on_parents_only(look: Connected) -> None:
    granted = await look.fetch(
        """SELECT c.relname FROM pg_class AS c, aclexplode(c.relacl) AS acl
           WHERE c.relispartition AND acl.grantee <> c.relowner"""
    )
    assert [row["relname"] for row in granted] == []


async def test_partitions_are_closed_to_services(service: Connected) -> None:
    await as_tenant(service, TENANT)
    parts = await service.fetch(
        """SELECT oid::regclass::text AS name FROM pg_class
           WHERE relispartition AND relkind = 'r' AND relname LIKE '%_p0'"""
    )
    assert len(parts) > 10
    for part in parts:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await service.fetch(f"SELECT * FROM {part['name']}")


async def test_without_a_where_clause_a_tenant_sees_its_own_rows_only(service: Connected) -> None:
    for tenant in (TENANT, OTHER):
        await as_tenant(service, tenant)
        assert [row["tenant_id"] for row in await service.fetch("SELECT tenant_id FROM memory")] == [tenant]
    await as_tenant(service, UUID(int=3))
    assert await service.fetch("SELECT tenant_id FROM memory") == []


async def test_without_a_tenant_every_protected_table_is_an_error(service: Connected, look: Connected) -> None:
    names = await look.fetch(
        """SELECT relname AS name FROM pg_class
           WHERE relnamespace = 'candor'::regnamespace AND relkind IN ('r', 'p') AND relrowsecurity
             AND NOT relispartition"""
    )
    tables = [row["name"] for row in names]
    assert len(tables) > 10
    for table in tables:
        if not await service.fetchval("SELECT has_table_privilege($1, 'SELECT')", table):
            continue
        with pytest.raises((asyncpg.UndefinedObjectError, asyncpg.InvalidTextRepresentationError)):
            # A table without rows asks for no tenant: the condition is made into the plan.
            await service.fetch(f"SELECT * FROM {table} WHERE current_setting('candor.tenant')::uuid IS NOT NULL")
    with pytest.raises((asyncpg.UndefinedObjectError, asyncpg.InvalidTextRepresentationError)):
        await service.fetch("SELECT * FROM memory")


async def test_a_writer_cannot_write_for_another_tenant(module_database: migrate.Dsns, look: Connected) -> None:
    async with connected(module_database.writer) as writer:
        await as_tenant(writer, TENANT)
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await writer.execute(MEMORY, OTHER, b"x")
        assert await writer.execute("UPDATE memory SET content = 'mine' WHERE tenant_id <> $1", TENANT) == "UPDATE 0"


WRITES = (
    "DELETE FROM {}",
    "UPDATE {} SET tenant_id = tenant_id",
    "INSERT INTO {} SELECT * FROM {}",
    "TRUNCATE {}",
)


async def test_a_reader_cannot_write_any_table(module_database: migrate.Dsns, look: Connected) -> None:
    tables = await look.fetch(
        """SELECT c.relname AS name FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
           WHERE relnamespace = 'candor'::regnamespace AND relkind IN ('r', 'p') AND a.attname = 'tenant_id'"""
    )
    async with connected(module_database.reader) as reader:
        await as_tenant(reader, TENANT)
        for table in tables:
            for statement in WRITES:
                with pytest.raises(asyncpg.InsufficientPrivilegeError):
                    await reader.execute(statement.replace("{}", table["name"]))


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "CREATE TABLE public.mine (id int)",
        "DROP TABLE memory",
        "ALTER TABLE memory DISABLE ROW LEVEL SECURITY",
        "CREATE POLICY all_rows ON memory USING (true)",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "SELECT create_generation(9, 'x', 8, 0)",
        "SELECT protect('memory')",
        "SELECT make_tenant_table('mine', 'id int', 0)",
        "SET ROLE candor_migrator",
        "TRUNCATE memory",
        "DELETE FROM memory",
        "DELETE FROM assertion",
        "UPDATE memory_event SET actor = ''",
        "DELETE FROM memory_event",
        "UPDATE request SET request_hash = ''",
    ],
)
async def test_services_cannot_change_the_schema_or_the_history(service: Connected, statement: str) -> None:
    await as_tenant(service, TENANT)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await service.execute(statement)


async def test_only_the_reader_looks_up_keys_and_by_hash_only(module_database: migrate.Dsns, look: Connected) -> None:
    async with connected(module_database.reader) as reader, connected(module_database.writer) as writer:
        await as_tenant(reader, TENANT)
        await as_tenant(writer, TENANT)
        assert await reader.fetch("SELECT * FROM authenticate_key('x')") == []
        for connection, statement in (
            (reader, "SELECT * FROM api_key"),
            (reader, "SELECT * FROM request"),
            (reader, "SELECT * FROM pending_vector"),
            (writer, "SELECT * FROM authenticate_key('x')"),
        ):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await connection.execute(statement)


async def test_jobs_are_seen_by_their_tenant_or_by_a_worker_without_one(
    module_database: migrate.Dsns, look: Connected
) -> None:
    add = """INSERT INTO job (job_id, tenant_id, kind, parameters, status, max_attempts, due_at, created_at)
        VALUES (gen_random_uuid(), $1, 'k', '{}', 'queued', 1, now(), now())"""
    seen = "SELECT DISTINCT tenant_id FROM job ORDER BY tenant_id"
    async with connected(module_database.writer) as worker, connected(module_database.writer) as writer:
        for tenant in (TENANT, OTHER):
            await worker.execute(add, tenant)
        assert [row["tenant_id"] for row in await worker.fetch(seen)] == [TENANT, OTHER]
        await as_tenant(writer, TENANT)
        assert [row["tenant_id"] for row in await writer.fetch(seen)] == [TENANT]
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await writer.execute(add, OTHER)
    async with connected(module_database.reader) as reader:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await reader.fetch(seen)
