"""Uses of memories: counted once for a request and a memory."""

import asyncio
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import reinforcement_pb2 as pb

from shared.clock import new_id
from shared.domain.errors import InvalidArgument
from shared.rpc.clients import rpc_errors
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio
USES = "SELECT recall_count, last_used_at FROM memory_use WHERE tenant_id = $1 AND memory_id = $2"


def used(tenant: UUID, request_id: str, *memory_ids: str, **given: Any) -> pb.ReinforceMemoriesRequest:
    return pb.ReinforceMemoriesRequest(tenant_id=str(tenant), request_id=request_id, memory_ids=memory_ids, **given)


async def test_a_use_counts_once_for_a_request(ingest: Workplace, tenant: UUID) -> None:
    memory_id = (await ingest.create(tenant)).memory.memory_id
    answers = await asyncio.gather(*(ingest.uses.ReinforceMemories(used(tenant, "r1", memory_id)) for _ in range(10)))
    assert sorted(answer.reinforced for answer in answers) == [0] * 9 + [1]
    assert {answer.unknown for answer in answers} == {0}
    await ingest.uses.ReinforceMemories(used(tenant, "r2", memory_id, memory_id))
    assert await ingest.rows(USES, tenant, UUID(memory_id)) == [(2, ingest.clock.time)]


async def test_an_earlier_use_is_counted_and_a_later_one_is_now(ingest: Workplace, tenant: UUID) -> None:
    memory_id = (await ingest.create(tenant)).memory.memory_id
    now = ingest.clock.tick()
    await ingest.uses.ReinforceMemories(used(tenant, "r1", memory_id))
    early = used(tenant, "r2", memory_id)
    early.used_at.FromDatetime(now.replace(year=2020))
    late = used(tenant, "r3", memory_id)
    late.used_at.FromDatetime(now.replace(year=2050))
    for request in (early, late):
        assert (await ingest.uses.ReinforceMemories(request)).reinforced == 1
    assert await ingest.rows(USES, tenant, UUID(memory_id)) == [(3, now)]


async def test_only_active_memories_of_the_tenant_are_counted(ingest: Workplace, tenant: UUID) -> None:
    mine, ended = [(await ingest.create(tenant, content)).memory.memory_id for content in ("one", "two")]
    foreign = (await ingest.create(new_id())).memory.memory_id
    await ingest.look.execute("UPDATE memory SET ended_at = now() WHERE memory_id = $1", UUID(ended))
    answer = await ingest.uses.ReinforceMemories(used(tenant, "r1", mine, ended, foreign, str(new_id())))
    assert (answer.reinforced, answer.unknown) == (1, 3)
    uses = "SELECT recall_count FROM memory_use WHERE memory_id = $1"
    assert await ingest.value(uses, UUID(foreign)) == 0


async def test_requests_for_the_same_memories_do_not_lock_each_other_out(ingest: Workplace, tenant: UUID) -> None:
    ids = [(await ingest.create(tenant, f"fact {number}")).memory.memory_id for number in range(20)]
    orders = (ids, ids[::-1])
    asked = (used(tenant, f"r{number}", *orders[number % 2]) for number in range(20))
    answers = await asyncio.gather(*(ingest.uses.ReinforceMemories(request) for request in asked))
    assert {answer.reinforced for answer in answers} == {20}


@pytest.mark.parametrize(
    ("request_id", "memory_ids", "reason"),
    [
        ("", [str(UUID(int=1))], "REQUEST_ID_MISSING"),
        ("r" * 129, [str(UUID(int=1))], "REQUEST_ID_TOO_LONG"),
        ("r\0", [str(UUID(int=1))], "FORBIDDEN_CHARACTER"),
        ("r", [], "MEMORY_IDS_EMPTY"),
        ("r", ["x"], "MEMORY_ID_INVALID"),
        ("r", [str(UUID(int=1))] * 101, "TOO_MANY_IDS"),
    ],
)
async def test_a_wrong_request_is_refused(
    ingest: Workplace, tenant: UUID, request_id: str, memory_ids: list[str], reason: str
) -> None:
    with pytest.raises(InvalidArgument) as caught, rpc_errors():
        await ingest.uses.ReinforceMemories(used(tenant, request_id, *memory_ids))
    assert caught.value.reason == reason
