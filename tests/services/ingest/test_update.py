"""Patches: what stays, what changes, what becomes of the earlier revision, and who wins when two patch at once."""

import asyncio
from json import loads
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import memories_pb2 as pb
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.timestamp_pb2 import Timestamp

from shared.clock import new_id
from shared.domain.errors import CandorError, Conflict, InvalidArgument, NotFound, UpstreamUnavailable
from shared.rpc.clients import rpc_errors
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio

INVOICE = {
    "kind": "invoice",
    "company": "Acme",
    "record": "INV-1",
    "metadata": '{"total": 8400, "status": "open"}',
    "tags": ["old", "kept"],
    "references": ["PO-1"],
    "speaker": "Ann",
}


def update(tenant: UUID, memory_id: str, *, mask: list[str] | None = None, **options: Any) -> pb.UpdateMemoryRequest:
    patch = {name: value for name, value in options.items() if name in pb.MemoryPatch.DESCRIPTOR.fields_by_name}
    rest = {name: value for name, value in options.items() if name not in patch}
    return pb.UpdateMemoryRequest(
        tenant_id=str(tenant),
        actor="editor",
        memory_id=memory_id,
        patch=pb.MemoryPatch(**patch),
        update_mask=FieldMask(paths=mask) if mask is not None else None,
        **rest,
    )


async def invoice(ingest: Workplace, tenant: UUID) -> str:
    made = await ingest.create(tenant, "we owe 8400", **INVOICE)
    ingest.embeddings.texts.clear()
    ingest.clock.tick()
    return made.memory.memory_id


async def assertions(ingest: Workplace, tenant: UUID) -> list[tuple[Any, ...]]:
    return await ingest.rows(
        "SELECT attribute, raw, revision, ended_reason FROM assertion WHERE tenant_id = $1 ORDER BY 1, 3", tenant
    )


