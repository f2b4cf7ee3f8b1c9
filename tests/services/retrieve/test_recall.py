"""RecallMemories: ranking, explanation, groups, conflicts, arms that fail, requests that are wrong."""

from datetime import timedelta
from uuid import UUID

import numpy as np
import pytest
from candor.memory.v1 import memory_pb2
from candor.retrieve.v1 import recall_pb2 as pb

from services.retrieve import ranking
from shared.domain import bm25
from shared.domain import budget as budget_domain
from shared.domain.draft import check
from shared.domain.errors import CandorError, InvalidArgument, Overloaded, UpstreamUnavailable
from shared.domain.types import Draft, MemoryState
from shared.domain.vectors import Vector, normalise
from shared.rpc import clients, wire
from shared.rpc.clients import rpc_errors
from shared.store.pool import Connection, run
from shared.store.reads import recall as store_recall
from shared.store.writes import uses
from tests.services.retrieve.serving import MINE, MODEL, NOW, THEIRS, Serving, vector_of

pytestmark = pytest.mark.anyio


def invoice(amount: str, **given: object) -> Draft:
    fields = {"kind": "invoice", "company": "Acme Ltd", "record": "INV-5521", "content": f"INV-5521: {amount} due"}
    return check(**{**fields, "metadata_json": f'{{"total": {amount}}}', **given})  # type: ignore[arg-type]


async def recall(
    serving: Serving, query: str = "what is due on INV-5521?", **given: object
) -> pb.RecallMemoriesResponse:
    request = pb.RecallMemoriesRequest(**{"tenant_id": str(MINE), "query": query, **given})  # type: ignore[arg-type]
    with rpc_errors():
        response: pb.RecallMemoriesResponse = await clients.recall(serving.via).RecallMemories(request)
    return response


async def refused(serving: Serving, **given: object) -> CandorError:
    with pytest.raises(CandorError) as caught:
        await recall(serving, **given)  # type: ignore[arg-type]
    return caught.value


async def test_a_hit_says_why_it_stands_where_it_stands(serving: Serving) -> None:
    near, far = vector_of("near"), vector_of("far")
    serving.embedder.vectors["zebra crossing"] = near
    drafts = [
        check(kind="note", content="nothing of the sort"),
        check(kind="note", content="a zebra", speaker="Ann"),
    ]
    unlike, like = await serving.mine.add(drafts, NOW, [near, far])
    response = await recall(serving, "zebra crossing")
    # Both arms count the same: the one has all of the dense share, the other all of the lexical one.
    assert {hit.memory.id for hit in response.hits} == {str(unlike), str(like)}
    by_id = {hit.memory.id: hit for hit in response.hits}
    dense, lexical = by_id[str(unlike)], by_id[str(like)]
    assert (dense.explanation.dense_rank, lexical.explanation.dense_rank) == (1, 2)
    assert dense.explanation.dense == pytest.approx(1, abs=1e-3)
    assert not dense.explanation.HasField("lexical")
    assert lexical.explanation.lexical > 0
    assert lexical.explanation.lexical_rank == 1
    assert dense.score == dense.explanation.fused == pytest.approx(0.5)
    assert (dense.passage.number, dense.passage.start, dense.passage.end) == (0, 0, len("nothing of the sort"))
    assert lexical.memory.speaker == "Ann"
    told = response.retrieval
    assert (told.mode, told.exact, told.candidates, told.embedding_model) == (pb.MODE_HYBRID, True, 2, MODEL)
    assert wire.to_datetime(told.known_at) == NOW
    assert not told.degraded


async def test_each_mode_asks_its_own_arm(serving: Serving) -> None:
    serving.embedder.vectors["zebra"] = vector_of("near")
    near, word = await serving.mine.add(
        [check(kind="note", content="near"), check(kind="note", content="zebra")],
        NOW,
        [vector_of("near"), vector_of("far")],
    )
    lexical = await recall(serving, "zebra", mode=pb.MODE_LEXICAL)
    assert [hit.memory.id for hit in lexical.hits] == [str(word)]
    assert (lexical.retrieval.mode, lexical.retrieval.embedding_model) == (pb.MODE_LEXICAL, "")
    assert serving.embedder.asked == []
    dense = await recall(serving, "zebra", mode=pb.MODE_DENSE)
    assert [hit.memory.id for hit in dense.hits] == [str(near), str(word)]
    assert dense.retrieval.mode == pb.MODE_DENSE
    assert not dense.hits[1].explanation.HasField("lexical")


