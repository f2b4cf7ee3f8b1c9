"""GetMemory, ListMemories, CountMemories, ListMemoryEvents, StreamMemories."""

from collections.abc import Awaitable
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import UUID

import pytest
from candor.memory.v1 import memory_pb2
from candor.retrieve.v1 import memories_pb2 as pb

from services.retrieve import memories as servicer
from shared.domain.draft import check
from shared.domain.errors import CandorError, InvalidArgument, NotFound
from shared.domain.types import Draft, MemoryState
from shared.rpc import clients, wire
from shared.rpc.clients import rpc_errors
from tests.services.retrieve.serving import MINE, NOW, THEIRS, Serving, vector_of

pytestmark = pytest.mark.anyio

T = TypeVar("T")
DAY = timedelta(days=1)


async def answered(call: Awaitable[T]) -> T:
    with rpc_errors():
        return await call


async def refused(call: Awaitable[object]) -> CandorError:
    with pytest.raises(CandorError) as caught:
        await answered(call)
    return caught.value


def note(number: int, **given: object) -> Draft:
    return check(**{"kind": "note", "content": f"note {number}", **given})  # type: ignore[arg-type]


async def remember(serving: Serving, count: int, at: datetime = NOW) -> list[UUID]:
    """One memory a minute."""
    return [
        (await serving.mine.add([note(n)], at + timedelta(minutes=n), [vector_of(str(n))]))[0] for n in range(count)
    ]


async def test_a_memory_comes_back_as_it_was_written(serving: Serving) -> None:
    draft = check(
        kind="invoice",
        content="Überweisung 東京 \U0001f600\nzweite Zeile",
        company="Acme Ltd",
        period="2026-05",
        record="INV-1",
        source_ref="mail/7",
        counterparty="Globex",
        speaker="Ann",
        session="s1",
        tags=["b", "a"],
        metadata_json='{"total": 8400.00, "z": 1, "a": [1, {"b": null}]}',
        importance=0.25,
        pinned=True,
        observed_at=NOW - DAY,
        expires_at=NOW + DAY,
        memory_type="episodic",
        references=["PO-1"],
        derived_from=[UUID(int=77)],
    )
    (memory_id,) = await serving.mine.add([draft], NOW, [vector_of("a")])
    reader = clients.memory_reader(serving.via)
    response = await answered(reader.GetMemory(pb.GetMemoryRequest(tenant_id=str(MINE), memory_id=str(memory_id))))
    assert response.memory == memory_pb2.Memory(
        id=str(memory_id),
        revision=1,
        kind=memory_pb2.KIND_INVOICE,
        content=draft.content,
        company="Acme Ltd",
        period="2026-05",
        record="INV-1",
        source_ref="mail/7",
        counterparty="Globex",
        speaker="Ann",
        session="s1",
        tags=["b", "a"],
        metadata=draft.metadata_json,
        importance=0.25,
        pinned=True,
        memory_type=memory_pb2.MEMORY_TYPE_EPISODIC,
        references=["PO-1"],
        derived_from=[str(UUID(int=77))],
        observed_at=wire.to_timestamp(NOW - DAY),
        valid_to=wire.to_timestamp(NOW + DAY),
        expires_at=wire.to_timestamp(NOW + DAY),
        recorded_at=wire.to_timestamp(NOW),
        state=memory_pb2.STATE_ACTIVE,
    )


async def test_an_earlier_revision_is_read_by_its_time(serving: Serving) -> None:
    (memory_id,) = await serving.mine.add([note(1)], NOW - 9 * DAY, [vector_of("a")])
    await serving.mine.patch(memory_id, NOW - 5 * DAY, content="note two")
    await serving.mine.end(memory_id, NOW - 2 * DAY, MemoryState.SUPERSEDED)
    reader = clients.memory_reader(serving.via)

    async def at(days: int) -> memory_pb2.Memory:
        moment = wire.to_timestamp(NOW - days * DAY)
        request = pb.GetMemoryRequest(tenant_id=str(MINE), memory_id=str(memory_id), known_at=moment)
        return (await answered(reader.GetMemory(request))).memory

    first, second, ended = await at(9), await at(3), await at(1)
    assert (first.revision, first.content, first.state) == (1, "note 1", memory_pb2.STATE_ACTIVE)
    assert not first.HasField("ended_at")  # nobody knew then that it would end
    assert (second.revision, second.state) == (2, memory_pb2.STATE_ACTIVE)
    assert (ended.revision, ended.state) == (2, memory_pb2.STATE_SUPERSEDED)
    assert wire.to_datetime(ended.ended_at) == NOW - 2 * DAY
    early = pb.GetMemoryRequest(
        tenant_id=str(MINE), memory_id=str(memory_id), known_at=wire.to_timestamp(NOW - 10 * DAY)
    )
    assert (await refused(reader.GetMemory(early))).reason == "MEMORY_NOT_FOUND"


