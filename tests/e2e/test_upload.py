"""An upload through the whole product: what is held of it is bounded, and it is found at once.

UPLOAD_MEGABYTES makes the first test larger; by default it is small.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.stack import Stack

NDJSON = {"Content-Type": "application/x-ndjson"}
MEGABYTES = int(os.environ.get("UPLOAD_MEGABYTES", "48"))
GROWTH_MAX_BYTES = 48_000_000  # of one process; more than some batches of the longest texts, less than the upload
TEXT = "x" * 30_000


def resident_bytes(stack: Stack, role: str) -> int:
    pid, _ = json.loads((stack.own.home / "run" / f"{role}.json").read_text())
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def body(lines: int, **given: Any) -> Iterator[bytes]:
    for number in range(lines):
        yield json.dumps({"kind": "note", "content": f"{number} {TEXT}", **given}).encode() + b"\n"


def test_the_size_of_an_upload_costs_no_memory(stack: Stack) -> None:
    lines = MEGABYTES * 1_000_000 // len(TEXT)
    tenant = stack.new_tenant()
    before: dict[str, int] = {}
    with stack.client(tenant.key) as client:
        # What ingest refuses costs it nothing to write, so only passing it on is measured.
        for size in (200, lines):
            before = {role: resident_bytes(stack, role) for role in ("gateway", "ingest")}
            path = f"/v1/memories:import?requestId=of-{size}"
            answer = client.post(path, content=body(size, period="soon"), headers=NDJSON, timeout=300)
            assert (answer.status_code, answer.json()["failed"]) == (200, size)
    grown = {role: resident_bytes(stack, role) - former for role, former in before.items()}
    print(f"{MEGABYTES} MB: grown by {grown}")
    assert max(grown.values()) < GROWTH_MAX_BYTES, grown


@pytest.mark.parametrize("mode", ["live", "bulk"])
def test_what_was_uploaded_is_counted_and_found_at_once(stack: Stack, mode: str) -> None:
    facts = [f"The {colour} lighthouse stands on cape number {n}." for n, colour in enumerate(("red", "white", "old"))]
    lines = [json.dumps({"kind": "note", "content": fact}) for fact in facts]
    tenant = stack.new_tenant()
    with stack.client(tenant.key) as client:
        text = "\n".join([*lines[:2], '{"kind":"note"', lines[2]])
        answer = client.post(f"/v1/memories:import?mode={mode}", content=text, headers=NDJSON).json()
        assert (answer["lines"], answer["written"], answer["failed"], answer["nextLine"]) == (4, 3, 1, 5)
        [error] = answer["errors"]
        assert (error["line"], error["reason"]) == (3, "JSON_INVALID")
        told = client.get(f"/v1/imports/{answer['importId']}").json()
        assert (told["mode"], told["written"]) == (mode, 3)
        assert client.get("/v1/memories:count").json() == {"count": 3}
        hits: list[Any] = []
        for wanted in ("lexical", "dense", "hybrid"):
            hits = client.post("/v1/recall", json={"query": "white lighthouse", "mode": wanted}).json()["hits"]
            assert hits[0]["memory"]["content"] == facts[1], wanted
        used = {"memoryIds": [hits[0]["memory"]["id"]]}
        key = {"Idempotency-Key": "recall-1"}
        counts = [client.post("/v1/memories:reinforce", json=used, headers=key).json() for _ in range(2)]
        assert counts == [{"reinforced": 1, "unknown": 0}, {"reinforced": 0, "unknown": 0}]
