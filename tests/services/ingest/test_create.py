"""Creating memories: what is stored, what is a repetition, and that a refusal or an outage leaves nothing."""

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from candor.ingest.v1 import memories_pb2 as pb
from google.protobuf.timestamp_pb2 import Timestamp

from shared.clock import new_id
from shared.domain.errors import CandorError, Conflict, FailedPrecondition, InvalidArgument, UpstreamUnavailable
from shared.domain.tokens import term_id
from shared.rpc.clients import rpc_errors
from tests.services.ingest.stand_in import DIMENSIONS, MODEL, vector_of
from tests.services.ingest.workplace import START, TERM_KEY, Workplace, batch, created, memory

pytestmark = pytest.mark.anyio

TWINS = 20
COUNT = "SELECT count(*) FROM memory WHERE tenant_id = $1"


async def test_a_memory_is_stored_with_all_that_hangs_on_it(ingest: Workplace, tenant: UUID) -> None:
    day = Timestamp()
    day.FromDatetime(START - timedelta(days=30))
    answer = await ingest.create(
        tenant,
        "Amount due: 8,400 USD",
        kind="invoice",
        company="Acme Ltd",
        period="2026-Q2",
        record="INV-5521",
        counterparty="Globex",
        speaker="Ann",
        session="s1",
        tags=['say "hi"', "back\\slash", "逗号,"],
        metadata='{"total": 8400.00, "currency": "USD", "paid": false}',
        importance=0.5,
        observed_at=day,
        references=["PO-7"],
        derived_from=[str(UUID(int=5))],
    )
    wrote = answer.memory
    assert (wrote.revision, wrote.existing, wrote.vector_pending) == (1, False, False)
    assert wrote.recorded_at.ToDatetime(tzinfo=START.tzinfo) == ingest.clock.time
    [row] = await ingest.look.fetch("SELECT * FROM memory WHERE tenant_id = $1", tenant)
    assert str(row["memory_id"]) == wrote.memory_id
    assert (row["kind"], row["content"], row["company_key"]) == ("invoice", "Amount due: 8,400 USD", "acme ltd")
    assert (row["period_start"].isoformat(), row["period_end"].isoformat()) == ("2026-04-01", "2026-06-30")
    assert row["tags"] == ['say "hi"', "back\\slash", "逗号,"]
    assert row["metadata"] == '{"total": 8400.00, "currency": "USD", "paid": false}'
    assert (row["state"], row["ended_at"], row["memory_type"]) == ("active", None, "semantic")
    assert row["derived_from"] == [UUID(int=5)]
    assert await ingest.rows(
        "SELECT attribute, raw, currency, record_key, valid_from FROM assertion WHERE tenant_id = $1 ORDER BY 1", tenant
    ) == [
        ("paid", "false", None, "inv-5521", START - timedelta(days=30)),
        ("total", "8400.00", "USD", "inv-5521", START - timedelta(days=30)),
    ]
    assert await ingest.rows("SELECT target_key, target, company_key FROM reference WHERE tenant_id = $1", tenant) == [
        ("po-7", "PO-7", "acme ltd")
    ]
    tags = await ingest.rows("SELECT tag FROM memory_tag WHERE tenant_id = $1", tenant)
    assert {tag for (tag,) in tags} == set(row["tags"])


async def test_vectors_and_terms_are_there_when_it_answers(ingest: Workplace, tenant: UUID) -> None:
    await ingest.create(tenant, "the invoice is late", speaker="Ann")
    assert ingest.embeddings.texts == [["Ann: the invoice is late"]]
    [(text, start, end)] = await ingest.rows(
        "SELECT embedding::text, char_start, char_end FROM memory_vector_g1 WHERE tenant_id = $1", tenant
    )
    stored = np.array([float(number) for number in text[1:-1].split(",")])
    assert np.allclose(stored, vector_of("Ann: the invoice is late"), atol=1e-3)
    assert (start, end) == (0, len("the invoice is late"))
    [(terms, weights)] = await ingest.rows(
        "SELECT terms, weights::text FROM memory_lexical WHERE tenant_id = $1", tenant
    )
    expected = sorted(term_id(tenant, word, TERM_KEY) for word in ("ann", "invoic", "late"))
    assert terms == expected
    # Python counts the sparse vector's indices from 0, SQL text from 1.
    assert [int(part.partition(":")[0]) - 1 for part in weights[1:].partition("}")[0].split(",")] == expected


