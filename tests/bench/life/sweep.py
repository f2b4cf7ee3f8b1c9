"""What a sweep reads and how long it takes beside how much there is, and what writes feel of it meanwhile.

Rules: one tenant of each size in a database of its own machine, written through ingest with vectors of a stand-in; the
graph is built at the end. A twentieth has faded when the sweep begins. Rows read are PostgreSQL's own counts, over all
tables that hold memories and their dates. Writes are single ones by one client, before the sweep and during it. Ingest,
its client and the sweep share one process, so the figures of writes are an upper bound.
Run: python -m tests.bench.life.sweep [--sizes 1000,10000,100000] [--json FILE]
"""

import argparse
import asyncio
import json
import time
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from candor.ingest.v1 import forgetting_pb2 as pb
from candor.memory.v1.memory_pb2 import MEMORY_TYPE_EPISODIC

from shared.clock import new_id
from shared.rpc import life_stubs
from shared.store import embedded, migrate
from tests.services.ingest.workplace import Workplace, batch, memory, workplace

SIZES = (1_000, 10_000, 100_000)
FADED_SHARE = 0.05
BATCH = 500
IDLE_WRITES = 300
PARTITIONS = 32
GENERATIONS = [("all-MiniLM-L6-v2", 384)]
STATISTICS_SECONDS = 11.0  # an idle connection reports what it has read after ten
GRAPH = "memory_vector_g1_hnsw"
READ = """SELECT sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint FROM pg_stat_user_tables
    WHERE relname ~ '^memory(_use|)(_p[0-9]+)?$'"""


async def fill(ingest: Workplace, tenant: UUID, size: int) -> None:
    """Write so many memories, those that fade first a day before the others."""
    old = int(size * FADED_SHARE)
    for start, end in ((0, old), (old, size)):
        for first in range(start, end, BATCH):
            contents = [f"trifle {number} of {size}" for number in range(first, min(first + BATCH, end))]
            made = [memory(content, memory_type=MEMORY_TYPE_EPISODIC) for content in contents]
            await ingest.writer.BatchCreateMemories(batch(tenant, made), timeout=300)
        ingest.clock.tick(timedelta(days=1).total_seconds())


async def written(ingest: Workplace, tenant: UUID, name: str, until: "asyncio.Task[Any] | None") -> list[float]:
    """Write one memory after another, so many or until a task is done; return milliseconds of each."""
    took: list[float] = []
    while (not until.done()) if until is not None else len(took) < IDLE_WRITES:
        began = time.perf_counter()
        await ingest.create(tenant, f"{name} {len(took)}", memory_type=MEMORY_TYPE_EPISODIC)
        took.append((time.perf_counter() - began) * 1_000)
    return took


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the value that so many are not above; None of nothing."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * share))], 2) if ordered else None


async def measured(ingest: Workplace, size: int) -> dict[str, Any]:
    """Fill a tenant and sweep it."""
    tenant = new_id()
    graph = await ingest.value("SELECT pg_get_indexdef($1::regclass)", GRAPH)
    await ingest.look.execute(f"DROP INDEX {GRAPH}")
    began = time.perf_counter()
    await fill(ingest, tenant, size)
    await ingest.look.execute(graph.replace(" ON ONLY ", " ON "))
    await ingest.look.execute("VACUUM (ANALYZE)")
    filled = time.perf_counter() - began
    first = await ingest.value("SELECT min(fades_at) FROM memory_use WHERE tenant_id = $1", tenant)
    ingest.clock.time = first + timedelta(hours=12)
    idle = await written(ingest, tenant, "idle", None)
    await asyncio.sleep(STATISTICS_SECONDS)
    before = await ingest.value(READ)

    async def sweep() -> tuple[pb.SweepMemoriesResponse, float]:
        began = time.perf_counter()
        request = pb.SweepMemoriesRequest(tenant_id=str(tenant), actor="bench")
        answer = await life_stubs.forgetting(ingest.via).SweepMemories(request, timeout=600)
        return answer, time.perf_counter() - began

    running = asyncio.create_task(sweep())
    during = await written(ingest, tenant, "meanwhile", running)
    answer, seconds = await running
    await asyncio.sleep(STATISTICS_SECONDS)
    read = await ingest.value(READ) - before
    return {
        "memories": size,
        "forgotten": answer.faded,
        "seconds": round(seconds, 2),
        "rows_read": read,
        "rows_read_for_each_forgotten": round(read / max(1, answer.faded), 1),
        "writes_idle": len(idle),
        "write_p95_ms_idle": percentile(idle, 0.95),
        "writes_meanwhile": len(during),
        "write_p95_ms_meanwhile": percentile(during, 0.95),
        "filled_in_seconds": round(filled, 1),
    }


async def main(sizes: Sequence[int], server: embedded.Server) -> list[dict[str, Any]]:
    """Measure each size."""
    passwords = {role: f"{role}-of-the-bench" for role in migrate.ROLES}
    dsns = await migrate.migrate(server.dsn(), partitions=PARTITIONS, passwords=passwords, generations=GENERATIONS)
    found = []
    async with workplace(dsns) as ingest:
        for size in sizes:
            found.append(await measured(ingest, size))
            print(json.dumps(found[-1]), flush=True)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure sweeps.")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        home = Path(folder) / "pg"
        try:
            figures = asyncio.run(main([int(size) for size in given.sizes.split(",")], embedded.start(home)))
        finally:
            embedded.stop(home)
            embedded.remove(home)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n")
