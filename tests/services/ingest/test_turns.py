"""Turns over real gRPC and PostgreSQL: written as they were said, read for facts, each fact at its place."""

from json import loads
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import turns_pb2 as pb

from shared.domain.errors import CandorError
from shared.domain.extraction.facts import Importance
from shared.domain.types import Guard, MemoryType
from shared.rpc.clients import rpc_errors
from tests.services.ingest.conversation import Conversation, day, fact

pytestmark = pytest.mark.anyio


async def test_a_turn_is_written_as_it_was_said_and_waits_to_be_read(talk: Conversation, tenant: UUID) -> None:
    answer = await talk.say(tenant, "Rain again.", assistant_text="Take an umbrella.", session="monday", at=2)
    rows = await talk.ingest.rows(
        """SELECT kind, memory_type, content, speaker, session, metadata::text, valid_from, state
        FROM memory WHERE tenant_id = $1""",
        tenant,
    )
    assert rows == [
        *[("turn", "episodic", "Rain again.", "user", "monday", '{"assistant": "Take an umbrella."}', day(2), "active")]
    ]
    job = await talk.ingest.rows(
        "SELECT job_id, kind, parameters::text, dedup_key FROM job WHERE tenant_id = $1", tenant
    )
    assert (str(job[0][0]), job[0][1], job[0][3]) == (answer.job_id, "enrich_turn", answer.memory.memory_id)
    assert loads(job[0][2]) == {"memory": answer.memory.memory_id, "at": talk.ingest.clock.time.isoformat()}


async def test_the_same_request_is_one_turn_and_one_job(talk: Conversation, tenant: UUID) -> None:
    first = await talk.say(tenant, "Rain again.", request_id="one")
    assert await talk.say(tenant, "Rain again.", request_id="one") == first
    again = await talk.say(tenant, "Rain again.")
    assert again.memory.existing and again.job_id == first.job_id
    assert len(await talk.jobs(tenant)) == 1
    with pytest.raises(CandorError, match="another body"):
        await talk.say(tenant, "Sun.", request_id="one")


@pytest.mark.parametrize(
    ("given", "field", "reason"),
    [
        ({"user_text": " "}, "user_text", "TEXT_EMPTY"),
        ({"user_text": "a" * 20_001}, "user_text", "TEXT_TOO_LONG"),
        ({"user_text": "a", "assistant_text": "b" * 16_001}, "assistant_text", "TEXT_TOO_LONG"),
        ({"user_text": "a\0"}, "user_text", "FORBIDDEN_CHARACTER"),
        ({"user_text": "a", "assistant_text": "\0"}, "assistant_text", "FORBIDDEN_CHARACTER"),
        ({"user_text": "a", "session": "s" * 300}, "session", "LABEL_TOO_LONG"),
        ({"user_text": "a", "speaker": "s" * 300}, "speaker", "LABEL_TOO_LONG"),
    ],
)
async def test_a_wrong_turn_is_refused_by_field(
    talk: Conversation, tenant: UUID, given: dict[str, Any], field: str, reason: str
) -> None:
    with pytest.raises(CandorError) as caught, rpc_errors():
        await talk.ingest.turns.ObserveTurn(pb.ObserveTurnRequest(tenant_id=str(tenant), **given))
    assert (caught.value.reason, caught.value.metadata["field"]) == (reason, field)
    assert await talk.ingest.contents(tenant) == {}


