"""Deciding conflicts: one attribute at a time, on what was seen, once, and never for good."""

import asyncio
from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import memories_pb2
from candor.memory.v1 import memory_pb2

from shared.clock import new_id
from shared.domain.errors import CandorError, Conflict, FailedPrecondition, InvalidArgument, NotFound
from shared.domain.findings import pair_finding_id
from tests.services.ingest.judging import ACCEPT, DEFER, OVERRIDE, dump, invalidate, invoice, resolve, totals, undo
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio


async def patch(ingest: Workplace, tenant: UUID, memory_id: str, **given: Any) -> None:
    ingest.clock.tick()
    await ingest.writer.UpdateMemory(
        memories_pb2.UpdateMemoryRequest(
            tenant_id=str(tenant), memory_id=memory_id, patch=memories_pb2.MemoryPatch(**given)
        )
    )


async def test_the_other_value_ends_and_nothing_else_does(ingest: Workplace, tenant: UUID) -> None:
    old, new = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    memories = "SELECT * FROM memory WHERE tenant_id = $1 ORDER BY memory_id"
    before = await ingest.rows(memories, tenant)
    answer = await resolve(ingest, tenant, old, [new], action=OVERRIDE)
    assert (answer.action, list(answer.superseded_memory_ids)) == (OVERRIDE, [new])
    assert (answer.before.active_carriers, answer.after.active_carriers) == (2, 1)
    assert (answer.before.HasField("selected_importance"), answer.after.selected_importance) == (False, 0.95)
    assert await totals(ingest, tenant) == [("8400", None, 0.95), ("8900", "decided", None)]
    assert [row[1:] for row in await totals(ingest, tenant, "vendor")] == [(None, None)] * 2
    assert await ingest.rows(memories, tenant) == before
    events = await ingest.rows("SELECT memory_id, actor, reason FROM memory_event WHERE action = 'decided'")
    assert {(str(memory_id), *rest) for memory_id, *rest in events} >= {
        (memory_id, "judge", "seen the paper") for memory_id in (old, new)
    }


async def test_two_attributes_may_be_won_by_different_memories(ingest: Workplace, tenant: UUID) -> None:
    a = await invoice(ingest, tenant, 8400, metadata={"vendor": "Acme"})
    b = await invoice(ingest, tenant, 8900, metadata={"vendor": "Globex"})
    first = await resolve(ingest, tenant, a)
    await resolve(ingest, tenant, b, attribute="vendor")
    assert await totals(ingest, tenant) == [("8400", None, 0.95), ("8900", "decided", None)]
    assert await totals(ingest, tenant, "vendor") == [('"Acme"', "decided", None), ('"Globex"', None, 0.95)]
    await undo(ingest, tenant, first.decision_id)  # the later one is about another attribute
    assert [row[1] for row in await totals(ingest, tenant)] == [None, None]


async def test_a_memory_without_the_value_blocks_nothing(ingest: Workplace, tenant: UUID) -> None:
    old, new = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    silent = await invoice(ingest, tenant, None, content="INV-1, total not known")
    structured = await invoice(ingest, tenant, {"net": 1}, content="INV-1, in parts")
    answer = await resolve(ingest, tenant, new, [old])
    assert (answer.action, list(answer.superseded_memory_ids)) == (ACCEPT, [old])
    assert silent
    assert structured


async def test_vendors_periods_and_companies_are_respected(ingest: Workplace, tenant: UUID) -> None:
    ours = [await invoice(ingest, tenant, total, counterparty="Acme", session=str(total)) for total in (100, 200)]
    theirs = [await invoice(ingest, tenant, total, counterparty="Globex", session=str(total)) for total in (100, 200)]
    other = [await invoice(ingest, tenant, total, company="Southwind", session=str(total)) for total in (100, 200)]
    answer = await resolve(ingest, tenant, ours[0])
    assert list(answer.superseded_memory_ids) == [ours[1]]
    answer = await resolve(ingest, tenant, theirs[0], [theirs[1]])
    assert list(answer.superseded_memory_ids) == [theirs[1]]
    assert list((await resolve(ingest, tenant, other[1])).superseded_memory_ids) == [other[0]]


async def test_those_who_agree_with_the_selected_one_may_be_named_and_stay(ingest: Workplace, tenant: UUID) -> None:
    a, twin = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, "8,400.00", session="b")
    b = await invoice(ingest, tenant, 8900)
    answer = await resolve(ingest, tenant, a, [b, twin])
    assert list(answer.superseded_memory_ids) == [b]
    assert [row[1:] for row in await totals(ingest, tenant)] == [(None, 0.95), (None, None), ("decided", None)]