async def test_a_long_memory_is_embedded_in_passages(ingest: Workplace, tenant: UUID) -> None:
    content = "A sentence about something. " * 150
    await ingest.create(tenant, content)
    spans = await ingest.rows(
        "SELECT char_start, char_end FROM memory_vector_g1 WHERE tenant_id = $1 ORDER BY passage_no", tenant
    )
    assert len(spans) == len(ingest.embeddings.texts[0]) > 1
    assert spans[0][0] == 0
    assert spans[-1][1] == len(content)
    assert all(following[0] <= former[1] for former, following in pairwise(spans))


@pytest.mark.parametrize(
    "content",
    ["the", "🤷", "a" + " " * 31_000 + "b", "".join(chr(0x4E00 + (n * 7919) % 20_000) for n in range(32_000))],
    ids=["only stop words", "no word", "mostly space", "more terms than a vector holds"],
)
async def test_unusual_texts_are_stored_whole(ingest: Workplace, tenant: UUID, content: str) -> None:
    await ingest.create(tenant, content)
    assert await ingest.value("SELECT content FROM memory WHERE tenant_id = $1", tenant) == content
    assert await ingest.value("SELECT count(*) FROM memory_lexical WHERE tenant_id = $1", tenant) == 1
    assert await ingest.value("SELECT count(*) > 0 FROM memory_vector_g1 WHERE tenant_id = $1", tenant)
    assert max(len(text) for texts in ingest.embeddings.texts for text in texts) < 1_500


