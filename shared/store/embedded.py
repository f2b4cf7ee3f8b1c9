"""The embedded database: a PostgreSQL server of our own for one data directory, without installation or Docker.

Rules: loopback TCP only, scram passwords, data checksums; settings are arguments of the start, so that the same data
can start with others. `start` returns the live server if there is one, and recovers after kill -9; by a file lock two
starts at once give one server.
It does not know about schemas, roles or the services, and needs no driver.
Source: PostgreSQL 18 documentation, "Server Setup and Operation"; every rule has a test against real processes.
"""

import os
import shlex
import signal
import socket
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal
from urllib.parse import quote

from shared.store import embedded_data as data
from shared.store import embedded_process as process
from shared.store.embedded_binaries import Account, EmbeddedServerError, account_for, programs, run

__all__ = ["DEFAULT_SETTINGS", "EmbeddedServerError", "Server", "attach", "remove", "start", "stop"]

HOST = "127.0.0.1"
START_TIMEOUT_SECONDS = 120  # crash recovery replays up to max_wal_size of log; chosen, untested
STOP_TIMEOUT_SECONDS = 60  # a fast stop writes one checkpoint; chosen, untested
CONNECT_TIMEOUT_SECONDS = 5  # chosen, untested
NEWBORN_SECONDS = 5.0  # a backend forked as its postmaster was killed bears its name for some milliseconds; chosen
RETRY_SECONDS = 40.0  # leftovers that cannot be searched block a start for about 30 s (measured with kill -9)
RETRY_PAUSE_SECONDS = 0.5  # chosen, untested
POLL_SECONDS = 0.02  # chosen: below what a person notices
LOG_LIMIT_BYTES = 8 << 20  # one older log is kept; chosen, untested
LOG_TAIL_LINES = 15  # enough for the reason of a failed start; chosen
# Reasons in the server's log after which another attempt may succeed; the second only if the port is ours to choose.
_LEFTOVERS = "pre-existing shared memory block"
_PORT_TAKEN = "could not bind IPv4 address"

SHARED_BUFFERS_SHARE = 8  # of the machine's memory one part; PostgreSQL's manual: a quarter where nothing else runs
# A million memories: finding candidates cost 12 ms CPU with 256 MB, 6 ms with 2 GB (measured). Taken when it is used.
SHARED_BUFFERS_MIN_MIB, SHARED_BUFFERS_MAX_MIB = 128, 4_096


def _shared_buffers() -> str:
    """Return how much of this machine's memory holds pages of the database."""
    whole_mib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20
    part = whole_mib // SHARED_BUFFERS_SHARE
    return f"{min(max(part, SHARED_BUFFERS_MIN_MIB), SHARED_BUFFERS_MAX_MIB)}MB"


# For a development machine with 2 cores and 24 GB; the numbers without a source are chosen, untested.
DEFAULT_SETTINGS: Mapping[str, str] = MappingProxyType(
    {
        "listen_addresses": HOST,
        "unix_socket_directories": "",
        "synchronous_commit": "on",  # an acknowledged write survives kill -9
        "max_connections": "200",
        "shared_buffers": _shared_buffers(),
        "maintenance_work_mem": "256MB",
        "effective_cache_size": "4GB",
        "wal_compression": "on",
        "max_wal_size": "2GB",
        "random_page_cost": "1.1",  # solid state disks
        "jit": "off",  # for short statements compiling costs more than it saves
        "track_io_timing": "on",
        "timezone": "UTC",
        "log_timezone": "UTC",
        "log_checkpoints": "off",
    }
)


@dataclass(frozen=True, slots=True)
class Server:
    """A live server."""

    host: str
    port: int
    user: str
    password: str = field(repr=False)
    data_dir: Path
    pid: int

    def dsn(self, database: str = "postgres") -> str:
        """Return the address of one database for the superuser."""
        return f"postgresql://{self.user}:{quote(self.password)}@{self.host}:{self.port}/{quote(database, safe='')}"


def attach(data_dir: Path) -> Server | None:
    """Return the live server of a data directory, or None.

    Live: the process of the pid file is a postmaster that works in this directory, says it is ready, takes our password
    on its port and names this directory.
    """
    data_dir = data_dir.absolute()
    if not data.exists(data_dir):
        return None
    pid_file = data.read_pid_file(data_dir)
    if pid_file is None or not pid_file.is_ready:
        return None
    if not process.is_postmaster(pid_file.process_id, data_dir.resolve(), account_for(data_dir)):
        return None
    password = data.read_password(data_dir)
    address = ["-h", HOST, "-p", str(pid_file.port), "-U", data.SUPERUSER, "-d", "postgres"]
    answer = run(
        [programs(None) / "psql", "-XAtqw", *address, "-c", "SHOW data_directory"],
        None,
        environment={"PGPASSWORD": password, "PGCONNECT_TIMEOUT": str(CONNECT_TIMEOUT_SECONDS)},
    )
    if answer.stdout.strip() != str(data_dir.resolve()):
        return None
    return Server(HOST, pid_file.port, data.SUPERUSER, password, data_dir, pid_file.process_id)


