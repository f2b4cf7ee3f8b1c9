"""What facts do to what is held, over real gRPC and PostgreSQL: slots, ends, corrections, neighbours, revival."""

from uuid import UUID

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from shared.domain.extraction.facts import Importance
from shared.domain.types import Guard, MemoryType
from shared.rpc import wire
from tests.services.ingest.conversation import Conversation, day, fact
from tests.services.ingest.judging import restore

pytestmark = pytest.mark.anyio


def stamp(number: float) -> Timestamp | None:
    return wire.to_timestamp(day(number))


async def state(talk: Conversation, tenant: UUID, content: str) -> list[str]:
    rows = await talk.ingest.rows(
        "SELECT state FROM memory WHERE tenant_id = $1 AND content = $2 ORDER BY valid_from", tenant, content
    )
    return [row[0] for row in rows]


async def test_moved_back_holds_again_as_a_new_memory(talk: Conversation, tenant: UUID) -> None:
    for city, at in (("Berlin", 1), ("Lisbon", 5), ("Berlin", 9)):
        await talk.lives(tenant, city, at)
    assert await talk.facts(tenant) == [
        ("User lives in Berlin.", "superseded"),
        ("User lives in Lisbon.", "superseded"),
        ("User lives in Berlin.", "active"),
    ]