async def test_near_duplicates_do_not_fill_the_list_unless_asked_to(serving: Serving) -> None:
    copies = [invoice("8400", session=f"s{n}") for n in range(5)]
    reworded = [invoice("8400", content=f"what is due on INV-5521, told {n} times") for n in range(5)]
    others = [invoice(str(n), content=f"INV-5521: what is due is {n}") for n in range(1, 6)]
    parts = [check(kind="document", content=f"due part {n}", source_ref="book.pdf") for n in range(3)]
    elsewhere = invoice("8400", company="Globex")
    remarks = [
        invoice("", content=f"INV-5521 due: remark {n}", metadata_json="{}", session=s)
        for n, s in ((1, "a"), (1, "b"), (2, "c"))
    ]
    drafts = [*copies, *reworded, *others, *remarks, *parts, elsewhere]
    await serving.mine.add(drafts, NOW, [vector_of(str(n)) for n in range(len(drafts))])
    hits = (await recall(serving, limit=20)).hits
    mine = [hit.memory for hit in hits if hit.memory.record == "INV-5521" and hit.memory.company == "Acme Ltd"]
    assert len(mine) == 1 + len(others) + 2
    assert len({(memory.metadata, "remark 1" in memory.content) for memory in mine}) == 8
    assert sum(hit.memory.company == "Globex" for hit in hits) == 1
    assert sum(hit.memory.source_ref == "book.pdf" for hit in hits) == 3
    assert len((await recall(serving, ungrouped=True, limit=40)).hits) == len(drafts)
    assert len((await recall(serving, ungrouped=True, limit=4)).hits) == 4


async def test_a_token_budget_packs_dated_lines_and_is_never_exceeded(serving: Serving) -> None:
    drafts = [
        check(kind="turn", content=f"zebra number {n} " + "and more " * n, speaker="Ann", session=f"s{n}")
        for n in range(30)
    ]
    await serving.mine.add(drafts, NOW, [vector_of(str(n)) for n in range(30)])
    whole = await recall(serving, "zebra", limit=30)
    assert (whole.text, whole.tokens_used, len(whole.hits)) == ("", 0, 30)
    used, hits = [], []
    for budget in (1, 20, 60, 200, 100_000):
        response = await recall(serving, "zebra", token_budget=budget)
        lines = response.text.splitlines()
        assert response.tokens_used == budget_domain.tokens_of(response.text) <= budget
        assert len(response.hits) == len(lines)
        for number, (hit, line) in enumerate(zip(response.hits, lines, strict=True), 1):
            assert line.startswith(f"[{number}] [{NOW:%Y-%m-%d}] Ann: ")
            assert hit.memory.content.strip() in line or line.endswith("…")
        used.append(response.tokens_used)
        hits.append(len(response.hits))
    assert used == sorted(used)
    assert used[0] == 0
    assert hits[-1] == 30  # a budget asks for up to 50


