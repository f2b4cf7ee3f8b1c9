"""How right the audit is and what it costs: `make bench-audit`.

    python -m tests.bench.audit [--part field|meaning|scale] [--memories 100000 1000000] [--out FOLDER]

Rules: an own stack in a temporary home, used over gRPC as the gateway uses it; a tenant of its own for each case.
Labels are given (fixtures/README.md) and never follow from a result. Tables are printed, and each part is written as
JSON.
"""

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

for name in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(name, None)  # before numpy is loaded

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from shared.domain.ladder import POLICY_VERSION  # noqa: E402
from tests.bench.audit import field, scale, sets  # noqa: E402
from tests.e2e.stack import Stack, started  # noqa: E402

PARTS = ("field", "meaning", "scale")
DEFAULT_PARTS = PARTS
out = Console(highlight=False, width=150)


def measure_field(stack: Stack) -> dict[str, Any]:
    """Score the public sets apart, our own together."""
    scores: dict[str, field.Score] = {}
    for case in (*sets.public_cases(), *sets.own_cases()):
        tenant = stack.new_tenant()
        for tag, score in asyncio.run(field.run_case(stack, case, tenant.tenant_id)).items():
            is_own = case.name.startswith("field")
            if is_own or tag not in ("all", field.APART):
                field.add(scores.setdefault(tag, field.Score()), score)
    show_field(scores)
    return {tag: score.as_json() for tag, score in scores.items()}


def show_field(scores: Mapping[str, field.Score]) -> None:
    """Print one line for each tag, the whole first."""
    table = Table(
        "", *("groups", "silent", "alarmed", "found", "missed", "false", "exact", "informs", "not"), "precision"
    )
    for column in ("recall", "false alarms"):
        table.add_column(column)
    first = ("all", field.APART, "archon consistency", "archon resolution", "factconsolidation")
    for tag in sorted(scores, key=lambda t: (first.index(t) if t in first else len(first), t)):
        score = scores[tag]
        counts = (score.groups, score.silent, score.alarmed, score.found, score.missed, score.false, score.exact)
        informs = (score.informed, score.uninformed)
        measured = score.as_json()
        shares = (_share(measured[name]) for name in ("precision", "recall", "false_alarm_rate"))
        table.add_row(tag, *(str(count) for count in (*counts, *informs)), *shares)
    out.print(table)
    for line in dict.fromkeys(line for score in scores.values() for line in score.wrong):
        out.print(f"  {line}")


def _share(given: Mapping[str, Any] | None) -> str:
    if given is None:
        return "-"
    low, high = given["wilson95"]
    return f"{100 * given['share']:.1f} [{100 * low:.0f}, {100 * high:.0f}]"


def measure_meaning() -> None:
    """Have both halves of both sets of pairs judged: `tests.bench.meaning` prints totals and keeps every look."""
    subprocess.run([sys.executable, "-m", "tests.bench.meaning", "--split", "build", "--split", "report"], check=True)


def measure_scale(stack: Stack, memories: int) -> dict[str, Any]:
    """Plant a tenant of a size and audit it."""
    found = asyncio.run(scale.measure(stack, stack.new_tenant().tenant_id, memories))
    table = Table("", "s", "audited", *(f"CPU s {name}" for name in ("audit", "retrieve", "postgres")), "audit MiB")
    table.add_column("retrieve MiB")
    table.add_column("findings")
    table.title = (
        f"{memories:,} memories; whole {_exact(found['whole_is_exact'])}, delta {_exact(found['delta_is_exact'])}"
    )
    for run in found["runs"]:
        cpu = (f"{run['cpu_seconds'].get(name, 0):.2f}" for name in ("audit", "retrieve", "postgres"))
        peaks = (str(run["peak_mib"].get(name, "")) for name in ("audit", "retrieve"))
        counts = ", ".join(f"{count} {name}" for name, count in run["found"].items() if count)
        table.add_row(run["name"], f"{run['seconds']:.3f}", f"{run['audited']:,}", *cpu, *peaks, counts)
    out.print(table)
    return found


def _exact(is_exact: bool) -> str:
    return "exactly as planted" if is_exact else "NOT as planted"


def main() -> None:
    """Read the arguments, measure, write the reports."""
    parser = argparse.ArgumentParser(description="Measure the audit.")
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; may be repeated")
    parser.add_argument("--memories", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--out", type=Path, default=Path("docs/benchmarks"))
    given = parser.parse_args()
    parts = given.part or DEFAULT_PARTS
    found: dict[str, Any] = {}
    if "field" in parts or "scale" in parts:
        with (
            tempfile.TemporaryDirectory(prefix="candor-audit-") as folder,
            started(Path(folder), partitions=32) as stack,
        ):
            if "field" in parts:
                found["field"] = measure_field(stack)
            if "scale" in parts:
                found["scale"] = [measure_scale(stack, memories) for memories in given.memories]
    if "meaning" in parts:
        measure_meaning()
    machine = {"cpus": os.cpu_count(), "machine": platform.machine(), "python": platform.python_version()}
    about = {
        "measured_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "machine": machine,
        "policy_version": POLICY_VERSION,
    }
    given.out.mkdir(parents=True, exist_ok=True)
    for part, result in found.items():
        path = given.out / f"audit_{part}.json"
        path.write_text(json.dumps({**about, part: result}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        out.print(f"written to {path}")


if __name__ == "__main__":
    main()
