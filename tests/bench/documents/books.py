"""Send the scenarios' files to a running Candor over HTTP and compare its books with those expected.

Rules: a tenant of its own for each story; files go as bytes in JSON, with a file name and what the case declares. After
each request every expected thing is one check: what became of each file, the events and how R1 to R6 came out (in the
answer and as memories of kind validation), what is still waited for, and every figure of the P&L, at the top as well.
It does not know how the product reads or counts. Source: fixtures/README.md, section documents.
"""

import base64
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import httpx2

from tests.bench.documents import demo
from tests.bench.documents.making import FIXTURES
from tests.e2e.asking import get
from tests.e2e.stack import Stack

FIGURES = (
    "employerCostTotal grossTotal cashOutTotal purchasesTotal purchaseCashOutTotal purchaseCashUnknownTotal "
    "revenueTotal totalExpenses netProfit"
).split()


@dataclass(slots=True)
class Told:
    """How one story ended."""

    name: str
    checks: int = 0
    failures: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def check(self, holds: bool, failure: str) -> None:
        """Count one check."""
        self.checks += 1
        if not holds:
            self.failures.append(failure)


def stories(half: str) -> list[tuple[dict[str, Any], dict[str, bytes]]]:
    """Return the stories of a half, each with its files."""
    read = json.loads((FIXTURES / half / "scenarios.json").read_text(encoding="utf-8"))
    found = []
    for given in read:
        names = [file["file"] for request in given["requests"] for file in request["files"]]
        found.append((given, {name: (FIXTURES / name).read_bytes() for name in names}))
    seed = demo.story() if half == "build" else None
    if seed:
        found.append((seed.as_json(), {paper.file: paper.raw for paper in seed.papers}))
    return found


def measure(stack: Stack, half: str) -> list[Told]:
    """Tell every story of a half."""
    ended = []
    for given, files in stories(half):
        told = Told(given["name"])
        begun = time.monotonic()
        with stack.client(stack.new_tenant().key) as client:
            for number, request in enumerate(given["requests"], start=1):
                _request(told, client, given["company"], request, files, f"request {number}")
        told.seconds = time.monotonic() - begun
        ended.append(told)
    return ended


def _request(
    told: Told,
    client: httpx2.Client,
    company: str,
    request: Mapping[str, Any],
    files: Mapping[str, bytes],
    place: str,
) -> None:
    documents = []
    for file in request["files"]:
        name = file["file"]
        data = base64.b64encode(files[name]).decode()
        documents.append({"docId": name, "filename": name.rpartition("/")[2], "data": data} | file["declared"])
    answer = client.post("/v1/documents", json={"documents": documents})
    told.check(answer.status_code == 200, f"{place}: {answer.status_code} {answer.text[:200]}")
    if answer.status_code != 200:
        return
    body = answer.json()
    _files(told, request, body, place)
    _events(told, request, body, place)
    if request["events"]:
        _validations(told, client, company, request["events"], place)
    if request["pnl"]:
        _pnl(told, request["pnl"], get(client, "/v1/pnl", company=company), place)


def _files(told: Told, request: Mapping[str, Any], body: Mapping[str, Any], place: str) -> None:
    results: dict[str, list[dict[str, Any]]] = {}
    for result in body["documents"]:
        results.setdefault(result["docId"].partition("#")[0], []).append(result)
    failed = {name for name, each in results.items() if any(result["status"] == "failed" for result in each)}
    for file in request["files"]:
        name = file["file"]
        if name in request["tellsOneOf"]:
            continue
        reasons = [result.get("reason") for result in results.get(name, ())]
        refused = name in request["refused"]
        told.check(name in results and (name in failed) == refused, f"{place}: {name}: refused {refused}, {reasons}")
    if request["tellsOneOf"]:
        told.check(bool(failed & set(request["tellsOneOf"])), f"{place}: neither of two unequal papers is told")


def _events(told: Told, request: Mapping[str, Any], body: Mapping[str, Any], place: str) -> None:
    missing = [name for result in body["results"] for name in result.get("missing", ())]
    for name in request["waitingFor"]:
        told.check(any(name in given for given in missing), f"{place}: {name} is not missed: {missing}")
    if request["events"] is None:
        return
    found = {(result["event"]["company"], result["event"]["period"]): result for result in _whole(body)}
    told.check(len(found) == len(request["events"]), f"{place}: {len(found)} events, not {len(request['events'])}")
    for event in request["events"]:
        result = found.get((event["company"], event["period"]), {"validation": [], "event": {}})
        currency = result["event"].get("currency") or None
        told.check(currency == event["currency"], f"{place}: currency {currency}, not {event['currency']}")
        rules = {rule["rule"][:2]: rule["status"] for rule in result["validation"]}
        for rule, status in event["rules"].items():
            told.check(rules.get(rule) == status, f"{place}: {rule} {rules.get(rule)}, not {status}")


def _whole(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [result for result in body["results"] if result.get("event")]


def _validations(told: Told, client: httpx2.Client, company: str, events: list[Any], place: str) -> None:
    for event in events:
        page = get(client, "/v1/memories", kind="validation", company=company, period=event["period"], limit=100)
        kept: dict[str, str] = {}
        for memory in page["items"]:
            metadata = memory.get("metadata", {})
            if "status" in metadata:
                kept.setdefault(str(metadata.get("rule", ""))[:2], metadata["status"])  # the newest first
        told.check(kept == event["rules"], f"{place}: validations on record {kept}, not {event['rules']}")


def _pnl(told: Told, expected: Mapping[str, Any], found: Mapping[str, Any], place: str) -> None:
    for name in ("currencyStatus", "unknownCurrencyRecords"):
        told.check(found[name] == expected[name], f"{place}: {name} {found[name]}, not {expected[name]}")
    by_currency = {figures["currency"]: figures for figures in found["byCurrency"] if figures["currency"]}
    codes = {figures["currency"] for figures in expected["byCurrency"]}
    told.check(by_currency.keys() == codes, f"{place}: currencies {sorted(by_currency)}, not {sorted(codes)}")
    for wanted in expected["byCurrency"]:
        figures = by_currency.get(wanted["currency"], {})
        for name in FIGURES:
            _figure(told, f"{place}: {wanted['currency']} {name}", figures.get(name), wanted[name])
    single = expected["byCurrency"][0] if expected["currencyStatus"] == "single" else None
    for name in FIGURES:
        if expected["currencyStatus"] != "empty":
            _figure(told, f"{place}: {name} at the top", found.get(name), single[name] if single else None)


def _figure(told: Told, name: str, found: str | None, wanted: str | None) -> None:
    equal = found is wanted if found is None or wanted is None else Decimal(found) == Decimal(wanted)
    told.check(equal, f"{name} {found}, not {wanted}")
