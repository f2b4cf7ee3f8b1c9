"""Background processes of one machine: started, remembered, signalled and waited for.

Rules: a process is remembered in `run/<name>.json` by its id and the time it began, because ids are used again; its
output goes to `log/<name>.log`. It outlives whoever started it. It does not know what runs.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shared.config import child_environment

POLL_SECONDS = 0.05  # below what a person notices
LOG_TAIL_LINES = 15  # enough to see why a process did not start

# Kept while they run: a Popen that is dropped before its process ends is a warning and leaves a zombie.
_children: list["subprocess.Popen[bytes]"] = []


@dataclass(frozen=True, slots=True)
class Started:
    """A process of ours: its id and, since ids are used again, when it began."""

    name: str
    pid: int
    began: str

    @property
    def is_alive(self) -> bool:
        """Whether it still runs; one that only waits to be reaped does not."""
        return bool(self.began) and began(self.pid) == self.began


def began(pid: int) -> str:
    """Return what tells this process from a later one with the same id; empty if it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        if Path("/proc/self").exists():
            return ""
        listed = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
        return listed.stdout.strip()
    fields = stat.rpartition(")")[2].split()
    state, threads, began_ticks = fields[0], fields[17], fields[19]
    # A killed process is a zombie at once, but holds its ports until its last thread is gone.
    return "" if state == "Z" and int(threads) <= 1 else began_ticks


def spawn(home: Path, name: str, module: str, variables: Mapping[str, str]) -> Started:
    """Start a module in the background, with these variables over this process's own environment."""
    for folder in ("log", "run"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    with (home / "log" / f"{name}.log").open("ab") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", module],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=child_environment(variables),
        )
    _children.append(process)
    started = Started(name, process.pid, began(process.pid))
    (home / "run" / f"{name}.json").write_text(json.dumps([started.pid, started.began]))
    return started


def alive(home: Path) -> Iterator[Started]:
    """Yield the remembered processes that still live, and forget the others."""
    for path in sorted((home / "run").glob("*.json")):
        process = Started(path.stem, *json.loads(path.read_text()))
        if process.is_alive:
            yield process
        else:
            path.unlink()


def log_tail(home: Path, name: str) -> str:
    """Return the end of what a process said."""
    path = home / "log" / f"{name}.log"
    return f"The end of {path}:\n" + "\n".join(path.read_text(errors="replace").splitlines()[-LOG_TAIL_LINES:])


def send(processes: list[Started], number: signal.Signals) -> None:
    """Send a signal to those that still live."""
    for process in processes:
        if process.is_alive:
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(process.pid, number)


def wait_gone(processes: list[Started], seconds: float) -> list[Started]:
    """Wait until they are gone and return those that are not."""
    deadline = time.monotonic() + seconds
    while (left := [process for process in processes if process.is_alive]) and time.monotonic() < deadline:
        for child in _children:
            child.poll()  # a child of ours stays a zombie until it is asked for
        time.sleep(POLL_SECONDS)
    return left
