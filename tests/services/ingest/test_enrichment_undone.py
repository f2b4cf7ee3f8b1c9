"""The reading of a turn taken back: what was held before is held again; and what somebody chose to forget stays so."""

from uuid import UUID

import pytest

from tests.services.ingest.conversation import Conversation, fact
from tests.services.ingest.test_forgetting import forget, undo

pytestmark = pytest.mark.anyio


async def reading_of(talk: Conversation, tenant: UUID, turn: UUID) -> str:
    """Return the operation that read a turn."""
    query = "SELECT operation_id FROM memory_event WHERE tenant_id = $1 AND memory_id = $2 AND action = 'enriched'"
    return str(await talk.ingest.value(query, tenant, turn))


async def standing(talk: Conversation, tenant: UUID) -> list[tuple[object, ...]]:
    query = """SELECT m.content, m.state, m.superseded_by, m.valid_to, a.raw, a.ended_reason
        FROM memory AS m
        LEFT JOIN assertion AS a ON a.tenant_id = $1 AND a.memory_id = m.memory_id AND a.attribute LIKE 'slot%'
        WHERE m.tenant_id = $1 AND m.state <> 'incorrect' ORDER BY m.memory_id"""
    return [tuple(row) for row in await talk.ingest.rows(query, tenant)]


async def test_what_a_reading_ended_holds_again_and_what_it_wrote_does_not(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Porto", 1)
    await talk.lives(tenant, "Porto", 2)  # a mention: its turn is spoken for by the fact
    before = await standing(talk, tenant)
    turn = await talk.lives(tenant, "Lisbon", 5)
    assert await talk.active(tenant) == ["User lives in Lisbon."]
    (written,) = await talk.ingest.rows(
        "SELECT memory_id FROM memory WHERE content = 'User lives in Lisbon.' AND tenant_id = $1", tenant
    )
    reading = await reading_of(talk, tenant, turn)
    done = await undo(talk.ingest, tenant, reading)
    assert list(done.ended_memory_ids) == [str(written[0])]
    assert str(turn) in done.restored_memory_ids and not done.skipped_memory_ids
    assert [row for row in await standing(talk, tenant) if row[0] != "I live in Lisbon (5)"] == before
    assert await talk.ingest.value("SELECT state FROM memory WHERE memory_id = $1", turn) == "active"
    again = await undo(talk.ingest, tenant, reading)
    assert not again.restored_memory_ids and not again.ended_memory_ids
    await talk.read()  # the turn is not read again
    assert await talk.active(tenant) == ["User lives in Porto."]
    await talk.lives(tenant, "Oslo", 9)
    assert await talk.active(tenant) == ["User lives in Oslo."]


async def test_two_values_of_one_turn_both_go(talk: Conversation, tenant: UUID) -> None:
    first, last = (fact(f"User lives in {city}.", "slot.residence", city) for city in ("Porto", "Lisbon"))
    turn = await talk.tell(tenant, "Porto, no, Lisbon.", first, last, at=1)
    done = await undo(talk.ingest, tenant, await reading_of(talk, tenant, turn))
    assert len(done.ended_memory_ids) == 2
    assert {state for _, state in await talk.facts(tenant)} == {"incorrect"}


async def test_what_another_turn_rests_on_stays_and_is_named(talk: Conversation, tenant: UUID) -> None:
    turn = await talk.lives(tenant, "Lisbon", 1)
    await talk.lives(tenant, "Lisbon", 2)
    done = await undo(talk.ingest, tenant, await reading_of(talk, tenant, turn))
    assert len(done.skipped_memory_ids) == 1 and not done.ended_memory_ids
    assert await talk.active(tenant) == ["User lives in Lisbon."]


async def test_what_faded_and_was_revived_is_forgotten_again(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Lisbon", 1)
    await talk.forget(tenant)
    turn = await talk.lives(tenant, "Lisbon", 2)
    assert await talk.active(tenant) == ["User lives in Lisbon."]
    await undo(talk.ingest, tenant, await reading_of(talk, tenant, turn))
    assert await talk.facts(tenant) == [("User lives in Lisbon.", "forgotten")]


@pytest.mark.parametrize("slot", ["slot.residence", ""])
async def test_what_was_forgotten_by_choice_is_not_revived_but_new_when_told_again(
    talk: Conversation, tenant: UUID, slot: str
) -> None:
    home = fact("User lives in Lisbon.", slot, "Lisbon" if slot else "")
    await talk.tell(tenant, "Lisbon it is.", home, at=1)
    (found,) = await talk.ingest.rows("SELECT memory_id FROM memory WHERE tenant_id = $1 AND kind = 'note'", tenant)
    shown = await forget(talk.ingest, tenant, preview=True, memory_ids=[str(found[0])])
    await forget(talk.ingest, tenant, plan_id=shown.plan_id)
    await talk.tell(tenant, "Lisbon, I said.", home, at=2)
    assert await talk.facts(tenant) == [("User lives in Lisbon.", "forgotten"), ("User lives in Lisbon.", "active")]
