"""One search for pairs: through all companies in scope, by whole comparison or by neighbours, within a time if given.

Rules: the same data gives the same pairs, whatever the pages are; no more than the pairs asked for are in hand, and the
vectors of a few thousand memories. Each page is read in a short transaction of its own, and compared off the event
loop. A search that ran out of time says how far it came, and another one goes on there; it always comes some way. It
does not know messages, tokens or judges.
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
class Reach:
    """How far a search came: through a company up to a memory, or through all of it if that is None."""

    company_key: str
    memory_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for, after `begin` up to `end`. `seconds` None: as long as it takes."""

    limits: Limits
    now: datetime
    generation: int
    threshold: float
    seconds: float | None = None
    begin: Reach | None = None
    end: Reach | None = None


@dataclass(slots=True)
class Found:
    """What came of a search: its pairs, how many memories are in scope and were looked at, and where it was cut."""

    pairs: Collection
    memories: int
    audited: int = 0
    reached: Reach | None = None


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
        limits, now, begin, end = search.limits, search.now, search.begin, search.end
        found = Found(collection, await self._read(limits, lambda c: pairs.total(c, limits, now)))
        after = begin.company_key if begin else None
        # A company that the search begins in the midst of is among its own.
        with_it = begin is not None and begin.memory_id is not None
        while True:

            async def page(connection: Connection, after: str | None = after, with_it: bool = with_it) -> list[Company]:
                return await pairs.companies(connection, limits, now, after, COMPANY_PAGE, with_it=with_it)

            companies = await self._read(limits, page)
            inside = [company for company in companies if end is None or company.key <= end.company_key]
            for batch in self._batches(inside):
                if found.audited and _is_over(until):
                    return found
                if self._is_large(batch[0]):
                    await self._large(search, batch[0], found, until)
                    if found.reached and found.reached.memory_id is not None:
                        return found
                else:
                    await self._whole(search, batch, found)
                found.reached = Reach(batch[-1].key)
            if len(inside) < COMPANY_PAGE:
                found.reached = end
                return found
            after, with_it = companies[-1].key, False

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
        limits, after, last = search.limits, NO_ID, None
        if search.begin and search.begin.company_key == company.key:
            after = search.begin.memory_id or NO_ID
        if search.end and search.end.company_key == company.key:
            last = search.end.memory_id
        while True:
            if found.audited and _is_over(until):
                found.reached = Reach(company.key, after)
                return

            async def page(
                connection: Connection, after: UUID = after
            ) -> tuple[list[UUID], dict[tuple[UUID, UUID], float], list[Member]]:
                ids = await pairs.ids_of_company(connection, limits, search.now, company.key, after, self._memory_page)
                ids = [one for one in ids if last is None or one <= last]
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
