"""Whose figure it is, where one memory gives several names one figure each: "Alder pays 4.1%, Cedar 5.6%".

Rules: a clause with one figure and a name in front of it gives the figure to the nearest such name, or identifier. A
claim gives a figure to the wrong one when it names another holder of a figure of that kind and the answer nowhere names
the right one. A clause of any other shape says nothing.
It does not know pronouns, nor names in lower case: "the rent" and "the deposit" are no holders.
Source: mended by the build half of fixtures/guard.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from shared.domain.figure_words import figures
from shared.domain.quantities import Kind, Quantity
from shared.domain.statements import sentences
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.text import fold

_KINDS = frozenset({Kind.MONEY, Kind.PERCENT, Kind.MEASURE, Kind.NUMBER})
_EDGE = re.compile(r"[;:—]|,(?!\d)|\b(?:and|but|while|whereas|und|aber|während)\b")
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_CURRENCY_MARK = re.compile(r"[A-Z]{3}|[$€£¥₩]")

Holder = tuple[frozenset[str], Quantity]


def misattributed(figure: Quantity, claim: str, answer: str, memories: Sequence[str]) -> bool:
    """Tell whether every memory that holds a figure holds it for another name than those the claim tells of."""
    if figure.kind not in _KINDS:
        return False
    claimed, told = _words(claim), _words(answer)
    verdicts = [verdict for text in memories if (verdict := _wrong(figure, claimed, told, holders(text))) is not None]
    return bool(verdicts) and all(verdicts)


def _wrong(figure: Quantity, claimed: frozenset[str], told: frozenset[str], held: Sequence[Holder]) -> bool | None:
    """Judge one memory; None when it does not hold the figure for anybody."""
    alike = [(names, q) for names, q in held if q.kind is figure.kind and q.units == figure.units]
    owners = [names for names, q in alike if set(q.numbers) & set(figure.numbers)]
    if not owners:
        return None
    others = [names for names, q in alike if not set(q.numbers) & set(figure.numbers)]
    named = any((other - owner) & claimed for other in others for owner in owners)
    return named and not any((owner - other) & told for other in others for owner in owners)


@lru_cache(maxsize=1024)
def holders(text: str) -> tuple[Holder, ...]:
    """Return the names that a text gives a figure to, with the figure."""
    return tuple(_holders(text))


def _holders(text: str) -> Iterator[Holder]:
    for sentence in sentences(text):
        for clause in _EDGE.split(sentence):
            found = [q for q in figures(clause) if q.kind in _KINDS]
            digit = re.search(r"(?<![^\W_])\d", clause)
            if len(found) != 1 or digit is None:
                continue
            name = _name_before(clause[: digit.start()])
            if name:
                yield name, found[0]


def _name_before(text: str) -> frozenset[str]:
    """Return the words of the last capitalised run of a text."""
    run: list[str] = []
    last: list[str] = []
    for match in _WORD.finditer(text):
        word = match.group()
        is_name = word[0].isupper() and fold(word) not in ENGLISH_STOP_WORDS and not _CURRENCY_MARK.fullmatch(word)
        run = [*run, fold(word)] if is_name else []
        last = run or last
    return frozenset(last)


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(match.group()) for match in _WORD.finditer(text))
