"""The sample documents are what their makers make, hang together, and show what is expected of them.

Rules: bytes are compared by `python -m tests.bench.documents.making --check`, because packers differ between machines;
here the expected results, the list of files and the text that stands in every PDF.
"""

import json
import re
import unicodedata
from decimal import Decimal
from typing import Any

import pypdfium2
import pytest

from tests.bench.documents.making import FIXTURES, HALVES, made

MOST_BYTES = 3_000_000


def _expected(part: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FIXTURES / part / "expected.json").read_text(encoding="utf-8"))
    return found


def _letters(text: str) -> str:
    """Keep what a label or a figure is made of."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", text))


def test_the_committed_results_and_files_are_what_is_made() -> None:
    names = set()
    for name, raw, _ in made():
        names.add(name)
        if name.endswith(".json"):
            assert (FIXTURES / name).read_bytes() == raw, name
    present = {path.relative_to(FIXTURES).as_posix() for path in FIXTURES.rglob("*") if path.is_file()}
    assert present == names
    assert sum(path.stat().st_size for path in FIXTURES.rglob("*")) < MOST_BYTES


@pytest.mark.parametrize("half", HALVES)
def test_what_is_expected_stands_on_the_paper(half: str) -> None:
    looked_at = 0
    for entry in _expected(half):
        if entry["format"] != "pdf" or entry["expect"] != "read":
            continue
        document = pypdfium2.PdfDocument(FIXTURES / entry["file"])
        try:
            text = _letters("".join(page.get_textpage().get_text_bounded() for page in document))
        finally:
            document.close()
        for reading in entry["documents"]:
            values = [reading["company"], reading["eventRef"]]
            for fields in (reading["fields"], *reading["employees"]):
                values += [value for name, value in fields.items() if "date" not in name and name != "type"]
            assert [value for value in values if value and _letters(value) not in text] == [], entry["file"]
            looked_at += len(values)
    assert looked_at > 1000


@pytest.mark.parametrize("half", HALVES)
def test_every_payslip_adds_up(half: str) -> None:
    for entry in _expected(half):
        for reading in entry["documents"]:
            for employee in reading["employees"]:
                amounts = {
                    name: Decimal(value) for name, value in employee.items() if name not in ("employee_id", "name")
                }
                if {"gross", "net", "tax", "employee_social_security"} <= amounts.keys():
                    rest = amounts["tax"] + amounts["employee_social_security"]
                    assert amounts["gross"] == amounts["net"] + rest, entry["file"]


def test_the_halves_share_no_company_and_no_layout() -> None:
    companies, layouts = [], []
    for half in HALVES:
        entries = _expected(half)
        companies.append({reading["company"] for entry in entries for reading in entry["documents"]})
        drawn = {"letter", "picture"}
        layouts.append({entry["layout"] for entry in entries if entry["format"] == "pdf"} - drawn)
    assert not companies[0] & companies[1]
    assert not layouts[0] & layouts[1]
    assert min(map(len, layouts)) >= 6


def test_the_scenarios_name_files_that_are_there() -> None:
    for half in HALVES:
        for story in json.loads((FIXTURES / half / "scenarios.json").read_text(encoding="utf-8")):
            for request in story["requests"]:
                names = [file["file"] for file in request["files"]]
                assert all((FIXTURES / name).is_file() for name in names)
                assert set(request["refused"]) <= set(names)
