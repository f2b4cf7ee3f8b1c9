"""What the local embedder costs: one query, queries of many callers, documents a second, CPU a text.

    python -m tests.bench.embed [texts.json …]

Rules: short and long texts are reported apart; every figure is wall time beside CPU time of the process, since
wall time on a shared machine says little. Without files it makes texts of known lengths from a fixed word list.
"""

import asyncio
import json
import os
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from uuid import UUID

for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(name, None)  # before numpy is loaded: either one changes what its sums cost

from services.embed.cache import Embedder  # noqa: E402
from services.embed.onnx_provider import OnnxProvider  # noqa: E402

TENANT = UUID(int=1)
WORDS = "the invoice from Harbour Foods for March was paid late and the bank has not yet confirmed it because".split()
QUERIES = [
    "what do we owe on INV-5521?",
    "who approved the March payroll run?",
    "which vendor changed its bank account last month",
    "when does the lease of the Leeds office end, and what is the notice period?",
]


def text_of(words: int, number: int) -> str:
    return f"{number} " + " ".join(WORDS[(number + word) % len(WORDS)] for word in range(words))


def strings_of(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "content" and isinstance(value, str):
                yield value
            else:
                yield from strings_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from strings_of(value)


async def timed(label: str, texts: int, run: Callable[[], Awaitable[object]]) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    await run()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(f"{label:54s} {texts / wall:7.0f} texts/s  {cpu / texts * 1e3:6.2f} ms CPU/text")


async def queries(embedder: Embedder, callers: int, each: int) -> None:
    seconds: list[float] = []

    async def caller(number: int) -> None:
        for turn in range(each):
            start = time.perf_counter()
            await embedder.embed(TENANT, [f"{QUERIES[turn % len(QUERIES)]} {number}"], query=True)
            seconds.append(time.perf_counter() - start)

    async def all_callers() -> None:
        await asyncio.gather(*(caller(number) for number in range(callers)))

    await timed(f"queries, {callers} callers", callers * each, all_callers)
    cuts = statistics.quantiles(seconds, n=20)
    print(f"{'':54s} p50 {cuts[9] * 1e3:.1f} ms, p95 {cuts[18] * 1e3:.1f} ms")


async def query_beside_documents(embedder: Embedder, texts: list[str]) -> None:
    documents = asyncio.ensure_future(embedder.embed(TENANT, texts, query=False))
    seconds: list[float] = []
    while not documents.done():
        start = time.perf_counter()
        await embedder.embed(TENANT, [QUERIES[len(seconds) % len(QUERIES)]], query=True)
        seconds.append(time.perf_counter() - start)
    await documents
    cuts = statistics.quantiles(seconds, n=20)
    print(
        f"one caller's queries beside {len(texts)} documents: p50 {cuts[9] * 1e3:.1f} ms, p95 {cuts[18] * 1e3:.1f} ms"
    )


def document_sets(paths: list[str]) -> dict[str, list[str]]:
    made = {f"{words} words": [text_of(words, n) for n in range(4_000 // words)] for words in (15, 40, 150)}
    read = {Path(path).name: list(strings_of(json.loads(Path(path).read_text())))[:512] for path in paths}
    return made | read


async def main(sets: dict[str, list[str]]) -> None:
    embedder = Embedder(OnnxProvider(workers=os.cpu_count() or 1), limit_bytes=0)
    await embedder.embed(TENANT, QUERIES, query=True)
    for callers in (1, 8, 32):
        await queries(embedder, callers, 200 // callers)
    for label, texts in sets.items():
        await timed(f"documents of {label}", len(texts), partial(embedder.embed, TENANT, texts, query=False))
    await query_beside_documents(embedder, [text for texts in sets.values() for text in texts])
    await embedder.close()


if __name__ == "__main__":
    asyncio.run(main(document_sets(sys.argv[1:])))
