"""Part `ingest`: how fast memories are taken, and what recall feels of it (A4).

Rules: always in a fresh home, all in one tenant, so that its graph has grown before the uploads. Texts over HTTP,
embedded by the local model; vectors over gRPC; an upload of lines with the index live; one in bulk that is small enough
that nothing drains while it is taken, then its way into the index while one client recalls; then a longer one with all
of it at once. The vectors that wait are counted in the database. The lines are made beforehand.
"""

import asyncio
import json
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import asyncpg
from candor.ingest.v1.memories_pb2 import BatchCreateMemoriesRequest, NewMemory
from google.protobuf.json_format import MessageToDict
from numpy.typing import NDArray

from shared.rpc import clients
from shared.store.migrate import DATABASE
from tests.bench.speed import cpu, filling
from tests.bench.speed.figures import percentile
from tests.bench.speed.homes import Home, origins
from tests.bench.speed.labels import Labels
from tests.bench.speed.load import Http, Measured, load
from tests.bench.speed.texts import Texts

TENANT = "ingest"
CLIENTS = 4
HTTP_BATCH, GRPC_BATCH = 100, 500
TEXTS, VECTORS, LIVE, QUIET, LONG = 2_000, 20_000, 15_000, 14_000, 60_000  # QUIET: nothing drains below 15,000
CACHED_QUESTIONS = 64
POLL_SECONDS = 0.25


