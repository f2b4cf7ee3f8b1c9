"""Document frequencies, gathered in memory after each commit and written in batches.

Rules: a write never waits for statistics, and its transaction never touches their rows, which all writes of a tenant
share. What was not written yet is lost with the process: ranking is a little off until a recount. When the database is
away, it is kept and tried again.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from functools import partial
from uuid import UUID

import structlog

from shared.domain.errors import CandorError
from shared.domain.revision import Revision
from shared.store.pool import Pool, run
from shared.store.writes import statistics

FLUSH_SECONDS = 0.5  # how long recall may rank with old frequencies; chosen, untested
_log = structlog.stdlib.get_logger("candor.ingest.term_statistics")


class _Delta:
    """What a tenant's statistics lack."""

    def __init__(self) -> None:
        self.frequencies: Counter[int] = Counter()
        self.memories = 0
        self.terms = 0

    def count(self, revision: Revision, sign: int) -> None:
        """Add (1) or take away (-1) a revision."""
        for term in set(revision.terms):
            self.frequencies[term] += sign
        self.memories += sign
        self.terms += sign * len(revision.terms)

    def merge(self, other: "_Delta") -> None:
        """Add what another one holds; numbers below zero are kept."""
        for term, number in other.frequencies.items():
            self.frequencies[term] += number
        self.memories += other.memories
        self.terms += other.terms


class TermStatistics:
    """Gathers the terms of written memories and flushes them."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._deltas: dict[UUID, _Delta] = {}
        self._flushing = asyncio.Lock()

    def add(self, tenant_id: UUID, written: Iterable[Revision], replaced: Iterable[Revision] = ()) -> None:
        """Count revisions that were committed, and no longer those they replaced."""
        delta = self._deltas.setdefault(tenant_id, _Delta())
        for revision in written:
            delta.count(revision, 1)
        for revision in replaced:
            delta.count(revision, -1)

    async def flush(self) -> None:
        """Write what was gathered; keep what cannot be written."""
        async with self._flushing:
            deltas, self._deltas = self._deltas, {}
            for tenant_id, delta in sorted(deltas.items()):
                work = partial(
                    statistics.add,
                    tenant_id=tenant_id,
                    frequencies=delta.frequencies,
                    memories=delta.memories,
                    terms=delta.terms,
                )
                try:
                    await run(self._pool, tenant_id, work)
                except CandorError as error:
                    _log.warning("statistics not written yet", reason=error.reason)
                    self._deltas.setdefault(tenant_id, _Delta()).merge(delta)

    async def run(self) -> None:
        """Flush again and again, until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            await self.flush()
