"""The words of a page and where they stand, and what follows from it: lines, and phrases within a line.

Rules: a line is made of words whose middles are within half a line of each other; a phrase ends where a gap is wider
than a space can be. Plain text is a page too, each character as wide as the next. Nothing here depends on the order in
which a file holds its words. It does not know what words mean.
Source: units and origin as in PDF 32000-1 (points), turned so that y grows downwards; the widths of gaps are measured
on the layouts of fixtures/documents/build.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

GAP_OF_LETTER = 1.2
"""A gap between phrases, as a share of the line's mean letter: a space is 0.5 to 0.7 of it, at most 1.0."""

TEXT_WIDTH, TEXT_HEIGHT = 5.0, 10.0
"""Of a character of plain text, in points: two spaces part phrases, one does not."""

CELL_WIDTH = 100.0
"""Of a column of a sheet, in points: only the order of columns counts."""

_WORD = re.compile(r"\S+")
_LEADER = re.compile(r"[.·…_]{3,}|…+|^[.·_]+$")
"""Dots or a line that lead the eye from a label to its value: a gap, not a word."""

_WIDE = ("W", "F")


@dataclass(frozen=True, slots=True)
class Word:
    """A run of characters without white space. Units: points from the upper left corner of the page."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """Return the height of the letters."""
        return self.bottom - self.top

    @property
    def middle(self) -> float:
        """Return how far down it stands."""
        return (self.top + self.bottom) / 2


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of one line that belong together: a label, a value, a cell of a table."""

    text: str
    left: float
    right: float
    words: tuple[Word, ...] = ()

    def overlap(self, left: float, right: float) -> float:
        """Return how much of it stands between two places, in points; negative where it is that far away."""
        return min(self.right, right) - max(self.left, left)


@dataclass(frozen=True, slots=True)
class Line:
    """The phrases of a line from left to right. Pages, and lines of a page or rows of a sheet, count from 1."""

    page: int
    top: float
    bottom: float
    phrases: tuple[Phrase, ...]
    number: int = 1

    @property
    def text(self) -> str:
        """Return the line as text, phrases parted by two spaces."""
        return "  ".join(phrase.text for phrase in self.phrases)


def lines_of(page: int, words: Iterable[Word]) -> tuple[Line, ...]:
    """Return the lines of a page from top to bottom. Ties: what stands further left first."""
    rows: list[list[Word]] = []
    for word in sorted(_without_leaders(words), key=lambda each: (each.middle, each.left, each.text)):
        if rows and word.middle - rows[-1][0].middle <= min(word.height, rows[-1][0].height) / 2:
            rows[-1].append(word)
        else:
            rows.append([word])
    return tuple(
        Line(page, min(word.top for word in row), max(word.bottom for word in row), tuple(_phrases(row)), number)
        for number, row in enumerate(rows, 1)
    )


def words_of_text(text: str) -> Iterator[Word]:
    """Place the words of plain text; a tab reaches to the next eighth column, a wide character takes two."""
    for number, line in enumerate(text.splitlines()):
        top, column, at = number * TEXT_HEIGHT * 1.2, 0, 0
        for match in _WORD.finditer(line.expandtabs(8)):
            spaces = match.start() - at
            column += spaces
            width = units_of(match.group())
            left = column * TEXT_WIDTH
            column, at = column + width, match.end()
            yield Word(match.group(), left, top, column * TEXT_WIDTH, top + TEXT_HEIGHT)


def lines_of_sheet(page: int, rows: Sequence[Sequence[str]]) -> tuple[Line, ...]:
    """Place the cells of a sheet as lines; a row without a text gives none."""
    return tuple(
        Line(
            page,
            number * TEXT_HEIGHT,
            (number + 0.9) * TEXT_HEIGHT,
            tuple(
                Phrase(text, column * CELL_WIDTH, (column + 0.9) * CELL_WIDTH)
                for column, text in enumerate(row)
                if text
            ),
            number + 1,
        )
        for number, row in enumerate(rows)
        if any(row)
    )


def text_of(lines: Sequence[Line]) -> str:
    """Write lines as text, pages parted by an empty line."""
    parts = [lines[0].text] if lines else []
    for before, line in pairwise(lines):
        parts += ["", line.text] if line.page != before.page else [line.text]
    return "\n".join(parts)


def units_of(text: str) -> int:
    """Return how wide a text is in letters; one of the wide scripts counts as two."""
    return sum(2 if unicodedata.east_asian_width(char) in _WIDE else 1 for char in text)


def _without_leaders(words: Iterable[Word]) -> Iterator[Word]:
    for word in words:
        if not _LEADER.search(word.text):
            yield word
            continue
        letter = (word.right - word.left) / len(word.text)
        at = 0
        for match in (*_LEADER.finditer(word.text), None):
            end = match.start() if match else len(word.text)
            if end > at:
                left, right = word.left + at * letter, word.left + end * letter
                yield Word(word.text[at:end], left, word.top, right, word.bottom)
            at = match.end() if match else end


def _phrases(row: Sequence[Word]) -> Iterator[Phrase]:
    placed = sorted(row, key=lambda word: (word.left, word.right, word.text))
    letter = sum(word.right - word.left for word in placed) / sum(units_of(word.text) for word in placed)
    held = [placed[0]]
    for before, word in pairwise(placed):
        if word.left - before.right > GAP_OF_LETTER * letter:
            yield _phrase(held)
            held = []
        held.append(word)
    yield _phrase(held)


def _phrase(words: Sequence[Word]) -> Phrase:
    return Phrase(" ".join(word.text for word in words), words[0].left, max(word.right for word in words), tuple(words))