async def test_neighbouring_turns_lend_each_other_their_scores(serving: Serving) -> None:
    words = ["good morning", "did the zebra crossing get painted", "yes on Friday in white", "and how is the weather"]
    turns = [
        check(
            kind="turn",
            content=text,
            session="s",
            speaker="Ann" if n % 2 else "Bo",
            observed_at=NOW + timedelta(minutes=n),
        )
        for n, text in enumerate(words)
    ]
    note = check(kind="note", content="a quiet remark", session="s", observed_at=NOW + timedelta(minutes=2))
    far = [check(kind="turn", content=f"filler {n}", session="t", observed_at=NOW) for n in range(3)]
    ids = await serving.mine.add([*turns, note, *far], NOW, [vector_of(str(n)) for n in range(8)])
    response = await recall(serving, "zebra crossing painted", limit=8)
    asked, answered = (next(hit for hit in response.hits if hit.memory.id == str(ids[n])) for n in (1, 2))
    assert response.hits[0].memory.id == str(ids[1])
    assert answered.explanation.structure > 0.1
    assert answered.score > max(hit.score for hit in response.hits if hit.memory.session == "t")
    # One that is not in scope lends its score and stays away itself.
    bos = await recall(serving, "zebra crossing painted", limit=8, speaker="Bo")
    assert {hit.memory.speaker for hit in bos.hits} == {"Bo"}
    assert next(hit for hit in bos.hits if hit.memory.id == str(ids[2])).explanation.structure > 0.1
    assert asked.explanation.fused > answered.explanation.fused
    plain = await recall(serving, "zebra crossing painted", limit=8, mode=pb.MODE_LEXICAL)
    assert [hit.memory.id for hit in plain.hits] == [str(ids[1])]


async def test_the_dense_arm_gets_the_question_without_names_of_speakers(serving: Serving) -> None:
    drafts = [check(kind="turn", content="hello", speaker=name, session="s") for name in ("Caroline", "user")]
    await serving.mine.add(drafts, NOW, [vector_of("a"), vector_of("b")])
    await recall(serving, "What does Caroline tell the user about Mark?")
    await recall(serving, "What does Caroline say?", tenant_id=str(THEIRS))
    assert serving.embedder.asked == ["What does tell the user about Mark?", "What does Caroline say?"]


async def test_a_conflict_of_many_values_tells_eight_and_the_recommended_one(serving: Serving) -> None:
    flagged = invoice("1000", session="first", importance=0.9)
    others = [invoice(str(2000 + n), session=f"s{n}") for n in range(12)]
    ids = await serving.mine.add([*others, flagged], NOW, [vector_of(str(n)) for n in range(13)])
    (conflict,) = (await recall(serving)).conflicts
    assert (len(conflict.values), conflict.value_count) == (8, 13)
    assert conflict.resolution.recommended_memory_id == str(ids[-1])
    assert str(ids[-1]) in {value.memory_id for value in conflict.values}


async def test_conflicts_come_with_the_hit_and_name_what_else_is_stored(serving: Serving) -> None:
    old, new, same, elsewhere = await serving.mine.add(
        [
            invoice("8400", session="s1", source_ref="mail/1", observed_at=NOW - timedelta(days=20)),
            invoice("8900", session="s2", source_ref="mail/2", observed_at=NOW - timedelta(days=5)),
            invoice("8900.00", session="s3"),
            invoice("7000", company="Globex"),
        ],
        NOW,
        [vector_of(str(n)) for n in range(4)],
    )
    response = await recall(serving, limit=2)
    assert {hit.memory.company for hit in response.hits} == {"Acme Ltd", "Globex"}
    (conflict,) = response.conflicts
    assert (conflict.subject, conflict.attribute, conflict.value_count) == ("INV-5521", "total", 2)
    assert [value.value for value in conflict.values] == ["8400", "8900.00"]
    assert set(conflict.values[1].carrier_memory_ids) == {str(new), str(same)}
    assert conflict.values[0].memory_id == str(old)
    assert conflict.resolution.rule == "recency"
    assert conflict.resolution.recommended_memory_id == str(same)
    for hit in response.hits:
        assert list(hit.conflict_ids) == ([] if hit.memory.id == str(elsewhere) else [conflict.finding_id])


async def test_what_was_patched_or_ended_is_no_conflict(serving: Serving) -> None:
    first, second = await serving.mine.add(
        [invoice("8400", session="s1"), invoice("8900", session="s2")], NOW - timedelta(days=9), [vector_of("a")] * 2
    )
    assert len((await recall(serving)).conflicts) == 1
    await serving.mine.patch(second, NOW - timedelta(days=5), metadata_json='{"total": 8400}')
    assert not (await recall(serving)).conflicts
    before = await recall(serving, known_at=wire.to_timestamp(NOW - timedelta(days=6)))
    assert [value.value for value in before.conflicts[0].values] == ["8400", "8900"]
    await serving.mine.patch(second, NOW - timedelta(days=4), metadata_json='{"total": 9999}')
    await serving.mine.end(first, NOW - timedelta(days=3), MemoryState.INCORRECT)
    assert not (await recall(serving)).conflicts


