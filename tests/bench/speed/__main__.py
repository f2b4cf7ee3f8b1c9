"""How fast Candor remembers and recalls on this machine, and what of it is PostgreSQL: `make bench-speed`.

    python -m tests.bench.speed [--quick] [--part sizes …] [--home DIR] [--out docs/benchmarks/speed.json]

Rules: parts are measured one after another, each in the home that it needs (homes.py); filling the one of a million
memories takes most of the time, so `--home` keeps them. A part that is not asked for keeps its former figures in the
file. Every part notes the load that the machine had. `--quick`: small sizes and few requests; says little, shows that
it runs.
"""

import argparse
import asyncio
import json
import os
import platform
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(
        name, None
    )  # before numpy is loaded, here and in the services: either one changes what its sums cost

from tests.bench.speed import exactness, filling, ingest, peers, pictures, postings, recalls, report  # noqa: E402
from tests.bench.speed.exactness import FILTERS  # noqa: E402
from tests.bench.speed.homes import Home, opened  # noqa: E402
from tests.bench.speed.texts import ROOT, Texts, read  # noqa: E402

SIZES = (20_000, 100_000, 1_000_000)
POSTINGS_SIZES = (10_000, 100_000, 1_000_000)
PEERS_SIZE = 20_000
TENANTS = 1_000
SKEWED = 100_000
QUESTIONS = 64
LIMIT_QUESTIONS = 16  # each scores tens of thousands of memories, several times
QUICK_SHARE = 50  # of rows and requests
PARTS = ("sizes", "tenants", "exactness", "limits", "postings", "ingest", "peers")


@dataclass(frozen=True, slots=True)
class Bench:
    """Where homes are, what is in them, and by how much everything is smaller."""

    folder: Path
    keep: bool
    texts: Texts
    divisor: int

    def one(self, rows: int) -> AbstractContextManager[Home]:
        """Open the home of one tenant with so many memories."""
        rows //= self.divisor
        return opened(self.folder, f"one-{rows}", filling.one_tenant(self.folder, self.texts, rows), keep=self.keep)

    def many(self) -> AbstractContextManager[Home]:
        """Open the home of many tenants."""
        count, rows = TENANTS // self.divisor, SKEWED // self.divisor
        fill = filling.many_tenants(self.folder, self.texts, count, rows)
        return opened(self.folder, f"many-{count}-{rows}", fill, keep=self.keep)


Told: TypeAlias = dict[str, dict[str, Any]]


def run(bench: Bench, parts: list[str], save: Callable[[Told], object]) -> Told:
    """Measure parts, home by home, so that none is opened twice; what there is so far is saved each time."""
    told: Told = {part: {} for part in parts}
    asked = max(8, QUESTIONS // bench.divisor)

    def note(part: str, name: str, measured: Coroutine[Any, Any, Any]) -> None:
        before = os.getloadavg()[0]
        report.out.print(f"{part}: {name} (load {before:.1f})")
        told[part][name] = asyncio.run(measured)
        told[part].setdefault("load_average", {})[name] = [round(before, 2), round(os.getloadavg()[0], 2)]
        told[part]["measured_at"] = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        save(told)

    for rows in sorted({*SIZES, *POSTINGS_SIZES, PEERS_SIZE}):
        wanted = {"sizes": rows in SIZES, "exactness": rows in SIZES[1:], "limits": rows in SIZES[1:]}
        wanted |= {"postings": rows in POSTINGS_SIZES, "peers": rows == PEERS_SIZE}
        if here := [part for part in parts if wanted.get(part)]:
            with bench.one(rows) as home:
                for part in here:
                    size = rows // bench.divisor
                    note(part, str(size), _one(bench, home, part, size, asked))
    if {"tenants", "exactness"} & {*parts}:
        with bench.many() as home:
            if "tenants" in parts:
                note("tenants", "small", _load(home, "small", bench))
                note("tenants", "big", _load(home, "big", bench))
            if "exactness" in parts:
                note("exactness", "small", exactness.measure(home, "small", bench.texts, {}, asked))
    if "ingest" in parts:
        with opened(bench.folder, f"ingest-{os.getpid()}", None, keep=False) as home:
            note("ingest", "ways", ingest.measure(home, bench.folder, bench.texts, bench.divisor))
    return told


async def _load(home: Home, tenant: str, bench: Bench) -> dict[str, Any]:
    return (await recalls.measure(home, tenant, bench.texts, bench.divisor)).as_json()


async def _one(bench: Bench, home: Home, part: str, rows: int, questions: int) -> Any:
    texts, tenant = bench.texts, filling.ONE
    match part:
        case "sizes":
            return await _load(home, tenant, bench)
        case "exactness":
            return await exactness.measure(home, tenant, texts, FILTERS, questions)
        case "limits":
            return await exactness.limits(home, tenant, texts, rows, min(questions, LIMIT_QUESTIONS))
        case "postings":
            return await postings.measure(home, tenant, texts, questions)
        case _:
            return await peers.measure(home, bench.folder, texts, rows, bench.divisor)


def main() -> None:
    """Read the arguments, measure, print the tables, write the file and the pictures."""
    parser = argparse.ArgumentParser(description="Measure ingest and recall.")
    parser.add_argument("--part", action="append", choices=PARTS, help="measure this part only; may be repeated")
    parser.add_argument("--quick", action="store_true", help=f"1 / {QUICK_SHARE} of everything; says little")
    parser.add_argument("--home", type=Path, help="a folder that keeps what is filled for the next time")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "benchmarks" / "speed.json")
    given = parser.parse_args()
    machine = {"cpus": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}
    former = json.loads(given.out.read_text()) if given.out.exists() and given.part else {}
    given.out.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        folder = given.home or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="candor-speed-")))
        folder.mkdir(parents=True, exist_ok=True)
        bench = Bench(folder.resolve(), bool(given.home), read(), QUICK_SHARE if given.quick else 1)
        texts = {"origins": len(bench.texts.origins), "questions": QUESTIONS, "source": bench.texts.source}

        def save(told: Told) -> Told:
            measured = {part: figures for part, figures in told.items() if figures}
            whole = {**former, "machine": machine, "texts": texts, "quick": given.quick, **measured}
            given.out.write_text(json.dumps(whole, indent=1) + "\n")
            return whole

        whole = save(run(bench, given.part or list(PARTS), save))
    report.show(whole)
    pictures.draw(whole, given.out.parent)
    report.out.print(f"written to {given.out}")


if __name__ == "__main__":
    main()
