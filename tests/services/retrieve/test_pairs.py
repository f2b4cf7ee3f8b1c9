"""StreamPairs: which pairs it brings, in what order, where it goes on, and that it equals brute force."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import grpc
import numpy as np
import pytest
from candor.memory.v1 import memory_pb2, verdict_pb2
from candor.retrieve.v1 import pairs_pb2 as pb

from services.retrieve.pair_search import PairSearch
from services.retrieve.pairs import Pairs
from shared.domain.draft import check
from shared.domain.errors import CandorError
from shared.domain.types import Draft, MemoryState
from shared.domain.vectors import Vector, normalise
from shared.rpc import meaning_stubs
from shared.rpc.clients import rpc_errors
from shared.store import migrate
from shared.store.pool import Connection, Pool, open_pool, run
from shared.store.writes import verdicts
from shared.store.writes.verdicts import NewVerdict
from tests.services.retrieve.serving import MINE, NOW, THEIRS
from tests.services.running import role
from tests.store.remembering import DIMENSIONS, Book

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)
STAGED = """
WITH moved AS (DELETE FROM memory_vector_g1 WHERE tenant_id = $1 AND memory_id = $2 RETURNING *)
INSERT INTO memory_vector_g1_staging SELECT * FROM moved
"""


@dataclass(frozen=True, slots=True)
class Desk:
    mine: Book
    theirs: Book
    writer: Pool
    reader: Pool

    @asynccontextmanager
    async def pairs(self, *, kept_pairs: int = 1000, whole: int = 2000) -> AsyncIterator[grpc.aio.Channel]:
        servicer = Pairs(
            self.reader,
            token_key=b"t" * 32,
            statement_key=b"s" * 32,
            now=lambda: NOW,
            search=PairSearch(self.reader, exact_max_memories=whole, memory_page=4),
            kept_pairs=kept_pairs,
        )
        async with role("retrieve", servicer) as via:
            yield via


@pytest.fixture
async def desk(database: migrate.Dsns) -> AsyncIterator[Desk]:
    writer = await open_pool(database.writer, size=2, application_name="test")
    reader = await open_pool(database.reader, size=2, application_name="test")
    yield Desk(Book(writer, MINE), Book(writer, THEIRS), writer, reader)
    await reader.close()
    await writer.close()


def said(text: str, **given: object) -> Draft:
    return check(**{"kind": "insight", "content": text, **given})  # type: ignore[arg-type]


def at(degrees: float) -> Vector:
    """A direction in a plane, so that similarities are cosines of differences."""
    vector = np.zeros(DIMENSIONS, np.float32)
    vector[:2] = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return vector


def request(**given: object) -> pb.StreamPairsRequest:
    return pb.StreamPairsRequest(**{"tenant_id": str(MINE), **given})  # type: ignore[arg-type]


async def streamed(via: grpc.aio.Channel, **given: object) -> list[pb.StreamPairsResponse]:
    with rpc_errors():
        return [line async for line in meaning_stubs.pairs(via).StreamPairs(request(**given))]


def texts(lines: list[pb.StreamPairsResponse]) -> list[str]:
    return ["|".join(sorted((x.pair.first.content, x.pair.second.content))) for x in lines if x.HasField("pair")]


async def test_it_brings_totals_and_then_the_nearest_pairs_first(desk: Desk) -> None:
    angles = {"a": 0, "b": 10, "c": 30, "d": 88}
    await desk.mine.add([said(text) for text in angles], NOW, [at(angle) for angle in angles.values()])
    async with desk.pairs() as via:
        lines = await streamed(via)
        totals = (await meaning_stubs.pairs(via).CountPairs(pb.CountPairsRequest(tenant_id=str(MINE)))).totals
    assert texts(lines) == ["a|b", "b|c", "a|c", "c|d"]  # 10, 20, 30 and 58 degrees; 0.50 is 60
    assert [round(line.pair.similarity, 3) for line in lines[1:]] == [0.985, 0.940, 0.866, 0.530]
    assert lines[0].totals == totals
    assert (totals.memories, totals.audited, totals.eligible, totals.complete) == (4, 4, 4, True)
    assert (totals.eligible_at_least, totals.restatements) == (False, 0)
    assert (totals.similarity_threshold, totals.embedding_model) == (0.5, "all-MiniLM-L6-v2")


async def test_only_what_may_contradict_is_paired(desk: Desk) -> None:
    expired = {"expires_at": NOW - DAY, "observed_at": NOW - 2 * DAY}
    drafts = [
        said("acme one", company="Acme"),
        said("acme two", company="ACME "),
        said("acme in may", company="Acme", period="2026-05"),
        said("acme in june", company="Acme", period="2026-06"),
        said("ACME  one", company="Acme", session="again"),
        said("globex", company="Globex"),
        said("nobody's"),
        said("a note", kind="note", company="Acme"),
        said("expired", company="Acme", **expired),
        said("ended", company="Acme"),
    ]
    written = await desk.mine.add(drafts, NOW - 3 * DAY, [at(n / 10) for n in range(len(drafts))])
    await desk.mine.end(written[-1], NOW - DAY, MemoryState.SUPERSEDED)
    await desk.theirs.add([said("theirs", company="Acme")], NOW, [at(0)])
    async with desk.pairs() as via:
        insights = await streamed(via, company="acme", kind=memory_pb2.KIND_INSIGHT)
        everything = await streamed(via)
        may = await streamed(via, period="2026-05", kind=memory_pb2.KIND_INSIGHT)
        nearest = await streamed(via, kind=memory_pb2.KIND_INSIGHT, max_pairs=1)
        strict = await streamed(via, similarity_threshold=0.9999995)
    assert sorted(texts(insights)) == [
        "ACME  one|acme in june",
        "ACME  one|acme in may",
        "ACME  one|acme two",
        "acme in june|acme one",
        "acme in june|acme two",
        "acme in may|acme one",
        "acme in may|acme two",
        "acme one|acme two",
    ]
    assert (insights[0].totals.restatements, insights[0].totals.memories) == (1, 5)
    assert len(everything) == 1 + 8 + 5
    assert "acme in june" not in " ".join(texts(may))
    assert texts(nearest) == texts(insights)[:1]
    assert nearest[0].totals.eligible == 8
    assert texts(strict) == []


async def cloud(desk: Desk, memories: int, seed: int = 1) -> None:
    rng = np.random.default_rng(seed)
    middle = rng.normal(size=DIMENSIONS)
    drafts = [said(f"text {n}", company=f"Company {n % 2}") for n in range(memories)]
    vectors = [normalise(middle + rng.normal(size=DIMENSIONS)) for _ in drafts]
    await desk.mine.add(drafts, NOW, vectors)


async def test_it_goes_on_after_any_pair_to_full_coverage(desk: Desk) -> None:
    await cloud(desk, 24)
    async with desk.pairs() as via:
        whole = await streamed(via, similarity_threshold=0.4)
    assert len(whole) > 60
    async with desk.pairs(kept_pairs=7) as via:  # several searches to an end
        assert await streamed(via, similarity_threshold=0.4) == whole
        for number in (0, 1, 20, len(whole) - 1):
            rest = await streamed(via, similarity_threshold=0.4, resume_token=whole[number].resume_token)
            assert rest[1:] == whole[number + 1 :]
            assert rest[0].totals == whole[0].totals
        few = await streamed(via, similarity_threshold=0.4, resume_token=whole[9].resume_token, max_pairs=11)
        assert few[1:] == whole[10:21]


async def test_neighbours_by_the_graph_are_the_same_pairs(desk: Desk) -> None:
    await cloud(desk, 20)  # ten in a company: each memory's ten nearest are all others
    ids = sorted(desk.mine.kept)
    async with desk.pairs() as via:
        whole = await streamed(via, similarity_threshold=0.4)

    async def stage(connection: Connection) -> None:
        for memory_id in ids[::3]:
            await connection.execute(STAGED, MINE, memory_id)

    await run(desk.writer, MINE, stage)  # uploads leave their vectors out of the graph for a while
    async with desk.pairs() as via:
        assert await streamed(via, similarity_threshold=0.4) == whole
    async with desk.pairs(whole=3) as via:
        near = await streamed(via, similarity_threshold=0.4)
    assert near[0].totals.eligible == whole[0].totals.eligible == len(whole) - 1 > 40
    assert texts(near) == texts(whole)
    assert [x.pair.similarity for x in near] == pytest.approx([x.pair.similarity for x in whole], abs=2e-6)


async def test_copies_do_not_crowd_out_an_opposed_neighbour(desk: Desk) -> None:
    copies = [said("Acme pays on time.", session=f"s{n}") for n in range(14)]
    await desk.mine.add([*copies, said("Acme pays late.")], NOW, [*[at(0)] * 14, at(20)])
    async with desk.pairs(whole=3) as via:
        lines = await streamed(via)
    assert texts(lines) == ["Acme pays late.|Acme pays on time."] * 14


@pytest.fixture
def no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a limited time be over at once: a part is a page of a large company, or what is read at once of others."""
    monkeypatch.setattr("services.retrieve.pair_search._is_over", lambda until: until is not None)


