"""What a memory under measurement must offer, and two naive ones that store everything.

Rules: an agent sees turns in order and questions; a question changes nothing in a naive agent. Lines come best first
and fit the token budget together. Time and embedder are given. `written_tokens` counts what was stored, and what
extraction cost where a model did it; `read_tokens` what recalls returned.
It does not know answer keys, nor (naive) what supersession or forgetting is.
Source: REQUIREMENTS D9; the store over turns is the one the reference was measured against, two rows a turn.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime
from typing import Protocol

import numpy as np
import numpy.typing as npt

from shared.domain import bm25, fusion, ranking_weights, tokens
from shared.stemmer import stemmer
from tests.bench.life.model import Turn

Matrix = npt.NDArray[np.float32]
Embed = Callable[[Sequence[str]], Awaitable[Matrix]]
Extract = Callable[[Turn], Sequence[str]]

FUSION_MODEL = "all-MiniLM-L6-v2"
_TOKEN = re.compile(r"\w+|[^\w\s]")


def count_tokens(text: str) -> int:
    """Return the words and marks of a text; a model's own count is 1.0 to 1.3 times it for English (estimate)."""
    return len(_TOKEN.findall(text))


class Agent(Protocol):
    """A memory under measurement."""

    @property
    def name(self) -> str:
        """Return what tables call it."""
        ...

    @property
    def written_tokens(self) -> int:
        """Return the tokens written so far."""
        ...

    @property
    def read_tokens(self) -> int:
        """Return the tokens all recalls returned so far."""
        ...

    async def observe(self, turn: Turn) -> None:
        """Take in one exchange."""
        ...

    async def recall(self, question: str, at: datetime, token_budget: int) -> list[str]:
        """Return memory lines for a question asked at a time, best first, within the budget."""
        ...

    async def used(self, places: Sequence[int], at: datetime) -> None:
        """Hear which lines of the last recall an answer was read from."""
        ...

    async def live_count(self) -> int:
        """Return how many memories a recall ranks now."""
        ...


def packed(lines: Iterable[str], token_budget: int, limit: int | None = None) -> list[str]:
    """Return the lines from the best on that fit the budget together, at most `limit`."""
    kept: list[str] = []
    for line in lines:
        token_budget -= count_tokens(line)
        if token_budget < 0 or len(kept) == limit:
            break
        kept.append(line)
    return kept


class _Rows:
    """Stored lines with their vectors, embedded in one batch when they are first needed."""

    def __init__(self, embed: Embed, *, lexical: bool) -> None:
        self._embed, self._lexical = embed, lexical
        self.lines: list[str] = []
        self._texts: list[str] = []
        self._vectors: Matrix | None = None
        self._terms: list[list[int]] = []
        self._held: list[frozenset[int]] = []
        self._ids: dict[str, int] = {}

    def add(self, text: str, line: str) -> None:
        self._texts.append(text)
        self.lines.append(line)
        if self._lexical:
            self._terms.append(self._term_ids(text))
            self._held.append(frozenset(self._terms[-1]))

    async def ranked(self, question: str) -> list[str]:
        """Return all lines, best first; ties by age."""
        if not self.lines:
            return []
        done = 0 if self._vectors is None else len(self._vectors)
        if done < len(self._texts):
            fresh = await self._embed(self._texts[done:])
            self._vectors = fresh if self._vectors is None else np.vstack([self._vectors, fresh])
        assert self._vectors is not None
        cosines = self._vectors @ (await self._embed([question]))[0]
        if not self._lexical:
            return [self.lines[row] for row in np.argsort(-cosines, kind="stable")]
        dense = {row: float(cosine) for row, cosine in enumerate(cosines)}
        asked = set(self._term_ids(question))
        lexical = dict(bm25.rank(asked, self._terms))
        weights = ranking_weights.weights_for(FUSION_MODEL).fusion
        whole = sum(bm25.idf(sum(term in held for held in self._held), len(self._terms)) for term in asked)
        best = max([weights.full_match * whole, *lexical.values()])
        fused = fusion.fuse(dense, lexical, weights, best_lexical=best)
        return [self.lines[item.key] for item in fused]

    def _term_ids(self, text: str) -> list[int]:
        return [self._ids.setdefault(term, len(self._ids)) for term in tokens.terms(text, stem=stemmer())]


class _Naive:
    def __init__(self, name: str, embed: Embed, *, dated: bool, lexical: bool, top_k: int | None) -> None:
        self._name, self._dated, self._top_k = name, dated, top_k
        self._rows = _Rows(embed, lexical=lexical)
        self._written = self._read = 0

    @property
    def name(self) -> str:
        return self._name

    @property
    def written_tokens(self) -> int:
        return self._written

    @property
    def read_tokens(self) -> int:
        return self._read

    async def recall(self, question: str, at: datetime, token_budget: int) -> list[str]:
        lines = packed(await self._rows.ranked(question), token_budget, self._top_k)
        self._read += sum(map(count_tokens, lines))
        return lines

    async def used(self, places: Sequence[int], at: datetime) -> None:
        """Change nothing."""

    async def live_count(self) -> int:
        return len(self._rows.lines)

    def _store(self, text: str, speaker: str, at: datetime) -> None:
        line = f"{speaker}: {text}" if speaker else text
        self._written += count_tokens(line)
        self._rows.add(text, f"[{at:%Y-%m-%d}] {line}" if self._dated else line)


class NaiveTurns(_Naive):
    """Stores what was said by both sides, word for word."""

    def __init__(self, embed: Embed, *, dated: bool = False, lexical: bool = False, top_k: int | None = None) -> None:
        super().__init__(_named("naive-turns", dated, lexical, top_k), embed, dated=dated, lexical=lexical, top_k=top_k)

    async def observe(self, turn: Turn) -> None:
        """Store both texts as rows of their own."""
        for speaker, text in (("user", turn.user_text), ("assistant", turn.assistant_text)):
            if text:
                self._store(text, speaker, turn.at)


class NaiveFacts(_Naive):
    """Stores every fact an extractor finds in a turn, again and again; forgets and replaces nothing."""

    def __init__(
        self,
        embed: Embed,
        extract: Extract,
        *,
        dated: bool = False,
        lexical: bool = False,
        top_k: int | None = None,
        extractor: str = "",
    ) -> None:
        name = _named("naive-facts", dated, lexical, top_k) + (f" ({extractor})" if extractor else "")
        super().__init__(name, embed, dated=dated, lexical=lexical, top_k=top_k)
        self._extract = extract

    async def observe(self, turn: Turn) -> None:
        """Store the facts of a turn as rows of their own."""
        for sentence in self._extract(turn):
            self._store(sentence, "", turn.at)


def _named(name: str, dated: bool, lexical: bool, top_k: int | None) -> str:
    return name + "-dated" * dated + "-hybrid" * lexical + (f"-top{top_k}" if top_k else "")
