"""What the reference product's decisions get wrong (its faults 19 and 24 to 26), through ingest, retrieve and audit."""

from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from candor.ingest.v1 import decisions_pb2
from candor.memory.v1 import memory_pb2
from candor.retrieve.v1 import decisions_pb2 as reading_pb2
from candor.retrieve.v1 import memories_pb2 as reading_memories_pb2

from shared.domain.findings import pair_finding_id
from shared.rpc import clients
from shared.store import migrate
from tests.services.audit.mounted import Roles, mounted

pytestmark = pytest.mark.anyio


@pytest.fixture
async def roles(database: migrate.Dsns) -> AsyncIterator[Roles]:
    async with mounted(database) as started:
        yield started


async def test_19_two_memories_can_be_decided_between(roles: Roles) -> None:
    late = await roles.write(None, record=None, content="Globex pays late.")
    on_time = await roles.write(None, record=None, content="Globex pays on time.")
    answer = await roles.resolve(on_time, target_memory_ids=[late], subject="", attribute="")
    assert list(answer.superseded_memory_ids) == [late]
    assert list(answer.finding_ids) == [pair_finding_id(*map(UUID, (roles.tenant_id, late, on_time)))]


async def test_24_what_the_audit_lists_is_enough_to_resolve(roles: Roles) -> None:
    await roles.write(8400), await roles.write(8900)
    await roles.write(None, content="INV-1, the total is not known")
    await roles.write({"net": 1}, content="INV-1, in parts")
    [found] = (await roles.report()).contradictions
    selected = found.resolution.recommended_memory_id
    listed = {carrier for value in found.values for carrier in value.carrier_memory_ids}
    assert len(listed) == 2  # neither the null nor the object is a carrier
    answer = await roles.resolve(selected, target_memory_ids=sorted(listed - {selected}))
    assert set(answer.superseded_memory_ids) == listed - {selected}
    assert (await roles.report()).ok


async def test_25_each_side_may_win_an_attribute_and_keeps_the_others(roles: Roles) -> None:
    a = await roles.write(8400, metadata={"paid_on": "2026-05-03"})
    b = await roles.write(8900, metadata={"vendor": "Globex", "due": "2026-06-01"})
    await roles.resolve(a)
    [left] = (await roles.report()).contradictions
    assert left.attribute == "vendor"  # deciding the total ended nobody's vendor
    await roles.resolve(b, attribute="vendor")
    assert (await roles.report()).ok
    reader = clients.memory_reader(roles.retrieve)
    for memory_id in (a, b):
        asked = reading_memories_pb2.GetMemoryRequest(tenant_id=roles.tenant_id, memory_id=memory_id)
        assert (await reader.GetMemory(asked)).memory.state == memory_pb2.STATE_ACTIVE
    # A third memory meets what each of them still says.
    await roles.write(8400, metadata={"paid_on": "2026-05-04", "due": "2026-06-02", "vendor": "Globex"})
    assert {found.attribute for found in (await roles.report()).contradictions} == {"paid_on", "due"}


async def test_26_a_decision_is_read_undone_and_everything_is_as_before(roles: Roles) -> None:
    a, b = await roles.write(8400), await roles.write(8900)
    before = (await roles.report()).contradictions
    answer = await roles.resolve(a)
    reader = clients.decision_reader(roles.retrieve)
    asked = reading_pb2.ListDecisionsRequest(tenant_id=roles.tenant_id, memory_id=b)
    [decision] = (await reader.ListDecisions(asked)).decisions
    assert (decision.actor, decision.reason, list(decision.target_memory_ids)) == ("bo", "seen", [b])
    undo = decisions_pb2.UndoDecisionRequest(
        tenant_id=roles.tenant_id, actor="cy", decision_id=answer.decision_id, reason="the wrong paper"
    )
    await clients.decisions(roles.ingest).UndoDecision(undo)
    assert (await roles.report()).contradictions == before
    [decision] = (await reader.ListDecisions(asked)).decisions
    assert (decision.undone_by, decision.undone_reason) == ("cy", "the wrong paper")
