"""Scopes against an oracle: filters, states and instants, alone and together, in lists, streams and both arms."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import product
from uuid import UUID

import asyncpg
import numpy as np
import pytest

from shared.domain.draft import check
from shared.domain.passages import Passage
from shared.domain.types import Draft, MemoryKind, MemoryState
from shared.domain.vectors import Vector, normalise
from shared.store import migrate
from shared.store.pool import Connection, Pool, open_pool, run
from shared.store.reads import memories, recall
from shared.store.reads.recall import Keeping, Query
from shared.store.reads.scopes import Scope
from shared.store.reads.statistics import Generation
from shared.store.writes.vectors import Embedded
from tests.store.remembering import DIMENSIONS, Book, Kept, term

pytestmark = pytest.mark.anyio

MINE, THEIRS = UUID(int=1), UUID(int=2)
START = datetime(2026, 1, 1, tzinfo=UTC)
END = START + timedelta(days=400)
G1 = Generation(1, "all-MiniLM-L6-v2", DIMENSIONS)
STAGE = """
WITH moved AS (DELETE FROM memory_vector_g1 WHERE tenant_id = $1 AND memory_id = ANY($2::uuid[]) RETURNING *)
INSERT INTO memory_vector_g1_staging SELECT * FROM moved
"""
KEEPING = Keeping(kept=40, dense_share=0.5, lexical_share=0.5, dense_floor=-0.1)
WORDS = "invoice payment salary contract bank tax vendor delivery refund audit quarter bonus rent loan price".split()
COMPANIES = (None, "Acme Ltd", "Globex")
PERIODS = (None, "2026", "2026-Q1", "2026-02", "2026-04", "2026-02-14")
RECORDS = (None, None, "INV-1", "INV-2", "PO-9")
SOURCES = (None, "mail/7", "scan.pdf")
TAGS = ("red", "blue", "green")
SPEAKERS, SESSIONS = (None, "Ann", "Bo"), (None, "s1", "s2")
ENDS = [state for state in MemoryState if state is not MemoryState.ACTIVE]

METADATA = ["{}", '{"total": 8400, "currency": "EUR"}', '{"total": 9000, "currency": "EUR"}']


def a_draft(dice: random.Random, number: int) -> Draft:
    observed = dice.choice([None, START + timedelta(days=dice.randrange(100))])
    return check(
        kind=dice.choice(list(MemoryKind)),
        content=f"{' '.join(dice.sample(WORDS, 4))} number{number}",
        company=dice.choice(COMPANIES),
        period=dice.choice(PERIODS),
        record=dice.choice(RECORDS),
        source_ref=dice.choice(SOURCES),
        speaker=dice.choice(SPEAKERS),
        session=dice.choice(SESSIONS),
        tags=dice.sample(TAGS, dice.randrange(4)),
        importance=dice.choice([None, 0.2, 0.5, 0.9]),
        metadata_json=METADATA[number % len(METADATA)],
        observed_at=observed,
        expires_at=dice.choice([None, None, START + timedelta(days=100 + dice.randrange(200))]),
    )


def a_vector(dice: np.random.Generator) -> Vector:
    return normalise(dice.standard_normal(DIMENSIONS))


@dataclass(frozen=True, slots=True)
class World:
    reader: Pool
    mine: Book
    instants: list[datetime]


@pytest.fixture
async def world(database: migrate.Dsns) -> AsyncIterator[World]:
    """300 memories of one tenant over half a year, some patched, some ended; the same again of another tenant."""
    writer = await open_pool(database.writer, size=2, application_name="test")
    reader = await open_pool(database.reader, size=2, application_name="test")
    dice, vectors = random.Random(7), np.random.default_rng(7)
    mine, theirs = Book(writer, MINE), Book(writer, THEIRS)
    instants = [START + timedelta(days=20 * step) for step in range(10)]
    for book in (mine, theirs):
        for step, at in enumerate(instants[:6]):
            drafts = [a_draft(dice, 1000 * step + number) for number in range(50)]
            embedded = [_several(draft, vectors) if n % 7 == 0 else a_vector(vectors) for n, draft in enumerate(drafts)]
            await book.add(drafts, at, embedded)
        ids = sorted(book.kept)
        for n, memory_id in enumerate(dice.sample(ids, 60)):
            at = instants[6 + n % 2]
            if n % 2:
                await book.patch(memory_id, at, tags=("green",), company="Globex", importance=0.7)
            else:
                await book.patch(memory_id, at, a_vector(vectors), content=f"patched {dice.choice(WORDS)} {n}")
        for n, memory_id in enumerate(dice.sample(ids, 50)):
            await book.end(memory_id, instants[8], ENDS[n % len(ENDS)])
    yield World(reader, mine, instants)
    await reader.close()
    await writer.close()


def _several(draft: Draft, dice: np.random.Generator) -> Embedded:
    middle = len(draft.content) // 2
    passages = (Passage(0, 0, middle), Passage(1, middle, len(draft.content)))
    return Embedded(passages, np.stack([a_vector(dice), a_vector(dice)]))


def scopes(instants: list[datetime]) -> Iterator[Scope]:
    """Every filter alone, then many at random."""
    later = instants[-1]
    alone: list[dict[str, object]] = [
        {},
        {"kind": MemoryKind.INVOICE},
        {"company_key": "acme ltd"},
        {"company_key": ""},
        {"period": "2026-02"},
        {"period_from": date(2026, 3, 1)},
        {"period_to": date(2026, 2, 14)},
        {"period_from": date(2026, 2, 1), "period_to": date(2026, 2, 28)},
        {"record_key": "inv-1"},
        {"record_key": "mail/7"},
        {"source_ref": "scan.pdf"},
        {"tags": ("red",)},
        {"tags": ("red", "green")},
        {"tags": ("none",)},
        {"speaker": "Ann"},
        {"session": "s2"},
        {"min_importance": 0.5},
        {"valid_at": START + timedelta(days=50)},
        {"known_at": START - timedelta(days=1)},
        {"known_at": instants[3] + timedelta(days=1), "tags": ("blue",)},
        {"known_at": later, "state": MemoryState.MERGED},
    ]
    alone += [{"state": state} for state in ENDS]
    alone += [{"known_at": instant} for instant in instants]
    for given in alone:
        yield scope(given, later)
    dice = random.Random(11)
    for _ in range(60):
        chosen: dict[str, object] = {}
        for given in dice.sample(alone, dice.choice([2, 2, 3])):
            chosen.update(given)
        yield scope(chosen, later)


def scope(given: dict[str, object], now: datetime) -> Scope:
    """As the servicer makes it: an expiry counts when the scope holds."""
    state = given.get("state", MemoryState.ACTIVE)
    expired_at = given.get("valid_at") or ((given.get("known_at") or now) if state is MemoryState.ACTIVE else None)
    return Scope(MINE, **{**given, "expired_at": expired_at})  # type: ignore[arg-type]  # the fields of a scope


def believed(book: Book, wanted: Scope) -> list[Kept]:
    """The oracle: the revisions in scope, by the words of the requirement."""
    at = wanted.known_at or END
    found = []
    for revisions in book.kept.values():
        known = [kept for kept in revisions if kept.recorded_at <= at]
        if not known:
            continue
        last = known[-1]
        state = MemoryState.ACTIVE if last.ended_at is None or last.ended_at > at else last.state
        if state is wanted.state and passes(last, wanted):
            found.append(last)
    return found


def passes(kept: Kept, wanted: Scope) -> bool:
    draft, made = kept.revision.draft, kept.revision
    rules: list[Callable[[], bool]] = [
        lambda: wanted.kind in (None, draft.kind),
        lambda: wanted.company_key in (None, made.company_key),
        lambda: wanted.period in (None, draft.period),
        lambda: wanted.period_from is None or (made.period_end is not None and made.period_end >= wanted.period_from),
        lambda: wanted.period_to is None or (made.period_start is not None and made.period_start <= wanted.period_to),
        lambda: wanted.record_key in (None, made.record_key),
        lambda: wanted.source_ref in (None, draft.source_ref),
        lambda: set(wanted.tags) <= set(draft.tags),
        lambda: wanted.speaker in (None, draft.speaker),
        lambda: wanted.session in (None, draft.session),
        lambda: wanted.min_importance is None or (draft.importance or -1) >= wanted.min_importance,
        lambda: wanted.valid_at is None or draft.observed_at is None or draft.observed_at <= wanted.valid_at,
        lambda: wanted.expired_at is None or draft.expires_at is None or draft.expires_at > wanted.expired_at,
    ]
    return all(rule() for rule in rules)


async def test_lists_counts_and_streams_are_the_oracles(world: World) -> None:
    for wanted in scopes(world.instants):
        expected = believed(world.mine, wanted)

        async def read(connection: Connection, wanted: Scope = wanted) -> tuple[list[memories.Memory], int]:
            return await memories.page(connection, wanted, None, 1000), await memories.count(connection, wanted)

        listed, counted = await run(world.reader, MINE, read, read_only=True)
        order = sorted(expected, key=lambda kept: (-kept.recorded_at.timestamp(), kept.memory_id))
        assert [(m.memory_id, m.revision) for m in listed] == [(k.memory_id, k.number) for k in order], wanted
        assert counted == len(expected), wanted
        assert {m.state for m in listed} <= {wanted.state}
        if wanted.known_at is not None:
            streamed = await read_all(world, wanted)
            in_order = sorted(expected, key=lambda kept: kept.memory_id)
            assert [(m.memory_id, m.revision) for m in streamed] == [(k.memory_id, k.number) for k in in_order]


async def read_all(world: World, wanted: Scope) -> list[memories.Memory]:
    """Stream in pages of 7, and check that the pages of a list make the same set."""
    streamed: list[memories.Memory] = []
    after = UUID(int=0)
    listed: list[memories.Memory] = []
    place: memories.Place | None = None

    async def read(connection: Connection) -> tuple[list[memories.Memory], list[memories.Memory]]:
        return await memories.stream(connection, wanted, after, 7), await memories.page(connection, wanted, place, 7)

    while True:
        by_id, by_time = await run(world.reader, MINE, read, read_only=True)
        streamed += by_id
        listed += by_time
        if len(by_id) < 7:
            assert len(by_time) < 7
            break
        after, place = by_id[-1].memory_id, by_time[-1].place
    assert sorted(m.memory_id for m in listed) == [m.memory_id for m in streamed]
    assert len({m.memory_id for m in streamed}) == len(streamed)
    return streamed


async def test_the_best_of_both_arms_are_the_oracles_in_every_scope(world: World) -> None:
    dice = np.random.default_rng(3)
    words = random.Random(3)
    for number, wanted in enumerate(scopes(world.instants)):
        vector = a_vector(dice)
        terms = [(term(MINE, word), 0.5 + n) for n, word in enumerate(words.sample(WORDS, 3))]
        query = Query(None if number % 5 == 3 else vector, None if number % 5 == 4 else terms, terms)
        expected = believed(world.mine, wanted)

        async def read(connection: Connection, wanted: Scope = wanted, query: Query = query) -> recall.Candidates:
            return await recall.candidates(connection, wanted, query, G1, KEEPING, tenant_memories=300)

        found = await run(world.reader, MINE, read, read_only=True)
        assert found.is_exact
        check_best(found, expected, query)
        revisions = {kept.memory_id: kept.number for kept in expected}
        for candidate in found.found:
            assert candidate.revision in (0, revisions[candidate.memory_id])
            record = next(k for k in expected if k.memory_id == candidate.memory_id).revision
            spoken_of = (record.company_key, record.record_key) if record.draft.record else None
            assert (candidate.slot and candidate.slot[:2]) == spoken_of


async def test_vectors_that_wait_for_the_graph_are_searched_too(
    world: World, database: migrate.Dsns, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every other memory's vectors are moved to where uploads leave them; nothing else may change."""
    owner = await asyncpg.connect(database.migrator, server_settings={"search_path": "candor,public"})
    some = [memory_id for number, memory_id in enumerate(sorted(world.mine.kept)) if number % 2]
    await owner.execute(STAGE, MINE, some)
    await owner.close()
    dice = np.random.default_rng(9)
    for limit in (5_000, 10):  # scored whole, then through the indexes
        monkeypatch.setattr(recall, "EXACT_LIMIT", limit)
        for number, wanted in enumerate(scopes(world.instants)):
            if number % 4:
                continue
            terms = [(term(MINE, "invoice"), 1.0), (term(MINE, "rent"), 2.0)]
            query = Query(a_vector(dice), terms, terms)

            async def read(connection: Connection, wanted: Scope = wanted, query: Query = query) -> recall.Candidates:
                size = 300 if recall.EXACT_LIMIT > 300 else 1_000_000
                return await recall.candidates(connection, wanted, query, G1, KEEPING, tenant_memories=size)

            found = await run(world.reader, MINE, read, read_only=True)
            if found.is_exact:
                check_best(found, believed(world.mine, wanted), query)
            else:
                check_scores(found, believed(world.mine, wanted), query)
                assert {c.memory_id for c in found.found} & set(some)