async def test_what_was_not_seen_is_named(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    late = await invoice(ingest, tenant, 9000)
    before = await ingest.contents(tenant)
    with pytest.raises(Conflict) as caught:
        await resolve(ingest, tenant, a, [b])
    assert (caught.value.reason, caught.value.metadata["not_named"]) == ("CONFLICT_CHANGED", late)
    stranger = await invoice(ingest, tenant, 1, record="INV-2")
    with pytest.raises(Conflict) as caught:
        await resolve(ingest, tenant, a, [b, late, stranger])
    assert caught.value.metadata["not_carriers"] == stranger
    with pytest.raises(Conflict) as caught:
        await resolve(ingest, tenant, stranger)
    assert caught.value.reason == "CONFLICT_CHANGED"
    with pytest.raises(Conflict) as caught:
        await resolve(ingest, tenant, a, [b, late], action=ACCEPT)
    assert (caught.value.reason, caught.value.metadata["recommended_memory_id"]) == ("RECOMMENDATION_CHANGED", late)
    after = await ingest.contents(tenant)
    assert "decision" not in after
    assert set(before["assertion"]) < set(after["assertion"])


async def test_a_decision_undone_leaves_everything_as_before(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    c = await invoice(ingest, tenant, 9000, metadata={"vendor": "Globex"})
    before = await dump(ingest, tenant)
    wrong = await resolve(ingest, tenant, b, [a, c])
    assert await dump(ingest, tenant) != before
    await undo(ingest, tenant, wrong.decision_id)
    assert await dump(ingest, tenant) == before
    right = await resolve(ingest, tenant, c)
    assert right.action == ACCEPT
    with pytest.raises(FailedPrecondition) as caught:
        await undo(ingest, tenant, wrong.decision_id)
    assert caught.value.reason == "DECISION_UNDONE"
    kept = "SELECT decision_id, number, undone_by, undone_reason FROM decision WHERE tenant_id = $1 ORDER BY number"
    assert await ingest.rows(kept, tenant) == [
        (wrong.decision_id, 1, "boss", "mistaken"),
        (right.decision_id, 2, None, None),
    ]


async def test_decisions_are_undone_from_the_last(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    before = await dump(ingest, tenant)
    first = await resolve(ingest, tenant, a)
    c = await invoice(ingest, tenant, 9000)
    second = await resolve(ingest, tenant, c, [a], action=OVERRIDE)
    with pytest.raises(Conflict) as caught:
        await undo(ingest, tenant, first.decision_id)
    assert caught.value.reason == "DECISION_DEPENDED_ON"
    assert caught.value.metadata["later_decision_id"] == second.decision_id
    await undo(ingest, tenant, second.decision_id)
    await undo(ingest, tenant, first.decision_id)
    assert [row[1:] for row in await totals(ingest, tenant)] == [(None, None)] * 3
    await invalidate(ingest, tenant, c)
    assert b
    rows = [row for row in (await dump(ingest, tenant))["assertion"] if row["memory_id"] != c]
    assert rows == before["assertion"]


async def test_what_others_changed_since_is_not_undone(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    decision = await resolve(ingest, tenant, a)
    await patch(ingest, tenant, b, metadata='{"total": 9100, "vendor": "Acme"}')
    with pytest.raises(Conflict) as caught:
        await undo(ingest, tenant, decision.decision_id)
    assert (caught.value.reason, caught.value.metadata["memory_id"]) == ("UNDO_IMPOSSIBLE", b)


async def test_a_patch_of_something_else_does_not_assert_the_lost_value_anew(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    decision = await resolve(ingest, tenant, a)
    await patch(ingest, tenant, b, content="INV-1, said differently")
    await patch(ingest, tenant, a, pinned=True)
    assert await totals(ingest, tenant) == [("8400", None, 0.95), ("8900", "decided", None)]
    await undo(ingest, tenant, decision.decision_id)
    await patch(ingest, tenant, b, metadata='{"total": 9100, "vendor": "Acme"}')
    assert [row[:2] for row in await totals(ingest, tenant)] == [("8400", None), ("8900", "superseded"), ("9100", None)]


async def test_a_later_write_meets_the_decision(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    await resolve(ingest, tenant, a, [b])
    late = await invoice(ingest, tenant, 9000)
    with pytest.raises(Conflict) as caught:
        await resolve(ingest, tenant, late, action=ACCEPT)
    assert caught.value.metadata["recommended_memory_id"] == a  # what was decided weighs more than what is newer
    with pytest.raises(Conflict) as caught:
        await resolve(ingest, tenant, a, [b, late])
    assert caught.value.metadata["not_carriers"] == b


async def test_a_deferred_conflict_stays_and_is_acknowledged(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    before = await dump(ingest, tenant)
    answer = await resolve(ingest, tenant, "", [], company="northwind", action=DEFER, decision_id="later")
    assert (answer.action, list(answer.superseded_memory_ids)) == (DEFER, [])
    assert await dump(ingest, tenant) == before
    states = "SELECT finding_id, state, decision_id FROM finding WHERE tenant_id = $1"
    assert await ingest.rows(states, tenant) == [(answer.finding_ids[0], "acknowledged", "later")]
    about = await ingest.rows("SELECT memory_id FROM finding_memory WHERE tenant_id = $1", tenant)
    assert {str(memory_id) for (memory_id,) in about} == {a, b}
    await undo(ingest, tenant, "later")
    assert await ingest.rows(states, tenant) == [(answer.finding_ids[0], "open", None)]
    await resolve(ingest, tenant, a, finding_id=answer.finding_ids[0], decision_id="now")
    assert await ingest.rows(states, tenant) == [(answer.finding_ids[0], "resolved", "now")]


async def test_parallel_twins_decide_once(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    answers = await asyncio.gather(*(resolve(ingest, tenant, a, [b], decision_id="twin") for _ in range(12)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    assert await ingest.value("SELECT count(*) FROM decision WHERE tenant_id = $1", tenant) == 1
    assert await ingest.value("SELECT count(*) FROM operation WHERE tenant_id = $1", tenant) == 3
    with pytest.raises(Conflict) as caught:
        await resolve(ingest, tenant, b, [a], decision_id="twin")
    assert caught.value.reason == "REQUEST_ID_REUSED"
    await ingest.look.execute("DELETE FROM request WHERE tenant_id = $1", tenant)  # as after 30 days
    await undo(ingest, tenant, "twin")
    with pytest.raises(Conflict) as caught:
        await resolve(ingest, tenant, a, [b], decision_id="twin")
    assert caught.value.reason == "DECISION_ID_REUSED"


async def test_of_rivals_one_wins(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)

    async def attempt(selected: str, other: str) -> str:
        try:
            await resolve(ingest, tenant, selected, [other])
        except Conflict as error:
            return error.reason
        return "OK"

    ends = await asyncio.gather(*(attempt(*pair) for pair in ((a, b), (b, a)) * 4))
    assert Counter(ends) == {"OK": 1, "CONFLICT_CHANGED": 7}
    assert sorted(str(row[1]) for row in await totals(ingest, tenant)) == ["None", "decided"]


async def test_of_two_meanings_the_other_memory_ends_as_chosen(ingest: Workplace, tenant: UUID) -> None:
    a = await invoice(ingest, tenant, 1, kind="insight", record="I-1", content="Acme pays on time")
    b = await invoice(ingest, tenant, 1, kind="insight", record="I-2", content="Acme pays late")
    before = await dump(ingest, tenant)
    pair = {"subject": "", "attribute": ""}
    answer = await resolve(ingest, tenant, b, [a], **pair, loser_state=memory_pb2.STATE_INCORRECT)
    assert (answer.action, list(answer.superseded_memory_ids)) == (ACCEPT, [a])
    assert list(answer.finding_ids) == [pair_finding_id(tenant, UUID(a), UUID(b))]
    states = "SELECT memory_id::text, state, importance, superseded_by::text FROM memory WHERE tenant_id = $1"
    assert {row[0]: row[1:] for row in await ingest.rows(states, tenant)} == {
        a: ("incorrect", None, b),
        b: ("active", 0.95, None),
    }
    await undo(ingest, tenant, answer.decision_id)
    assert await dump(ingest, tenant) == before
    other = await resolve(ingest, tenant, a, [b], **pair)
    assert other.action == OVERRIDE
    await patch(ingest, tenant, a, importance=0.3)
    with pytest.raises(Conflict) as caught:
        await undo(ingest, tenant, other.decision_id)
    assert caught.value.reason == "UNDO_IMPOSSIBLE"
    assert await ingest.value("SELECT state FROM memory WHERE tenant_id = $1 AND memory_id = $2", tenant, UUID(b)) == (
        "superseded"
    )


@pytest.mark.parametrize(
    ("options", "kind", "reason"),
    [
        ({"reason": " "}, InvalidArgument, "REASON_MISSING"),
        ({"reason": "x" * 501}, InvalidArgument, "REASON_TOO_LONG"),
        ({"reason": "\0"}, InvalidArgument, "FORBIDDEN_CHARACTER"),
        ({"subject": ""}, InvalidArgument, "SUBJECT_MISSING"),
        ({"subject": "x" * 513}, InvalidArgument, "SUBJECT_INVALID"),
        ({"attribute": ""}, InvalidArgument, "ATTRIBUTE_MISSING"),
        ({"attribute": "\0"}, InvalidArgument, "FORBIDDEN_CHARACTER"),
        ({"company": "\ud7ff" * 257}, InvalidArgument, "LABEL_TOO_LONG"),
        ({"selected": ""}, InvalidArgument, "SELECTION_MISSING"),
        ({"selected": "1"}, InvalidArgument, "MEMORY_ID_INVALID"),
        ({"selected": str(new_id())}, NotFound, "MEMORY_NOT_FOUND"),
        ({"targets": ["x"]}, InvalidArgument, "MEMORY_ID_INVALID"),
        ({"targets": [str(UUID(int=1))] * 2}, InvalidArgument, "TARGETS_INVALID"),
        ({"targets": [str(UUID(int=n)) for n in range(1001)]}, InvalidArgument, "TARGETS_INVALID"),
        ({"targets": ["selected"]}, InvalidArgument, "SELECTION_REPEATED"),
        ({"targets": [str(UUID(int=9))]}, Conflict, "CONFLICT_CHANGED"),
        ({"action": 4}, InvalidArgument, "DECISION_ACTION_INVALID"),
        ({"action": 77}, InvalidArgument, "DECISION_ACTION_INVALID"),
        ({"loser_state": memory_pb2.STATE_ERASED}, InvalidArgument, "STATE_INVALID"),
        ({"decision_id": "a b"}, InvalidArgument, "DECISION_ID_INVALID"),
        ({"decision_id": "x" * 129}, InvalidArgument, "DECISION_ID_INVALID"),
        ({"finding_id": "0" * 64}, Conflict, "CONFLICT_CHANGED"),
        ({"subject": "INV-9"}, Conflict, "CONFLICT_CHANGED"),
        ({"attribute": "vendor"}, Conflict, "CONFLICT_CHANGED"),
        ({"company": "Southwind"}, Conflict, "CONFLICT_CHANGED"),
        ({"subject": "", "attribute": ""}, InvalidArgument, "TARGETS_INVALID"),
        ({"subject": "", "attribute": "", "targets": [str(new_id())]}, NotFound, "MEMORY_NOT_FOUND"),
    ],
)
async def test_a_wrong_request_is_named_and_nothing_written(
    ingest: Workplace, tenant: UUID, options: dict[str, Any], kind: type[CandorError], reason: str
) -> None:
    made = await invoice(ingest, tenant, 8400)
    await invoice(ingest, tenant, 8900)
    before = await ingest.contents(tenant)
    targets = [made if target == "selected" else target for target in options.pop("targets", [])]
    with pytest.raises(kind) as caught:
        await resolve(ingest, tenant, options.pop("selected", made), targets, **options)
    assert caught.value.reason == reason
    assert await ingest.contents(tenant) == before


@pytest.mark.parametrize(
    ("decision_id", "options", "kind", "reason"),
    [
        ("unknown", {}, NotFound, "DECISION_NOT_FOUND"),
        ("x" * 129, {}, InvalidArgument, "DECISION_ID_INVALID"),
        ("\0", {}, InvalidArgument, "FORBIDDEN_CHARACTER"),
    ],
)
async def test_a_wrong_undo_is_named(
    ingest: Workplace, tenant: UUID, decision_id: str, options: dict[str, Any], kind: type[CandorError], reason: str
) -> None:
    with pytest.raises(kind) as caught:
        await undo(ingest, tenant, decision_id, **options)
    assert caught.value.reason == reason


async def test_another_tenants_decision_is_not_there(ingest: Workplace, tenant: UUID) -> None:
    a, b = await invoice(ingest, tenant, 8400), await invoice(ingest, tenant, 8900)
    await resolve(ingest, tenant, a, [b], decision_id="mine")
    stranger = new_id()
    with pytest.raises(NotFound):
        await undo(ingest, stranger, "mine")
    with pytest.raises(NotFound):
        await resolve(ingest, stranger, a, [b])
    theirs = [await invoice(ingest, stranger, total) for total in (1, 2)]
    assert (await resolve(ingest, stranger, theirs[0], decision_id="mine")).decision_id == "mine"
    assert [row[1] for row in await totals(ingest, tenant)] == [None, "decided"]
