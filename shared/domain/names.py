"""Names of speakers in a question: which are there, and the question without them.

Rules: a name is a label's words that begin with a capital letter, as written; roles in small letters ("user") are no
names, and in scripts without capitals the whole label is one. A possessive ending goes with its name. A question that
would lose every word of substance keeps its names.
It does not know where labels come from.
Source: LoCoMo evidence, MiniLM: R@10 of the dense arm 51.5 with the two speakers' names in the question, 57.9 without.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold

NAMES_MAX = 200  # speakers whose names are known of a tenant (chosen, untested)
PATTERNS_MAX = 1_000  # remembered, one for each tenant that asks
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_BLANKS = re.compile(r"\s+")


@lru_cache(maxsize=PATTERNS_MAX)
def _pattern(labels: tuple[str, ...]) -> re.Pattern[str] | None:
    names = {name for label in labels for name in names_of(label)}
    if not names:
        return None
    either = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    return re.compile(rf"(?<!\w)(?:{either})(?:['’]s)?(?!\w)")


def names_of(label: str) -> tuple[str, ...]:
    """Return the names that a label holds."""
    if label.lower() == label.upper():
        return (label,) if len(label) > 1 else ()
    return tuple(word for word in _WORD.findall(label) if len(word) > 1 and word[0].isupper())


def without_names(text: str, labels: tuple[str, ...]) -> str:
    """Return a question without the names of these labels."""
    pattern = _pattern(labels)
    if pattern is None or not pattern.search(text):
        return text
    left = _BLANKS.sub(" ", pattern.sub(" ", text)).strip()
    substance = [word for word in _WORD.findall(left) if fold(word) not in ENGLISH_STOP_WORDS]
    return left if substance else text


def named(text: str, labels: Iterable[str]) -> frozenset[str]:
    """Return those of the labels whose names a question holds."""
    found = []
    for label in labels:
        pattern = _pattern((label,))
        if pattern is not None and pattern.search(text):
            found.append(label)
    return frozenset(found)


def companies_named(text: str, keys: Iterable[str]) -> frozenset[str]:
    """Return those of the companies' keys whose first word, or whole, stands in a question."""
    words = frozenset(_WORD.findall(fold(text)))
    found = []
    for key in keys:
        parts = _WORD.findall(key)
        if parts and parts[0] in words and parts[0] not in ENGLISH_STOP_WORDS:
            found.append(key)
    return frozenset(found)
