"""Feedback: a confirmed memory weighs, a wrong one ends and its correction keeps all that was not wrong."""

import asyncio
from json import loads
from typing import Any
from uuid import UUID

import pytest

from shared.clock import new_id
from shared.domain.errors import (
    CandorError,
    Conflict,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    UpstreamUnavailable,
)
from tests.services.ingest.judging import dump, feedback, invalidate, invoice, totals, undo
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio

KEPT = """kind, company, company_key, period, record, record_key, source_ref, counterparty, tags, refs, memory_type,
    valid_from, expires_at, pinned"""


async def paper(ingest: Workplace, tenant: UUID) -> str:
    return await invoice(
        ingest,
        tenant,
        8400,
        content="Acme's invoice is over 8400.",
        period="2026-05",
        source_ref="mail/7",
        counterparty="Acme",
        speaker="Ann",
        session="s",
        metadata={"currency": "EUR", "rate": 1.50, "lines": [{"net": 7000.10}]},
    )


async def test_right_weighs_as_a_decision_does(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant)
    before = await dump(ingest, tenant)
    answer = await feedback(ingest, tenant, memory_id, "correct", corrected_fact="not read")
    assert (answer.before.HasField("importance"), answer.after.importance) == (False, 0.95)
    assert not answer.HasField("corrected_memory_id")
    assert await ingest.rows("SELECT importance, revision FROM memory WHERE tenant_id = $1", tenant) == [(0.95, 1)]
    await undo(ingest, tenant, answer.feedback_id)
    assert await dump(ingest, tenant) == before


async def test_a_higher_importance_stays(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant, 1, importance=0.99)
    assert (await feedback(ingest, tenant, memory_id, "correct")).after.importance == 0.99


async def test_a_correction_keeps_all_that_was_not_wrong(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant)
    ingest.embeddings.texts.clear()
    answer = await feedback(
        ingest,
        tenant,
        memory_id,
        "incorrect",
        corrected_fact="Acme's invoice is over 8900.",
        corrected_metadata='{"total": 8900.00, "rate": null, "due": "2026-07-01"}',
        feedback_id="f-1",
    )
    assert (answer.feedback_id, answer.after.superseded_by) == ("f-1", answer.corrected_memory_id)
    assert ingest.embeddings.texts == [["Acme's invoice is over 8900."]]
    rows = {
        str(row["memory_id"]): row
        for row in await ingest.look.fetch("SELECT * FROM memory WHERE tenant_id = $1", tenant)
    }
    old, new = rows[memory_id], rows[answer.corrected_memory_id]
    assert (old["state"], str(old["superseded_by"])) == ("incorrect", answer.corrected_memory_id)
    names = [name.strip() for name in KEPT.split(",")]
    assert [new[name] for name in names] == [old[name] for name in names]
    assert (new["importance"], new["speaker"], new["session"], new["derived_from"]) == (0.95, None, None, [])
    assert new["metadata"] == (
        '{"vendor": "Acme", "currency": "EUR", "lines": [{"net": 7000.1}], "total": 8900.00, "due": "2026-07-01"}'
    )
    assert [row[:2] for row in await totals(ingest, tenant)] == [("8400", "incorrect"), ("8900.00", None)]
    money = "SELECT DISTINCT currency FROM assertion WHERE tenant_id = $1 AND attribute = 'total'"
    assert await ingest.rows(money, tenant) == [("EUR",)]
    events = await ingest.look.fetch("SELECT action, changes FROM memory_event WHERE tenant_id = $1", tenant)
    ended = next(loads(event["changes"]) for event in events if event["action"] == "ended")
    assert ended["superseded_by"]["after"] == answer.corrected_memory_id


async def test_only_the_text_may_be_corrected_and_only_the_metadata(ingest: Workplace, tenant: UUID) -> None:
    first = await paper(ingest, tenant)
    metadata = await ingest.value("SELECT metadata FROM memory WHERE tenant_id = $1", tenant)
    second = (await feedback(ingest, tenant, first, "incorrect", corrected_fact="Said better.")).corrected_memory_id
    third = (
        await feedback(ingest, tenant, second, "incorrect", corrected_metadata='{"vendor": "Globex"}')
    ).corrected_memory_id
    rows = await ingest.rows(
        "SELECT memory_id::text, content, metadata, state FROM memory WHERE tenant_id = $1 ORDER BY recorded_at", tenant
    )
    assert [row[0] for row in rows] == [first, second, third]
    assert [row[3] for row in rows] == ["incorrect", "incorrect", "active"]
    assert (rows[1][1], rows[1][2]) == ("Said better.", metadata)
    assert (rows[2][1], loads(rows[2][2])["vendor"]) == ("Said better.", "Globex")


async def test_a_correction_undone_leaves_what_it_corrected_as_it_was(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant)
    before = await dump(ingest, tenant)
    answer = await feedback(ingest, tenant, memory_id, "incorrect", corrected_fact="Other.")
    await undo(ingest, tenant, answer.feedback_id)
    after = await dump(ingest, tenant)
    for table, rows in after.items():
        mine = [row for row in rows if row["memory_id"] != answer.corrected_memory_id]
        assert mine == before[table], table
    state = "SELECT state FROM memory WHERE tenant_id = $1 AND memory_id = $2"
    assert await ingest.value(state, tenant, UUID(answer.corrected_memory_id)) == "incorrect"