@pytest.mark.parametrize("whole", [3, 12])  # two companies of twelve: page by page, or one after the other
async def test_a_search_out_of_time_goes_on_in_parts_to_full_coverage(desk: Desk, no_time: None, whole: int) -> None:
    await cloud(desk, 24)
    async with desk.pairs(whole=whole, kept_pairs=7) as via:
        at_once = await streamed(via, similarity_threshold=0.4)
        lines = await streamed(via, similarity_threshold=0.4, max_scan_seconds=1)
        totals = [line.totals for line in lines if line.HasField("totals")]
        assert len(totals) == (7 if whole == 3 else 2)  # the seventh finds that there is nothing more
        assert set(texts(lines)) == set(texts(at_once)) and len(texts(at_once)) > 60
        assert [one.complete for one in totals] == [False] * (len(totals) - 1) + [True]
        assert [one.eligible_at_least for one in totals] == [not one.complete for one in totals]
        audited = [one.audited for one in totals]
        assert audited == ([4, 8, 12, 16, 20, 24, 24] if whole == 3 else [12, 24])
        assert totals[-1].eligible == len(texts(lines)) >= at_once[0].totals.eligible == len(texts(at_once))
        for number in range(0, len(lines), 5):
            rest = await streamed(
                via, similarity_threshold=0.4, max_scan_seconds=1, resume_token=lines[number].resume_token
            )
            assert texts(rest) == texts(lines[number + 1 :])  # nothing is lost, and nothing comes again
            assert [one.totals for one in rest if one.HasField("totals")][-1] == totals[-1]


