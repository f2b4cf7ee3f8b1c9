"""The real k6 against a real Candor: a short run whose answers are checked, and a run that must fail."""

import pytest

from tests.e2e.stack import Stack
from tests.load.planting import invoices, plant
from tests.load.running import read, run

INVOICES = 40


@pytest.fixture(scope="module")
def planted(stack: Stack) -> tuple[Stack, str]:
    key = stack.new_tenant().key if stack.settings else stack.key
    with stack.client(key) as client:
        assert plant(client, INVOICES) == INVOICES + INVOICES // 10
    return stack, key


def test_a_smoke_run_passes_every_threshold(planted: tuple[Stack, str]) -> None:
    stack, key = planted
    summary = run("smoke", stack.url, key, INVOICES, {})
    # How long it took is not looked at here: the machine may be busy with other tests.
    assert summary.wrong == {}
    assert [limit for limit in summary.crossed if "duration" not in limit] == []
    assert summary.requests > 10
    assert summary.checks_share > 0.99


def test_wrong_answers_fail_the_run(planted: tuple[Stack, str]) -> None:
    stack, key = planted
    summary = run("smoke", stack.url, key, INVOICES * 100, {})  # asks for invoices that nobody stored
    assert any(limit.startswith("checks") for limit in summary.crossed)


def test_every_tenth_invoice_is_planted_twice() -> None:
    records = [memory["record"] for memory in invoices(20)]
    assert len(records) == 22
    assert sorted({record for record in records if records.count(record) == 2}) == ["INV-10", "INV-20"]


def test_a_crossed_threshold_is_named() -> None:
    recall = {"med": 1.0, "p(95)": 2.0, "p(99)": 3.0, "max": 4.0}
    metrics = {
        "http_reqs": {"count": 3, "rate": 1.5},
        "http_req_failed": {"value": 0.5, "thresholds": {"rate<0.01": True}},
        "checks": {"value": 1.0, "thresholds": {"rate>0.99": False}},
        "http_req_duration{call:recall}": recall,
    }
    checks = {"a": {"name": "a", "fails": 0}, "b": {"name": "b", "fails": 2}}
    summary = read({"metrics": metrics, "root_group": {"checks": checks}})
    assert summary.wrong == {"b": 2}
    assert summary.crossed == ("http_req_failed: rate<0.01",)
