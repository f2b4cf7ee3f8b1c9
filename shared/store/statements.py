"""SQL lives in files, one per noun, and is read from there by name.

Rules: `sql/<name>.sql` holds statements, each begun by a line `-- name: <statement>` and one comment line that says
what it does. A statement on the vectors of a generation writes `:generation` where the table's number goes. Values are
never put into a text: they are parameters.
It does not know what a statement means.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

Statements: TypeAlias = Mapping[str, str]

_FOLDER = Path(__file__).parent / "sql"
_HEAD = re.compile(r"^-- name: (\w+)\n-- \S.*\n", re.MULTILINE)


@cache
def load(name: str) -> Statements:
    """Read the statements of one file, by their names.

    Raises: ValueError for a file that is not written by the rules.
    """
    return parse((_FOLDER / f"{name}.sql").read_text(encoding="utf-8"), name)


def parse(text: str, file: str) -> Statements:
    """Return the statements of a file's text, by their names.

    Raises: ValueError for a statement without its comment line, without text, or named twice.
    """
    heads = list(_HEAD.finditer(text))
    if len(heads) != len(re.findall(r"^-- name:", text, re.MULTILINE)):
        raise ValueError(f"{file}.sql: every '-- name: x' line is followed by one comment line that says what it does")
    ends = [*(head.start() for head in heads[1:]), len(text)]
    found: dict[str, str] = {}
    for head, end in zip(heads, ends, strict=True):
        statement = text[head.end() : end].strip().removesuffix(";")
        if head[1] in found or not statement:
            raise ValueError(f"{file}.sql: {head[1]} is empty or named twice")
        found[head[1]] = statement
    return MappingProxyType(found)


@cache
def for_generation(statement: str, generation: int) -> str:
    """Return a statement with the number of an embedding generation put in."""
    return statement.replace(":generation", str(int(generation)))