async def test_of_one_record_only_the_best_copies_are_kept(world: World) -> None:
    vector = a_vector(np.random.default_rng(4))
    query = Query(vector, None, None)
    everything = Scope(MINE, expired_at=world.instants[-1])

    async def read(connection: Connection, keeping: Keeping) -> recall.Candidates:
        return await recall.candidates(connection, everything, query, G1, keeping, tenant_memories=300)

    every = await run(world.reader, MINE, lambda c: read(c, replace(KEEPING, kept=300)), read_only=True)
    two = await run(world.reader, MINE, lambda c: read(c, replace(KEEPING, kept=300, copies=2)), read_only=True)
    kept: Counter[object] = Counter()
    best = []
    for candidate in sorted(every.found, key=lambda c: -(c.cosine or 0)):
        kept[candidate.slot] += 1
        if candidate.slot is None or kept[candidate.slot] <= 2:
            best.append(candidate.memory_id)
    assert max(count for slot, count in kept.items() if slot) > 2
    told = {m: kept[-1].revision.draft.metadata_json for m, kept in world.mine.kept.items()}
    named = [(c.memory_id, c.slot) for c in every.found if c.slot and told[c.memory_id] != "{}"]
    for (one, its), (other, theirs) in product(named, named):
        assert (its == theirs) == (told[one] == told[other] and its[:2] == theirs[:2])
    assert [c.memory_id for c in sorted(two.found, key=lambda c: -(c.cosine or 0))] == best


