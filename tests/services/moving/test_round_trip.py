"""What was exported and imported exports as the same lines, and behaves as it did where it comes from."""

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID

import pytest
from candor.ingest.v1 import bulk_pb2

from shared.clock import new_id
from shared.domain.errors import CandorError, Conflict, InvalidArgument, UpstreamUnavailable
from tests.services.ingest.judging import invoice, resolve, restore, undo
from tests.services.ingest.test_forgetting import undo as undo_operation
from tests.services.ingest.test_storage import counted, kept
from tests.services.ingest.test_sweep import swept
from tests.services.moving.lives import Both, exported, imported, live_all, patched, records

pytestmark = pytest.mark.anyio

Said = Sequence[tuple[str, str]]
STORED = """(SELECT count(*) FROM memory WHERE tenant_id = $1)
    + (SELECT count(*) FROM tenant_setting WHERE tenant_id = $1)
    + (SELECT count(*) FROM operation WHERE tenant_id = $1)
    + (SELECT count(*) FROM memory_import WHERE tenant_id = $1)"""


@pytest.fixture(scope="module")
async def lived(both: Both) -> tuple[UUID, dict[str, str], Said]:
    """A tenant to which everything has happened, its memories by what became of them, and its archive."""
    tenant = new_id()
    ids = await live_all(both.ingest, tenant)
    return tenant, ids, records(await exported(both, tenant))


async def test_an_archive_imported_exports_as_itself(
    both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said]
) -> None:
    source, _, said = lived
    answer = await imported(both, tenant, said, reason="we move")
    assert (answer.complete, answer.lines, answer.failed) == (True, len(said), 0)
    assert answer.memories == await both.ingest.value("SELECT count(*) FROM memory WHERE tenant_id = $1", tenant)
    assert records(await exported(both, tenant)) == said
    marks = await both.ingest.rows(
        """SELECT e.actor, o.action, o.request_id, count(*) FROM memory_event AS e
        JOIN operation AS o USING (tenant_id, operation_id)
        WHERE tenant_id = $1 AND e.action = 'imported' GROUP BY 1, 2, 3""",
        tenant,
    )
    assert marks == [("mover", "import-tenant", "the move", answer.memories)]
    for one in (source, tenant):  # what is kept is counted through everything that can happen to a memory
        assert await counted(both.ingest, one) == await kept(both.ingest, one)


async def test_what_follows_from_the_text_is_there_again(
    both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said]
) -> None:
    source, _, said = lived
    await imported(both, tenant, said)
    tables = {
        "memory_tag": "memory_id, tag",
        "reference": "memory_id, company_key, target_key, target, is_dependency",
        "memory_lexical": "memory_id, length",
        "memory_vector_g1": "memory_id, passage_no, char_start, char_end, embedding::text",
        "memory_vector_g1_history": "memory_id, revision, passage_no, char_start, char_end, embedding::text",
        "memory_lexical_history": "memory_id, revision",
        "memory_use": "memory_id, recall_count, last_used_at, scored_importance, fades_at, is_protected, mentioned_at",
    }
    # A restored memory keeps what it left in the histories; it needs that no more.
    ended = """ AND NOT EXISTS (SELECT FROM memory AS m WHERE m.tenant_id = $1 AND m.memory_id = t.memory_id
        AND m.revision = t.revision AND m.ended_at IS NULL)"""
    used = " AND (recall_count > 0 OR is_protected OR coalesce(last_used_at, fades_at, mentioned_at) IS NOT NULL)"
    for table, columns in tables.items():
        only = ended if table.endswith("history") else used if table == "memory_use" else ""
        query = f"SELECT {columns} FROM {table} AS t WHERE tenant_id = $1{only} ORDER BY 1, 2"
        assert sorted(map(repr, await both.ingest.rows(query, tenant))) == sorted(
            map(repr, await both.ingest.rows(query, source))
        ), table
    size = "SELECT sum(memories), sum(bytes) FROM storage_use WHERE tenant_id = $1"
    assert await both.ingest.rows(size, tenant) == await both.ingest.rows(size, source)
    derived = """SELECT memory_id, company_key, period_start, period_end, record_key, counterparty_key, content_hash
        FROM memory WHERE tenant_id = $1 ORDER BY 1"""
    assert await both.ingest.rows(derived, tenant) == await both.ingest.rows(derived, source)


