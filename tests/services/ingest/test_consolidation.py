"""Consolidation: the plan that was shown is carried out or nothing; what must not be merged is left alone."""

from datetime import datetime, timedelta
from functools import partial
from json import dumps
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import consolidation_pb2 as pb
from candor.memory.v1.memory_pb2 import MEMORY_TYPE_SEMANTIC

from services.ingest import consolidation_job
from services.ingest.runner import JobRunner
from services.ingest.upkeep import CONSOLIDATE_KIND
from shared.clock import new_id
from shared.domain.errors import CandorError, Conflict, InvalidArgument, NotFound
from shared.domain.ladder import Carrier, Side, resolve
from shared.domain.types import MemoryKind, MemoryType
from shared.rpc import life_stubs, wire
from shared.rpc.clients import rpc_errors
from shared.store.pool import run
from shared.store.writes import jobs
from shared.store.writes.jobs import NewJob
from tests.services.ingest.judging import dump, invalidate
from tests.services.ingest.test_forgetting import live, undo
from tests.services.ingest.test_reinforcement import used
from tests.services.ingest.test_update import update
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio
TEA = "User likes green tea in the morning."


async def consolidate(ingest: Workplace, tenant: UUID, **given: Any) -> pb.ConsolidateMemoriesResponse:
    with rpc_errors():
        request = pb.ConsolidateMemoriesRequest(tenant_id=str(tenant), actor="me", **given)
        return await life_stubs.consolidation(ingest.via).ConsolidateMemories(request)


async def told(ingest: Workplace, tenant: UUID, *contents: str, **given: Any) -> list[str]:
    """Write what was told on one day after another."""
    ids = []
    for content in contents:
        at = wire.to_timestamp(ingest.clock.tick(86_400))
        made = await ingest.create(tenant, content, **{"observed_at": at, "speaker": "user", **given})
        ids.append(made.memory.memory_id)
    return ids


async def passed(ingest: Workplace, tenant: UUID) -> str:
    """Run the job and return what it says came out."""
    job = NewJob(new_id(), tenant, CONSOLIDATE_KIND, ingest.clock.time, ingest.clock.time, 3)
    await run(ingest.pool, tenant, partial(jobs.enqueue, job=job))
    handler = partial(consolidation_job.handle, means=ingest.means)
    assert await JobRunner(ingest.pool, {CONSOLIDATE_KIND: handler}, now=ingest.clock.now).step()
    query = "SELECT status || ' ' || result::text FROM job WHERE job_id = $1"
    return str(await ingest.value(query, job.job_id))


async def found(ingest: Workplace, tenant: UUID) -> None:
    """Let a finding be open that the caller names 'f'."""
    await ingest.look.execute(
        """INSERT INTO finding (tenant_id, finding_id, kind, state, company_key, values_hash, detail,
            first_seen_at, last_seen_at, changed_at)
        VALUES ($1, 'f', 'contradiction', 'open', '', '', '', now(), now(), now())""",
        tenant,
    )


async def test_a_preview_shows_exactly_what_is_carried_out_and_undo_takes_it_back(
    ingest: Workplace, tenant: UUID
) -> None:
    other = await told(ingest, tenant, "User lives in Oslo.")
    ids = await told(ingest, tenant, TEA, TEA, TEA, session="s", importance=0.4)
    newest = ingest.clock.time
    await ingest.uses.ReinforceMemories(used(tenant, "r1", ids[0]))
    await ingest.uses.ReinforceMemories(used(tenant, "r2", *ids[:2]))
    before = await dump(ingest, tenant)
    ingest.clock.tick(30 * 86_400)
    shown = await consolidate(ingest, tenant, preview=True)
    (planned,) = shown.digests
    assert [one.memory_id for one in planned.members] == sorted(ids)
    assert planned.content == f"{TEA} (told 3 times, 2026-05-03 to 2026-05-05)"
    assert (shown.applied, planned.applied, shown.examined, shown.next) == (False, False, 4, "")
    assert await dump(ingest, tenant) == before
    done = await consolidate(ingest, tenant, plan_id=shown.plan_id, request_id="r")
    assert done.digests[0].applied and done.digests[0].memory_id == planned.memory_id
    assert await live(ingest, tenant) == {*other, planned.memory_id}
    row = "SELECT content, kind, memory_type, valid_from, importance FROM memory WHERE memory_id = $1"
    assert await ingest.rows(row, UUID(planned.memory_id)) == [
        (planned.content, "note", "consolidated", newest, 0.4)  # never the time of the pass
    ]
    uses = "SELECT recall_count FROM memory_use WHERE memory_id = $1"
    assert await ingest.value(uses, UUID(planned.memory_id)) == 3
    ends = "SELECT DISTINCT state, superseded_by FROM memory WHERE tenant_id = $1 AND ended_at IS NOT NULL"
    assert await ingest.rows(ends, tenant) == [("merged", UUID(planned.memory_id))]
    assert await consolidate(ingest, tenant, plan_id=shown.plan_id, request_id="r") == done
    again = await consolidate(ingest, tenant, plan_id=shown.plan_id)  # carried on with: there was nothing left
    assert again.digests[0].applied and again.digests[0].operation_id == ""
    back = await undo(ingest, tenant, done.digests[0].operation_id)
    assert (list(back.restored_memory_ids), list(back.skipped_memory_ids)) == (sorted(ids), [])
    assert await live(ingest, tenant) == {*other, *ids}
    assert list((await undo(ingest, tenant, done.digests[0].operation_id)).restored_memory_ids) == []


