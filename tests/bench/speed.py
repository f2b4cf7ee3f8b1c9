"""How fast Candor remembers and recalls on this machine, and what of it is PostgreSQL: `make bench-speed`.

    python -m tests.bench.speed [--rows 100000] [--texts 2000] [--quick] [--out docs/benchmarks/speed.json]

Rules: an own stack in a temporary home, used as any client uses it: texts over HTTP in batches, embedded by the local
model; more memories over gRPC with vectors given; recalls over HTTP by 1, 8 and 32 clients, with questions whose
vectors are cached and with new ones; beside them the same statements asked of PostgreSQL directly. The load runs on
the same cores as everything else, so CPU time per request is the figure to compare, not wall time.
"""

import argparse
import asyncio
import json
import os
import platform
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any
from uuid import UUID

for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(
        name, None
    )  # before numpy is loaded, here and in the services: either one changes what its sums cost

import asyncpg  # noqa: E402
import numpy as np  # noqa: E402
from candor.embed.v1.embeddings_pb2 import PURPOSE_DOCUMENT, PURPOSE_QUERY, EmbedTextsRequest, Purpose  # noqa: E402
from candor.ingest.v1.memories_pb2 import BatchCreateMemoriesRequest, NewMemory  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from rich.console import Console  # noqa: E402
from rich.table import Column, Table  # noqa: E402

from shared.config import Settings  # noqa: E402
from shared.rpc import clients  # noqa: E402
from shared.store import embedded, migrate  # noqa: E402
from shared.store.pool import open_pool, run_without_tenant  # noqa: E402
from shared.store.reads import statistics  # noqa: E402
from tests.bench import speed_direct, speed_texts  # noqa: E402
from tests.bench.speed_load import Http, Measured, load  # noqa: E402
from tests.e2e.stack import Stack, Tenant, started  # noqa: E402

CLIENTS = (1, 8, 32)
INGEST_CLIENTS = 4
HTTP_BATCH = 100
GRPC_BATCH = 500
CACHED_QUESTIONS = 64
REQUESTS_EACH = {1: 600, 8: 1_600, 32: 1_600}  # some seconds each, so that CPU ticks of 10 ms do not matter
WARM_UP_REQUESTS = 200
QUICK_SHARE = 10
PROCESSES = ("gateway", "ingest", "retrieve", "embed", "postgres", "postgres background", "client")
SHOWN_SHARE = 0.01
EMBED_TEXTS_MAX = 512  # of one call: within its deadline on two cores

out = Console(highlight=False, width=150)


@dataclass(frozen=True, slots=True)
class Bench:
    """The stack under test, its tenant, and the texts."""

    stack: Stack
    tenant: Tenant
    texts: speed_texts.Texts
    divisor: int

    @property
    def settings(self) -> Settings:
        return self.stack.own

    @property
    def address(self) -> str:
        return self.settings.gateway_listen

    def requests(self, clients_: int) -> int:
        return REQUESTS_EACH[clients_] // self.divisor


async def embed(bench: Bench, texts: Sequence[str], purpose: Purpose.ValueType) -> tuple[NDArray[np.float32], str]:
    """Return the vectors of texts from the embed service, and their model."""
    async with clients.channel(bench.settings.embed_target, caller="bench") as channel:
        stub, parts, model = clients.embeddings(channel), [], ""
        for start in range(0, len(texts), EMBED_TEXTS_MAX):
            part = texts[start : start + EMBED_TEXTS_MAX]
            request = EmbedTextsRequest(tenant_id=bench.tenant.tenant_id, texts=part, purpose=purpose)
            answer = await stub.EmbedTexts(request, timeout=300)
            model = answer.generation.model
            parts.append(np.frombuffer(answer.vectors, "<f4").reshape(len(part), -1))
    return np.concatenate(parts), model


async def ingest_texts(bench: Bench) -> Measured:
    """Write the texts over HTTP; the local model embeds them."""
    memories = list(speed_texts.memories(bench.texts.stored))
    batches = iter([memories[start : start + HTTP_BATCH] for start in range(0, len(memories), HTTP_BATCH)])
    connections = [Http(bench.address, bench.tenant.key) for _ in range(INGEST_CLIENTS)]

    async def write(client: int, batch: list[dict[str, object]]) -> None:
        await connections[client].post("/v1/memories:batch", {"memories": batch})

    name = f"texts, HTTP, batches of {HTTP_BATCH}"
    return await load(bench.settings, name, INGEST_CLIENTS, batches, write, items_each=HTTP_BATCH)


