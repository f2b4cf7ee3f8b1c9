"""The embedded server against real processes: creating, attaching, stopping, and recovering from kill -9."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from shared.store import embedded, embedded_process
from shared.store import embedded_binaries as binaries
from shared.store import embedded_data as data

pytestmark = pytest.mark.anyio

REPOSITORY = Path(__file__).parents[2]
IS_ROOT = os.geteuid() == 0
ENDLESS = "SELECT count(*) FROM generate_series(1, 10000000000)"


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[embedded.Server]:
    """A server that no test stops."""
    data_dir = tmp_path_factory.mktemp("lasting") / "pg"
    yield embedded.start(data_dir)
    embedded.remove(data_dir)


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The data of a server that every test starts and may kill, inside a folder closed to other users."""
    home = tmp_path_factory.mktemp("closed")
    home.chmod(0o700)
    yield home / "pg"
    embedded.remove(home / "pg")


@asynccontextmanager
async def connected(server: embedded.Server) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(server.dsn(), timeout=10)
    try:
        yield connection
    finally:
        await connection.close(timeout=10)


async def until_active(connection: "asyncpg.Connection[asyncpg.Record]", backend: int) -> None:
    active = "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state = 'active'"
    while not await connection.fetchval(active, backend):
        pass


def kill_postmaster(server: embedded.Server) -> None:
    os.kill(server.pid, signal.SIGKILL)
    assert embedded_process.wait_until_gone([server.pid], 10)


async def test_a_new_server_is_safe_by_its_settings(lasting: embedded.Server) -> None:
    async with connected(lasting) as connection:
        rows = await connection.fetch("SELECT name, setting FROM pg_settings")
        provider = await connection.fetchrow(
            "SELECT datlocprovider = 'b' AS builtin, datlocale FROM pg_database WHERE datname = 'template1'"
        )
    shown = {row["name"]: row["setting"] for row in rows}
    expected = {
        "data_checksums": "on",
        "fsync": "on",
        "full_page_writes": "on",
        "synchronous_commit": "on",
        "password_encryption": "scram-sha-256",
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "server_encoding": "UTF8",
        "jit": "off",
        "max_connections": "200",
    }
    assert {name: shown[name] for name in expected} == expected
    assert tuple(provider or ()) == (True, "C.UTF-8")
    assert shown["server_version"].startswith("18.")


async def test_pgvector_can_be_created(lasting: embedded.Server) -> None:
    async with connected(lasting) as connection:
        await connection.execute("CREATE EXTENSION vector")
        version = await connection.fetchval("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        distance = await connection.fetchval("SELECT '[1,0]'::vector <=> '[0,1]'::vector")
    assert tuple(int(part) for part in version.split(".")) >= (0, 8, 5)
    assert distance == 1.0


async def test_a_wrong_password_is_refused(lasting: embedded.Server) -> None:
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(replace(lasting, password="wrong").dsn(), timeout=10)


def test_the_password_is_private_and_not_printed(lasting: embedded.Server) -> None:
    file = lasting.data_dir.with_name("pg.password")
    assert file.stat().st_mode & 0o077 == 0
    assert file.read_text().strip() == lasting.password
    assert len(lasting.password) >= 32
    assert lasting.password not in repr(lasting)
    assert lasting.data_dir.stat().st_mode & 0o077 == 0


def test_attach_and_start_find_the_live_server(lasting: embedded.Server) -> None:
    assert embedded.attach(lasting.data_dir) == lasting
    messages: list[str] = []
    assert embedded.start(lasting.data_dir, port=1, progress=messages.append) == lasting
    assert messages == []


def test_another_password_file_is_not_ours(lasting: embedded.Server) -> None:
    file = lasting.data_dir.with_name("pg.password")
    try:
        file.write_text("wrong")
        assert embedded.attach(lasting.data_dir) is None
    finally:
        file.write_text(lasting.password)


def test_root_keeps_the_data_where_their_user_can_enter(lasting: embedded.Server) -> None:
    assert lasting.data_dir.is_symlink() == IS_ROOT
    assert (lasting.data_dir.stat().st_uid == 0, lasting.data_dir.parent.stat().st_uid == 0) == (False, IS_ROOT)


def test_nothing_to_attach_or_stop(tmp_path: Path) -> None:
    assert embedded.attach(tmp_path / "pg") is None
    embedded.stop(tmp_path / "pg")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "pg").mkdir()
    (tmp_path / "pg" / "letter").write_text("keep me")
    with pytest.raises(embedded.EmbeddedServerError, match="is no database"):
        embedded.start(tmp_path / "pg")
    assert (tmp_path / "pg" / "letter").read_text() == "keep me"


