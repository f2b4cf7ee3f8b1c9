"""The reference's demo seed drawn as PDFs on the fly: its payroll triple and its sales, in the build half's layouts.

Rules: the numbers are read where the public data lie and are never kept; without them there is no such story. The
expected books are added up from them.
Source: archon-behaviour.md 11; the same totals are committed as the scenario *trading*, of an invented company.
"""

import json
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.bench.documents.catalogue import Specimen
from tests.bench.documents.facts import Invoice, Payroll, Worker
from tests.bench.documents.scenarios import Scenario, Step, books, desk_of, event, own

SEED = Path(__file__).resolve().parents[4] / "shared" / "data" / "archon" / "demo_seed.json"


def _worker(given: dict[str, Any]) -> Worker:
    names = "gross employee_social_security tax net employer_social_security employer_cost".split()
    return Worker(given["employee_id"], given["name"], *(Decimal(str(given[name])) for name in names))


def story() -> Scenario | None:
    """Draw the seed's papers, if its file is there."""
    if not SEED.is_file():
        return None
    seed = json.loads(SEED.read_text(encoding="utf-8"))
    contents = [json.loads(document["content"]) for document in seed["documents"]]
    bank = next(content for content in contents if content["doc_type"] == "bank_confirmation")
    workers = tuple(_worker(content["employee"]) for content in contents if content["doc_type"] == "payslip")
    first = seed["documents"][0]
    pay = Payroll(
        seed["company"],
        first["period"],
        first["currency"],
        2,
        seed["event_ref"],
        workers,
        date.fromisoformat(bank["payment_date"]),
        "Tarnside Bank",
    )
    if pay.total("net") != bank["net_pay_total"]:
        raise ValueError("the seed's bank and payslips differ, so the story needs other papers")
    desk = desk_of("build", "demo")
    sales = [_sale(seed["company"], given["metadata"]) for given in seed["sales"]]
    files: list[Specimen] = [desk.register(pay), desk.bank(pay), *desk.slips(pay)]
    files += [desk.invoice(one, f"sales_{number}") for number, one in enumerate(sales, start=1)]
    step = Step(tuple(files), (event(pay),), books([own(pay)], sales))
    return Scenario("demo seed", "build", pay.company, "the reference's demo through PDFs", (step,))


def _sale(company: str, given: dict[str, Any]) -> Invoice:
    issued = date.fromisoformat(given["invoice_date"])
    lines = (("As ordered", 1, Decimal(str(given["total"]))),)
    due = issued + timedelta(days=30)
    return Invoice(
        "sales", company, given["customer"], given["invoice_number"], issued, due, given["currency"], 2, lines, 0
    )
