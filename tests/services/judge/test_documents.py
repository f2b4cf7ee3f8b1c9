"""ExtractDocument: what rules read, what is refused by name, and that no file holds judge up."""

import json
from dataclasses import replace

import pytest

from services.judge.document_limits import DocumentLimits
from services.judge.documents import RULES
from shared.domain.errors import CandorError, FailedPrecondition, InvalidArgument, TooLarge, UnsupportedMedia
from tests.services.judge.reading_documents import FIXTURES, PATIENT, read, reader

pytestmark = pytest.mark.anyio

REFUSED: dict[str, tuple[type[CandorError], str]] = {
    "empty.pdf": (InvalidArgument, "DOCUMENT_EMPTY"),
    "empty.xlsx": (InvalidArgument, "DOCUMENT_EMPTY"),
    "encrypted.pdf": (InvalidArgument, "DOCUMENT_ENCRYPTED"),
    "entities.xlsx": (InvalidArgument, "DOCUMENT_DAMAGED"),
    "macros.xlsm": (UnsupportedMedia, "DOCUMENT_MACROS"),
    "macros_named_xlsx.xlsx": (UnsupportedMedia, "DOCUMENT_MACROS"),
    "not_a_document.pdf": (InvalidArgument, "DOCUMENT_DAMAGED"),
    "pixel_bomb.png": (TooLarge, "DOCUMENT_PIXELS"),
    "program.png": (UnsupportedMedia, "DOCUMENT_MEDIA"),
    "sheet_bomb.xlsx": (TooLarge, "DOCUMENT_UNPACKED"),
    "thousand_pages.pdf": (TooLarge, "DOCUMENT_PAGES"),
    "truncated.xlsx": (InvalidArgument, "DOCUMENT_DAMAGED"),
}
READ = ("pdf_named_png.png", "pdf_without_name", "trailing_bytes.pdf", "xlsx_named_csv.csv")


async def test_what_cannot_be_read_is_refused_by_name_and_the_next_document_is_read() -> None:
    async with reader() as via:
        for name, (kind, reason) in REFUSED.items():
            with pytest.raises(kind) as caught:
                await read(via, (FIXTURES / "damaged" / name).read_bytes())
            assert caught.value.reason == reason, name
        for name in READ:
            (found,) = (await read(via, (FIXTURES / "damaged" / name).read_bytes())).documents
            assert found.doc_type not in ("", "unknown"), name


async def test_a_payslip_is_read_by_rules_with_its_sources() -> None:
    async with reader() as via:
        told = await read(via, (FIXTURES / "build" / "de_label-value_payslip.pdf").read_bytes(), event_ref="run-9")
    (found,) = told.documents
    (employee,) = found.employees
    assert (told.media, told.pages, told.model, told.usage.calls) == ("pdf", 1, RULES, 0)
    assert (found.doc_id, found.doc_type, found.event_ref) == ("d-1", "payslip", "run-9")
    assert employee.gross
    assert {source.field for source in found.sources} >= {"gross", "net", "company", "period", "event_ref"}
    assert next(source for source in found.sources if source.field == "event_ref").place == "declared"
    assert next(source for source in found.sources if source.field == "gross").place.startswith("page 1, line ")


async def test_what_the_paper_does_not_say_is_named_and_not_supposed() -> None:
    async with reader() as via:
        (found,) = (await read(via, (FIXTURES / "build" / "de_no-currency_payslip.pdf").read_bytes())).documents
        assert not found.HasField("currency")
        assert "currency" in found.missing
        (found,) = (await read(via, b"Dear all,\nthe kitchen is closed on Monday.\n")).documents
        assert (found.doc_type, list(found.missing)[:1]) == ("unknown", ["doc_type"])


async def test_pictures_need_a_model_that_sees() -> None:
    async with reader() as via:
        for name in ("en_scan_1_payslip.png", "de_scan_2_bank.jpg", "en_scan_3_invoice.webp", "de_scan_4_register.pdf"):
            with pytest.raises(FailedPrecondition) as caught:
                await read(via, (FIXTURES / "build" / name).read_bytes())
            assert caught.value.reason == "VISION_MODEL_NEEDED"


async def test_an_object_of_json_is_read_by_the_contract() -> None:
    told = {"doc_type": "payroll_register", "gross_pay_total": 12000, "employer_cost_total": "14.600,00"}
    told["employee_count"] = 3
    async with reader() as via:
        answer = await read(via, json.dumps(told).encode(), company="Marrow & Finch", period="2026-05", currency="EUR")
        (found,) = answer.documents
        assert (found.gross_pay_total, found.employer_cost_total, found.employee_count) == ("12000", "14600.00", 3)
        assert (found.company, found.period, found.currency) == ("Marrow & Finch", "2026-05", "EUR")
        assert not found.missing
        for wrong in ({"gross": 1}, {"net_pay_total": True}, {"net_pay_total": "1,234"}, {"net_pay_total": -5}):
            with pytest.raises(InvalidArgument) as caught:
                await read(via, json.dumps(wrong).encode())
            assert caught.value.reason == "DOCUMENT_WRONG"
        others = {"period": "2026-06", "currency": "USD", "company": "Another", "doc_type": "payslip"}
        for name, value in others.items():
            with pytest.raises(InvalidArgument) as caught:
                paper = told | {"company": "Marrow & Finch", "period": "2026-05", "currency": "EUR"}
                await read(via, json.dumps(paper).encode(), **{name: value})
            assert (caught.value.reason, caught.value.metadata["field"]) == ("DECLARATION_DIFFERS", name)


async def test_a_wrong_declaration_is_named() -> None:
    wrong = {"doc_id": " ", "period": "May", "currency": "euro", "doc_type": "letter", "company": "x" * 257}
    async with reader() as via:
        for name, value in wrong.items():
            with pytest.raises(InvalidArgument) as caught:
                await read(via, b"Payslip\n", **{name: value})
            assert name in caught.value.metadata["field"]


async def test_one_reader_reads_many_documents_and_bounds_each() -> None:
    small = replace(PATIENT, bytes=100_000, rows=10, characters=2_000)
    async with reader(limits=small) as via:
        for content, reason in (
            (b"x" * 100_001, "DOCUMENT_BYTES"),
            (b"a;b;c\n" * 11, "DOCUMENT_ROWS"),
            (b"word " * 500, "DOCUMENT_CHARACTERS"),
            ((FIXTURES / "build" / "en_many-pages_register.pdf").read_bytes(), "DOCUMENT_CHARACTERS"),
        ):
            with pytest.raises(TooLarge) as caught:
                await read(via, content)
            assert caught.value.reason == reason
        assert (await read(via, b"a;b;c\n1;2;3\n")).media == "csv"


async def test_a_document_that_takes_too_long_ends_its_process_and_nothing_else() -> None:
    paper = (FIXTURES / "build" / "en_many-pages_register.pdf").read_bytes()
    async with reader(limits=replace(DocumentLimits(), seconds=0.001)) as via:
        for _ in range(2):
            with pytest.raises(InvalidArgument) as caught:
                await read(via, paper)
            assert caught.value.reason == "DOCUMENT_TIME"


async def test_memory_is_bounded_by_the_system() -> None:
    async with reader(limits=replace(PATIENT, memory_bytes=150_000_000, characters=9_000_000)) as via:
        with pytest.raises((TooLarge, InvalidArgument)) as caught:
            await read(via, b"P " * 1_500_000)
        assert caught.value.reason in ("DOCUMENT_MEMORY", "DOCUMENT_UNREADABLE")
