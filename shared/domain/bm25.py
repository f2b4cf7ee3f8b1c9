"""BM25 as a dot product: document weights made at write time, inverse document frequency put in by the query.

Rules: a weight holds everything that does not change when other memories come or go (save the average length, taken
when it is written); the query takes its rarest words until a budget of postings is used up, then memories that have two
of the commoner ones until another is, so the work is bounded at any size.
It does not know text (tokens.py) nor how documents are scanned (the store).
Source: Robertson & Zaragoza, "The Probabilistic Relevance Framework", 2009; idf with +1 as in Lucene; k1 and b as in
Anserini's defaults, measured best on LoCoMo evidence retrieval: R@10 62.2 against 61.3 with 1.2 / 0.75.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log

K1 = 0.9
B = 0.4
WEIGHTS_MAX_TERMS = 16_000  # non-zeros a sparsevec holds (pgvector); the heaviest terms are kept
# Found of exact BM25's best 50, at 100,000 memories and at a million (`make bench-speed`, part postings): by words
# 91 and 55 % with 2,000 postings, 100 and 87 % with 8,000 (5.1 and 7.9 ms); with pairs 99 and 98 % (2.2 and 5.4 ms).
POSTINGS_BUDGET = 1_000
PAIRS_BUDGET = 2_000  # memories that have both words of a pair, as many as are expected
PAIRS_MAX = 8  # each reads the postings of two words; the statement has room for as many
PAIRS_ENOUGH = 500  # expected from pairs: then no word has to be taken over the budget (chosen, untested)
ATTRACTION = 2.0  # words of one question stand together more often than by chance (chosen, untested)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which memories the words of a query lead to: those with any of the terms, and those with both of a pair."""

    terms: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...]


def weights(term_ids: Sequence[int], *, length: int, average_length: float) -> dict[int, float]:
    """Return the weight of each distinct term of one memory, at most the 16,000 heaviest.

    Units: `length` and `average_length` count terms; without an average (an empty tenant) every length is average.
    Ties: smaller id.
    """
    ratio = length / average_length if average_length > 0 else 1.0
    norm = K1 * (1 - B + B * ratio)
    weighed = {term: tf * (K1 + 1) / (tf + norm) for term, tf in Counter(term_ids).items()}
    if len(weighed) <= WEIGHTS_MAX_TERMS:
        return weighed
    return dict(sorted(weighed.items(), key=lambda item: (-item[1], item[0]))[:WEIGHTS_MAX_TERMS])


def idf(document_frequency: int, documents: int) -> float:
    """Return how much a term tells; positive always, also when statistics lag and the frequency exceeds the count."""
    frequency = max(0, document_frequency)
    total = max(frequency, documents)
    return log(1 + (total - frequency + 0.5) / (frequency + 0.5))


def idfs(words: Iterable[Sequence[int]], frequencies: Mapping[int, int], documents: int) -> dict[int, float]:
    """Return how much each term of these words tells. Several terms of one word tell as much as one in all their
    documents would: they are forms of it, of which a document has one.

    Ties: a term of several words tells least.
    """
    told: dict[int, float] = {}
    for terms in words:
        shared = idf(sum(frequencies.get(term, 0) for term in terms), documents)
        for term in terms:
            told[term] = min(shared, told.get(term, shared))
    return told


def choose_terms(
    frequencies: Mapping[int, int], documents: int, *, postings_budget: int = POSTINGS_BUDGET
) -> list[tuple[int, float]]:
    """Return (term, idf) of the query's rarest terms whose postings fit the budget together.

    The rarest term that occurs at all is always taken. Terms of frequency 0 cost nothing and are taken too: statistics
    are flushed in batches, so a term written a moment ago may be among them.
    Ties: smaller id.
    """
    words = [(term,) for term in frequencies]
    chosen = choose_words(words, frequencies, postings_budget=postings_budget)
    return [(term, idf(frequencies[term], documents)) for term in chosen]


def choose_words(
    words: Iterable[Sequence[int]], frequencies: Mapping[int, int], *, postings_budget: int = POSTINGS_BUDGET
) -> list[int]:
    """Return the terms of the query's rarest words whose postings fit the budget together.

    As `choose_terms`, but a word goes with all its terms: one of them that hardly occurs must not stand for the others.
    Ties: smaller ids.
    """
    chosen: dict[int, None] = {}
    postings = 0
    for found, terms in sorted((sum(frequencies.get(term, 0) for term in terms), tuple(terms)) for terms in words):
        if postings > 0 and postings + found > postings_budget:
            break
        postings += max(0, found)
        chosen |= dict.fromkeys(terms)
    return list(chosen)


def choose(
    words: Sequence[Sequence[int]],
    frequencies: Mapping[int, int],
    documents: int,
    *,
    postings_budget: int = POSTINGS_BUDGET,
    pairs_budget: int = PAIRS_BUDGET,
) -> Chosen:
    """Return the query's rarest words, and pairs of the others.

    A memory that ranks high without a rare word has several common ones; their postings are read by the index, but only
    what has two of them is scored. The rarest word is left to pairs too where it alone is over the budget and pairs
    bring enough.
    """
    terms = choose_words(words, frequencies, postings_budget=postings_budget)
    if sum(frequencies.get(term, 0) for term in terms) > postings_budget:
        free = [term for term in terms if not frequencies.get(term, 0)]
        pairs, expected = _pairs(words, frequencies, documents, free, pairs_budget)
        if expected >= PAIRS_ENOUGH:
            return Chosen(tuple(free), pairs)
    return Chosen(tuple(terms), _pairs(words, frequencies, documents, terms, pairs_budget)[0])


def _pairs(
    words: Sequence[Sequence[int]], frequencies: Mapping[int, int], documents: int, taken: Sequence[int], budget: int
) -> tuple[tuple[tuple[int, int], ...], float]:
    """Return the rarest pairs of terms of different words that are not taken, and how many memories are expected."""
    left = [[term for term in terms if term not in taken and frequencies.get(term, 0)] for terms in words]
    both = {
        (min(one, other), max(one, other)): ATTRACTION * frequencies[one] * frequencies[other] / max(1, documents)
        for first, second in combinations(left, 2)
        for one in first
        for other in second
        if one != other
    }
    chosen: list[tuple[int, int]] = []
    expected = 0.0
    for pair, count in sorted(both.items(), key=lambda item: (item[1], item[0]))[:PAIRS_MAX]:
        if expected + count > budget:
            break
        expected += count
        chosen.append(pair)
    return tuple(chosen), expected


def score(query: Iterable[tuple[int, float]], document: Mapping[int, float]) -> float:
    """Return the BM25 score of one memory: the sum of idf x weight over the query's terms."""
    return sum(term_idf * document.get(term, 0.0) for term, term_idf in query)


def rank(query: Iterable[int], documents: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Return (position, score) of all matching documents, best first: exact BM25 in memory, the oracle for tests and
    benchmarks.

    Ties: smaller position.
    """
    average = sum(map(len, documents)) / len(documents) if documents else 0.0
    weighed = [weights(terms, length=len(terms), average_length=average) for terms in documents]
    frequencies = Counter(term for document in weighed for term in document)
    idfs = [(term, idf(frequencies[term], len(documents))) for term in set(query)]
    scores = [(position, score(idfs, document)) for position, document in enumerate(weighed)]
    return sorted((s for s in scores if s[1] > 0), key=lambda s: (-s[1], s[0]))