async def test_a_restart_keeps_data_and_port_and_takes_settings(data_dir: Path) -> None:
    messages: list[str] = []
    first = embedded.start(data_dir, progress=messages.append)
    assert messages[-1] == "starting the embedded database"
    async with connected(first) as connection:
        await connection.execute("CREATE TABLE restarted AS SELECT 42 AS number")
        embedded.stop(data_dir)
        assert embedded.attach(data_dir) is None
        assert not (data_dir / "postmaster.pid").exists()
    second = embedded.start(data_dir, settings={"work_mem": "7MB", "application_name": 'it\'s "quoted" $HOME'})
    assert (second.port, second.password) == (first.port, first.password)
    assert second.pid != first.pid
    async with connected(second) as connection:
        assert await connection.fetchval("SELECT number FROM restarted") == 42
        assert await connection.fetchval("SHOW work_mem") == "7MB"
        default = await connection.fetchval("SELECT reset_val FROM pg_settings WHERE name = 'application_name'")
        assert default == 'it\'s "quoted" $HOME'


async def test_kill_9_with_a_busy_backend_is_recovered(data_dir: Path) -> None:
    server = embedded.start(data_dir)
    async with connected(server) as writer:
        await writer.execute("CREATE TABLE kept (number int)")
    busy = await asyncpg.connect(server.dsn())
    backend = busy.get_server_pid()
    query = asyncio.create_task(busy.fetch(ENDLESS))
    async with connected(server) as writer:
        await until_active(writer, backend)
        await writer.execute("INSERT INTO kept SELECT generate_series(1, 1000)")
        kill_postmaster(server)
    assert embedded_process.is_running(backend)  # the case this test is about
    assert embedded.attach(data_dir) is None
    again = await asyncio.wait_for(
        asyncio.to_thread(embedded.start, data_dir), timeout=25
    )  # untreated, a leftover blocks 30 s
    assert not embedded_process.is_running(backend)
    with pytest.raises((asyncpg.PostgresError, OSError)):
        await query
    async with connected(again) as reader:
        assert await reader.fetchval("SELECT count(*) FROM kept") == 1000


async def test_stop_ends_what_a_killed_postmaster_left(data_dir: Path) -> None:
    server = embedded.start(data_dir)
    busy = await asyncpg.connect(server.dsn())
    backend = busy.get_server_pid()
    query = asyncio.create_task(busy.fetch(ENDLESS))
    async with connected(server) as other:
        await until_active(other, backend)
        kill_postmaster(server)
    embedded.stop(data_dir)
    assert not embedded_process.is_running(backend)
    with pytest.raises((asyncpg.PostgresError, OSError)):
        await query


@pytest.mark.parametrize("other", ["a process", "another server"])
def test_a_reused_process_id_does_not_fool_it(data_dir: Path, lasting: embedded.Server, other: str) -> None:
    server = embedded.start(data_dir)
    kill_postmaster(server)
    account = binaries.account_for(data_dir)
    owner = account.uid if account else None
    with subprocess.Popen(["sleep", "1000"], user=owner, cwd="/") as sleeper:
        try:
            pid_file = data_dir / "postmaster.pid"
            lines = pid_file.read_text().splitlines(keepends=True)
            taken = sleeper.pid if other == "a process" else lasting.pid
            pid_file.write_text("".join([f"{taken}\n", *lines[1:]]))
            assert embedded.attach(data_dir) is None
            embedded.stop(data_dir)
            assert embedded.start(data_dir).pid not in (taken, server.pid)
            assert sleeper.poll() is None
            assert embedded.attach(lasting.data_dir) == lasting
        finally:
            sleeper.kill()


def test_processes_that_start_a_new_server_at_once_get_one(tmp_path: Path) -> None:
    data_dir = tmp_path / "pg"
    program = "import sys, pathlib; from shared.store import embedded; s = embedded.start(pathlib.Path(sys.argv[1])); "
    command = [sys.executable, "-c", program + "print(s.pid, s.dsn())", str(data_dir)]
    try:
        starts = [subprocess.Popen(command, cwd=REPOSITORY, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        printed = {process.communicate(timeout=120)[0] for process in starts}
        server = embedded.attach(data_dir)
        assert server is not None
        assert printed == {f"{server.pid} {server.dsn()}\n"}
    finally:
        embedded.remove(data_dir)


def test_a_taken_port_is_replaced_unless_it_was_asked_for(data_dir: Path) -> None:
    first = embedded.start(data_dir)
    embedded.stop(data_dir)
    with socket.create_server(("127.0.0.1", first.port)):
        with pytest.raises(embedded.EmbeddedServerError, match="Address already in use"):
            embedded.start(data_dir, port=first.port)
        assert embedded.start(data_dir).port != first.port


def test_a_bad_setting_is_named_in_the_error(data_dir: Path) -> None:
    embedded.stop(data_dir)
    with pytest.raises(embedded.EmbeddedServerError, match="no_such_setting"):
        embedded.start(data_dir, settings={"no_such_setting": "1"})


def test_a_failed_creation_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    staged: list[Path] = []
    initdb = data._initdb

    def recording(staging: Path, password: str, account: binaries.Account | None) -> None:
        staged.append(staging)
        initdb(staging, password, account)

    monkeypatch.setattr(data, "_initdb", recording)
    monkeypatch.setattr(data, "SUPERUSER", "pg_reserved")
    with pytest.raises(embedded.EmbeddedServerError, match="pg_"):
        embedded.start(tmp_path / "pg")
    assert [path.exists() for path in (*staged, tmp_path / "pg")] == [False, False]
