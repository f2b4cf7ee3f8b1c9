"""CPU time and memory of every process of a running Candor, read from /proc.

Rules: user and system time of all threads; the database's is the sum over its processes, those that ended included,
sessions of clients apart from its own background work. Memory that processes share is counted once, in shares. Linux
only. Units: milliseconds; the kernel counts in ticks of 10 ms, so a stretch should last seconds; MiB.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from services import dev
from shared.config import Settings
from shared.store import embedded

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
CLIENT = "client"


def taken(settings: Settings) -> dict[str, float]:
    """Return the milliseconds that each process has taken so far, this one as `client`."""
    found = {process.name: _own(process.pid) for process in dev.running(settings)}
    server = embedded.attach(settings.home / "pg")
    if server is None:
        raise SystemExit("speed: the embedded database is not running")
    sessions, background = 0.0, 0.0
    for pid in _children(server.pid):
        is_session = b"127.0.0.1" in _title(pid)
        sessions += _own(pid) if is_session else 0.0
        background += 0.0 if is_session else _own(pid)
    # The postmaster's children that ended were sessions, but for a few autovacuum workers.
    sessions += _ended_children(server.pid)
    background += _own(server.pid)
    return {**found, "postgres": sessions, "postgres background": background, CLIENT: _own(os.getpid())}


def memory(settings: Settings) -> dict[str, int]:
    """Return the MiB that each process holds now: its own and its share of what it shares (PSS)."""
    server = embedded.attach(settings.home / "pg")
    if server is None:
        raise SystemExit("speed: the embedded database is not running")
    found = {process.name: _held(process.pid) for process in dev.running(settings)}
    found["postgres"] = _held(server.pid) + sum(map(_held, _children(server.pid)))
    return {name: round(kib / 1024) for name, kib in found.items()}


def of_session(pid: int) -> float:
    """Return the milliseconds that one database session has taken, to the nanosecond: it has one thread."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e6


def since(before: Mapping[str, float], after: Mapping[str, float], count: int) -> dict[str, float]:
    """Return milliseconds per item between two readings."""
    return {name: round((after[name] - before.get(name, 0.0)) / count, 3) for name in after}


def of_product(per_item: Mapping[str, float]) -> float:
    """Return the sum over all processes but the client's."""
    return round(sum(ms for name, ms in per_item.items() if name != CLIENT), 3)


def _fields(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ["0"] * 20


def _own(pid: int) -> float:
    fields = _fields(pid)
    return (int(fields[11]) + int(fields[12])) * 1000 / _TICKS_PER_SECOND


def _held(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _ended_children(pid: int) -> float:
    fields = _fields(pid)
    return (int(fields[13]) + int(fields[14])) * 1000 / _TICKS_PER_SECOND


def _children(parent: int) -> list[int]:
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal())
    return [pid for pid in pids if _fields(pid)[1] == str(parent)]


def _title(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
