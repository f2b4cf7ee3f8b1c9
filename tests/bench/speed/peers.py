"""Part `peers`: two stores from PyPI beside Candor, on the same PostgreSQL, with the same vectors and questions.

Rules: each in a virtual environment of its own, at the version named here, and a database of its own; what they are
loaded with and asked is in their files. Nothing of them may leave the machine: telemetry is off, and every proxy is a
closed port of loopback. CPU is of the searching process and of PostgreSQL's sessions. Recall at 10 is against the exact
cosines of all memories; a hybrid order is not meant to reach 1. Where the package index is out of reach, a peer is
skipped with the reason.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg
import numpy as np
import orjson
from candor.embed.v1.embeddings_pb2 import PURPOSE_QUERY

from shared.store.migrate import DATABASE
from tests.bench.speed import cpu
from tests.bench.speed.figures import percentile, recall_at
from tests.bench.speed.filling import ONE
from tests.bench.speed.homes import Home, embed, origins
from tests.bench.speed.load import Http, load
from tests.bench.speed.recalls import CACHED_QUESTIONS
from tests.bench.speed.texts import ROOT, Texts, perturbed

K = 10
CLIENTS = (1, 8)
SEARCHES = 600
WARM_UP_SEARCHES = 100
INSTALL_SECONDS = 600
PACKAGES = {
    "mem0": ("mem0ai==2.2.1", "psycopg[binary,pool]==3.3.9"),
    "langchain": ("langchain-postgres==0.0.19", "psycopg[binary,pool]==3.3.9"),
}
PEERS = (
    ("mem0ai 2.2.1, HNSW", "mem0", ""),
    ("langchain-postgres 0.0.19, as made", "langchain", ""),
    ("langchain-postgres 0.0.19, HNSW by hand", "langchain", "?hnsw"),
)
CLOSED = "http://127.0.0.1:9"
QUIET = {
    "MEM0_TELEMETRY": "False",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), CLOSED),
    "NO_PROXY": "127.0.0.1,localhost",
}


async def measure(home: Home, folder: Path, texts: Texts, rows: int, divisor: int) -> list[dict[str, Any]]:
    """Measure Candor and each peer with the memories that the home's tenant has."""
    known, searches = texts.asked[:CACHED_QUESTIONS], SEARCHES // divisor
    asked, _ = await embed(home, known, PURPOSE_QUERY)
    stored = await _write_inputs(home, folder, texts, rows, asked)
    exact = [(stored @ vector).astype(float) for vector in asked]
    told = [row for mode in ("hybrid", "dense") for row in await _candor(home, known, exact, mode, searches)]
    for name, script, option in PEERS:
        told.extend(await _peer(home, folder, name, script, option, exact, searches))
    return told


async def _write_inputs(home: Home, folder: Path, texts: Texts, rows: int, asked: Any) -> Any:
    vectors, _ = await origins(home, folder, texts)
    made = [memory for batch in perturbed(texts, vectors, range(rows), 500) for memory in batch]
    stored = np.stack([np.frombuffer(memory.vector, "<f4") for memory in made])
    (folder / "texts.json").write_text(json.dumps([memory.text for memory in made]))
    (folder / "questions.json").write_text(json.dumps(texts.asked[:CACHED_QUESTIONS]))
    np.save(folder / "texts.npy", stored)
    np.save(folder / "questions.npy", asked)
    return stored


async def _candor(
    home: Home, known: Sequence[str], exact: Sequence[Any], mode: str, searches: int
) -> list[dict[str, Any]]:
    """Measure Candor over HTTP with the same questions."""
    key = await home.api_key(ONE)
    numbers = await _numbers(home)
    told, found = [], {}
    for clients in CLIENTS:
        connections = [Http(home.address, key) for _ in range(clients)]

        async def recall(client: int, place: int, connections: list[Http] = connections) -> None:
            body = {"query": known[place], "limit": K, "mode": mode, "ungrouped": True}
            found[place] = await connections[client].post("/v1/recall", body)

        def places(count: int) -> Iterator[int]:
            return (number % len(known) for number in range(count))

        await load(home.settings, "warm-up", clients, places(WARM_UP_SEARCHES), recall)
        measured = await load(home.settings, mode, clients, places(searches), recall)
        for connection in connections:
            connection.close()
        hits = {place: orjson.loads(answer)["hits"] for place, answer in found.items()}
        shares = [
            recall_at(K, [numbers[UUID(hit["memory"]["id"])] for hit in hits[place]], exact[place]) for place in hits
        ]
        told.append(
            {
                "store": f"Candor over HTTP, {mode}",
                "clients": clients,
                "per_second": round(measured.per_second, 1),
                "p50_ms": round(measured.p50, 2),
                "p95_ms": round(measured.p95, 2),
                "cpu_ms": round(measured.all_cpu, 2),
                "postgres_cpu_ms": measured.cpu["postgres"],
                "recall_at_10": round(float(np.mean(shares)), 3),
            }
        )
    return told


