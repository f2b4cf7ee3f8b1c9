"""The field audit over real gRPC, with prepared material in place of retrieve."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import grpc
import pytest
from candor.audit.v1.fields_pb2 import (
    AuditFieldsRequest,
    AuditFieldsResponse,
    GetAuditReportRequest,
    GetAuditReportResponse,
)
from candor.audit.v1.fields_pb2_grpc import FieldAuditServiceStub
from candor.memory.v1.memory_pb2 import KIND_INVOICE
from candor.retrieve.v1.conflicts_pb2 import (
    Assertion,
    AssertionGroup,
    AssertionGroups,
    StreamConflictsRequest,
    StreamConflictsResponse,
)

from services.audit import field_audit
from services.audit.field_audit import FieldAudit
from services.audit.judging import OFF_LOOP_MIN_ASSERTIONS
from services.audit.report import MAX_FINDINGS, PUBLIC_MAX_FINDINGS
from shared.domain.errors import FailedPrecondition, Internal, InvalidArgument, UpstreamUnavailable
from shared.domain.ladder import POLICY_VERSION
from shared.domain.opposition import judge_group
from shared.rpc import clients, wire
from shared.rpc.context import Context
from tests.services.audit.source import DAY, SIGNER, TENANT, Source, asserted, clash, group, groups, missing, twins
from tests.services.running import role

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def auditing(source: Source) -> AsyncIterator[FieldAuditServiceStub]:
    async with (
        role("retrieve", source) as to_source,
        role("audit", FieldAudit(clients.conflicts(to_source), SIGNER)) as to_audit,
    ):
        yield clients.field_audit(to_audit)


async def audit(source: Source, resume_token: str = "") -> list[AuditFieldsResponse]:
    request = AuditFieldsRequest(tenant_id=str(TENANT), resume_token=resume_token)
    async with auditing(source) as stub:
        with clients.rpc_errors():
            return [line async for line in stub.AuditFields(request)]


async def report(source: Source, *, public: bool = False) -> GetAuditReportResponse:
    async with auditing(source) as stub:
        with clients.rpc_errors():
            return await stub.GetAuditReport(GetAuditReportRequest(tenant_id=str(TENANT), public=public))


def kinds(lines: list[AuditFieldsResponse]) -> list[str | None]:
    return [line.WhichOneof("item") for line in lines]


async def test_a_memory_at_peace_is_ok() -> None:
    (line,) = await audit(Source([]))
    summary = line.summary
    assert (summary.audited, summary.subjects, summary.ok) == (40, 9, True)
    assert (summary.policy_version, wire.instant(summary, "known_at")) == (POLICY_VERSION, DAY)


async def test_a_contradiction_comes_with_its_sides_and_a_recommendation() -> None:
    lines = await audit(Source([clash(1, "INV-5521")]))
    assert kinds(lines) == ["contradiction", "summary"]
    found = lines[0].contradiction
    assert (found.subject, found.company, found.attribute, found.value_count) == ("INV-5521", "Acme Ltd", "amount", 2)
    assert [(value.value, UUID(value.memory_id).int) for value in found.values] == [("8400", 1), ("8900", 2)]
    assert [value.source_ref for value in found.values] == ["mail-1", "mail-2"]
    assert not found.HasField("period") and not found.values[0].HasField("observed_at")
    resolution = found.resolution
    assert UUID(resolution.recommended_memory_id).int == 2
    assert (resolution.recommended_value, resolution.rule) == ("8900", "recency")
    assert 0 < resolution.confidence <= 1 and resolution.rationale
    assert (lines[1].summary.contradictions, lines[1].summary.ok) == (1, False)


async def test_every_kind_of_finding_in_the_order_of_the_source() -> None:
    superseded = group(asserted(1, "10", ended=True), asserted(2, "20"))
    lines = await audit(Source([superseded, clash(1), twins(3, 4), missing("PAY-1")]))
    assert kinds(lines) == ["superseded", "contradiction", "duplicate", "absence", "summary"]
    summary = lines[-1].summary
    assert (summary.superseded, summary.contradictions, summary.duplicates, summary.absences) == (1, 1, 1, 1)
    assert (lines[0].superseded.former.value, lines[0].superseded.current.value) == ("10", "20")
    assert (lines[2].duplicate.subject, lines[2].duplicate.memory_count) == ("INV-9", 2)
    assert lines[3].absence.subject == "PAY-1"
    assert [referrer.source_ref for referrer in lines[3].absence.referenced_by] == ["mail-5"]
    ids = {getattr(line, str(line.WhichOneof("item"))).finding_id for line in lines[:-1]}
    assert len(ids) == 4


async def test_what_only_informs_leaves_it_ok() -> None:
    superseded = group(asserted(1, "10", ended=True), asserted(2, "20"))
    lines = await audit(Source([superseded, twins(3, 4)]))
    assert lines[-1].summary.ok
    assert (await report(Source([superseded, twins(3, 4)]))).ok


async def test_agreeing_values_and_different_periods_are_silent() -> None:
    near = group(asserted(1, "9250"), asserted(2, "9250.3"))
    apart = group(asserted(1, "1", period="2026-01"), asserted(2, "2", period="2026-02"))
    assert kinds(await audit(Source([near, apart]))) == ["summary"]


def several() -> StreamConflictsResponse:
    """One message with two contradictions and one superseded value."""
    return group(
        asserted(1, "1", period="2026-01"),
        asserted(2, "2", period="2026-01"),
        asserted(3, "3", period="2026-02"),
        asserted(4, "4", period="2026-02"),
        asserted(5, "5", period="2026-02", ended=True),
    )


async def test_a_stream_goes_on_from_any_line_without_loss() -> None:
    def source() -> Source:
        return Source([clash(1, "INV-1"), several(), clash(5, "INV-3"), twins(8, 9), missing("PAY-1")])

    whole = [getattr(line, str(line.WhichOneof("item"))) for line in await audit(source())][:-1]
    lines = await audit(source())
    assert len(whole) == 7
    for cut, line in enumerate(lines):
        resumed = await audit(source(), line.resume_token)
        rest = [getattr(one, str(one.WhichOneof("item"))) for one in resumed][:-1]
        # Nothing after the cut is missing, and what comes again is of the message that was cut.
        assert rest[max(len(rest) - len(whole[cut + 1 :]), 0) :] == whole[cut + 1 :]
        repeated = rest[: len(rest) - len(whole[cut + 1 :])]
        assert repeated == (whole[1 : cut + 1] if cut in (1, 2) else [])
        assert resumed[-1].summary.audited == 40
        assert resumed[-1].summary.contradictions == kinds(resumed).count("contradiction")


async def test_a_message_of_several_groups_goes_on_after_any_of_them() -> None:
    def source() -> Source:
        pairs = [(asserted(n, "1", record=f"INV-{n}"), asserted(n + 1, "2", record=f"INV-{n}")) for n in range(1, 9, 2)]
        return Source([clash(11, "A"), groups(*pairs), twins(20, 21)])

    lines = await audit(source())
    assert kinds(lines) == ["contradiction"] * 5 + ["duplicate", "summary"]
    for cut, line in enumerate(lines[:-1]):
        assert (await audit(source(), line.resume_token))[:-1] == lines[cut + 1 : -1]


async def test_many_assertions_are_judged_while_others_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def judged(*given: object) -> object:
        threads.append(threading.current_thread() is threading.main_thread())
        return judge_group(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("services.audit.judging.judge_group", judged)
    many = group(*(asserted(n, str(n % 2), record="MANY") for n in range(1, OFF_LOOP_MIN_ASSERTIONS + 1)))
    lines = await audit(Source([clash(1), many]))
    assert kinds(lines) == ["contradiction", "contradiction", "summary"]
    assert threads == [True, False]


async def test_since_and_the_next_point_pass_through() -> None:
    source = Source([])
    async with auditing(source) as stub:
        request = AuditFieldsRequest(tenant_id=str(TENANT), since="earlier")
        (line,) = [line async for line in stub.AuditFields(request)]
        found = await stub.GetAuditReport(GetAuditReportRequest(tenant_id=str(TENANT), since="earlier"))
    assert [request.since for request in source.requests] == ["earlier", "earlier"]
    assert (line.summary.next_since, found.next_since) == ("point", "point")


async def test_filters_and_tenant_reach_the_source() -> None:
    source = Source([])
    async with auditing(source) as stub:
        request = AuditFieldsRequest(tenant_id=str(TENANT), company="", period="2026-01", kind=KIND_INVOICE)
        async for _ in stub.AuditFields(request):
            pass
    (passed,) = source.requests
    assert (passed.tenant_id, passed.period, passed.kind) == (str(TENANT), "2026-01", KIND_INVOICE)
    assert passed.HasField("company")


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (AuditFieldsRequest(tenant_id="everyone"), "TENANT_INVALID"),
        (AuditFieldsRequest(tenant_id=str(TENANT), kind=99), "KIND_INVALID"),  # type: ignore[arg-type]
    ],
)
async def test_bad_input_is_named_before_anything_is_read(request_: AuditFieldsRequest, reason: str) -> None:
    source = Source([])
    async with auditing(source) as stub:
        with pytest.raises(InvalidArgument) as caught, clients.rpc_errors():
            async for _ in stub.AuditFields(request_):
                pass
    assert caught.value.reason == reason
    assert not source.requests


async def test_an_error_of_the_source_arrives_after_the_findings() -> None:
    got = []
    async with auditing(Source([clash(1)], FailedPrecondition("RESUME_TOKEN_INVALID", "Old."))) as stub:
        with pytest.raises(FailedPrecondition), clients.rpc_errors():
            async for line in stub.AuditFields(AuditFieldsRequest(tenant_id=str(TENANT))):
                got.append(line.WhichOneof("item"))
    assert got == ["contradiction"]


async def test_a_source_that_is_down_is_an_upstream_that_does_not_answer() -> None:
    async with (
        clients.channel("127.0.0.1:1", caller="test") as nowhere,
        role("audit", FieldAudit(clients.conflicts(nowhere), SIGNER)) as to_audit,
    ):
        with pytest.raises(UpstreamUnavailable), clients.rpc_errors():
            await clients.field_audit(to_audit).GetAuditReport(GetAuditReportRequest(tenant_id=str(TENANT)))


async def test_material_that_breaks_the_contract_is_a_defect() -> None:
    broken = StreamConflictsResponse(
        groups=AssertionGroups(groups=[AssertionGroup(assertions=[Assertion(memory_id="x")])])
    )
    with pytest.raises(Internal):
        await audit(Source([broken]))


async def test_a_caller_that_leaves_ends_the_reading_of_the_source() -> None:
    source = Source([clash(number, f"INV-{number}") for number in range(20_000)])
    async with auditing(source) as stub:
        call = stub.AuditFields(AuditFieldsRequest(tenant_id=str(TENANT)))
        await call.read()
        call.cancel()
        await asyncio.wait_for(source.closed.wait(), 10)
    assert source.sent < 20_000


async def test_a_slow_reader_holds_the_source_back() -> None:
    source = Source([clash(number, f"INV-{number}" + "x" * 2000) for number in range(3000)])
    async with auditing(source) as stub:
        call = stub.AuditFields(AuditFieldsRequest(tenant_id=str(TENANT)))
        first = await call.read()
        assert first is not grpc.aio.EOF
        # Read a little; what is in flight is bounded by the windows of two hops, not by the tenant.
        for _ in range(50):
            await call.read()
        assert source.sent < 3000
        call.cancel()


async def test_the_report_holds_the_same_findings_sorted() -> None:
    messages = [clash(1, "b"), clash(3, "a", "vendor"), clash(5, "a"), twins(7, 8), missing("z"), missing("y")]
    found = await report(Source(messages))
    assert [(one.subject, one.attribute) for one in found.contradictions] == [
        ("a", "amount"),
        ("a", "vendor"),
        ("b", "amount"),
    ]
    assert [one.subject for one in found.absences] == ["y", "z"]
    assert len(found.duplicates) == 1
    assert (found.audited, found.subjects, found.ok, found.truncated) == (40, 9, False, False)
    assert (found.policy_version, wire.instant(found, "known_at")) == (POLICY_VERSION, DAY)


async def test_a_thousand_findings_fit_and_one_more_truncates() -> None:
    exactly = [missing(f"PAY-{number:04}") for number in range(MAX_FINDINGS)]
    full = await report(Source(exactly))
    assert (len(full.absences), full.truncated) == (MAX_FINDINGS, False)
    more = Source([*exactly, missing("PAY-x"), missing("PAY-y")])
    cut = await report(more)
    assert (len(cut.absences), cut.truncated, cut.ok) == (MAX_FINDINGS, True, False)
    assert (cut.audited, cut.subjects) == (40, 9)


async def test_a_report_of_the_public_tenant_has_half_as_many() -> None:
    exactly = [missing(f"PAY-{number:04}") for number in range(PUBLIC_MAX_FINDINGS)]
    full = await report(Source(exactly), public=True)
    assert (len(full.absences), full.truncated) == (500, False)
    cut = await report(Source([*exactly, missing("PAY-x")]), public=True)
    assert (len(cut.absences), cut.truncated, cut.ok) == (500, True, False)


async def test_a_report_of_the_public_tenant_takes_only_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(Source):
        async def StreamConflicts(
            self, request: StreamConflictsRequest, context: Context
        ) -> AsyncIterator[StreamConflictsResponse]:
            try:
                async for message in super().StreamConflicts(request, context):
                    yield message
                await asyncio.Event().wait()
            finally:
                ended.set()

    ended = asyncio.Event()
    monkeypatch.setattr(field_audit, "PUBLIC_SECONDS", 0.5)
    found = await report(Endless([missing("PAY-1")]), public=True)
    assert (len(found.absences), found.truncated, found.ok) == (1, True, False)
    await ended.wait()  # the source was told to stop


async def test_what_informs_gives_way_to_what_decides() -> None:
    informing = [twins(number, number + 1, record=f"INV-{number}") for number in range(1, MAX_FINDINGS + 3)]
    found = await report(Source([*informing, missing("PAY-1")]))
    assert (len(found.absences), len(found.duplicates)) == (1, MAX_FINDINGS - 1)
    assert found.truncated and not found.ok
    informing_only = await report(Source(informing))
    assert (len(informing_only.duplicates), informing_only.truncated, informing_only.ok) == (MAX_FINDINGS, True, False)


async def test_a_report_stays_a_message_however_wide_its_findings_are() -> None:
    wide = [missing(f"PAY-{number}" + "x" * 20_000) for number in range(500)]
    found = await report(Source(wide))
    assert found.truncated and len(found.absences) > 100
    assert found.ByteSize() < clients.MAX_MESSAGE_BYTES
