"""How the homes are filled: one tenant of many memories, or a thousand tenants of very different sizes.

Rules: memories come with given vectors, so that the embedder does not set the pace. One large tenant is uploaded in
bulk under one id: cut, it goes on where it was. Filling ends when no vector waits for the index. Meanwhile the graph is
not there: it is built at the end from all vectors, with its own parameters, which takes a third of the CPU. What the
product needs to build it row by row is measured in part `ingest`.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

import asyncpg
import numpy as np
from candor.ingest.v1.bulk_pb2 import (
    IMPORT_MODE_BULK,
    GetImportRequest,
    ImportLine,
    ImportMemoriesRequest,
)
from candor.ingest.v1.bulk_pb2_grpc import ImportServiceStub
from candor.ingest.v1.memories_pb2 import BatchCreateMemoriesRequest, NewMemory
from grpc import StatusCode
from grpc.aio import AioRpcError
from numpy.typing import NDArray

from shared.rpc import clients
from shared.store.migrate import DATABASE
from tests.bench.speed.figures import zipf_sizes
from tests.bench.speed.homes import Fill, Home, origins
from tests.bench.speed.labels import Labels
from tests.bench.speed.texts import Texts, perturbed

ONE = "one"
SMALL_SIZE = 30  # memories of the small tenant that is measured (B4)
BATCH = 500
UPLOAD_ID = "bench-load"
UPLOAD_SECONDS = 4 * 3_600
TENANTS_AT_ONCE = 4
POLL_SECONDS = 2.0
GRAPH = "candor.memory_vector_g1_hnsw"
GRAPH_SETTINGS = "SET maintenance_work_mem = '3GB'; SET max_parallel_maintenance_workers = 2"  # a million in memory
STAGED = "SELECT count(*) FROM candor.memory_vector_g1_staging"


def memories(
    texts: Texts, vectors: NDArray[np.float32], labels: Labels, numbers: range, size: int = BATCH
) -> Iterator[list[NewMemory]]:
    """Yield batches of memories with vectors."""
    for batch in perturbed(texts, vectors, numbers, size):
        yield [labels.memory(made) for made in batch]


def one_tenant(folder: Path, texts: Texts, rows: int) -> Fill:
    """Fill a home with one tenant of so many memories."""

    async def fill(home: Home) -> None:
        vectors, model = await origins(home, folder, texts)
        tenant_id = home.tenants.get(ONE) or await home.new_tenant(ONE)
        await drop_graph(home)
        async with clients.channel(home.settings.ingest_target, caller="bench") as channel:
            stub = ImportServiceStub(channel)
            done = await _written(stub, tenant_id)
            lines = _lines(tenant_id, memories(texts, vectors, Labels(rows, model), range(done, rows)), done, rows)
            answer = await stub.ImportMemories(lines, timeout=UPLOAD_SECONDS)
        if answer.failed:
            raise SystemExit(f"speed: {answer.failed} lines were refused, the first: {answer.errors[0]}")
        await drained(home)
        await build_graph(home)

    return fill


def many_tenants(folder: Path, texts: Texts, count: int, rows: int) -> Fill:
    """Fill a home with tenants whose sizes follow Zipf's law, and name the largest and one of SMALL_SIZE."""

    async def fill(home: Home) -> None:
        vectors, model = await origins(home, folder, texts)
        sizes = zipf_sizes(count, rows)
        small = min(range(count), key=lambda place: abs(sizes[place] - SMALL_SIZE))
        sizes[small] = SMALL_SIZE
        names = {0: "big", small: "small"}
        starts = np.concatenate([[0], np.cumsum(sizes)]).tolist()
        places = iter(range(count))

        async def some() -> None:
            async with clients.channel(home.settings.ingest_target, caller="bench") as channel:
                for place in places:
                    tenant_id = await home.new_tenant(names.get(place, f"tenant-{place}"))
                    numbers = range(starts[place], starts[place + 1])
                    for batch in memories(texts, vectors, Labels(rows, model), numbers):
                        request = BatchCreateMemoriesRequest(tenant_id=tenant_id, actor="bench", memories=batch)
                        await clients.memory_writer(channel).BatchCreateMemories(request, timeout=120)

        await drop_graph(home)
        await asyncio.gather(*(some() for _ in range(TENANTS_AT_ONCE)))
        await build_graph(home)

    return fill


async def drained(home: Home) -> None:
    """Wait until no vector waits for the index."""
    connection = await asyncpg.connect(home.server().dsn(DATABASE))
    try:
        while await connection.fetchval(STAGED):  # noqa: ASYNC110  # only the database knows
            await asyncio.sleep(POLL_SECONDS)
    finally:
        await connection.close()


async def drop_graph(home: Home) -> None:
    """Remove the vectors' graph and note how it was made."""
    note = home.settings.home / "graph.sql"
    connection = await asyncpg.connect(home.server().dsn(DATABASE))
    try:
        if not note.exists():
            made = await connection.fetchval("SELECT pg_get_indexdef($1::regclass)", GRAPH)
            note.write_text(made.replace(" ON ONLY ", " ON "))
        await connection.execute(f"DROP INDEX IF EXISTS {GRAPH}")
    finally:
        await connection.close()


async def build_graph(home: Home) -> None:
    """Make the graph again as it was."""
    connection = await asyncpg.connect(home.server().dsn(DATABASE))
    try:
        await connection.execute(GRAPH_SETTINGS)
        await connection.execute((home.settings.home / "graph.sql").read_text())
    finally:
        await connection.close()


async def _written(stub: ImportServiceStub, tenant_id: str) -> int:
    try:
        standing = await stub.GetImport(GetImportRequest(tenant_id=tenant_id, import_id=UPLOAD_ID))
    except AioRpcError as error:
        if error.code() is not StatusCode.NOT_FOUND:
            raise
        return 0
    return int(standing.next_line) - 1


async def _lines(
    tenant_id: str, batches: Iterator[list[NewMemory]], done: int, rows: int
) -> AsyncIterator[ImportMemoriesRequest]:
    number = done
    yield ImportMemoriesRequest(
        tenant_id=tenant_id, actor="bench", request_id=UPLOAD_ID, mode=IMPORT_MODE_BULK, first_line=done + 1
    )
    while batch := await asyncio.to_thread(partial(next, batches, None)):
        lines = [ImportLine(number=number + place, memory=memory) for place, memory in enumerate(batch, 1)]
        number += len(batch)
        yield ImportMemoriesRequest(lines=lines)
        if number % 50_000 < BATCH:
            print(f"   {number:,} of {rows:,}", flush=True)
