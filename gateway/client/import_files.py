"""What a file for `candor import` is, and how another system's export becomes lines.

Rules: an archive tells itself by its first line. What is converted goes line by line into a file of its own, whose
numbers are those of the items. It does not know HTTP.
Source: docs/moving.md.
"""

import json
from collections.abc import Callable, Iterator
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path

from . import foreign

FIRST_LINE_BYTES = 16_384  # an archive's first line names format, tenant and time: some hundred bytes


class Source(StrEnum):
    """Whose lines they are."""

    CHAT = "chat"
    MEM0 = "mem0"


def is_archive(file: Path) -> bool:
    """Say whether a file is an export of Candor. Raises: OSError."""
    with file.open("rb") as opened:
        first = opened.readline(FIRST_LINE_BYTES)
    try:
        line = json.loads(first)
    except ValueError:
        return False
    told = line.get("result", line) if isinstance(line, dict) else None  # the body of an export as it came has `result`
    return isinstance(told, dict) and told.get("part") == "archive"


def convert(file: Path, source: Source, zone: tzinfo | None, into: Path) -> list[foreign.Item]:
    """Write another system's export as lines of memories; return the items that are wrong. Raises: OSError."""
    wrong, written = [], 0
    with file.open("rb") as opened, into.open("wb") as out:
        for item in _items(source)(opened, zone):
            out.write(b"\n" * (item.number - 1 - written))  # blank lines of the source gave no item
            out.write(item.line())
            written = item.number
            if item.memory is None:
                wrong.append(item)
    return wrong


def _items(source: Source) -> Callable[..., Iterator[foreign.Item]]:
    if source is Source.CHAT:
        return foreign.chat
    return lambda opened, zone: foreign.mem0(opened.read(), zone)
