"""The words of all axes in one index, and the stances a word takes.

Rules: axes of polarity.py bear a slash behind their name; praise and fault are one more axis. A Latin word is
             looked up by its root, a
phrase joined by underscores, an East Asian entry inside the text. "Unpainted" opposes "painted" without a table.
It does not know sentences (reading.py).
Source: polarity.py, opposites.py, valence.py.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from shared.domain.meaning.opposites import STATES_TABLE
from shared.domain.meaning.opposites_everyday import EVERYDAY_TABLE
from shared.domain.meaning.valence import FAULT, PRAISE
from shared.domain.meaning.words import plain_root
from shared.domain.polarity import AXES
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold

VALENCE = "valence"  # the name of the axis of praise and fault
PREFIXED_MIN_CHARS = 4  # of a word with "un-" or the like (chosen, untested)
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


@dataclass(frozen=True, slots=True)
class Stance:
    """What a sentence says on one axis: a pole, asserted or denied, and the word and where it stands."""

    axis: str
    pole: int
    denied: bool
    word: str
    clause: int = 0


def _table() -> tuple[dict[str, list[tuple[str, int]]], dict[str, bool], frozenset[str]]:
    """Index every pole word by its root or, unspaced or a phrase, by itself."""
    places: dict[str, list[tuple[str, int]]] = {}
    two_sided: dict[str, bool] = {}
    measures: set[str] = set()

    def add(form: str, axis: str, pole: int) -> None:
        key = form if CJK.search(form) else ("_".join(form.split()) if " " in form else plain_root(form))
        if (axis, pole) not in places.setdefault(key, []):
            places[key].append((axis, pole))

    for number, words in enumerate((PRAISE, FAULT)):
        for form in words.split():
            add(fold(form.replace("_", " ")), VALENCE, number)
    two_sided[VALENCE] = False
    name = ""
    pole = 0
    for line in f"{STATES_TABLE}{EVERYDAY_TABLE}".strip().splitlines():
        if line.startswith(" ") and "|" not in line:
            rest = line
        else:
            label, _, rest = line.partition("|")
            if label.strip():
                name, pole = label.strip().rstrip("!*"), 0
                two_sided[name] = label.strip().endswith("!")
                if label.strip().endswith("*"):
                    measures.add(name)
            else:
                pole += 1
        for form in rest.split():
            add(fold(form.replace("_", " ")), name, pole)
    for axis in AXES:
        two_sided.setdefault(axis.name + "/", axis.two_sided)
        for number, forms in enumerate(axis.poles):
            for form in forms:
                add(form, axis.name + "/", number)
    measures |= {"direction/", "comparison/"}
    return places, two_sided, frozenset(measures)


PLACES, TWO_SIDED, MEASURES = _table()
_JOINED = sorted((key for key in PLACES if "_" in key and not CJK.search(key)), key=len, reverse=True)
PHRASE = re.compile(r"(?<![^\W_])(?:" + "|".join(key.replace("_", " ") for key in _JOINED) + r")(?![^\W_])")
_EASTERN = sorted((key for key in PLACES if CJK.search(key)), key=len, reverse=True)
UNSPACED = re.compile("|".join(map(re.escape, _EASTERN)))
_OPPOSED_PREFIX = re.compile(r"^(?:un|in|im|ir|dis|non-?)(?=[a-z]{4})")


def two_sided(axis: str) -> bool:
    """Tell whether denying one pole asserts the other."""
    return axis[0] == "=" or TWO_SIDED[axis]


def plain_stances(token: str, odd: bool, clause: int) -> Iterable[Stance]:
    """Yield a word's own axis, on which "unpainted" opposes "painted"."""
    if len(token) < PREFIXED_MIN_CHARS or token in ENGLISH_STOP_WORDS:
        return
    prefix = _OPPOSED_PREFIX.match(token)
    if prefix is not None:
        yield Stance("=" + plain_root(token[prefix.end() :]), 1, odd, token, clause)
    yield Stance("=" + plain_root(token), 0, odd, token, clause)