async def test_life_goes_on_where_it_was(both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said]) -> None:
    _, ids, said = lived
    await imported(both, tenant, said)
    decision = await both.ingest.value(
        "SELECT decision_id FROM decision WHERE tenant_id = $1 AND undone_at IS NULL ORDER BY number LIMIT 1", tenant
    )
    await undo(both.ingest, tenant, decision)
    await resolve(both.ingest, tenant, ids["lost"], [ids["won"]])
    await restore(both.ingest, tenant, ids["ended"])
    await patched(both.ingest, tenant, ids["patched"], content="a new word")
    await swept(both.ingest, tenant)
    ended = "SELECT operation_id FROM memory_event WHERE tenant_id = $1 AND memory_id = $2 AND action = 'ended'"
    merging = str(await both.ingest.value(ended, tenant, UUID(ids["merged"])))
    assert ids["merged"] in (await undo_operation(both.ingest, tenant, merging)).restored_memory_ids
    assert ids["merged"] not in (await undo_operation(both.ingest, tenant, merging)).restored_memory_ids
    again = await both.ingest.create(tenant, "a trifle that fades", memory_type="MEMORY_TYPE_EPISODIC")
    assert (again.memory.memory_id, again.memory.existing) == (ids["faded"], True)


async def test_a_cut_import_goes_on_and_a_whole_one_is_done(
    both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said]
) -> None:
    _, _, said = lived
    for stop in (1, 7, 40, len(said) - 1):
        cut = await imported(both, tenant, said[:stop])
        assert (cut.complete, cut.lines, cut.next_line) == (False, stop, stop + 1)
        with pytest.raises(InvalidArgument, match="stands at line"):
            await imported(both, tenant, said, first_line=stop + 2)
    whole = await imported(both, tenant, said, first_line=41)
    assert (whole.complete, whole.lines) == (True, len(said))
    before = await both.ingest.contents(tenant)
    again = await imported(both, tenant, said)
    assert (again.complete, again.lines, again.memories) == (True, len(said), whole.memories)
    assert await both.ingest.contents(tenant) == before
    assert records(await exported(both, tenant)) == said
    told = await both.ingest.importer.GetImport(bulk_pb2.GetImportRequest(tenant_id=str(tenant), import_id="the move"))
    assert (told.mode, told.complete, told.lines) == (bulk_pb2.IMPORT_MODE_ARCHIVE, True, len(said))


async def test_a_dry_run_looks_at_all_and_writes_nothing(
    both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said]
) -> None:
    _, _, said = lived
    answer = await imported(both, tenant, said, dry_run=True)
    assert (answer.complete, answer.dry_run, answer.failed, answer.lines) == (True, True, 0, len(said))
    parts = {count.part: count.lines for count in answer.parts}
    assert (sum(parts.values()), parts["archive"], parts["end"]) == (len(said), 1, 1)
    memories = [json.loads(record)["current"] for part, record in said if part == "memory"]
    assert (parts["memory"], answer.memories) == (len(memories), sum(memories))
    assert await both.ingest.value(f"SELECT {STORED}", tenant) == 0
    broken = [(part, record.replace('"kind":"invoice"', '"kind":"bill"')) for part, record in said]
    wrong = {number for number, (one, other) in enumerate(zip(said, broken, strict=True), start=1) if one != other}
    answer = await imported(both, tenant, broken, dry_run=True)
    assert ({error.line for error in answer.errors}, answer.failed) == (wrong, len(wrong))
    assert {(error.field, error.reason) for error in answer.errors} == {("record.kind", "FIELD_INVALID")}
    assert not answer.complete


async def test_a_tenant_that_has_something_takes_no_archive(
    both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said]
) -> None:
    _, _, said = lived
    await invoice(both.ingest, tenant, 1)
    before = await both.ingest.contents(tenant)
    for given in ({}, {"dry_run": True}, {"request_id": "another"}):
        with pytest.raises(Conflict, match="without memories"):
            await imported(both, tenant, said, **given)
    assert await both.ingest.contents(tenant) == before


async def test_of_two_imports_one_goes_on(both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said]) -> None:
    _, _, said = lived
    await imported(both, tenant, said[:30])
    with pytest.raises(Conflict, match="without memories"):
        await imported(both, tenant, said, request_id="another")
    assert (await imported(both, tenant, said)).complete


