"""Documents over HTTP, through the whole product: the demonstration's payroll, and four hundred payslips in pieces."""

import base64
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

import httpx2
import pytest

from tests.bench.documents.payroll import papers
from tests.e2e.stack import Stack

COMPANY = "Northwind Trading"
JOB_SECONDS = 240.0
STAFF = (
    ("E-01", 5000, 150, 350, 4500, 900, 5900),
    ("E-02", 4000, 120, 280, 3600, 700, 4700),
    ("E-03", 3000, 100, 200, 2700, 1000, 4000),
)
PAY = ("employee_id", "gross", "employee_social_security", "tax", "net", "employer_social_security", "employer_cost")
RULES = [f"R{number}" for number in range(1, 7)]


def _paper(doc_id: str, said: dict[str, Any]) -> dict[str, Any]:
    named = {"company": COMPANY, "period": "2026-05", "currency": "EUR", "event_ref": "demo-payroll-v3"}
    return {"doc_id": doc_id, "filename": f"{doc_id}.pdf", "source_kind": "text", "content": json.dumps(said)} | named


PAPERS = [
    _paper("register", {"doc_type": "payroll_register", "gross_pay_total": 12000, "employer_cost_total": 14600}),
    _paper("bank", {"doc_type": "bank_confirmation", "net_pay_total": 10800, "payment_date": "2026-05-27"}),
    *(_paper(row[0], {"doc_type": "payslip", "employee": dict(zip(PAY, row, strict=True))}) for row in STAFF),
]
PAPERS[0]["content"] = PAPERS[0]["content"].replace("}", ', "employee_count": 3}')
SALES = (("INV-SALES-101", "Chop Suey Chinese", 28500, "10"), ("INV-SALES-102", "Alfreds Futterkiste", 14200, "20"))


@pytest.fixture
def client(stack: Stack) -> Iterator[httpx2.Client]:
    with stack.client(stack.new_tenant().key) as made:
        made.timeout = httpx2.Timeout(60)
        yield made


def test_the_demonstration_s_papers_and_invoices_give_its_account(client: httpx2.Client) -> None:
    tried = client.post("/ingest/documents", json={"documents": PAPERS, "dryRun": True}).json()
    assert (tried["dryRun"], tried["written"], tried["memoryIds"]) == (True, 0, [])
    assert client.get("/v1/memories:count").json() == {"count": 0}
    answer = client.post("/ingest/documents", json={"documents": PAPERS})
    assert answer.status_code == 200, answer.text
    (result,) = answer.json()["results"]
    assert result["event"]["eventId"] == "evt-northwind-trading-demo-payroll-v3-3d8a7dd372a6-2026-05"
    assert [(rule["rule"][:2], rule["status"]) for rule in result["validation"]] == [(r, "passed") for r in RULES]
    for number, customer, total, day in SALES:
        invoice = {"type": "sales", "company": COMPANY, "period": "2026-05", "date": f"2026-05-{day}", "total": total}
        more = {"currency": "EUR", "invoice_ref": number, "customer": customer}
        assert client.post("/ingest/invoice", json=invoice | more).status_code == 200
    account = client.get("/pnl", params={"company": COMPANY}).json()
    figures = [account[name] for name in ("revenueTotal", "employerCostTotal", "netProfit", "cashOutTotal")]
    assert [figure.partition(".")[0] for figure in figures] == ["42700", "14600", "28100", "10800"]
    report = client.post("/consistency", json={"company": COMPANY}).json()
    assert (report["contradictions"], report["absences"], report["ok"]) == ([], [], True)


def test_what_is_missing_is_an_absence_of_the_audit(client: httpx2.Client) -> None:
    client.post("/v1/documents", json={"documents": PAPERS[1:]})
    report = client.post("/consistency", json={}).json()
    assert [one["subject"][:28] for one in report["absences"]] == ["evt-northwind-trading-demo-p"]
    assert len(report["absences"][0]["referencedBy"]) == 4
    client.post("/v1/documents", json={"documents": PAPERS[:1]})
    assert client.post("/consistency", json={}).json()["ok"]


