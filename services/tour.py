"""The tour of `make demo`: remember in two processes, lose every process, recall in a third, audit, ask for an answer.

Rules: it is a public client like any other and speaks HTTP only; each client step is a process of its own. It runs on a
home and ports of its own (`.candor/demo`), so that it disturbs nothing that is running, and it can be repeated: writing
the same facts again changes nothing.
"""

import json
import subprocess
import sys
import time
from typing import Any

from rich.console import Console
from rich.table import Table

from services import dev
from shared.config import Settings

COMPANY = "Northwind Trading"
RECORD = "INV-5521"
QUESTION = f"what do we owe on {RECORD}?"
FACTS = (
    {
        "kind": "document",
        "content": f"Invoice {RECORD} from Halden Paper: EUR 8,400 due on 30 April 2026, for order PO-118.",
        "company": COMPANY,
        "record": RECORD,
        "sourceRef": "inbox/halden-paper.pdf",
        "session": "accounts-monday",
        "metadata": {"amount": 8400, "currency": "EUR"},
        "references": ["PO-118"],
        "observedAt": "2026-04-01T09:00:00Z",
    },
    {
        "kind": "document",
        "content": f"Halden Paper corrected invoice {RECORD}: the amount due is EUR 8,900.",
        "company": COMPANY,
        "record": RECORD,
        "sourceRef": "inbox/halden-paper-2.pdf",
        "session": "accounts-friday",
        "metadata": {"amount": 8900, "currency": "EUR"},
        "observedAt": "2026-04-10T16:30:00Z",
    },
    {
        "kind": "note",
        "content": "The office plants are watered on Tuesdays.",
        "company": COMPANY,
        "session": "accounts-friday",
        "observedAt": "2026-04-10T17:00:00Z",
    },
)
out = Console(highlight=False, soft_wrap=True)


def _client(settings: Settings, key: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    """Make one call in a process of its own; return its process id and the answer."""
    process = subprocess.Popen(
        [sys.executable, "-m", "services.tour_client", settings.gateway_listen, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    written, _ = process.communicate(json.dumps([key, body]), timeout=60)
    if process.returncode:
        raise SystemExit(f"demo: the client for {path} failed")
    return process.pid, json.loads(written)


def _step(number: int, text: str) -> None:
    out.print(f"\n[bold]{number}. {text}[/bold]")


def _remember(settings: Settings, key: str) -> None:
    for fact in FACTS:
        pid, answer = _client(settings, key, "/v1/memories", dict(fact))
        memory = answer["memory"]
        told = "already remembered" if memory["existing"] else "remembered"
        out.print(f"   process {pid}: {told} as {memory['memoryId']}\n      {fact['content']}")


def _show_recall(answer: Any) -> None:
    table = Table("score", "observed", "recorded", "source", "content", box=None, pad_edge=False)
    for hit in answer["hits"]:
        memory = hit["memory"]
        dates = [(memory[name] or "")[:10] for name in ("observedAt", "recordedAt")]
        table.add_row(f"{hit['score']:.2f}", *dates, memory["sourceRef"] or "", memory["content"])
    out.print(table)
    for conflict in answer["conflicts"]:
        sides = " or ".join(json.dumps(value["value"]) for value in conflict["values"])
        out.print(f"\n   [yellow]conflict[/yellow] {conflict['subject']} {conflict['attribute']}: {sides}")
        out.print("   recommendation (nothing was changed):")
        out.print_json(json.dumps(conflict["resolution"]))


def _show_report(report: Any) -> None:
    counts = {name: len(report[name]) for name in ("contradictions", "superseded", "duplicates", "absences")}
    counted = ", ".join(f"{name}: {count}" for name, count in counts.items())
    ok = json.dumps(report["ok"])
    out.print(f"   memories: {report['audited']}, records: {report['subjects']}, {counted}, ok: {ok}")
    for absence in report["absences"]:
        referrers = ", ".join(referrer["sourceRef"] or referrer["memoryId"] for referrer in absence["referencedBy"])
        out.print(
            f"   [yellow]dangling reference[/yellow] {absence['subject']}: never captured, only named by {referrers}"
        )
    for found in report["contradictions"]:
        chosen = found["resolution"]
        out.print(f"   [yellow]contradiction[/yellow] {found['subject']} {found['attribute']}: {chosen['rationale']}")


def _show_answer(answer: Any) -> None:
    for line in answer["answer"].splitlines():
        out.print(f"   {line}", markup=False)
    out.print()
    for citation in answer["citations"]:
        out.print(f"   {citation['marker']} {citation['sourceRef'] or citation['memoryId']}", markup=False)
    grounding = answer["grounding"] or {"status": answer["degradationCode"]}
    calls = answer["usage"]["calls"]
    out.print(f"   narrator: {answer['modelId']}, guard: {grounding['status']}, model calls: {calls}")


def run(settings: Settings) -> None:
    """Run the tour from start to end and stop cleanly."""
    settings = dev.apart(settings, settings.home / "demo")
    began = time.monotonic()
    dev.kill(settings)  # what an interrupted tour left behind
    try:
        _step(1, "Start: database, five services, gateway")
        key = dev.up(settings)
        _step(2, f"Remember {RECORD} from processes that know nothing of each other")
        _remember(settings, key)
        _step(3, "Kill every process, the database too (kill -9)")
        out.print(f"   ended: {', '.join(process.name for process in dev.kill(settings))}")
        _step(4, "Start again")
        key = dev.up(settings)
        _step(5, f"Recall from another process: “{QUESTION}”")
        _, answer = _client(
            settings, key, "/v1/recall", {"query": QUESTION, "company": COMPANY, "ungrouped": True, "limit": 5}
        )
        _show_recall(answer)
        _step(6, "Audit the whole memory")
        _, report = _client(settings, key, "/v1/audit", {})
        _show_report(report)
        _step(7, f"Have it answered, with citations: “{QUESTION}”")
        _, told = _client(settings, key, "/v1/answer", {"question": QUESTION, "company": COMPANY})
        _show_answer(told)
    finally:
        _step(8, "Stop")
        dev.down(settings)
    out.print(f"   stopped cleanly; the tour took {time.monotonic() - began:.0f} s. Next: make up")
