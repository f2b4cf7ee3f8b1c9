"""Sees to it that each tenant that writes has its regular jobs.

Rules: noting a write costs nothing; jobs are asked for in a transaction of their own, at most once an hour for a
tenant, since one that waits already stays as it is. A recount comes a day after a write at the latest, and soon after
many; a sweep an hour after it, a consolidation a day. What is noted and not yet asked for is lost with the process; the
next write notes it again.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import structlog

from shared.domain.errors import CandorError
from shared.store.pool import Pool, run
from shared.store.writes import jobs
from shared.store.writes.jobs import NewJob

RECOUNT_KIND, EXPIRE_KIND, SWEEP_KIND = "recount_terms", "expire_requests", "sweep_memories"
CONSOLIDATE_KIND = "consolidate_memories"
MAX_ATTEMPTS = 10  # over about 17 minutes; a job that still fails is asked for again within a day
DAILY, HOURLY = timedelta(days=1), timedelta(hours=1)
RECOUNT_AFTER_MEMORIES = 50_000  # chosen, untested
SOON = timedelta(minutes=1)
ASK_AGAIN = timedelta(hours=1)
FLUSH_SECONDS = 5.0
_log = structlog.stdlib.get_logger("candor.ingest.upkeep")


class Upkeep:
    """Notes who writes, and asks for their jobs."""

    def __init__(self, pool: Pool, *, now: Callable[[], datetime], new_id: Callable[[], UUID]) -> None:
        self._pool = pool
        self._now = now
        self._new_id = new_id
        self._noted: set[UUID] = set()
        self._memories: Counter[UUID] = Counter()
        self._asked: dict[UUID, datetime] = {}

    def note(self, tenant_id: UUID, memories: int = 0) -> None:
        """Note a write of so many memories."""
        self._memories[tenant_id] += memories
        if tenant_id not in self._asked or self._memories[tenant_id] >= RECOUNT_AFTER_MEMORIES:
            self._noted.add(tenant_id)

    async def flush(self) -> None:
        """Ask for the jobs of those that were noted; keep what cannot be asked for."""
        now = self._now()
        self._asked = {tenant: asked for tenant, asked in self._asked.items() if now - asked < ASK_AGAIN}
        noted, self._noted = self._noted, set()
        for tenant_id in noted:
            recount_at = now + (SOON if self._memories[tenant_id] >= RECOUNT_AFTER_MEMORIES else DAILY)
            try:
                jobs_due = (
                    (RECOUNT_KIND, recount_at),
                    (EXPIRE_KIND, now + DAILY),
                    (SWEEP_KIND, now + HOURLY),
                    (CONSOLIDATE_KIND, now + DAILY),
                )
                for kind, due_at in jobs_due:
                    job = NewJob(self._new_id(), tenant_id, kind, due_at, now, MAX_ATTEMPTS)
                    await run(self._pool, tenant_id, partial(jobs.enqueue, job=job))
            except CandorError as error:
                _log.warning("jobs not asked for yet", reason=error.reason)
                self._noted.add(tenant_id)
                continue
            self._asked[tenant_id] = now
            del self._memories[tenant_id]

    async def run(self) -> None:
        """Flush again and again, until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            await self.flush()
