"""How much each key is used: counted here, reported to ingest every few seconds.

Rules: no request waits for a report. A report that fails is not repeated, because it may have been counted: its counts
are lost, and the log says how many. What is counted when the gateway ends is reported before it closes. It does not
know what was asked.
Source: REQUIREMENTS F2.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime

import grpc
import structlog
from candor.ingest.v1.keys_pb2 import KeyUse, RecordKeyUseRequest

from shared.domain.errors import CandorError
from shared.rpc import clients, life_stubs, wire

REPORT_SECONDS = 10.0  # the contract's: last_used_at is late by no more
KEYS_PER_REPORT = 1_000  # the contract's
_log = structlog.stdlib.get_logger("candor.key_use")


class KeyUses:
    """Counts of the keys used since the last report."""

    def __init__(self, ingest: grpc.aio.Channel, now: Callable[[], datetime]) -> None:
        self._keys = life_stubs.keys(ingest)
        self._now = now
        self._counts: dict[tuple[str, str], tuple[int, datetime]] = {}

    def note(self, tenant_id: str, key_id: str) -> None:
        """Count one request."""
        requests, _ = self._counts.get((tenant_id, key_id), (0, None))
        self._counts[tenant_id, key_id] = (requests + 1, self._now())

    async def run(self) -> None:
        """Report for ever."""
        while True:
            await asyncio.sleep(REPORT_SECONDS)
            await self.flush()

    async def flush(self) -> None:
        """Report what is counted."""
        counts, self._counts = self._counts, {}
        tenants: dict[str, list[KeyUse]] = {}
        for (tenant_id, key_id), (requests, last) in counts.items():
            use = KeyUse(key_id=key_id, requests=requests, last_used_at=wire.to_timestamp(last))
            tenants.setdefault(tenant_id, []).append(use)
        for tenant_id, uses in tenants.items():
            for start in range(0, len(uses), KEYS_PER_REPORT):
                await self._report(tenant_id, uses[start : start + KEYS_PER_REPORT])

    async def _report(self, tenant_id: str, uses: list[KeyUse]) -> None:
        try:
            with clients.rpc_errors():
                await self._keys.RecordKeyUse(RecordKeyUseRequest(tenant_id=tenant_id, uses=uses))
        except CandorError as error:
            _log.warning("key use lost", requests=sum(use.requests for use in uses), reason=error.reason)
