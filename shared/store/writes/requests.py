"""Requests by their idempotency key: the same id with the same body gets the same answer and has no second effect.

Rules: a request is claimed before anything else is written, and answered in the same transaction; its twin waits at the
claim and then finds the answer, or, when the first one failed, goes on in its place. Bodies are compared by a keyed
hash.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.domain.errors import Conflict
from shared.store.pool import Connection
from shared.store.statements import load

_SQL = load("writes/requests")


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What makes two requests the same."""

    tenant_id: UUID
    rpc: str
    request_id: str
    request_hash: bytes


async def find(connection: Connection, key: RequestKey) -> bytes | None:
    """Return the answer the request got before, or None.

    Raises: Conflict REQUEST_ID_REUSED when its id came with another body.
    """
    row = await connection.fetchrow(_SQL["find"], key.tenant_id, key.rpc, key.request_id)
    if row is None:
        return None
    if row["request_hash"] != key.request_hash:
        raise Conflict(
            "REQUEST_ID_REUSED",
            "the request id was used before with another body",
            metadata={"request_id": key.request_id},
        )
    return bytes(row["response"])


async def claim(connection: Connection, key: RequestKey, recorded_at: datetime) -> bytes | None:
    """Take a request for this transaction and return None, or return the answer it got before.

    Raises: Conflict REQUEST_ID_REUSED when its id came with another body.
    """
    values = (key.tenant_id, key.rpc, key.request_id, key.request_hash, recorded_at)
    if await connection.fetchval(_SQL["claim"], *values):
        return None
    return await find(connection, key)


async def answer(connection: Connection, key: RequestKey, response: bytes) -> None:
    """Keep the answer of a request this transaction has claimed."""
    await connection.execute(_SQL["answer"], key.tenant_id, key.rpc, key.request_id, response)