async def test_pairs_in_portions_end_with_their_part_and_go_on(desk: Desk, no_time: None) -> None:
    await cloud(desk, 24)
    given = {"similarity_threshold": 0.4, "max_scan_seconds": 1}
    async with desk.pairs(whole=3) as via:
        lines = await streamed(via, **given)
        told: list[str] = []
        token, rounds = "", 0
        while True:
            portion = await streamed(via, **given, max_pairs=11, resume_token=token)
            assert sum(line.HasField("totals") for line in portion) == 1
            told, token, rounds = told + texts(portion), portion[-1].resume_token, rounds + 1
            if portion[0].totals.complete and len(texts(portion)) < 11:
                break
        assert told == texts(lines)
        assert rounds > 6  # parts of over eleven pairs take several


async def test_a_part_without_a_pair_leads_on(desk: Desk, no_time: None) -> None:
    drafts = [said(text, company=company) for company in "abc" for text in ("x", "y")]
    await desk.mine.add(drafts, NOW, [at(0), at(90), at(0), at(90), at(0), at(1)])
    async with desk.pairs(whole=2) as via:
        first = await streamed(via, max_scan_seconds=1, max_pairs=1)
        second = await streamed(via, max_scan_seconds=1, max_pairs=1, resume_token=first[-1].resume_token)
        third = await streamed(via, max_scan_seconds=1, max_pairs=1, resume_token=second[-1].resume_token)
    assert [texts(lines) for lines in (first, second, third)] == [[], [], ["x|y"]]
    assert [lines[0].totals.audited for lines in (first, second, third)] == [2, 4, 6]


