"""Documents become events and invoices: whole, in pieces, in any order, each with a result of its own."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from decimal import Decimal
from uuid import UUID

import pytest
from candor.ingest.v1 import documents_pb2 as pb

from services.ingest import document_job
from services.ingest.runner import JobRunner, Turn
from shared.domain.errors import Conflict, FailedPrecondition, InvalidArgument, NotFound, TooLarge, UpstreamUnavailable
from shared.domain.money.rules import RuleBands
from shared.rpc.clients import rpc_errors
from tests.services.ingest.paperwork import Desk, bank, bill, desk, register, slip
from tests.services.ingest.workplace import Workplace

pytestmark = pytest.mark.anyio


@pytest.fixture
async def papers(ingest: Workplace) -> AsyncIterator[Desk]:
    async with desk(ingest) as found:
        yield found


async def test_a_whole_payroll_is_an_event_with_six_rules(papers: Desk, tenant: UUID) -> None:
    answer = await papers.send(tenant, [register(2), bank(2), slip(1), slip(2)])
    (result,) = answer.results
    assert [one.status for one in answer.documents] == ["accepted"] * 4
    assert result.event.employer_cost_total == "11800.00" and not result.missing
    assert [rule.status for rule in result.validation] == ["passed"] * 6
    assert answer.extraction_models == ["test-reader"] and answer.events == 1
    assert answer.written == len(answer.memory_ids) == 4 + 1 + 1 + 2 + 6
    counted = await papers.ingest.rows(
        "SELECT kind, count(*)::int FROM memory WHERE tenant_id = $1 GROUP BY 1 ORDER BY 1", tenant
    )
    assert counted == [("document", 4), ("insight", 1), ("payroll_event", 3), ("validation", 6)]
    ledger = """SELECT side, amount, cash, currency FROM ledger_entry
        WHERE tenant_id = $1 AND ended_at IS NULL AND side <> 'employee'"""
    assert await papers.ingest.rows(ledger, tenant) == [("payroll", Decimal(11800), Decimal(9000), "EUR")]


async def test_the_same_documents_again_write_nothing(papers: Desk, tenant: UUID) -> None:
    sent = [register(1), bank(1), slip(1)]
    first = await papers.send(tenant, sent)
    before = await papers.ingest.contents(tenant)
    again = await papers.send(tenant, sent)
    assert again.written == 0 and set(again.memory_ids) == set(first.memory_ids)
    assert [one.status for one in again.documents] == ["existing"] * 3
    assert [one.memory_id for one in again.documents] == [one.memory_id for one in first.documents]
    assert await papers.ingest.contents(tenant) == before


async def test_evidence_in_pieces_fuses_and_is_missed_until_then(papers: Desk, tenant: UUID) -> None:
    first = await papers.send(tenant, [slip(1), register(2)])
    assert list(first.results[0].missing) == ["bank_confirmation", "payslips: 1 of 2"]
    assert not first.results[0].HasField("event")
    dangling = """SELECT count(*)::int FROM reference AS r WHERE tenant_id = $1 AND NOT EXISTS (
        SELECT FROM memory AS m
        WHERE m.tenant_id = $1 AND m.company_key = r.company_key AND m.record_key = r.target_key)"""
    assert await papers.ingest.value(dangling, tenant) == 2
    second = await papers.send(tenant, [bank(2)])
    assert list(second.results[0].missing) == ["payslips: 1 of 2"]
    assert [rule.status for rule in second.results[0].validation][3] == "failed"
    summary = next(row for row in await papers.memories(tenant, "payroll_event") if row[0] == first.results[0].event_id)
    assert "Still missing: payslips: 1 of 2" in summary[1] and summary[3] == [f"{summary[0]}:payslips"]
    assert await papers.ingest.value(dangling, tenant) == 1
    third = await papers.send(tenant, [slip(2)])
    assert not third.results[0].missing
    assert [rule.status for rule in third.results[0].validation] == ["passed"] * 6
    assert await papers.ingest.value(dangling, tenant) == 0
    rules = await papers.memories(tenant, "validation")
    assert len(rules) == 6 and all("passed" in row[1] for row in rules)
    revisions = "SELECT max(revision) FROM memory WHERE tenant_id = $1 AND kind = 'payroll_event'"
    assert await papers.ingest.value(revisions, tenant) == 2


async def test_a_bad_document_fails_alone(papers: Desk, tenant: UUID) -> None:
    broken = pb.DocumentInput(doc_id="slip-002", filename="x.pdf", data=b"%broken")
    empty = pb.DocumentInput(doc_id="empty")
    wrong = slip(3, net=1)
    answer = await papers.send(tenant, [register(3), bank(3), slip(1), broken, empty, wrong])
    told = {one.doc_id: (one.status, one.reason) for one in answer.documents}
    assert told == {
        "register": ("accepted", ""),
        "bank": ("accepted", ""),
        "slip-001": ("accepted", ""),
        "slip-002": ("failed", "DOCUMENT_DAMAGED"),
        "empty": ("failed", "DOCUMENT_EMPTY"),
        "slip-003": ("failed", "INTEGRITY"),
    }
    assert list(answer.results[0].missing) == ["payslips: 1 of 3"]


async def test_what_contradicts_the_record_is_refused_alone(papers: Desk, tenant: UUID) -> None:
    await papers.send(tenant, [register(1), bank(1), slip(1)])
    other = register(1, cost=6000)
    other.doc_id = "register-2"
    answer = await papers.send(tenant, [other])
    (told,) = answer.documents
    assert (told.status, told.reason, told.field) == ("failed", "EVIDENCE_CONTRADICTS", "employer_cost_total")
    assert "6000" in told.description and answer.written == 0


async def test_a_dry_run_tells_and_writes_nothing(papers: Desk, tenant: UUID) -> None:
    before = await papers.ingest.contents(tenant)
    answer = await papers.send(tenant, [register(1), bank(1), slip(1), bill()], dry_run=True)
    assert answer.dry_run and answer.written == 0 and not answer.memory_ids
    assert [one.status for one in answer.documents] == ["accepted"] * 4 and answer.results[0].HasField("event")
    assert await papers.ingest.contents(tenant) == before


async def test_a_request_id_has_one_effect_and_reads_once(papers: Desk, tenant: UUID) -> None:
    first = await papers.send(tenant, [bill()], request_id="r-1")
    assert await papers.send(tenant, [bill()], request_id="r-1") == first
    assert papers.reader.read == ["bill"]
    with pytest.raises(Conflict) as refusal:
        await papers.send(tenant, [bill(total=1)], request_id="r-1")
    assert refusal.value.reason == "REQUEST_ID_REUSED"


async def test_what_cannot_be_read_for_now_is_read_again_under_the_same_request(papers: Desk, tenant: UUID) -> None:
    papers.reader.away = {"slip-002"}
    sent = [register(2), bank(2), slip(1), slip(2)]
    first = await papers.send(tenant, sent, request_id="r-2")
    assert [one.reason for one in first.documents] == ["", "", "", "MODEL_UNAVAILABLE"]
    papers.reader.away = set()
    again = await papers.send(tenant, sent, request_id="r-2")
    assert [one.status for one in again.documents] == ["existing"] * 3 + ["accepted"]
    papers.reader.away = {"bill"}
    with pytest.raises(UpstreamUnavailable):
        await papers.send(tenant, [bill()])


async def test_an_invoice_and_its_receipts_are_one_memory(papers: Desk, tenant: UUID) -> None:
    first = await papers.send(tenant, [bill()])
    part = await papers.send(tenant, [bill("receipt", paid=400, status="partial")])
    assert part.documents[0].memory_id == first.documents[0].memory_id
    silent = await papers.send(tenant, [bill()])
    assert silent.documents[0].status == "existing"
    late = await papers.send(tenant, [bill("old", status="unpaid")])
    assert late.documents[0].reason == "INVOICE_STATE_PAST"
    ledger = "SELECT cash_status, cash FROM ledger_entry WHERE tenant_id = $1 AND ended_at IS NULL"
    assert await papers.ingest.rows(ledger, tenant) == [("partial", Decimal(400))]


async def test_many_documents_are_a_job_that_keeps_what_it_read(papers: Desk, tenant: UUID) -> None:
    means = papers.ingest.means
    broken = pb.DocumentInput(doc_id="slip-020", data=b"%broken")
    sent = [register(20), bank(20), *map(slip, range(1, 20)), broken]
    papers.reader.away = {"slip-019"}
    left = await papers.send(tenant, sent, request_id="job-1")
    assert left.job_id and not left.documents
    assert await papers.send(tenant, sent, request_id="job-1") == left
    asked = pb.GetIngestedDocumentsRequest(tenant_id=str(tenant), job_id=left.job_id)
    with pytest.raises(FailedPrecondition, match="queued"), rpc_errors():
        await papers.documents.GetIngestedDocuments(asked)

    async def handle(turn: Turn) -> Mapping[str, int]:
        return await document_job.handle(turn, means=means, reader=papers.to_read, bands=RuleBands())

    runner = JobRunner(papers.ingest.pool, {document_job.KIND: handle}, now=papers.ingest.clock.now)
    assert await runner.step()
    kept = "SELECT count(*)::int, count(content)::int FROM document_upload WHERE tenant_id = $1"
    assert await papers.ingest.rows(kept, tenant) == [(22, 1)]
    papers.reader.away = set()
    papers.ingest.clock.tick(10)
    assert await runner.step()
    with rpc_errors():
        outcome = (await papers.documents.GetIngestedDocuments(asked)).outcome
    assert [one.status for one in outcome.documents] == ["accepted"] * 21 + ["failed"]
    assert list(outcome.results[0].missing) == ["payslips: 19 of 20"]
    assert len(papers.reader.read) == 22  # each once
    assert await papers.ingest.rows(kept, tenant) == [(0, 0)]
    with pytest.raises(NotFound), rpc_errors():
        await papers.documents.GetIngestedDocuments(
            pb.GetIngestedDocumentsRequest(tenant_id="00000000-0000-4000-8000-000000000001", job_id=left.job_id)
        )


async def test_requests_are_bounded(papers: Desk, tenant: UUID) -> None:
    with pytest.raises(InvalidArgument, match="at least one"):
        await papers.send(tenant, [])
    with pytest.raises(TooLarge):
        await papers.send(tenant, [pb.DocumentInput(content="x")] * 501)


async def test_two_requests_at_once_fuse_to_one_event(papers: Desk, tenant: UUID) -> None:
    await asyncio.gather(
        papers.send(tenant, [register(3), slip(1)]),
        papers.send(tenant, [bank(3), slip(2)]),
        papers.send(tenant, [slip(3)]),
    )
    rules = await papers.memories(tenant, "validation")
    assert len(rules) == 6 and all("passed" in row[1] for row in rules)
    assert (
        await papers.ingest.value(
            "SELECT count(*)::int FROM memory WHERE tenant_id = $1 AND kind = 'document' AND state = 'active'", tenant
        )
        == 5
    )


async def test_what_takes_too_long_is_left_to_a_job_with_what_was_read(ingest: Workplace, tenant: UUID) -> None:
    async with desk(ingest, patience_seconds=0.5) as papers:
        papers.reader.slow = {"bank"}
        left = await papers.send(tenant, [register(1), bank(1), slip(1)])
        assert left.job_id and sorted(papers.reader.read) == ["register", "slip-001"]
        kept = "SELECT position FROM document_upload WHERE tenant_id = $1 AND content IS NULL ORDER BY 1"
        assert await ingest.rows(kept, tenant) == [(0,), (2,)]
