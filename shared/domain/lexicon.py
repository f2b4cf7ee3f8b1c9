"""How texts become terms: the tokeniser with the stemmer of a language, and with or without its stop words.

Rules: memories and questions go through the same lexicon. Whether words too frequent to tell are kept belongs to the
embedding model, like the other weights of the lexical arm (ranking_weights.py).
It does not know tenants, nor the numbers that stand for terms (tokens.py).
Source: docs/benchmarks/recall.md: with the local model stop words cost R@3 4 points on our fixture, with
text-embedding-v4 they gain as much.
"""

from collections.abc import Callable
from dataclasses import dataclass

from shared.domain import tokens
from shared.domain.lexical_text import lexical_text
from shared.domain.ranking_weights import weights_for
from shared.domain.stop_words import ENGLISH_STOP_WORDS
from shared.domain.types import Draft

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The tokeniser of one embedding model; `stem` is the stemmer of English."""

    stem: Callable[[str], str]
    keeps_stop_words: bool = False

    @classmethod
    def of(cls, model: str, stem: Callable[[str], str]) -> "Lexicon":
        """Return the lexicon that goes with an embedding model."""
        return cls(stem, weights_for(model).keeps_stop_words)

    def memory(self, draft: Draft) -> list[str]:
        """Return the terms of a memory, repetitions kept."""
        return self._terms(lexical_text(draft))

    def question(self, text: str) -> list[str]:
        """Return the distinct terms of a question, in its order."""
        return list(dict.fromkeys(self._terms(text)))

    def _terms(self, text: str) -> list[str]:
        stop_words = NONE if self.keeps_stop_words else ENGLISH_STOP_WORDS
        return tokens.terms(text, stem=self.stem, stop_words=stop_words)
