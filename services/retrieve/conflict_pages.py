"""The parts of an audit's material, page by page: from a whole tenant in the order of keys, or of what was touched.

Rules: the next page is read while the one in hand is sent, and no more than that: at most two pages are held. Each is
read in a short transaction of its own. Groups are read by their number of assertions, so that large ones do not add up.
It does not know messages and tokens.
Source: REQUIREMENTS C1, C2.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Concatenate, ParamSpec, TypeAlias, TypeVar

from shared.domain.counterpart import EXPECTATIONS, Expectation
from shared.domain.dependency import Dependent
from shared.domain.findings import Absence
from shared.domain.opposition import Assertion
from shared.store.pool import Connection, Pool, run
from shared.store.reads import conflicts, expected, touched
from shared.store.reads.conflicts import GROUP_MAX_ASSERTIONS, Copies, Counted, GroupKey, Limits, RecordKey
from shared.store.reads.expected import DependencyKey
from shared.store.reads.touched import Touched

PAGE_MAX_ASSERTIONS = 2_000  # about 1 MB of assertions; one group may be half of it (chosen)

K = TypeVar("K")
T = TypeVar("T")
P = ParamSpec("P")
Find: TypeAlias = Callable[[Connection, K, int], Awaitable[list[K]]]
Tell: TypeAlias = Callable[[Connection, Sequence[K]], Awaitable[T]]
Dependents: TypeAlias = list[tuple[DependencyKey, Dependent, list[list[Assertion]]]]


@dataclass(frozen=True, slots=True)
class Pages:
    """What one stream looks at, as of when; only what was touched where that is given."""

    pool: Pool
    limits: Limits
    known_at: datetime
    page_size: int
    touched: Touched | None = None

    async def groups(self, after: GroupKey) -> AsyncIterator[list[list[Assertion]]]:
        """Yield groups with more than one value."""
        keys = self._contested(after) if self.touched is None else self._touched_contested(self.touched, after)
        async for counted in keys:
            for part, is_small in _parts(counted):
                read = conflicts.small_groups if is_small else conflicts.groups
                yield await self._read(read, self.limits, part, self.known_at)

    def duplicates(self, after: bytes) -> AsyncIterator[list[Copies]]:
        """Yield contents that several open memories have."""
        return self._pages(
            lambda c, place, size: conflicts.repeated_contents(c, self.limits, place, size),
            lambda c, keys: conflicts.copies(c, self.limits, keys, self.known_at),
            after,
            None if self.touched is None else self.touched.contents,
        )

    def missing(self, after: RecordKey) -> AsyncIterator[list[Absence]]:
        """Yield records that are referred to and not stored."""

        async def tell_touched(connection: Connection, records: Sequence[RecordKey]) -> list[Absence]:
            return await tell(connection, await touched.missing(connection, self.limits, records))

        async def tell(connection: Connection, records: Sequence[RecordKey]) -> list[Absence]:
            return await conflicts.absences(connection, self.limits, records, self.known_at) if records else []

        return self._pages(
            lambda c, place, size: conflicts.missing_records(c, self.limits, place, size),
            tell if self.touched is None else tell_touched,
            after,
            None if self.touched is None else self.touched.records,
        )

    async def counterparts(self, number: int, after: RecordKey) -> AsyncIterator[list[Absence]]:
        """Yield records that call for a counterpart by the expectation of a number and do not have it."""
        expectation = EXPECTATIONS[number]
        among = None
        if self.touched is not None:
            among = sorted({*self.touched.records, *await self._of_touched_periods(expectation, self.touched)})
        pages = self._pages(
            lambda c, place, size: expected.calling(c, self.limits, expectation, place, size),
            lambda c, records: expected.unanswered(c, self.limits, expectation, records, self.known_at),
            after,
            among,
        )
        async for page in pages:
            yield page

    async def dependencies(self, after: DependencyKey) -> AsyncIterator[Dependents]:
        """Yield memories whose record changed after they were recorded."""
        among = None
        if self.touched is not None:
            among = await self._read(expected.dependents_on, self.limits, self.touched.records)
        pages = self._pages(
            lambda c, place, size: expected.dependents(c, self.limits, place, size),
            lambda c, keys: expected.rested_on(c, self.limits, keys, self.known_at),
            after,
            among,
        )
        async for page in pages:
            yield page

    async def _contested(self, after: GroupKey) -> AsyncIterator[list[Counted]]:
        while True:
            keys = await self._read(conflicts.group_keys, self.limits, after, self.page_size)
            yield keys
            if len(keys) < self.page_size:
                return
            after = keys[-1][0]

    async def _touched_contested(self, among: Touched, after: GroupKey) -> AsyncIterator[list[Counted]]:
        for keys in _chunks(among.groups, after, self.page_size):
            yield await self._read(touched.contested, self.limits, keys)

    async def _of_touched_periods(self, expectation: Expectation, among: Touched) -> list[RecordKey]:
        if not (expectation.by_period and among.periods):
            return []
        return await self._read(expected.calling_of_periods, self.limits, expectation, among.periods)

    async def _pages(self, find: Find[K], tell: Tell[K, T], after: K, among: Sequence[K] | None) -> AsyncIterator[T]:
        """Yield what is told of the next keys after a place, or of those among some."""
        if among is not None:
            for keys in _chunks(among, after, self.page_size):
                yield await self._read(tell, keys)
            return
        while True:
            keys, found = await self._read(_page, find, tell, after, self.page_size)
            if found is not None:
                yield found
            if len(keys) < self.page_size:
                return
            after = keys[-1]

    async def _read(
        self, work: Callable[Concatenate[Connection, P], Awaitable[T]], *given: P.args, **named: P.kwargs
    ) -> T:
        return await run(self.pool, self.limits.tenant_id, lambda c: work(c, *given, **named), read_only=True)


async def _page(
    connection: Connection, find: Find[K], tell: Tell[K, T], after: K, size: int
) -> tuple[list[K], T | None]:
    keys = await find(connection, after, size)
    return keys, await tell(connection, keys) if keys else None


async def ahead(pages: AsyncIterator[T]) -> AsyncIterator[T]:
    """Yield the same pages, each while the next one is being read."""
    end: Any = object()
    coming = asyncio.ensure_future(anext(pages, end))
    try:
        while (page := await coming) is not end:
            coming = asyncio.ensure_future(anext(pages, end))
            yield page
    finally:
        coming.cancel()
        with suppress(asyncio.CancelledError):
            await coming


def _chunks(keys: Sequence[K], after: K, size: int) -> list[Sequence[K]]:
    rest = [key for key in keys if key > after]  # type: ignore[operator]  # keys of one part have an order
    return [rest[start : start + size] for start in range(0, len(rest), size)]


def _parts(counted: Sequence[Counted]) -> list[tuple[list[GroupKey], bool]]:
    """Cut keys into what is read at once, so that it stays small: many small groups, or one that is not."""
    parts: list[tuple[list[GroupKey], bool]] = []
    room = 0
    for key, assertions in counted:
        if assertions > GROUP_MAX_ASSERTIONS:
            parts.append(([key], False))
            room = 0
            continue
        if assertions > room:
            parts.append(([], True))
            room = PAGE_MAX_ASSERTIONS
        parts[-1][0].append(key)
        room -= assertions
    return parts
