"""What the processes of a Candor called a defect in their own logs.

Rules: each different traceback once. It does not know what was asked.
"""

import json
from collections.abc import Iterator
from pathlib import Path

MOST_TRACEBACK_CHARACTERS = 1_500
TELLING_CHARACTERS = 200  # of a traceback's end, by which two are the same; chosen, untested


def defects_in_logs(home: Path) -> Iterator[str]:
    """Yield each different defect, with the end of its traceback."""
    found: dict[tuple[str, str], str] = {}
    for path in sorted((home / "log").glob("*.log")):
        for line in path.read_text(errors="replace").splitlines():
            if '"event": "defect"' in line:
                told = json.loads(line)
                trace = str(told.get("exception", ""))
                whole = f"{path.stem} {told.get('request_id')}\n{trace[-MOST_TRACEBACK_CHARACTERS:]}"
                found.setdefault((path.stem, trace[-TELLING_CHARACTERS:]), whole)
    yield from found.values()
