"""The schema this code needs: the migration files it comes with, by name and checksum.

Rules: checksums are of the files as written, before `:partitions` is put in. A database may be ahead of the code (a
roll-out migrates first) but never behind it.
It does not know how migrations are run.
"""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from shared.domain.errors import FailedPrecondition
from shared.store.pool import Connection

FOLDER = Path(__file__).parent / "migrations"


def read_files(folder: Path = FOLDER) -> dict[str, str]:
    """Read the migration files of a folder, in the order they run."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.sql"))}


def checksums_of(files: Mapping[str, str]) -> dict[str, str]:
    """Return the checksum of each file."""
    return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files.items()}


async def check_schema(connection: Connection) -> None:
    """Refuse a database whose schema is behind this code, or another one.

    Raises: FailedPrecondition SCHEMA_OUTDATED.
    """
    done = set[tuple[str, str]]()
    if await connection.fetchval("SELECT to_regclass('schema_migration')"):
        done = {(row["name"], row["checksum"]) for row in await connection.fetch(_APPLIED)}
    missing = [name for name, checksum in _needed().items() if (name, checksum) not in done]
    if missing:
        raise FailedPrecondition(
            "SCHEMA_OUTDATED", f"the database lacks {', '.join(missing)}: migrate it", metadata={"missing": missing[0]}
        )


_APPLIED = "SELECT name, checksum FROM schema_migration"


@cache
def _needed() -> dict[str, str]:
    return checksums_of(read_files())