async def measure(home: Home, folder: Path, texts: Texts, divisor: int) -> dict[str, Any]:
    """Run every way in."""
    vectors, model = await origins(home, folder, texts)
    await home.new_tenant(TENANT)
    key = await home.api_key(TENANT)
    rows = [count // divisor // GRPC_BATCH * GRPC_BATCH or GRPC_BATCH for count in (VECTORS, LIVE, QUIET, LONG)]
    starts = [sum(rows[:place]) for place in range(len(rows))]
    labels = Labels(sum(rows), model)
    numbers = [range(start, start + count) for start, count in zip(starts, rows, strict=True)]
    files = [folder / f"lines-{start}.ndjson" for start in starts[1:]]
    try:
        for file, some in zip(files, numbers[1:], strict=True):
            await asyncio.to_thread(_write_lines, file, texts, vectors, labels, some)
        written = [await _texts(home, key, texts.origins[: max(HTTP_BATCH, TEXTS // divisor)])]
        written.append(await _vectors(home, filling.memories(texts, vectors, labels, numbers[0], GRPC_BATCH)))
        await home.settle()
        known = texts.asked[:CACHED_QUESTIONS]
        await _recalls(home, key, known, lambda: False, at_least=len(known))  # their vectors are cached from here on
        ways = [("upload, index live", "live", files[0], rows[1]), ("upload in bulk", "bulk", files[1], rows[2])]
        uploads = [await _upload(home, key, known, *way, meanwhile=False) for way in ways]
        uploads.append(await _drain(home, key, known))
        uploads.append(
            await _upload(home, key, known, "long upload in bulk", "bulk", files[2], rows[3], meanwhile=True)
        )
        uploads.append(await _drain(home, key, known))
    finally:
        for file in files:
            file.unlink(missing_ok=True)
    return {"calls": [m.as_json() for m in written], "uploads": uploads}


async def _texts(home: Home, key: str, texts: Sequence[str]) -> Measured:
    """Write texts over HTTP; the local model embeds them."""
    memories = [{"kind": "turn", "content": text, "session": f"chat-{n // 50}"} for n, text in enumerate(texts)]
    batches = iter([memories[start : start + HTTP_BATCH] for start in range(0, len(memories), HTTP_BATCH)])
    connections = [Http(home.address, key) for _ in range(CLIENTS)]

    async def write(client: int, batch: list[dict[str, object]]) -> None:
        await connections[client].post("/v1/memories:batch", {"memories": batch})

    name = f"texts, HTTP, batches of {HTTP_BATCH}"
    return await load(home.settings, name, CLIENTS, batches, write, items_each=HTTP_BATCH)


async def _vectors(home: Home, batches: Iterator[list[NewMemory]]) -> Measured:
    """Write memories with vectors over gRPC."""
    async with clients.channel(home.settings.ingest_target, caller="bench") as channel:
        writer, tenant_id = clients.memory_writer(channel), home.tenants[TENANT]

        async def write(_client: int, batch: list[NewMemory]) -> None:
            request = BatchCreateMemoriesRequest(tenant_id=tenant_id, actor="bench", memories=batch)
            await writer.BatchCreateMemories(request, timeout=120)

        name = f"vectors given, gRPC, batches of {GRPC_BATCH}"
        return await load(home.settings, name, CLIENTS, batches, write, items_each=GRPC_BATCH)


async def _upload(
    home: Home, key: str, known: Sequence[str], name: str, mode: str, file: Path, lines: int, *, meanwhile: bool
) -> dict[str, Any]:
    """Send a file of lines; `meanwhile` one client recalls. The last line must be found at once."""
    http, running = Http(home.address, key), True
    before, began = cpu.taken(home.settings), time.perf_counter()
    recalls = asyncio.create_task(_recalls(home, key, known, lambda: running, at_least=0)) if meanwhile else None
    try:
        answer = json.loads(await http.upload(f"/v1/memories:import?mode={mode}", file))
        seconds = time.perf_counter() - began
        last = json.loads(await asyncio.to_thread(_last_line, file))
        if answer["written"] != lines:
            raise SystemExit(f"speed: {answer['written']} of {lines} lines were written: {answer['errors'][:1]}")
        hits = json.loads(await http.post("/v1/recall", {"query": last["content"][:1_000]}))["hits"]
        found = any(hit["memory"]["content"] == last["content"] for hit in hits)
    finally:
        running = False
        http.close()
    times = await recalls if recalls else []
    spent = cpu.since(before, cpu.taken(home.settings), lines)
    return _told(name, lines, seconds, times, spent) | {"last_line_found_at_once": found}


async def _drain(home: Home, key: str, known: Sequence[str]) -> dict[str, Any]:
    """Wait until no vector waits for the index while one client recalls."""
    connection = await asyncpg.connect(home.server().dsn(DATABASE))
    running = True
    recalls = asyncio.create_task(_recalls(home, key, known, lambda: running, at_least=1))
    try:
        first = await connection.fetchval(filling.STAGED)
        before, began, left = cpu.taken(home.settings), time.perf_counter(), first
        while left:
            await asyncio.sleep(POLL_SECONDS)
            left = await connection.fetchval(filling.STAGED)
        seconds = time.perf_counter() - began
        spent = cpu.since(before, cpu.taken(home.settings), max(1, first))
    finally:
        running = False
        await connection.close()
    return _told("drained into the index", first, seconds, await recalls, spent) | {"last_line_found_at_once": "-"}


async def _recalls(home: Home, key: str, known: Sequence[str], go_on: Any, *, at_least: int) -> list[float]:
    """Recall one after another while told to; return how long each took."""
    http = Http(home.address, key)
    times: list[float] = []
    try:
        for number, question in enumerate(cycle(known)):
            if number >= at_least and not go_on():
                return times
            began = time.perf_counter()
            await http.post("/v1/recall", {"query": question})
            times.append((time.perf_counter() - began) * 1000)
    finally:
        http.close()
    return times


def _told(name: str, rows: int, seconds: float, recalls: Sequence[float], spent: dict[str, float]) -> dict[str, Any]:
    p50, p95 = (percentile(recalls, p) if recalls else 0.0 for p in (50, 95))
    return {
        "way": name,
        "memories": rows,
        "per_second": round(rows / seconds, 1) if rows else 0.0,
        "recalls_meanwhile": len(recalls),
        "recall_p50_ms": round(p50, 1),
        "recall_p95_ms": round(p95, 1),
        "cpu_ms": cpu.of_product(spent),
        "postgres_cpu_ms": spent["postgres"],
    }


def _write_lines(file: Path, texts: Texts, vectors: NDArray[Any], labels: Labels, numbers: range) -> None:
    with file.open("w") as lines:
        for batch in filling.memories(texts, vectors, labels, numbers):
            lines.writelines(json.dumps(_line(memory)) + "\n" for memory in batch)


def _line(memory: NewMemory) -> dict[str, Any]:
    told: dict[str, Any] = MessageToDict(memory)
    if "metadata" in told:
        told["metadata"] = json.loads(told["metadata"])
    return {**told, "embedding": b64encode(memory.embedding).decode()}


def _last_line(file: Path) -> str:
    with file.open() as lines:
        return list(islice(lines, None))[-1]
