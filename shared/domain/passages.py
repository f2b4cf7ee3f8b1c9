"""Passages: the pieces of a memory that an embedder reads whole.

Rules: every character of the content is in at least one passage; no passage has more than 200 tokens; neighbours
overlap a little, so that a sentence at a cut is whole on one side; cuts fall at sentence ends where one is near, else
between words, else anywhere.
It does not know the embedder's tokenizer: token spans are given. The built-in estimate counts on the careful side, so
that 200 of its tokens and the prefix stay within 256 word pieces of all-MiniLM-L6-v2.
Source: passage length and overlap chosen, untested; the estimate is fitted to that model's tokenizer
(tests/domain/test_passages.py).
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from shared.domain.figures import utc_day

PASSAGE_MAX_TOKENS = 200
OVERLAP_TOKENS = 20  # about one sentence (chosen, untested)
MIN_FILL = 0.75  # share of a passage that must be full before a sentence end may close it (chosen, untested)
SPEAKER_MAX_TOKENS = 32  # 200 + 32 + date and signs 11 + model's own 2 = 245 of the 256 word pieces MiniLM reads

Span = tuple[int, int]

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？][”’」』）]*\s*|\n\s*")
_SPACE_RUN = re.compile(r"\s{2,}")
# How many characters a word piece of MiniLM's tokenizer holds, by kind of word, on the low side (measured on
# `tests/domain` texts and dialogue).
_WORD = re.compile(r"[A-Za-z0-9À-ɏ]+|\S")
_KINDS: tuple[tuple[re.Pattern[str], int], ...] = (
    (re.compile(r"[A-Za-z]?[a-z]*"), 3),  # an ordinary word; English alone would allow 4, Polish needs 3
    (re.compile(r"[^0-9]+|[0-9]+"), 2),  # accents, capitals; figures
    (re.compile(r".+"), 1),  # letters mixed with digits
)
_HANGUL_FIRST, _HANGUL_LAST, _HANGUL_FINALS = 0xAC00, 0xD7A3, 28


@dataclass(frozen=True, slots=True)
class Passage:
    """One piece of a content: its number from 0 and its half-open range of characters."""

    number: int
    start: int
    end: int

    def of(self, content: str) -> str:
        """Return the text of the passage."""
        return content[self.start : self.end]


def estimated_spans(text: str) -> list[Span]:
    """Return token spans without a tokenizer, rather too many than too few; one character may have several."""
    spans: list[Span] = []
    for found in _WORD.finditer(text):
        word, start, end = found.group(), found.start(), found.end()
        if len(word) == 1:
            spans += [(start, end)] * _pieces(word)
            continue
        step = next(size for kind, size in _KINDS if kind.fullmatch(word))
        spans += [(i, min(i + step, end)) for i in range(start, end, step)]
    return spans


def _pieces(character: str) -> int:
    """Return how many word pieces a character takes: a Hangul syllable falls apart into its two or three letters."""
    code = ord(character)
    if _HANGUL_FIRST <= code <= _HANGUL_LAST:
        return 3 if (code - _HANGUL_FIRST) % _HANGUL_FINALS else 2
    return 1


def cut(
    content: str,
    *,
    spans: Callable[[str], Sequence[Span]] = estimated_spans,
    max_tokens: int = PASSAGE_MAX_TOKENS,
    overlap_tokens: int = OVERLAP_TOKENS,
) -> list[Passage]:
    """Return the passages of a content in order; together they cover every character of it.

    Units: `spans` gives half-open character ranges of tokens, in order; `max_tokens` is at least 4; the overlap is at
    most a quarter of a passage.
    """
    tokens = spans(content)
    total = len(tokens)
    # Where a passage may begin or end, from the best place to any.
    sentences = _sentence_starts(content, tokens)
    words = [i for i in range(1, total) if tokens[i][0] > tokens[i - 1][1]]
    characters = [i for i in range(1, total) if tokens[i][0] > tokens[i - 1][0]]
    overlap = min(overlap_tokens, max_tokens // 4)
    passages: list[Passage] = []
    first, start = 0, 0
    while start < len(content):
        limit = first + max_tokens
        if limit >= total:
            passages.append(Passage(len(passages), start, len(content)))
            break
        filled = first + max(1, int(max_tokens * MIN_FILL))
        last = (
            _last_in(sentences, filled, limit)
            or _last_in(words, filled, limit)
            or _last_in(characters, first + 1, limit)
            or limit
        )
        passages.append(Passage(len(passages), start, tokens[last][0]))
        first = (
            _first_in(sentences, last - overlap, last - 1)
            or _first_in(words, last - overlap, last - 1)
            or _first_in(characters, last - overlap, last)
            or last
        )
        start = tokens[first][0]
    return passages


def _sentence_starts(content: str, tokens: Sequence[Span]) -> list[int]:
    """Return the numbers of tokens that begin a sentence, rising."""
    begins = [begin for begin, _ in tokens]
    found = (bisect_left(begins, match.end()) for match in _SENTENCE_END.finditer(content))
    return sorted({token for token in found if 0 < token < len(tokens)})


def _last_in(starts: Sequence[int], low: int, high: int) -> int | None:
    """Return the greatest of the rising numbers within low..high, both inclusive."""
    at = bisect_right(starts, high) - 1
    return starts[at] if at >= 0 and starts[at] >= low else None


def _first_in(starts: Sequence[int], low: int, high: int) -> int | None:
    at = bisect_left(starts, low)
    return starts[at] if at < len(starts) and starts[at] <= high else None


def embedded_text(content: str, passage: Passage, *, speaker: str | None, valid_from: datetime | None) -> str:
    """Return what the embedder reads for a passage: speaker and date (UTC) before its text, each where known.

    Units: at most about 1,200 characters, because runs of white space, which are no tokens, count as one space.
    Raises: InvalidArgument TIME_NAIVE for a time without zone.
    """
    name = speaker or ""
    spans = estimated_spans(name)
    if len(spans) > SPEAKER_MAX_TOKENS:
        name = name[: spans[SPEAKER_MAX_TOKENS][0]].rstrip()
    day = f"({utc_day(valid_from)})" if valid_from else ""
    prefix = " ".join(part for part in (name, day) if part)
    text = _SPACE_RUN.sub(" ", passage.of(content))
    return f"{prefix}: {text}" if prefix else text