async def test_a_foreign_memory_is_not_there(serving: Serving) -> None:
    (memory_id,) = await serving.mine.add([note(1)], NOW, [vector_of("a")])
    reader = clients.memory_reader(serving.via)
    for request_id, reason in (
        (str(memory_id), "MEMORY_NOT_FOUND"),
        ("seven", "MEMORY_ID_INVALID"),
        ("", "MEMORY_ID_INVALID"),
    ):
        got = await refused(reader.GetMemory(pb.GetMemoryRequest(tenant_id=str(THEIRS), memory_id=request_id)))
        told = await refused(
            reader.ListMemoryEvents(pb.ListMemoryEventsRequest(tenant_id=str(THEIRS), memory_id=request_id))
        )
        assert got.reason == told.reason == reason
        assert isinstance(got, NotFound if reason == "MEMORY_NOT_FOUND" else InvalidArgument)
    assert (await answered(reader.CountMemories(pb.CountMemoriesRequest(tenant_id=str(THEIRS))))).count == 0
    assert not (await answered(reader.ListMemories(pb.ListMemoriesRequest(tenant_id=str(THEIRS))))).items
    stream = reader.StreamMemories(pb.StreamMemoriesRequest(tenant_id=str(THEIRS)))
    assert [line async for line in stream] == []


async def test_pages_of_a_list_do_not_move_while_memories_change(serving: Serving) -> None:
    ids = await remember(serving, 7, NOW - DAY)
    reader = clients.memory_reader(serving.via)
    listed: list[memory_pb2.Memory] = []
    token = ""
    while True:
        request = pb.ListMemoriesRequest(tenant_id=str(MINE), limit=2, page_token=token)
        page = await answered(reader.ListMemories(request))
        assert page.count == len(page.items)
        listed += page.items
        token = page.next_page_token
        if not token:
            break
        # Everything that the next pages are to show is patched, one is ended, and new ones arrive.
        serving.clock.pass_days(1)
        now = serving.clock.at
        for memory_id in ids[:5]:
            if serving.mine.kept[memory_id][-1].state is MemoryState.ACTIVE:
                await serving.mine.patch(memory_id, now, content=f"patched {now} {memory_id}")
        if len(listed) == 4:
            await serving.mine.end(ids[0], now, MemoryState.FORGOTTEN)
        await serving.mine.add([note(1000 + len(listed))], now, [vector_of("new")])
    assert [memory.id for memory in listed] == [str(memory_id) for memory_id in reversed(ids)]
    assert {memory.revision for memory in listed} == {1}
    assert {memory.state for memory in listed} == {memory_pb2.STATE_ACTIVE}


async def test_the_newest_comes_first_and_the_limit_counts(serving: Serving) -> None:
    ids = await remember(serving, 3)
    same = await serving.mine.add([note(10), note(11)], NOW - DAY, [vector_of("a"), vector_of("b")])
    reader = clients.memory_reader(serving.via)
    page = await answered(reader.ListMemories(pb.ListMemoriesRequest(tenant_id=str(MINE))))
    assert [memory.id for memory in page.items] == [str(i) for i in (*reversed(ids), *sorted(same))]
    assert page.next_page_token == ""
    exact = await answered(reader.ListMemories(pb.ListMemoriesRequest(tenant_id=str(MINE), limit=5)))
    assert (exact.count, exact.next_page_token) == (5, "")
    assert (await answered(reader.CountMemories(pb.CountMemoriesRequest(tenant_id=str(MINE))))).count == 5


