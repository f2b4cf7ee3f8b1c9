"""Hints: read once, remembered for a while, unknown words asked again."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import UUID

import pytest

from services.retrieve.hints import HINT_SECONDS, UNKNOWN_SECONDS, Hints, Known
from shared.store.pool import Connection
from shared.store.reads import statistics
from shared.store.reads.statistics import Frequencies, Generation

pytestmark = pytest.mark.anyio

NOW = datetime(2026, 6, 1, tzinfo=UTC)
MINE, THEIRS = UUID(int=1), UUID(int=2)
ALMOST, OVER = timedelta(seconds=HINT_SECONDS - 1), timedelta(seconds=HINT_SECONDS)
SOON = timedelta(seconds=UNKNOWN_SECONDS)
NOBODY = cast("Connection", None)


class Stored:
    """What the database would say, and what it was asked."""

    def __init__(self) -> None:
        self.terms: dict[tuple[UUID, int], int] = {(MINE, 1): 10, (MINE, 2): 20}
        self.memories = {MINE: 100}
        self.generation: Generation | None = Generation(1, "m", 3)
        self.asked: list[tuple[UUID, tuple[int, ...]]] = []
        self.generations_asked = 0

    async def frequencies(self, _: Connection, tenant_id: UUID, term_ids: Sequence[int]) -> Frequencies:
        self.asked.append((tenant_id, tuple(term_ids)))
        found = {term: self.terms.get((tenant_id, term), 0) for term in term_ids}
        return Frequencies(self.memories.get(tenant_id, 0), found)

    async def current_generation(self, _: Connection) -> Generation | None:
        self.generations_asked += 1
        return self.generation


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> Stored:
    fake = Stored()
    monkeypatch.setattr(statistics, "frequencies", fake.frequencies)
    monkeypatch.setattr(statistics, "current_generation", fake.current_generation)
    return fake


async def test_a_known_word_is_read_once_a_while(stored: Stored) -> None:
    hints = Hints()
    assert await hints.frequencies(NOBODY, MINE, [1, 2], NOW) == Frequencies(100, {1: 10, 2: 20})
    stored.terms[MINE, 1] = 11
    assert await hints.frequencies(NOBODY, MINE, [2, 1], NOW + ALMOST) == Frequencies(100, {1: 10, 2: 20})
    assert stored.asked == [(MINE, (1, 2))]
    assert (await hints.frequencies(NOBODY, MINE, [1], NOW + OVER)).by_term == {1: 11}


async def test_an_unknown_word_is_soon_asked_again_alone(stored: Stored) -> None:
    hints = Hints()
    assert (await hints.frequencies(NOBODY, MINE, [1, 9], NOW)).by_term == {1: 10, 9: 0}
    stored.terms[MINE, 9] = 3
    assert (await hints.frequencies(NOBODY, MINE, [1, 9], NOW)).by_term == {1: 10, 9: 0}
    assert (await hints.frequencies(NOBODY, MINE, [1, 9], NOW + SOON)).by_term == {1: 10, 9: 3}
    assert stored.asked == [(MINE, (1, 9)), (MINE, (9,))]


async def test_tenants_share_no_hint(stored: Stored) -> None:
    hints = Hints()
    await hints.frequencies(NOBODY, MINE, [1], NOW)
    assert await hints.frequencies(NOBODY, THEIRS, [1], NOW) == Frequencies(0, {1: 0})


async def test_the_size_of_an_empty_tenant_is_asked_again(stored: Stored) -> None:
    hints = Hints()
    await hints.frequencies(NOBODY, THEIRS, [], NOW)
    stored.memories[THEIRS] = 5
    assert (await hints.frequencies(NOBODY, THEIRS, [], NOW + SOON)).memories == 5


async def test_the_generation_is_read_again_when_told(stored: Stored) -> None:
    hints = Hints()
    first = await hints.generation(NOBODY, NOW)
    assert await hints.generation(NOBODY, NOW + ALMOST) is first
    stored.generation = Generation(2, "n", 3)
    assert await hints.generation(NOBODY, NOW + ALMOST) is first
    assert await hints.generation(NOBODY, NOW + ALMOST, again=True) == stored.generation
    assert stored.generations_asked == 2


async def test_the_languages_of_a_tenant_are_those_that_memories_are_in(
    stored: Stored, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def speakers(_: Connection, tenant_id: UUID, most: int) -> tuple[str, ...]:
        return ("Ann",)

    monkeypatch.setattr(statistics, "speakers", speakers)
    hints, ids = Hints(), {2: "de", 3: "fr"}
    assert hints.tenant(MINE, NOW) is None
    known = await hints.read_tenant(NOBODY, MINE, ids, NOW)
    assert known == Known(("Ann",), frozenset({"de"}), "m", 3)
    assert hints.tenant(MINE, NOW + ALMOST) is known and hints.tenant(MINE, NOW + OVER) is None
    assert (await hints.read_tenant(NOBODY, THEIRS, ids, NOW)).languages == frozenset()
    assert hints.tenant(THEIRS, NOW) is None  # nothing of theirs is counted yet
