"""How well documents are read offline, and whether the books are right at the end: `make bench-documents`.

    python -m tests.bench.documents [--part reading|books] [--half build|report] [--errors] [--write]

Rules: labels are given (fixtures/README.md) and never follow from a result. `--errors` lists what failed in the build
half and among the damaged files; of the reporting half it is refused: only totals are printed. With `--write` the
figures are kept in docs/benchmarks/documents.json, part by part.
"""

import argparse
import asyncio
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

for _name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(_name, None)  # before numpy is loaded

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from tests.bench.documents import books, reading  # noqa: E402
from tests.e2e.stack import started  # noqa: E402

RESULTS = Path(__file__).resolve().parents[3] / "docs" / "benchmarks" / "documents.json"
out = Console(highlight=False, width=140)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def show_reading(folder: str, part: reading.Part) -> dict[str, Any]:
    """Print the table of a folder and return it for the report."""
    columns = ("files", "whole", "right", "wrong", "missed", "invented", "precision %", "recall %", "left open, named")
    table = Table(folder, *columns)
    for group, score in sorted(part.scores.items(), key=lambda item: (item[0] != "all", item[0])):
        counts = (score.files, score.whole, score.right, score.wrong, score.missed, score.invented)
        shares = (_percent(score.precision), _percent(score.recall), f"{score.named}/{score.to_name}")
        table.add_row(group, *map(str, counts), *shares)
    out.print(table)
    behaved = {name: f"{sum(was)}/{len(was)}" for name, was in part.behaved.items()}
    out.print(f"  {folder}: {behaved}, slowest {part.slowest_seconds:.2f} s")
    scores = {group: score.as_json() for group, score in part.scores.items()}
    return {"scores": scores, "behaved": behaved, "slowest_seconds": round(part.slowest_seconds, 2)}


def show_books(half: str, told: list[books.Told]) -> dict[str, Any]:
    """Print how the stories of a half ended and return it for the report."""
    table = Table(half, "checks", "failed", "seconds")
    for story in told:
        table.add_row(story.name, str(story.checks), str(len(story.failures)), f"{story.seconds:.1f}")
    checks, failed = sum(story.checks for story in told), sum(len(story.failures) for story in told)
    right = sum(not story.failures for story in told)
    table.add_row("all", str(checks), str(failed), f"{right}/{len(told)} stories right")
    out.print(table)
    stories = {story.name: {"checks": story.checks, "failed": len(story.failures)} for story in told}
    return {"right": right, "stories": len(told), "checks": checks, "failed": failed, "by_story": stories}


def measure(parts: list[str], halves: list[str], errors: bool) -> dict[str, Any]:
    """Measure the parts asked for."""
    found: dict[str, Any] = {}
    if "reading" in parts:
        found["reading"] = {}
        for folder in (*halves, *(["damaged"] if "build" in halves else [])):
            part = asyncio.run(reading.measure(folder))
            found["reading"][folder] = show_reading(folder, part)
            _list(folder, part.failures, errors)
    if "books" in parts:
        found["books"] = {}
        with tempfile.TemporaryDirectory(prefix="candor-documents-") as folder, started(Path(folder)) as stack:
            for half in halves:
                told = books.measure(stack, half)
                found["books"][half] = show_books(half, told)
                _list(half, [f"{story.name}: {line}" for story in told for line in story.failures], errors)
    return found


def _list(half: str, failures: list[str], errors: bool) -> None:
    if errors and half != "report":
        for line in failures:
            out.print(f"  {line}", markup=False)


def keep(found: Mapping[str, Any]) -> None:
    """Write the measured parts beside those that were measured before."""
    kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    machine = {"cpus": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}
    moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    for name, part in found.items():
        kept.setdefault(name, {}).update({half: {"measured_at": moment} | result for half, result in part.items()})
    kept["machine"] = machine
    RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    out.print(f"written to {RESULTS.name}")


def main() -> None:
    """Read the arguments, measure, print, keep."""
    parser = argparse.ArgumentParser(description="Measure reading documents and counting their money.")
    parser.add_argument("--part", action="append", choices=("reading", "books"))
    parser.add_argument("--half", action="append", choices=("build", "report"))
    parser.add_argument("--errors", action="store_true", help="list what failed in the build half")
    parser.add_argument("--write", action="store_true", help="keep the figures in docs/benchmarks")
    given = parser.parse_args()
    halves = given.half or ["build", "report"]
    if given.errors and given.half == ["report"]:
        sys.exit("what fails in the reporting half is not shown; use --half build")
    found = measure(given.part or ["reading", "books"], halves, given.errors)
    if given.write:
        keep(found)


if __name__ == "__main__":
    main()