async def test_what_comes_before_a_wrong_line_is_written_and_the_rest_is_not(
    both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said]
) -> None:
    _, _, said = lived
    number = next(n for n, (part, _) in enumerate(said, start=1) if part == "decision")
    broken = changed(said, "decision", action="nod")
    with pytest.raises(InvalidArgument, match=f"line {number}, record.action") as caught:
        await imported(both, tenant, broken)
    assert (caught.value.reason, caught.value.metadata["line"]) == ("ARCHIVE_LINE_INVALID", str(number))
    assert await both.ingest.value("SELECT count(*) FROM decision WHERE tenant_id = $1", tenant) == 0
    assert (await imported(both, tenant, said, first_line=number)).complete
    assert records(await exported(both, tenant)) == said


async def test_without_an_embedder_nothing_is_written_and_the_import_goes_on_later(
    both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said]
) -> None:
    _, _, said = lived
    both.ingest.embeddings.is_down = True
    try:
        with pytest.raises(UpstreamUnavailable, match="embedder"):
            await imported(both, tenant, said)
    finally:
        both.ingest.embeddings.is_down = False
    assert await both.ingest.value("SELECT count(*) FROM memory WHERE tenant_id = $1", tenant) == 0
    assert (await imported(both, tenant, said)).complete


def changed(said: Said, part: str, **fields: Any) -> Said:
    """Return the archive with fields of the first line of a part set, or taken away by None."""
    number = next(number for number, (name, _) in enumerate(said) if name == part)
    record = {**json.loads(said[number][1]), **fields}
    return [*said[:number], (part, json.dumps({k: v for k, v in record.items() if v is not None})), *said[number + 1 :]]


def without(said: Said, part: str) -> Said:
    """Return the archive without the last line of a part."""
    number = max(number for number, (name, _) in enumerate(said) if name == part)
    return [*said[:number], *said[number + 1 :]]


WRONG: dict[str, tuple[Any, str]] = {
    "a head of another format": (lambda said: changed(said, "archive", version=2), "ARCHIVE_UNKNOWN"),
    "no head": (lambda said: said[1:], "ARCHIVE_UNKNOWN"),
    "a line is missing": (lambda said: without(said, "event"), "ARCHIVE_INCOMPLETE"),
    "a memory is missing": (lambda said: without(said, "memory"), "ARCHIVE_ORDER"),
    "a line comes twice": (lambda said: [*said[:2], said[1], *said[2:]], "ARCHIVE_ORDER"),
    "an unknown part": (lambda said: [said[0], ("story", "{}")], "PART_UNKNOWN"),
    "no JSON": (lambda said: [said[0], ("setting", "{")], "RECORD_INVALID"),
    "a field twice": (lambda said: [('archive', '{"format":"x","format":"y","version":1}')], "RECORD_INVALID"),
    "an unknown field": (lambda said: changed(said, "operation", tenant_id="x"), "FIELD_UNKNOWN"),
    "a field is missing": (lambda said: changed(said, "operation", actor=None), "FIELD_MISSING"),
    "a naive time": (lambda said: changed(said, "event", recorded_at="2026-05-01T12:00:00"), "FIELD_INVALID"),
    "a zero character": (lambda said: changed(said, "operation", actor="a\0"), "FIELD_INVALID"),
    "a lone surrogate": (lambda said: changed(said, "operation", actor="\ud800"), "FIELD_INVALID"),
    "a huge number": (lambda said: changed(said, "setting", version=2**31), "FIELD_INVALID"),
    "settings that are none": (lambda said: changed(said, "setting", settings='{"tolerances":3}'), "FIELD_INVALID"),
    "a finding that is none": (lambda said: changed(said, "finding", detail="ff"), "FIELD_INVALID"),
    "blank content": (lambda said: changed(said, "memory", content=" "), "CONTENT_EMPTY"),
    "metadata that is no object": (lambda said: changed(said, "memory", metadata="[]"), "FIELD_INVALID"),
    "active and ended": (lambda said: changed(said, "memory", current=True), "MEMORY_INCONSISTENT"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
async def test_a_wrong_archive_is_named(
    both: Both, tenant: UUID, lived: tuple[UUID, dict[str, str], Said], name: str
) -> None:
    change, reason = WRONG[name]
    said = change(lived[2])
    answer = await imported(both, tenant, said, dry_run=True)
    assert reason in {error.reason for error in answer.errors}
    with pytest.raises(CandorError) as caught:
        await imported(both, tenant, said)
    assert (caught.value.reason, caught.value.metadata["cause"]) == ("ARCHIVE_LINE_INVALID", reason)
