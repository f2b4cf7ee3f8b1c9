"""Evidence survives as a memory, and events and invoices become memories that the audit and the ledger can read."""

from dataclasses import replace
from decimal import Decimal

from shared.domain.metadata import parse
from shared.domain.money import drafts, paper
from shared.domain.money.evidence import ExtractedDocument, FieldSource
from shared.domain.money.ledger import Side, entries_of_draft
from shared.domain.money.linking import event_of
from shared.domain.money.rules import evaluate
from shared.domain.types import MemoryKind
from tests.domain.money.money_cases import STAFF, bank, linked, payslips, register
from tests.domain.money.test_invoice import invoice


def _kept(document: ExtractedDocument) -> ExtractedDocument:
    return paper.read(parse(drafts.document(replace(register(), document=document)).metadata_json)["paper"])  # type: ignore[arg-type]


def test_evidence_comes_back_as_it_was() -> None:
    for one in (register(), bank(), *payslips()):
        assert _kept(one.document) == one.document
    document = replace(register().document, employees=STAFF, notes=("odd",), sources=(FieldSource("a", "b", "c"),))
    assert _kept(document) == replace(document, sources=())


def test_a_document_claims_nothing_and_refers_to_its_event() -> None:
    slip = payslips()[0]
    draft = drafts.document(slip)
    assert draft.references == (slip.event_id,) and draft.kind is MemoryKind.DOCUMENT
    assert entries_of_draft(draft) == ()


def test_rows_beyond_what_metadata_hold_are_left_out_and_it_says_so() -> None:
    rows = tuple(replace(STAFF[0], employee_id=f"E-{n}") for n in range(1000))
    kept = _kept(replace(register().document, employees=rows))
    assert kept.employees == () and kept.notes


def test_a_whole_event_is_eleven_memories_with_one_ledger_entry() -> None:
    whole = linked(register(), bank(), *payslips())
    event = event_of(whole)
    assert event is not None
    found = drafts.event(event, whole, evaluate(whole))
    assert [d.kind for d in found].count(MemoryKind.VALIDATION) == 6 and len(found) == 11
    assert len({d.record for d in found}) == 11
    entries = [entry for draft in found for entry in entries_of_draft(draft)]
    (entry,) = [entry for entry in entries if entry.side is Side.PAYROLL]
    assert {one.side for one in entries} == {Side.PAYROLL, Side.EMPLOYEE}
    assert (entry.side, entry.amount, entry.cash, entry.currency) == (
        Side.PAYROLL,
        Decimal(14600),
        Decimal(10800),
        "EUR",
    )


def test_a_summary_refers_to_payslips_only_while_they_are_missing() -> None:
    partly, whole = linked(register(), bank(), payslips()[0]), linked(register(), bank(), *payslips())
    for one, references in ((partly, (f"{partly.event_id}:payslips",)), (whole, ())):
        event = event_of(one)
        assert event is not None
        summary = drafts.event(event, one, ())[0]
        assert summary.references == references
        assert ("Still missing: payslips: 1 of 3." in summary.content) is bool(references)


def test_the_states_of_an_invoice_share_record_and_dedup_key() -> None:
    states = [drafts.invoice(invoice(**more)) for more in ({"status": "unpaid"}, {"status": "paid"})]
    (unpaid,), (paid,) = map(entries_of_draft, states)
    assert states[0].record == states[1].record and unpaid.dedup_key == paid.dedup_key
    assert (unpaid.cash, paid.cash) == (Decimal(0), Decimal(8400))
    assert "unpaid" in states[0].content and "EUR 8,400.00" in states[0].content
