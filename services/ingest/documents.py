"""DocumentsService: payroll events, invoices, and the documents they are read from.

Rules: the same request id with the same body has one effect. Few documents are read at once, many or slow ones by
a job, which keeps what was read. An answer
that another attempt could better is not kept: what was taken is on record, and the rest is read again. It does not know
how documents are read, put together or written.
Source: archon-behaviour 1.12–1.14; REQUIREMENTS E1–E3.
"""

from collections.abc import Sequence
from functools import partial

from candor.ingest.v1 import documents_pb2 as pb
from candor.ingest.v1.documents_pb2_grpc import DocumentsServiceServicer

from services.ingest import document_events, document_invoices, document_job
from services.ingest.asking import Ask, Means, ask_of, former_answer
from services.ingest.document_input import Paper, papers_of
from services.ingest.document_reading import DocumentReader, Reading
from services.ingest.document_taking import Taking
from services.ingest.keeping import Kept
from services.ingest.money_input import event_of, invoice_of
from shared.domain.errors import FailedPrecondition, NotFound
from shared.domain.money.cash import CashStatus
from shared.domain.money.rules import RuleBands
from shared.rpc import wire
from shared.rpc.context import Context
from shared.store.pool import Connection, run
from shared.store.writes import jobs, requests
from shared.store.writes.jobs import JobStatus

AT_ONCE_MAX = 20  # documents that are read while the caller waits; archon-behaviour 7.1
PATIENCE_SECONDS = 20.0  # for reading them; a caller waits 30 s for an answer (chosen, untested)


class DocumentsServicer(DocumentsServiceServicer):
    """Serves DocumentsService."""

    def __init__(
        self, means: Means, reader: DocumentReader, bands: RuleBands, *, patience_seconds: float = PATIENCE_SECONDS
    ) -> None:
        self._means = means
        self._patience_seconds = patience_seconds
        self._reader = reader
        self._bands = bands

    async def IngestPayrollEvent(
        self, request: pb.IngestPayrollEventRequest, context: Context
    ) -> pb.IngestPayrollEventResponse:
        """Write one payroll event that is whole."""
        ask = ask_of(request, self._means.request_key)
        answer = await document_events.keep_event(self._means, ask, event_of(request.event), _event_kept)
        return pb.IngestPayrollEventResponse.FromString(answer)

    async def IngestInvoice(self, request: pb.IngestInvoiceRequest, context: Context) -> pb.IngestInvoiceResponse:
        """Write one invoice, or its next state."""
        ask, invoice = ask_of(request, self._means.request_key), invoice_of(request)
        respond = partial(_invoice_kept, invoice.cash.status)
        return pb.IngestInvoiceResponse.FromString(
            await document_invoices.keep_invoice(self._means, ask, invoice, respond)
        )

    async def IngestDocuments(self, request: pb.IngestDocumentsRequest, context: Context) -> pb.IngestDocumentsResponse:
        """Read documents and write what they say, or leave them to a job."""
        means, ask, papers = self._means, ask_of(request, self._means.request_key), papers_of(request)
        key, now = ask.key, means.now()
        if key is not None:
            former = await run(means.pool, ask.tenant_id, lambda c: former_answer(c, key), read_only=True)
            if former is not None:
                return pb.IngestDocumentsResponse.FromString(former)
        if request.background or len(papers) > AT_ONCE_MAX:
            return await self._leave(ask, papers, (), dry_run=request.dry_run)
        within = await self._reader.read_within(ask.tenant_id, papers, self._patience_seconds)
        readings = [reading for reading in within if reading is not None]
        if len(readings) < len(papers):
            return await self._leave(ask, papers, within, dry_run=request.dry_run)
        if all(reading.is_for_now for reading in readings) and readings[0].error is not None:
            raise readings[0].error
        answer = await Taking(means, ask, self._bands, dry_run=request.dry_run).take(papers, readings)
        if any(reading.is_for_now for reading in readings):
            return answer

        async def keep(_: Connection) -> bytes:
            return answer.SerializeToString(deterministic=True)

        return pb.IngestDocumentsResponse.FromString((await means.once(ask, now, keep)).answer)

    async def _leave(
        self, ask: Ask, papers: Sequence[Paper], readings: Sequence[Reading | None], *, dry_run: bool
    ) -> pb.IngestDocumentsResponse:
        """Leave documents to a job, which reads those that are not read yet."""

        async def leave(connection: Connection) -> bytes:
            job_id = await document_job.enqueue(connection, self._means, ask, papers, readings, dry_run=dry_run)
            return pb.IngestDocumentsResponse(job_id=str(job_id), dry_run=dry_run).SerializeToString()

        done = await self._means.once(ask, self._means.now(), leave)
        return pb.IngestDocumentsResponse.FromString(done.answer)

    async def GetIngestedDocuments(
        self, request: pb.GetIngestedDocumentsRequest, context: Context
    ) -> pb.GetIngestedDocumentsResponse:
        """Read what a job came to."""
        tenant_id = wire.tenant(request)
        job_id = wire.identifier(request.job_id, "job_id", "JOB_ID_INVALID")
        named = {"job_id": str(job_id)}

        async def read(connection: Connection) -> bytes:
            job = await jobs.find(connection, tenant_id, job_id)
            outcome = await requests.find(connection, document_job.outcome_key(tenant_id, job_id))
            if outcome is not None:
                return outcome
            if job is None or job.kind != document_job.KIND:
                raise NotFound("JOB_NOT_FOUND", "there is no such job", metadata=named)
            is_open = job.status in (JobStatus.QUEUED, JobStatus.RUNNING)
            reason = "JOB_RUNNING" if is_open else "JOB_FAILED"
            raise FailedPrecondition(reason, f"the job is {job.status}", metadata=named | {"status": job.status})

        outcome = await run(self._means.pool, tenant_id, read, read_only=True)
        return pb.GetIngestedDocumentsResponse(outcome=pb.IngestDocumentsResponse.FromString(outcome))


def _event_kept(kept: Kept) -> bytes:
    ids = [str(one.memory_id) for one in kept.stands]
    operation = str(kept.operation_id) if kept.operation_id else ""
    answer = pb.IngestPayrollEventResponse(written=len(ids), ids=ids, operation_id=operation)
    return answer.SerializeToString(deterministic=True)


def _invoice_kept(status: CashStatus, kept: Kept) -> bytes:
    (stand,) = kept.stands
    return pb.IngestInvoiceResponse(
        written=1,
        id=str(stand.memory_id),
        revision=stand.revision,
        existing=kept.written == 0,
        cash_status=str(status),
        operation_id=str(kept.operation_id) if kept.operation_id else "",
    ).SerializeToString(deterministic=True)
