"""RecordVerdicts: kept once, never inconclusive, and only of memories that are there."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

import grpc
import pytest
from candor.ingest.v1 import verdicts_pb2 as pb
from candor.memory.v1 import verdict_pb2

from services.ingest.verdicts import Verdicts
from shared.domain.draft import check
from shared.domain.errors import CandorError, InvalidArgument
from shared.domain.types import MemoryState
from shared.rpc import meaning_stubs
from shared.rpc.clients import rpc_errors
from shared.store import migrate
from shared.store.pool import Connection, Pool, open_pool, run
from tests.services.retrieve.serving import MINE, NOW, THEIRS
from tests.services.running import role
from tests.store.remembering import Book

pytestmark = pytest.mark.anyio

SAID = verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_CONTRADICTION, confidence=0.8, reason="opposed")


@dataclass(frozen=True, slots=True)
class Desk:
    via: grpc.aio.Channel
    pool: Pool
    ids: list[UUID]
    foreign: UUID

    def pair(self, a: UUID, b: UUID, *, verdict: verdict_pb2.PairVerdict = SAID) -> pb.JudgedPair:
        return pb.JudgedPair(first=self.side(a), second=self.side(b), verdict=verdict)

    def side(self, memory_id: UUID) -> pb.JudgedStatement:
        return pb.JudgedStatement(memory_id=str(memory_id), statement_hash=memory_id.bytes * 2)

    async def record(self, *pairs: pb.JudgedPair, **given: object) -> int:
        fields = {"tenant_id": str(MINE), "model": "m", "prompt_version": "v", "verdicts": pairs}
        with rpc_errors():
            request = pb.RecordVerdictsRequest(**{**fields, **given})  # type: ignore[arg-type]
            return (await meaning_stubs.verdicts(self.via).RecordVerdicts(request)).recorded

    async def kept(self, tenant: UUID = MINE) -> list[tuple[object, ...]]:
        async def read(connection: Connection) -> list[tuple[object, ...]]:
            rows = await connection.fetch("SELECT * FROM verdict ORDER BY first_hash, second_hash")
            return [tuple(row[name] for name in ("first_hash", "second_hash", "verdict", "reason")) for row in rows]

        return await run(self.pool, tenant, read)


@pytest.fixture
async def desk(database: migrate.Dsns) -> AsyncIterator[Desk]:
    pool = await open_pool(database.writer, size=2, application_name="test")
    book, theirs = Book(pool, MINE), Book(pool, THEIRS)
    ids = await book.add([check(kind="note", content=text) for text in "abcd"], NOW)
    await book.end(ids[3], NOW, MemoryState.INCORRECT)
    (foreign,) = await theirs.add([check(kind="note", content="theirs")], NOW)
    async with role("ingest", Verdicts(pool, now=lambda: NOW)) as via:
        yield Desk(via, pool, ids, foreign)
    await pool.close()


async def test_a_verdict_is_kept_once_whichever_side_comes_first(desk: Desk) -> None:
    a, b, c, _ = desk.ids
    assert await desk.record(desk.pair(b, a), desk.pair(a, b), desk.pair(b, c)) == 2
    other = verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_CONSISTENT, confidence=0.1, reason="not")
    assert await desk.record(desk.pair(a, b, verdict=other)) == 0
    assert await desk.kept() == [
        (a.bytes * 2, b.bytes * 2, "contradiction", "opposed"),
        (b.bytes * 2, c.bytes * 2, "contradiction", "opposed"),
    ]
    assert await desk.record(desk.pair(a, b), prompt_version="v2") == 1
    assert await desk.record(desk.pair(a, b), model="n") == 1


async def test_of_what_has_ended_or_is_not_the_tenants_nothing_is_kept(desk: Desk) -> None:
    a, b, _, ended = desk.ids
    assert await desk.record(desk.pair(a, ended), desk.pair(a, desk.foreign), desk.pair(a, b)) == 1
    assert len(await desk.kept()) == 1
    assert await desk.record(desk.pair(a, b), tenant_id=str(THEIRS)) == 0
    assert await desk.kept(THEIRS) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"verdict": verdict_pb2.VERDICT_INCONCLUSIVE}, "VERDICT_INVALID"),
        ({"verdict": verdict_pb2.VERDICT_UNSPECIFIED}, "VERDICT_INVALID"),
        ({"confidence": 1.5}, "VERDICT_INVALID"),
        ({"confidence": float("nan")}, "VERDICT_INVALID"),
        ({"reason": "x" * 501}, "VERDICT_INVALID"),
        ({"reason": "a\0b"}, "FORBIDDEN_CHARACTER"),
    ],
)
async def test_what_is_no_verdict_is_refused(desk: Desk, changes: dict[str, object], reason: str) -> None:
    wrong = verdict_pb2.PairVerdict()
    wrong.CopyFrom(SAID)
    for name, value in changes.items():
        setattr(wrong, name, value)
    with pytest.raises(InvalidArgument) as caught:
        await desk.record(desk.pair(*desk.ids[:2]), desk.pair(*desk.ids[1:3], verdict=wrong))
    assert caught.value.reason == reason
    assert await desk.kept() == []


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"tenant_id": ""}, "TENANT_INVALID"),
        ({"model": ""}, "MODEL_INVALID"),
        ({"prompt_version": "v" * 65}, "MODEL_INVALID"),
        ({"verdicts": []}, "VERDICTS_MISSING"),
        ({"verdicts": [pb.JudgedPair()] * 101}, "VERDICTS_TOO_MANY"),
        ({"verdicts": [pb.JudgedPair(verdict=SAID)]}, "VERDICT_INVALID"),
    ],
)
async def test_a_wrong_field_is_named(desk: Desk, given: dict[str, object], reason: str) -> None:
    with pytest.raises(CandorError) as caught:
        await desk.record(desk.pair(*desk.ids[:2]), **given)
    assert caught.value.reason == reason