async def test_time_travel_shows_memories_as_they_were_believed(serving: Serving) -> None:
    (memory_id,) = await serving.mine.add(
        [check(kind="note", content="zebra one")], NOW - timedelta(days=9), [vector_of("a")]
    )
    await serving.mine.patch(memory_id, NOW - timedelta(days=5), vector_of("b"), content="zebra two")
    await serving.mine.end(memory_id, NOW - timedelta(days=2), MemoryState.SUPERSEDED)

    async def at(days: int, **given: object) -> list[tuple[str, int, int]]:
        found = await recall(serving, "zebra", known_at=wire.to_timestamp(NOW - timedelta(days=days)), **given)
        return [(hit.memory.content, hit.memory.revision, hit.memory.state) for hit in found.hits]

    assert await at(10) == []
    assert await at(9) == [("zebra one", 1, memory_pb2.STATE_ACTIVE)]
    assert await at(5) == [("zebra two", 2, memory_pb2.STATE_ACTIVE)]
    assert await at(2) == []
    ended = await recall(serving, "zebra", state=memory_pb2.STATE_SUPERSEDED)
    assert [(hit.memory.content, hit.memory.state) for hit in ended.hits] == [
        ("zebra two", memory_pb2.STATE_SUPERSEDED)
    ]
    assert ended.hits[0].explanation.dense != 0
    assert await at(1, state=memory_pb2.STATE_SUPERSEDED) == [("zebra two", 2, memory_pb2.STATE_SUPERSEDED)]
    assert await at(3, state=memory_pb2.STATE_SUPERSEDED) == []


async def used(serving: Serving, memory_id: UUID, recalls: int) -> None:
    async def work(connection: Connection) -> None:
        given = {"request_id": "r", "memory_ids": [memory_id], "used_at": serving.clock.now()}
        await uses.count(connection, tenant_id=MINE, **given)  # type: ignore[arg-type]
        await connection.execute(
            "UPDATE memory_use SET recall_count = $3 WHERE tenant_id = $1 AND memory_id = $2", MINE, memory_id, recalls
        )

    await run(serving.mine.pool, MINE, work)


async def test_a_generic_fact_recalled_a_thousand_times_does_not_outrank_a_more_relevant_one(serving: Serving) -> None:
    def beside(cosine: float) -> Vector:
        other = vector_of("other") - (vector_of("other") @ vector_of("near")) * vector_of("near")
        return np.float32(cosine) * vector_of("near") + np.float32((1 - cosine**2) ** 0.5) * normalise(other)

    serving.embedder.vectors["zebra"] = vector_of("near")
    cosines = {"the zebra's own fact": 0.8, "as good as the generic one": 0.765, "generic": 0.76, "nothing": 0.1}
    drafts = [check(kind="note", content=content) for content in cosines]
    ids = await serving.mine.add(drafts, NOW, [beside(cosine) for cosine in cosines.values()])
    serving.clock.pass_days(30)

    async def asked(**given: object) -> dict[str, pb.Hit]:
        found = await recall(serving, "zebra", mode=pb.MODE_DENSE, **given)
        return {hit.memory.content: hit for hit in found.hits}

    before = await asked()
    assert list(before) == list(cosines)
    assert [hit.score for hit in before.values()] == pytest.approx([hit.explanation.fused for hit in before.values()])
    await used(serving, ids[2], 1000)
    after = await asked()
    # It passes one that is about as relevant, and nothing else; what it is worth is told.
    assert list(after) == ["the zebra's own fact", "generic", "as good as the generic one", "nothing"]
    assert after["generic"].explanation.salience == pytest.approx(0.5)
    assert after["nothing"].explanation.salience == pytest.approx(before["nothing"].explanation.salience)
    assert after["nothing"].explanation.salience == pytest.approx(0.5 / 3 / 2)  # one half-life later
    for content, hit in after.items():
        lowered = 1 - 0.02 * (0.5 - hit.explanation.salience)
        assert hit.score == pytest.approx(before[content].explanation.fused * lowered)
    # It comes into a short list past one that is about as relevant, too.
    assert list(await asked(limit=2)) == ["the zebra's own fact", "generic"]
    # How it was used at an earlier instant is not kept: then relevance alone counts.
    then = await asked(known_at=wire.to_timestamp(NOW + timedelta(days=1)))
    assert list(then) == list(cosines)
    assert not any(hit.explanation.HasField("salience") for hit in then.values())