async def test_a_page_ends_early_rather_than_outgrow_a_message(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await remember(serving, 3)
    monkeypatch.setattr(servicer, "PAGE_MAX_BYTES", 1)
    reader = clients.memory_reader(serving.via)
    seen, token = [], ""
    for _ in ids:
        page = await answered(reader.ListMemories(pb.ListMemoriesRequest(tenant_id=str(MINE), page_token=token)))
        assert page.count == 1
        seen.append(page.items[0].id)
        token = page.next_page_token
    assert seen == [str(memory_id) for memory_id in reversed(ids)]
    assert token == ""


async def test_history_is_told_oldest_first(serving: Serving) -> None:
    (memory_id,) = await serving.mine.add([note(1)], NOW - 9 * DAY, [vector_of("a")])
    for number in range(4):
        await serving.mine.patch(memory_id, NOW - (8 - number) * DAY, content=f"note again {number}")
    reader = clients.memory_reader(serving.via)
    events: list[pb.MemoryEvent] = []
    token = ""
    while not events or token:
        request = pb.ListMemoryEventsRequest(tenant_id=str(MINE), memory_id=str(memory_id), limit=2, page_token=token)
        page = await answered(reader.ListMemoryEvents(request))
        events += page.events
        token = page.next_page_token
    assert [(event.revision, event.action) for event in events] == [
        (1, "created"),
        *((n, "updated") for n in range(2, 6)),
    ]
    assert {event.actor for event in events} == {"tester"}
    assert wire.to_datetime(events[0].recorded_at) == NOW - 9 * DAY


async def test_a_stream_shows_what_was_believed_when_it_began(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servicer, "STREAM_PAGE_MEMORIES", 3)
    ids = sorted(await remember(serving, 8, NOW - DAY))
    reader = clients.memory_reader(serving.via)
    stream = reader.StreamMemories(pb.StreamMemoriesRequest(tenant_id=str(MINE)))
    lines: list[pb.StreamMemoriesResponse] = [await anext(aiter(stream))]
    serving.clock.pass_days(1)
    for memory_id in ids[3:]:
        await serving.mine.patch(memory_id, serving.clock.at, content=f"patched {memory_id}")
    await serving.mine.end(ids[6], serving.clock.at, MemoryState.INCORRECT)
    await serving.mine.add([note(99)], serving.clock.at, [vector_of("a")])
    lines += [line async for line in stream]
    assert [line.memory.id for line in lines] == [str(memory_id) for memory_id in ids]
    assert {(line.memory.revision, line.memory.state) for line in lines} == {(1, memory_pb2.STATE_ACTIVE)}
    assert not any(line.memory.HasField("ended_at") for line in lines)
    for number in (0, 2, 7):  # cut anywhere, within a page and at its end
        again = pb.StreamMemoriesRequest(tenant_id=str(MINE), resume_token=lines[number].resume_token)
        rest = [line async for line in reader.StreamMemories(again)]
        assert rest == lines[number + 1 :]


async def test_a_stream_shows_what_a_writer_with_a_fast_clock_wrote(serving: Serving) -> None:
    (memory_id,) = await serving.mine.add([note(1)], NOW + timedelta(seconds=3), [vector_of("a")])
    reader = clients.memory_reader(serving.via)
    lines = [line async for line in reader.StreamMemories(pb.StreamMemoriesRequest(tenant_id=str(MINE)))]
    assert [line.memory.id for line in lines] == [str(memory_id)]


async def test_a_stream_takes_filters(serving: Serving) -> None:
    drafts = [note(1, company=" ACME  ltd"), note(2, company="Globex"), note(3, company="Acme Ltd", period="2026-05")]
    ids = await serving.mine.add(drafts, NOW, [vector_of(str(n)) for n in range(3)])
    reader = clients.memory_reader(serving.via)

    async def streamed(**given: object) -> list[str]:
        request = pb.StreamMemoriesRequest(tenant_id=str(MINE), **given)  # type: ignore[arg-type]
        return [line.memory.id async for line in reader.StreamMemories(request)]

    assert await streamed(company="acme Ltd") == sorted([str(ids[0]), str(ids[2])])
    assert await streamed(company="Acme Ltd", period="2026-05") == [str(ids[2])]
    assert await streamed(kind=memory_pb2.KIND_INVOICE) == []
    assert await streamed(state=memory_pb2.STATE_MERGED) == []


async def test_tokens_of_other_requests_are_refused(serving: Serving) -> None:
    await remember(serving, 3)
    reader = clients.memory_reader(serving.via)
    page = await answered(reader.ListMemories(pb.ListMemoriesRequest(tenant_id=str(MINE), limit=1)))
    token = page.next_page_token
    for request in (
        pb.ListMemoriesRequest(tenant_id=str(THEIRS), limit=1, page_token=token),
        pb.ListMemoriesRequest(tenant_id=str(MINE), limit=1, company="Acme", page_token=token),
        pb.ListMemoriesRequest(tenant_id=str(MINE), limit=1, page_token=token[:-4] + "AAAA"),
        pb.ListMemoriesRequest(tenant_id=str(MINE), limit=1, page_token="{}"),
    ):
        error = await refused(reader.ListMemories(request))
        assert isinstance(error, InvalidArgument)
        assert error.reason == "PAGE_TOKEN_INVALID"
    stream = reader.StreamMemories(pb.StreamMemoriesRequest(tenant_id=str(MINE), resume_token=token))
    with pytest.raises(InvalidArgument) as caught, rpc_errors():
        await anext(aiter(stream))
    assert caught.value.reason == "RESUME_TOKEN_INVALID"


async def test_wrong_filters_are_named(unread: Serving) -> None:
    reader = clients.memory_reader(unread.via)
    tenant_id = str(MINE)
    calls: list[tuple[Awaitable[object], str]] = [
        (reader.ListMemories(pb.ListMemoriesRequest(tenant_id=tenant_id, limit=101)), "LIMIT_OUT_OF_RANGE"),
        (reader.ListMemories(pb.ListMemoriesRequest(tenant_id=tenant_id, period="x")), "PERIOD_INVALID"),
        (reader.CountMemories(pb.CountMemoriesRequest(tenant_id=tenant_id, speaker="\0")), "FORBIDDEN_CHARACTER"),
        (reader.CountMemories(pb.CountMemoriesRequest(tenant_id="x")), "TENANT_INVALID"),
        (
            reader.ListMemoryEvents(
                pb.ListMemoryEventsRequest(tenant_id=tenant_id, memory_id=str(UUID(int=1)), limit=-1)
            ),
            "LIMIT_OUT_OF_RANGE",
        ),
    ]
    for call, reason in calls:
        assert (await refused(call)).reason == reason
    stream = reader.StreamMemories(pb.StreamMemoriesRequest(tenant_id=tenant_id, period="x"))
    with pytest.raises(InvalidArgument), rpc_errors():
        await anext(aiter(stream))
