"""One search for pairs: through all companies in scope, by whole comparison or by neighbours, within a time if given.

Rules: the same data gives the same pairs, whatever the pages are; no more than the pairs asked for are in hand, and the
vectors of a few thousand memories. Each page is read in a short transaction of its own, and compared off the event
loop. A search that ran out of time says how far it came. It does not know messages, tokens or judges.
Source: REQUIREMENTS C5.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

import numpy as np

from shared.domain.pairs import (
    EXACT_MAX_BYTES,
    EXACT_MAX_MEMORIES,
    MICRO,
    NEIGHBOURS,
    Collection,
    Indices,
    Member,
    Sifted,
    compare_all,
    sift,
)
from shared.store.pool import Connection, Pool, run
from shared.store.reads import pairs
from shared.store.reads.conflicts import Limits
from shared.store.reads.pairs import Company, Vectors

COMPANY_PAGE = 500  # companies listed at once (chosen, untested)
MEMORY_PAGE = 64  # memories of a large company whose neighbours are asked for at once (chosen, untested)
NO_ID = UUID(int=0)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for. `seconds` None: as long as it takes."""

    limits: Limits
    now: datetime
    generation: int
    threshold: float
    seconds: float | None = None


@dataclass(slots=True)
class Found:
    """What came of a search: its pairs, how many memories were looked at, and whether those were all."""

    pairs: Collection
    memories: int
    audited: int = 0
    is_complete: bool = True


class PairSearch:
    """Searches the database of one pool."""

    def __init__(
        self, pool: Pool, *, exact_max_memories: int = EXACT_MAX_MEMORIES, memory_page: int = MEMORY_PAGE
    ) -> None:
        self._pool = pool
        self._exact_max_memories = exact_max_memories
        self._memory_page = memory_page

    async def run(self, search: Search, collection: Collection) -> Found:
        """Collect the pairs in scope."""
        until = None if search.seconds is None else time.monotonic() + search.seconds
        limits, now = search.limits, search.now
        found = Found(collection, await self._read(limits, lambda c: pairs.total(c, limits, now)))
        after: str | None = None
        while True:

            async def page(connection: Connection, after: str | None = after) -> list[Company]:
                return await pairs.companies(connection, limits, now, after, COMPANY_PAGE)

            companies = await self._read(limits, page)
            for batch in self._batches(companies):
                if _is_over(until):
                    found.is_complete = False
                    return found
                if self._is_large(batch[0]):
                    await self._large(search, batch[0], found, until)
                else:
                    await self._whole(search, batch, found)
            if len(companies) < COMPANY_PAGE:
                return found
            after = companies[-1].key

    def _is_large(self, company: Company) -> bool:
        return company.memories > self._exact_max_memories or company.content_bytes > EXACT_MAX_BYTES

    def _batches(self, companies: Sequence[Company]) -> list[list[Company]]:
        """Put small companies together, as many as may be read at once; large ones stand alone."""
        batches: list[list[Company]] = []
        memories = content_bytes = 0
        for company in companies:
            memories, content_bytes = memories + company.memories, content_bytes + company.content_bytes
            fits = memories <= self._exact_max_memories and content_bytes <= EXACT_MAX_BYTES
            if batches and fits:
                batches[-1].append(company)
            else:
                batches.append([company])
                memories, content_bytes = company.memories, company.content_bytes
        return batches

    async def _whole(self, search: Search, batch: Sequence[Company], found: Found) -> None:
        found.audited += sum(company.memories for company in batch)
        keys = [company.key for company in batch if company.memories > 1]
        if not keys:
            return

        async def read(connection: Connection) -> list[Vectors]:
            return await pairs.of_companies(connection, search.limits, search.now, keys, search.generation)

        companies = await self._read(search.limits, read)

        def compare() -> None:
            for one in companies:
                if len(one.members) > 1:
                    sifted = compare_all(one.members, one.passages, one.owners, search.threshold)
                    found.pairs.add(one.members, sifted)

        await asyncio.to_thread(compare)

    async def _large(self, search: Search, company: Company, found: Found, until: float | None) -> None:
        limits, after = search.limits, NO_ID
        while True:
            if _is_over(until):
                found.is_complete = False
                return

            async def page(
                connection: Connection, after: UUID = after
            ) -> tuple[list[UUID], dict[tuple[UUID, UUID], float], list[Member]]:
                ids = await pairs.ids_of_company(connection, limits, search.now, company.key, after, self._memory_page)
                near = await pairs.neighbours(
                    connection,
                    limits,
                    search.now,
                    ids,
                    search.generation,
                    threshold=search.threshold,
                    most=NEIGHBOURS,
                )
                involved = sorted({one for pair in near for one in pair})
                return ids, near, await pairs.members_of(connection, limits, involved)

            ids, near, members = await self._read(limits, page)
            found.audited += len(ids)
            sifted = await asyncio.to_thread(_sifted, members, near, search.threshold)
            found.pairs.add(members, sifted, found_once=False)
            if len(ids) < self._memory_page:
                return
            after = ids[-1]

    async def _read(self, limits: Limits, work: Callable[[Connection], Awaitable[T]]) -> T:
        return await run(self._pool, limits.tenant_id, work, read_only=True)


def _sifted(members: Sequence[Member], near: dict[tuple[UUID, UUID], float], threshold: float) -> Sifted:
    places = {member.memory_id: place for place, member in enumerate(members)}
    micros = np.rint(np.array(list(near.values())) * MICRO).astype(np.int64)
    first, second = (_places(places, [pair[side] for pair in near]) for side in (0, 1))
    reached = micros >= round(threshold * MICRO)
    return sift(members, micros[reached], first[reached], second[reached])


def _places(places: dict[UUID, int], ids: Sequence[UUID]) -> Indices:
    return np.array([places[one] for one in ids], np.int64)


def _is_over(until: float | None) -> bool:
    return until is not None and time.monotonic() >= until
