"""Load: some clients that each do one thing after another, and what it took them.

Rules: a client starts its next request when the last is answered, so throughput and latency are those of that many
callers. The HTTP client is a bare one over asyncio streams, because a comfortable one would take much of the two cores
that are measured.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared.config import Settings
from tests.bench.speed import cpu as processes
from tests.bench.speed.figures import percentile

JSON, NDJSON = "application/json", "application/x-ndjson"
UPLOAD_BYTES = 256 * 1024  # read at once


@dataclass(frozen=True, slots=True)
class Measured:
    """One stretch of load. Units: milliseconds; CPU per request, or per memory for a write."""

    name: str
    clients: int
    count: int
    seconds: float
    p50: float
    p95: float
    p99: float
    cpu: dict[str, float]

    @property
    def per_second(self) -> float:
        return self.count / self.seconds

    @property
    def product_cpu(self) -> float:
        """CPU of the product and its database together."""
        return processes.of_product(self.cpu)

    @property
    def all_cpu(self) -> float:
        """CPU of the product, its database and the client."""
        return round(sum(self.cpu.values()), 3)

    def as_json(self) -> dict[str, Any]:
        times = {name: round(getattr(self, name), 2) for name in ("seconds", "per_second", "p50", "p95", "p99")}
        whole = {"name": self.name, "clients": self.clients, "count": self.count, **times}
        return {**whole, "cpu_ms": self.cpu, "cpu_ms_product": self.product_cpu}


async def load(
    settings: Settings,
    name: str,
    clients: int,
    work: Iterator[Any],
    do: Callable[[int, Any], Awaitable[object]],
    *,
    items_each: int = 1,
) -> Measured:
    """Let clients take from `work` until it is empty; `do` gets the client's number."""
    times: list[float] = []

    async def client(number: int) -> None:
        for one in work:
            began = time.perf_counter()
            await do(number, one)
            times.append((time.perf_counter() - began) * 1000)

    before, began = processes.taken(settings), time.perf_counter()
    await asyncio.gather(*map(client, range(clients)))
    seconds = time.perf_counter() - began
    count = len(times) * items_each
    p50, p95, p99 = (percentile(times, percent) for percent in (50, 95, 99))
    cpu = processes.since(before, processes.taken(settings), count)
    return Measured(name, clients, count, seconds, p50, p95, p99, cpu)


class Http:
    """One kept-alive connection that posts JSON. Raises: SystemExit for any answer but 200."""

    def __init__(self, address: str, key: str) -> None:
        self._address = address
        self._key = key
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def post(self, path: str, body: object) -> bytes:
        """Send a request and return the body of its answer."""
        reader, writer = await self._open()
        data, head = json.dumps(body).encode(), self._head(JSON)
        writer.write(b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n%b" % (path.encode(), head, len(data), data))
        return await self._answer(reader, path)

    async def upload(self, path: str, file: Path) -> bytes:
        """Send a file of lines as it is read, no faster than it is taken."""
        reader, writer = await self._open()
        length = await asyncio.to_thread(lambda: file.stat().st_size)
        writer.write(b"POST %b HTTP/1.1\r\n%bContent-Length: %d\r\n\r\n" % (path.encode(), self._head(NDJSON), length))
        with file.open("rb") as lines:
            while part := await asyncio.to_thread(lines.read, UPLOAD_BYTES):
                writer.write(part)
                await writer.drain()
        return await self._answer(reader, path)

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            host, _, port = self._address.rpartition(":")
            self._streams = await asyncio.open_connection(host, int(port))
        return self._streams

    def _head(self, media: str) -> bytes:
        return f"Host: {self._address}\r\nAuthorization: Bearer {self._key}\r\nContent-Type: {media}\r\n".encode()

    async def _answer(self, reader: asyncio.StreamReader, path: str) -> bytes:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        answer = await reader.readexactly(length)
        if not head.startswith(b"http/1.1 200"):
            raise SystemExit(f"speed: {path} gave {answer.decode()}")
        return answer

    def close(self) -> None:
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
