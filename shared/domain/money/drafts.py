"""The memories that documents and money become: what each says, which record it speaks of, and what it refers to.

Rules: a document keeps its evidence, where it claims nothing, and refers to its event: while the event is not on record
the audit reports it as absent. An event is a summary, an insight, one memory for each employee and one for each rule;
while payslips are missing its summary refers to them. Sentences name company, period, amounts and currency. A record is
the same for every state of the same thing.
It does not know ids, revisions and the database.
Source: archon-behaviour 7.7, 7.9; REQUIREMENTS E3.
"""

from collections.abc import Sequence

from shared.domain import draft as drafts
from shared.domain.metadata import canonical_json
from shared.domain.money import paper
from shared.domain.money.amounts import spoken
from shared.domain.money.evidence import DocType
from shared.domain.money.invoice import Invoice, InvoiceType
from shared.domain.money.linking import LinkedEvent, Piece
from shared.domain.money.payroll import PayrollEvent, derived
from shared.domain.money.rules import RuleResult
from shared.domain.types import Draft, Json, MemoryKind

INSIGHT_IMPORTANCE = 0.9  # archon-behaviour 7.7
INVOICE_IMPORTANCE = 0.7  # archon-behaviour 7.9
DOCUMENTS_NAMED = 100  # ids of documents in one validation's metadata (chosen, untested)
DOCUMENTS_SPOKEN = 5  # and in its sentence (chosen, untested)


def document(piece: Piece) -> Draft:
    """Return the memory of a payroll document."""
    found = piece.document
    return drafts.check(
        kind=MemoryKind.DOCUMENT,
        content=f"{_said(piece)} (document {piece.doc_id}).",
        company=piece.company,
        period=piece.period,
        record=document_record(piece.event_id, piece.doc_id),
        source_ref=found.filename or piece.doc_id,
        metadata_json=canonical_json({"doc_type": str(piece.doc_type), "paper": paper.written(found)}),
        references=(piece.event_id,),
    )


def document_record(event_id: str, doc_id: str) -> str:
    """Return the record of a payroll document."""
    return f"{event_id}:document:{doc_id}"


def event(found: PayrollEvent, linked: LinkedEvent | None, results: Sequence[RuleResult]) -> tuple[Draft, ...]:
    """Return the memories of an event: summary, insight, employees, rules."""
    waits = linked.missing if linked else ()
    return (_summary(found, waits), _insight(found), *_employees(found), *(_validation(found, r) for r in results))


def invoice(found: Invoice) -> Draft:
    """Return the memory of an invoice in its present state."""
    is_sale = found.type is InvoiceType.SALES
    cash = found.cash
    between = f"issued to {found.party} by {found.company}" if is_sale else f"from {found.party} to {found.company}"
    paid = f", {spoken(cash.amount, found.currency)} of it" if found.paid_amount and cash.amount is not None else ""
    on = f" on {found.payment_date}" if found.payment_date else ""
    amount = spoken(found.total, found.currency)
    state = f"payment {cash.status}" if cash.amount is None else f"{cash.status}{paid}{on}"
    metadata: dict[str, Json] = {
        "type": str(found.type),
        "currency": found.currency,
        "total": found.total,
        "invoice_date": f"{found.dated}",
        "invoice_number": found.invoice_ref,
        "customer" if is_sale else "vendor": found.party,
    }
    if not is_sale:
        metadata["vendor_ref"] = found.invoice_ref
    if found.paid_amount is not None:
        metadata["paid_amount"] = found.paid_amount
    if found.status is not None:
        metadata["payment_status"] = str(found.status)
    if found.payment_date is not None:
        metadata["payment_date"] = f"{found.payment_date}"
    return drafts.check(
        kind=MemoryKind.INVOICE,
        content=(
            f"{found.type.capitalize()} invoice {found.invoice_ref} {between} for {amount}, "
            f"dated {found.dated}: {state}."
        ),
        company=found.company,
        period=found.period,
        record=found.record,
        source_ref=found.invoice_ref,
        counterparty=found.party,
        metadata_json=canonical_json(metadata),
        importance=INVOICE_IMPORTANCE,
    )


def _summary(found: PayrollEvent, waits: Sequence[str]) -> Draft:
    code = found.currency
    on = f" on {found.payment_date}" if found.payment_date else ""
    still = f" Still missing: {'; '.join(waits)}." if waits else ""
    metadata = _totals(found) | {"event_ref": found.event_ref}
    if found.payment_date:
        metadata["payment_date"] = f"{found.payment_date}"
    if found.linked_docs:
        metadata["documents"] = list(found.linked_docs[:DOCUMENTS_NAMED])
    if waits:
        metadata["missing"] = list(waits)
    return drafts.check(
        kind=MemoryKind.PAYROLL_EVENT,
        content=(
            f"Payroll of {found.company} for {found.period} ({found.event_ref}): {found.employee_count} employees, "
            f"gross {spoken(found.gross_total, code)}, employer social security "
            f"{spoken(found.employer_social_security_total, code)}, true employer cost "
            f"{spoken(found.employer_cost_total, code)}; the bank paid {spoken(found.bank_net_total, code)}{on}.{still}"
        ),
        company=found.company,
        period=found.period,
        record=found.event_id,
        source_ref=found.event_id,
        metadata_json=canonical_json(metadata),
        references=(f"{found.event_id}:payslips",) if any(w.startswith("payslips") for w in waits) else (),
    )


