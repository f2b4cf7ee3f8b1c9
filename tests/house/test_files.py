"""What a file of the house looks like: its size, name and docstring, and no trace of the machine it was written on."""

import ast
import re
from pathlib import PurePosixPath

import pytest

from tests.house.tree import ROOT, files, read, written

MOST_LINES = 300
MOST_MOUNT_LINES = 60
BANNED_NAMES = frozenset({"utils", "util", "helpers", "helper", "common", "base", "manager", "misc", "core"})
SOURCES = (".py", ".sql", ".proto", ".sh", ".js", ".css", ".html")
# Written in pieces so that this file does not match itself.
MACHINE_TRACES = re.compile(
    "|".join(
        (
            r"(?<![\w./-])/" + r"(?:work|root|home/\w+|Users/\w+)/",  # folders of one machine
            r"\." + "pyenv",
            "pythonhosted" + r"\.org",
            r"pypi" + r"\.org",
            "registry" + r"\.npmjs",
            r"--(?:extra-)?index" + r"-url|--find" + r"-links|--trusted" + r"-host",
        )
    )
)


def _lines(name: str) -> int:
    return len(read(name).splitlines())


def test_no_file_is_too_long() -> None:
    sources = [name for name in written(*SOURCES) if not name.startswith("tests/")]
    assert {name: _lines(name) for name in sources if _lines(name) > MOST_LINES} == {}


def test_every_mount_is_short() -> None:
    mounts = [name for name in written("/main.py") if name.startswith("services/")]
    assert {name: _lines(name) for name in mounts if _lines(name) > MOST_MOUNT_LINES} == {}


def test_no_file_or_folder_has_a_name_that_says_nothing() -> None:
    parts = {name: {part.split(".")[0] for part in PurePosixPath(name).parts} for name in written(*SOURCES)}
    assert [name for name, words in parts.items() if words & BANNED_NAMES] == []


def test_every_module_says_what_it_is() -> None:
    assert [name for name in written(".py") if not ast.get_docstring(ast.parse(read(name)))] == []


def test_every_interface_file_starts_with_a_comment() -> None:
    silent = [name for name in written(".proto", ".sql") if not read(name).lstrip().startswith(("//", "--", "/*"))]
    assert silent == []


def test_no_file_names_a_machine_or_a_registry() -> None:
    found = []
    for name in files():
        try:
            text = read(name)
        except UnicodeDecodeError:
            text = (ROOT / name).read_bytes().decode("latin-1")
        found += [f"{name}: {match.group()}" for match in MACHINE_TRACES.finditer(text)]
    assert found == []


@pytest.mark.parametrize(
    "trace", ["cd /work" + "/x", "'/root" + "/x'", "~/." + "pyenv/shims", "https://pypi" + ".org/x"]
)
def test_a_trace_of_a_machine_is_recognised(trace: str) -> None:
    assert MACHINE_TRACES.search(trace)


def test_a_route_is_not_a_trace() -> None:
    assert not MACHINE_TRACES.search("GET /v1/work/items docs/work/README.md https://example.org/work/")
