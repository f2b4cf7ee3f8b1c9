"""Uploads: thousands of lines, wrong ones among them, cut anywhere and continued."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any
from uuid import UUID

import grpc
import numpy as np
import pytest
from candor.ingest.v1 import bulk_pb2 as pb

from services.ingest import indexing, upload
from services.ingest.runner import JobRunner
from shared.clock import new_id
from shared.domain.errors import CandorError, Conflict, InvalidArgument
from shared.domain.vectors import Vector
from shared.rpc.clients import rpc_errors
from tests.services.ingest.stand_in import DIMENSIONS, MODEL, vector_of
from tests.services.ingest.test_update import update
from tests.services.ingest.workplace import Workplace, memory

pytestmark = pytest.mark.anyio
MEMORIES = "SELECT count(*) FROM memory WHERE tenant_id = $1"
LIVE = "SELECT count(*) FROM memory_vector_g1 WHERE tenant_id = $1"
STAGED = "SELECT count(*) FROM memory_vector_g1_staging WHERE tenant_id = $1"


def lines(numbers: Iterable[int], **given: Any) -> list[pb.ImportLine]:
    return [pb.ImportLine(number=number, memory=memory(f"fact {number}", **given)) for number in numbers]


def given_vector(content: str) -> Vector:
    return vector_of(f"{content} of an upload")  # two words alone may cancel each other out


def with_vectors(numbers: Iterable[int]) -> list[pb.ImportLine]:
    found = lines(numbers, embedding_model=MODEL)
    for line in found:
        line.memory.embedding = given_vector(line.memory.content).astype("<f4").tobytes()
    return found


def messages(
    tenant: UUID, import_id: str, content: Sequence[pb.ImportLine], size: int = 100, **given: Any
) -> list[pb.ImportMemoriesRequest]:
    first = pb.ImportMemoriesRequest(tenant_id=str(tenant), actor="tester", request_id=import_id, **given)
    parts = (content[start : start + size] for start in range(0, len(content), size))
    return [first, *(pb.ImportMemoriesRequest(lines=part) for part in parts)]


async def sent(ingest: Workplace, requests: Sequence[pb.ImportMemoriesRequest]) -> pb.ImportMemoriesResponse:
    async def each() -> AsyncIterator[pb.ImportMemoriesRequest]:
        for request in requests:
            yield request

    with rpc_errors():
        return await ingest.importer.ImportMemories(each())


async def standing(ingest: Workplace, tenant: UUID, import_id: str) -> pb.GetImportResponse:
    with rpc_errors():
        return await ingest.importer.GetImport(pb.GetImportRequest(tenant_id=str(tenant), import_id=import_id))


async def test_five_thousand_lines_with_wrong_ones(ingest: Workplace, tenant: UUID) -> None:
    content = lines(range(1, 5_001))
    for line in content[::100]:
        line.memory.content = " "
    content[7].refused.CopyFrom(pb.LineError(line=8, field="body", reason="JSON_INVALID", description="is not JSON"))
    content[8].ClearField("memory")
    content[9].memory.embedding, content[9].memory.embedding_model = b"\0\0\0\0", MODEL
    content[10].memory.embedding, content[10].memory.embedding_model = b"\0\0\x80\x3f" * DIMENSIONS, "another"
    content[11].memory.CopyFrom(content[12].memory)
    answer = await sent(ingest, messages(tenant, "i", content, reason="because"))
    assert (answer.import_id, answer.lines, answer.next_line) == ("i", 5_000, 5_001)
    assert (answer.written, answer.existing, answer.failed) == (4_945, 1, 54)
    reasons = {error.line: (error.field, error.reason) for error in answer.errors}
    assert [reasons[number] for number in (8, 9, 10, 11)] == [
        ("body", "JSON_INVALID"),
        ("body", "LINE_EMPTY"),
        ("embedding", "EMBEDDING_INVALID"),
        ("embedding", "EMBEDDING_GENERATION_MISMATCH"),
    ]
    assert [number for number, found in reasons.items() if found == ("content", "CONTENT_EMPTY")] == list(
        range(1, 5_001, 100)
    )
    assert all(error.description for error in answer.errors)
    assert await ingest.value(MEMORIES, tenant) == await ingest.value(LIVE, tenant) == 4_945
    actions = "SELECT DISTINCT action, actor, reason, request_id FROM operation WHERE tenant_id = $1"
    assert await ingest.rows(actions, tenant) == [("import", "tester", "because", "i")]
    told = await standing(ingest, tenant, "i")
    assert (told.mode, told.lines, told.written, told.failed) == (pb.IMPORT_MODE_LIVE, 5_000, 4_945, 54)
    assert list(told.errors) == list(answer.errors)


async def test_at_most_a_hundred_errors_are_told_and_all_are_counted(ingest: Workplace, tenant: UUID) -> None:
    content = [pb.ImportLine(number=number, memory=memory(" ")) for number in range(1, 1_201)]
    answer = await sent(ingest, messages(tenant, "i", content))
    assert (answer.written, answer.failed, answer.lines) == (0, 1_200, 1_200)
    assert [error.line for error in answer.errors] == list(range(1, 101))


async def test_an_upload_that_was_cut_goes_on_after_the_last_committed_line(
    ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "BATCH_LINES", 50)
    content, arrived = lines(range(1, 401)), asyncio.Event()

    async def cut() -> AsyncIterator[pb.ImportMemoriesRequest]:
        for request in messages(tenant, "i", content[:270], size=30):
            yield request
        while (await standing(ingest, tenant, "i")).lines < 200:
            pass
        arrived.set()
        await asyncio.Event().wait()

    call = ingest.importer.ImportMemories(cut())
    await asyncio.wait_for(arrived.wait(), 30)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    async with asyncio.timeout(30):  # what was on its way is committed or not, but whole
        former = -1
        while former != (told := (await standing(ingest, tenant, "i")).lines):
            former = told
            await asyncio.sleep(0.2)
    assert 200 <= told <= 270
    assert await ingest.value(MEMORIES, tenant) == told
    for repeat in (content, content[told:], content):
        first = repeat[0].number
        answer = await sent(ingest, messages(tenant, "i", repeat, first_line=first, size=37))
        assert (answer.lines, answer.written, answer.existing) == (400, 400, 0)
    assert await ingest.value(MEMORIES, tenant) == 400
    assert await ingest.value("SELECT count(*) FROM memory_event WHERE tenant_id = $1", tenant) == 400


async def test_an_outage_in_the_middle_is_an_error_and_what_was_committed_stays(
    ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "BATCH_LINES", 20)
    content = lines(range(1, 61))
    content[45].memory.content = "a poisoned text"
    with pytest.raises(CandorError):
        await sent(ingest, messages(tenant, "i", content, size=20))
    assert (await standing(ingest, tenant, "i")).lines == 40
    ingest.embeddings.is_down = True
    with pytest.raises(CandorError) as caught:
        await sent(ingest, messages(tenant, "i", content, size=20))
    assert caught.value.reason == "EMBEDDER_UNAVAILABLE"
    ingest.embeddings.is_down = False
    content[45].memory.content = "a good text"
    assert (await sent(ingest, messages(tenant, "i", content, size=20))).written == 60


async def test_a_gap_is_refused_and_names_the_next_line(ingest: Workplace, tenant: UUID) -> None:
    await sent(ingest, messages(tenant, "i", lines(range(1, 11))))
    with pytest.raises(InvalidArgument) as caught:
        await sent(ingest, messages(tenant, "i", lines(range(13, 15)), first_line=13))
    assert (caught.value.reason, caught.value.metadata["next_line"]) == ("IMPORT_GAP", "11")
    assert await ingest.value(MEMORIES, tenant) == 10


async def test_of_two_uploads_under_one_id_one_goes_on(
    ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "BATCH_LINES", 10)
    content = lines(range(1, 101))
    asked = [sent(ingest, messages(tenant, "i", content, size=10)) for _ in range(3)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(outcome, Conflict | pb.ImportMemoriesResponse) for outcome in outcomes)
    assert (await sent(ingest, messages(tenant, "i", content))).written == 100
    assert await ingest.value(MEMORIES, tenant) == 100


async def test_the_same_lines_under_another_id_are_there_already(ingest: Workplace, tenant: UUID) -> None:
    content = lines(range(1, 31))
    await sent(ingest, messages(tenant, "one", content))
    answer = await sent(ingest, messages(tenant, "two", content))
    assert (answer.written, answer.existing) == (0, 30)


async def test_without_an_id_each_upload_has_its_own(ingest: Workplace, tenant: UUID) -> None:
    first, second = [await sent(ingest, messages(tenant, "", lines([1]))) for _ in range(2)]
    assert first.import_id != second.import_id
    assert (first.written, second.existing) == (1, 1)


def mover(ingest: Workplace) -> JobRunner:
    return JobRunner(ingest.pool, {indexing.KIND: indexing.handle}, now=ingest.clock.now)


async def test_bulk_vectors_wait_beside_the_index_until_a_job_moves_them(ingest: Workplace, tenant: UUID) -> None:
    content = with_vectors(range(1, 1_001))
    answer = await sent(ingest, messages(tenant, "i", content, mode=pb.IMPORT_MODE_BULK))
    assert answer.written == 1_000
    assert ingest.embeddings.texts == []
    assert (await ingest.value(LIVE, tenant), await ingest.value(STAGED, tenant)) == (0, 1_000)
    vectors = "SELECT memory_id, passage_no, embedding::text FROM {} WHERE tenant_id = $1 ORDER BY memory_id"
    before = await ingest.rows(vectors.format("memory_vector_g1_staging"), tenant)
    while await mover(ingest).step():
        pass
    assert (await ingest.value(LIVE, tenant), await ingest.value(STAGED, tenant)) == (1_000, 0)
    assert await ingest.rows(vectors.format("memory_vector_g1"), tenant) == before
    jobs = "SELECT status, progress FROM job WHERE tenant_id = $1 AND kind = 'index_bulk'"
    assert await ingest.rows(jobs, tenant) == [("done", 1_000)]


async def test_an_upload_waits_when_too_much_waits_for_the_index(
    ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upload, "BATCH_LINES", 10)
    monkeypatch.setattr(upload, "STAGED_MAX", 10)
    monkeypatch.setattr(upload, "STAGED_CHECK_BATCHES", 1)
    monkeypatch.setattr(upload, "WAIT_SECONDS", 0.01)
    content = with_vectors(range(1, 51))
    asking = asyncio.create_task(sent(ingest, messages(tenant, "i", content, mode=pb.IMPORT_MODE_BULK)))
    async with asyncio.timeout(30):
        while await ingest.value(STAGED, tenant) < 10:
            pass
        while not asking.done():
            assert await ingest.value(STAGED, tenant) <= 20
            await mover(ingest).step()
    assert (await asking).written == 50
    monkeypatch.setattr(upload, "PATIENCE_SECONDS", 0.05)
    with pytest.raises(CandorError) as caught:  # nobody moves anything
        await sent(ingest, messages(tenant, "j", with_vectors(range(101, 151)), mode=pb.IMPORT_MODE_BULK))
    assert caught.value.reason == "INDEX_BEHIND"


async def test_a_patch_of_a_staged_memory_takes_its_vectors_along(ingest: Workplace, tenant: UUID) -> None:
    await sent(ingest, messages(tenant, "i", with_vectors([1, 2]), mode=pb.IMPORT_MODE_BULK))
    memory_id = await ingest.value("SELECT memory_id FROM memory WHERE tenant_id = $1 AND content = 'fact 1'", tenant)
    await ingest.writer.UpdateMemory(update(tenant, str(memory_id), content="another fact"))
    assert (await ingest.value(LIVE, tenant), await ingest.value(STAGED, tenant)) == (1, 1)
    kept = "SELECT embedding::text FROM memory_vector_g1_history WHERE tenant_id = $1 AND memory_id = $2"
    [(history,)] = await ingest.rows(kept, tenant, memory_id)
    assert np.allclose(np.array(history.strip("[]").split(","), float), given_vector("fact 1"), atol=1e-3)
    while await mover(ingest).step():
        pass
    assert (await ingest.value(LIVE, tenant), await ingest.value(STAGED, tenant)) == (2, 0)


@pytest.mark.parametrize(
    ("requests", "reason"),
    [
        ([], "IMPORT_EMPTY"),
        ([pb.ImportMemoriesRequest(tenant_id="x")], "TENANT_INVALID"),
        ([pb.ImportMemoriesRequest(tenant_id=str(UUID(int=5)), mode=9)], "IMPORT_MODE_INVALID"),  # type: ignore[arg-type]
        ([pb.ImportMemoriesRequest(tenant_id=str(UUID(int=5)), request_id="r" * 129)], "REQUEST_ID_TOO_LONG"),
        ([pb.ImportMemoriesRequest(tenant_id=str(UUID(int=5)), first_line=-1)], "IMPORT_GAP"),
        (messages(UUID(int=5), "a", lines([2, 1])), "LINES_NOT_RISING"),
        (messages(UUID(int=5), "b", lines([0])), "LINES_NOT_RISING"),
        (messages(UUID(int=5), "c", lines(range(1, 1_002)), size=1_001), "TOO_MANY_LINES"),
    ],
)
async def test_a_wrong_upload_is_refused(
    ingest: Workplace, requests: list[pb.ImportMemoriesRequest], reason: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await sent(ingest, requests)
    assert caught.value.reason == reason


async def test_a_stranger_does_not_find_an_upload(ingest: Workplace, tenant: UUID) -> None:
    await sent(ingest, messages(tenant, "i", lines([1])))
    for owner, import_id in ((new_id(), "i"), (tenant, "j")):
        with pytest.raises(CandorError) as caught:
            await standing(ingest, owner, import_id)
        assert caught.value.reason == "IMPORT_NOT_FOUND"


async def test_a_stalled_upload_is_ended(ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.rpc.envelope.STALL_SECONDS", 0.2)

    async def stalling() -> AsyncIterator[pb.ImportMemoriesRequest]:
        yield messages(tenant, "i", [])[0]
        await asyncio.Event().wait()

    call = ingest.importer.ImportMemories(stalling())
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await asyncio.wait_for(call, 10)
    assert caught.value.code() == grpc.StatusCode.UNAVAILABLE
