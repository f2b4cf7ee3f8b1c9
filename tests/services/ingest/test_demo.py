"""The demonstration: written once, whoever asks and however often, by the writes that anybody makes."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID

import pytest
from candor.ingest.v1 import demo_pb2 as pb
from candor.ingest.v1.demo_pb2_grpc import DemoServiceStub

from services.ingest import demo_content
from services.ingest.demo import DemoServicer
from shared.domain.errors import UpstreamUnavailable
from shared.domain.money.rules import RuleBands
from shared.rpc.clients import rpc_errors
from tests.services.ingest.workplace import Workplace
from tests.services.running import role

pytestmark = pytest.mark.anyio
OPEN = "SELECT count(*) FROM memory WHERE tenant_id = $1 AND state = 'active'"
ALL = "SELECT count(*) FROM memory WHERE tenant_id = $1"


@pytest.fixture(scope="module")
async def demo(running_ingest: Workplace) -> AsyncIterator[DemoServiceStub]:
    async with role("ingest", DemoServicer(running_ingest.means, RuleBands())) as via:
        yield DemoServiceStub(via)


async def seed(demo: DemoServiceStub, tenant: UUID, actor: str = "anonymous") -> pb.SeedDemoResponse:
    with rpc_errors():
        return await demo.SeedDemo(pb.SeedDemoRequest(tenant_id=str(tenant), actor=actor))


def test_whoever_changes_the_content_counts_its_version_up() -> None:
    assert (demo_content.VERSION, demo_content.files_hash()) == ("candor-demo-1", demo_content.FILES_HASH)


async def test_what_is_written(demo: DemoServiceStub, ingest: Workplace, tenant: UUID) -> None:
    answer = await seed(demo, tenant)
    assert (answer.seeded, answer.already_seeded, answer.events) == (True, False, 1)
    assert (answer.seed_version, answer.company) == (demo_content.VERSION, "Northwind Trading")
    written = await ingest.rows("SELECT memory_id::text FROM memory WHERE tenant_id = $1", tenant)
    assert {row[0] for row in written} == set(answer.memory_ids)
    assert len(answer.memory_ids) == len(set(answer.memory_ids))
    kinds = await ingest.rows(
        "SELECT kind, count(*) FROM memory WHERE tenant_id = $1 AND state = 'active' GROUP BY kind ORDER BY kind",
        tenant,
    )
    # Payroll: 5 papers, a summary and 3 employees, an insight, 6 rules; beside it 2 of each other kind.
    assert dict(kinds) == {"document": 7, "insight": 3, "invoice": 2, "note": 2, "payroll_event": 4, "validation": 6}


async def test_the_payroll_passes_every_rule(demo: DemoServiceStub, ingest: Workplace, tenant: UUID) -> None:
    await seed(demo, tenant)
    told = await ingest.rows("SELECT content FROM memory WHERE tenant_id = $1 AND kind = 'validation'", tenant)
    assert len(told) == 6
    assert all("pass" in row[0].lower() for row in told), told


async def test_a_city_took_the_place_of_another(demo: DemoServiceStub, ingest: Workplace, tenant: UUID) -> None:
    answer = await seed(demo, tenant)
    ((state, reason, until, content),) = await ingest.rows(
        """SELECT old.state, old.state_reason, old.valid_to, new.content FROM memory AS old
        JOIN memory AS new ON new.tenant_id = old.tenant_id AND new.memory_id = old.superseded_by
        WHERE old.tenant_id = $1""",
        tenant,
    )
    moved = demo_content.memories()[demo_content.NEW_CITY]
    assert (state, reason, content) == ("superseded", "moved to another city", moved.content)
    assert until == moved.observed_at.ToDatetime(until.tzinfo)
    assert len(answer.memory_ids) == await ingest.value(OPEN, tenant) + 1


async def test_the_trifle_fades_and_nothing_else_within_a_week(
    demo: DemoServiceStub, ingest: Workplace, tenant: UUID
) -> None:
    await seed(demo, tenant)
    soon = ingest.clock.now() + timedelta(days=7)
    fading = await ingest.rows(
        """SELECT m.content FROM memory AS m JOIN memory_use AS u USING (tenant_id, memory_id)
        WHERE m.tenant_id = $1 AND u.fades_at < $2""",
        tenant,
        soon,
    )
    assert [row[0] for row in fading] == [demo_content.memories()[-1].content]


async def test_twice_is_once(demo: DemoServiceStub, ingest: Workplace, tenant: UUID) -> None:
    first = await seed(demo, tenant)
    before = await ingest.contents(tenant)
    ingest.embeddings.texts.clear()
    second = await seed(demo, tenant, actor="somebody else")
    assert (second.seeded, second.already_seeded) == (False, True)
    assert second.memory_ids == first.memory_ids
    assert ingest.embeddings.texts == []
    assert await ingest.contents(tenant) == before


async def test_at_the_same_time_is_once(demo: DemoServiceStub, ingest: Workplace, tenant: UUID) -> None:
    answers = await asyncio.gather(*(seed(demo, tenant) for _ in range(8)))
    assert {tuple(answer.memory_ids) for answer in answers} == {tuple(answers[0].memory_ids)}
    assert [answer.seeded for answer in answers].count(True) == 1
    assert await ingest.value(ALL, tenant) == len(answers[0].memory_ids)


async def test_when_its_requests_are_forgotten_it_still_stands_once(
    demo: DemoServiceStub, ingest: Workplace, tenant: UUID
) -> None:
    first = await seed(demo, tenant)
    await ingest.look.execute("DELETE FROM request WHERE tenant_id = $1", tenant)
    again = await seed(demo, tenant)
    assert again.seeded
    assert set(again.memory_ids) < set(first.memory_ids)
    assert await ingest.value(ALL, tenant) == len(first.memory_ids)


async def test_what_was_broken_off_is_completed(demo: DemoServiceStub, ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.is_down = True
    with pytest.raises(UpstreamUnavailable):
        await seed(demo, tenant)
    ingest.embeddings.is_down = False
    answer = await seed(demo, tenant)
    assert answer.seeded
    assert await ingest.value(ALL, tenant) == len(answer.memory_ids)


async def test_each_tenant_has_its_own(demo: DemoServiceStub, ingest: Workplace, tenant: UUID) -> None:
    mine, other = await seed(demo, tenant), await seed(demo, ingest.means.new_id())
    assert not set(mine.memory_ids) & set(other.memory_ids)