def start(
    data_dir: Path,
    *,
    port: int = 0,
    settings: Mapping[str, str] = MappingProxyType({}),
    progress: Callable[[str], None] = lambda _message: None,
) -> Server:
    """Return the live server of a data directory; create the data and start the server as needed.

    Ties: a live server is returned as it is, whatever port and settings are asked for. Port 0 is the port of last time,
    or a free one when that is taken. `settings` go over DEFAULT_SETTINGS.
    Raises: EmbeddedServerError with the end of the server's log.
    """
    data_dir = data_dir.absolute()
    with data.locked(data_dir):
        if not data.exists(data_dir):
            progress("creating the embedded database (first time only)")
            data.create(data_dir)
        account = account_for(data_dir)
        server = _await_live(data_dir, account)
        if server is None:
            progress("starting the embedded database")
            _clear_leftovers(data_dir, account)
            _launch(data_dir, account, port, {**DEFAULT_SETTINGS, **settings})
            server = _await_live(data_dir, account)
        if server is None:
            raise EmbeddedServerError(f"the embedded database ended at once:\n{_log_tail(data_dir)}")
        return server


def stop(data_dir: Path, *, mode: Literal["fast", "immediate"] = "fast") -> None:
    """Stop the server of a data directory and wait until it is gone; without one, do nothing.

    `fast` ends the sessions and writes a checkpoint; `immediate` is a crash from which the next start recovers.
    Raises: EmbeddedServerError when it does not end in time.
    """
    data_dir = data_dir.absolute()
    if not data.exists(data_dir):
        return
    with data.locked(data_dir):
        account = account_for(data_dir)
        pid_file = data.read_pid_file(data_dir)
        if pid_file is not None and process.is_postmaster(pid_file.process_id, data_dir.resolve(), account):
            process.send(pid_file.process_id, signal.SIGINT if mode == "fast" else signal.SIGQUIT)
            if not process.wait_until_gone([pid_file.process_id], STOP_TIMEOUT_SECONDS):
                raise EmbeddedServerError(f"the embedded database does not stop:\n{_log_tail(data_dir)}")
        process.end_leftovers(data_dir.resolve(), account)


def remove(data_dir: Path) -> None:
    """Stop the server and delete its data, wherever they lie, with the files beside them."""
    stop(data_dir, mode="immediate")
    data.delete(data_dir.absolute())


def _await_live(data_dir: Path, account: Account | None) -> Server | None:
    """Return the live server, waiting for one that is just starting; None when there is no postmaster."""
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while True:
        server = attach(data_dir)
        if server is not None:
            return server
        pid_file = data.read_pid_file(data_dir)
        if pid_file is None or not process.is_postmaster(pid_file.process_id, data_dir.resolve(), account):
            return None
        if time.monotonic() > deadline:
            raise EmbeddedServerError(f"the embedded database runs but does not answer:\n{_log_tail(data_dir)}")
        time.sleep(POLL_SECONDS)


def _clear_leftovers(data_dir: Path, account: Account | None) -> None:
    """Remove what a killed postmaster left: its backends and its pid file.

    The file must go: PostgreSQL takes any process with that id for a server, even one that only waits to be reaped.
    Its own guard against a second server, the shared memory block of this directory, stays.
    """
    deadline = time.monotonic() + NEWBORN_SECONDS
    while (found := process.find_postmaster(data_dir.resolve(), account)) is not None:
        if time.monotonic() > deadline:
            raise EmbeddedServerError(f"process {found} serves {data_dir} without its pid file: stop it first")
        time.sleep(POLL_SECONDS)
    process.end_leftovers(data_dir.resolve(), account)
    (data_dir / "postmaster.pid").unlink(missing_ok=True)


def _launch(data_dir: Path, account: Account | None, port: int, settings: Mapping[str, str]) -> None:
    """Start the server and wait until it accepts connections, again while the reason for a failure can pass."""
    log_path, port_path = data.beside(data_dir, "log"), data.beside(data_dir, "port")
    if log_path.exists() and log_path.stat().st_size > LOG_LIMIT_BYTES:
        log_path.replace(data.beside(data_dir, "log.1"))
    deadline = time.monotonic() + RETRY_SECONDS
    while True:
        chosen = port or _choose_port(port_path)
        options = shlex.join(f"--{name}={value}" for name, value in {**settings, "port": str(chosen)}.items())
        command: list[str | Path] = [programs(account) / "pg_ctl", "start", "-D", data_dir.resolve(), "-o", options]
        log = os.open(log_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        try:
            before_bytes = os.fstat(log).st_size
            done = run([*command, "-s", "-w", "-t", str(START_TIMEOUT_SECONDS)], account, output=log)
        finally:
            os.close(log)
        if done.returncode == 0:
            port_path.write_text(f"{chosen}\n")
            return
        said = log_path.read_bytes()[before_bytes:].decode(errors="replace")
        can_pass = _LEFTOVERS in said or (_PORT_TAKEN in said and port == 0)
        if not can_pass or time.monotonic() > deadline:
            raise EmbeddedServerError(f"the embedded database did not start:\n{_log_tail(data_dir)}")
        time.sleep(RETRY_PAUSE_SECONDS)


def _choose_port(remembered: Path) -> int:
    """Return the port of last time if nobody took it, else a free one."""
    try:
        last = int(remembered.read_text())
    except (OSError, ValueError):
        last = 0
    for port in (last, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise EmbeddedServerError(f"no port is free on {HOST}")


def _log_tail(data_dir: Path) -> str:
    path = data.beside(data_dir, "log")
    lines = path.read_text(errors="replace").splitlines() if path.exists() else []
    return "\n".join([*lines[-LOG_TAIL_LINES:], f"(log: {path})"])
