"""Scoring says right, wrong, missed and invented as a reader of its rules would."""

from typing import Any

from tests.bench.documents.scoring import compare, equal, score_file


def reading(**changed: Any) -> dict[str, Any]:
    return {
        "docType": "payslip",
        "company": "Firn Ltd",
        "period": "2026-05",
        "currency": None,
        "eventRef": None,
        "fields": {},
        "employees": [{"employee_id": "E-1", "gross": "100.50", "net": "90"}],
        "derivable": {"employer_cost": "120"},
        "missing": ["currency"],
    } | changed


def test_an_equal_reading_is_whole() -> None:
    found = reading(company="FIRN  ltd", employees=[{"employee_id": "e-1", "gross": "100.5", "net": "90.00"}])
    score = compare(reading(), found, {})
    assert (score.right, score.wrong, score.missed, score.invented) == (6, 0, 0, 0)
    assert (score.named, score.to_name) == (1, 1)


def test_each_kind_of_fault_is_counted() -> None:
    employee = {"employee_id": "E-1", "gross": "105", "employer_cost": "120", "tax": "5"}
    score = compare(reading(), reading(currency="EUR", employees=[employee], missing=[]), {})
    assert (score.wrong, score.missed, score.invented) == (1, 1, 2)
    assert (score.named, score.to_name) == (0, 1)
    assert score.precision == 4 / 7
    assert score.recall == 4 / 6


def test_what_is_derivable_must_be_right_when_it_is_given() -> None:
    def score(cost: str) -> int:
        employee = {"employee_id": "E-1", "gross": "100.50", "net": "90", "employer_cost": cost}
        return compare(reading(), reading(employees=[employee]), {}).invented

    assert (score("120.00"), score("119")) == (0, 1)


def test_what_the_caller_said_counts_for_nobody() -> None:
    assert compare(reading(), reading(), {"company": "Firn Ltd"}).right == 5


def test_employees_are_matched_by_id() -> None:
    rows = [{"employee_id": "1", "net": "10"}, {"employee_id": "2", "net": "20"}]
    score = compare(reading(employees=rows), reading(employees=rows[::-1]), {})
    assert (score.wrong, score.missed, score.invented) == (0, 0, 0)
    total = {"employee_id": "Total", "net": "30"}
    assert compare(reading(employees=rows), reading(employees=[*rows, total]), {}).invented == 2


def test_a_document_too_many_is_invented_and_one_too_few_missed() -> None:
    entry = {"documents": [reading()], "declared": {}}
    assert score_file(entry, [reading(), reading()]).invented == 6
    assert score_file(entry, []).missed == 6
    assert score_file(entry, [reading()]).whole == 1


def test_numbers_compare_as_numbers_and_names_as_text() -> None:
    assert equal("10", "10.00")
    assert not equal("0421", "421a")
    assert equal("Ｆirn", "firn")
