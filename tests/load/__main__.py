"""Put load on a Candor and check its answers: `python -m tests.load smoke` (ramp, saturation, soak, spike).

Rules: by default a Candor of our own on local models, on a home and ports of its own that are removed at the end, with
planted invoices; E2E_URL and E2E_KEY name another, on loopback only. Ends with 1 when a
threshold was crossed, naming it.
"""

import argparse
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from urllib.parse import urlsplit

from tests.e2e.stack import Stack, named_by_environment, started
from tests.load.planting import plant
from tests.load.running import Summary, run

PROFILES = ("smoke", "ramp", "saturation", "soak", "spike")
INVOICES = 2_000
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def told(profile: str, summary: Summary) -> str:
    """Return the run as one line of a table."""
    recall = summary.recall
    return (
        f"{profile}: {summary.requests} requests, {summary.per_second:.1f}/s, failed {summary.failed_share:.2%}, "
        f"answers right {summary.checks_share:.2%}, recall p50 {recall['med']:.0f} p95 {recall['p(95)']:.0f} "
        f"p99 {recall['p(99)']:.0f} max {recall['max']:.0f} ms"
    )


def main() -> int:
    """Run the profiles that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profiles", nargs="*", default=["smoke"], choices=PROFILES)
    parser.add_argument("--invoices", type=int, default=INVOICES)
    parser.add_argument("--soak", default="30m", help="how long the soak lasts")
    parser.add_argument("--writes", action="store_true", help="let a tenth of the requests write")
    asked = parser.parse_args()
    named = named_by_environment()
    crossed = 0
    with tempfile.TemporaryDirectory() as folder, nullcontext(named) if named else started(Path(folder)) as stack:
        assert isinstance(stack, Stack)
        if urlsplit(stack.url).hostname not in LOOPBACK:
            raise SystemExit("load goes to loopback only")
        with stack.client() as client:
            began = time.monotonic()
            print(f"{plant(client, asked.invoices)} memories planted in {time.monotonic() - began:.0f} s", flush=True)
        for profile in asked.profiles:
            more = {"SOAK_DURATION": asked.soak} | ({"WRITES": "1"} if asked.writes else {})
            summary = run(profile, stack.url, stack.key, asked.invoices, more)
            print(told(profile, summary), flush=True)
            for limit in summary.crossed:
                print(f"  crossed: {limit}")
            for check, count in summary.wrong.items():
                print(f"  failed {count} times: {check}")
            crossed += len(summary.crossed)
    return 1 if crossed else 0


if __name__ == "__main__":
    raise SystemExit(main())
