"""The published hybrid-rrf order of archon's set, made again by our pure functions with its own parameters.

Rules: exact cosine; BM25 with k1 1.5, b 0.75 over lower-case words and numbers, no stop words, no stems; 20 of each
list; RRF with k = 60, ties by id. It does not go through the product: the reference's production never ran it either.
Source: the reference's retrieval benchmark as measured from its data (R@3 93.3, R@5 100, MRR 0.839, nDCG@5 0.884).
"""

import re
from collections import Counter
from math import log

import numpy as np

from shared.domain.fusion import reciprocal_rank
from shared.domain.vectors import top_k
from tests.bench.recall.cases import Corpus

K1, B, RRF_K, POOL = 1.5, 0.75, 60, 20
_WORD = re.compile(r"[^\W_]+")


def published_order(corpus: Corpus, question: str) -> list[str]:
    """Return the ids of the fused order."""
    ids = list(corpus.memories)
    vectors = np.array([np.frombuffer(corpus.memories[readable].embedding, "<f4") for readable in ids])
    dense = [ids[row] for row, _ in top_k(corpus.query_vectors[question], vectors, POOL)]
    lexical = _bm25(question, {readable: corpus.memories[readable].content for readable in ids})[:POOL]
    return [readable for readable, _ in reciprocal_rank([dense, lexical], RRF_K)]


def _bm25(question: str, texts: dict[str, str]) -> list[str]:
    documents = {readable: Counter(_WORD.findall(text.lower())) for readable, text in texts.items()}
    lengths = {readable: sum(words.values()) for readable, words in documents.items()}
    average = sum(lengths.values()) / len(lengths)
    scores = dict.fromkeys(documents, 0.0)
    for word in _WORD.findall(question.lower()):
        holding = sum(word in words for words in documents.values())
        idf = log(1 + (len(documents) - holding + 0.5) / (holding + 0.5))
        for readable, words in documents.items():
            count = words[word]
            norm = K1 * (1 - B + B * lengths[readable] / average)
            scores[readable] += idf * count * (K1 + 1) / (count + norm)
    return sorted((r for r, score in scores.items() if score > 0), key=lambda r: (-scores[r], r))