async def test_importance_decides_between_equals(serving: Serving) -> None:
    drafts = [check(kind="note", content=f"zebra {n}", importance=share) for n, share in enumerate((0.2, 0.9, 0.5))]
    ids = await serving.mine.add(drafts, NOW, [vector_of("a")] * 3)
    hits = (await recall(serving, "zebra")).hits
    assert [hit.memory.id for hit in hits] == [str(ids[n]) for n in (1, 2, 0)]


async def test_an_expired_memory_is_out_of_scope_now_and_in_scope_at_its_time(serving: Serving) -> None:
    draft = check(kind="note", content="zebra", expires_at=NOW + timedelta(days=1))
    await serving.mine.add([draft], NOW, [vector_of("a")])
    assert len((await recall(serving, "zebra")).hits) == 1
    serving.clock.pass_days(2)
    assert not (await recall(serving, "zebra")).hits
    assert len((await recall(serving, "zebra", valid_at=wire.to_timestamp(NOW))).hits) == 1
    assert len((await recall(serving, "zebra", known_at=wire.to_timestamp(NOW))).hits) == 1


async def test_a_low_score_can_be_refused(serving: Serving) -> None:
    drafts = [check(kind="note", content=f"zebra {'x' * n}") for n in range(3)]
    await serving.mine.add(drafts, NOW, [vector_of(str(n)) for n in range(3)])
    scores = [hit.score for hit in (await recall(serving, "zebra")).hits]
    assert scores == sorted(scores, reverse=True)
    kept = await recall(serving, "zebra", min_score=scores[1])
    assert [hit.score for hit in kept.hits] == scores[:2]


async def test_another_tenant_sees_nothing(serving: Serving) -> None:
    await serving.mine.add([invoice("8400", session="a"), invoice("8900", session="b")], NOW, [vector_of("a")] * 2)
    await serving.theirs.add([invoice("1")], NOW, [vector_of("b")])
    for mode in (pb.MODE_HYBRID, pb.MODE_DENSE, pb.MODE_LEXICAL):
        response = await recall(serving, tenant_id=str(THEIRS), mode=mode, ungrouped=True)
        assert [hit.memory.content for hit in response.hits] == ["INV-5521: 1 due"]
        assert not response.conflicts
    nobody = await recall(serving, tenant_id="00000000-0000-0000-0000-000000000009")
    assert not nobody.hits


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (UpstreamUnavailable("EMBEDDER_UNAVAILABLE", "down"), "EMBEDDER_UNAVAILABLE"),
        (Overloaded("OVERLOADED", "busy"), "EMBEDDER_UNAVAILABLE"),
    ],
)
async def test_words_answer_when_the_embedder_does_not(serving: Serving, failure: CandorError, reason: str) -> None:
    await serving.mine.add([check(kind="note", content="zebra")], NOW, [vector_of("a")])
    serving.embedder.failure = failure
    response = await recall(serving, "zebra")
    assert len(response.hits) == 1
    assert list(response.retrieval.degraded) == [f"dense: {reason}"]
    assert response.retrieval.mode == pb.MODE_LEXICAL
    error = await refused(serving, query="zebra", mode=pb.MODE_DENSE)
    assert isinstance(error, UpstreamUnavailable)
    assert error.reason == reason
    assert (await refused(serving, query="of the")).reason == reason  # no words to rank by either
    serving.embedder.failure = None
    assert not (await recall(serving, "zebra")).retrieval.degraded


