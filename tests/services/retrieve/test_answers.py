"""Answers by the local narrator: what is cited, contested, filtered, found missing and refused; what counts as used."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from candor.retrieve.v1 import answer_pb2 as pb
from candor.retrieve.v1 import recall_pb2

from shared.domain.draft import check
from shared.domain.errors import CandorError, InvalidArgument, UpstreamUnavailable
from shared.domain.narration import NOTHING_FOUND
from shared.domain.passages import Passage
from shared.domain.types import Draft
from shared.rpc import wire
from shared.store import migrate
from shared.store.pool import Connection, open_pool, run
from shared.store.writes.vectors import Embedded
from tests.services.retrieve.answering import Answering, Uses, answering, local_judge
from tests.services.retrieve.serving import MINE, MODEL, NOW, THEIRS, vector_of

pytestmark = pytest.mark.anyio

QUESTION = "what is due on INV-5521?"


def invoice(amount: str, day: int, **given: object) -> Draft:
    fields = {
        "kind": "invoice",
        "company": "Acme Ltd",
        "record": "INV-5521",
        "content": f"Invoice INV-5521: EUR {amount} is due.",
        "metadata_json": f'{{"total": {amount}, "currency": "EUR"}}',
        "source_ref": f"mail/{day}.pdf",
        "observed_at": NOW - timedelta(days=day),
        **given,
    }
    return check(**fields)  # type: ignore[arg-type]


async def remember(served: Answering, *drafts: Draft) -> list[str]:
    """Write memories with vectors of their own; return their ids."""
    vectors = [vector_of(draft.content) for draft in drafts]
    return [str(memory_id) for memory_id in await served.mine.add(drafts, NOW, vectors)]


async def test_an_answer_is_grounded_cited_and_dated(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        plants = check(kind="note", content="The office plants are watered on Tuesdays.")
        due, _ = await remember(served, invoice("8400", 3), plants)
        response = await served.answer(QUESTION)
    assert response.answer == "As of 2026-05-29: Invoice INV-5521: EUR 8400 is due. [1]"
    (citation,) = response.citations
    assert (citation.marker, citation.memory_id, citation.source_ref) == ("[1]", due, "mail/3.pdf")
    assert citation.content == "Invoice INV-5521: EUR 8400 is due."
    assert citation.score == response.hits[0].score > response.hits[1].score
    assert response.hits[0].memory.id == due
    assert response.model_id == "extractive-narrator-1"
    assert (response.grounding.status, response.grounding.attempts) == (pb.GROUNDING_STATUS_PASSED, 1)
    assert response.consistency.ok
    assert not response.HasField("degraded")
    assert not response.HasField("degradation_code")
    told = response.retrieval
    assert (told.strategy, told.candidate_count, told.returned_count) == (recall_pb2.MODE_HYBRID, 2, 2)
    assert (told.embedding_model, told.exact, wire.to_datetime(told.known_at)) == (MODEL, True, NOW)
    assert told.reranker.status == recall_pb2.RERANK_STATUS_DISABLED
    assert (response.usage.calls, response.usage.prompt_tokens, response.usage.completion_tokens) == (0, 0, 0)


async def test_a_contested_value_is_told_with_both_sides_though_only_one_ranks(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        old, new = await remember(served, invoice("8400", 20), invoice("8900", 5))
        response = await served.answer(QUESTION, limit=1)
    (hit,) = response.hits
    assert {citation.memory_id for citation in response.citations} == {old, new}
    ranked, brought = response.citations
    assert (ranked.memory_id, ranked.HasField("score")) == (hit.memory.id, True)
    assert (brought.marker, brought.HasField("score")) == ("[2]", False)
    assert "memory disagrees" in response.answer
    assert "by recency the policy would trust 8900" in response.answer
    (conflict,) = response.conflicts
    assert conflict.resolution.recommended_memory_id == new
    assert not response.consistency.ok
    assert list(response.consistency.contradictions) == [conflict]
    assert list(hit.conflict_ids) == [conflict.finding_id]


async def test_a_record_that_no_text_names_may_be_named(database: migrate.Dsns) -> None:
    def lease(content: str, ends: str) -> Draft:
        metadata = f'{{"ends": "{ends}"}}'
        return check(kind="note", company="Northwind", record="LEASE-7", content=content, metadata_json=metadata)

    async with answering(database, *local_judge()) as served:
        first = lease("The lease ends on 30 June 2027.", "2027-06-30")
        other = lease("The lease ends in 2028, they say.", "31 March 2028")
        await remember(served, first, other)
        response = await served.answer("when does the lease end?")
    assert response.answer.splitlines()[-1].startswith("LEASE-7 ends: memory disagrees: 2027-06-30 [")
    assert not response.HasField("degraded")


async def test_a_conflict_in_which_no_hit_takes_part_brings_no_sides(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        approval = check(
            kind="note", company="Acme Ltd", record="INV-5521", content="INV-5521 was approved by Ann Lee."
        )
        await remember(served, invoice("8400", 20), invoice("8900", 5), approval)
        served.embedder.vectors["who approved it?"] = vector_of(approval.content)
        response = await served.answer("who approved it?", hybrid=False, limit=1)
    assert [hit.memory.content for hit in response.hits] == [approval.content]
    assert "disagrees" not in response.answer
    assert [citation.marker for citation in response.citations] == ["[1]"]


async def test_of_a_long_memory_the_part_around_the_match_is_evidence(database: migrate.Dsns) -> None:
    filler = "Nothing of note happened on this day. " * 700
    fact = "The lease of the Leeds office ends on 30 June 2027."
    long = check(kind="document", content=filler + fact)
    parts = (Passage(0, 0, len(filler)), Passage(1, len(filler), len(long.content)))
    async with answering(database, *local_judge()) as served:
        await served.mine.add([long], NOW, [Embedded(parts, np.stack([vector_of("filler"), vector_of("fact")]))])
        question = "when does the lease of the Leeds office end?"
        served.embedder.vectors[question] = vector_of("fact")
        response = await served.answer(question)
    assert response.answer == f"As of 2026-06-01: {fact} [1]"
    (citation,) = response.citations
    assert citation.content.endswith(fact)
    assert len(citation.content) <= 8_000
    assert citation.content.startswith(("Nothing", "of", "note", "happened", "on", "this", "day."))
    assert response.hits[0].memory.content == long.content


async def test_nothing_found_is_said_without_judge(database: migrate.Dsns) -> None:
    async with answering(database, judge_target="127.0.0.1:1") as served:
        response = await served.answer(QUESTION, rerank=True)
        streamed = await served.stream(QUESTION)
    assert (response.answer, response.model_id) == (NOTHING_FOUND, "")
    assert not response.hits
    assert not response.HasField("degraded")
    assert not response.HasField("grounding")
    assert [message.WhichOneof("item") for message in streamed] == ["found", "answer"]
    assert streamed[1].answer.answer == NOTHING_FOUND


async def test_without_the_embedder_words_alone_answer_and_say_so(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        await remember(served, invoice("8400", 3))
        served.embedder.failure = UpstreamUnavailable("MODEL_UNAVAILABLE", "down")
        response = await served.answer(QUESTION)
        assert "EUR 8400" in response.answer
        assert response.retrieval.strategy == recall_pb2.MODE_LEXICAL
        assert list(response.retrieval.degraded) == ["dense: EMBEDDER_UNAVAILABLE"]
        with pytest.raises(UpstreamUnavailable, match="vector") as caught:
            await served.answer(QUESTION, hybrid=False)
    assert caught.value.reason == "EMBEDDER_UNAVAILABLE"


async def test_a_question_without_words_is_answered_by_vectors_alone_and_says_so(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        await remember(served, invoice("8400", 3))
        response = await served.answer("???")
        assert list(response.retrieval.degraded) == ["lexical: NO_TERMS"]
        assert [citation.marker for citation in response.citations] == ["[1]"]
        streamed = await served.stream("???")
        assert list(streamed[0].found.retrieval.degraded) == ["lexical: NO_TERMS"]


async def test_filters_and_times_are_those_of_recall(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge()) as served:
        acme, _ = await remember(served, invoice("8400", 3), invoice("7000", 4, company="Globex", kind="note"))
        await served.theirs.add([invoice("1", 1)], NOW, [vector_of("x")])
        for given in ({"company": "ACME  ltd"}, {"kind": "KIND_INVOICE"}, {"source_ref": "mail/3.pdf"}):
            response = await served.answer(QUESTION, **given)
            assert [hit.memory.id for hit in response.hits] == [acme], given
        before = wire.to_timestamp(NOW - timedelta(days=1))
        assert (await served.answer(QUESTION, known_at=before)).answer == NOTHING_FOUND
        theirs = await served.answer(QUESTION, tenant_id=str(THEIRS))
        assert [hit.memory.metadata for hit in theirs.hits] == ['{"total": 1, "currency": "EUR"}']


@pytest.mark.parametrize(
    ("given", "reason", "field"),
    [
        ({"question": " "}, "QUERY_EMPTY", "question"),
        ({"question": "x" * 4_001}, "QUERY_TOO_LONG", "question"),
        ({"limit": 21}, "LIMIT_OUT_OF_RANGE", "limit"),
        ({"limit": -1}, "LIMIT_OUT_OF_RANGE", "limit"),
        ({"max_total_tokens": -1}, "TOKENS_OUT_OF_RANGE", "max_total_tokens"),
        ({"request_id": "x" * 129}, "REQUEST_ID_TOO_LONG", "request_id"),
        ({"period": "2026-13"}, "PERIOD_INVALID", "period"),
        ({"company": "x" * 257}, "LABEL_TOO_LONG", "company"),
        ({"tenant_id": "x"}, "TENANT_INVALID", "tenant_id"),
    ],
)
async def test_a_wrong_request_names_its_field(
    database: migrate.Dsns, given: dict[str, object], reason: str, field: str
) -> None:
    asked: dict[str, Any] = {"question": QUESTION, **given}
    async with answering(database, *local_judge()) as served:
        for ask in (served.answer, served.stream):
            with pytest.raises(CandorError) as caught:
                await ask(**asked)
            assert isinstance(caught.value, InvalidArgument)
            assert (caught.value.reason, caught.value.violations[0].field) == (reason, field)


async def test_what_is_cited_counts_as_used_once_for_a_request(database: migrate.Dsns) -> None:
    uses = Uses()
    async with answering(database, *local_judge(), uses=uses) as served:
        plants = check(kind="note", content="The office plants are watered on Tuesdays.")
        due, _ = await remember(served, invoice("8400", 3), plants)
        response = await served.answer(QUESTION, request_id="asking-1")
        assert len(response.hits) == 2
        await served.stream(QUESTION)
        await served.answer(QUESTION, reinforce=False)
        await served.stream(QUESTION, reinforce=False)
        await served.answer(QUESTION, public=True)  # whoever only reads the public tenant
        await served.stream(QUESTION, public=True, reinforce=True)
        await served.answer("what colour is the sky over Paris?")
    named, unnamed = uses.requests
    assert (named.tenant_id, named.request_id, list(named.memory_ids)) == (str(MINE), "asking-1", [due])
    assert wire.to_datetime(named.used_at) == NOW
    assert list(unnamed.memory_ids) == [due]
    assert str(UUID(unnamed.request_id)) == unnamed.request_id  # that of the call


async def test_an_answer_does_not_wait_for_its_reinforcement(database: migrate.Dsns) -> None:
    uses = Uses(held=asyncio.Event())
    async with answering(database, *local_judge(), uses=uses) as served:
        await remember(served, invoice("8400", 3))
        for number in range(3):
            assert (await served.answer(QUESTION, request_id=str(number))).citations
        assert uses.held is not None
        uses.held.set()
    assert [use.request_id for use in uses.requests] == ["0", "1", "2"]


async def test_ingest_counts_the_use_once_for_a_request(database: migrate.Dsns) -> None:
    async with answering(database, *local_judge(), counted=True) as served:
        plants = check(kind="note", content="The office plants are watered on Tuesdays.")
        due, _ = await remember(served, invoice("8400", 3), plants)
        for request_id in ("one", "one", "two"):
            assert len((await served.answer(QUESTION, request_id=request_id)).hits) == 2
    pool = await open_pool(database.reader, size=1, application_name="test")
    try:
        rows = await run(pool, MINE, _uses, read_only=True)
    finally:
        await pool.close()
    assert rows == [(due, 2)]


async def _uses(connection: Connection) -> list[tuple[str, int]]:
    rows = await connection.fetch(
        "SELECT memory_id, recall_count FROM memory_use WHERE tenant_id = $1 AND recall_count > 0", MINE
    )
    return [(str(row["memory_id"]), row["recall_count"]) for row in rows]
