"""How texts become terms: the tokeniser with the stemmer and the stop words of a text's language.

Rules: a memory's content is stemmed in the language it is in, its labels and its day in English, as all that no other
language is sure of. A memory in another language holds one term more that says so, hence a tenant's languages are word
statistics like any. A question is asked in its own language, in English and in all that the tenant's memories are in:
each of its words is looked for by every stem it has in one of these, so a guess that is wrong loses no word that is
written alike. (Before the first memory in a language is counted, only questions in it look for its stems.) Only of a
language that is sure the stop words are left out. Whether words too frequent to tell are kept for all belongs to the
embedding model, like the other weights of the lexical arm (ranking_weights.py).
It does not know tenants, nor the numbers that stand for terms (tokens.py).
Source: own; docs/benchmarks/recall.md. A word's stems count as one term, as in Lucene's SynonymQuery (bm25.py).
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache

from shared.domain import tokens
from shared.domain.languages import ENGLISH, LANGUAGES, STOP_WORDS, SURE_WORDS, language_of
from shared.domain.lexical_text import labels_text
from shared.domain.ranking_weights import weights_for
from shared.domain.types import Draft

Stem = Callable[[str], str]
Stems = Callable[[str], Stem]
"""The stemmer of a language, by its code: the same one each time."""
NONE: frozenset[str] = frozenset()
_BETWEEN = "\x1f"  # stems of one word; no text holds it: it is white space, and no part of a word


def language_term(language: str) -> str:
    """Return the term of memories in a language; no text has it, since U+0000 is refused."""
    return f"\0{language}"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The tokeniser of one embedding model."""

    stems: Stems
    keeps_stop_words: bool = False

    @classmethod
    def of(cls, model: str, stems: Stems) -> "Lexicon":
        """Return the lexicon that goes with an embedding model."""
        return cls(stems, weights_for(model).keeps_stop_words)

    def memory(self, draft: Draft) -> list[str]:
        """Return the terms of a memory, repetitions kept."""
        language = language_of(draft.content)
        labels = self._terms(labels_text(draft), ENGLISH, self.stems(ENGLISH))
        content = self._terms(draft.content, language, self.stems(language))
        return [*labels, *content] if language == ENGLISH else [*labels, *content, language_term(language)]

    def question(self, text: str, languages: Collection[str] = ()) -> list[tuple[str, ...]]:
        """Return the distinct words of a question in its order, each with its different stems.

        `languages` are those of the memories that are asked.
        """
        guess = language_of(text, sure_words=1)
        is_sure = guess in languages or language_of(text, SURE_WORDS) == guess
        asked = {ENGLISH, guess, *languages}
        either = _either(tuple(self.stems(language) for language in (ENGLISH, *LANGUAGES) if language in asked))
        words = self._terms(text, guess if is_sure else ENGLISH, either)
        return list(dict.fromkeys(tuple(word.split(_BETWEEN)) for word in words))

    def _terms(self, text: str, language: str, stem: Stem) -> list[str]:
        return tokens.terms(text, stem=stem, stop_words=NONE if self.keeps_stop_words else STOP_WORDS[language])


@lru_cache(maxsize=1_000)  # one for each set of languages that tenants have; the tokeniser remembers words by it
def _either(stems: tuple[Stem, ...]) -> Stem:
    """Return what gives all the different stems of a word at once."""
    return stems[0] if len(stems) == 1 else lambda word: _BETWEEN.join(dict.fromkeys(stem(word) for stem in stems))
