"""Forgetting by choice: the plan that was shown is carried out or nothing is; an operation's ends can be taken back."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import forgetting_pb2 as pb
from candor.ingest.v1.forgetting_pb2_grpc import ForgettingServiceStub
from candor.memory.v1 import memory_pb2

from shared.clock import new_id
from shared.domain.errors import CandorError, Conflict, FailedPrecondition, InvalidArgument, NotFound
from shared.rpc import life_stubs
from shared.rpc.clients import rpc_errors
from tests.services.ingest.judging import dump, invalidate, restore
from tests.services.ingest.test_reinforcement import used
from tests.services.ingest.test_sweep import AGE_OF_TRIVIA, swept, trivia
from tests.services.ingest.test_update import update
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio
LIVE = "SELECT memory_id FROM memory WHERE tenant_id = $1 AND ended_at IS NULL"


def stub(ingest: Workplace) -> ForgettingServiceStub:
    return life_stubs.forgetting(ingest.via)


async def forget(ingest: Workplace, tenant: UUID, **given: Any) -> pb.ForgetMemoriesResponse:
    with rpc_errors():
        return await stub(ingest).ForgetMemories(pb.ForgetMemoriesRequest(tenant_id=str(tenant), actor="me", **given))


async def undo(ingest: Workplace, tenant: UUID, operation_id: str) -> pb.UndoOperationResponse:
    with rpc_errors():
        request = pb.UndoOperationRequest(tenant_id=str(tenant), actor="me", operation_id=operation_id)
        return await stub(ingest).UndoOperation(request)


async def live(ingest: Workplace, tenant: UUID) -> set[str]:
    return {str(row[0]) for row in await ingest.rows(LIVE, tenant)}


async def test_a_preview_shows_exactly_what_is_carried_out_and_undo_takes_it_back(
    ingest: Workplace, tenant: UUID
) -> None:
    pinned = await trivia(ingest, tenant, "pinned", pinned=True, session="s1")
    ids = [await trivia(ingest, tenant, f"fact {number}", session="s1") for number in range(3)]
    other = await trivia(ingest, tenant, "elsewhere", session="s2")
    before = await dump(ingest, tenant)
    shown = await forget(ingest, tenant, preview=True, session="s1")
    assert [end.memory_id for end in shown.memories] == sorted(ids)
    assert (shown.protected, shown.truncated, shown.applied, shown.operation_id) == (1, False, False, "")
    assert {end.cause for end in shown.memories} == {pb.FORGETTING_CAUSE_MATCHED}
    assert await live(ingest, tenant) == {pinned, other, *ids}
    done = await forget(ingest, tenant, plan_id=shown.plan_id, request_id="r1", reason="no longer needed")
    assert [end.memory_id for end in done.memories] == sorted(ids) and done.applied
    assert await live(ingest, tenant) == {pinned, other}
    reasons = "SELECT DISTINCT state, state_reason FROM memory WHERE tenant_id = $1 AND ended_at IS NOT NULL"
    assert await ingest.rows(reasons, tenant) == [("forgotten", "no longer needed")]
    assert await forget(ingest, tenant, plan_id=shown.plan_id, request_id="r1", reason="no longer needed") == done
    with pytest.raises(Conflict, match="preview again"):
        await forget(ingest, tenant, plan_id=shown.plan_id)
    back = await undo(ingest, tenant, done.operation_id)
    assert (list(back.restored_memory_ids), list(back.skipped_memory_ids)) == (sorted(ids), [])
    assert await dump(ingest, tenant) == before
    again = await undo(ingest, tenant, done.operation_id)
    assert (list(again.restored_memory_ids), list(again.skipped_memory_ids), again.operation_id) == (
        [],
        sorted(ids),
        "",
    )


@pytest.mark.parametrize("what", ["used", "patched", "ended", "finding"])
async def test_a_plan_is_stale_when_a_memory_is_not_as_it_was_shown(ingest: Workplace, tenant: UUID, what: str) -> None:
    ids = [await trivia(ingest, tenant, f"fact {number}") for number in range(2)]
    shown = await forget(ingest, tenant, preview=True, memory_ids=ids)
    ingest.clock.tick(60)
    match what:
        case "used":
            await ingest.uses.ReinforceMemories(used(tenant, "r", ids[0]))
        case "patched":
            await ingest.writer.UpdateMemory(update(tenant, ids[0], content="other"))
        case "ended":
            await invalidate(ingest, tenant, ids[0])
        case "finding":
            await ingest.look.execute(
                """INSERT INTO finding (tenant_id, finding_id, kind, state, company_key, values_hash, detail,
                    first_seen_at, last_seen_at, changed_at)
                VALUES ($1, 'f', 'contradiction', 'open', '', '', '', now(), now(), now())""",
                tenant,
            )
            await ingest.look.execute("INSERT INTO finding_memory VALUES ($1, 'f', $2)", tenant, UUID(ids[0]))
    with pytest.raises(Conflict) as caught:
        await forget(ingest, tenant, plan_id=shown.plan_id)
    assert caught.value.reason == "PLAN_STALE" and caught.value.metadata["memory_id"] == ids[0]
    assert ids[1] in await live(ingest, tenant)


async def test_a_plan_lasts_a_day_and_is_its_tenants_own(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await trivia(ingest, tenant, pinned=True)
    shown = await forget(ingest, tenant, preview=True, memory_ids=[memory_id])
    assert list(shown.memories[0].protections) == ["pinned"]  # who names a memory means it
    with pytest.raises(NotFound) as unknown:
        await forget(ingest, new_id(), plan_id=shown.plan_id)
    assert unknown.value.reason == "PLAN_NOT_FOUND"
    ingest.clock.tick(timedelta(days=1, seconds=1).total_seconds())
    with pytest.raises(Conflict) as old:
        await forget(ingest, tenant, plan_id=shown.plan_id)
    assert old.value.reason == "PLAN_STALE"


async def test_without_ids_and_filters_the_plan_is_what_a_sweep_would_forget(ingest: Workplace, tenant: UUID) -> None:
    faded = await trivia(ingest, tenant, "old")
    ingest.clock.tick(AGE_OF_TRIVIA.total_seconds())
    young = await trivia(ingest, tenant, "young")
    shown = await forget(ingest, tenant, preview=True)
    assert [(end.memory_id, end.cause) for end in shown.memories] == [(faded, pb.FORGETTING_CAUSE_FADED)]
    assert shown.memories[0].salience == pytest.approx(0.05)
    weak = await forget(ingest, tenant, preview=True, salience_below=0.2)
    assert [end.memory_id for end in weak.memories] == [faded]
    answer = await swept(ingest, tenant)
    assert await live(ingest, tenant) == {young}
    [operation_id] = answer.operation_ids
    assert list((await undo(ingest, tenant, operation_id)).restored_memory_ids) == [faded]
    assert (await swept(ingest, tenant)).examined == 0  # what was restored begins to fade anew


async def test_undo_leaves_what_came_back_ended_again_or_is_said_by_another(ingest: Workplace, tenant: UUID) -> None:
    ids = [await trivia(ingest, tenant, f"fact {number}") for number in range(4)]
    shown = await forget(ingest, tenant, preview=True, memory_ids=ids)
    done = await forget(ingest, tenant, plan_id=shown.plan_id)
    await restore(ingest, tenant, ids[0])
    await restore(ingest, tenant, ids[1])
    await invalidate(ingest, tenant, ids[1])
    twin = await trivia(ingest, tenant, "fact 2")
    assert twin != ids[2]  # forgotten by a person: written anew
    back = await undo(ingest, tenant, done.operation_id)
    assert (list(back.restored_memory_ids), set(back.skipped_memory_ids)) == ([ids[3]], set(ids[:3]))


async def test_only_what_merely_ended_memories_is_undone(ingest: Workplace, tenant: UUID) -> None:
    made = await ingest.create(tenant, "a fact")
    with pytest.raises(FailedPrecondition) as caught:
        await undo(ingest, tenant, made.operation_id)
    assert caught.value.reason == "OPERATION_NOT_UNDOABLE"
    with pytest.raises(NotFound):
        await undo(ingest, tenant, str(new_id()))


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({}, "PLAN_MISSING"),
        ({"memory_ids": [str(UUID(int=1))]}, "PLAN_MISSING"),
        ({"plan_id": "x"}, "PLAN_ID_INVALID"),
        ({"plan_id": str(UUID(int=1)), "preview": True}, "PLAN_CONTRADICTORY"),
        ({"preview": True, "memory_ids": [str(UUID(int=1))], "session": "s"}, "PLAN_CONTRADICTORY"),
        ({"preview": True, "memory_ids": ["x"]}, "MEMORY_ID_INVALID"),
        ({"preview": True, "memory_ids": [str(UUID(int=1))] * 1001}, "TOO_MANY_IDS"),
        ({"preview": True, "salience_below": float("nan")}, "SALIENCE_INVALID"),
        ({"preview": True, "company": "\0"}, "FORBIDDEN_CHARACTER"),
        ({"preview": True, "kind": 99}, "KIND_INVALID"),
    ],
)
async def test_a_wrong_request_is_refused(ingest: Workplace, tenant: UUID, given: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        await forget(ingest, tenant, **given)
    assert caught.value.reason == reason


async def test_a_memory_that_is_not_there_or_has_ended_cannot_be_planned(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await trivia(ingest, tenant, memory_type=memory_pb2.MEMORY_TYPE_SEMANTIC)
    foreign = await trivia(ingest, new_id())
    await invalidate(ingest, tenant, memory_id)
    for wrong, reason in ((memory_id, "MEMORY_ENDED"), (foreign, "MEMORY_NOT_FOUND")):
        with pytest.raises(CandorError) as caught:
            await forget(ingest, tenant, preview=True, memory_ids=[wrong])
        assert caught.value.reason == reason