async def ingest_vectors(bench: Bench, rows: int) -> Measured:
    """Write memories with vectors over gRPC."""
    vectors, model = await embed(bench, bench.texts.stored, PURPOSE_DOCUMENT)
    batches = speed_texts.perturbed(bench.texts.stored, vectors, model, rows, GRPC_BATCH)
    serial = count(1)
    async with clients.channel(bench.settings.ingest_target, caller="bench") as channel:
        writer = clients.memory_writer(channel)

        async def write(_client: int, batch: list[NewMemory]) -> None:
            request = BatchCreateMemoriesRequest(tenant_id=bench.tenant.tenant_id, actor="bench", memories=batch)
            await writer.BatchCreateMemories(request, timeout=120)
            if (done := next(serial)) % 20 == 0:
                out.print(f"   {done * GRPC_BATCH:,} of {rows:,}")

        name = f"vectors given, gRPC, batches of {GRPC_BATCH}"
        return await load(bench.settings, name, INGEST_CLIENTS, batches, write, items_each=GRPC_BATCH)


async def settle(bench: Bench, dsn: str) -> None:
    """Do what autovacuum does within minutes, so that every run asks the same plans."""
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute("VACUUM (ANALYZE)")
    finally:
        await connection.close()


async def over_http(bench: Bench, name: str, questions: Iterator[str], number: int, requests: int) -> Measured:
    """Recall over HTTP by some clients."""
    connections = [Http(bench.address, bench.tenant.key) for _ in range(number)]

    async def recall(client: int, question: str) -> None:
        await connections[client].post("/v1/recall", {"query": question})

    try:
        return await load(bench.settings, name, number, islice(questions, requests), recall)
    finally:
        for connection in connections:
            connection.close()