@pytest.mark.parametrize("what", ["patched", "ended", "finding"])
async def test_a_plan_is_stale_when_a_memory_is_not_as_it_was_shown(ingest: Workplace, tenant: UUID, what: str) -> None:
    ids = await told(ingest, tenant, *[TEA] * 3, *["The office opens at nine."] * 3)
    shown = await consolidate(ingest, tenant, preview=True)
    assert len(shown.digests) == 2
    match what:
        case "patched":
            await ingest.writer.UpdateMemory(update(tenant, ids[0], content="other"))
        case "ended":
            await invalidate(ingest, tenant, ids[0])
        case "finding":
            await found(ingest, tenant)
            await ingest.look.execute("INSERT INTO finding_memory VALUES ($1, 'f', $2)", tenant, UUID(ids[0]))
    before = await live(ingest, tenant)
    with pytest.raises(Conflict) as caught:
        await consolidate(ingest, tenant, plan_id=shown.plan_id)
    assert caught.value.reason == "PLAN_STALE"
    assert await live(ingest, tenant) == before  # the other digest was not written either


async def test_what_is_asked_for_wrongly_is_named(ingest: Workplace, tenant: UUID) -> None:
    plan = str(new_id())
    for given, kind, reason in (
        ({}, InvalidArgument, "PLAN_MISSING"),
        ({"plan_id": plan, "preview": True}, InvalidArgument, "PLAN_CONTRADICTORY"),
        ({"plan_id": "x"}, InvalidArgument, "PLAN_ID_INVALID"),
        ({"preview": True, "after": "-1:x"}, InvalidArgument, "AFTER_INVALID"),
        ({"plan_id": plan}, NotFound, "PLAN_NOT_FOUND"),
    ):
        with pytest.raises(kind) as caught:
            await consolidate(ingest, tenant, **given)
        reasons = caught.value.violations if isinstance(caught.value, InvalidArgument) else ()
        assert reason in (caught.value.reason, *(one.reason for one in reasons))
    await told(ingest, tenant, TEA, TEA)
    shown = await consolidate(ingest, tenant, preview=True)
    with pytest.raises(NotFound):
        await consolidate(ingest, new_id(), plan_id=shown.plan_id)
    ingest.clock.tick(timedelta(days=1, seconds=1).total_seconds())
    with pytest.raises(Conflict, match="older than a day"):
        await consolidate(ingest, tenant, plan_id=shown.plan_id)


async def test_what_differs_or_is_in_an_open_finding_is_never_merged(ingest: Workplace, tenant: UUID) -> None:
    for total in (18_400, 18_900):  # as in the reference, which merged two of them and lost its finding
        text = f"The Fabrikam invoice comes to {total} euros."
        await told(ingest, tenant, text, importance=0.95)
        await told(ingest, tenant, "The invoice is due.", metadata=dumps({"total": total}), record="INV-1")
    await told(ingest, tenant, TEA, speaker="Ana")
    in_finding = await told(ingest, tenant, *[TEA] * 3)
    await found(ingest, tenant)
    await ingest.look.executemany(
        "INSERT INTO finding_memory VALUES ($1, 'f', $2)", [(tenant, UUID(one)) for one in in_finding]
    )
    await told(ingest, tenant, *[TEA] * 3, kind="document")
    before = await live(ingest, tenant)
    assert not (await consolidate(ingest, tenant, preview=True)).digests
    assert '"digests": 0' in await passed(ingest, tenant)
    assert await live(ingest, tenant) == before


async def test_the_job_goes_on_where_it_ended_and_repeats_change_nothing(
    ingest: Workplace, tenant: UUID, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consolidation_job, "PIECE_MEMORIES", 2)
    await told(ingest, tenant, TEA, "User lives in Oslo.", "The office opens at nine.", TEA)
    assert '"digests": 1, "merged": 2' in await passed(ingest, tenant)
    after = await dump(ingest, tenant)
    assert await passed(ingest, tenant) == 'done {"examined": 0, "pairs": 0, "digests": 0, "merged": 0}'
    assert await dump(ingest, tenant) == after
    await told(ingest, tenant, "The office opens at nine.")  # looked at with its older neighbour
    assert '"examined": 2' in await passed(ingest, tenant)
    assert len(await live(ingest, tenant)) == 3


