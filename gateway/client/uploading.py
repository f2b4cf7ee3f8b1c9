"""Files of lines on their way up: read in parts, from any line on, so that no size is too large.

Rules: a file is never held whole. What was sent before is passed over by its line feeds. It does not know what a line
says, nor how often a file is sent.
Source: docs/api.md, "Uploads".
"""

from collections.abc import AsyncIterator, Callable, Generator, Mapping
from pathlib import Path
from typing import Any

import anyio.to_thread

from .calls import Call
from .moving import ArchiveProgress, ImportProgress

PART_BYTES = 64 * 1024  # read at a time; chosen, untested
NDJSON = "application/x-ndjson"


def quiet(sent_bytes: int) -> None:
    """Tell nobody."""


def memories(bulk: bool) -> Call[ImportProgress]:
    """Return the call that takes memories line by line; with `bulk` a job moves their vectors into the index."""
    return Call("POST", "/v1/memories:import", ImportProgress, query={"mode": "bulk"} if bulk else {})


def archive(dry_run: bool) -> Call[ArchiveProgress]:
    """Return the call that fills an empty memory from an archive; with `dry_run` it only looks through it."""
    return Call("POST", "/v1/import", ArchiveProgress, query={"dryRun": "true"} if dry_run else {})


def request(path: str, query: Mapping[str, Any], import_id: str, first_line: int) -> dict[str, Any]:
    """Return the arguments of an HTTP client's request, but for the body."""
    headers = {"Accept": "application/json", "Content-Type": NDJSON, "Idempotency-Key": import_id}
    return {"method": "POST", "url": path, "headers": headers, "params": {**query, "firstLine": first_line}}


def parts(file: Path, first_line: int, sent: Callable[[int], None]) -> Generator[bytes, None, None]:
    """Yield a file from a line on, and tell how many of its bytes were given. Raises: OSError."""
    with file.open("rb") as opened:
        for _ in range(first_line - 1):
            opened.readline()
        while part := opened.read(PART_BYTES):
            yield part
            sent(opened.tell())


async def asynchronously(file: Path, first_line: int, sent: Callable[[int], None]) -> AsyncIterator[bytes]:
    """Yield the same, read in threads."""
    given = parts(file, first_line, sent)
    try:
        while (part := await anyio.to_thread.run_sync(next, given, None)) is not None:
            yield part
    finally:
        given.close()