async def test_a_question_without_words_is_answered_by_vectors(serving: Serving) -> None:
    await serving.mine.add([check(kind="note", content="zebra")], NOW, [vector_of("a")])
    response = await recall(serving, "who is it?")
    assert len(response.hits) == 1
    assert list(response.retrieval.degraded) == ["lexical: NO_TERMS"]
    assert response.retrieval.mode == pb.MODE_DENSE
    nothing = await recall(serving, "who is it?", mode=pb.MODE_LEXICAL)
    assert not nothing.hits
    assert list(nothing.retrieval.degraded) == ["lexical: NO_TERMS"]


async def test_a_script_the_model_does_not_read_is_named(serving: Serving) -> None:
    await serving.mine.add([check(kind="note", content="zebra")], NOW, [vector_of("a")])
    serving.embedder.unknown_share = 0.31
    response = await recall(serving, "zebra")
    assert list(response.retrieval.degraded) == ["dense: UNKNOWN_TOKENS"]
    assert response.retrieval.mode == pb.MODE_HYBRID
    serving.embedder.unknown_share = 0.3
    assert not (await recall(serving, "a zebra")).retrieval.degraded


async def test_vectors_of_another_generation_are_never_compared(serving: Serving) -> None:
    await serving.mine.add([check(kind="note", content="zebra")], NOW, [vector_of("a")])
    serving.embedder.model = "another-model"
    response = await recall(serving, "zebra")
    assert list(response.retrieval.degraded) == ["dense: EMBEDDING_GENERATION_MISMATCH"]
    assert not response.hits[0].explanation.HasField("dense")
    assert (await refused(serving, query="zebra", mode=pb.MODE_DENSE)).reason == "EMBEDDING_GENERATION_MISMATCH"


async def test_a_question_asked_again_costs_no_call_of_the_embedder(serving: Serving) -> None:
    await serving.mine.add([check(kind="note", content="zebra")], NOW, [vector_of("a")])
    first, again = await recall(serving, "zebra"), await recall(serving, "zebra")
    assert serving.embedder.asked == ["zebra"]
    assert again.hits[0].score == first.hits[0].score
    await recall(serving, "zebra", tenant_id=str(THEIRS))  # what one tenant asked tells another one nothing
    assert serving.embedder.asked == ["zebra", "zebra"]


async def test_a_vector_of_another_generation_is_not_remembered_for_this_one(serving: Serving) -> None:
    await serving.mine.add([check(kind="note", content="zebra")], NOW, [vector_of("a")])
    serving.embedder.model = "another-model"
    assert (await recall(serving, "zebra")).retrieval.degraded
    serving.embedder.model = MODEL
    assert not (await recall(serving, "zebra")).retrieval.degraded


async def test_words_that_are_in_too_many_memories_are_said_to_be(
    serving: Serving, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("WHOLE_TENANT_LIMIT", 0), ("ARM_LIMIT", 1), ("MATCHES_MAX", 20)):
        monkeypatch.setattr(store_recall, name, value)
    monkeypatch.setattr(ranking, "POSTINGS_BUDGET", 10)
    drafts = [check(kind="note", content=f"zebra {number}") for number in range(45)]
    await serving.mine.add(drafts, NOW, [vector_of(draft.content) for draft in drafts])
    both = await recall(serving, "zebra")
    assert list(both.retrieval.degraded) == ["lexical: FREQUENT_TERMS"]
    assert both.retrieval.mode == pb.MODE_HYBRID
    assert len(both.hits) == 10
    assert all(hit.explanation.HasField("lexical") for hit in both.hits), "what meaning finds they still weigh"
    alone = await recall(serving, "zebra", mode=pb.MODE_LEXICAL)
    assert list(alone.retrieval.degraded) == ["lexical: FREQUENT_TERMS"]
    assert (len(alone.hits), alone.retrieval.candidates) == (10, 20)
    assert not (await recall(serving, "zebra 7")).retrieval.degraded


