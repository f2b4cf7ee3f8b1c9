"""The locks: every requirement is in its lock, pinned by hash, and the locks agree with each other."""

import re

import pytest

from tests.house.tree import read, written

PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)
LOCKS = ("runtime", "local", "assets", "test", "lint")


def _name(text: str) -> str:
    return re.sub(r"[-_.]+", "-", text).lower()


def _pins(lock: str) -> dict[str, str]:
    return {_name(name): version for name, version in PIN.findall(read(f"requirements/{lock}.txt"))}


def test_these_are_all_the_locks() -> None:
    found = [name for name in written(".in", ".txt") if name.startswith("requirements/")]
    assert sorted(found) == sorted(f"requirements/{lock}{suffix}" for lock in LOCKS for suffix in (".in", ".txt"))


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_locked(lock: str) -> None:
    lines = [
        line for line in read(f"requirements/{lock}.in").splitlines() if line and not line.startswith(("#", "-c "))
    ]
    wanted = {_name(re.split(r"[\[=<>~!; ]", line)[0]) for line in lines}
    assert wanted - _pins(lock).keys() == set()


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_a_hash(lock: str) -> None:
    entries = re.split(r"\n(?=[A-Za-z0-9])", read(f"requirements/{lock}.txt").strip())
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_locks_install_together() -> None:
    versions: dict[str, set[str]] = {}
    for lock in LOCKS:
        for name, version in _pins(lock).items():
            versions.setdefault(name, set()).add(version)
    assert {name: found for name, found in versions.items() if len(found) > 1} == {}