async def test_what_is_not_sent_stays_and_the_earlier_revision_is_kept(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    first_at = await ingest.value("SELECT recorded_at FROM memory WHERE tenant_id = $1", tenant)
    now = ingest.clock.time
    answer = await ingest.writer.UpdateMemory(update(tenant, memory_id, period="2026-05", reason="it was dated"))
    assert (answer.memory.memory_id, answer.memory.revision, answer.memory.existing) == (memory_id, 2, False)
    [row] = await ingest.look.fetch("SELECT * FROM memory WHERE tenant_id = $1", tenant)
    assert (row["content"], row["company"], row["record"], row["period"]) == (
        "we owe 8400",
        "Acme",
        "INV-1",
        "2026-05",
    )
    assert (row["tags"], row["revision"], row["recorded_at"], row["ended_at"]) == (["old", "kept"], 2, now, None)
    [old] = await ingest.look.fetch("SELECT * FROM memory_revision WHERE tenant_id = $1", tenant)
    assert (old["revision"], old["period"], old["recorded_at"], old["ended_at"]) == (1, None, first_at, now)
    assert old["content"] == "we owe 8400"
    [event] = await ingest.look.fetch("SELECT * FROM memory_event WHERE tenant_id = $1 AND revision = 2", tenant)
    assert (event["action"], event["actor"], event["reason"]) == ("updated", "editor", "it was dated")
    assert loads(event["changes"]) == {"period": {"before": None, "after": "2026-05"}}


async def test_vectors_are_made_anew_only_when_the_embedded_text_changes(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    await ingest.writer.UpdateMemory(update(tenant, memory_id, company="Globex", importance=0.9))
    assert ingest.embeddings.texts == []
    await ingest.writer.UpdateMemory(update(tenant, memory_id, speaker="Bob"))
    assert ingest.embeddings.texts == [["Bob: we owe 8400"]]
    live = await ingest.rows("SELECT embedding::text FROM memory_vector_g1 WHERE tenant_id = $1", tenant)
    history = await ingest.rows(
        "SELECT revision, embedding::text FROM memory_vector_g1_history WHERE tenant_id = $1 ORDER BY 1", tenant
    )
    assert [revision for revision, _ in history] == [1, 2]
    assert history[0][1] == history[1][1] != live[0][0]
    assert len(live) == 1


async def test_terms_follow_the_text_and_the_former_ones_are_kept(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    terms = "SELECT terms FROM memory_lexical WHERE tenant_id = $1"
    [before] = await ingest.rows(terms, tenant)
    await ingest.writer.UpdateMemory(update(tenant, memory_id, content="settled"))
    [after] = await ingest.rows(terms, tenant)
    assert await ingest.rows("SELECT terms FROM memory_lexical_history WHERE tenant_id = $1", tenant) == [before]
    assert before != after


async def test_assertions_that_did_not_change_stay_open(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    await ingest.writer.UpdateMemory(
        update(tenant, memory_id, metadata='{"total": 8900, "status": "open", "due": "x"}')
    )
    assert await assertions(ingest, tenant) == [
        ("due", '"x"', 2, None),
        ("status", '"open"', 1, None),
        ("total", "8400", 1, "superseded"),
        ("total", "8900", 2, None),
    ]
    ended = await ingest.value("SELECT ended_at FROM assertion WHERE tenant_id = $1 AND ended_at IS NOT NULL", tenant)
    assert ended == ingest.clock.time
    await ingest.writer.UpdateMemory(update(tenant, memory_id, metadata='{"status": "open"}'))
    assert [row for row in await assertions(ingest, tenant) if row[3] is None] == [("status", '"open"', 1, None)]


async def test_assertions_move_with_their_record(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    await ingest.writer.UpdateMemory(update(tenant, memory_id, record="INV-2"))
    keys = "SELECT record_key FROM assertion WHERE tenant_id = $1 AND ended_at IS NULL"
    assert set(await ingest.rows(keys, tenant)) == {("inv-2",)}
    await ingest.writer.UpdateMemory(update(tenant, memory_id, mask=["record"]))
    assert await ingest.rows(keys, tenant) == []


async def test_tags_and_references_are_replaced(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    await ingest.writer.UpdateMemory(update(tenant, memory_id, tags=["kept", "new"], references=["PO-2"]))
    assert await ingest.rows("SELECT tag FROM memory_tag WHERE tenant_id = $1 ORDER BY 1", tenant) == [
        ("kept",),
        ("new",),
    ]
    assert await ingest.rows("SELECT target FROM reference WHERE tenant_id = $1", tenant) == [("PO-2",)]


async def test_a_mask_clears_what_it_names_and_hides_what_it_does_not(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    request = update(tenant, memory_id, mask=["tags", "company", "metadata"], company="Globex", speaker="Bob")
    await ingest.writer.UpdateMemory(request)
    [row] = await ingest.look.fetch("SELECT * FROM memory WHERE tenant_id = $1", tenant)
    assert (row["tags"], row["company"], row["metadata"], row["speaker"]) == ([], "Globex", "{}", "Ann")


async def test_a_patch_that_changes_nothing_writes_nothing(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    before = await ingest.contents(tenant)
    answer = await ingest.writer.UpdateMemory(update(tenant, memory_id, company=" Acme ", tags=["old", "kept"]))
    assert (answer.memory.revision, answer.memory.existing, answer.operation_id) == (1, True, "")
    assert await ingest.contents(tenant) == before


@pytest.mark.parametrize(
    ("options", "field", "reason"),
    [
        ({}, "patch", "PATCH_EMPTY"),
        ({"mask": ["embedding"]}, "update_mask", "UPDATE_MASK_INVALID"),
        ({"mask": ["kind"]}, "update_mask", "UPDATE_MASK_INVALID"),
        ({"mask": ["content"]}, "patch.content", "CONTENT_EMPTY"),
        ({"content": "\0"}, "patch.content", "FORBIDDEN_CHARACTER"),
        ({"metadata": "1"}, "patch.metadata", "METADATA_INVALID"),
        ({"observed_at": Timestamp(seconds=10**12)}, "patch.observed_at", "TIME_INVALID"),
        ({"content": "x", "expected_revision": -1}, "expected_revision", "REVISION_INVALID"),
    ],
)
async def test_a_wrong_patch_is_named_and_nothing_written(
    ingest: Workplace, tenant: UUID, options: dict[str, Any], field: str, reason: str
) -> None:
    memory_id = await invoice(ingest, tenant)
    before = await ingest.contents(tenant)
    with pytest.raises(InvalidArgument) as caught, rpc_errors():
        await ingest.writer.UpdateMemory(update(tenant, memory_id, request_id="u1", **options))
    assert [(v.field, v.reason) for v in caught.value.violations] == [(field, reason)]
    assert await ingest.contents(tenant) == before


async def test_a_foreign_memory_is_not_found(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    for whose, which in ((new_id(), memory_id), (tenant, str(new_id()))):
        with pytest.raises(NotFound) as caught, rpc_errors():
            await ingest.writer.UpdateMemory(update(whose, which, content="x"))
        assert caught.value.reason == "MEMORY_NOT_FOUND"


async def test_an_ended_memory_is_not_patched(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    await ingest.look.execute("UPDATE memory SET state = 'superseded', ended_at = now() WHERE tenant_id = $1", tenant)
    with pytest.raises(CandorError) as caught, rpc_errors():
        await ingest.writer.UpdateMemory(update(tenant, memory_id, content="x"))
    assert caught.value.reason == "MEMORY_ENDED"
    again = await ingest.create(tenant, "we owe 8400", **INVOICE)
    assert not again.memory.existing
    assert again.memory.memory_id != memory_id


async def test_a_revision_that_moved_on_is_a_conflict(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    await ingest.writer.UpdateMemory(update(tenant, memory_id, content="two", expected_revision=1))
    before = await ingest.contents(tenant)
    with pytest.raises(Conflict) as caught, rpc_errors():
        await ingest.writer.UpdateMemory(update(tenant, memory_id, content="three", expected_revision=1))
    assert caught.value.reason == "REVISION_MISMATCH"
    assert caught.value.metadata["current_revision"] == "2"
    assert await ingest.contents(tenant) == before


async def test_a_patch_into_an_identical_memory_is_a_conflict(ingest: Workplace, tenant: UUID) -> None:
    await ingest.create(tenant, "one")
    other = await ingest.create(tenant, "two")
    before = await ingest.contents(tenant)
    with pytest.raises(Conflict) as caught, rpc_errors():
        await ingest.writer.UpdateMemory(update(tenant, other.memory.memory_id, content="one", request_id="u1"))
    assert caught.value.reason == "MEMORY_IDENTICAL"
    assert await ingest.contents(tenant) == before


async def test_of_two_patches_of_one_revision_one_wins(ingest: Workplace, tenant: UUID) -> None:
    """Hold both at the embedder, so that both are planned on revision 1."""
    memory_id = await invoice(ingest, tenant)
    ingest.embeddings.gate.clear()
    ingest.embeddings.entered = asyncio.Semaphore(0)

    async def outcome(content: str) -> str:
        try:
            with rpc_errors():
                await ingest.writer.UpdateMemory(update(tenant, memory_id, content=content, expected_revision=1))
        except Conflict as error:
            return error.reason
        return "written"

    both = [asyncio.ensure_future(outcome(content)) for content in ("left", "right")]
    for _ in both:
        await ingest.embeddings.entered.acquire()
    ingest.embeddings.gate.set()
    assert sorted(await asyncio.gather(*both)) == ["REVISION_MISMATCH", "written"]
    assert await ingest.value("SELECT revision FROM memory WHERE tenant_id = $1", tenant) == 2


async def test_patches_at_once_without_a_revision_all_count(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    patches = ({"company": "Globex"}, {"speaker": "Bob"}, {"importance": 0.7})
    await asyncio.gather(*(ingest.writer.UpdateMemory(update(tenant, memory_id, **patch)) for patch in patches))
    row = await ingest.rows("SELECT revision, company, speaker, importance FROM memory WHERE tenant_id = $1", tenant)
    assert row == [(4, "Globex", "Bob", 0.7)]
    assert await ingest.rows("SELECT revision FROM memory_revision WHERE tenant_id = $1 ORDER BY 1", tenant) == [
        (1,),
        (2,),
        (3,),
    ]


async def test_the_same_patch_is_answered_once(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    request = update(tenant, memory_id, content="two", request_id="u1")
    answers = await asyncio.gather(*(ingest.writer.UpdateMemory(request) for _ in range(10)))
    assert {answer.SerializeToString() for answer in answers} == {answers[0].SerializeToString()}
    assert await ingest.value("SELECT revision FROM memory WHERE tenant_id = $1", tenant) == 2
    await ingest.writer.UpdateMemory(update(tenant, memory_id, content="three"))
    assert await ingest.writer.UpdateMemory(request) == answers[0]
    with pytest.raises(Conflict), rpc_errors():
        await ingest.writer.UpdateMemory(update(tenant, memory_id, content="four", request_id="u1"))


async def test_without_an_embedder_a_new_text_is_not_written(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    before = await ingest.contents(tenant)
    ingest.embeddings.is_down = True
    with pytest.raises(UpstreamUnavailable) as caught, rpc_errors():
        await ingest.writer.UpdateMemory(update(tenant, memory_id, content="two", request_id="u1"))
    assert caught.value.reason == "EMBEDDER_UNAVAILABLE"
    assert await ingest.contents(tenant) == before
    await ingest.writer.UpdateMemory(update(tenant, memory_id, company="Globex"))  # needs no vectors


async def test_expiry_is_the_end_of_valid_time(ingest: Workplace, tenant: UUID) -> None:
    memory_id = await invoice(ingest, tenant)
    await ingest.writer.UpdateMemory(update(tenant, memory_id, expires_at=Timestamp(seconds=4 * 10**9)))
    ends = "SELECT valid_to, expires_at FROM memory WHERE tenant_id = $1 AND valid_to = expires_at"
    assert len(await ingest.rows(ends, tenant)) == 1
    open_ends = "SELECT count(*) FROM assertion WHERE tenant_id = $1 AND ended_at IS NULL AND valid_to IS NOT NULL"
    assert await ingest.value(open_ends, tenant) == 2
