"""What an audit costs at size: a planted tenant, audited whole and then after some writes, through the product.

Rules: the memories are made inside PostgreSQL (planted.py), the writes after them by ingest. CPU is of all processes
but this one; peak memory is of audit and retrieve, since their start. Every planted finding must come, and no other.
"""

import json
import random
import time
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from candor.audit.v1.fields_pb2 import AuditFieldsRequest, AuditSummary
from candor.ingest.v1.memories_pb2 import BatchCreateMemoriesRequest, NewMemory
from candor.memory.v1.memory_pb2 import KIND_INVOICE

from services import dev
from shared.rpc import clients
from shared.store import embedded, migrate
from tests.bench.audit.planted import EACH_CONTRADICTION, EACH_DECOY, plant
from tests.bench.speed import cpu as speed_cpu
from tests.e2e.stack import Stack

WRITES = 100
WRONG_EACH = 10  # of the writes one in so many contradicts what is stored
SEED = 7
DELTA_RUNS = 5


@dataclass(frozen=True, slots=True)
class Run:
    """One audit: what it found, how long it took, what it cost."""

    name: str
    seconds: float
    cpu_seconds: dict[str, float]
    found: dict[str, int]
    audited: int
    delta: bool
    peak_mib: dict[str, int]


async def measure(stack: Stack, tenant_id: str, memories: int) -> dict[str, Any]:
    """Plant, audit whole, write, audit what was written since."""
    begun = time.monotonic()
    there = await plant(_migrator(stack), UUID(tenant_id), memories)
    planting = time.monotonic() - begun
    runs = []
    point = ""
    for name in ("whole, first", "whole, again"):
        run, summary = await _audit(stack, tenant_id, name)
        runs.append(run)
        point = summary.next_since
    contradicted = await _write(stack, tenant_id, memories)
    for number in range(DELTA_RUNS):
        run, _ = await _audit(stack, tenant_id, f"after {WRITES} writes, {number + 1}", point)
        runs.append(run)
    expected = {name: getattr(there, name) for name in ("contradictions", "superseded", "duplicates", "absences")}
    return {
        "memories": memories,
        "planted_in_seconds": round(planting, 1),
        "planted": expected,
        "whole_is_exact": all(_is(run, expected) for run in runs[:2]),
        "written": WRITES,
        "delta_is_exact": all(_is(run, {"contradictions": contradicted}) and run.delta for run in runs[2:]),
        "runs": [asdict(run) for run in runs],
    }


def _is(run: Run, expected: dict[str, int]) -> bool:
    return {name: count for name, count in run.found.items() if count} == {n: c for n, c in expected.items() if c}


async def _audit(stack: Stack, tenant_id: str, name: str, since: str = "") -> tuple[Run, AuditSummary]:
    lines: Counter[str] = Counter()
    ids: set[str] = set()
    summary = AuditSummary()
    before, begun = speed_cpu.taken(stack.own), time.monotonic()
    async with clients.channel(stack.own.audit_target, caller="bench") as channel:
        request = AuditFieldsRequest(tenant_id=tenant_id, since=since)
        async for line in clients.field_audit(channel).AuditFields(request, timeout=600):
            item = str(line.WhichOneof("item"))
            if item == "summary":
                summary = line.summary
            else:
                lines[item] += 1
                ids.add(getattr(line, item).finding_id)
    seconds = time.monotonic() - begun
    cpu = {
        n: round(ms / 1000, 2) for n, ms in speed_cpu.since(before, speed_cpu.taken(stack.own), 1).items() if ms >= 10
    }
    if len(ids) != lines.total():
        raise SystemExit(f"audit: {lines.total()} findings have {len(ids)} ids")
    found = {
        "contradictions": lines["contradiction"],
        "superseded": lines["superseded"],
        "duplicates": lines["duplicate"],
        "absences": lines["absence"],
        "stale": lines["stale"],
    }
    return Run(name, round(seconds, 3), cpu, found, summary.audited, summary.delta, _peaks(stack)), summary


async def _write(stack: Stack, tenant_id: str, memories: int) -> int:
    """Write some memories of random stored records by ingest; return how many contradict what is there."""
    chosen = random.Random(SEED)
    plain = [r for r in range(memories // 2) if r % EACH_CONTRADICTION != 1 and r % EACH_DECOY != 7 and r % 1000 > 20]
    records = chosen.sample(plain, WRITES)
    made = [
        NewMemory(
            kind=KIND_INVOICE,
            content=f"Invoice INV-{r} as seen again in note {number}",
            company=f"Company {r % 500}",
            record=f"INV-{r}",
            session="later",
            metadata=json.dumps({"amount": r + 1000 + (1 if number % WRONG_EACH == 0 else 0), "currency": "EUR"}),
        )
        for number, r in enumerate(records)
    ]
    async with clients.channel(stack.own.ingest_target, caller="bench") as channel:
        for memory in made:
            request = BatchCreateMemoriesRequest(tenant_id=tenant_id, actor="bench", memories=[memory])
            await clients.memory_writer(channel).BatchCreateMemories(request, timeout=60)
    return WRITES // WRONG_EACH


def _migrator(stack: Stack) -> str:
    server = embedded.attach(stack.own.home / "pg")
    if server is None:
        raise SystemExit("audit: the embedded database is not running")
    secrets = json.loads((stack.own.home / "secrets.json").read_text())
    return migrate.addresses(server.dsn(), {role: secrets[role] for role in migrate.ROLES}).migrator


def _peaks(stack: Stack) -> dict[str, int]:
    found = {}
    for process in dev.running(stack.own):
        if process.name in ("audit", "retrieve"):
            status = Path(f"/proc/{process.pid}/status").read_text()
            line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
            found[process.name] = int(line.split()[1]) // 1024
    return found