async def test_the_indexes_cost_no_recall_either(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recall, "EXACT_LIMIT", 10)  # so that scopes of this small world count as large
    dice = np.random.default_rng(5)
    through_index = found_best = wanted_best = 0
    for wanted in scopes(world.instants):
        vector = a_vector(dice)
        terms = [(term(MINE, "invoice"), 1.0), (term(MINE, "rent"), 2.0)]
        query = Query(vector, terms, terms)

        async def read(connection: Connection, wanted: Scope = wanted, query: Query = query) -> recall.Candidates:
            return await recall.candidates(connection, wanted, query, G1, KEEPING, tenant_memories=1_000_000)

        found = await run(world.reader, MINE, read, read_only=True)
        expected = believed(world.mine, wanted)
        if found.is_exact:
            check_best(found, expected, query)
        else:
            through_index += 1
            best = list(fused(expected, query))[:20]
            found_best += len(set(best) & {c.memory_id for c in found.found})
            wanted_best += len(best)
            check_scores(found, expected, query)
    assert through_index >= 5
    assert found_best >= 0.95 * wanted_best


async def test_a_memory_that_one_arm_left_out_is_not_taken_for_worthless(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where all vectors are about as near, words decide; so the graph may leave out what has the best words."""
    for name, value in (("EXACT_LIMIT", 0), ("WHOLE_TENANT_LIMIT", 0), ("WIDE_ARM_LIMIT", 60)):
        monkeypatch.setattr(recall, name, value)
    dice, found_best, floor = np.random.default_rng(8), 0, -10.0
    everything = Scope(MINE, expired_at=world.instants[-1])
    keeping = replace(KEEPING, kept=10, dense_floor=floor)
    for _ in range(20):
        terms = [(term(MINE, word), 1.0 + n) for n, word in enumerate(("invoice", "rent", "tax", "loan"))]
        query = Query(a_vector(dice), terms, terms)

        async def read(connection: Connection, query: Query = query) -> recall.Candidates:
            return await recall.candidates(connection, everything, query, G1, keeping, tenant_memories=1_000_000)

        found = await run(world.reader, MINE, read, read_only=True)
        assert not found.is_exact
        best = list(fused(believed(world.mine, everything), query, floor))[:10]
        found_best += len({*best} & {candidate.memory_id for candidate in found.found})
    assert found_best >= 0.85 * 200  # 94 % when written; 28 % where a missing score counts nothing


@dataclass(frozen=True, slots=True)
class Scored:
    """What the oracle says of a memory."""

    cosine: float | None
    passage: Passage | None
    bm25: float | None


def scored(kept: Kept, query: Query) -> Scored:
    cosine, passage = None, None
    if query.vector is not None and len(kept.passages):
        half = query.vector.astype(np.float16).astype(np.float32)
        cosines = [float(row @ half / np.linalg.norm(row) / np.linalg.norm(half)) for row in kept.vectors]
        place = int(np.argmax(cosines))
        cosine, passage = cosines[place], kept.passages[place]
    bm25 = sum(idf * kept.weights.get(term, 0.0) for term, idf in query.terms or ())
    return Scored(cosine, passage, bm25 or None)


def fused(expected: list[Kept], query: Query, floor: float = KEEPING.dense_floor) -> dict[UUID, float]:
    """The memories that an arm brings with their fused scores, best first."""
    by_id = {kept.memory_id: scored(kept, query) for kept in expected}
    best_cosine = max((s.cosine for s in by_id.values() if s.cosine is not None), default=1.0)
    best_bm25 = max((s.bm25 for s in by_id.values() if s.bm25 is not None), default=1.0)
    totals = {}
    for memory_id, one in by_id.items():
        if one.cosine is None and one.bm25 is None:
            continue
        dense = max(0.0, (one.cosine - floor) / (best_cosine - floor)) if one.cosine is not None else 0.0
        totals[memory_id] = KEEPING.dense_share * dense + KEEPING.lexical_share * (one.bm25 or 0.0) / best_bm25
    return dict(sorted(totals.items(), key=lambda item: -item[1]))


def check_best(found: recall.Candidates, expected: list[Kept], query: Query) -> None:
    """Find exactly the best memories; where scores are equal at the cut, some of them."""
    totals = fused(expected, query)
    brought = {candidate.memory_id for candidate in found.found}
    assert len(brought) == len(found.found) == min(len(totals), KEEPING.kept)
    if len(totals) > KEEPING.kept:
        least = list(totals.values())[KEEPING.kept - 1]
        assert {memory_id for memory_id, total in totals.items() if total > least + 1e-5} <= brought
        assert all(totals[memory_id] >= least - 1e-5 for memory_id in brought)
    else:
        assert brought == totals.keys()
    check_scores(found, expected, query)
    if totals:
        every = [scored(kept, query) for kept in expected]
        for told, name in ((found.best_cosine, "cosine"), (found.best_bm25, "bm25")):
            given = [value for one in every if (value := getattr(one, name)) is not None]
            assert told == (pytest.approx(max(given), abs=1e-5) if given else None)


def check_scores(found: recall.Candidates, expected: list[Kept], query: Query) -> None:
    by_id = {kept.memory_id: kept for kept in expected}
    for candidate in found.found:
        one = scored(by_id[candidate.memory_id], query)
        assert candidate.cosine == (None if one.cosine is None else pytest.approx(one.cosine, abs=1e-5))
        assert candidate.bm25 == (None if one.bm25 is None else pytest.approx(one.bm25, rel=1e-5))
        if one.passage is not None:
            assert candidate.passage == (one.passage.number, one.passage.start, one.passage.end)