async def test_a_correction_that_is_known_already_is_kept_when_undone(ingest: Workplace, tenant: UUID) -> None:
    known = await invoice(ingest, tenant, 8900, content="It is 8900.")
    wrong = await invoice(ingest, tenant, 8400, content="It is 8400.")
    options = {"corrected_fact": "It is 8900.", "corrected_metadata": '{"total": 8900, "vendor": "Acme"}'}
    answer = await feedback(ingest, tenant, wrong, "incorrect", **options)
    assert answer.corrected_memory_id == known
    before = await ingest.value("SELECT count(*) FROM memory WHERE tenant_id = $1", tenant)
    await undo(ingest, tenant, answer.feedback_id)
    assert await ingest.rows("SELECT DISTINCT state FROM memory WHERE tenant_id = $1", tenant) == [("active",)]
    assert before == 2


async def test_a_later_correction_is_undone_first(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant)
    first = await feedback(ingest, tenant, memory_id, "incorrect", corrected_fact="Second.")
    second = await feedback(ingest, tenant, first.corrected_memory_id, "incorrect", corrected_fact="Third.")
    with pytest.raises(Conflict) as caught:
        await undo(ingest, tenant, first.feedback_id)
    assert caught.value.reason == "DECISION_DEPENDED_ON"
    await undo(ingest, tenant, second.feedback_id)
    await undo(ingest, tenant, first.feedback_id)
    active = "SELECT memory_id::text FROM memory WHERE tenant_id = $1 AND state = 'active'"
    assert await ingest.rows(active, tenant) == [(memory_id,)]


async def test_parallel_twins_correct_once(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant)
    options = {"corrected_fact": "Once.", "feedback_id": "twin"}
    answers = await asyncio.gather(*(feedback(ingest, tenant, memory_id, "incorrect", **options) for _ in range(12)))
    assert len({answer.SerializeToString(deterministic=True) for answer in answers}) == 1
    assert await ingest.value("SELECT count(*) FROM memory WHERE tenant_id = $1", tenant) == 2
    ingest.embeddings.texts.clear()
    await feedback(ingest, tenant, memory_id, "incorrect", **options)
    assert ingest.embeddings.texts == []
    with pytest.raises(Conflict) as caught:
        await feedback(ingest, tenant, memory_id, "incorrect", corrected_fact="Twice.", feedback_id="twin")
    assert caught.value.reason == "REQUEST_ID_REUSED"


async def test_without_an_embedder_nothing_is_corrected(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant)
    before = await ingest.contents(tenant)
    ingest.embeddings.is_down = True
    with pytest.raises(UpstreamUnavailable):
        await feedback(ingest, tenant, memory_id, "incorrect", corrected_fact="Other.")
    assert await ingest.contents(tenant) == before


@pytest.mark.parametrize(
    ("outcome", "options", "kind", "reason"),
    [
        ("unspecified", {}, InvalidArgument, "OUTCOME_MISSING"),
        ("incorrect", {}, InvalidArgument, "CORRECTION_MISSING"),
        ("incorrect", {"corrected_fact": "  "}, InvalidArgument, "CONTENT_EMPTY"),
        ("incorrect", {"corrected_fact": "x" * 32_001}, InvalidArgument, "CONTENT_TOO_LONG"),
        ("incorrect", {"corrected_fact": "\0"}, InvalidArgument, "FORBIDDEN_CHARACTER"),
        (
            "incorrect",
            {"corrected_fact": "Acme's invoice is over 8400.", "keep": True},
            InvalidArgument,
            "CORRECTION_IDENTICAL",
        ),
        ("incorrect", {"corrected_metadata": "[1]"}, InvalidArgument, "METADATA_INVALID"),
        ("incorrect", {"corrected_metadata": '{"a": "' + "x" * 65_536 + '"}'}, InvalidArgument, "METADATA_TOO_LARGE"),
        ("correct", {"memory_id": "x"}, InvalidArgument, "MEMORY_ID_INVALID"),
        ("correct", {"memory_id": str(new_id())}, NotFound, "MEMORY_NOT_FOUND"),
        ("incorrect", {"memory_id": str(new_id()), "corrected_fact": "x"}, NotFound, "MEMORY_NOT_FOUND"),
        ("correct", {"feedback_id": "a/b"}, InvalidArgument, "DECISION_ID_INVALID"),
        ("correct", {"reason": "x" * 501}, InvalidArgument, "REASON_TOO_LONG"),
    ],
)
async def test_a_wrong_request_is_named_and_nothing_written(
    ingest: Workplace, tenant: UUID, outcome: str, options: dict[str, Any], kind: type[CandorError], reason: str
) -> None:
    made = await (
        invoice(ingest, tenant, 1, content="Acme's invoice is over 8400.")
        if options.pop("keep", None)
        else paper(ingest, tenant)
    )
    before = await ingest.contents(tenant)
    with pytest.raises(kind) as caught:
        await feedback(ingest, tenant, options.pop("memory_id", made), outcome, **options)
    assert caught.value.reason == reason
    assert await ingest.contents(tenant) == before


async def test_an_ended_memory_gets_no_feedback(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await paper(ingest, tenant)
    await invalidate(ingest, tenant, memory_id)
    for outcome in ("correct", "incorrect"):
        with pytest.raises(FailedPrecondition) as caught:
            await feedback(ingest, tenant, memory_id, outcome, corrected_fact="x")
        assert caught.value.reason == "MEMORY_ENDED"
