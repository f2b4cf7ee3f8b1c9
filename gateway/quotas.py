"""Daily work units of subjects and pools: reserved before a call, settled after it, counted by ingest for all gateways.

Rules: units come from ingest in blocks, so most calls ask nobody; near the limit blocks shrink to what is needed. A
call is refused when neither its subject nor its pool has what it needs; before that, units that another gateway holds
are waited for, a moment. What is used is told every second; what lies idle too long, or near the limit, goes back. A
gateway that dies loses what it held within a minute. While ingest or its database is down, calls with a key go on and
are counted afterwards, those without are refused; where it is only slow, both are. Days are UTC, by real time.
Source: REQUIREMENTS F3; DESIGN 1.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from uuid import UUID

import grpc
import structlog
from candor.ingest.v1 import quota_pb2 as pb

from gateway import limit_metrics as metrics
from gateway.meters import Meter
from shared.domain.errors import CandorError, RateLimited, UpstreamUnavailable
from shared.rpc import clients, life_stubs

KEYED, PUBLIC = "keyed", "public"
SETTLE_SECONDS = 1.0  # how late others learn what was used here; chosen, untested
IDLE_SECONDS = 60.0  # idle units go back when nobody came for so long; chosen, untested
WAIT_SECONDS = 5.0  # for units that others hold: five times the rhythm in which they give them back
POLL_SECONDS = 0.1  # chosen, untested
EMPTY_SECONDS = 1.0  # a used-up quota is not asked for again so soon: refusing must be cheap; chosen, untested
ASK_TIMEOUT_SECONDS = 10.0  # chosen, untested
DOWN_SECONDS = 1.0  # nor is an ingest that does not answer; chosen, untested
METERS_PER_CALL = 1_000  # the contract's
MAX_METERS = 50_000  # about 30 MB; beyond it the quiet ones are forgotten; chosen, untested
_DOWN = frozenset({"UPSTREAM_UNAVAILABLE", "DATABASE_UNAVAILABLE", "QUOTA_UNAVAILABLE"})
"""Reasons that say that nobody can be asked; not that it takes long, which a client could bring about."""
_log = structlog.stdlib.get_logger("candor.quotas")


@dataclass(frozen=True, slots=True)
class PoolLimits:
    """Units of a day: of each subject, and of all together; 0: no limit."""

    subject: int
    together: int


class Reservation:
    """Units of a call under way."""

    __slots__ = ("_meters", "_units")

    def __init__(self, meters: tuple[Meter, ...], units: int) -> None:
        self._meters = meters
        self._units = units

    def settle(self, used: int) -> None:
        """Give back what was not used. Once is enough; the first word holds."""
        for meter in self._meters:
            meter.settle(self._units, used)
        if self._meters and used:
            metrics.QUOTA_UNITS.labels(self._meters[0].pool).inc(used)
        self._meters = ()


class Quotas:
    """The units that this gateway holds. Units: `clock` tells seconds that only grow; `now` is real time."""

    def __init__(
        self,
        ingest: grpc.aio.Channel,
        limits: dict[str, PoolLimits],
        *,
        now: Callable[[], datetime],
        clock: Callable[[], float],
        new_id: Callable[[], UUID],
    ) -> None:
        self._stub = life_stubs.quota(ingest)
        self._limits = limits
        self._now = now
        self._clock = clock
        self._new_id = new_id
        self._meters: dict[tuple[date, str, str], Meter] = {}
        self._down_until = 0.0

    async def reserve(self, pool: str, subject: str, units: int) -> Reservation:
        """Take the units of a call.

        Raises: RateLimited QUOTA_EXHAUSTED; UpstreamUnavailable for those without a key.
        """
        meters = self._tiers(pool, subject)
        taken: list[Meter] = []
        try:
            for meter in meters:
                meter.touched_at = self._clock()
                if not meter.take(units):
                    await self._more(meter, units)
                taken.append(meter)
        except BaseException:
            Reservation(tuple(taken), units).settle(0)
            raise
        return Reservation(meters, units)

    def headers(self, pool: str, subject: str) -> dict[bytes, bytes]:
        """Return what a client is told of its quota: a limit, what is left, and the seconds until it is full again."""
        meters = self._tiers(pool, subject)
        if not meters:
            return {}
        return {
            b"x-quota-limit": str(meters[0].limit).encode(),
            b"x-quota-remaining": str(min(meter.left for meter in meters)).encode(),
            b"x-quota-reset": str(round(self._seconds_left(meters[0].day))).encode(),
        }

    async def run(self) -> None:
        """Settle for ever."""
        while True:
            await asyncio.sleep(SETTLE_SECONDS)
            await self.settle()

    async def settle(self, *, is_last: bool = False) -> None:
        """Tell ingest what was used, give back what lies idle, and forget what is over."""
        today, quiet = self._now().date(), self._clock() - IDLE_SECONDS
        due = [one for one in self._meters.values() if not one.is_told and not one.lock.locked()]
        for start in range(0, len(due), METERS_PER_CALL):
            part, told = due[start : start + METERS_PER_CALL], []
            for meter in part:
                await meter.lock.acquire()  # at once: it was free, and nothing was awaited since
                if is_last or meter.is_near or meter.touched_at < quiet or meter.day < today:
                    meter.idle = 0
                told.append(meter.standing())
            try:
                await self._settle(part, told)
            finally:
                for meter in part:
                    meter.lock.release()
        for key, meter in list(self._meters.items()):
            spare = len(self._meters) > MAX_METERS or meter.day < today
            if spare and meter.is_told and not meter.waiting:
                del self._meters[key]

    async def _settle(self, meters: list[Meter], told: list[pb.Standing]) -> None:
        metrics.QUOTA_QUESTIONS.labels("SettleUnits").inc()
        try:
            with clients.rpc_errors():
                answer = await self._stub.SettleUnits(
                    pb.SettleUnitsRequest(standings=told), timeout=ASK_TIMEOUT_SECONDS
                )
        except CandorError as error:
            _log.warning("quotas not settled yet", meters=len(meters), reason=error.reason)
            return
        for meter, standing, level in zip(meters, told, answer.levels, strict=True):
            meter.hear(standing, 0, level)

    def _tiers(self, pool: str, subject: str) -> tuple[Meter, ...]:
        limits, day = self._limits[pool], self._now().date()
        found = []
        for name, limit in ((subject, limits.subject), ("", limits.together)):
            if limit:
                meter = self._meters.get((day, pool, name))
                if meter is None:
                    meter = self._meters[day, pool, name] = Meter(day, pool, name, limit, self._new_id())
                found.append(meter)
        return tuple(found)

    async def _more(self, meter: Meter, units: int) -> None:
        """Put units in flight that must be asked for. Raises: as `reserve`."""
        meter.waiting += units
        try:
            async with meter.lock:
                if not meter.take(units):
                    await self._ask(meter, units)
        except UpstreamUnavailable as error:
            if meter.pool != KEYED or error.reason not in _DOWN:
                raise
            meter.in_flight += units  # counted with the next word
            metrics.QUOTA_UNMETERED.labels(meter.pool).inc(units)
        finally:
            meter.waiting -= units

    async def _ask(self, meter: Meter, units: int) -> None:
        until = self._clock() + WAIT_SECONDS
        while True:
            now = self._clock()
            if now < meter.empty_until and units >= meter.empty_for:
                raise self._refusal(meter, units)
            if now < self._down_until:
                raise UpstreamUnavailable(
                    "QUOTA_UNAVAILABLE", "Nobody can say what is left of the quota.", retry_after_seconds=DOWN_SECONDS
                )
            held_elsewhere, granted = await self._reserve(meter, units)
            if meter.take(units):
                return
            if granted:
                continue  # somebody who came by was quicker
            if held_elsewhere <= 0 or now >= until:
                meter.empty_until, meter.empty_for = self._clock() + EMPTY_SECONDS, units
                raise self._refusal(meter, units)
            await asyncio.sleep(POLL_SECONDS)

    async def _reserve(self, meter: Meter, units: int) -> tuple[int, int]:
        metrics.QUOTA_QUESTIONS.labels("ReserveUnits").inc()
        standing, lacking = meter.standing(), units - meter.idle
        asked = max(lacking, meter.waiting - meter.idle)
        request = pb.ReserveUnitsRequest(standing=standing, needed=lacking, asked=asked, limit=meter.limit)
        try:
            with clients.rpc_errors():
                answer = await self._stub.ReserveUnits(request, timeout=ASK_TIMEOUT_SECONDS)
        except UpstreamUnavailable as error:
            if error.reason in _DOWN:
                self._down_until = self._clock() + DOWN_SECONDS
            raise
        meter.hear(standing, answer.granted, answer.level)
        return answer.level.held_elsewhere, answer.granted

    def _refusal(self, meter: Meter, units: int) -> RateLimited:
        tier = "subject" if meter.subject else "pool"
        metrics.QUOTA_REFUSED.labels(meter.pool, tier).inc()
        seconds = self._seconds_left(meter.day)
        told = {"pool": meter.pool, "tier": tier, "limit": str(meter.limit), "left": str(meter.left)}
        told |= {"units": str(units), "reset_at": _reset_at(meter.day).isoformat()}
        message = f"This call takes {units} work units; {meter.left} of the day's {meter.limit} are left."
        return RateLimited("QUOTA_EXHAUSTED", message, metadata=told, retry_after_seconds=max(1.0, seconds))

    def _seconds_left(self, day: date) -> float:
        return max(0.0, (_reset_at(day) - self._now()).total_seconds())


def _reset_at(day: date) -> datetime:
    return datetime.combine(day + timedelta(days=1), time.min, UTC)
