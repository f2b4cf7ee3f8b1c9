"""SQL files: read by name, written by the rules; and every statement of the store is one PostgreSQL accepts."""

import re
from collections.abc import AsyncIterator

import asyncpg
import pytest

from shared.store import migrate, statements

pytestmark = pytest.mark.anyio

FILES = sorted(str(path.relative_to(statements._FOLDER).with_suffix("")) for path in statements._FOLDER.rglob("*.sql"))


def test_statements_are_found_by_name() -> None:
    text = "-- About.\n\n-- name: one\n-- Say one.\nSELECT 1;\n\n-- name: two\n-- Say two.\nSELECT\n  2;\n"
    assert dict(statements.parse(text, "x")) == {"one": "SELECT 1", "two": "SELECT\n  2"}


@pytest.mark.parametrize(
    "text",
    [
        "-- name: one\nSELECT 1;",
        "-- name: one\n-- Say.\n\n-- name: two\n-- Say.\nSELECT 2;",
        "-- name: one\n-- Say.\nSELECT 1;\n-- name: one\n-- Say.\nSELECT 2;",
    ],
    ids=["without a comment", "without a text", "named twice"],
)
def test_files_against_the_rules_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"bad\.sql"):
        statements.parse(text, "bad")


def test_a_generation_is_a_number_in_the_tables_name() -> None:
    assert statements.for_generation("SELECT FROM v_g:generation_history", 7) == "SELECT FROM v_g7_history"


@pytest.fixture(scope="module")
async def owner(
    module_database: migrate.Dsns, anyio_backend: str
) -> AsyncIterator["asyncpg.Connection[asyncpg.Record]"]:
    connection = await asyncpg.connect(module_database.migrator, server_settings={"search_path": "candor,public"})
    yield connection
    await connection.close()


@pytest.mark.parametrize("file", [file for file in FILES if file.startswith("writes/")])
async def test_the_server_accepts_every_statement(owner: "asyncpg.Connection[asyncpg.Record]", file: str) -> None:
    for name, text in statements.load(file).items():
        prepared = await owner.prepare(statements.for_generation(text, 1))
        numbers = {int(number) for number in re.findall(r"\$(\d+)", text)}
        assert numbers == set(range(1, len(prepared.get_parameters()) + 1)), name
