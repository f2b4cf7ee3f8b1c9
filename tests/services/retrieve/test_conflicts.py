"""StreamConflicts: what it brings, where it goes on, and that recall and audit say the same of it."""

from datetime import timedelta
from uuid import UUID

import pytest
from candor.audit.v1 import fields_pb2 as audit_pb
from candor.memory.v1 import memory_pb2
from candor.retrieve.v1 import conflicts_pb2 as pb
from candor.retrieve.v1 import recall_pb2

from services.audit.field_audit import FieldAudit
from shared.domain.draft import check
from shared.domain.errors import CandorError, InvalidArgument
from shared.domain.types import Draft, MemoryState
from shared.rpc import clients, wire
from shared.rpc.clients import rpc_errors
from tests.services.audit.source import SIGNER
from tests.services.retrieve.serving import MINE, NOW, THEIRS, Serving, vector_of
from tests.services.running import role

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


def fact(record: str | None, value: str, **given: object) -> Draft:
    fields = {"kind": "document", "record": record, "content": f"{record} {value} {given}"}
    return check(**{**fields, "metadata_json": f'{{"total": {value}}}', **given})  # type: ignore[arg-type]


async def streamed(serving: Serving, **given: object) -> list[pb.StreamConflictsResponse]:
    request = pb.StreamConflictsRequest(**{"tenant_id": str(MINE), **given})  # type: ignore[arg-type]
    with rpc_errors():
        return [line async for line in clients.conflicts(serving.via).StreamConflicts(request)]


def told(lines: list[pb.StreamConflictsResponse]) -> list[tuple[object, ...]]:
    """The items in a form to compare with."""
    found: list[tuple[object, ...]] = []
    for line in lines:
        match line.WhichOneof("item"):
            case "totals":
                found.append(("totals", line.totals.memories, line.totals.records))
            case "groups":
                for of in (group.assertions for group in line.groups.groups):
                    values = sorted((a.raw, a.ended_reason) for a in of)
                    found.append(("group", of[0].record_key, of[0].attribute, *values))
            case "duplicate":
                found.append(("duplicate", line.duplicate.record, line.duplicate.memory_count))
            case "missing":
                found.append(("missing", line.missing.record, line.missing.referrer_count))
            case "counterpart":
                found.append(("counterpart", line.counterpart.expected, line.counterpart.record.record))
            case "dependency":
                found.append(
                    ("dependency", line.dependency.record, [told_of(group) for group in line.dependency.groups])
                )
    return found


def told_of(group: pb.AssertionGroup) -> tuple[str, ...]:
    return (group.assertions[0].attribute, *sorted(assertion.raw for assertion in group.assertions))


async def a_bit_of_everything(serving: Serving) -> list[UUID]:
    drafts = [
        *(fact(f"INV-{n}", str(value), session=f"s{value}") for n in range(5) for value in (100, 200)),
        *(fact("AGREED", value, session=value) for value in ("7", "7.0", "7.00")),
        *(fact(f"TWICE-{n}", "1", content="the same", session=session) for n in range(4) for session in "ab"),
        *(fact(None, "9", references=[f"GONE-{n}", "INV-1"], content=f"points {n}") for n in range(4)),
        fact(None, "8", references=["gone-0", "MAIL/7"], content="points too"),
        fact("OWN-ID", "5", source_ref="mail/7"),
    ]
    ids = await serving.mine.add(drafts, NOW - 9 * DAY, [vector_of(str(n)) for n in range(len(drafts))])
    (patched,) = await serving.mine.add([fact("PATCHED", "1")], NOW - 8 * DAY, [vector_of("p")])
    await serving.mine.patch(patched, NOW - 7 * DAY, metadata_json='{"total": 2}')
    return [*ids, patched]


EVERYTHING = [
    ("totals", 28, 12),
    *(("group", f"inv-{n}", "total", ("100", ""), ("200", "")) for n in range(5)),
    ("group", "patched", "total", ("1", "superseded"), ("2", "")),
    *(("missing", f"GONE-{n}", 2 if n == 0 else 1) for n in range(4)),
]


async def test_it_brings_totals_groups_duplicates_and_missing_records(serving: Serving) -> None:
    await a_bit_of_everything(serving)
    lines = await streamed(serving)
    found = told(lines)
    assert [item for item in found if item[0] != "duplicate"] == EVERYTHING
    duplicates = [item for item in found if item[0] == "duplicate"]
    assert sorted(duplicates) == [("duplicate", f"TWICE-{n}", 2) for n in range(4)]
    assert [item[0] for item in found] == sorted(
        (item[0] for item in found), key=("totals", "group", "duplicate", "missing").index
    )
    assert wire.to_datetime(lines[0].totals.known_at) == NOW


async def test_it_goes_on_after_any_line(serving: Serving) -> None:
    await a_bit_of_everything(serving)
    lines = await streamed(serving)
    for number, line in enumerate(lines):
        resumed = await streamed(serving, resume_token=line.resume_token)
        assert told(resumed[:1]) == told(lines[:1])
        assert resumed[1:] == lines[number + 1 :]


async def test_it_goes_on_after_any_group_of_a_message(serving: Serving) -> None:
    await a_bit_of_everything(serving)
    lines = await streamed(serving)
    groups = [(line, group) for line in lines for group in line.groups.groups]
    for number, (_, group) in enumerate(groups):
        resumed = await streamed(serving, resume_token=group.resume_token)
        assert [g for line in resumed for g in line.groups.groups] == [g for _, g in groups[number + 1 :]]


