"""QuotaService: work units of a day, given out to gateways and settled with them.

Rules: never more than the limit is out. A call tells the whole state of a holder, so repeating one, or losing its
answer, changes nothing. Days are real ones. Of somebody's address a keyed hash is kept; days that are over go after a
week. It does not know what a unit is, who pays or how many there are.
Source: REQUIREMENTS F3; DESIGN 1.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from hashlib import blake2b

from candor.ingest.v1 import quota_pb2 as pb
from candor.ingest.v1.quota_pb2_grpc import QuotaServiceServicer

from shared.domain import quota as blocks
from shared.domain.errors import InvalidArgument
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, Pool, run_without_tenant
from shared.store.writes import quota
from shared.store.writes.quota import Standing

KEPT_FOR = timedelta(seconds=60)  # the contract's
STANDINGS_MAX = 1_000  # the contract's
DAYS_KEPT = timedelta(days=7)  # for whoever runs it to look at; chosen
UNITS_MAX = 2**53  # of one number; beyond any use, and far from the type's end
SUBJECT_MAX_CHARS = 128  # a UUID or an address; chosen
PUBLIC = "public"
PURPOSE = b"quota-subject"  # the key serves other hashes too
POOLS = ("keyed", PUBLIC)


class QuotaServicer(QuotaServiceServicer):
    """Serves QuotaService. Time is real here."""

    def __init__(self, pool: Pool, *, key: bytes, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._key = key
        self._now = now
        self._cleaned = date.min

    async def ReserveUnits(self, request: pb.ReserveUnitsRequest, context: Context) -> pb.ReserveUnitsResponse:
        """Grant units, if what is needed is left."""
        standing = self._standing(request.standing)
        needed, asked, limit = request.needed, max(request.needed, request.asked), request.limit
        if not (1 <= needed <= UNITS_MAX and asked <= UNITS_MAX and 0 <= limit <= UNITS_MAX):
            raise InvalidArgument.of("needed", "UNITS_INVALID", "must be at least 1, as are units in a limit")
        now = self._now()

        async def work(connection: Connection) -> pb.ReserveUnitsResponse:
            taken = await quota.taken(connection, standing, now)
            if taken.sequence >= standing.sequence:  # a call that was overtaken: whoever made it waits no more
                return _reserved(0, taken.elsewhere + taken.own, taken.held_elsewhere)
            before = taken.elsewhere + standing.used + standing.kept
            granted = blocks.granted(limit - before, needed, asked)
            kept = replace(standing, kept=standing.kept + granted)
            await quota.stand(connection, kept, now + KEPT_FOR)
            return _reserved(granted, before + granted, taken.held_elsewhere)

        await self._clean(now)
        return await run_without_tenant(self._pool, work)

    async def SettleUnits(self, request: pb.SettleUnitsRequest, context: Context) -> pb.SettleUnitsResponse:
        """Keep how holders stand."""
        if len(request.standings) > STANDINGS_MAX:
            told = f"has {len(request.standings)} entries; at most {STANDINGS_MAX}"
            raise InvalidArgument.of("standings", "TOO_MANY_STANDINGS", told)
        standings = [self._standing(standing) for standing in request.standings]
        now = self._now()

        async def work(connection: Connection) -> pb.SettleUnitsResponse:
            levels = await quota.settle(connection, standings, now, now + KEPT_FOR) if standings else []
            return pb.SettleUnitsResponse(
                levels=[pb.Level(taken=level.taken, held_elsewhere=level.held_elsewhere) for level in levels]
            )

        return await run_without_tenant(self._pool, work)

    def _standing(self, message: pb.Standing) -> Standing:
        meter = message.meter
        try:
            day = date.fromisoformat(meter.day)
        except ValueError:
            raise InvalidArgument.of("meter.day", "METER_INVALID", "must be a day, as 2026-03-01") from None
        if meter.pool not in POOLS:
            raise InvalidArgument.of("meter.pool", "METER_INVALID", f"must be one of {', '.join(POOLS)}")
        if len(meter.subject) > SUBJECT_MAX_CHARS or "\0" in meter.subject:
            raise InvalidArgument.of("meter.subject", "METER_INVALID", f"has more than {SUBJECT_MAX_CHARS} characters")
        if not (0 <= message.used <= UNITS_MAX and 0 <= message.kept <= UNITS_MAX and message.sequence >= 0):
            raise InvalidArgument.of("standing", "UNITS_INVALID", "counts must not be negative")
        holder_id = wire.identifier(message.holder_id, "holder_id", "HOLDER_ID_INVALID")
        subject = self._hashed(meter.subject) if meter.pool == PUBLIC and meter.subject else meter.subject
        return Standing(day, meter.pool, subject, holder_id, message.sequence, message.used, message.kept)

    def _hashed(self, address: str) -> str:
        return blake2b(address.encode(), digest_size=16, key=self._key, person=PURPOSE).hexdigest()

    async def _clean(self, now: datetime) -> None:
        """Delete what is old, once a day."""
        if self._cleaned == now.date():
            return
        self._cleaned = now.date()
        await run_without_tenant(self._pool, lambda c: quota.forget(c, (now - DAYS_KEPT).date()))


def _reserved(granted: int, taken: int, held_elsewhere: int) -> pb.ReserveUnitsResponse:
    return pb.ReserveUnitsResponse(granted=granted, level=pb.Level(taken=taken, held_elsewhere=held_elsewhere))
