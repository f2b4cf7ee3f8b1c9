"""The owner's documents, for the stranger to look for; and what the stranger asks of the service that takes them."""

import json
from collections.abc import Mapping, Sequence

import grpc
from candor.ingest.v1 import documents_pb2 as pb
from candor.ingest.v1 import payroll_pb2 as payroll_pb
from candor.ingest.v1.documents_pb2_grpc import DocumentsServiceStub
from candor.judge.v1 import documents_pb2 as judge_pb

from tests.e2e.decided import Question

PAY = {"gross": "100", "employee_social_security": "0", "tax": "0", "net": "100", "employer_social_security": "30"}
REGISTER = {"doc_type": "payroll_register", "gross_pay_total": 100, "employer_cost_total": 130, "employee_count": 1}


def _invoice(company: str, **given: str) -> pb.IngestInvoiceRequest:
    request = pb.IngestInvoiceRequest(
        type="purchase",
        company=company,
        period="2026-04",
        date="2026-04-02",
        currency="EUR",
        total="77",
        invoice_ref="KNOWN-1",
        vendor="Known Vendor",
    )
    request.MergeFrom(pb.IngestInvoiceRequest(**given))
    return request


def _event(company: str, actor: str = "") -> pb.IngestPayrollEventRequest:
    employee = payroll_pb.NewPayrollEmployee(employee_id="E-1", employer_cost="130", **PAY)
    event = payroll_pb.NewPayrollEvent(
        event_id="evt-known",
        company=company,
        period="2026-04",
        currency="EUR",
        employee_count=1,
        bank_net_total="100",
        gross_total="100",
        employer_social_security_total="30",
        employee_social_security_total="0",
        tax_withheld_total="0",
        employer_cost_total="130",
        employees=[employee],
    )
    return pb.IngestPayrollEventRequest(actor=actor, event=event)


def _documents(company: str, *, background: bool = False) -> pb.IngestDocumentsRequest:
    paper = pb.DocumentInput(doc_id="known", content=json.dumps(REGISTER), company=company, period="2026-04")
    return pb.IngestDocumentsRequest(
        documents=[paper], dry_run=True, background=background, request_id="the-same-papers"
    )


def _extract(company: str) -> judge_pb.ExtractDocumentRequest:
    declared = judge_pb.DeclaredDocument(doc_id="known", company=company, period="2026-04")
    return judge_pb.ExtractDocumentRequest(content=json.dumps(REGISTER).encode(), declared=declared)


async def write(channel: grpc.aio.Channel, tenant_id: str, *, company: str, secret: str) -> tuple[list[str], str]:
    """Write an invoice and an event, and leave a document to a job, over ingest; return their memories and the job."""
    service = DocumentsServiceStub(channel)
    invoice, event = _invoice(company, actor=secret, request_id="the-same-invoice"), _event(company, secret)
    documents = _documents(company, background=True)
    documents.request_id = "the-owners-papers"
    for request in (invoice, event, documents):
        request.tenant_id = tenant_id
    ids = [(await service.IngestInvoice(invoice)).id, *(await service.IngestPayrollEvent(event)).ids]
    return ids, (await service.IngestDocuments(documents)).job_id


def questions(job_id: str, company: str) -> Mapping[str, Sequence[Question]]:
    """Return the questions to every RPC about documents."""
    return {
        "ingest.DocumentsService.IngestInvoice": [
            (_invoice(company), "OK", False),
            (_invoice(company, status="paid"), "OK", False),
        ],
        "ingest.DocumentsService.IngestPayrollEvent": [(_event(company), "OK", False)],
        "ingest.DocumentsService.IngestDocuments": [(_documents(company), "OK", False)],
        "judge.DocumentService.ExtractDocument": [(_extract(company), "OK", False)],
        "ingest.DocumentsService.GetIngestedDocuments": [
            (pb.GetIngestedDocumentsRequest(job_id=job_id), "JOB_NOT_FOUND", False)
        ],
    }
