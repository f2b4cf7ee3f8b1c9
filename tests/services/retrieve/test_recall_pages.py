"""Pages of a recall: together one long list, whatever happens between them; tokens that are no one else's."""

from collections.abc import AsyncIterator
from datetime import timedelta

import pytest
from candor.memory.v1 import memory_pb2
from candor.retrieve.v1 import memories_pb2
from candor.retrieve.v1 import recall_pb2 as pb

from shared.domain.draft import check
from shared.domain.errors import InvalidArgument
from shared.domain.types import MemoryState
from shared.rpc import clients, wire
from shared.rpc.clients import rpc_errors
from tests.services.retrieve.serving import MINE, NOW, THEIRS, Serving, vector_of

pytestmark = pytest.mark.anyio


async def recall(serving: Serving, **given: object) -> pb.RecallMemoriesResponse:
    request = pb.RecallMemoriesRequest(**{"tenant_id": str(MINE), "query": "zebra", **given})  # type: ignore[arg-type]
    with rpc_errors():
        response: pb.RecallMemoriesResponse = await clients.recall(serving.via).RecallMemories(request)
    return response


async def pages(serving: Serving, *limits: int, **given: object) -> AsyncIterator[pb.RecallMemoriesResponse]:
    """Ask for page after page, the last of these limits again and again."""
    token, number = "", 0
    while token or not number:
        page = await recall(serving, limit=limits[min(number, len(limits) - 1)], page_token=token, **given)
        yield page
        token, number = page.next_page_token, number + 1


async def walked(serving: Serving, *limits: int, **given: object) -> list[list[str]]:
    return [[hit.memory.id for hit in page.hits] async for page in pages(serving, *limits, **given)]


async def write(serving: Serving, count: int) -> list[str]:
    """Write notes of which all say zebra, no two alike."""
    drafts = [check(kind="note", content=f"zebra {n} {'stripe ' * (n % 7)}") for n in range(count)]
    return [str(found) for found in await serving.mine.add(drafts, NOW, [vector_of(str(n)) for n in range(count)])]


@pytest.mark.parametrize("mode", [pb.MODE_HYBRID, pb.MODE_DENSE, pb.MODE_LEXICAL])
async def test_pages_together_are_one_long_list(serving: Serving, mode: pb.Mode.ValueType) -> None:
    written = await write(serving, 70)
    whole = await recall(serving, limit=100, mode=mode, ungrouped=True)
    assert {hit.memory.id for hit in whole.hits} == set(written)
    assert whole.next_page_token == ""
    for limits in ((7,), (30, 1, 100), (100,)):
        found = await walked(serving, *limits, mode=mode, ungrouped=True)
        assert [one for page in found for one in page] == [hit.memory.id for hit in whole.hits]
        assert [len(page) for page in found][:-1] == [limits[min(n, len(limits) - 1)] for n in range(len(found) - 1)]


async def test_what_says_the_same_of_a_record_is_one_hit_over_all_pages(serving: Serving) -> None:
    await write(serving, 40)
    copies = [check(kind="note", content="zebra again", record="R-7", session=f"s{n}") for n in range(20)]
    # Vectors of their own, so that they lie all over the list.
    await serving.mine.add(copies, NOW, [vector_of(f"copy {n}") for n in range(20)])
    whole = [hit.memory.id for hit in (await recall(serving, limit=100)).hits]
    found = [one async for page in pages(serving, 6) for one in page.hits]
    assert [hit.memory.id for hit in found] == whole
    assert [hit.memory.content for hit in found].count("zebra again") == 1


async def test_nothing_comes_twice_or_is_skipped_while_memories_change(serving: Serving) -> None:
    await write(serving, 40)
    found = []
    async for page in pages(serving, 10, ungrouped=True):
        shown = [hit.memory.id for hit in page.hits]
        found += shown
        if len(found) <= 30:  # one of those shown ends, and a better one comes in
            gone = next(kept for kept in serving.mine.kept if str(kept) == shown[0])
            await serving.mine.end(gone, NOW, MemoryState.SUPERSEDED)
            await serving.mine.add([check(kind="note", content="zebra")], NOW, [vector_of("zebra")])
            serving.clock.pass_days(1)
    assert len(found) == len(set(found))
    active = {str(key) for key, kept in serving.mine.kept.items() if kept[-1].state is MemoryState.ACTIVE}
    assert active <= set(found)


async def test_as_of_an_instant_all_pages_hold_as_of_it(serving: Serving) -> None:
    written = await write(serving, 25)
    serving.clock.pass_days(5)
    then = wire.to_timestamp(NOW + timedelta(days=1))
    found: list[str] = []
    async for page in pages(serving, 10, ungrouped=True, known_at=then):
        found += [hit.memory.id for hit in page.hits]
        await serving.mine.add([check(kind="note", content="zebra too")], serving.clock.now(), [vector_of("x")])
    assert sorted(found) == sorted(written)


async def test_what_a_budget_left_out_comes_next(serving: Serving) -> None:
    written = await write(serving, 20)
    found = [page async for page in pages(serving, 20, ungrouped=True, token_budget=120)]
    assert len(found) > 2
    assert sorted(hit.memory.id for page in found for hit in page.hits) == sorted(written)
    assert all(0 < page.tokens_used <= 120 for page in found)
    nothing_fits = await recall(serving, token_budget=1)
    assert (len(nothing_fits.hits), nothing_fits.next_page_token) == (0, "")


async def test_a_question_has_a_thousand_hits_at_most(serving: Serving) -> None:
    drafts = [check(kind="note", content=f"zebra {n}") for n in range(1_010)]
    await serving.mine.add(drafts, NOW, [vector_of(str(n)) for n in range(len(drafts))])
    found, last = [], ""
    with pytest.raises(InvalidArgument) as caught:
        async for page in pages(serving, 50, 100, mode=pb.MODE_DENSE):
            found.append([hit.memory.id for hit in page.hits])
            last = page.next_page_token
    assert caught.value.violations[0].reason == "PAGE_TOO_DEEP"
    assert [len(page) for page in found] == [50, *[100] * 9, 50]
    assert len({one for page in found for one in page}) == 1_000
    assert len(last) < 16_384  # 8 bytes for each hit, twice in base64


async def test_a_token_works_for_its_own_question_alone(serving: Serving) -> None:
    await write(serving, 12)
    token = (await recall(serving, limit=5)).next_page_token
    assert (await recall(serving, limit=9, page_token=token)).hits
    listed = memories_pb2.ListMemoriesRequest(tenant_id=str(MINE), limit=5)
    foreign = (await clients.memory_reader(serving.via).ListMemories(listed)).next_page_token
    wrong: list[dict[str, object]] = [
        {"query": "zebras"},
        {"mode": pb.MODE_DENSE},
        {"kind": memory_pb2.KIND_NOTE},
        {"rerank": True},
        {"tenant_id": str(THEIRS)},
        {"page_token": token[:-2] + ("AA" if token[-2:] != "AA" else "BB")},
        {"page_token": "é"},
        {"page_token": foreign},
    ]
    for other in wrong:
        with pytest.raises(InvalidArgument) as caught:
            await recall(serving, **{"page_token": token, **other})
        (violation,) = caught.value.violations
        assert (violation.field, violation.reason) == ("page_token", "PAGE_TOKEN_INVALID"), other
