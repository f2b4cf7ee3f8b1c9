"""Connections to PostgreSQL, and the one way to use them: a unit of work in one transaction of one tenant.

Rules: the tenant is set per transaction, so nothing outlives it; a transaction is one round trip to begin, the work's
own statements, one to commit. A unit of work may run again from its start, so it must have no effect but in its
transaction: once after a schema change made its prepared statements stale, up to three times after a deadlock or a
serialization failure. No unit of work waits for anything but the database.
It does not know tables or statements.
Source: asyncpg's documentation on pools and custom codecs; PostgreSQL 18, "Error Codes".
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TypeAlias, TypeVar
from uuid import UUID

import asyncpg
from asyncpg.pool import PoolConnectionProxy
from pgvector.asyncpg import register_vector

from shared.domain.errors import CandorError, Overloaded, UpstreamUnavailable

T = TypeVar("T")
Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"

CONNECT_TIMEOUT_SECONDS = 5.0  # chosen, untested
ACQUIRE_TIMEOUT_SECONDS = 10.0  # a request waits no longer for a free connection; chosen, untested
ROLLBACK_TIMEOUT_SECONDS = 5.0  # then the connection is dropped; chosen, untested
STATEMENT_CACHE_SIZE = 400  # more than all statements of a role; chosen
RETRY_AFTER_SECONDS = 1.0  # an embedded server is back after a crash in about a second (measured)
ATTEMPTS_AFTER_CLASH = 3
ATTEMPTS_AFTER_SCHEMA_CHANGE = 2

# pgvector's operators live in public. A generic plan could not prune partitions nor know how small a scope is.
SERVER_SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "search_path": "candor,public",
        "hnsw.ef_search": "100",
        "hnsw.iterative_scan": "relaxed_order",
        "plan_cache_mode": "force_custom_plan",
        "jit": "off",
    }
)

_STALE = (asyncpg.InvalidCachedStatementError, asyncpg.OutdatedSchemaCacheError)
_CLASHES = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
_GONE = (
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shutdown, crash recovery, cannot connect now
    asyncpg.InsufficientResourcesError,  # too many connections, full disk, out of memory
    OSError,  # among them the driver's time limits
)


_DRIVER_ERRORS = (asyncpg.InterfaceError, asyncpg.InternalClientError)


async def open_pool(
    dsn: str, *, size: int, application_name: str, also: Mapping[str, str] = MappingProxyType({})
) -> Pool:
    """Open a pool of at most `size` connections; it connects when used, so the database may come up later.

    `also`: settings that statements read, by name.
    """

    async def prepare(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        await register_vector(connection, schema="public")

    async def leave_as_is(connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        """Do nothing: settings are per transaction, and the default reset costs a round trip and wipes hnsw.*."""

    pool: Pool = await asyncpg.create_pool(
        dsn,
        min_size=0,
        max_size=size,
        timeout=CONNECT_TIMEOUT_SECONDS,
        init=prepare,
        reset=leave_as_is,
        statement_cache_size=STATEMENT_CACHE_SIZE,
        server_settings={**SERVER_SETTINGS, **also, "application_name": application_name},
    )
    return pool


async def run(pool: Pool, tenant_id: UUID, work: Callable[[Connection], Awaitable[T]], *, read_only: bool = False) -> T:
    """Run a unit of work in one transaction that sees the rows of one tenant only, and return its result.

    Units: a read-only one sees one snapshot throughout.
    Raises: UpstreamUnavailable DATABASE_UNAVAILABLE; Overloaded DATABASE_BUSY when no connection comes free.
    """
    mode = " ISOLATION LEVEL REPEATABLE READ READ ONLY" if read_only else ""
    # One simple query takes no parameters: a parsed UUID and nothing else is put into it.
    begin = f"BEGIN{mode}; SELECT set_config('candor.tenant', '{UUID(int=tenant_id.int)}', true)"
    return await _transact(pool, begin, work)


async def run_without_tenant(pool: Pool, work: Callable[[Connection], Awaitable[T]]) -> T:
    """Run a unit of work on tables that belong to no tenant's content; protected tables raise an error in it."""
    return await _transact(pool, "BEGIN", work)


async def _transact(pool: Pool, begin: str, work: Callable[[Connection], Awaitable[T]]) -> T:
    attempt = 0
    while True:
        attempt += 1
        try:
            return await _once(pool, begin, work)
        except _STALE:
            if attempt >= ATTEMPTS_AFTER_SCHEMA_CHANGE:
                raise
        except _CLASHES:
            if attempt >= ATTEMPTS_AFTER_CLASH:
                raise
        except _GONE as error:
            raise _unavailable(error) from error


async def _once(pool: Pool, begin: str, work: Callable[[Connection], Awaitable[T]]) -> T:
    try:
        async with asyncio.timeout(ACQUIRE_TIMEOUT_SECONDS):  # the pool's own limit costs a task each time
            connection = await pool.acquire()
    except TimeoutError as error:
        raise Overloaded(
            "DATABASE_BUSY", "no database connection came free in time", retry_after_seconds=RETRY_AFTER_SECONDS
        ) from error
    except asyncpg.InterfaceError as error:  # the pool is closing
        raise _unavailable(error) from error
    try:
        try:
            await connection.execute(begin)
            result = await work(connection)
            await connection.execute("COMMIT")
        except BaseException as error:  # a cancelled request, too, must not leave its transaction open
            await _roll_back(connection)
            # The driver complains of a lost connection as of a misuse; only a misused one can still be rolled back.
            if isinstance(error, _DRIVER_ERRORS) and _is_lost(connection):
                raise _unavailable(error) from error
            raise
    finally:
        await pool.release(connection)
    return result


async def _roll_back(connection: Connection) -> None:
    """End the transaction, or the connection when that cannot be done."""
    try:
        if not _is_lost(connection):
            await connection.execute("ROLLBACK", timeout=ROLLBACK_TIMEOUT_SECONDS)
    except (asyncpg.PostgresError, *_DRIVER_ERRORS, OSError):  # OSError holds TimeoutError
        with suppress(asyncpg.InterfaceError):  # lost in the meantime
            connection.terminate()


def _is_lost(connection: Connection) -> bool:
    """Tell whether a connection is closed; the pool takes one that broke away from its user at once."""
    try:
        return connection.is_closed()
    except asyncpg.InterfaceError:
        return True


def _unavailable(error: BaseException) -> CandorError:
    return UpstreamUnavailable(
        "DATABASE_UNAVAILABLE",
        "the database does not answer",
        metadata={"cause": type(error).__name__},
        retry_after_seconds=RETRY_AFTER_SECONDS,
    )
