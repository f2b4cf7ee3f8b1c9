"""Payroll evidence: classified, completed, fused to one event, and held against the six rules."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from itertools import permutations

import pytest

from shared.domain.errors import InvalidArgument
from shared.domain.money import integrity
from shared.domain.money.classifying import classify
from shared.domain.money.evidence import DocType, InvoiceEvidence
from shared.domain.money.linking import event_id, event_of, fuse, piece
from shared.domain.money.payroll import derived
from shared.domain.money.rules import RuleBands, RuleStatus, Severity, evaluate
from tests.domain.money.money_cases import BASE, STAFF, bank, linked, payslips, register


def test_the_id_of_an_event_is_the_reference_s() -> None:
    found = event_id("Northwind Trading", "2026-05", "demo-payroll-v3")
    assert found == "evt-northwind-trading-demo-payroll-v3-3d8a7dd372a6-2026-05"
    assert event_id(" northwind  TRADING ", "2026-05", "Demo-Payroll-V3") == found


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"employees": STAFF[:1]}, DocType.PAYSLIP),
        ({"employees": STAFF}, DocType.PAYROLL_REGISTER),
        ({"employees": STAFF[:1], "gross_pay_total": Decimal(5000)}, DocType.PAYROLL_REGISTER),
        ({"net_pay_total": Decimal(1)}, DocType.BANK_CONFIRMATION),
        ({"invoice": InvoiceEvidence(vendor="Halden Mills", customer="Orrin")}, DocType.SALES_INVOICE),
        ({"invoice": InvoiceEvidence(vendor="Orrin", customer="halden mills")}, DocType.PURCHASE_INVOICE),
        ({"invoice": InvoiceEvidence(vendor="Orrin", customer="Pell")}, DocType.UNKNOWN),
        ({"doc_type": DocType.PAYSLIP, "net_pay_total": Decimal(1)}, DocType.PAYSLIP),
        ({}, DocType.UNKNOWN),
    ],
)
def test_the_type_follows_from_the_fields(fields: dict[str, object], expected: DocType) -> None:
    assert classify(replace(BASE, **fields)) is expected  # type: ignore[arg-type]


def test_every_order_gives_the_same_whole_event() -> None:
    events = {event_of(linked(*order)) for order in permutations([register(), bank(), *payslips()])}
    (event,) = events
    assert event is not None
    assert (event.employer_cost_total, event.bank_net_total, event.employee_count) == (
        Decimal(14600),
        Decimal(10800),
        3,
    )
    assert (event.employee_social_security_total, event.tax_withheld_total) == (Decimal(370), Decimal(830))
    assert derived(event).off_bank_cost == 3800
    integrity.event(event, whole=True)


def test_the_demo_evidence_passes_all_six_rules() -> None:
    results = evaluate(linked(register(), bank(), *payslips()))
    assert [(r.rule, r.status) for r in results] == [(f"R{n}", RuleStatus.PASSED) for n in range(1, 7)]
    assert "EUR 14,600.00" in results[1].message
    assert set(results[0].documents) == {"bank", "slip-1", "slip-2", "slip-3"}


def test_what_is_missing_is_named_until_it_comes() -> None:
    waiting = linked(*payslips()[:2])
    assert event_of(waiting) is None
    assert waiting.missing == ("payroll_register", "bank_confirmation")
    partly = linked(register(), bank(), *payslips()[:2])
    event = event_of(partly)
    assert partly.missing == ("payslips: 2 of 3",)
    assert event is not None and event.tax_withheld_total is None
    statuses = [r.status for r in evaluate(partly)]
    left = RuleStatus.NOT_EVALUATED
    assert statuses == [left, RuleStatus.PASSED, RuleStatus.PASSED, RuleStatus.FAILED, left, left]
    assert linked(register(), bank(), *payslips()).missing == ()


@pytest.mark.parametrize(
    ("pieces", "rule", "severity", "words"),
    [
        ([register(), bank(net="11500"), *payslips()], "R1", Severity.ERROR, ("EUR 11,500.00", "EUR 10,800.00")),
        ([register(), bank(net="13000"), *payslips()], "R2", Severity.WARNING, ("1.123",)),
        ([register(), bank(day=date(2026, 6, 8)), *payslips()], "R3", Severity.WARNING, ("2026-06-08", "2026-06-07")),
        ([register(gross="12100"), bank(), *payslips()], "R5", Severity.ERROR, ("EUR 12,100.00", "EUR 100.00 apart")),
        ([register(cost="14700"), bank(), *payslips()], "R6", Severity.ERROR, ("EUR 14,700.00",)),
    ],
)
def test_a_failed_rule_names_figures_and_documents(
    pieces: list[object], rule: str, severity: Severity, words: tuple[str, ...]
) -> None:
    result = next(r for r in evaluate(linked(*pieces)) if r.rule == rule)  # type: ignore[arg-type]
    assert (result.status, result.severity) == (RuleStatus.FAILED, severity)
    assert all(word in result.message for word in words) and result.documents and result.figures


def test_the_bands_are_settings() -> None:
    event = linked(register(), bank(day=date(2026, 6, 8)), *payslips())
    assert evaluate(event, RuleBands(payment_grace_days=8))[2].passed
    assert not evaluate(event, RuleBands(cost_ratio_max=Decimal("1.3")))[1].passed


def test_a_piece_that_contradicts_is_refused_alone() -> None:
    other = replace(STAFF[0], gross=Decimal(5100), net=Decimal(4600), employer_cost=Decimal(6000))
    slip = replace(BASE, doc_id="slip-9", doc_type=DocType.PAYSLIP, employees=(other,))
    dollars = replace(slip, doc_id="slip-8", currency="USD", employees=(replace(STAFF[1], employee_id="E-8"),))
    found, refused = fuse([*payslips(), piece(slip), piece(dollars), register(), register(cost="15000"), bank()])
    assert {position: error.reason for position, error in refused.items()} == dict.fromkeys(
        (3, 4, 6), "EVIDENCE_CONTRADICTS"
    )
    assert found.missing == () and found.currency == "EUR"


def test_the_same_payslip_twice_counts_once() -> None:
    again = replace(payslips()[0].document, doc_id="copy")
    assert len(linked(*payslips(), piece(again)).payslips) == 3


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"gross": None}, "employee.gross"),
        ({"net": Decimal(4499)}, "employee.gross"),
        ({"employer_cost": Decimal(1)}, "employee.employer_cost"),
        ({"employer_cost": None, "employer_social_security": None}, "employee.employer_cost"),
        ({"tax": Decimal(-1)}, "employee.tax"),
    ],
)
def test_a_payslip_that_does_not_add_up_is_refused(changed: dict[str, object], field: str) -> None:
    wrong = replace(STAFF[0], **changed)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument) as refusal:
        piece(replace(BASE, doc_type=DocType.PAYSLIP, employees=(wrong,)))
    assert field in {violation.field for violation in refusal.value.violations}


def test_a_register_may_state_its_rows_alone() -> None:
    found = piece(replace(BASE, doc_id="rows", doc_type=DocType.PAYROLL_REGISTER, employees=STAFF))
    assert (found.gross, found.contribution, found.cost) == (Decimal(12000), Decimal(2600), Decimal(14600))
    event = event_of(linked(found, bank()))
    assert event is not None and event.employee_count == 3 and event.tax_withheld_total == 830


@pytest.mark.parametrize("company", [None, " ", "unknown", "N/A"])
def test_a_document_of_nobody_is_refused(company: str | None) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        piece(replace(BASE, company=company, doc_type=DocType.PAYSLIP, employees=STAFF[:1]))
    assert refusal.value.metadata["field"] == "company"


def test_a_whole_event_adds_up_or_names_what_does_not() -> None:
    event = event_of(linked(register(gross="12100"), bank(), *payslips()))
    assert event is not None
    with pytest.raises(InvalidArgument) as refusal:
        integrity.event(event, whole=True)
    assert {v.field for v in refusal.value.violations} == {"gross_total", "employer_social_security_total"}
