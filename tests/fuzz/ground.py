"""A little of everything in a new memory, for requests to meet: conflicts, findings, a decision, keys, jobs.

Rules: over the public interface alone; each answer's ids are learnt. It does not know what will be asked.
"""

from typing import Any

import httpx2

from gateway import examples
from tests.fuzz.known import Known

RECORDS = [
    ("INV-7", "amount", (8400, 8900)),
    ("LEASE-7", "ends", ("2027-06-30", "31 December 2027")),
    ("PO-1", "n", (1, 2)),
]
EXAMPLES = {
    "/v1/turns": "ingest.v1.TurnsService.ObserveTurn",
    "/v1/invoices": "ingest.v1.DocumentsService.IngestInvoice",
    "/v1/payroll-events": "ingest.v1.DocumentsService.IngestPayrollEvent",
    "/v1/keys": "ingest.v1.AdminService.CreateKey",
}


def lay(client: httpx2.Client, known: Known) -> None:
    """Write it as the tenant whose key the client has; the keys there are become the run's own."""
    keys = client.get("/v1/keys").json()
    known.mine.update(key["keyId"] for key in keys["keys"])
    memories = [
        {
            "kind": "invoice",
            "company": "Northwind",
            "record": record,
            "content": f"{record} {name}: {value}.",
            "metadata": {name: value},
        }
        for record, name, values in RECORDS
        for value in values
    ]
    wrote = client.post("/v1/memories:batch", json={"memories": memories}).json()
    ids = [memory["memoryId"] for memory in wrote["memories"]]
    every = examples.load()
    for path, name in EXAMPLES.items():
        known.learn(client.post(path, json=every[f"candor.{name}"]).json())
    paper = {"content": "INVOICE\nTotal: EUR 1.00", "company": "Northwind", "period": "2026-05"}
    forgotten = {"preview": True, "memoryIds": ids[-1:]}
    for path, body in (
        ("/v1/documents", {"documents": [paper], "background": True}),
        ("/v1/audit:record", {}),
        ("/v1/conflicts:resolve", _choice("LEASE-7", "ends", ids[2])),
        ("/v1/conflicts:resolve", _choice("PO-1", "n", ids[4])),
        ("/v1/memories:forget", forgotten),
    ):
        known.learn(client.post(path, json=body).json())
    plan = client.post("/v1/memories:forget", json=forgotten).json()
    known.learn(client.post("/v1/memories:forget", json={"planId": plan["planId"]}).json())
    upload = {"Content-Type": "application/x-ndjson", "Idempotency-Key": "an-upload"}
    known.learn(client.post("/v1/memories:import", content='{"kind": "note", "content": "c"}', headers=upload).json())
    for path in ("/v1/findings", "/v1/decisions", "/v1/jobs"):
        known.learn(client.get(path, params={"limit": 5}).json())
    known.learn(wrote)


def _choice(subject: str, attribute: str, selected: str) -> dict[str, Any]:
    return {"subject": subject, "attribute": attribute, "selectedMemoryId": selected, "reason": "so"}