def _totals(found: PayrollEvent) -> dict[str, Json]:
    return {
        "employee_count": found.employee_count,
        "bank_net_total": found.bank_net_total,
        "gross_total": found.gross_total,
        "employer_social_security_total": found.employer_social_security_total,
        "employee_social_security_total": found.employee_social_security_total,
        "tax_withheld_total": found.tax_withheld_total,
        "employer_cost_total": found.employer_cost_total,
        "currency": found.currency,
    }


def _insight(found: PayrollEvent) -> Draft:
    more, code = derived(found), found.currency
    metadata: dict[str, Json] = {
        "off_bank_cost": more.off_bank_cost,
        "off_bank_cost_pct": more.off_bank_cost_pct,
        "cost_gap_amount": more.cost_gap_amount,
        "cost_gap_pct": more.cost_gap_pct,
        "employer_social_security_total": found.employer_social_security_total,
        "currency": code,
    }
    return drafts.check(
        kind=MemoryKind.INSIGHT,
        content=(
            f"Employing the staff of {found.company} in {found.period} cost {spoken(more.off_bank_cost, code)} "
            f"more than left the bank as net pay: {more.off_bank_cost_pct} % of {spoken(found.bank_net_total, code)}."
        ),
        company=found.company,
        period=found.period,
        record=f"{found.event_id}:insight",
        source_ref=f"{found.event_id}:insight",
        metadata_json=canonical_json(metadata),
        importance=INSIGHT_IMPORTANCE,
        references=(found.event_id,),
    )


def _employees(found: PayrollEvent) -> list[Draft]:
    code = found.currency
    return [
        drafts.check(
            kind=MemoryKind.PAYROLL_EVENT,
            content=(
                f"{one.name} (employee {one.employee_id}) at {found.company} in {found.period}: "
                f"gross {spoken(one.gross, code)}, net {spoken(one.net, code)}, "
                f"employer cost {spoken(one.employer_cost, code)}."
            ),
            company=found.company,
            period=found.period,
            record=f"{found.event_id}:{one.employee_id}",
            source_ref=f"{found.event_id}:{one.employee_id}",
            metadata_json=canonical_json(
                {
                    "employee_id": one.employee_id,
                    "net": one.net,
                    "gross": one.gross,
                    "employer_cost": one.employer_cost,
                    "currency": code,
                }
            ),
            references=(found.event_id,),
        )
        for one in found.employees
    ]


def _validation(found: PayrollEvent, result: RuleResult) -> Draft:
    named = result.documents[:DOCUMENTS_SPOKEN]
    rest = len(result.documents) - len(named)
    papers = f" Documents: {', '.join(named)}{f' and {rest} more' if rest else ''}." if named else ""
    figures: dict[str, Json] = dict(result.figures)
    metadata: dict[str, Json] = {
        "rule": result.rule,
        "status": str(result.status),
        "passed": result.passed,
        "severity": str(result.severity),
        "figures": figures,
        "documents": list(result.documents[:DOCUMENTS_NAMED]),
    }
    return drafts.check(
        kind=MemoryKind.VALIDATION,
        content=(
            f"Validation {result.rule} ({result.title}) of the payroll of {found.company} for {found.period} "
            f"{paper.words(result.status)}: {result.message}.{papers}"
        ),
        company=found.company,
        period=found.period,
        record=f"{found.event_id}:{result.rule}",
        source_ref=f"{found.event_id}:{result.rule}",
        metadata_json=canonical_json(metadata),
        references=(found.event_id,),
    )


def _said(piece: Piece) -> str:
    found, code = piece.document, piece.document.currency
    where = f"of {piece.company} for {piece.period}"
    if piece.doc_type is DocType.PAYSLIP and piece.employee:
        one = piece.employee
        figures = f"gross {spoken(one.gross, code)}, net {spoken(one.net, code)}"
        return f"Payslip of {one.name} (employee {one.employee_id}) {where}: {figures}"
    if piece.doc_type is DocType.BANK_CONFIRMATION and found.net_pay_total is not None:
        on = f", paid on {found.payment_date}" if found.payment_date else ""
        return f"Bank confirmation of salaries {where}: net {spoken(found.net_pay_total, code)}{on}"
    gross, cost = piece.gross, piece.cost
    figures = "" if gross is None or cost is None else f": gross {spoken(gross, code)}, cost {spoken(cost, code)}"
    count = "" if found.employee_count is None else f", {found.employee_count} employees"
    return f"Payroll register {where}{figures}{count}"
