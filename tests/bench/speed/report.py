"""Tables of the speed benchmark as a person reads them.

Rules: everything shown is in the JSON file too. Processes that take less than a hundredth are not shown.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Column, Table

PROCESSES = ("gateway", "ingest", "retrieve", "embed", "postgres", "postgres background", "client")
SHOWN_SHARE = 0.01

out = Console(highlight=False, width=150)


def loads(title: str, measured: Sequence[Mapping[str, Any]], unit: str) -> None:
    """Print one table: rates, latencies, CPU of the whole product, then of each process that takes a share."""
    most = max(m["cpu_ms_product"] for m in measured)
    names = [name for name in PROCESSES if max(m["cpu_ms"].get(name, 0) for m in measured) >= SHOWN_SHARE * most]
    numbers = (unit, "per s", "p50 ms", "p95", "p99", "CPU ms", *names)
    table = Table("", "clients", *(Column(name, justify="right") for name in numbers), title=title)
    for m in measured:
        times = (f"{m[name]:,.1f}" for name in ("per_second", "p50", "p95", "p99"))
        cpu = (f"{m['cpu_ms'].get(name, 0):.2f}" for name in names)
        table.add_row(m["name"], str(m["clients"]), f"{m['count']:,}", *times, f"{m['cpu_ms_product']:.2f}", *cpu)
    out.print(table)


def rows(title: str, told: Sequence[Mapping[str, Any]]) -> None:
    """Print rows that all have the same names."""
    if not told:
        return
    first, *numbers = told[0]
    table = Table(first, *(Column(name.replace("_", " "), justify="right") for name in numbers), title=title)
    for row in told:
        table.add_row(*(_cell(row[name]) for name in told[0]))
    out.print(table)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.3f}" if abs(value) < 10 else f"{value:,.1f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def show(told: Mapping[str, Any]) -> None:
    """Print every part that was measured."""
    for part in ("sizes", "tenants"):
        for name, run in runs(told, part):
            title = f"Recall, {name} memories" if part == "sizes" else f"Recall, the {name} one of many tenants"
            loads(f"{title}; CPU ms per request", run["recall"], "requests")
            out.print(f"above its own SQL, CPU ms by clients: {run['overhead_cpu_ms']}; MiB: {run['memory_mib']}")
    if "sizes" in told:
        rows("CPU ms per recall by memories, 8 clients", growth(told["sizes"]))
    for name, run in runs(told, "exactness"):
        rows(f"Recall at 20 against exact scores, {name}", run["filters"])
    for name, run in runs(told, "limits"):
        rows(f"Scopes scored whole and through the indexes, {name} memories", run)
    for name, run in runs(told, "postings"):
        rows(f"The lexical arm by budget of postings, {name} memories", run)
    for _, run in runs(told, "ingest"):
        loads("Remember; CPU ms per memory, latency per batch", run["calls"], "memories")
        rows("Uploads", run["uploads"])
    for name, run in runs(told, "peers"):
        measured = [row for row in run if "skipped" not in row]
        rows(
            f"Stores at {name} memories, CPU of client and PostgreSQL",
            [{"load_seconds": "-", **row} for row in measured],
        )
        for row in run:
            if "skipped" in row:
                out.print(f"{row['store']}: skipped, {row['skipped']}")


def growth(sizes: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return CPU per recall by size, and over that of the smallest (H1)."""
    told: list[dict[str, Any]] = []
    for name, run in runs({"sizes": sizes}, "sizes"):
        at_8 = {m["name"]: m["cpu_ms_product"] for m in run["recall"] if m["clients"] == 8}
        told.append({"memories": name, **at_8})
    first = {key: value for key, value in told[0].items() if key != "memories"} if told else {}
    for row in told:
        row |= {f"{key}, ratio": round(row[key] / value, 2) for key, value in first.items()}
    return told


def runs(told: Mapping[str, Any], part: str) -> list[tuple[str, Any]]:
    """Return the runs of a part by name; what is noted beside them is no run."""
    return [(name, run) for name, run in told.get(part, {}).items() if name not in ("load_average", "measured_at")]
