"""What a consolidation pass takes beside how much there is, and what writes feel of it meanwhile.

Rules: one tenant of each size in a database of its own machine, written through ingest with vectors of a stand-in; the
graph is built at the end. A tenth of what there is was told three times; the rest is worded alike but differs in its
figures, so that every memory has near neighbours. The whole tenant is looked at, as by the first pass. Writes are
single ones by one client, before the pass and during it. Ingest, its client and the pass share one process, so the
figures of writes are an upper bound. Memory is by how much the process's peak rose. Other work on the machine stretches
seconds: CPU seconds of the process and of PostgreSQL stand beside them, and the rows that PostgreSQL read; those of the
writes meanwhile are in them. With --quiet nothing is written meanwhile.
Run: python -m tests.bench.life.consolidation [--sizes 1000,10000,100000] [--quiet] [--json FILE]
"""

import argparse
import asyncio
import json
import os
import resource
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import UUID

from services.ingest import consolidation_job
from services.ingest.runner import JobRunner
from services.ingest.upkeep import CONSOLIDATE_KIND
from shared.clock import new_id
from shared.rpc import wire
from shared.store import embedded, migrate
from shared.store.pool import run
from shared.store.writes import jobs
from shared.store.writes.jobs import NewJob
from tests.bench.life.sweep import (
    BATCH,
    GENERATIONS,
    GRAPH,
    PARTITIONS,
    READ,
    SIZES,
    STATISTICS_SECONDS,
    percentile,
    written,
)
from tests.services.ingest.workplace import Workplace, batch, memory, workplace

TOLD_TIMES = 3
REPEATED_SHARE = 0.1  # of the memories


async def fill(ingest: Workplace, tenant: UUID, size: int) -> None:
    """Write so many memories, each told a minute after the one before."""
    repeats = int(size * REPEATED_SHARE)
    distinct = size - repeats
    numbers = [*range(distinct), *(n % (repeats // (TOLD_TIMES - 1)) for n in range(repeats))]
    for first in range(0, size, BATCH):
        contents = (f"User keeps item {n} in box {n * 7_919 % 10_007}" for n in numbers[first : first + BATCH])
        made = [memory(content, observed_at=wire.to_timestamp(ingest.clock.tick(60))) for content in contents]
        await ingest.writer.BatchCreateMemories(batch(tenant, made), timeout=300)


def cpu_seconds(home: Path) -> float:
    """Return what PostgreSQL has used, with its processes that run and those that have ended."""
    postmaster = (home / "postmaster.pid").read_text().split()[0]
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if stat.parent.name == postmaster:
            ticks += sum(map(int, fields[11:15]))
        elif fields[1] == postmaster:
            ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


async def measured(ingest: Workplace, size: int, home: Path, *, quiet: bool) -> dict[str, Any]:
    """Fill a tenant and consolidate it."""
    tenant = new_id()
    graph = await ingest.value("SELECT pg_get_indexdef($1::regclass)", GRAPH)
    await ingest.look.execute(f"DROP INDEX {GRAPH}")
    began = time.perf_counter()
    await fill(ingest, tenant, size)
    await ingest.look.execute(graph.replace(" ON ONLY ", " ON "))
    await ingest.look.execute("VACUUM (ANALYZE)")
    filled = time.perf_counter() - began
    idle = await written(ingest, tenant, "idle", None)
    await asyncio.sleep(STATISTICS_SECONDS)
    read = await ingest.value(READ)
    job = NewJob(new_id(), tenant, CONSOLIDATE_KIND, ingest.clock.time, ingest.clock.time, 1)
    await run(ingest.pool, tenant, partial(jobs.enqueue, job=job))
    handler = partial(consolidation_job.handle, means=ingest.means)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    async def consolidated() -> float:
        began = time.perf_counter()
        await JobRunner(ingest.pool, {CONSOLIDATE_KIND: handler}, now=ingest.clock.now).step()
        return time.perf_counter() - began

    own, theirs = time.process_time(), cpu_seconds(home)
    running = asyncio.create_task(consolidated())
    during = [] if quiet else await written(ingest, tenant, "meanwhile", running)
    seconds = await running
    own, theirs = time.process_time() - own, cpu_seconds(home) - theirs
    await asyncio.sleep(STATISTICS_SECONDS)
    read = await ingest.value(READ) - read
    told = await ingest.value("SELECT result::text FROM job WHERE job_id = $1", job.job_id)
    return {
        "memories": size,
        **json.loads(told),
        "seconds": round(seconds, 2),
        "ms_for_each_memory": round(seconds * 1_000 / size, 2),
        "cpu_seconds_of_ingest": round(own, 2),
        "cpu_seconds_of_postgres": round(theirs, 2),
        "rows_read": read,
        "load": round(os.getloadavg()[0], 1),
        "peak_mib_more": round((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) / 1_024, 1),
        "write_p95_ms_idle": percentile(idle, 0.95),
        "writes_meanwhile": len(during),
        "write_p95_ms_meanwhile": percentile(during, 0.95),
        "filled_in_seconds": round(filled, 1),
    }


async def main(sizes: Sequence[int], server: embedded.Server, home: Path, *, quiet: bool) -> list[dict[str, Any]]:
    """Measure each size."""
    passwords = {role: f"{role}-of-the-bench" for role in migrate.ROLES}
    dsns = await migrate.migrate(server.dsn(), partitions=PARTITIONS, passwords=passwords, generations=GENERATIONS)
    found = []
    async with workplace(dsns) as ingest:
        for size in sizes:
            found.append(await measured(ingest, size, home, quiet=quiet))
            print(json.dumps(found[-1]), flush=True)
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Measure consolidation.")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quiet", action="store_true", help="write nothing meanwhile")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        home = Path(folder) / "pg"
        try:
            sizes = [int(size) for size in given.sizes.split(",")]
            figures = asyncio.run(main(sizes, embedded.start(home), home, quiet=given.quiet))
        finally:
            embedded.stop(home)
            embedded.remove(home)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=1) + "\n")
