"""Parts `sizes` and `tenants`: recall in one tenant of some sizes, and in a small and the largest of a thousand.

Rules: over HTTP by 1, 8 and 32 clients, with questions whose vectors are cached and with new ones; beside them the same
statements asked of PostgreSQL directly. The load runs on the same cores as everything else, so CPU time per request is
the figure to compare, not wall time.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, cycle, islice
from typing import Any

from tests.bench.speed import cpu
from tests.bench.speed.direct import Prepared, directly
from tests.bench.speed.homes import Home
from tests.bench.speed.load import Http, Measured, load
from tests.bench.speed.texts import Texts, new_questions

CLIENTS = (1, 8, 32)
REQUESTS_EACH = {1: 600, 8: 1_600, 32: 1_600}  # some seconds each, so that CPU ticks of 10 ms do not matter
WARM_UP_REQUESTS = 400
CACHED_QUESTIONS = 64
ALONE, CACHED, NEW = "SQL alone", "recall, question cached", "recall, question new"


@dataclass(frozen=True, slots=True)
class Run:
    """One tenant under load, and the memory of every process afterwards."""

    measured: list[Measured]
    memory_mib: dict[str, int]
    load_before: float

    def as_json(self) -> dict[str, Any]:
        return {
            "recall": [m.as_json() for m in self.measured],
            "overhead_cpu_ms": overhead(self.measured),
            "memory_mib": self.memory_mib,
            "load_average_before": self.load_before,
        }


async def over_http(
    home: Home, key: str, name: str, bodies: Iterator[dict[str, object]], number: int, requests: int
) -> Measured:
    """Recall over HTTP by some clients."""
    connections = [Http(home.address, key) for _ in range(number)]

    async def recall(client: int, body: dict[str, object]) -> None:
        await connections[client].post("/v1/recall", body)

    try:
        return await load(home.settings, name, number, islice(bodies, requests), recall)
    finally:
        for connection in connections:
            connection.close()


def queries(texts: Iterator[str]) -> Iterator[dict[str, object]]:
    """Yield bodies of recalls."""
    return ({"query": text} for text in texts)


async def measure(home: Home, tenant: str, texts: Texts, divisor: int) -> Run:
    """Measure one tenant."""
    load_before, known, key = os.getloadavg()[0], texts.asked[:CACHED_QUESTIONS], await home.api_key(tenant)
    measured, serial = [], count(1)
    async with directly(home, tenant) as direct:
        prepared = await direct.prepare(known)

        async def ask(_client: int, question: Prepared) -> None:
            await direct.ask(question)

        await over_http(home, key, "warm-up", queries(cycle(known)), 8, WARM_UP_REQUESTS)
        await load(home.settings, "warm-up", 8, islice(cycle(prepared), WARM_UP_REQUESTS), ask)
        for number in CLIENTS:
            requests = REQUESTS_EACH[number] // divisor
            alone = islice(cycle(prepared), requests)
            new = queries(new_questions(texts, next(serial) * 100_000))
            measured.append(await load(home.settings, ALONE, number, alone, ask))
            measured.append(await over_http(home, key, CACHED, queries(cycle(known)), number, requests))
            measured.append(await over_http(home, key, NEW, new, number, requests // 2))
    return Run(measured, cpu.memory(home.settings), round(load_before, 2))


def overhead(measured: list[Measured]) -> dict[str, float]:
    """Return by clients what a cached recall costs above its statements alone, driver included (H2).

    Everything around the SQL is in it: HTTP, JSON, two gRPC hops, the cached vector's call, fusion, conflicts judged.
    """
    alone = {m.clients: m.all_cpu for m in measured if m.name == ALONE}
    return {
        str(m.clients): round(m.product_cpu - alone[m.clients], 2)
        for m in measured
        if m.name == CACHED and m.clients in alone
    }