def test_a_whole_event_comes_as_json(client: httpx2.Client) -> None:
    event = {
        "event_id": "evt-direct",
        "company": COMPANY,
        "period": "2026-05",
        "currency": "EUR",
        "employee_count": 3,
        "bank_net_total": 10800,
        "gross_total": 12000.00,
        "employer_social_security_total": 2600,
        "employee_social_security_total": "370",
        "tax_withheld_total": "830,00",
        "employer_cost_total": "14.600,00 EUR",
        "employees": [dict(zip(("employee_id", "name", *PAY[1:]), (row[0], *row), strict=True)) for row in STAFF],
        "linked_docs": [],
    }
    first = client.post("/ingest", json={"event": event})
    assert (first.status_code, first.json()["written"]) == (200, 5), first.text
    assert client.post("/ingest", json={"event": event}).json()["ids"] == first.json()["ids"]
    other = client.post("/v1/payroll-events", json={"event": event | {"currency": "USD", "employer_cost_total": 14600}})
    assert (other.status_code, other.json()["reason"]) == (409, "EVENT_CONTRADICTS")


def _sent(client: httpx2.Client, files: Sequence[tuple[str, bytes]]) -> dict[str, Any]:
    """Send files as a form, wait for their job, and return what it came to."""
    left = client.post("/v1/documents", files=[("files", file) for file in files], data={"eventRef": "may"})
    assert left.status_code == 200, left.text
    job_id = left.json()["jobId"]
    ends = time.monotonic() + JOB_SECONDS
    while True:
        job = client.get(f"/v1/jobs/{job_id}").json()["job"]
        if job["status"] in ("done", "failed"):
            break
        assert time.monotonic() < ends, job
        time.sleep(0.5)  # the job's progress has no other sign
    assert job["status"] == "done", job
    found: dict[str, Any] = client.get(f"/v1/documents/{job_id}").json()["outcome"]
    return found


def test_four_hundred_payslips_come_in_three_requests_and_one_is_corrupt(client: httpx2.Client) -> None:
    made = papers(400)
    slips = list(made.payslips.items())
    first = _sent(client, [made.register, made.bank, *slips[:198]])
    assert first["results"][0]["missing"] == ["payslips: 198 of 400"]
    second = _sent(client, slips[198:398])
    failed = [one for one in second["documents"] if one["status"] == "failed"]
    assert [one["filename"] for one in failed] == [made.corrupt]
    third = _sent(client, [*slips[398:], *(("again.pdf", made.whole_slip),), *slips[:18]])
    (result,) = third["results"]
    assert result["missing"] == []
    assert [rule["status"] for rule in result["validation"]] == ["passed"] * 6
    assert result["event"]["employeeCount"] == len(result["event"]["employees"]) == 400
    counted = client.get("/v1/memories:count", params={"kind": "payroll_event"}).json()
    assert counted == {"count": 401}


def test_a_form_s_bad_file_is_told_alone(client: httpx2.Client) -> None:
    files = [("files", ("broken.pdf", b"%PDF-1.4 nothing"))]
    files += [("files", (f"{one['doc_id']}.json", one["content"].encode())) for one in PAPERS[:2]]
    answer = client.post("/v1/documents", files=files, data={"company": COMPANY, "period": "2026-05"})
    assert [one["status"] for one in answer.json()["documents"]] == ["failed", "accepted", "accepted"]


def test_bytes_and_data_urls_are_the_same_document(client: httpx2.Client) -> None:
    body = PAPERS[1]["content"].encode()
    url = f"data:text/plain;base64,{base64.b64encode(body).decode()}"
    named = {"docId": "bank", "company": COMPANY, "period": "2026-05"}
    first = client.post("/v1/documents", json={"documents": [named | {"content": url}]}).json()
    again = client.post("/v1/documents", json={"documents": [named | {"data": base64.b64encode(body).decode()}]}).json()
    assert [first["documents"][0]["status"], again["documents"][0]["status"]] == ["accepted", "existing"]
