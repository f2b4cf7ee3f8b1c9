"""The bench's own checks notice a file, a rule and a figure that are not as expected."""

from typing import Any

from tests.bench.documents import books
from tests.bench.documents.books import Told

SINGLE = {"currencyStatus": "single", "unknownCurrencyRecords": 0}


def figures(**changed: str | None) -> dict[str, Any]:
    return dict.fromkeys(books.FIGURES, "1.50") | {"currency": "EUR"} | changed


def test_every_figure_is_compared_as_a_number() -> None:
    told = Told("x")
    found = figures(netProfit="1.5") | SINGLE | {"byCurrency": [figures(netProfit="1.500")]}
    books._pnl(told, SINGLE | {"byCurrency": [figures()]}, found, "here")
    assert (told.checks, told.failures) == (3 + 2 * len(books.FIGURES), [])


def test_a_wrong_figure_and_a_figure_at_the_top_of_several_currencies_are_noticed() -> None:
    told = Told("x")
    mixed = {"currencyStatus": "mixed", "unknownCurrencyRecords": 0}
    dollars = figures(currency="USD")
    found = figures() | mixed | {"byCurrency": [figures(revenueTotal="2"), dollars]}
    books._pnl(told, mixed | {"byCurrency": [figures(), dollars]}, found, "here")
    assert len(told.failures) == 1 + len(books.FIGURES)


def request(**changed: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"files": [], "refused": [], "tellsOneOf": [], "waitingFor": [], "events": []}
    return empty | changed


def test_a_file_refused_by_mistake_and_one_taken_by_mistake_are_noticed() -> None:
    told = Told("x")
    body = {"documents": [{"docId": "a", "status": "failed"}, {"docId": "b", "status": "accepted"}]}
    books._files(told, request(files=[{"file": "a"}, {"file": "b"}], refused=["b"]), body, "here")
    assert (told.checks, len(told.failures)) == (2, 2)


def test_of_two_unequal_papers_one_must_be_told() -> None:
    for statuses, failures in ((("accepted", "failed"), 0), (("accepted", "accepted"), 1)):
        told = Told("x")
        body = {"documents": [{"docId": name, "status": status} for name, status in zip("ab", statuses, strict=True)]}
        books._files(told, request(files=[{"file": "a"}, {"file": "b"}], tellsOneOf=["a", "b"]), body, "here")
        assert len(told.failures) == failures


def test_a_rule_that_came_out_otherwise_is_noticed() -> None:
    told = Told("x")
    event = {"company": "Firn", "period": "2026-05", "currency": None}
    rules = [{"rule": "R1: net", "status": "passed"}, {"rule": "R2: band", "status": "failed"}]
    body = {"results": [{"event": event, "validation": rules, "missing": []}]}
    expected = event | {"rules": {"R1": "passed", "R2": "passed"}}
    books._events(told, request(events=[expected], waitingFor=["bank_confirmation"]), body, "here")
    assert [line.split(": ")[1][:2] for line in told.failures] == ["ba", "R2"]
