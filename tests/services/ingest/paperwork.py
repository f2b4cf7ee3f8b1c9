"""Papers of an invented company, a judge that reads them as written, and ingest's DocumentsService over gRPC."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from candor.ingest.v1 import documents_pb2 as pb
from candor.ingest.v1.documents_pb2_grpc import DocumentsServiceStub
from candor.judge.v1 import documents_pb2 as judge_pb
from candor.judge.v1.documents_pb2_grpc import DocumentServiceServicer

from services.ingest.document_reading import DocumentReader
from services.ingest.documents import DocumentsServicer
from shared.domain.errors import InvalidArgument, UpstreamUnavailable
from shared.domain.metadata import canonical_json
from shared.domain.money import paper
from shared.domain.money.evidence import DocType, EmployeeEvidence, ExtractedDocument, InvoiceEvidence
from shared.domain.money.rules import RuleBands
from shared.rpc import life_stubs
from shared.rpc.clients import rpc_errors
from shared.rpc.context import Context
from shared.rpc.wire.document import to_extracted
from tests.services.ingest.workplace import Workplace
from tests.services.running import role

COMPANY, PERIOD = "Halden Mills", "2026-05"
BASE = ExtractedDocument("", "", company=COMPANY, period=PERIOD, currency="EUR", event_ref="may")
ONE = EmployeeEvidence(None, None, *map(Decimal, ("5000", "150", "350", "4500", "900", "5900")))


class Reader(DocumentServiceServicer):
    """Reads what `paper` wrote and counts it.

    `away`: documents it can say nothing about for now; `slow`: those it never ends with.
    """

    def __init__(self) -> None:
        self.read: list[str] = []
        self.away: set[str] = set()
        self.slow: set[str] = set()

    async def ExtractDocument(
        self, request: judge_pb.ExtractDocumentRequest, context: Context
    ) -> judge_pb.ExtractDocumentResponse:
        doc_id = request.declared.doc_id
        if doc_id in self.away:
            raise UpstreamUnavailable("MODEL_UNAVAILABLE", "the model does not answer", retry_after_seconds=1.0)
        if doc_id in self.slow:
            await asyncio.Event().wait()
        self.read.append(doc_id)
        if request.content.startswith(b"%broken"):
            raise InvalidArgument.of("content", "DOCUMENT_DAMAGED", "ends in the middle of a page")
        found = replace(paper.read(json.loads(request.content)), doc_id=doc_id, filename=request.declared.filename)
        return judge_pb.ExtractDocumentResponse(documents=[to_extracted(found)], model="test-reader")


@dataclass(frozen=True)
class Desk:
    """Ingest's documents and the judge that reads them."""

    ingest: Workplace
    documents: DocumentsServiceStub
    reader: Reader
    to_read: DocumentReader

    async def send(self, tenant: UUID, papers: Sequence[pb.DocumentInput], **given: Any) -> pb.IngestDocumentsResponse:
        self.ingest.clock.tick()
        with rpc_errors():
            return await self.documents.IngestDocuments(
                pb.IngestDocumentsRequest(tenant_id=str(tenant), actor="clerk", documents=papers, **given)
            )

    async def invoice(self, tenant: UUID, **given: Any) -> pb.IngestInvoiceResponse:
        self.ingest.clock.tick()
        fields = {
            "type": "purchase",
            "company": COMPANY,
            "period": PERIOD,
            "date": "2026-05-10",
            "currency": "EUR",
            "total": "8400",
            "invoice_ref": "INV-7",
            "vendor": "Orrin Paper",
        }
        request = pb.IngestInvoiceRequest(tenant_id=str(tenant), actor="clerk", **(fields | given))
        with rpc_errors():
            return await self.documents.IngestInvoice(request)

    async def memories(self, tenant: UUID, kind: str) -> list[tuple[Any, ...]]:
        """Return (record, content, metadata, references) of the open memories of a kind."""
        return await self.ingest.rows(
            """SELECT record, content, metadata::jsonb, refs FROM memory
            WHERE tenant_id = $1 AND kind = $2 AND state = 'active' ORDER BY record""",
            tenant,
            kind,
        )


@asynccontextmanager
async def desk(ingest: Workplace, *, patience_seconds: float = 20.0) -> AsyncIterator[Desk]:
    """Start judge's reading and ingest's documents."""
    reader = Reader()
    async with role("judge", reader) as judge:
        to_read = DocumentReader(life_stubs.document_reader(judge))
        servicer = DocumentsServicer(ingest.means, to_read, RuleBands(), patience_seconds=patience_seconds)
        async with role("ingest", servicer) as via:
            yield Desk(ingest, DocumentsServiceStub(via), reader, to_read)


def sheet(doc_id: str, document: ExtractedDocument) -> pb.DocumentInput:
    return pb.DocumentInput(doc_id=doc_id, filename=f"{doc_id}.pdf", content=canonical_json(paper.written(document)))


def register(count: int, cost: int = 5900) -> pb.DocumentInput:
    found = replace(BASE, doc_type=DocType.PAYROLL_REGISTER, employee_count=count)
    return sheet(
        "register",
        replace(found, gross_pay_total=Decimal(5000 * count), employer_cost_total=Decimal(cost * count)),
    )


def bank(count: int) -> pb.DocumentInput:
    found = replace(BASE, doc_type=DocType.BANK_CONFIRMATION, net_pay_total=Decimal(4500 * count))
    return sheet("bank", replace(found, payment_date=date(2026, 5, 27)))


def slip(number: int, net: int = 4500) -> pb.DocumentInput:
    employee = replace(ONE, employee_id=f"E-{number:03}", name=f"Worker {number}", net=Decimal(net))
    return sheet(f"slip-{number:03}", replace(BASE, doc_type=DocType.PAYSLIP, employees=(employee,)))


def bill(
    doc_id: str = "bill", total: int = 8400, paid: int | None = None, status: str | None = None
) -> pb.DocumentInput:
    found = InvoiceEvidence("INV-7", "Orrin Paper", COMPANY, date(2026, 5, 10), Decimal(total), status=status)
    found = replace(found, paid_amount=None if paid is None else Decimal(paid))
    return sheet(doc_id, replace(BASE, doc_type=DocType.PURCHASE_INVOICE, invoice=found))