async def _numbers(home: Home) -> dict[UUID, int]:
    """Return the number of each memory: it stands at the end of its text."""
    connection = await asyncpg.connect(home.server().dsn(DATABASE))
    try:
        rows = await connection.fetch(
            "SELECT memory_id, substring(content FROM '\\(([0-9]+)\\)$')::int AS number "
            "FROM candor.memory WHERE tenant_id = $1",
            UUID(home.tenants[ONE]),
        )
    finally:
        await connection.close()
    return {row["memory_id"]: row["number"] for row in rows}


async def _peer(
    home: Home, folder: Path, name: str, script: str, option: str, exact: Sequence[Any], searches: int
) -> list[dict[str, Any]]:
    """Install, load and ask one peer."""
    python = folder / f"venv-{script}" / "bin" / "python"
    refused = await asyncio.to_thread(_install, python, PACKAGES[script])
    if refused:
        return [{"store": name, "skipped": refused}]
    database = f"peer_{script}{'_hnsw' if option else ''}"
    await _fresh_database(home, database)
    command = [str(python), "-m", f"tests.bench.speed.peer_{script}", str(folder), home.server().dsn(database) + option]
    environment = {
        **os.environ,
        **QUIET,
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder),
        "MEM0_DIR": str(folder / "mem0"),
    }
    log = folder / f"{script}.log"
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=environment,
            cwd=ROOT,
            limit=2**24,
        )
        try:
            loaded = await _line(process, log)
            await _vacuum(home, database)
            told = []
            for clients in CLIENTS:
                await _round(process, log, clients, WARM_UP_SEARCHES)
                before = cpu.taken(home.settings)
                round_ = await _round(process, log, clients, searches)
                spent = cpu.since(before, cpu.taken(home.settings), searches)["postgres"]
                shares = [recall_at(K, hits, scores) for hits, scores in zip(round_["found"], exact, strict=False)]
                told.append(
                    {
                        "store": name,
                        "clients": clients,
                        "per_second": round(searches / round_["seconds"], 1),
                        "p50_ms": round(percentile(round_["times"], 50), 2),
                        "p95_ms": round(percentile(round_["times"], 95), 2),
                        "cpu_ms": round(spent + round_["cpu_ms"], 2),
                        "postgres_cpu_ms": spent,
                        "recall_at_10": round(float(np.mean(shares)), 3),
                        "load_seconds": loaded["loaded_seconds"],
                    }
                )
            return told
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()
            await _fresh_database(home, database, make=False)


def _install(python: Path, packages: Sequence[str]) -> str:
    """Make a virtual environment; return why not, or nothing."""
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(python.parents[1])], check=True)
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    try:
        done = subprocess.run([*pip, *packages], capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return f"the package index did not answer in {INSTALL_SECONDS} s"
    last = done.stderr.strip().splitlines()[-1:] or [""]
    return f"not installed: {last[0]}" if done.returncode else ""


async def _fresh_database(home: Home, name: str, *, make: bool = True) -> None:
    connection = await asyncpg.connect(home.server().dsn())
    try:
        await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        if make:
            await connection.execute(f"CREATE DATABASE {name}")
    finally:
        await connection.close()


async def _vacuum(home: Home, name: str) -> None:
    connection = await asyncpg.connect(home.server().dsn(name))
    try:
        await connection.execute("VACUUM (ANALYZE)")
    finally:
        await connection.close()


async def _round(process: asyncio.subprocess.Process, log: Path, clients: int, searches: int) -> dict[str, Any]:
    if process.stdin is None:
        raise RuntimeError("started without a pipe")
    process.stdin.write(json.dumps({"clients": clients, "searches": searches, "k": K}).encode() + b"\n")
    await process.stdin.drain()
    return await _line(process, log)


async def _line(process: asyncio.subprocess.Process, log: Path) -> dict[str, Any]:
    if process.stdout is None:
        raise RuntimeError("started without a pipe")
    line = await process.stdout.readline()
    if not line:
        said = await asyncio.to_thread(log.read_text, errors="replace")
        raise SystemExit("speed: a peer ended.\n" + "\n".join(said.splitlines()[-15:]))
    told: dict[str, Any] = json.loads(line)
    return told
