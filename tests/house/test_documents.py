"""The documents tell the truth: their commands exist, their links lead somewhere."""

import importlib.util
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.tree import ROOT, read, written

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#+\s+(.+?)\s*$", re.MULTILINE)
TARGET = re.compile(r"^([a-z][a-z-]*):(?!=)", re.MULTILINE)
# Programs that a document may call; `make` and `python -m` are looked at more closely.
PROGRAMS = frozenset("cd git make python python3 curl docker k6 psql export candor cat jq aws kill echo cp".split())

DOCUMENTS = written(".md")


def _commands(document: str) -> Iterator[list[str]]:
    """Yield the words of every command in the shell blocks of a document, its variables and prompt left out."""
    for language, block in FENCE.findall(read(document)):
        if language not in {"bash", "sh", "shell", "console"}:
            continue
        for line in block.replace("\\\n", " ").splitlines():
            if language == "console" and not line.startswith("$ "):
                continue  # output
            lexer = shlex.shlex(line.removeprefix("$ "), posix=True, punctuation_chars="|;&")
            lexer.whitespace_split = True
            command: list[str] = []
            for word in [*lexer, ";"]:
                if set(word) <= set("|;&"):
                    if command:
                        yield command
                    command = []
                elif command or not re.match(r"\w+=", word):
                    command.append(word)


def _unknown(command: list[str], targets: set[str]) -> Iterator[str]:
    """Say what in a command does not exist."""
    program, *words = command
    if program not in PROGRAMS and not (ROOT / program).is_file():
        yield f"unknown program: {program}"
    if program == "make":
        goals = [word for word in words if "=" not in word and not word.startswith("-")]
        yield from (f"no target: make {goal}" for goal in goals if goal not in targets)
    if program.startswith("python") and words[:1] == ["-m"] and not _is_module(words[1]):
        yield f"no module: {words[1]}"


def _is_module(name: str) -> bool:
    if "<" in name:  # a placeholder, as in services.<role>.main
        return True
    path = ROOT / name.replace(".", "/")
    return (
        path.with_suffix(".py").is_file()
        or (path / "__main__.py").is_file()
        or importlib.util.find_spec(name) is not None
    )


def _anchors(text: str) -> set[str]:
    """Name the headings of a document as links address them."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(text)}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_command_exists(document: str) -> None:
    targets = set(TARGET.findall(read("Makefile")))
    assert [found for command in _commands(document) for found in _unknown(command, targets)] == []


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_link_leads_somewhere(document: str) -> None:
    broken = []
    for link in LINK.findall(FENCE.sub("", read(document))):
        if re.match(r"[a-z]+:", link):
            continue  # another place; not ours to promise
        path, _, anchor = link.partition("#")
        target = (ROOT / document).parent / path if path else ROOT / document
        anchored = not anchor or target.suffix != ".md"
        if not target.exists() or not (anchored or anchor in _anchors(target.read_text(encoding="utf-8"))):
            broken.append(link)
    assert broken == []


def test_an_unknown_command_is_noticed() -> None:
    assert list(_unknown(["make", "teapot"], {"test"})) == ["no target: make teapot"]
    assert list(_unknown(["teapot"], set())) == ["unknown program: teapot"]
    assert list(_unknown(["python", "-m", "services.teapot"], set())) == ["no module: services.teapot"]


@pytest.mark.parametrize("target", ["setup", "demo", "up", "down", "unit", "test", "lint"])
def test_the_promised_targets_exist(target: str) -> None:
    assert target in TARGET.findall(read("Makefile"))
    assert shutil.which("make")
    assert Path(ROOT / ".ci/run").is_file()
