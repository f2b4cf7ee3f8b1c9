"""Which running processes belong to a data directory, and how leftovers end.

Rules: a process id read from a file proves nothing, ids are reused; a process counts only when it is a `postgres` whose
working directory *is* the data directory (same device and inode). A leftover is such a process whose parent is not:
after kill -9 of the postmaster a busy backend lives on, holds the shared memory and blocks the next start. Without
/proc (macOS) the command line is asked from `ps`, and leftovers are not searched.
It does not know about ports, passwords or how a server starts.
"""

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from shared.store.embedded_binaries import Account, run

_PROC = Path("/proc")
HAS_PROC = (_PROC / "self" / "cmdline").exists()
TERM_GRACE_SECONDS = 2.0  # a backend that reaches an interrupt check ends within milliseconds; chosen
KILL_GRACE_SECONDS = 10.0  # chosen, untested: only the kernel is waited for
POLL_SECONDS = 0.01  # chosen: below what a person notices


def is_postmaster(process_id: int, data_dir: Path, account: Account | None) -> bool:
    """Tell whether `process_id` is the live main process of the server of `data_dir`."""
    if HAS_PROC:
        title = _title(process_id)
        return _is_postgres(title) and not _is_child(title) and _works_in(process_id, data_dir, account)
    shown = run(["ps", "-ww", "-o", "command=", "-p", str(process_id)], None).stdout
    return "/postgres " in shown and f"-D {data_dir}" in shown


def is_running(process_id: int) -> bool:
    """Tell whether a process has this id; one that only waits to be reaped does not count."""
    if HAS_PROC:
        return bool(_title(process_id))
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass  # it is there, but another user's
    return True


def find_postmaster(data_dir: Path, account: Account | None) -> int | None:
    """Return a live main process of `data_dir` found without its pid file, if there is one."""
    return next((pid for pid in _members(data_dir, account) if not _is_child(_title(pid))), None)


def end_leftovers(data_dir: Path, account: Account | None) -> int:
    """End the backends of `data_dir` that outlived their postmaster and return how many there were.

    Ties: TERM first, KILL after TERM_GRACE_SECONDS.
    """
    found = _leftovers(data_dir, account)
    for sign, grace_seconds in ((signal.SIGTERM, TERM_GRACE_SECONDS), (signal.SIGKILL, KILL_GRACE_SECONDS)):
        remaining = _leftovers(data_dir, account)
        for process_id in remaining:
            send(process_id, sign)
        if wait_until_gone(remaining, grace_seconds):
            break
    return len(found)


def send(process_id: int, sign: signal.Signals) -> None:
    """Send a signal; a process that has just ended is no error."""
    try:
        os.kill(process_id, sign)
    except ProcessLookupError:
        pass


def wait_until_gone(process_ids: Sequence[int], timeout_seconds: float) -> bool:
    """Wait for processes to end and tell whether all did."""
    deadline = time.monotonic() + timeout_seconds
    while any(is_running(process_id) for process_id in process_ids):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def _leftovers(data_dir: Path, account: Account | None) -> list[int]:
    members = _members(data_dir, account)
    return [pid for pid in members if _is_child(_title(pid)) and _parent(pid) not in members]


def _members(data_dir: Path, account: Account | None) -> set[int]:
    """Return the ids of all server processes that work in `data_dir`."""
    if not HAS_PROC:
        return set()
    ids = (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdecimal())
    return {pid for pid in ids if _is_postgres(_title(pid)) and _works_in(pid, data_dir, account)}


def _title(process_id: int) -> str:
    """Return the program or the title a process shows; empty for one that ended, reaped or not."""
    try:
        return (_PROC / str(process_id) / "cmdline").read_bytes().split(b"\0")[0].decode(errors="replace")
    except OSError:
        return ""


def _is_postgres(title: str) -> bool:
    return _is_child(title) or title.rpartition("/")[2] == "postgres"


def _is_child(title: str) -> bool:
    return title.startswith("postgres:")


def _parent(process_id: int) -> int:
    try:
        after_name = (_PROC / str(process_id) / "stat").read_text(errors="replace").rpartition(")")[2]
    except OSError:
        return 0
    return int(after_name.split()[1])


def _works_in(process_id: int, data_dir: Path, account: Account | None) -> bool:
    """Tell whether the working directory of a process is `data_dir`, whatever its path is called there."""
    there = _PROC / str(process_id) / "cwd"
    own = data_dir.stat()
    try:
        return os.path.samestat(there.stat(), own)
    except PermissionError:
        # Root in a container without CAP_SYS_PTRACE may not look into other users' processes; their owner may.
        if account is None:
            return False
        shown = run(["stat", "-L", "-c", "%d:%i", there], account)
        return shown.stdout.strip() == f"{own.st_dev}:{own.st_ino}"
    except OSError:
        return False  # it has just ended
