"""Payroll documents of an invented company, for the tests of money."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

from shared.domain.money.evidence import DocType, EmployeeEvidence, ExtractedDocument
from shared.domain.money.linking import LinkedEvent, Piece, fuse, piece

BASE = ExtractedDocument("doc", "doc.pdf", company="Halden Mills", period="2026-05", currency="EUR", event_ref="may")
STAFF = (
    EmployeeEvidence("E-1", "Ida Brandt", *map(Decimal, ("5000", "150", "350", "4500", "900", "5900"))),
    EmployeeEvidence("E-2", "Jon Falk", *map(Decimal, ("4000", "120", "280", "3600", "700", "4700"))),
    EmployeeEvidence("E-3", "Kim Oduya", *map(Decimal, ("3000", "100", "200", "2700", "1000", "4000"))),
)


def register(gross: str = "12000", cost: str = "14600", count: int | None = 3) -> Piece:
    found = replace(BASE, doc_id="register", doc_type=DocType.PAYROLL_REGISTER, employee_count=count)
    return piece(replace(found, gross_pay_total=Decimal(gross), employer_cost_total=Decimal(cost)))


def bank(net: str = "10800", day: date | None = date(2026, 5, 27)) -> Piece:
    found = replace(BASE, doc_id="bank", doc_type=DocType.BANK_CONFIRMATION, net_pay_total=Decimal(net))
    return piece(replace(found, payment_date=day))


def payslips() -> list[Piece]:
    return [
        piece(replace(BASE, doc_id=f"slip-{n}", doc_type=DocType.PAYSLIP, employees=(one,)))
        for n, one in enumerate(STAFF, 1)
    ]


def linked(*pieces: Piece) -> LinkedEvent:
    found, refused = fuse(pieces)
    assert refused == {}
    return found
