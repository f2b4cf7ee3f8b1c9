"""Verdicts on a fact and its neighbours: paid for once, kept for the audit of meaning, and asked for again in vain."""

from collections.abc import AsyncIterator
from dataclasses import replace
from uuid import UUID

import pytest
from candor.judge.v1 import contradictions_pb2 as pb
from candor.judge.v1.contradictions_pb2_grpc import ContradictionsServiceServicer
from candor.memory.v1 import verdict_pb2

from services.ingest.enrichment import Enrichment
from services.ingest.enrichment_judge import Judge
from services.ingest.enrichment_plan import JUDGED_ATTEMPTS
from services.judge.models import MEANING, Models, Role
from shared.domain.extraction.facts import Fact
from shared.rpc import clients, meaning_stubs
from shared.rpc.context import Context
from tests.services.ingest.conversation import STATEMENT_KEY, Conversation, fact
from tests.services.ingest.judging import invalidate
from tests.services.running import role

pytestmark = pytest.mark.anyio
CONSISTENT = verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_CONSISTENT, confidence=0.9, reason="both may hold")


class Meaning(ContradictionsServiceServicer):
    """Says the same of every pair; `asked` counts the pairs."""

    def __init__(self) -> None:
        self.says = CONSISTENT
        self.asked: list[pb.StatementPair] = []

    async def JudgeContradictions(
        self, request: pb.JudgeContradictionsRequest, context: Context
    ) -> pb.JudgeContradictionsResponse:
        self.asked += request.pairs
        return pb.JudgeContradictionsResponse(verdicts=[self.says] * len(request.pairs))


@pytest.fixture
async def online(talk: Conversation) -> AsyncIterator[tuple[Conversation, Meaning]]:
    """A conversation whose judge of meaning is a model that costs tokens."""
    meaning = Meaning()
    models = Models([Role(MEANING, "paid-model", False, lambda: True, "v1")])
    async with role("judge", talk.extractor, meaning, models) as judge:
        asked = Judge(clients.extraction(judge), meaning_stubs.contradictions(judge), clients.models(judge))
        yield replace(talk, enrichment=Enrichment(talk.ingest.means, asked, statement_key=STATEMENT_KEY)), meaning


async def test_a_verdict_is_kept_and_not_paid_for_again(online: tuple[Conversation, Meaning], tenant: UUID) -> None:
    talk, meaning = online
    await talk.tell(tenant, "Monday!", fact("User swims on Mondays."), at=1)
    await talk.tell(tenant, "Friday!", fact("User swims on Fridays."), at=2)
    assert len(meaning.asked) == 1
    (pair,) = meaning.asked
    assert (pair.first.text, pair.first.subject, pair.first.kind) == ("User swims on Fridays.", "user", "note")
    kept = "SELECT verdict, model, prompt_version, reason FROM verdict WHERE tenant_id = $1"
    assert await talk.ingest.rows(kept, tenant) == [("consistent", "paid-model", "v1", "both may hold")]
    # The same statement once more, as if it had never been written: what is known of the pair is not asked.
    friday = "SELECT memory_id FROM memory WHERE tenant_id = $1 AND content LIKE '%Fridays%'"
    await invalidate(talk.ingest, tenant, str(await talk.ingest.value(friday, tenant)))
    await talk.tell(tenant, "Friday, I said!", fact("User swims on Fridays."), at=2)
    assert len(meaning.asked) == 1
    assert "User swims on Fridays." in await talk.active(tenant)


async def test_a_verdict_ends_the_earlier(online: tuple[Conversation, Meaning], tenant: UUID) -> None:
    talk, meaning = online
    meaning.says = verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_CONTRADICTION, confidence=0.9)
    await talk.tell(tenant, "Monday!", fact("User swims on Mondays."), at=1)
    await talk.tell(tenant, "Friday!", fact("User swims on Fridays."), at=2)
    assert await talk.active(tenant) == ["User swims on Fridays."]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            fact("User's job title is QA lead.", "slot.role", "QA lead"),
            fact("User's tech lead is Mireille.", "slot.tech_lead", "Mireille"),
        ),
        (fact("I like the window seat."), fact("Long flights: aisle seat, please.")),
        (fact("When it rains I work from home."), fact("I work from the office.")),
    ],
)
async def test_two_slots_and_a_condition_exclude_nothing(
    online: tuple[Conversation, Meaning], tenant: UUID, first: Fact, second: Fact
) -> None:
    talk, meaning = online
    meaning.says = verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_CONTRADICTION, confidence=0.9)
    await talk.tell(tenant, "The first.", first, at=1)
    await talk.tell(tenant, "The second.", second, at=2)
    assert await talk.active(tenant) == [first.text, second.text]
    assert meaning.asked == []


async def test_a_judge_that_says_nothing_is_asked_again_and_then_passed_over(
    online: tuple[Conversation, Meaning], tenant: UUID
) -> None:
    talk, meaning = online
    await talk.tell(tenant, "Monday!", fact("User swims on Mondays."), at=1)
    meaning.says = verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_INCONCLUSIVE, cause="TIME_EXCEEDED")
    await talk.tell(tenant, "Friday!", fact("User swims on Fridays."), at=2)
    assert (await talk.jobs(tenant))[1][:3] == ("queued", 1, "JUDGE_INCONCLUSIVE")
    assert await talk.active(tenant) == ["User swims on Mondays."]
    for _ in range(JUDGED_ATTEMPTS - 1):
        talk.ingest.clock.tick(100)
        await talk.read()
    assert (await talk.jobs(tenant))[1][:3] == ("done", JUDGED_ATTEMPTS, None)
    assert len(await talk.active(tenant)) == 2
    assert await talk.ingest.rows("SELECT 1 FROM verdict WHERE tenant_id = $1", tenant) == []


async def test_a_statement_too_long_to_judge_holds_nothing_up(
    online: tuple[Conversation, Meaning], tenant: UUID
) -> None:
    talk, meaning = online
    meaning.says = verdict_pb2.PairVerdict(verdict=verdict_pb2.VERDICT_INCONCLUSIVE, cause="STATEMENT_TOO_LONG")
    await talk.tell(tenant, "Monday!", fact("User swims on Mondays."), at=1)
    await talk.tell(tenant, "Friday!", fact("User swims on Fridays."), at=2)
    assert [job[:2] for job in await talk.jobs(tenant)] == [("done", 1), ("done", 1)]
