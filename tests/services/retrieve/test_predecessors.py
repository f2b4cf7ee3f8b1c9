"""Questions about the past: what a hit took the place of stands behind it, with its days; other questions lack it."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from candor.memory.v1 import memory_pb2
from candor.retrieve.v1 import recall_pb2 as pb

from services.retrieve import predecessors
from shared.domain.draft import check
from shared.domain.types import Draft, MemoryState
from shared.store import migrate
from shared.store.pool import Connection, run
from tests.services.retrieve.answering import Answering, answering, local_judge
from tests.services.retrieve.serving import MINE, NOW, vector_of

pytestmark = pytest.mark.anyio

MOVES = [(1, "Munich"), (2, "Berlin"), (4, "Lisbon")]  # month of 2026, where the user has lived since


def told(text: str, at: datetime, **given: object) -> Draft:
    fields = {"kind": "note", "content": text, "speaker": "user", "observed_at": at, "memory_type": "semantic", **given}
    return check(**fields)  # type: ignore[arg-type]


async def supersede(served: Answering, old: UUID, new: UUID, at: datetime, state: str = "superseded") -> None:
    await served.mine.end(old, NOW - timedelta(days=1), MemoryState(state))

    async def work(connection: Connection) -> None:
        await connection.execute(
            "UPDATE memory SET superseded_by = $3, valid_to = $4 WHERE tenant_id = $1 AND memory_id = $2",
            *(MINE, old, new, at),
        )

    await run(served.mine.pool, MINE, work)


async def moved(served: Answering) -> list[UUID]:
    """Write three homes, each of which took the place of the one before; return their ids, the oldest first."""
    days = [datetime(2026, month, 19, tzinfo=UTC) for month, _ in MOVES]
    drafts = [told(f"User lives in {city}.", day) for (_, city), day in zip(MOVES, days, strict=True)]
    ids = await served.mine.add(drafts, NOW - timedelta(days=2), [vector_of(draft.content) for draft in drafts])
    for (old, new), day in zip(pairwise(ids), days[1:], strict=True):
        await supersede(served, old, new, day)
    return ids


async def test_a_question_about_the_past_brings_what_was_before_behind_its_hit(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        munich, berlin, lisbon = await moved(served)
        (other,) = await served.mine.add([told("Lives of cats, where I", NOW)], NOW, [vector_of("cats")])
        found = await served.recall("Where did the user live before Lisbon?", token_budget=200, limit=5)
        present = await served.recall("Where does the user live?", token_budget=200)
        plain = await served.recall("Where did the user live before Lisbon?")
        tight = await served.recall("Where did the user live before Lisbon?", token_budget=26, limit=1)
    order = [hit.memory.id for hit in found.hits]
    at = order.index(str(lisbon))
    assert order[at : at + 3] == [str(lisbon), str(berlin), str(munich)]
    assert "[since 2026-04-19] user: User lives in Lisbon." in found.text
    assert "[2026-02-19 to 2026-04-19] user: User lives in Berlin." in found.text
    assert "[2026-01-19 to 2026-02-19] user: User lives in Munich." in found.text
    before = found.hits[at + 1]
    assert before.memory.state == memory_pb2.STATE_SUPERSEDED
    assert before.memory.superseded_by == before.explanation.predecessor_of == str(lisbon)
    assert found.hits[at + 2].memory.superseded_by == str(berlin)
    assert found.hits[at + 2].explanation.predecessor_of == str(lisbon)
    assert before.score == found.hits[at].score
    assert not found.hits[at].explanation.HasField("predecessor_of")
    for response in (present, plain):
        assert {hit.memory.id for hit in response.hits} == {str(lisbon), str(other)}
    assert tight.tokens_used <= 26
    assert not tight.next_page_token or len(tight.hits) == 1


async def test_pages_go_on_where_hits_ended_and_chains_are_bounded(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        days = [datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(12)]
        drafts = [told(f"User lives in town {n}.", day) for n, day in enumerate(days)]
        ids = await served.mine.add(drafts, NOW - timedelta(days=2), [vector_of(str(n)) for n in range(12)])
        for n in range(11):
            await supersede(served, ids[n], ids[n + 1], days[n + 1])
        page = await served.recall("Where did the user live previously?", token_budget=2_000, limit=1)
    assert [hit.memory.id for hit in page.hits] == [str(memory_id) for memory_id in reversed(ids[3:])]
    assert len(page.hits) == 1 + predecessors.CHAIN_MAX
    assert not page.next_page_token


async def test_what_was_merged_is_passed_through_and_turns_and_other_scopes_are_left_out(
    database: migrate.Dsns,
) -> None:
    async with answering(database, *local_judge()) as served:
        munich, berlin, lisbon = await moved(served)
        drafts = [
            told("User lives in Lisbon, a digest.", NOW),
            told("I moved to Lisbon", NOW, kind="turn", session="s1", memory_type="episodic"),
        ]
        digest, turn = await served.mine.add(drafts, NOW, [vector_of("digest"), vector_of("turn")])
        await supersede(served, lisbon, digest, NOW, "merged")
        await supersede(served, turn, digest, NOW, "merged")
        found = await served.recall("Where did the user live before?", token_budget=500)
        filtered = await served.recall("Where did the user live before?", token_budget=500, speaker="Ann")
        earlier = await served.recall(
            "Where did the user live before?", token_budget=500, known_at=NOW - timedelta(days=1, hours=1)
        )
    assert [hit.memory.id for hit in found.hits] == [str(digest), str(berlin), str(munich)]
    assert not filtered.hits
    assert {hit.memory.id for hit in earlier.hits} == {str(munich), str(berlin), str(lisbon)}
    assert not any(hit.explanation.HasField("predecessor_of") for hit in earlier.hits)


async def test_an_answer_tells_what_was_before_and_until_when(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        _, berlin, lisbon = await moved(served)
        answer = await served.answer("Where did the user live before Lisbon?")
    assert "Since 2026-04-19: User lives in Lisbon. [1]" in answer.answer
    assert "Before that, until 2026-04-19: User lives in Berlin. [2]" in answer.answer
    assert [citation.memory_id for citation in answer.citations][:2] == [str(lisbon), str(berlin)]
    assert isinstance(answer.hits[1], pb.Hit)
