"""`python -m tests.house.advisories`: are there published advisories against what is locked?

Rules: an advisory fails the check unless `requirements/advisories.accepted` names it with a reason; an accepted one
that no longer applies fails too, so that the list stays short. Where no advisory service can be reached nothing is
known: the check says so and passes, for a machine without it must still be able to land.
It does not resolve anything: the locks are read as they are.
Source: pip-audit's JSON output (dependencies with `vulns` or `skip_reason`).
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOCKS = ("runtime", "local", "test", "lint")
ACCEPTED = ROOT / "requirements" / "advisories.accepted"
SECONDS = 300.0  # pip-audit asks once for each package


@dataclass(frozen=True, slots=True)
class Looked:
    """What one or more locks gave: advisories by id, and how many packages were and were not looked at."""

    advisories: Mapping[str, str]
    known: int
    unknown: int


def accepted(text: str) -> Mapping[str, str]:
    """Return the reasons by advisory id of a file of `ID reason` lines.

    Raises: ValueError for an id without a reason.
    """
    found = {}
    for line in text.splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, reason = line.strip().partition(" ")
            if not reason.strip():
                raise ValueError(f"{name} is accepted without a reason")
            found[name] = reason.strip()
    return found


def read(reports: Sequence[str]) -> Looked:
    """Return what pip-audit's reports say together."""
    advisories, known, unknown = {}, set(), set()
    for report in reports:
        for package in json.loads(report)["dependencies"]:
            if "skip_reason" in package:
                unknown.add(package["name"])
                continue
            known.add(package["name"])
            for advisory in package["vulns"]:
                mended = ", ".join(advisory["fix_versions"]) or "no version"
                advisories[advisory["id"]] = f"{package['name']} {package['version']}, mended in {mended}"
    return Looked(advisories, len(known), len(unknown - known))


def verdict(looked: Looked, reasons: Mapping[str, str]) -> list[str]:
    """Return what must be done; nothing when all is well or nothing could be known."""
    if not looked.known:
        return []
    fresh = [f"{name}: {what}" for name, what in sorted(looked.advisories.items()) if name not in reasons]
    return fresh + [
        f"{name}: accepted, but applies no longer" for name in sorted(set(reasons) - set(looked.advisories))
    ]


def _report(lock: str) -> str:
    """Ask about one lock; an empty report where the service does not answer."""
    command = ("-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off", "-f", "json", "-r")
    try:
        done = subprocess.run(
            (sys.executable, *command, str(ROOT / "requirements" / f"{lock}.txt")),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return '{"dependencies": []}'
    return done.stdout if done.stdout.startswith("{") else '{"dependencies": []}'


def main() -> None:
    """Check the locks, print what was found, and exit with 1 for what must be done."""
    looked = read([_report(lock) for lock in LOCKS])
    wrong = verdict(looked, accepted(ACCEPTED.read_text(encoding="utf-8")))
    if not looked.known:
        print("advisories: NOT CHECKED, no advisory service answered")
    else:
        print(f"advisories: {looked.known} packages looked up, {looked.unknown} unknown, {len(wrong)} to be dealt with")
    print("".join(f"  {line}\n" for line in wrong), end="")
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