async def recalls(bench: Bench, dsns: migrate.Dsns) -> list[Measured]:
    """Measure recall with cached questions, with new ones, and its statements alone."""
    known = bench.texts.asked[:CACHED_QUESTIONS]
    vectors, _ = await embed(bench, known, PURPOSE_QUERY)
    pool = await open_pool(dsns.reader, size=bench.settings.pool_size, application_name="candor-bench")
    tenant_id, serial = UUID(bench.tenant.tenant_id), count()
    measured = []
    try:
        generation = await run_without_tenant(pool, statistics.current_generation)
        if generation is None:
            raise SystemExit("speed: the database has no embedding generation")
        prepared = await speed_direct.prepare(pool, tenant_id, secret_key(bench), known, vectors)

        async def ask(_client: int, question: speed_direct.Prepared) -> None:
            await speed_direct.ask(pool, tenant_id, generation, question)

        await over_http(bench, "warm-up", cycle(known), 8, WARM_UP_REQUESTS)
        await load(bench.settings, "warm-up", 8, islice(cycle(prepared), WARM_UP_REQUESTS), ask)
        for number in CLIENTS:
            requests = bench.requests(number)
            direct = islice(cycle(prepared), requests)
            new = speed_texts.new_questions(bench.texts, next(serial) * 100_000)
            measured.append(await load(bench.settings, "SQL alone", number, direct, ask))
            measured.append(await over_http(bench, "recall, question cached", cycle(known), number, requests))
            measured.append(await over_http(bench, "recall, question new", new, number, requests // 2))
    finally:
        await pool.close()
    return measured


def secret_key(bench: Bench) -> bytes:
    """Return the key of term ids on this machine."""
    secret = json.loads((bench.settings.home / "secrets.json").read_text())["secret"]
    return Settings(secret=secret).key("term-id")


def ratios(measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """Compare each recall with its statements alone, by the same number of clients."""
    alone = {m.clients: m for m in measured if m.name == "SQL alone"}
    return [
        {
            "name": m.name,
            "clients": m.clients,
            "p50_ratio": round(m.p50 / alone[m.clients].p50, 2),
            "postgres_cpu_ratio": round(m.cpu["postgres"] / alone[m.clients].cpu["postgres"], 2),
            "cpu_ratio": round(m.product_cpu / sum(alone[m.clients].cpu[name] for name in ("postgres", "client")), 2),
        }
        for m in measured
        if m.clients in alone and m.name != "SQL alone"
    ]


def show(title: str, measured: Sequence[Measured], unit: str) -> None:
    """Print one table: rates, latencies, CPU of the whole product, then of each process that takes a share."""
    most = max(m.product_cpu for m in measured)
    names = [name for name in PROCESSES if max(m.cpu[name] for m in measured) >= SHOWN_SHARE * most]
    numbers = (unit, "per s", "p50 ms", "p95", "p99", "CPU ms", *names)
    table = Table("", "clients", *(Column(name, justify="right") for name in numbers), title=title)
    for m in measured:
        times = (f"{value:,.1f}" for value in (m.per_second, m.p50, m.p95, m.p99))
        cpu = (f"{m.cpu[name]:.2f}" for name in names)
        table.add_row(m.name, str(m.clients), f"{m.count:,}", *times, f"{m.product_cpu:.2f}", *cpu)
    out.print(table)


def show_ratios(compared: Sequence[dict[str, Any]]) -> None:
    """Print what is above the statements alone."""
    table = Table("", "clients", "p50", "PostgreSQL CPU", "all CPU", title="Recall over its own SQL, ratio")
    for row in compared:
        parts = (f"{row[name]:.2f}" for name in ("p50_ratio", "postgres_cpu_ratio", "cpu_ratio"))
        table.add_row(row["name"], str(row["clients"]), *parts)
    out.print(table)


async def measure(bench: Bench, rows: int) -> dict[str, Any]:
    """Run everything and return the report."""
    server = embedded.attach(bench.settings.home / "pg")
    if server is None:
        raise SystemExit("speed: the embedded database is not running")
    secrets = json.loads((bench.settings.home / "secrets.json").read_text())
    dsns = migrate.addresses(server.dsn(), {role: secrets[role] for role in ("migrator", "writer", "reader")})
    out.print(f"1. {len(bench.texts.stored):,} texts ({bench.texts.origin})")
    written = [await ingest_texts(bench)]
    out.print(f"2. {rows:,} memories with vectors")
    written.append(await ingest_vectors(bench, rows))
    await settle(bench, server.dsn("candor"))
    show("Remember; CPU ms per memory, latency per batch", written, "memories")
    out.print("3. recall")
    measured = await recalls(bench, dsns)
    show("Recall; CPU ms per request", measured, "requests")
    compared = ratios(measured)
    show_ratios(compared)
    machine = {"cpus": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}
    return {
        "measured_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": machine,
        "texts": {"count": len(bench.texts.stored), "origin": bench.texts.origin},
        "rows_with_vectors": rows,
        "ingest": [m.as_json() for m in written],
        "recall": [m.as_json() for m in measured],
        "ratios": compared,
    }


def main() -> None:
    """Read the arguments, start a stack, measure, write the report."""
    parser = argparse.ArgumentParser(description="Measure ingest and recall.")
    parser.add_argument("--rows", type=int, default=100_000, help="memories with given vectors")
    parser.add_argument("--texts", type=int, default=2_000, help="texts that are embedded here")
    parser.add_argument("--quick", action="store_true", help="a tenth of everything; says little")
    parser.add_argument("--out", type=Path, default=Path("docs/benchmarks/speed.json"))
    given = parser.parse_args()
    divisor = QUICK_SHARE if given.quick else 1
    rows, texts = given.rows // divisor // GRPC_BATCH * GRPC_BATCH, given.texts // divisor // HTTP_BATCH * HTTP_BATCH
    with tempfile.TemporaryDirectory(prefix="candor-speed-") as folder, started(Path(folder), partitions=32) as stack:
        bench = Bench(stack, stack.new_tenant(), speed_texts.read(texts), divisor)
        report = asyncio.run(measure(bench, rows))
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(json.dumps(report, indent=1) + "\n")
    out.print(f"written to {given.out}")


if __name__ == "__main__":
    main()
