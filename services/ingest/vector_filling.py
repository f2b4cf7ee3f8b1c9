"""Makes the vectors of memories that were accepted without them.

Rules: memories are taken on loan, embedded without any lock, and written only if they still wait in the revision that
was read. When the embedder is down they are tried again, ever more rarely. Two workers never do the same memory at
once; a loan that is not returned ends by itself.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import structlog

from services.ingest.embedder import Embedder
from shared.domain import passages
from shared.domain.errors import CandorError, UpstreamUnavailable
from shared.store.pool import Connection, Pool, run, run_without_tenant
from shared.store.writes import memories, pending, plans, vectors
from shared.store.writes.pending import Loan, Waiting
from shared.store.writes.vectors import Embedded

POLL_SECONDS = 2.0  # how long a memory waits after the embedder is back, at least; chosen, untested
LOAN = timedelta(minutes=2)  # more than the embedder takes for a loan; chosen, untested
LOAN_MEMORIES = 64  # chosen, untested
BACKOFF_MAX = timedelta(minutes=5)  # chosen, untested
_log = structlog.stdlib.get_logger("candor.ingest.vector_filling")


def _backoff(attempts: int) -> timedelta:
    return min(timedelta(seconds=2 ** min(attempts, 16)), BACKOFF_MAX)


class VectorFiller:
    """Fills pending vectors."""

    def __init__(self, pool: Pool, embedder: Embedder, *, now: Callable[[], datetime]) -> None:
        self._pool = pool
        self._embedder = embedder
        self._now = now

    async def run(self) -> None:
        """Fill what is due again and again, until cancelled."""
        while True:
            try:
                taken = await self.fill()
            except CandorError as error:
                _log.warning("pending vectors not looked at", reason=error.reason)
                taken = 0
            if taken < LOAN_MEMORIES:
                await asyncio.sleep(POLL_SECONDS)

    async def fill(self) -> int:
        """Make the vectors of the longest due memories; return how many were taken up."""
        now = self._now()
        claim = partial(pending.claim, now=now, until=now + LOAN, limit=LOAN_MEMORIES)
        loans = await run_without_tenant(self._pool, claim)
        by_tenant: dict[UUID, list[Loan]] = defaultdict(list)
        for loan in loans:
            by_tenant[loan.tenant_id].append(loan)
        for tenant_id, mine in by_tenant.items():
            await self._fill_or_postpone(tenant_id, mine, now)
        return len(loans)

    async def _fill_or_postpone(self, tenant_id: UUID, loans: Sequence[Loan], now: datetime) -> None:
        try:
            await self._fill_tenant(tenant_id, loans)
        except CandorError as error:
            if len(loans) > 1 and not isinstance(error, UpstreamUnavailable):
                for loan in loans:  # one text that is refused must not keep the others waiting
                    await self._fill_or_postpone(tenant_id, [loan], now)
                return
            _log.warning("vectors not made", reason=error.reason, memories=len(loans))
            due = {loan.memory_id: now + _backoff(loan.attempts) for loan in loans}
            postpone = partial(pending.postpone, tenant_id=tenant_id, error=error.reason, due=due)
            await run_without_tenant(self._pool, postpone)

    async def _fill_tenant(self, tenant_id: UUID, loans: Sequence[Loan]) -> None:
        ids = [loan.memory_id for loan in loans]

        async def read(connection: Connection) -> tuple[plans.Generation, list[Waiting]]:
            found = await pending.waiting(connection, tenant_id, ids)
            return await plans.generation(connection), found

        generation, waiting = await run(self._pool, tenant_id, read, read_only=True)
        cuts = [tuple(passages.cut(memory.content)) for memory in waiting]
        texts = [
            passages.embedded_text(memory.content, passage, speaker=memory.speaker, valid_from=memory.valid_from)
            for memory, cut in zip(waiting, cuts, strict=True)
            for passage in cut
        ]
        made = await self._embedder.embed(tenant_id, texts, generation)

        async def write(connection: Connection) -> None:
            start = 0
            for memory, cut in zip(waiting, cuts, strict=True):
                embedded = Embedded(cut, made[start : start + len(cut)])
                start += len(cut)
                if await memories.lock_unembedded(connection, tenant_id, memory.memory_id, memory.revision):
                    await vectors.insert(connection, tenant_id, generation.number, [(memory.memory_id, embedded)])
                    await memories.mark_embedded(connection, tenant_id, memory.memory_id)
                    await pending.delete(connection, tenant_id, [memory.memory_id])
            # Those that are not waiting any more: ended, or patched with vectors of their own.
            gone = sorted(set(ids) - {memory.memory_id for memory in waiting})
            await pending.delete(connection, tenant_id, gone)

        await run(self._pool, tenant_id, write)
