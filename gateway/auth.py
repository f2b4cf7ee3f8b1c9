"""Who is calling, and may they: an API key to a principal, asked of retrieve and remembered for a short while.

Rules: `Authorization: Bearer` first, else `X-API-Key`; a credential that is there must be right, nothing falls back to
anything. Two credentials that differ are refused. Only a known key is remembered, as its hash, never past its expiry,
in a bounded cache; callers that ask for the same key at the same time share one answer. It does not know how keys are
kept.
Source: RFC 6750.
"""

import asyncio
import hashlib
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import grpc
from candor.options.v1.options_pb2 import Access
from candor.retrieve.v1.access_pb2 import AuthenticateKeyRequest, AuthenticateKeyResponse

from gateway.contracts import enum_words
from gateway.key_use import KeyUses
from gateway.limits import Headers, values
from shared.domain.errors import PermissionDenied, Unauthenticated
from shared.rpc import clients, wire

MAX_CACHED_KEYS = 10_000  # about 5 MB; chosen, untested
_BEARER = re.compile(rb"bearer +([!-~]{1,512})", re.IGNORECASE)
_KEY = re.compile(rb"[!-~]{1,512}")
_SCOPES = enum_words(Access.DESCRIPTOR)


@dataclass(frozen=True, slots=True)
class Principal:
    """The tenant that a request acts for, the actor of its writes, and what it may do."""

    tenant_id: str
    actor: str
    scopes: frozenset[int]
    key_id: str = ""

    def may(self, access: "Access.ValueType") -> bool:
        """Return whether the principal may do this."""
        return access in self.scopes or Access.ACCESS_ADMIN in self.scopes

    def require(self, access: "Access.ValueType") -> None:
        """Raises: PermissionDenied SCOPE_MISSING unless the principal may do this."""
        if not self.may(access):
            scope = _SCOPES[access]
            raise PermissionDenied("SCOPE_MISSING", f"This key lacks the scope {scope}.", metadata={"scope": scope})


def credential(headers: Headers) -> str:
    """Return the key that a request carries.

    Raises: Unauthenticated CREDENTIAL_MISSING, CREDENTIAL_AMBIGUOUS, CREDENTIAL_MALFORMED.
    """
    bearer = values(headers, b"authorization")
    plain = values(headers, b"x-api-key")
    if not bearer and not plain:
        raise Unauthenticated("CREDENTIAL_MISSING", "Send an API key as Authorization: Bearer or as X-API-Key.")
    if len(bearer) > 1 or len(plain) > 1:
        raise _ambiguous()
    keys = set()
    for pattern, given in ((_BEARER, bearer), (_KEY, plain)):
        for value in given:
            match = pattern.fullmatch(value.strip())
            if match is None:
                raise Unauthenticated("CREDENTIAL_MALFORMED", "The credential is not an API key.")
            keys.add(match[match.re.groups].decode())
    if len(keys) > 1:
        raise _ambiguous()
    return keys.pop()


def _ambiguous() -> Unauthenticated:
    return Unauthenticated("CREDENTIAL_AMBIGUOUS", "The request carries more than one credential.")


@dataclass(frozen=True, slots=True)
class _Remembered:
    principal: Principal
    until_seconds: float


class Authenticator:
    """Turns credentials into principals. Units: `cache_seconds` bounds how long a revoked key still works here."""

    def __init__(
        self, retrieve: grpc.aio.Channel, cache_seconds: float, now: Callable[[], datetime], uses: KeyUses
    ) -> None:
        self._access = clients.access(retrieve)
        self._uses = uses
        self._cache_seconds = cache_seconds
        self._now = now
        self._known: OrderedDict[bytes, _Remembered] = OrderedDict()
        self._asking: dict[bytes, asyncio.Task[Principal]] = {}

    async def principal(self, headers: Headers, before_asking: Callable[[], None] = lambda: None) -> Principal:
        """Return who is calling, and count the use of the key. `before_asking` may refuse to look an unknown one up.

        Raises: Unauthenticated; UpstreamUnavailable when nobody can say.
        """
        principal = await self._known_or_asked(credential(headers), before_asking)
        self._uses.note(principal.tenant_id, principal.key_id)
        return principal

    async def _known_or_asked(self, key: str, before_asking: Callable[[], None]) -> Principal:
        digest = hashlib.sha256(key.encode()).digest()
        remembered = self._known.get(digest)
        if remembered is not None and time.monotonic() < remembered.until_seconds:
            self._known.move_to_end(digest)
            return remembered.principal
        before_asking()
        task = self._asking.get(digest)
        if task is None:
            task = self._asking[digest] = asyncio.create_task(self._ask(key, digest))
            task.add_done_callback(lambda done: self._answered(digest, done))
        return await asyncio.shield(task)  # one caller that goes away does not take the answer from the others

    def _answered(self, digest: bytes, task: asyncio.Task[Principal]) -> None:
        del self._asking[digest]
        if not task.cancelled():
            task.exception()  # looked at, in case every caller has gone away

    async def _ask(self, key: str, digest: bytes) -> Principal:
        with clients.rpc_errors():
            answer = await self._access.AuthenticateKey(AuthenticateKeyRequest(key=key))
        principal = Principal(answer.tenant_id, answer.name, frozenset(answer.scopes), answer.key_id)
        seconds = self._seconds_to_remember(answer)
        self._known.pop(digest, None)
        if seconds > 0:
            self._known[digest] = _Remembered(principal, time.monotonic() + seconds)
            if len(self._known) > MAX_CACHED_KEYS:
                self._known.popitem(last=False)
        return principal

    def _seconds_to_remember(self, answer: AuthenticateKeyResponse) -> float:
        expires_at = wire.instant(answer, "expires_at")
        if expires_at is None:
            return self._cache_seconds
        return min(self._cache_seconds, (expires_at - self._now()).total_seconds())
