"""What was told in talks fades by its scored importance, never what protects itself; told again, it is back."""

from datetime import timedelta
from uuid import UUID

import pytest

from shared.domain.extraction.facts import Importance
from shared.domain.types import Guard, MemoryType
from tests.services.ingest.conversation import Conversation, fact
from tests.services.ingest.test_sweep import STATE, date_of, swept

pytestmark = pytest.mark.anyio
DAYS_120 = timedelta(days=120).total_seconds()
TRIFLE = Importance(0.2, MemoryType.EPISODIC, Guard.NONE, "small talk")
ALLERGY = Importance(0.2, MemoryType.EPISODIC, Guard.SAFETY, "an allergy")
AGE_OF_TRIFLE = timedelta(hours=2 * 72)  # from 0.2 to 0.05


async def test_trifles_fade_and_an_allergy_that_nobody_asked_for_is_there_after_120_days(
    talk: Conversation, tenant: UUID
) -> None:
    talk.extractor.importance = ALLERGY
    await talk.tell(tenant, "Penicillin nearly killed me.", fact("User is allergic to penicillin."))
    talk.extractor.importance = TRIFLE
    turn = await talk.tell(tenant, "Rain again.")
    recorded = talk.ingest.clock.time
    await talk.tell(tenant, "I had soup.", fact("User had soup."))
    assert await date_of(talk.ingest, tenant, str(turn)) == recorded + AGE_OF_TRIFLE
    talk.ingest.clock.tick(DAYS_120)
    answer = await swept(talk.ingest, tenant)
    assert (answer.examined, answer.faded) == (2, 2)
    assert await talk.facts(tenant) == [
        ("User is allergic to penicillin.", "active"),
        ("User had soup.", "forgotten"),
    ]
    assert await talk.ingest.rows(STATE, tenant, turn) == [("forgotten", "faded")]


async def test_what_faded_and_is_told_again_is_back_and_begins_to_fade_anew(talk: Conversation, tenant: UUID) -> None:
    talk.extractor.importance = TRIFLE
    await talk.tell(tenant, "I had soup.", fact("User likes soup.", "slot.dish", "soup"))
    talk.ingest.clock.tick(DAYS_120)
    await swept(talk.ingest, tenant)
    assert await talk.active(tenant) == []
    await talk.tell(tenant, "Soup, as always.", fact("User likes soup.", "slot.dish", "soup"), at=120)
    assert await talk.active(tenant) == ["User likes soup."]
    [[memory_id]] = await talk.ingest.rows(
        "SELECT memory_id FROM memory WHERE tenant_id = $1 AND kind = 'note'", tenant
    )
    fades_at = await date_of(talk.ingest, tenant, str(memory_id))
    assert fades_at is not None and fades_at >= talk.ingest.clock.time + AGE_OF_TRIFLE
    assert (await swept(talk.ingest, tenant)).faded == 0
