"""Real PostgreSQL for the tests: one embedded server for all, a migrated template, a fresh copy of it for each test.

The server is started by the first session and stopped by the last; sessions at the same time share it.

Hypothesis has no limits of time, since the machine is shared. `make test` draws 100 examples of each property,
`make unit` 20 (--hypothesis-profile=quick), so that it stays quick.
"""

import asyncio
import fcntl
import hashlib
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeAlias, TypeVar

import asyncpg
import pytest
from hypothesis import HealthCheck, settings

from shared.clock import new_id
from shared.store import embedded, migrate

T = TypeVar("T")

settings.register_profile("quick", deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("thorough", deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("thorough")

DATA_DIR = Path(__file__).parents[1] / ".candor" / "test-pg"
# What is lost with the machine can be made again.
SETTINGS = {"fsync": "off", "full_page_writes": "off", "max_connections": "300"}
PARTITIONS = 4
GENERATIONS = [("all-MiniLM-L6-v2", 384)]
PASSWORDS = {role: f"{role}-of-the-tests" for role in migrate.ROLES}
Admin: TypeAlias = "asyncpg.Connection[asyncpg.Record]"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


def _as_admin(server: embedded.Server, work: Callable[[Admin], Awaitable[T]]) -> T:
    async def connected() -> T:
        connection = await asyncpg.connect(server.dsn())
        try:
            return await work(connection)
        finally:
            await connection.close()

    return asyncio.run(connected())


async def _drop_leftovers(admin: Admin) -> None:
    """Drop what sessions that were killed have left."""
    for row in await admin.fetch("SELECT datname AS name FROM pg_database WHERE datname LIKE 'test\\_%'"):
        await admin.execute(f"DROP DATABASE {row['name']} WITH (FORCE)")


@pytest.fixture(scope="session")
def database_server() -> Iterator[embedded.Server]:
    """The live server; whoever leaves last stops it."""
    DATA_DIR.parent.mkdir(parents=True, exist_ok=True)
    users = os.open(DATA_DIR.with_name("test-pg.users"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with suppress(BlockingIOError):
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if DATA_DIR.is_symlink() and not DATA_DIR.exists():
                embedded.remove(DATA_DIR)  # somebody cleaned the system folder
            _as_admin(embedded.start(DATA_DIR, settings=SETTINGS), _drop_leftovers)
        fcntl.flock(users, fcntl.LOCK_SH)
        yield embedded.start(DATA_DIR, settings=SETTINGS)
        with suppress(BlockingIOError):
            fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            embedded.stop(DATA_DIR)
    finally:
        os.close(users)


@pytest.fixture(scope="session")
def template_database(database_server: embedded.Server) -> str:
    """The name of a migrated database that is only ever copied; made once for each state of the migrations."""
    texts = b"\0".join(path.read_bytes() for path in sorted(migrate.FOLDER.glob("*.sql")))
    code = Path(migrate.__file__).read_bytes()
    name = f"template_{hashlib.sha256(texts + code).hexdigest()[:16]}"

    async def make(admin: Admin) -> None:
        await admin.execute("SELECT pg_advisory_lock(hashtext($1))", name)
        if await admin.fetchval("SELECT datistemplate FROM pg_database WHERE datname = $1", name):
            return
        await admin.execute(f"DROP DATABASE IF EXISTS {name}")
        await migrate.migrate(
            database_server.dsn(), partitions=PARTITIONS, passwords=PASSWORDS, generations=GENERATIONS, database=name
        )
        await admin.execute(f"ALTER DATABASE {name} WITH IS_TEMPLATE true ALLOW_CONNECTIONS false")

    _as_admin(database_server, make)
    return name


@contextmanager
def _copy(server: embedded.Server, template: str) -> Iterator[migrate.Dsns]:
    name = f"test_{new_id().hex}"

    async def make(admin: Admin) -> None:
        # The default writes each page of 1,700 files to the log too: 0.6 s against 0.3 s (measured).
        await admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")

    async def drop(admin: Admin) -> None:
        await admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    _as_admin(server, make)
    yield migrate.addresses(server.dsn(), PASSWORDS, name)
    _as_admin(server, drop)


@pytest.fixture
def database(database_server: embedded.Server, template_database: str) -> Iterator[migrate.Dsns]:
    """A database of the test's own."""
    with _copy(database_server, template_database) as dsns:
        yield dsns


@pytest.fixture(scope="module")
def module_database(database_server: embedded.Server, template_database: str) -> Iterator[migrate.Dsns]:
    """A database for the tests of one module, each of which takes tenants of its own."""
    with _copy(database_server, template_database) as dsns:
        yield dsns
