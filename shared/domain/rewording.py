"""What another wording of statements lost or made up: names, figures, identifiers, dates, denials.

Rules: each word with a digit and each name of the statements stands in the wording as it was told, and none that they
do not hold; figures, denied words and poles are theirs, however they are written. A wording is not longer than they
are together. It does not know who words, nor what else a wording may have got wrong: it is no judge of meaning.
Source: REQUIREMENTS A5 (numbers, ids and dates verbatim), C6, D4.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from shared.domain.pairs import bearing_of
from shared.domain.text import fold, refused_character

_WORD = re.compile(r"[^\W_]+(?:[.,:/'-][^\W_]+)*")
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[^\W\d_a-z][\w'-]*")
NAMED_MAX = 5  # of each kind of fault that are named; chosen, untested


def faults(statements: Sequence[str], said: str) -> Iterator[str]:
    """Yield what is wrong with a wording of statements that agree in figures, names and denials."""
    if not said.strip():
        yield "the text is empty"
        return
    if refused_character(said):
        yield "the text holds a character that no text may hold"
        return
    if len(said) > sum(map(len, statements)):
        yield "the text is longer than the statements together"
    told, words = " ".join(statements), _words(said)
    lost = _numbered(told) - _numbered(said) | {name for name in _names(statements) if not _words(name) <= words}
    if lost:
        yield f"the text leaves out {_listed(lost)}"
    added = _numbered(said) - _numbered(told) | {name for name in _names([said]) if not _words(name) <= _words(told)}
    if added:
        yield f"the statements do not say {_listed(added)}"
    if not lost and not added and bearing_of(said) not in set(map(bearing_of, statements)):
        yield "the text differs from the statements in a figure, a denial or an opposite"


def _words(text: str) -> set[str]:
    return set(_WORD.findall(fold(text)))


def _numbered(text: str) -> set[str]:
    return {word for word in _words(text) if any(letter.isdigit() for letter in word)}


def _names(texts: Iterable[str]) -> set[str]:
    return {fold(name) for text in texts for name in _NAME.findall(text)}


def _listed(found: Iterable[str]) -> str:
    return ", ".join(sorted(found)[:NAMED_MAX])