async def test_a_token_is_of_one_purpose(desk: Desk) -> None:
    await desk.mine.add([said(text) for text in "abc"], NOW, [at(0), at(1), at(5)])
    async with desk.pairs() as via:
        token = (await streamed(via, purpose="record"))[1].resume_token
        assert len(await streamed(via, purpose="record", resume_token=token)) == 3
        with pytest.raises(CandorError, match="resume_token"):
            await streamed(via, resume_token=token)


async def test_memories_whose_vectors_are_to_follow_are_counted_and_not_audited(desk: Desk) -> None:
    await desk.mine.add([said("a"), said("b"), said("c")], NOW, [at(0), at(1), None])
    async with desk.pairs() as via:
        lines = await streamed(via)
    assert texts(lines) == ["a|b"]
    assert (lines[0].totals.memories, lines[0].totals.audited) == (3, 2)


async def test_earlier_verdicts_come_along_for_the_judge_and_wording_asked_for(desk: Desk) -> None:
    await desk.mine.add([said("a"), said("b"), said("c")], NOW, [at(0), at(1), at(40)])
    async with desk.pairs() as via:
        first = (await streamed(via))[1].pair
        low, high = sorted((first.first.statement_hash, first.second.statement_hash))
        ids = (UUID(first.first.memory_id), UUID(first.second.memory_id))

        async def record(connection: Connection) -> None:
            new = NewVerdict(low, high, *ids, "contradiction", 0.9, "opposed")
            await verdicts.insert(connection, MINE, "m", "v1", NOW, [new])

        await run(desk.writer, MINE, record)
        known = await streamed(via, judge_model="m", prompt_version="v1")
        assert [line.pair.HasField("verdict") for line in known[1:]] == [True, False, False]
        expected = verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_CONTRADICTION, confidence=0.9, reason="opposed")
        assert known[1].pair.verdict == expected
        for other in ({"judge_model": "m", "prompt_version": "v2"}, {"judge_model": "n", "prompt_version": "v1"}, {}):
            assert not any(line.pair.HasField("verdict") for line in await streamed(via, **other))
        # Another text is another statement.
        await desk.mine.patch(ids[0], NOW, at(0), content="a, on second thoughts")
        changed = await streamed(via, judge_model="m", prompt_version="v1")
        assert not any(line.pair.HasField("verdict") for line in changed)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"tenant_id": "x"}, "TENANT_INVALID"),
        ({"period": "x"}, "PERIOD_INVALID"),
        ({"similarity_threshold": 1.5}, "SIMILARITY_OUT_OF_RANGE"),
        ({"similarity_threshold": float("nan")}, "SIMILARITY_OUT_OF_RANGE"),
        ({"max_pairs": -1}, "MAX_PAIRS_OUT_OF_RANGE"),
        ({"max_scan_seconds": 601}, "SCAN_SECONDS_OUT_OF_RANGE"),
        ({"resume_token": "x"}, "RESUME_TOKEN_INVALID"),
    ],
)
async def test_a_wrong_field_is_named(desk: Desk, given: dict[str, object], reason: str) -> None:
    async with desk.pairs() as via:
        with pytest.raises(CandorError) as caught:
            await streamed(via, **given)
    assert caught.value.reason == reason


async def test_a_token_is_of_one_tenant_and_one_set_of_filters(desk: Desk) -> None:
    await desk.mine.add([said(text) for text in "abc"], NOW, [at(0), at(1), at(5)])
    async with desk.pairs() as via:
        token = (await streamed(via))[1].resume_token
        for other in ({"tenant_id": str(THEIRS)}, {"company": "Acme"}, {"similarity_threshold": 0.6}):
            with pytest.raises(CandorError, match="resume_token"):
                await streamed(via, resume_token=token, **other)
        assert len(await streamed(via, resume_token=token, similarity_threshold=0.5, max_pairs=1)) == 2
