"""Write fixtures/documents, or check that what is committed is what this code makes.

    python -m tests.bench.documents.making [--check]

Rules: the same code and libraries give the same bytes, pictures and the encrypted file aside; a file that is no longer
made is removed. Expected results follow from the facts that a document was written from, never from a reader.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.bench.documents import catalogue, damaged, scenarios

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "documents"
HALVES = ("build", "report")


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def made() -> Iterator[tuple[str, bytes, bool]]:
    """Yield every file: its path below fixtures/documents, its bytes, and whether they may differ between machines."""
    for half in HALVES:
        specimens = catalogue.specimens(half)
        for specimen in specimens:
            yield specimen.file, specimen.raw, specimen.is_picture
        yield f"{half}/expected.json", _json([specimen.as_json() for specimen in specimens]), False
        stories = []
        for scenario in scenarios.scenarios(half):
            for paper in scenario.papers:
                yield paper.file, paper.raw, paper.is_picture
            stories.append(scenario.as_json())
        yield f"{half}/scenarios.json", _json(stories), False
    hostile = list(damaged.specimens())
    for specimen in hostile:
        yield specimen.file, specimen.raw, specimen.is_picture
    yield "damaged/expected.json", _json([specimen.as_json() for specimen in hostile]), False


def differences(folder: Path) -> list[str]:
    """Name the files that are missing, left over or other than what this code makes."""
    found = []
    names = set()
    for name, raw, may_differ in made():
        names.add(name)
        path = folder / name
        if not path.is_file():
            found.append(f"missing: {name}")
        elif not may_differ and path.read_bytes() != raw:
            found.append(f"other: {name}")
    present = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return found + [f"left over: {name}" for name in sorted(present - names)]


def write(folder: Path) -> int:
    """Write all files that are missing or other; return how many bytes there are."""
    names, size = set(), 0
    for name, raw, may_differ in made():
        names.add(name)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not (may_differ and path.is_file()):
            path.write_bytes(raw)
        size += path.stat().st_size
    for path in folder.rglob("*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in names:
            path.unlink()
    return size


def main() -> None:
    """Write or check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        found = differences(FIXTURES)
        print("\n".join(found) or "as made")
        sys.exit(bool(found))
    print(f"{write(FIXTURES):,} bytes in {FIXTURES.name}")


if __name__ == "__main__":
    main()
