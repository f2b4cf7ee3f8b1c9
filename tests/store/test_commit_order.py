"""What changes a memory or an assertion says so in the order of commits, or a delta audit would miss it."""

import re
from pathlib import Path

import pytest

from shared.store import migrate

SQL = Path(migrate.__file__).parent / "sql"
# What changes how a memory is kept, and nothing that an audit tells of it.
UNTOLD = {"mark_embedded", "mark_pending"}
STATEMENTS = [
    (path.stem, name, text)
    for path in sorted(SQL.rglob("*.sql"))
    for name, text in re.findall(r"-- name: (\w+)\n(.*?)(?=-- name: |\Z)", path.read_text(), re.DOTALL)
]
CHANGING = [
    pytest.param(text, id=f"{file}.{name}")
    for file, name, text in STATEMENTS
    if re.search(r"UPDATE (memory|assertion)\b(?!_)", text) and name not in UNTOLD
]


@pytest.mark.parametrize("text", CHANGING)
def test_a_change_has_its_place(text: str) -> None:
    for assigned in re.findall(r"UPDATE (?:memory|assertion)\b.*?SET(.*?)(?:\bWHERE\b|\bFROM\b|\Z)", text, re.DOTALL):
        assert re.search(r"commit_xid = pg_current_xact_id\(\)", assigned)


def test_there_is_something_to_check() -> None:
    assert len(CHANGING) >= 5
    assert {name for _, name, _ in STATEMENTS} >= UNTOLD
