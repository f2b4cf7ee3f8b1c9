"""The data of the embedded server: created once, whole or not at all, with the files that lie beside them.

Rules: beside the data directory `pg` lie `pg.password` (0600, the superuser's), `pg.port`, `pg.log` and `pg.lock`. An
ordinary user's data lie in `pg` itself; root's are a 0700 folder of another user in the system folder and `pg` is a
symbolic link to it, because that user cannot enter every place where root keeps a clone. Deleting the link alone leaves
that folder: use `delete`.
It does not know how a server is started or found.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from shared.clock import new_secret
from shared.store.embedded_binaries import Account, EmbeddedServerError, account_for, programs, run, system_folder

SUPERUSER = "candor_super"
INITDB_TIMEOUT_SECONDS = 120  # 1 s on an idle machine (measured); chosen for a busy one
SIDE_FILES = ("password", "port", "log", "log.1", "lock")


@dataclass(frozen=True, slots=True)
class PidFile:
    """What `postmaster.pid` says; source: PostgreSQL's `pidfile.h` (line 1 process id, 4 port, 8 state)."""

    process_id: int
    port: int
    is_ready: bool


def exists(data_dir: Path) -> bool:
    """Tell whether there are data.

    Raises: EmbeddedServerError when they are there but closed to the caller.
    """
    try:
        return (data_dir / "PG_VERSION").exists()
    except PermissionError as error:
        raise EmbeddedServerError(f"{data_dir} belongs to another user: run as that user or as root") from error


def beside(data_dir: Path, kind: str) -> Path:
    """Return the path of one of SIDE_FILES."""
    return data_dir.with_name(f"{data_dir.name}.{kind}")


def read_pid_file(data_dir: Path) -> PidFile | None:
    """Return what `postmaster.pid` says; None when it is absent or only half-written."""
    try:
        lines = (data_dir / "postmaster.pid").read_text(errors="replace").splitlines()
        return PidFile(int(lines[0]), int(lines[3]), len(lines) > 7 and lines[7].strip() == "ready")
    except (FileNotFoundError, IndexError, ValueError):
        return None


def read_password(data_dir: Path) -> str:
    """Return the superuser's password.

    Raises: EmbeddedServerError when its file is gone or closed to the caller.
    """
    try:
        return beside(data_dir, "password").read_text().strip()
    except OSError as error:
        raise EmbeddedServerError(f"the data in {data_dir} cannot be opened without their password: {error}") from error


@contextmanager
def locked(data_dir: Path) -> Iterator[None]:
    """Hold the lock of a data directory; the system drops it when the process ends, however it ends."""
    data_dir.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(beside(data_dir, "lock"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise EmbeddedServerError(f"the lock beside {data_dir} cannot be opened: {error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def create(data_dir: Path) -> None:
    """Make the data in a staging folder and put them in place with one rename.

    Raises: EmbeddedServerError when something else is in the way or initdb fails.
    """
    if data_dir.is_symlink() or (data_dir.exists() and (not data_dir.is_dir() or any(data_dir.iterdir()))):
        raise EmbeddedServerError(f"{data_dir} is there but is no database: move it away, or restore what it points to")
    account = account_for(data_dir)
    home = system_folder() if account else data_dir.parent
    staging = Path(tempfile.mkdtemp(prefix="data-" if account else f"{data_dir.name}.new-", dir=home))
    try:
        _initdb(staging, _new_password(data_dir), account)
        if data_dir.exists():
            data_dir.rmdir()  # an empty folder may be given
        if account:
            data_dir.symlink_to(staging)
        else:
            staging.rename(data_dir)
    except BaseException:  # an interrupt, too, leaves nothing half-made
        shutil.rmtree(staging, ignore_errors=True)
        raise


def delete(data_dir: Path) -> None:
    """Delete the data, wherever they lie, and the files beside them; no server may run."""
    shutil.rmtree(data_dir.resolve(), ignore_errors=True)
    if data_dir.is_symlink():
        data_dir.unlink()
    for kind in SIDE_FILES:
        beside(data_dir, kind).unlink(missing_ok=True)


def _new_password(data_dir: Path) -> str:
    """Return a new password, kept on disk before the data that need it."""
    password = new_secret()
    path = beside(data_dir, "password")
    path.unlink(missing_ok=True)  # of data that never came to be
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(password + "\n")
        file.flush()
        os.fsync(handle)
    return password


def _initdb(staging: Path, password: str, account: Account | None) -> None:
    with tempfile.NamedTemporaryFile("w", dir=staging.parent) as file:  # 0600, and in reach of the account
        file.write(password)
        file.flush()
        if account:
            os.fchown(file.fileno(), account.uid, account.gid)
            os.chown(staging, account.uid, account.gid)
        done = run(
            [
                *(programs(account) / "initdb", "-D", staging, "-U", SUPERUSER, f"--pwfile={file.name}"),
                *("--auth=scram-sha-256", "--data-checksums", "--encoding=UTF8"),
                *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
            ],
            account,
            timeout_seconds=INITDB_TIMEOUT_SECONDS,
        )
    if done.returncode != 0:
        raise EmbeddedServerError(f"initdb failed:\n{done.stdout}{done.stderr}".rstrip())
