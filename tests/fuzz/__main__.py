"""Send generated requests to a Candor of our own and print what came back: `python -m tests.fuzz --requests 50000`.

Rules: everything runs on local models, on a home and ports of its own that are removed at the end. Ends with 1 when
there was a defect: an error of the server's own, an answer unlike the document, no answer, or a defect in a log; each
is told with a request that shows it.
"""

import argparse
import math
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gateway import contracts, openapi
from tests.e2e.stack import started
from tests.fuzz.logs import defects_in_logs
from tests.fuzz.running import Fuzzer, Outcome

REQUESTS = 50_000  # the contract of issue 7
PROGRESS_SECONDS = 15.0


def table(outcome: Outcome) -> Iterator[str]:
    """Yield a line for each operation: how many answers of each status, and the slowest."""
    statuses = sorted({status for _, status in outcome.counts})
    yield f"{'operation':48}" + "".join(f"{status:>7}" for status in statuses) + "  slowest s"
    for operation in sorted({operation for operation, _ in outcome.counts}):
        row = "".join(f"{outcome.counts[operation, status] or '':>7}" for status in statuses)
        yield f"{operation:48}{row}{outcome.slowest_seconds[operation]:11.2f}"
    sums: Counter[int] = Counter()
    for (_, status), count in outcome.counts.items():
        sums[status] += count
    yield f"{'all':48}" + "".join(f"{sums[status]:>7}" for status in statuses)


def main() -> int:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=REQUESTS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a part of an operation's name, as in 'POST /v1/memories'")
    parser.add_argument(
        "--minutes", type=float, default=math.inf, help="end after so long, with what was asked by then"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, started(Path(folder)) as stack:
        fuzzer = Fuzzer(stack, openapi.document(contracts.bindings()), asked.seed, only=asked.only)
        began = told = time.monotonic()
        for operation in fuzzer.run(asked.requests, until=began + asked.minutes * 60):
            if time.monotonic() - told > PROGRESS_SECONDS:
                told = time.monotonic()
                known = f"{fuzzer.outcome.counts.total():7} requests, {len(fuzzer.outcome.defects)} defects"
                print(f"{told - began:6.0f} s {known}, next {operation}", flush=True)
        outcome = fuzzer.outcome
        logged = list(defects_in_logs(stack.own.home))
    print(*table(outcome), sep="\n")
    print(f"{outcome.counts.total()} requests in {time.monotonic() - began:.0f} s, seed {asked.seed}")
    for (operation, what), example in outcome.defects.items():
        print(f"\n{operation}: {what}\n  {example}")
    for text in logged:
        print(f"\nlogged: {text}")
    print(f"\ndefects: {len(outcome.defects)} in answers, {len(logged)} in logs")
    return 1 if outcome.defects or logged else 0


if __name__ == "__main__":
    raise SystemExit(main())
