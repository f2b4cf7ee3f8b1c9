"""How much each key is used: counted here, reported to ingest every few seconds.

Rules: no request waits for a report. A report tells all that this gateway has counted of a key on a day, so one that is
repeated or comes late changes nothing, and one that fails is made good by the next. What is counted when the gateway
ends is reported before it closes. It does not know what was asked.
Source: REQUIREMENTS F2.
"""

import asyncio
from collections.abc import Callable
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

import grpc
import structlog
from candor.ingest.v1.keys_pb2 import KeyUse, RecordKeyUseRequest

from shared.domain.errors import CandorError
from shared.rpc import clients, life_stubs

REPORT_SECONDS = 10.0  # the contract's: last_used_at is late by no more
KEYS_PER_REPORT = 1_000  # the contract's
_log = structlog.stdlib.get_logger("candor.key_use")


class _Counted(NamedTuple):
    tenant_id: str
    key_id: str
    day: date


class KeyUses:
    """Counts of this gateway since it began, of today and of what is not reported yet."""

    def __init__(self, ingest: grpc.aio.Channel, counter_id: UUID, now: Callable[[], datetime]) -> None:
        self._keys = life_stubs.keys(ingest)
        self._counter_id = str(counter_id)
        self._now = now
        self._counts: dict[_Counted, tuple[int, datetime]] = {}
        self._unreported: set[_Counted] = set()

    def note(self, tenant_id: str, key_id: str) -> None:
        """Count one request."""
        now = self._now()
        counted = _Counted(tenant_id, key_id, now.date())
        requests, _ = self._counts.get(counted, (0, now))
        self._counts[counted] = (requests + 1, now)
        self._unreported.add(counted)

    async def run(self) -> None:
        """Report for ever."""
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            await self.flush()

    async def flush(self) -> None:
        """Report what has changed, and forget the days that are over and reported."""
        tenants: dict[str, list[_Counted]] = {}
        for counted in self._unreported:
            tenants.setdefault(counted.tenant_id, []).append(counted)
        for tenant_id, changed in tenants.items():
            for start in range(0, len(changed), KEYS_PER_REPORT):
                await self._report(tenant_id, changed[start : start + KEYS_PER_REPORT])
        today = self._now().date()
        for counted in [one for one in self._counts if one.day < today and one not in self._unreported]:
            del self._counts[counted]

    async def _report(self, tenant_id: str, changed: list[_Counted]) -> None:
        self._unreported.difference_update(changed)  # what is counted meanwhile is told again
        uses = [KeyUse(key_id=one.key_id, requests=self._counts[one][0]) for one in changed]
        for one, use in zip(changed, uses, strict=True):
            use.last_used_at.FromDatetime(self._counts[one][1])
        request = RecordKeyUseRequest(tenant_id=tenant_id, counter_id=self._counter_id, uses=uses)
        try:
            with clients.rpc_errors():
                await self._keys.RecordKeyUse(request)
        except CandorError as error:
            self._unreported.update(changed)
            _log.warning("key use not reported yet", keys=len(changed), reason=error.reason)