async def test_a_stale_fact_that_is_told_after_the_right_one_loses(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Oslo", 9)
    await talk.lives(tenant, "Berlin", 3)
    expected = [("User lives in Berlin.", "superseded"), ("User lives in Oslo.", "active")]
    assert await talk.facts(tenant) == expected
    await talk.lives(tenant, "Berlin", 5)  # a mention of what had ended by then
    assert await talk.facts(tenant) == expected
    open_ = "SELECT raw FROM assertion WHERE tenant_id = $1 AND ended_at IS NULL"
    assert await talk.ingest.rows(open_, tenant) == [('"Oslo"',)]


async def test_values_of_a_slot_of_several_stand_beside_each_other_and_end_alone(
    talk: Conversation, tenant: UUID
) -> None:
    nuts, milk = (fact(f"User is allergic to {one}.", "slots.allergy", one) for one in ("nuts", "milk"))
    await talk.tell(tenant, "Nuts and milk.", nuts, milk, at=1)
    over = fact("User is no longer allergic to milk.", "slots.allergy", "milk", ends=True)
    await talk.tell(tenant, "Milk is fine now.", over, at=5)
    assert sorted(await talk.active(tenant)) == ["User is allergic to nuts.", "User is no longer allergic to milk."]
    await talk.tell(tenant, "Milk was bad then.", milk, at=3)  # a mention of what has ended since
    assert sorted(await talk.active(tenant)) == ["User is allergic to nuts.", "User is no longer allergic to milk."]
    await talk.tell(tenant, "Milk again.", milk, at=8)
    assert sorted(await talk.active(tenant)) == ["User is allergic to milk.", "User is allergic to nuts."]


async def test_an_end_without_a_value_ends_what_stands_whichever_comes_first(talk: Conversation, tenant: UUID) -> None:
    gone = fact("User has no flat any more.", "slot.residence", "", ends=True)
    await talk.tell(tenant, "No flat.", gone, at=9)
    await talk.lives(tenant, "Lisbon", 4)
    assert await talk.facts(tenant) == [
        ("User lives in Lisbon.", "superseded"),
        ("User has no flat any more.", "active"),
    ]
    await talk.lives(tenant, "Porto", 12)
    assert await talk.active(tenant) == ["User lives in Porto."]


async def test_an_end_of_another_value_does_not_end_what_stands(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Lisbon", 4)
    gone = fact("The Berlin flat is empty.", "slot.residence", "", ends=True, former_value="Berlin")
    await talk.tell(tenant, "The Berlin flat is empty.", gone, at=9)
    assert await talk.active(tenant) == ["User lives in Lisbon."]


async def test_a_correction_makes_what_stood_incorrect(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Porto", 4)
    await talk.lives(tenant, "Lisbon", 5, corrects=True)
    assert await talk.facts(tenant) == [("User lives in Porto.", "incorrect"), ("User lives in Lisbon.", "active")]


async def test_two_values_in_one_turn_the_last_holds(talk: Conversation, tenant: UUID) -> None:
    first, last = (fact(f"User lives in {city}.", "slot.residence", city) for city in ("Porto", "Lisbon"))
    await talk.tell(tenant, "Porto, no, Lisbon.", first, last, last, at=1)
    assert sorted(await talk.facts(tenant)) == [
        ("User lives in Lisbon.", "active"),
        ("User lives in Porto.", "superseded"),
    ]


async def test_each_person_has_slots_of_their_own(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Lisbon", 1)
    await talk.lives(tenant, "Oslo", 2, subject="Maya")
    told = fact("Ben lives in Rome.", "slot.residence", "Rome")
    await talk.tell(tenant, "I live in Rome", told, at=3, speaker="Ben")
    assert len(await talk.active(tenant)) == 3
    records = await talk.ingest.rows("SELECT record FROM memory WHERE tenant_id = $1 AND kind = 'note'", tenant)
    assert sorted(row[0] for row in records) == ["Ben", "Maya", "user"]


async def test_a_fact_without_a_slot_ends_the_neighbour_it_excludes(talk: Conversation, tenant: UUID) -> None:
    await talk.tell(tenant, "Coffee!", fact("User loves coffee."), at=1)
    await talk.tell(tenant, "No coffee!", fact("User hates coffee."), at=5)
    await talk.tell(tenant, "Tea!", fact("User loves tea."), at=6)
    assert await talk.facts(tenant) == [
        ("User loves coffee.", "superseded"),
        ("User hates coffee.", "active"),
        ("User loves tea.", "active"),
    ]
    await talk.tell(tenant, "Coffee, then!", fact("User likes coffee."), at=3)  # from before what stands
    assert await state(talk, tenant, "User likes coffee.") == ["superseded"]


async def test_neighbours_of_all_types_are_judged(talk: Conversation, tenant: UUID) -> None:
    for number, aged in enumerate(("episodic", "semantic", "consolidated")):
        other = f"User loves coffee number {number}."
        kind = f"MEMORY_TYPE_{aged.upper()}"
        await talk.ingest.create(tenant, other, memory_type=kind, observed_at=stamp(1), speaker="user")
    await talk.tell(tenant, "No coffee!", fact("User hates coffee."), at=5)
    assert await talk.active(tenant) == ["User hates coffee."]


async def test_what_is_undated_of_a_company_or_no_note_is_left_alone(talk: Conversation, tenant: UUID) -> None:
    text = "User loves coffee."
    await talk.ingest.create(tenant, text)
    await talk.ingest.create(tenant, text, company="Northwind", observed_at=stamp(1))
    await talk.ingest.create(tenant, text, kind="document", observed_at=stamp(1))
    await talk.ingest.create(tenant, text, record="INV-1", observed_at=stamp(1))
    await talk.tell(tenant, "No coffee!", fact("User hates coffee."), at=5)
    assert await state(talk, tenant, text) == ["active"] * 4


async def test_what_was_forgotten_comes_back_when_it_is_told_again(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Lisbon", 1)
    await talk.tell(tenant, "Tea!", fact("User loves tea."), at=1)
    assert len(await talk.active(tenant)) == 2
    await talk.forget(tenant)
    assert await talk.active(tenant) == []
    await talk.lives(tenant, "Lisbon", 40)
    await talk.tell(tenant, "Tea!!", fact("User  loves TEA."), at=41)
    assert await talk.facts(tenant) == [("User lives in Lisbon.", "active"), ("User loves tea.", "active")]
    found = """SELECT count(*) FROM memory_vector_g1 JOIN memory USING (tenant_id, memory_id)
        WHERE tenant_id = $1 AND kind = 'note'"""
    assert await talk.ingest.value(found, tenant) == 2
    open_ = "SELECT raw FROM assertion WHERE tenant_id = $1 AND ended_at IS NULL"
    assert await talk.ingest.rows(open_, tenant) == [('"Lisbon"',)]


async def test_what_was_forgotten_is_superseded_by_what_is_told_otherwise(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Lisbon", 1)
    await talk.forget(tenant)
    await talk.lives(tenant, "Porto", 40)
    rows = await talk.ingest.rows(
        """SELECT m.state, m.valid_to, a.ended_reason FROM memory AS m JOIN assertion AS a USING (tenant_id, memory_id)
        WHERE tenant_id = $1 ORDER BY m.valid_from""",
        tenant,
    )
    assert rows == [("superseded", day(40), "superseded"), ("active", None, None)]


async def test_what_is_told_again_with_emphasis_is_protected(talk: Conversation, tenant: UUID) -> None:
    await talk.tell(tenant, "Nuts.", fact("User is allergic to nuts.", "slots.allergy", "nuts"), at=1)
    talk.extractor.importance = Importance(0.95, MemoryType.SEMANTIC, Guard.SAFETY, "health")
    await talk.tell(tenant, "Remember: nuts!", fact("User cannot eat nuts.", "slots.allergy", "Nuts"), at=5)
    row = await talk.ingest.rows(
        """SELECT protection, scored_importance FROM memory JOIN memory_use USING (tenant_id, memory_id)
        WHERE tenant_id = $1 AND kind = 'note'""",
        tenant,
    )
    assert row == [("safety", 0.95)]


async def test_the_members_of_a_digest_end_with_it(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Lisbon", 1)
    digest = await talk.ingest.create(
        tenant,
        "User lives in Lisbon, told often.",
        record="user",
        observed_at=stamp(5),
        metadata='{"slot.residence": "Lisbon"}',
        memory_type="MEMORY_TYPE_CONSOLIDATED",
    )
    await talk.ingest.look.execute(
        """UPDATE memory SET state = 'merged', superseded_by = $2, ended_at = recorded_at
        WHERE tenant_id = $1 AND kind = 'note' AND memory_type <> 'consolidated'""",
        tenant,
        UUID(digest.memory.memory_id),
    )
    await talk.ingest.look.execute(
        """UPDATE assertion AS a SET ended_at = m.ended_at, ended_reason = 'merged' FROM memory AS m
        WHERE a.tenant_id = $1 AND m.tenant_id = $1 AND m.memory_id = a.memory_id AND m.state = 'merged'""",
        tenant,
    )
    await talk.lives(tenant, "Lisbon", 4)  # the digest speaks for it
    assert len(await talk.facts(tenant)) == 2
    await talk.lives(tenant, "Porto", 9)
    assert [one for _, one in await talk.facts(tenant)] == ["superseded", "superseded", "active"]


async def test_a_deadline_expires_by_its_own_date(talk: Conversation, tenant: UUID) -> None:
    await talk.tell(tenant, "Report!", fact("User's report is due.", valid_to=day(9)), at=1)
    shown = "SELECT valid_to, expires_at FROM memory WHERE tenant_id = $1 AND kind = 'note'"
    assert await talk.ingest.rows(shown, tenant) == [(day(9), day(9))]


async def test_a_turn_that_was_read_can_be_restored_and_is_not_read_again(talk: Conversation, tenant: UUID) -> None:
    turn = await talk.lives(tenant, "Lisbon", 1)
    await restore(talk.ingest, tenant, str(turn))
    rows = "SELECT state FROM memory WHERE tenant_id = $1 AND memory_id = $2"
    assert await talk.ingest.value(rows, tenant, turn) == "active"
    await talk.say(tenant, "I live in Lisbon (1)", at=1)
    await talk.read()
    assert len(await talk.facts(tenant)) == 1


async def test_the_extractor_is_told_what_is_held_of_the_speaker(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Lisbon", 1)
    await talk.tell(tenant, "Nuts.", fact("User is allergic to nuts.", "slots.allergy", "nuts"), at=1)
    over = fact("User is no longer allergic to nuts.", "slots.allergy", "nuts", ends=True)
    await talk.tell(tenant, "Nuts are fine.", over, at=3)
    await talk.tell(tenant, "Hello.", assistant_text="Hi.", at=4)
    heard = talk.extractor.heard[-1]
    assert [(one.slot, one.value) for one in heard.known] == [("slot.residence", "Lisbon")]
    assert (heard.assistant_text, heard.speaker) == ("Hi.", "user")


async def test_statistics_of_terms_stay_right(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Berlin", 1)
    await talk.lives(tenant, "Lisbon", 5)
    await talk.forget(tenant)
    await talk.lives(tenant, "Lisbon", 6)
    await talk.tell(tenant, "Rain.")
    await talk.ingest.statistics.flush()
    live = await talk.ingest.rows("SELECT count(*), sum(length) FROM memory_lexical WHERE tenant_id = $1", tenant)
    assert await talk.ingest.rows("SELECT memories, terms FROM tenant_stat WHERE tenant_id = $1", tenant) == live
    terms = """SELECT term, count(*) FROM memory_lexical, unnest(terms) AS term WHERE tenant_id = $1 GROUP BY term"""
    told = "SELECT term_id, memories FROM term_stat WHERE tenant_id = $1 AND memories <> 0"
    assert sorted(await talk.ingest.rows(told, tenant)) == sorted(await talk.ingest.rows(terms, tenant))


async def test_a_value_told_more_exactly_speaks_for_the_one_told_before(talk: Conversation, tenant: UUID) -> None:
    for value, at in (("chai", 1), ("oolong", 5), ("oolong tea", 7), ("oolong", 9)):
        told = fact(f"User's usual drink is {value}.", "slot.drink", value)
        await talk.tell(tenant, f"{value} ({at})", told, at=at)
    rows = await talk.ingest.rows(
        """SELECT m.metadata->>'slot.drink', m.state, m.valid_to, by.metadata->>'slot.drink'
        FROM memory AS m LEFT JOIN memory AS by ON by.tenant_id = m.tenant_id AND by.memory_id = m.superseded_by
        WHERE m.tenant_id = $1 AND m.kind = 'note' ORDER BY m.valid_from""",
        tenant,
    )
    assert rows == [
        ("chai", "superseded", day(5), "oolong tea"),
        ("oolong", "merged", None, "oolong tea"),
        ("oolong tea", "active", None, None),
    ]


async def test_the_value_before_that_a_fact_names_is_kept_as_what_was(talk: Conversation, tenant: UUID) -> None:
    told = fact("User drives a Skoda.", "slot.vehicle", "Skoda", former_value="Panda")
    await talk.tell(tenant, "I sold the Panda and drive a Skoda now.", told, at=5)
    await talk.tell(tenant, "As I said, the Panda is gone, I drive a Skoda.", told, at=6)
    rows = await talk.ingest.rows(
        """SELECT m.content, m.state, m.valid_from, m.valid_to, by.content
        FROM memory AS m LEFT JOIN memory AS by ON by.tenant_id = m.tenant_id AND by.memory_id = m.superseded_by
        WHERE m.tenant_id = $1 AND m.kind = 'note' ORDER BY m.state""",
        tenant,
    )
    assert rows == [
        ("User drives a Skoda.", "active", day(5), None, None),
        ("User drives a Panda.", "superseded", None, day(5), "User drives a Skoda."),
    ]


async def test_the_value_before_is_not_kept_twice(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Berlin", 1)
    await talk.lives(tenant, "Lisbon", 5, former_value="Berlin")
    assert await talk.facts(tenant) == [("User lives in Berlin.", "superseded"), ("User lives in Lisbon.", "active")]
