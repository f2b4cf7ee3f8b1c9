"""Brings a database to the schema this code needs, from nothing or from any earlier state.

Rules: an administrator makes what only it may make (roles, database, extension, schema); everything else runs as
candor_migrator, file by file in the order of their names, each in its own transaction. A file that has run is never
changed: its checksum, taken before `:partitions` is put in, is compared each time. Runs at the same time wait for each
other; a second run does nothing. Forward only.
It does not know the tables. It is a step of set-up: services never call it.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg

from shared.store import schema

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

DATABASE = "candor"
ROLES = ("migrator", "writer", "reader")
FOLDER = schema.FOLDER
LOCK_KEY = 0x63616E646F72  # "candor"; any number that nobody else takes
CONNECT_TIMEOUT_SECONDS = 10.0  # chosen, untested

_LEDGER = """
CREATE TABLE IF NOT EXISTS schema_migration (
    name       text COLLATE "C" PRIMARY KEY,
    checksum   text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)"""


class MigrationError(RuntimeError):
    """The schema cannot be brought up to date; the message says why."""


@dataclass(frozen=True, slots=True)
class Dsns:
    """The addresses of one database, one for each role."""

    writer: str = field(repr=False)
    reader: str = field(repr=False)
    migrator: str = field(repr=False)


def addresses(admin_dsn: str, passwords: Mapping[str, str], database: str = DATABASE) -> Dsns:
    """Return the roles' addresses of a database on the administrator's server."""
    return Dsns(**{role: _address(admin_dsn, database, f"candor_{role}", passwords[role]) for role in ROLES})


async def migrate(
    admin_dsn: str,
    *,
    partitions: int,
    passwords: Mapping[str, str],
    generations: Sequence[tuple[str, int]],
    database: str = DATABASE,
    folder: Path = FOLDER,
) -> Dsns:
    """Make or update a database and return its addresses.

    Units: `passwords` has one for each of ROLES; `generations` are (model, dimensions), the first ever made becomes the
    current one; `partitions` counts only the first time, 0 leaves tables whole.
    Raises: MigrationError when a file that has run was changed or is gone.
    """
    dsns = addresses(admin_dsn, passwords, database)
    files = await asyncio.to_thread(schema.read_files, folder)
    async with _connected(admin_dsn) as admin, _locked(admin):
        await _make_roles(admin, passwords)
        if not await admin.fetchval("SELECT true FROM pg_database WHERE datname = $1", database):
            await admin.execute(await _quoted(admin, "CREATE DATABASE %I ENCODING 'UTF8' TEMPLATE template0", database))
        async with _connected(_address(admin_dsn, database)) as owner:
            await _make_schema(owner, database)
        async with _connected(dsns.migrator) as migrator, _locked(migrator):
            await _apply(migrator, partitions, files)
            await _make_generations(migrator, generations)
    return dsns


async def _make_roles(admin: Connection, passwords: Mapping[str, str]) -> None:
    for role in ROLES:
        name = f"candor_{role}"
        if not await admin.fetchval("SELECT true FROM pg_roles WHERE rolname = $1", name):
            await admin.execute(f"CREATE ROLE {name}")
        await admin.execute(
            await _quoted(
                admin, f"ALTER ROLE {name} LOGIN NOCREATEDB NOCREATEROLE NOINHERIT PASSWORD %L", passwords[role]
            )
        )
    if not await admin.fetchval("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"):
        await admin.execute("GRANT candor_migrator TO CURRENT_USER")  # a managed server's administrator is no superuser


async def _make_schema(owner: Connection, database: str) -> None:
    """Make the extension and the schema; nobody but the roles may connect."""
    await owner.execute("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public")
    await owner.execute("CREATE SCHEMA IF NOT EXISTS candor AUTHORIZATION candor_migrator")
    await owner.execute("GRANT USAGE ON SCHEMA candor TO candor_writer, candor_reader")
    await owner.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    await owner.execute(await _quoted(owner, "REVOKE ALL ON DATABASE %I FROM PUBLIC", database))
    await owner.execute(
        await _quoted(owner, "GRANT CONNECT ON DATABASE %I TO candor_migrator, candor_writer, candor_reader", database)
    )


async def _apply(migrator: Connection, partitions: int, files: Mapping[str, str]) -> None:
    """Run the files that have not run yet.

    Raises: MigrationError when a file that has run was changed or is gone.
    """
    await migrator.execute(_LEDGER)
    await migrator.execute("GRANT SELECT ON schema_migration TO candor_writer, candor_reader")
    done = {row["name"]: row["checksum"] for row in await migrator.fetch("SELECT name, checksum FROM schema_migration")}
    checksums = schema.checksums_of(files)
    changed = [name for name, checksum in done.items() if checksums.get(name) != checksum]
    if changed:
        raise MigrationError(f"these migrations have run and must not change or go: {', '.join(changed)}")
    for name, text in files.items():
        if name not in done:
            async with migrator.transaction():
                await migrator.execute(text.replace(":partitions", str(partitions)))
                await migrator.execute(
                    "INSERT INTO schema_migration (name, checksum) VALUES ($1, $2)", name, checksums[name]
                )


async def _make_generations(migrator: Connection, generations: Sequence[tuple[str, int]]) -> None:
    for model, dimensions in generations:
        await migrator.execute(
            """
            SELECT create_generation(
                (SELECT coalesce(max(generation), 0) + 1 FROM embedding_generation), $1, $2,
                CASE WHEN (SELECT relkind FROM pg_class WHERE oid = 'memory'::regclass) = 'p'
                     THEN (SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'memory'::regclass) ELSE 0 END)
            WHERE NOT EXISTS (SELECT FROM embedding_generation WHERE model = $1 AND dimensions = $2)
            """,
            model,
            dimensions,
        )


def _address(dsn: str, database: str, user: str | None = None, password: str = "") -> str:
    """Return a DSN with another database, and another user if one is given."""
    parts = urlsplit(dsn)
    place = parts.netloc.rpartition("@")[2]
    host = f"{quote(user, safe='')}:{quote(password, safe='')}@{place}" if user is not None else parts.netloc
    return urlunsplit(parts._replace(netloc=host, path=f"/{quote(database, safe='')}"))


async def _quoted(connection: Connection, template: str, value: str) -> str:
    """Return a statement that takes no parameters, quoted by the server itself."""
    return str(await connection.fetchval("SELECT format($1, $2::text)", template, value))


@asynccontextmanager
async def _connected(dsn: str) -> AsyncIterator[Connection]:
    connection = await asyncpg.connect(
        dsn, timeout=CONNECT_TIMEOUT_SECONDS, server_settings={"search_path": "candor,public"}
    )
    try:
        yield connection
    finally:
        await connection.close()


@asynccontextmanager
async def _locked(connection: Connection) -> AsyncIterator[None]:
    """Hold the lock of all migration runs on the connection's database."""
    await connection.execute("SELECT pg_advisory_lock($1)", LOCK_KEY)
    try:
        yield
    finally:
        await connection.execute("SELECT pg_advisory_unlock($1)", LOCK_KEY)
