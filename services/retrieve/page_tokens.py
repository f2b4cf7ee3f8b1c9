"""Page and resume tokens: where a list or a stream goes on, sealed.

Rules: a token works for the tenant, the RPC and the filters it was given for and for nothing else; what it holds is not
secret and cannot be changed. It holds no snapshot: the instant in it makes later pages agree with the first.
It does not know what a place in an order means.
Source: keyed BLAKE2b as a message authentication code, RFC 7693.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from hmac import compare_digest
from typing import TypeAlias
from uuid import UUID

from google.protobuf.message import Message

from shared.domain.errors import InvalidArgument

Place: TypeAlias = Sequence[str | int]

SEAL_BYTES = 16  # 128 bits: as hard to guess as a UUID
FORMAT = b"1"  # changes when the meaning of a place does: older tokens are then refused
# What may differ from page to page.
_FREE_FIELDS = frozenset(("tenant_id", "page_token", "resume_token", "limit"))


class Tokens:
    """Seals and opens the tokens of one request's filters."""

    def __init__(self, key: bytes, tenant_id: UUID, request: Message, field: str) -> None:
        self._field = field
        self._reason = f"{field.upper()}_INVALID"
        bound = type(request)()
        bound.CopyFrom(request)
        for name in _FREE_FIELDS.intersection(bound.DESCRIPTOR.fields_by_name):
            bound.ClearField(name)
        rpc = bound.DESCRIPTOR.full_name.encode()
        self._mac = blake2b(key=key, digest_size=SEAL_BYTES)
        for part in (FORMAT, tenant_id.bytes, rpc, bound.SerializeToString(deterministic=True)):
            self._mac.update(len(part).to_bytes(8, "big") + part)

    def seal(self, place: Place) -> str:
        """Return the token of a place."""
        payload = json.dumps(place, ensure_ascii=False, separators=(",", ":")).encode()
        return urlsafe_b64encode(self._seal_of(payload) + payload).rstrip(b"=").decode()

    def open(self, token: str) -> list[str | int] | None:
        """Return the place in a token; None for an empty one, which asks for the beginning.

        Raises: InvalidArgument PAGE_TOKEN_INVALID or RESUME_TOKEN_INVALID.
        """
        if not token:
            return None
        try:
            raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
        except ValueError:
            raise self._refusal() from None
        seal, payload = raw[:SEAL_BYTES], raw[SEAL_BYTES:]
        if not compare_digest(seal, self._seal_of(payload)):
            raise self._refusal()
        place: list[str | int] = json.loads(payload)
        return place

    def _seal_of(self, payload: bytes) -> bytes:
        mac = self._mac.copy()
        mac.update(payload)
        return mac.digest()

    def _refusal(self) -> InvalidArgument:
        return InvalidArgument.of(self._field, self._reason, "is not a token of this request")


def from_instant(moment: datetime) -> str:
    """Write an instant as a part of a place."""
    return moment.astimezone(UTC).isoformat()


def to_instant(part: str | int) -> datetime:
    """Read an instant from a part of a place."""
    return datetime.fromisoformat(str(part))
