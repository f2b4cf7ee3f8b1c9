"""Documents read by rules: payslips, registers, bank papers, invoices; nothing supposed, never an error."""

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.documents.contract import read_contract
from shared.domain.documents.declaring import Declared
from shared.domain.documents.extracting import extract
from shared.domain.documents.layout import lines_of, words_of_text
from shared.domain.documents.reading import Media, Reading, Sheet
from shared.domain.errors import CandorError, InvalidArgument
from shared.domain.money.evidence import DocType, ExtractedDocument

WORDS = st.sampled_from(
    "Payslip Invoice Gehaltsabrechnung 급여대장 Gross Net Netto 실지급액 Employee ID Name Total Summe 합계 "
    "Company: Currency EUR ¥ "
    "5,000.00 1,234 1.234,50 2026-05 27.05.2026 E-1 Ana Description Qty Price Amount Tax VAT Paid ( ) : - \n \n".split(
        " "
    )
)


def text(content: str, **declared: Any) -> ExtractedDocument:
    reading = Reading(Media.TEXT, lines=lines_of(1, words_of_text(content)), text=content)
    (found,) = extract(reading, Declared("d", **declared))
    return found


def sheet(*rows: tuple[str, ...], **declared: Any) -> ExtractedDocument:
    (found,) = extract(Reading(Media.CSV, sheets=(Sheet("", rows),)), Declared("d", **declared))
    return found


def test_a_payslip_in_columns() -> None:
    found = text(
        "Aldermoor Tiles\n"
        "Pay statement                      Employer: Aldermoor Tiles Ltd\n"
        "Employee number   E-7        Pay period   May 2026\n"
        "Name              Ana Ilves  Pay date     2026-05-27\n"
        "Gross pay         EUR 5,000.00\n"
        "Income tax        EUR -350.00\n"
        "Employee NI       EUR 150.00\n"
        "Net pay           EUR 4,500.00\n"
        "Employer NI       EUR 900.00\n"
    )
    (employee,) = found.employees
    assert (found.doc_type, found.company, found.period, found.currency) == (
        DocType.PAYSLIP, "Aldermoor Tiles Ltd", "2026-05", "EUR",
    )  # fmt: skip
    assert (employee.employee_id, employee.name, employee.gross, employee.tax, employee.net) == (
        "E-7", "Ana Ilves", Decimal(5000), Decimal(350), Decimal(4500),
    )  # fmt: skip
    assert (employee.employee_social_security, employee.employer_social_security) == (Decimal(150), Decimal(900))
    assert found.missing == ()


def test_labels_above_their_values() -> None:
    found = text(
        "Bank transfer confirmation\n"
        "Account holder   Payment date   Total amount\nAldermoor Ltd    27.05.2026     10.800,00 €\n"
    )
    assert (found.doc_type, found.company, found.net_pay_total) == (
        DocType.BANK_CONFIRMATION, "Aldermoor Ltd", Decimal("10800.00"),
    )  # fmt: skip
    assert found.missing == ("period",)


def test_a_register_whose_totals_differ_from_its_rows_keeps_what_is_written() -> None:
    found = sheet(
        ("Lohnjournal",),
        ("Firma", "Haselgrund GmbH"),
        ("Monat", "05/2026"),
        ("Personal-Nr.", "Name", "Brutto (EUR)", "Netto (EUR)", "Arbeitgeberkosten (EUR)"),
        ("7", "Ana", "5.000,00", "4.500,00", "5.900,00"),
        ("8", "Tom", "4.000,00", "3.600,00", "4.700,00"),
        ("Summe", "", "9.100,00", "8.100,00", "10.600,00"),
    )
    assert (found.gross_pay_total, found.net_pay_total, found.employer_cost_total) == (
        Decimal("9100.00"), Decimal("8100.00"), Decimal("10600.00"),
    )  # fmt: skip
    assert (found.employee_count, found.currency, found.employer_social_security_total) == (
        2,
        "EUR",
        Decimal("1500.00"),
    )
    assert [each.name for each in found.employees] == ["Ana", "Tom"]
    assert {source.place for source in found.sources} >= {"row 5", "derived"}


