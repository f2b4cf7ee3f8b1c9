"""What became of documents, as the contract tells it. It decides nothing."""

from collections.abc import Iterable
from decimal import Decimal

from candor.ingest.v1 import documents_pb2 as pb
from candor.ingest.v1 import payroll_pb2 as payroll_pb

from services.ingest.document_events import Settled
from services.ingest.document_input import Paper
from shared.domain.errors import CandorError
from shared.domain.money.amounts import plain, rounded
from shared.domain.money.evidence import ExtractedDocument
from shared.domain.money.payroll import Employee, PayrollEvent, derived
from shared.domain.money.rules import RuleResult

TOP_EMPLOYEES = 5  # archon-behaviour 7.8
ACCEPTED, EXISTING, FAILED = "accepted", "existing", "failed"


def failed(paper: Paper, error: CandorError, document: ExtractedDocument | None = None) -> pb.DocumentResult:
    """Tell why a document failed."""
    first = error.violations[0] if error.violations else None
    return pb.DocumentResult(
        doc_id=document.doc_id if document else paper.doc_id,
        filename=paper.filename,
        status=FAILED,
        doc_type=str(document.doc_type) if document else "",
        missing=document.missing if document else (),
        notes=document.notes if document else (),
        reason=error.reason,
        field=first.field if first else error.metadata.get("field", ""),
        description="; ".join(f"{one.field}: {one.description}" for one in error.violations) or error.message,
    )


def taken(paper: Paper, document: ExtractedDocument, status: str, record: str, memory_id: str) -> pb.DocumentResult:
    """Tell where a document's evidence stands."""
    return pb.DocumentResult(
        doc_id=document.doc_id,
        filename=paper.filename,
        status=status,
        doc_type=str(document.doc_type),
        record=record,
        memory_id=memory_id,
        missing=document.missing,
        notes=document.notes,
    )


def event(settled: Settled) -> payroll_pb.EventResult:
    """Tell what the documents of an event say so far."""
    found = settled.conclusion
    return payroll_pb.EventResult(
        event_id=found.linked.event_id,
        event=payroll(found.event) if found.event else None,
        pnl=_figures(found.event) if found.event else None,
        validation=map(_rule, found.results),
        missing=found.linked.missing,
    )


def payroll(found: PayrollEvent) -> payroll_pb.PayrollEvent:
    """Tell an event."""
    more, code = derived(found), found.currency
    contribution, tax = found.employee_social_security_total, found.tax_withheld_total
    return payroll_pb.PayrollEvent(
        event_id=found.event_id,
        event_ref=found.event_ref,
        company=found.company,
        period=found.period,
        currency=code,
        employee_count=found.employee_count,
        bank_net_total=_money(found.bank_net_total, code),
        gross_total=_money(found.gross_total, code),
        employer_social_security_total=_money(found.employer_social_security_total, code),
        employee_social_security_total=None if contribution is None else _money(contribution, code),
        tax_withheld_total=None if tax is None else _money(tax, code),
        employer_cost_total=_money(found.employer_cost_total, code),
        employees=_employees(found.employees, code),
        linked_docs=found.linked_docs,
        cost_gap_amount=_money(more.cost_gap_amount, code),
        cost_gap_pct=plain(more.cost_gap_pct),
        off_bank_cost=_money(more.off_bank_cost, code),
        off_bank_cost_pct=plain(more.off_bank_cost_pct),
        payment_date=f"{found.payment_date}" if found.payment_date else None,
    )


def _figures(found: PayrollEvent) -> payroll_pb.EventFigures:
    dearest = sorted(found.employees, key=lambda one: (-one.employer_cost, one.employee_id))[:TOP_EMPLOYEES]
    return payroll_pb.EventFigures(
        currency=found.currency or "",
        currency_status="single" if found.currency else "unknown",
        employer_cost_total=_money(found.employer_cost_total, found.currency),
        cash_out_total=_money(found.bank_net_total, found.currency),
        off_bank_cost=_money(derived(found).off_bank_cost, found.currency),
        top_employees=_employees(dearest, found.currency),
    )


def _employees(found: Iterable[Employee], code: str | None) -> list[payroll_pb.PayrollEmployee]:
    return [
        payroll_pb.PayrollEmployee(
            employee_id=one.employee_id,
            name=one.name,
            gross=_money(one.gross, code),
            employee_social_security=_money(one.employee_social_security, code),
            tax=_money(one.tax, code),
            net=_money(one.net, code),
            employer_social_security=_money(one.employer_social_security, code),
            employer_cost=_money(one.employer_cost, code),
        )
        for one in found
    ]


def _rule(found: RuleResult) -> payroll_pb.RuleResult:
    return payroll_pb.RuleResult(
        rule=f"{found.rule}: {found.title}",
        status=str(found.status),
        passed=found.passed,
        severity=str(found.severity),
        message=found.message,
        documents=found.documents,
    )


def _money(amount: Decimal, code: str | None) -> str:
    return plain(rounded(amount, code))
