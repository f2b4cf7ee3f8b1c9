"""Reads the parts of templates, and deals wordings so that none comes again before all were used.

Rules: all parts hold the same keys, but for the third set, which speaks of other things. A deck is shuffled by the
life's own random source.
It does not know values or time (generator.py).
"""

import random
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from tests.bench.life import templates_build, templates_report, templates_third, templates_tune
from tests.bench.life.model import Half

_MODULES = {
    Half.BUILD: templates_build,
    Half.TUNE: templates_tune,
    Half.REPORT: templates_report,
    Half.THIRD: templates_third,
}
PARTS = ("STATEMENTS", "QUESTIONS", "REPLIES", "FILLERS")


@cache
def wordings(half: Half, part: str) -> Mapping[str, tuple[str, ...]]:
    """Return the wordings of one part of a half by key.

    Raises: ValueError for a line without a key, or a key that comes twice.
    """
    found: dict[str, tuple[str, ...]] = {}
    text: str = getattr(_MODULES[half], part)
    for line in text.replace("\n| ", " | ").strip().splitlines():
        key, equals, rest = line.partition(" = ")
        if not equals or key in found:
            raise ValueError(f"{half} {part}: bad or repeated line {line!r}")
        found[key] = tuple(wording.strip() for wording in rest.split(" | "))
    return MappingProxyType(found)


class Deck:
    """Deals the wordings of one half in shuffled rounds."""

    def __init__(self, half: Half, rng: random.Random) -> None:
        self._half = half
        self._rng = rng
        self._left: dict[tuple[str, str], list[str]] = {}

    def has(self, part: str, key: str) -> bool:
        """Tell whether this half has wordings for a key."""
        return key in wordings(self._half, part)

    def deal(self, part: str, key: str) -> str:
        """Return the next wording of a key."""
        left = self._left.setdefault((part, key), [])
        if not left:
            left.extend(wordings(self._half, part)[key])
            self._rng.shuffle(left)
        return left.pop()