def test_an_invoice_is_bought_or_sold_by_whose_books_it_is_for() -> None:
    paper = (
        "INVOICE\nSeller: Kiln Works\n"
        "Bill to: Aldermoor Ltd\nInvoice no.: K-9\nInvoice date: 2026-05-10\nDue date: 2026-06-10\n"
        "Description   Qty   Price    Total\nTiles         10    100.00   1,000.00\n"
        "Subtotal   USD 1,000.00\nVAT 20%   USD 200.00\n"
        "Total   USD 1,200.00\nAmount paid   USD 500.00\nBalance due   USD 700.00\n"
    )
    bought, sold, unknown = (text(paper, company=name) for name in ("Aldermoor  LTD", "Kiln Works", None))
    assert (bought.doc_type, sold.doc_type, unknown.doc_type) == (
        DocType.PURCHASE_INVOICE, DocType.SALES_INVOICE, DocType.UNKNOWN,
    )  # fmt: skip
    invoice = bought.invoice
    assert invoice is not None
    assert (invoice.total, invoice.net_total, invoice.tax_total, invoice.paid_amount) == (
        Decimal(1200), Decimal(1000), Decimal(200), Decimal(500),
    )  # fmt: skip
    assert (invoice.invoice_ref, bought.period, bought.currency, bought.missing) == ("K-9", "2026-05", "USD", ())
    assert set(unknown.missing) == {"doc_type", "company"}


def test_a_currency_is_never_supposed() -> None:
    paper = "Payslip\nEmployee ID: 7\nName: Ana\nGross: {0}5000.00\nNet: {0}4500.00\n"
    for sign in ("", "¥", "kr "):
        found = text(paper.format(sign))
        assert (found.currency, "currency" in found.missing) == (None, True)
    found = text(paper.format("") + "Net: USD 12.00\nPaid: EUR 13.00\n")
    assert found.currency is None
    assert any("several currencies" in note for note in found.notes)
    declared = text(paper.format(""), currency="CHF")
    assert (declared.currency, declared.employees[0].gross) == ("CHF", Decimal(5000))


def test_what_has_two_readings_is_named() -> None:
    found = text("Payslip\nEmployee ID: 7\nGross: EUR 5,000\nNet: EUR 4500.00\nPay date: 05/06/2026\n")
    assert found.payment_date is None
    assert "gross" in found.missing or found.employees[0].gross == 5000  # 4500.00 shows that the comma groups
    assert any("payment_date" in note for note in found.notes)


@pytest.mark.parametrize("value", [[], 3, {"a": 1}, {"employees": [{}] * 5001}, {"invoice": {"total": float("inf")}}])
def test_an_answer_that_breaks_the_contract_is_told(value: object) -> None:
    assert isinstance(read_contract(value, Declared("d"), "model"), tuple)


@given(st.lists(WORDS, max_size=60).map(" ".join), st.sampled_from([*DocType]))
def test_no_paper_is_an_error(content: str, doc_type: DocType) -> None:
    found = text(content, doc_type=doc_type)
    assert found.doc_id == "d"
    assert found.currency in (None, "EUR")


@given(st.lists(st.lists(WORDS, max_size=8).map(tuple), max_size=12))
def test_no_sheet_is_an_error(rows: list[tuple[str, ...]]) -> None:
    assert sheet(*rows).currency in (None, "EUR")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["doc_type", "currency", "employees", "employee", "invoice", "net_pay_total", "gross", "total", "period", "x"]
    ), inner, max_size=4),
    max_leaves=6,
)  # fmt: skip


@given(JSON)
def test_no_json_is_an_error_of_another_kind(value: object) -> None:
    read = read_contract(value, Declared("d"), "model")
    assert isinstance(read, ExtractedDocument) or (read and all(isinstance(fault, str) for fault in read))
    try:
        extract(Reading(Media.JSON, text=json.dumps(value)), Declared("d"))
    except CandorError as error:
        assert isinstance(error, InvalidArgument)
