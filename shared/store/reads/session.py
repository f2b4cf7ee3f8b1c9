"""The last turns of a session, as a talk goes on from them.

Rules: what was said counts, also where a fact speaks for it by now; what was forgotten, erased or found wrong does not.
It does not know who the assistant is.
Source: REQUIREMENTS D8.
"""

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("reads/session")


class Turn(NamedTuple):
    """What was said, by whom and when."""

    memory_id: UUID
    speaker: str | None
    text: str
    moment: datetime


async def last_turns(connection: Connection, tenant_id: UUID, session: str, at: datetime, most: int) -> list[Turn]:
    """Read the last turns of a session up to an instant, the oldest first."""
    rows = await connection.fetch(_SQL["last_turns"], tenant_id, session, at, most)
    return [Turn(*row) for row in reversed(rows)]
