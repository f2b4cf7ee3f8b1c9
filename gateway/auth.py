"""Who is calling, and may they: an API key to a principal, asked of retrieve and remembered for a short while.

Rules: `Authorization: Bearer` first, else `X-API-Key`; a credential that is there must be right, nothing falls back to
anything. Two credentials that differ are refused. Whoever sends none may only call what is open, for the public tenant.
A key of the public tenant only reads, unless it is the one that keeps that tenant. Only a known key is remembered, as
its hash, never past its expiry, in a bounded cache; callers that ask for the same key at the same time share one
answer. It does not know how keys are kept.
Source: RFC 6750; REQUIREMENTS F2.
"""

import asyncio
import hashlib
import re
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import grpc
from candor.options.v1.options_pb2 import Access
from candor.retrieve.v1.access_pb2 import AuthenticateKeyRequest, AuthenticateKeyResponse

from gateway.contracts import enum_words
from gateway.key_use import KeyUses
from gateway.limits import Headers, values
from shared.domain.errors import PermissionDenied, Unauthenticated
from shared.rpc import clients, wire

ANONYMOUS = "anonymous"
"""The actor of whoever sends no credential."""
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
    """Empty: there is no key."""
    is_public: bool = False
    """Acts for the public tenant and only reads: without a key, or with one of that tenant."""

    def may(self, access: "Access.ValueType") -> bool:
        """Return whether the principal may do this."""
        return access in self.scopes or Access.ACCESS_ADMIN in self.scopes

    def require(self, access: "Access.ValueType", *, is_open: bool = False) -> None:
        """Refuse what the principal may not do.

        Raises: PermissionDenied SCOPE_MISSING, PUBLIC_TENANT_READ_ONLY; Unauthenticated CREDENTIAL_MISSING.
        """
        if self.may(access) or (is_open and self.is_public):
            return
        if self.is_public and not self.key_id:
            raise _missing()
        if self.is_public:
            raise PermissionDenied("PUBLIC_TENANT_READ_ONLY", "Keys of the public tenant only read it.")
        scope = _SCOPES[access]
        raise PermissionDenied("SCOPE_MISSING", f"This key lacks the scope {scope}.", metadata={"scope": scope})


@dataclass(frozen=True, slots=True)
class PublicTenant:
    """The tenant that everybody may read. `keeper`: the name of the admin key that may write it; empty: none may."""

    tenant_id: UUID
    keeper: str = ""

    @property
    def anonymous(self) -> Principal:
        """Whoever sends no credential."""
        return Principal(str(self.tenant_id), ANONYMOUS, frozenset(), is_public=True)

    def narrowed(self, principal: Principal) -> Principal:
        """Return what a key may do here: one of this tenant reads, and only the keeper's does all that it may."""
        is_keeper = bool(self.keeper) and principal.actor == self.keeper and Access.ACCESS_ADMIN in principal.scopes
        if principal.tenant_id != str(self.tenant_id) or is_keeper:
            return principal
        reads = Access.ACCESS_READ if principal.may(Access.ACCESS_READ) else 0
        return replace(principal, scopes=frozenset({reads} - {0}), is_public=True)


def is_anonymous(headers: Headers) -> bool:
    """Return whether a request carries nothing that looks like a credential, not even an empty one."""
    return not values(headers, b"authorization") and not values(headers, b"x-api-key")


def credential(headers: Headers) -> str:
    """Return the key that a request carries.

    Raises: Unauthenticated CREDENTIAL_MISSING, CREDENTIAL_AMBIGUOUS, CREDENTIAL_MALFORMED.
    """
    bearer = values(headers, b"authorization")
    plain = values(headers, b"x-api-key")
    if not bearer and not plain:
        raise _missing()
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


def _missing() -> Unauthenticated:
    return Unauthenticated("CREDENTIAL_MISSING", "Send an API key as Authorization: Bearer or as X-API-Key.")


def _ambiguous() -> Unauthenticated:
    return Unauthenticated("CREDENTIAL_AMBIGUOUS", "The request carries more than one credential.")


@dataclass(frozen=True, slots=True)
class _Remembered:
    principal: Principal
    until_seconds: float


class Authenticator:
    """Turns credentials into principals. Units: `cache_seconds` bounds how long a revoked key still works here."""

    def __init__(
        self,
        retrieve: grpc.aio.Channel,
        cache_seconds: float,
        now: Callable[[], datetime],
        uses: KeyUses,
        public: PublicTenant | None = None,
    ) -> None:
        self._access = clients.access(retrieve)
        self._uses = uses
        self._public = public
        self._cache_seconds = cache_seconds
        self._now = now
        self._known: OrderedDict[bytes, _Remembered] = OrderedDict()
        self._asking: dict[bytes, asyncio.Task[Principal]] = {}

    async def principal(
        self, headers: Headers, before_asking: Callable[[], None] = lambda: None, *, is_open: bool = False
    ) -> Principal:
        """Return who is calling, and count the use of the key. `before_asking` may refuse to look an unknown one up.

        `is_open`: it may be nobody in particular. Raises: Unauthenticated; UpstreamUnavailable when nobody can say.
        """
        if is_open and self._public is not None and is_anonymous(headers):
            return self._public.anonymous
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
        if self._public is not None:
            principal = self._public.narrowed(principal)
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