async def test_of_common_words_two_together_are_found(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("WHOLE_TENANT_LIMIT", 0), ("ARM_LIMIT", 1)):
        monkeypatch.setattr(store_recall, name, value)
    monkeypatch.setattr(ranking, "POSTINGS_BUDGET", 10)
    monkeypatch.setattr(bm25, "PAIRS_ENOUGH", 1)
    texts = [f"{animal} {number}" for animal in ("zebra", "lion", "heron") for number in range(20)]
    texts += ["zebra beside a lion", "heron beside a zebra"]
    await serving.mine.add([check(kind="note", content=text) for text in texts], NOW, [vector_of(t) for t in texts])
    for query, found in (
        ("zebra lion", ["zebra beside a lion"]),
        ("heron lion zebra", ["heron beside a zebra", "zebra beside a lion"]),
    ):
        hits = (await recall(serving, query, mode=pb.MODE_LEXICAL)).hits
        assert sorted(hit.memory.content for hit in hits) == found


async def test_a_memory_without_vectors_is_found_by_its_words(serving: Serving) -> None:
    await serving.mine.add([check(kind="note", content="zebra")], NOW, [None])
    response = await recall(serving, "zebra")
    assert response.hits[0].memory.vector_pending
    assert not response.hits[0].HasField("passage")


@pytest.mark.parametrize(
    ("given", "field", "reason"),
    [
        ({"query": " \n"}, "query", "QUERY_EMPTY"),
        ({"query": "x" * 4001}, "query", "QUERY_TOO_LONG"),
        ({"query": "a\0b"}, "query", "FORBIDDEN_CHARACTER"),
        ({"limit": -1}, "limit", "LIMIT_OUT_OF_RANGE"),
        ({"limit": 101}, "limit", "LIMIT_OUT_OF_RANGE"),
        ({"token_budget": 0}, "token_budget", "TOKEN_BUDGET_OUT_OF_RANGE"),
        ({"token_budget": 100_001}, "token_budget", "TOKEN_BUDGET_OUT_OF_RANGE"),
        ({"period": "2026-13"}, "period", "PERIOD_INVALID"),
        ({"period_from": "soon"}, "period_from", "PERIOD_INVALID"),
        ({"period_to": "0000"}, "period_to", "PERIOD_INVALID"),
        ({"company": "a\0b"}, "company", "FORBIDDEN_CHARACTER"),
        ({"record": "x" * 513}, "record", "LABEL_TOO_LONG"),
        ({"tags": ["ok", "a\0"]}, "tags[1]", "FORBIDDEN_CHARACTER"),
        ({"tags": ["x"] * 65}, "tags", "TOO_MANY_TAGS"),
        ({"min_importance": 1.5}, "min_importance", "IMPORTANCE_OUT_OF_RANGE"),
        ({"min_score": float("nan")}, "min_score", "SCORE_OUT_OF_RANGE"),
        ({"mode": 9}, "mode", "MODE_INVALID"),
        ({"kind": 99}, "kind", "KIND_INVALID"),
        ({"state": 99}, "state", "STATE_INVALID"),
        ({"tenant_id": "acme"}, "tenant_id", "TENANT_INVALID"),
    ],
)
async def test_a_wrong_request_is_named(unread: Serving, given: dict[str, object], field: str, reason: str) -> None:
    error = await refused(unread, **given)
    assert isinstance(error, InvalidArgument)
    assert error.reason == reason
    assert [violation.field for violation in error.violations] == [field]
    assert unread.embedder.asked == []


async def test_every_wrong_field_is_named_at_once(unread: Serving) -> None:
    error = await refused(unread, query="", limit=500, period="x")
    assert {violation.field for violation in error.violations} == {"query", "limit", "period"}


async def test_a_time_outside_the_calendar_is_refused(unread: Serving) -> None:
    request = pb.RecallMemoriesRequest(tenant_id=str(MINE), query="zebra")
    request.known_at.seconds = 10**15
    with pytest.raises(InvalidArgument) as caught, rpc_errors():
        await clients.recall(unread.via).RecallMemories(request)
    assert caught.value.reason == "TIME_INVALID"


async def test_a_database_that_does_not_answer_is_said_to(unread: Serving) -> None:
    error = await refused(unread)
    assert isinstance(error, UpstreamUnavailable)
    assert error.reason == "DATABASE_UNAVAILABLE"