@pytest.mark.parametrize("seconds", [-62135596799, 253402300799], ids=["first", "last"])
async def test_the_ends_of_the_calendar_come_back_with_their_zone(
    ingest: Workplace, tenant: UUID, seconds: int
) -> None:
    made = await ingest.create(tenant, observed_at=Timestamp(seconds=seconds), period="9999")
    stored = await ingest.value("SELECT valid_from FROM memory WHERE tenant_id = $1", tenant)
    assert int((stored - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()) == seconds
    assert (await ingest.create(tenant, observed_at=Timestamp(seconds=seconds), period="9999")).memory.existing
    assert made.memory.revision == 1


async def test_the_same_request_gets_the_same_answer_and_no_second_effect(ingest: Workplace, tenant: UUID) -> None:
    request = created(tenant, request_id="r1")
    first = await ingest.writer.CreateMemory(request)
    before = await ingest.contents(tenant)
    ingest.embeddings.texts.clear()
    ingest.clock.tick()
    second = await ingest.writer.CreateMemory(request)
    assert second.SerializeToString() == first.SerializeToString()
    assert await ingest.contents(tenant) == before
    assert ingest.embeddings.texts == []


async def test_the_same_request_is_known_when_another_actor_sends_it(ingest: Workplace, tenant: UUID) -> None:
    first = await ingest.writer.CreateMemory(created(tenant, request_id="r1"))
    assert await ingest.writer.CreateMemory(created(tenant, request_id="r1", actor="other")) == first


async def test_a_request_id_with_another_body_is_refused(ingest: Workplace, tenant: UUID) -> None:
    await ingest.writer.CreateMemory(created(tenant, request_id="r1"))
    before = await ingest.contents(tenant)
    for other in (created(tenant, "another fact", request_id="r1"), created(tenant, request_id="r1", reason="other")):
        with pytest.raises(Conflict) as caught, rpc_errors():
            await ingest.writer.CreateMemory(other)
        assert caught.value.reason == "REQUEST_ID_REUSED"
    assert await ingest.contents(tenant) == before


async def test_request_ids_are_each_tenants_and_each_calls_own(ingest: Workplace, tenant: UUID) -> None:
    one = await ingest.create(tenant, request_id="r1")
    other = await ingest.create(new_id(), "another fact", request_id="r1")
    in_batch = await ingest.writer.BatchCreateMemories(batch(tenant, [memory("a third fact")], request_id="r1"))
    assert len({one.memory.memory_id, other.memory.memory_id, in_batch.memories[0].memory_id}) == 3


@pytest.mark.parametrize("request_id", ["r1", ""], ids=["with an id", "without an id"])
async def test_twins_make_one_memory(ingest: Workplace, tenant: UUID, request_id: str) -> None:
    request = created(tenant, kind="invoice", record="INV-1", metadata='{"a": 1}', tags=["t"], request_id=request_id)
    answers = await asyncio.gather(*(ingest.writer.CreateMemory(request) for _ in range(TWINS)))
    assert len({answer.memory.memory_id for answer in answers}) == 1
    fresh = sum(not answer.memory.existing for answer in answers)
    assert fresh == (TWINS if request_id else 1)  # with an id all get the first one's answer
    found = {table: len(rows) for table, rows in (await ingest.contents(tenant)).items()}
    assert found == {
        **dict.fromkeys(("memory", "assertion", "memory_tag", "memory_lexical", "memory_vector_g1"), 1),
        **dict.fromkeys(("memory_event", "operation", "storage_use"), 1),
        **({"request": 1} if request_id else {}),
    }


async def test_twins_with_other_bodies_leave_one_effect(ingest: Workplace, tenant: UUID) -> None:
    async def outcome(number: int) -> str:
        try:
            with rpc_errors():
                await ingest.create(tenant, f"fact {number}", request_id="r1")
        except CandorError as error:
            return error.reason
        return "written"

    outcomes = await asyncio.gather(*map(outcome, range(TWINS)))
    assert Counter(outcomes) == {"written": 1, "REQUEST_ID_REUSED": TWINS - 1}
    assert await ingest.value(COUNT, tenant) == 1


async def test_an_identical_memory_is_kept_and_costs_no_embedding(ingest: Workplace, tenant: UUID) -> None:
    first = await ingest.create(tenant, company="Acme", metadata='{"a": 1.0, "b": 2}')
    before = await ingest.contents(tenant)
    ingest.embeddings.texts.clear()
    ingest.embeddings.is_down = True
    ingest.clock.tick()
    second = await ingest.create(tenant, company=" ACME", metadata='{"b":2,"a":1}', tags=["other"], importance=1)
    assert second.memory.memory_id == first.memory.memory_id
    assert second.memory.existing
    assert second.memory.recorded_at == first.memory.recorded_at
    assert second.operation_id == ""
    assert await ingest.contents(tenant) == before
    assert ingest.embeddings.texts == []


@pytest.mark.parametrize(
    "difference",
    [
        {"kind": "invoice"},
        {"company": "Acme"},
        {"period": "2026"},
        {"record": "R-1"},
        {"source_ref": "S-1"},
        {"counterparty": "Globex"},
        {"speaker": "Ann"},
        {"session": "s1"},
        {"metadata": '{"a": 1}'},
        {"observed_at": Timestamp(seconds=1)},
    ],
    ids=lambda given: next(iter(given)),
)
async def test_a_field_that_differs_makes_another_memory(
    ingest: Workplace, tenant: UUID, difference: dict[str, Any]
) -> None:
    plain = await ingest.create(tenant)
    other = await ingest.create(tenant, **difference)
    assert not other.memory.existing
    assert other.memory.memory_id != plain.memory.memory_id
    assert (await ingest.create(tenant, **difference)).memory.memory_id == other.memory.memory_id
    assert (await ingest.create(tenant)).memory.memory_id == plain.memory.memory_id


async def test_an_answer_of_a_repetition_is_kept_as_well(ingest: Workplace, tenant: UUID) -> None:
    await ingest.create(tenant)
    first = await ingest.create(tenant, request_id="r1")
    assert first.memory.existing
    with pytest.raises(Conflict), rpc_errors():
        await ingest.create(tenant, "another fact", request_id="r1")
    assert await ingest.create(tenant, request_id="r1") == first


async def test_without_an_embedder_nothing_is_written(ingest: Workplace, tenant: UUID) -> None:
    await ingest.create(tenant, "an earlier fact", request_id="r0")
    before = await ingest.contents(tenant)
    ingest.embeddings.is_down = True
    request = created(tenant, request_id="r1")
    with pytest.raises(UpstreamUnavailable) as caught, rpc_errors():
        await ingest.writer.CreateMemory(request)
    assert caught.value.reason == "EMBEDDER_UNAVAILABLE"
    assert caught.value.retry_after_seconds == 7
    assert await ingest.contents(tenant) == before
    ingest.embeddings.is_down = False
    assert not (await ingest.writer.CreateMemory(request)).memory.existing


async def test_vectors_of_another_generation_are_refused(ingest: Workplace, tenant: UUID) -> None:
    ingest.embeddings.model = "another-model"
    try:
        with pytest.raises(FailedPrecondition) as caught, rpc_errors():
            await ingest.create(tenant)
    finally:
        ingest.embeddings.model = MODEL
    assert caught.value.reason == "EMBEDDING_GENERATION_MISMATCH"
    assert await ingest.contents(tenant) == {}


async def test_a_given_vector_is_stored_without_embedding(ingest: Workplace, tenant: UUID) -> None:
    given = vector_of("anything") * 3
    await ingest.create(tenant, embedding=given.astype("<f4").tobytes(), embedding_model=MODEL)
    assert ingest.embeddings.texts == []
    [(text,)] = await ingest.rows("SELECT embedding::text FROM memory_vector_g1 WHERE tenant_id = $1", tenant)
    assert np.allclose([float(number) for number in text[1:-1].split(",")], vector_of("anything"), atol=1e-3)


@pytest.mark.parametrize(
    ("model", "size_bytes", "reason"),
    [("another-model", DIMENSIONS * 4, "EMBEDDING_GENERATION_MISMATCH"), (MODEL, 12, "EMBEDDING_INVALID")],
)
async def test_a_given_vector_that_does_not_fit_is_refused(
    ingest: Workplace, tenant: UUID, model: str, size_bytes: int, reason: str
) -> None:
    with pytest.raises(CandorError) as caught, rpc_errors():
        await ingest.create(tenant, embedding=b"\x00\x00\x80?" * (size_bytes // 4), embedding_model=model)
    assert caught.value.reason == reason
    assert await ingest.contents(tenant) == {}


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"tenant_id": "nobody"}, "tenant_id", "TENANT_INVALID"),
        ({"request_id": "r" * 129}, "request_id", "REQUEST_ID_TOO_LONG"),
        ({"request_id": "r\0"}, "request_id", "FORBIDDEN_CHARACTER"),
        ({"reason": "r" * 501}, "reason", "REASON_TOO_LONG"),
        ({"reason": "\0"}, "reason", "FORBIDDEN_CHARACTER"),
        ({"actor": "\0"}, "actor", "FORBIDDEN_CHARACTER"),
        ({"memory": pb.NewMemory(content="x")}, "kind", "KIND_MISSING"),
        ({"memory": pb.NewMemory.FromString(memory("x").SerializeToString() + b"\x08\x63")}, "kind", "KIND_INVALID"),
        ({"memory": memory("")}, "content", "CONTENT_EMPTY"),
        ({"memory": memory("a\0b")}, "content", "FORBIDDEN_CHARACTER"),
        ({"memory": memory("x" * 32_001)}, "content", "CONTENT_TOO_LONG"),
        ({"memory": memory("x", metadata="[1]")}, "metadata", "METADATA_INVALID"),
        ({"memory": memory("x", derived_from=["nobody"])}, "derived_from[0]", "MEMORY_ID_INVALID"),
        ({"memory": memory("x", observed_at=Timestamp(seconds=10**12))}, "observed_at", "TIME_INVALID"),
        ({"memory": memory("x", observed_at=Timestamp(seconds=-62135596800))}, "observed_at", "TIME_INVALID"),
    ],
)
async def test_a_wrong_field_is_named_and_nothing_written(
    ingest: Workplace, tenant: UUID, change: dict[str, object], field: str, reason: str
) -> None:
    request = created(tenant)
    for name, value in change.items():
        if isinstance(value, str):
            setattr(request, name, value)
        else:
            request.memory.CopyFrom(value)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument) as caught, rpc_errors():
        await ingest.writer.CreateMemory(request)
    assert [(v.field, v.reason) for v in caught.value.violations] == [(field, reason)]
    assert await ingest.contents(tenant) == {}
    assert ingest.embeddings.texts == []


async def test_an_operation_tells_who_did_what_and_why(ingest: Workplace, tenant: UUID) -> None:
    answer = await ingest.create(tenant, request_id="r1", reason="it was said")
    done = await ingest.writer.GetOperation(
        pb.GetOperationRequest(tenant_id=str(tenant), operation_id=answer.operation_id)
    )
    assert (done.action, done.actor, done.reason, done.request_id) == ("create", "tester", "it was said", "r1")
    assert list(done.memory_ids) == [answer.memory.memory_id]
    with pytest.raises(CandorError) as caught, rpc_errors():
        await ingest.writer.GetOperation(
            pb.GetOperationRequest(tenant_id=str(new_id()), operation_id=answer.operation_id)
        )
    assert caught.value.reason == "OPERATION_NOT_FOUND"
