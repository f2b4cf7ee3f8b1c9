"""Taking documents that were read: payroll papers to their events, invoices to their records, each with its result.

Rules: an event is written in one transaction, an invoice in one; one that fails leaves the others. Nothing is written
in a dry run. It does not know how documents are read, nor whether a job or a request takes them.
Source: REQUIREMENTS E1, E3.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from candor.ingest.v1 import documents_pb2 as pb
from candor.ingest.v1 import payroll_pb2 as payroll_pb

from services.ingest import document_answers as answers
from services.ingest import document_events, document_invoices
from services.ingest.asking import Ask, Means
from services.ingest.document_input import Paper
from services.ingest.document_reading import Reading
from services.ingest.keeping import Kept
from shared.domain.errors import Conflict, InvalidArgument
from shared.domain.money import drafts, invoice, linking
from shared.domain.money.evidence import INVOICE_TYPES, PAYROLL_TYPES, DocType, ExtractedDocument
from shared.domain.money.invoice import Invoice
from shared.domain.money.linking import Piece
from shared.domain.money.rules import RuleBands


@dataclass(slots=True)
class _Slot:
    """One extracted document on its way to a result."""

    paper: Paper
    document: ExtractedDocument
    result: pb.DocumentResult | None = None


class Taking:
    """Takes the documents of one request."""

    def __init__(self, means: Means, ask: Ask, bands: RuleBands, *, dry_run: bool) -> None:
        self._means, self._ask, self._bands = means, replace(ask, key=None), bands
        self._dry_run = dry_run
        self._written = 0
        self._memories: dict[str, None] = {}
        self._events: list[payroll_pb.EventResult] = []

    async def take(self, papers: Sequence[Paper], readings: Sequence[Reading]) -> pb.IngestDocumentsResponse:
        """Write what documents say and tell what became of each."""
        results: list[pb.DocumentResult | _Slot] = []
        pieces: dict[str, list[tuple[_Slot, Piece]]] = {}
        invoices: list[_Slot] = []
        for paper, reading in zip(papers, readings, strict=True):
            if reading.error is not None:
                results.append(answers.failed(paper, reading.error))
            for document in reading.documents:
                slot = _Slot(paper, document)
                results.append(slot)
                try:
                    if document.doc_type in PAYROLL_TYPES:
                        piece = linking.piece(document)
                        pieces.setdefault(piece.event_id, []).append((slot, piece))
                    elif document.doc_type in INVOICE_TYPES:
                        invoices.append(slot)
                    else:
                        raise InvalidArgument.of("doc_type", "DOC_TYPE_UNKNOWN", "was neither declared nor recognised")
                except InvalidArgument as error:
                    slot.result = answers.failed(paper, error, document)
        for together in pieces.values():
            await self._event(together)
        for slot in invoices:
            await self._invoice(slot)
        return pb.IngestDocumentsResponse(
            events=len(pieces),
            written=self._written,
            results=self._events,
            memory_ids=self._memories,
            dry_run=self._dry_run,
            extraction_models=sorted({reading.model for reading in readings if reading.model}),
            documents=map(_told, results),
        )

    async def _event(self, together: Sequence[tuple[_Slot, Piece]]) -> None:
        pieces = [piece for _, piece in together]
        settled = await document_events.settle(self._means, self._ask, pieces, self._bands, dry_run=self._dry_run)
        found = settled.conclusion
        ids = [str(one.memory_id) for one in settled.stands]
        by_doc = {doc_id: str(held.memory_id) for doc_id, held in found.known.items()}
        by_record = dict(zip((draft.record for draft in found.drafts), ids, strict=False))
        for position, (slot, piece) in enumerate(together):
            if position in found.refused:
                slot.result = answers.failed(slot.paper, found.refused[position], slot.document)
                continue
            status = answers.EXISTING if piece.doc_id in found.known else answers.ACCEPTED
            record = drafts.document_record(piece.event_id, piece.doc_id)
            memory_id = by_doc.get(piece.doc_id) or by_record.get(record, "")
            slot.result = answers.taken(slot.paper, slot.document, status, piece.event_id, memory_id)
            self._memories |= dict.fromkeys([memory_id] if memory_id else [])
        self._memories |= dict.fromkeys(ids)
        self._written += settled.written
        self._events.append(answers.event(settled))

    async def _invoice(self, slot: _Slot) -> None:
        kept: list[Kept] = []

        def respond(done: Kept) -> bytes:
            kept[:] = [done]
            return b""

        try:
            found = _invoice_of(slot.document)
            if self._dry_run:
                await document_invoices.check(self._means, self._ask.tenant_id, found)
            else:
                await document_invoices.keep_invoice(self._means, self._ask, found, respond)
        except (InvalidArgument, Conflict) as error:
            slot.result = answers.failed(slot.paper, error, slot.document)
            return
        memory_id = str(kept[0].stands[0].memory_id) if kept else ""
        is_new = not kept or kept[0].written
        status = answers.ACCEPTED if is_new else answers.EXISTING
        slot.result = answers.taken(slot.paper, slot.document, status, found.record, memory_id)
        self._memories |= dict.fromkeys([memory_id] if memory_id else [])
        self._written += kept[0].written if kept else 0


def _told(one: pb.DocumentResult | _Slot) -> pb.DocumentResult:
    if isinstance(one, pb.DocumentResult):
        return one
    assert one.result is not None  # every document was taken or refused
    return one.result


def _invoice_of(document: ExtractedDocument) -> Invoice:
    """Return the checked invoice of a document. Raises: InvalidArgument."""
    found = document.invoice
    if found is None:
        raise InvalidArgument.of("invoice", "FIELD_MISSING", "was not found")
    is_sale = document.doc_type is DocType.SALES_INVOICE
    return invoice.check(
        invoice_type="sales" if is_sale else "purchase",
        company=document.company or "",
        period=f"{found.invoice_date:%Y-%m}" if found.invoice_date else "",
        dated=f"{found.invoice_date}" if found.invoice_date else "",
        currency=document.currency or "",
        total=found.total,
        invoice_ref=found.invoice_ref or "",
        vendor=None if is_sale else found.vendor,
        customer=found.customer if is_sale else None,
        paid_amount=found.paid_amount,
        status=found.status,
        payment_date=f"{found.payment_date}" if found.payment_date else None,
    )
