"""KeysService: keys that are replaced, revoked and counted.

Rules: a new key can do what the old one can and nothing more. The last key that makes others does not go by accident:
two that revoke each other's wait for one another. Keys live by real time, whatever time memories are written in. It
does not know requests: gateways count them.
Source: REQUIREMENTS F2.
"""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

from candor.ingest.v1 import keys_pb2 as pb
from candor.ingest.v1.keys_pb2_grpc import KeysServiceServicer

from services.ingest.asking import Means, ask_of
from shared.domain.api_keys import key_hash, make_key
from shared.domain.errors import Conflict, InvalidArgument, NotFound
from shared.domain.types import Scope
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run
from shared.store.writes import access
from shared.store.writes.access import LockedKey, NewKey, Use

GRACE_MAX_SECONDS = 86_400  # the contract's
GRACE_DEFAULT_SECONDS = 3_600  # the contract's
USES_MAX = 1_000  # the contract's


class KeysServicer(KeysServiceServicer):
    """Serves KeysService. Time is real here; `new_secret` draws what no request id gives."""

    def __init__(self, means: Means, *, pepper: bytes, new_secret: Callable[[], str]) -> None:
        self._means = means
        self._pepper = pepper
        self._now = means.real_now
        self._new_secret = new_secret

    async def RotateKey(self, request: pb.RotateKeyRequest, context: Context) -> pb.RotateKeyResponse:
        """Make a key that takes the place of another."""
        ask, key_id = ask_of(request, self._means.request_key), _key_id(request.key_id)
        grace = request.grace_seconds if request.HasField("grace_seconds") else GRACE_DEFAULT_SECONDS
        if not 0 <= grace <= GRACE_MAX_SECONDS:
            raise InvalidArgument.of("grace_seconds", "GRACE_OUT_OF_RANGE", f"must be 0 to {GRACE_MAX_SECONDS}")
        now, expires_at = self._now(), wire.instant(request, "expires_at")
        # Apart from the keys that CreateKey makes of the same request id.
        seed = f"rotate:{ask.request_id}" if ask.key else self._new_secret()
        key = make_key(ask.tenant_id, seed, self._pepper)

        async def work(connection: Connection) -> bytes:
            if expires_at is not None and expires_at <= now:
                raise InvalidArgument.of("expires_at", "EXPIRY_PAST", "must lie in the future")
            old = _found(await access.lock_key(connection, ask.tenant_id, key_id), request.key_id)
            if not old.works(now):
                raise Conflict("KEY_NOT_WORKING", "the key is revoked or expired; make another")
            new_id = self._means.new_id()
            hashed = key_hash(key, self._pepper)
            new = NewKey(new_id, ask.tenant_id, old.name, hashed, old.scopes, now, ask.actor, expires_at)
            await access.insert_key(connection, new)
            ends = now + timedelta(seconds=grace)
            ends = min(ends, old.expires_at) if old.expires_at else ends
            await access.replace_key(connection, ask.tenant_id, key_id, ends, new_id)
            # What is kept of the answer has no key in it.
            answer = pb.RotateKeyResponse(key_id=str(new_id), old_expires_at=wire.to_timestamp(ends))
            return answer.SerializeToString()

        answer = pb.RotateKeyResponse.FromString((await self._means.once(ask, now, work)).answer)
        answer.key = key
        return answer

    async def RevokeKey(self, request: pb.RevokeKeyRequest, context: Context) -> pb.RevokeKeyResponse:
        """End a key."""
        ask, key_id = ask_of(request, self._means.request_key), _key_id(request.key_id)
        now = self._now()

        async def work(connection: Connection) -> bytes:
            makers = await access.lock_admin_keys(connection, ask.tenant_id, now)
            key = _found(await access.lock_key(connection, ask.tenant_id, key_id), request.key_id)
            at = key.revoked_at
            if at is None:
                if makers == [key_id] and Scope.ADMIN in key.scopes and not request.force:
                    told = "nobody could make or revoke keys of this tenant any more; say force to do it all the same"
                    raise Conflict("LAST_ADMIN_KEY", told)
                at = now
                await access.revoke_key(connection, ask.tenant_id, key_id, at, ask.actor)
            return pb.RevokeKeyResponse(revoked_at=wire.to_timestamp(at)).SerializeToString()

        return pb.RevokeKeyResponse.FromString((await self._means.once(ask, now, work)).answer)

    async def RecordKeyUse(self, request: pb.RecordKeyUseRequest, context: Context) -> pb.RecordKeyUseResponse:
        """Keep what a gateway counted."""
        tenant_id = wire.tenant(request)
        counter_id = wire.identifier(request.counter_id, "counter_id", "COUNTER_ID_INVALID")
        if len(request.uses) > USES_MAX:
            told = f"has {len(request.uses)} entries; at most {USES_MAX}"
            raise InvalidArgument.of("uses", "TOO_MANY_KEYS", told)
        now = self._now()
        uses = [
            Use(_key_id(use.key_id), max(1, use.requests), wire.instant(use, "last_used_at") or now)
            for use in request.uses
        ]
        pool = self._means.pool
        recorded = (
            await run(pool, tenant_id, lambda c: access.record_use(c, tenant_id, counter_id, uses)) if uses else 0
        )
        return pb.RecordKeyUseResponse(recorded=recorded)


def _key_id(text: str) -> UUID:
    return wire.identifier(text, "key_id", "KEY_ID_INVALID")


def _found(key: LockedKey | None, key_id: str) -> LockedKey:
    if key is None:
        raise NotFound("KEY_NOT_FOUND", "there is no such key", metadata={"key_id": key_id})
    return key
