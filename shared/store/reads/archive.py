"""A tenant's memory as JSON lines, some keys at a time, as of an instant.

Rules: a key is a memory, a decision, a finding, an operation or a version of the settings; all lines of a key are read
in one snapshot. The order of keys and lines depends on what they say alone, so the same memory gives the same lines.
It does not know how lines are sent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/archive")

SECTIONS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "setting": ("setting",),
        "memory": ("memory", "event", "assertion", "use", "entry"),
        "operation": ("operation",),
        "decision": ("decision", "decision_memory", "decision_assertion"),
        "finding": ("finding", "finding_memory"),
    }
)
"""What is read in which order, and the parts of each; without a line of the first part a key is not there.

What others point at comes later, so that it is there when it is read: operations behind memories.
"""


@dataclass(frozen=True, slots=True)
class Keyed:
    """The lines of one key: the part of each, and its JSON object."""

    key: str
    lines: tuple[tuple[str, str], ...]


async def page(
    connection: Connection, tenant_id: UUID, section: str, after: str | None, limit: int, known_at: datetime
) -> list[Keyed]:
    """Read the lines of the next keys of a section; none: it has ended. A key may have no lines."""
    keys = [row["key"] for row in await connection.fetch(_SQL[f"{section}_keys"], tenant_id, after, limit, known_at)]
    if not keys:
        return []
    await connection.execute(_SQL["utc"])
    first, *others = SECTIONS[section]
    lines: dict[str, list[tuple[str, str]]] = {}
    for row in await connection.fetch(_SQL[first], tenant_id, keys, known_at):
        lines.setdefault(row["key"], []).append((first, row["line"]))
    for part in others:
        for row in await connection.fetch(_SQL[part], tenant_id, keys, known_at):
            if row["key"] in lines:
                lines[row["key"]].append((part, row["line"]))
    return [Keyed(key, tuple(lines.get(key, ()))) for key in keys]