async def test_a_fact_is_a_dated_memory_of_its_own_and_speaks_for_the_turn(talk: Conversation, tenant: UUID) -> None:
    talk.extractor.importance = Importance(0.95, MemoryType.SEMANTIC, Guard.SAFETY, "health")
    told = fact("User is allergic to nuts.", "slots.allergy", "nuts")
    turn = await talk.tell(tenant, "By the way, nuts could kill me.", told, at=3)
    (row,) = await talk.ingest.rows(
        """SELECT m.memory_id, m.content, m.record, m.speaker, m.session, m.valid_from, m.source_memory_ids, m.tags,
            m.metadata::text, m.memory_type, m.protection, m.importance, u.scored_importance
        FROM memory AS m JOIN memory_use AS u USING (tenant_id, memory_id)
        WHERE m.tenant_id = $1 AND m.kind = 'note'""",
        tenant,
    )
    assert row[1:6] == ("User is allergic to nuts.", "user", "user", "s1", day(3))
    assert row[6:9] == ([turn], ["fact"], '{"slots.allergy": "nuts"}')
    assert row[9:] == ("semantic", "safety", None, 0.95)
    shown = "SELECT state, superseded_by FROM memory WHERE tenant_id = $1 AND memory_id = $2"
    assert await talk.ingest.rows(shown, tenant, turn) == [("merged", row[0])]
    assert await talk.jobs(tenant) == [
        ("done", 1, None, {"facts": 1, "written": 1, "mentioned": 0, "superseded": 0, "revived": 0})
    ]
    noted = "SELECT changes::text FROM memory_event WHERE tenant_id = $1 AND memory_id = $2 AND action = 'enriched'"
    of_turn, of_fact = [loads(await talk.ingest.value(noted, tenant, one)) for one in (turn, row[0])]
    assert of_turn == {"facts": [{"memory_id": str(row[0]), "outcome": "written"}]}
    assert of_fact == {"importance": 0.95, "memory_type": "semantic", "protection": "safety", "why": "health"}


async def test_a_turn_that_tells_nothing_stays_and_is_scored(talk: Conversation, tenant: UUID) -> None:
    talk.extractor.importance = Importance(0.1, MemoryType.EPISODIC, Guard.NONE, "small talk")
    turn = await talk.tell(tenant, "Nice weather.")
    assert await talk.ingest.rows("SELECT memory_id, state FROM memory WHERE tenant_id = $1", tenant) == [
        (turn, "active")
    ]
    noted = "SELECT changes::text FROM memory_event WHERE tenant_id = $1 AND action = 'enriched'"
    assert loads(await talk.ingest.value(noted, tenant))["why"] == "small talk"
    scored = "SELECT scored_importance FROM memory_use WHERE tenant_id = $1 AND memory_id = $2"
    assert await talk.ingest.value(scored, tenant, turn) == 0.1


async def test_a_later_value_of_a_slot_ends_the_earlier(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Berlin", 1)
    await talk.lives(tenant, "Lisbon", 10)
    (berlin, lisbon) = await talk.ingest.rows(
        """SELECT memory_id, state, valid_to, superseded_by, state_reason FROM memory
        WHERE tenant_id = $1 AND kind = 'note' ORDER BY valid_from""",
        tenant,
    )
    assert berlin[1:] == ("superseded", day(10), lisbon[0], "told otherwise later")
    assert lisbon[1:] == ("active", None, None, None)
    ended = "SELECT raw, ended_reason FROM assertion WHERE tenant_id = $1 ORDER BY valid_from"
    assert await talk.ingest.rows(ended, tenant) == [('"Berlin"', "superseded"), ('"Lisbon"', None)]


async def test_a_stale_fact_that_comes_later_loses(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Lisbon", 10)
    await talk.lives(tenant, "Berlin", 1)
    await talk.lives(tenant, "Porto", 5)
    rows = await talk.ingest.rows(
        """SELECT m.metadata->>'slot.residence', m.state, m.valid_to, by.metadata->>'slot.residence'
        FROM memory AS m LEFT JOIN memory AS by ON by.tenant_id = m.tenant_id AND by.memory_id = m.superseded_by
        WHERE m.tenant_id = $1 AND m.kind = 'note' ORDER BY m.valid_from""",
        tenant,
    )
    assert rows == [
        ("Berlin", "superseded", day(5), "Porto"),
        ("Porto", "superseded", day(10), "Lisbon"),
        ("Lisbon", "active", None, None),
    ]


async def test_what_is_told_again_is_mentioned_and_not_written(talk: Conversation, tenant: UUID) -> None:
    await talk.lives(tenant, "Berlin", 1)
    turn = await talk.lives(tenant, "BERLIN", 5)
    assert await talk.facts(tenant) == [("User lives in Berlin.", "active")]
    used = await talk.ingest.rows(
        """SELECT m.memory_id, u.recall_count, u.mentioned_at
        FROM memory_use AS u JOIN memory AS m USING (tenant_id, memory_id) WHERE tenant_id = $1 AND m.kind = 'note'""",
        tenant,
    )
    assert used[0][1:] == (1, day(5))
    shown = "SELECT state, superseded_by FROM memory WHERE tenant_id = $1 AND memory_id = $2"
    assert await talk.ingest.rows(shown, tenant, turn) == [("merged", used[0][0])]
