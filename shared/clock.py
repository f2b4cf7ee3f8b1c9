"""The only place that reads the wall clock or draws anything at random.

Rules: everything else takes time and ids as arguments. Ids are UUIDv7 (RFC 9562), so that inserts stay near each other
in an index; they are never used for order.
"""

import secrets
import time
from datetime import UTC, datetime
from uuid import UUID


def now() -> datetime:
    """Return the present instant in UTC, to the millisecond: a printed instant then finds what it was printed of."""
    instant = datetime.now(UTC)
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def new_id() -> UUID:
    """Return a UUIDv7: 48 bits of milliseconds, then 74 random bits."""
    milliseconds = time.time_ns() // 1_000_000
    value = (milliseconds & ((1 << 48) - 1)) << 80 | secrets.randbits(80)
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return UUID(int=value)


def new_secret(size_bytes: int = 32) -> str:
    """Return a URL-safe secret of `size_bytes` random bytes."""
    return secrets.token_urlsafe(size_bytes)


def new_salt() -> bytes:
    """Return 32 random bytes."""
    return secrets.token_bytes(32)