async def test_later_writes_do_not_show(serving: Serving) -> None:
    ids = await a_bit_of_everything(serving)
    lines = await streamed(serving)
    serving.clock.pass_days(1)
    later = serving.clock.at
    await serving.mine.add(
        [
            fact("INV-0", "300", session="late"),
            fact("LATE", "1", session="a"),
            fact("LATE", "2", session="b"),
            fact("TWICE-0", "1", content="the same", session="c"),
            fact(None, "1", references=["GONE-9"]),
        ],
        later,
        [vector_of(str(n)) for n in range(5)],
    )
    await serving.mine.patch(ids[1], later, importance=1.0, metadata_json='{"total": 999}')
    resumed = await streamed(serving, resume_token=lines[0].resume_token)
    assert told(resumed)[1:] == told(lines)[1:]
    weights = [(a.importance, a.raw) for a in resumed[1].groups.groups[0].assertions]
    assert weights == [(0.0, "100"), (0.0, "200")]


async def test_filters_narrow_what_is_looked_at(serving: Serving) -> None:
    await serving.mine.add(
        [
            fact("INV-1", "1", company="Acme Ltd", period="2026-05"),
            fact("INV-1", "2", company="ACME LTD", session="b"),
            fact("INV-1", "3", company="Acme Ltd", period="2026-06"),
            fact("INV-1", "4", company="Acme Ltd", kind="note"),
            fact("INV-1", "5", company="Globex", references=["GONE"]),
            fact("INV-1", "6", company="Globex", session="b"),
        ],
        NOW,
        [vector_of(str(n)) for n in range(6)],
    )
    values = [("1", ""), ("2", ""), ("3", ""), ("4", "")]
    assert told(await streamed(serving, company="acme ltd")) == [("totals", 4, 1), ("group", "inv-1", "total", *values)]
    of_may = await streamed(serving, company="Acme Ltd", period="2026-05")
    assert told(of_may) == [("totals", 3, 1), ("group", "inv-1", "total", *(values[n] for n in (0, 1, 3)))]
    notes = await streamed(serving, kind=memory_pb2.KIND_NOTE)
    assert told(notes) == [("totals", 1, 1)]
    other = await streamed(serving, company="Globex", kind=memory_pb2.KIND_DOCUMENT)
    assert told(other) == [("totals", 2, 1), ("group", "inv-1", "total", ("5", ""), ("6", "")), ("missing", "GONE", 1)]
    error = await refused(serving, resume_token=other[0].resume_token)
    assert isinstance(error, InvalidArgument)
    assert error.reason == "RESUME_TOKEN_INVALID"
    assert (await refused(serving, period="x")).reason == "PERIOD_INVALID"


async def refused(serving: Serving, **given: object) -> CandorError:
    with pytest.raises(CandorError) as caught:
        await streamed(serving, **given)
    return caught.value


async def test_a_reference_is_met_by_whatever_was_once_true(serving: Serving) -> None:
    target, wrong = await serving.mine.add([fact("OLD", "1"), fact("WRONG", "1")], NOW, [vector_of("a")] * 2)
    await serving.mine.add(
        [fact(None, "1", references=["old", "wrong"]), fact(None, "1", company="Globex", references=["OLD"])],
        NOW,
        [vector_of("b")] * 2,
    )
    await serving.mine.end(target, NOW, MemoryState.SUPERSEDED)
    await serving.mine.end(wrong, NOW, MemoryState.INCORRECT)
    missing = [item for item in told(await streamed(serving)) if item[0] == "missing"]
    # A reference stays inside its company; what was never true is not stored.
    assert missing == [("missing", "wrong", 1), ("missing", "OLD", 1)]


async def test_another_tenant_has_other_conflicts(serving: Serving) -> None:
    await a_bit_of_everything(serving)
    assert told(await streamed(serving, tenant_id=str(THEIRS))) == [("totals", 0, 0)]


async def test_recall_and_audit_give_the_same_answer(serving: Serving) -> None:
    drafts = [
        fact("IMPORTANT", "1", importance=0.9, observed_at=NOW - 40 * DAY),
        fact("IMPORTANT", "2", observed_at=NOW - DAY),
        fact("SOURCE", "1", observed_at=NOW - 40 * DAY),
        fact("SOURCE", "2", kind="note", observed_at=NOW - DAY),
        fact("RECENT", "1", observed_at=NOW - 40 * DAY),
        fact("RECENT", "2", observed_at=NOW - DAY),
        *(fact("MANY", str(n % 7), session=str(n), counterparty=("Globex", "Initech", None)[n % 3]) for n in range(30)),
        *(fact("NAMED", f'"{name}"', session=name) for name in ("Ann", "ann ", "Bo")),
    ]
    await serving.mine.add(drafts, NOW, [vector_of(str(n)) for n in range(len(drafts))])
    async with role("audit", FieldAudit(clients.conflicts(serving.via), SIGNER)) as via:
        report = await clients.field_audit(via).GetAuditReport(audit_pb.GetAuditReportRequest(tenant_id=str(MINE)))
    query = recall_pb2.RecallMemoriesRequest(tenant_id=str(MINE), query="important source recent many named", limit=100)
    recalled = await clients.recall(serving.via).RecallMemories(query)
    assert {c.subject for c in report.contradictions} == {"IMPORTANT", "SOURCE", "RECENT", "MANY", "NAMED"}
    assert {c.resolution.rule for c in report.contradictions} == {"importance", "source-authority", "recency"}
    by_id = {contradiction.finding_id: contradiction for contradiction in report.contradictions}
    assert {contradiction.finding_id: contradiction for contradiction in recalled.conflicts} == by_id