async def test_digests_of_one_transaction_are_taken_back_one_by_one(ingest: Workplace, tenant: UUID) -> None:
    office = "The office opens at nine."
    await told(ingest, tenant, TEA, office, TEA, office)
    assert '"digests": 2, "merged": 4' in await passed(ingest, tenant)
    query = """SELECT m.commit_xid, m.operation_id, e.operation_id FROM memory AS m
        JOIN memory_event AS e ON e.tenant_id = m.tenant_id AND e.memory_id = m.memory_id AND e.action = 'created'
        WHERE m.tenant_id = $1 AND m.memory_type = 'consolidated'"""
    written = await ingest.rows(query, tenant)
    assert len({xid for xid, _, _ in written}) == 1
    assert all(own == of_event for _, own, of_event in written)
    one, other = (str(own) for _, own, _ in written)
    assert len((await undo(ingest, tenant, one)).restored_memory_ids) == 2
    assert len(await live(ingest, tenant)) == 3  # two sources, and the other digest
    assert len((await undo(ingest, tenant, other)).restored_memory_ids) == 2


async def test_what_is_told_again_joins_the_digest(ingest: Workplace, tenant: UUID) -> None:
    ids = await told(ingest, tenant, TEA, TEA, TEA, memory_type=MEMORY_TYPE_SEMANTIC)
    await passed(ingest, tenant)
    (first,) = await live(ingest, tenant)
    (again,) = await told(ingest, tenant, TEA, memory_type=MEMORY_TYPE_SEMANTIC)
    ingest.clock.tick(86_400)
    assert '"digests": 1, "merged": 2' in await passed(ingest, tenant)
    (second,) = await live(ingest, tenant)
    row = "SELECT content, source_memory_ids FROM memory WHERE memory_id = $1"
    ((content, sources),) = await ingest.rows(row, UUID(second))
    assert content.startswith(f"{TEA} (told 4 times, ")
    assert sorted(map(str, sources)) == sorted([*ids, first, again])
    await invalidate(ingest, tenant, second)
    assert await live(ingest, tenant) == {first, again}


async def test_a_digest_that_is_incorrect_gives_its_sources_back(ingest: Workplace, tenant: UUID) -> None:
    ids = await told(ingest, tenant, TEA, TEA)
    await passed(ingest, tenant)
    (made,) = await live(ingest, tenant)
    await invalidate(ingest, tenant, made)
    assert await live(ingest, tenant) == set(ids)


async def test_a_pass_without_an_embedder_changes_nothing_and_is_tried_again(ingest: Workplace, tenant: UUID) -> None:
    ids = await told(ingest, tenant, TEA, TEA)
    shown = await consolidate(ingest, tenant, preview=True)
    ingest.embeddings.is_down = True
    with pytest.raises(CandorError) as caught:
        await consolidate(ingest, tenant, plan_id=shown.plan_id)
    assert caught.value.reason == "EMBEDDER_UNAVAILABLE"
    job = NewJob(new_id(), tenant, CONSOLIDATE_KIND, ingest.clock.time, ingest.clock.time, 3)
    await run(ingest.pool, tenant, partial(jobs.enqueue, job=job))
    handler = partial(consolidation_job.handle, means=ingest.means)
    runner = JobRunner(ingest.pool, {CONSOLIDATE_KIND: handler}, now=ingest.clock.now)
    assert await runner.step()
    assert await live(ingest, tenant) == set(ids)
    ingest.embeddings.is_down = False
    ingest.clock.tick(60)
    assert await runner.step()
    assert len(await live(ingest, tenant)) == 1


async def test_a_digest_of_old_facts_made_after_a_move_does_not_win_over_it(ingest: Workplace, tenant: UUID) -> None:
    oslo = {"record": "user", "metadata": dumps({"slot.residence": "Oslo"})}
    await told(ingest, tenant, *["User lives in Oslo."] * 3, **oslo)
    bergen = {"record": "user", "metadata": dumps({"slot.residence": "Bergen"})}
    (moved,) = await told(ingest, tenant, "User lives in Bergen.", **bergen)
    ingest.clock.tick(60 * 86_400)
    assert '"digests": 1, "merged": 3' in await passed(ingest, tenant)
    open_now = """SELECT a.memory_id, a.raw, a.valid_from, a.recorded_at, m.memory_type, m.importance
        FROM assertion AS a JOIN memory AS m ON m.tenant_id = a.tenant_id AND m.memory_id = a.memory_id
        WHERE a.tenant_id = $1 AND a.attribute = 'slot.residence' AND a.ended_at IS NULL"""
    sides = [Side(row[1], (_carrier(*row),)) for row in await ingest.rows(open_now, tenant)]
    assert len(sides) == 2
    assert resolve(sides).recommended_memory_id == UUID(moved)


def _carrier(
    memory_id: UUID,
    raw: str,
    valid_from: datetime,
    recorded_at: datetime,
    memory_type: str,
    importance: float | None,
) -> Carrier:
    kind = MemoryType(memory_type)
    return Carrier(memory_id, MemoryKind.NOTE, kind, False, importance, valid_from, recorded_at, None, raw)
