"""Part `postings`: what a budget of postings costs and brings.

Rules: the lexical arm's statement alone, for budgets of words and of pairs, against exact BM25 over every memory
(oracle.py): how much of the exact best 50 it finds, how many memories it scores, and the session's CPU. For ordinary
questions, and for the worst ones: the most frequent words of the tenant, several and one alone.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

import numpy as np
from pgvector import SparseVector

from shared.domain import bm25
from shared.domain.tokens import TERM_ID_LIMIT
from shared.store.pool import Connection
from shared.store.reads.recall import ARM_LIMIT, MATCHES_MAX, Query
from shared.store.statements import load
from tests.bench.speed import cpu
from tests.bench.speed.direct import Direct, Prepared, directly
from tests.bench.speed.figures import recall_at
from tests.bench.speed.homes import Home
from tests.bench.speed.oracle import Oracle, Scores, read
from tests.bench.speed.recalls import CACHED_QUESTIONS
from tests.bench.speed.texts import Texts

BUDGETS = (
    *((budget, 0) for budget in (500, 1_000, 2_000, 4_000, 8_000)),
    *((500, 1_000), (1_000, 1_000), (1_000, 2_000), (2_000, 2_000), (2_000, 4_000)),
)
"""Of words and of pairs; as it is in use: POSTINGS_BUDGET and PAIRS_BUDGET."""
DEPTH = 50
FREQUENT_WORDS = 8
ROUNDS = 2  # the first one warms up
_PLACES = {":term_ids": "$2", ":pair_ids": "$3"}
MATCHING = re.sub("|".join(_PLACES), lambda found: _PLACES[found[0]], load("reads/recall")["with_words"])
MATCHES = f"FROM memory_lexical WHERE tenant_id = $1 AND ({MATCHING}) LIMIT {MATCHES_MAX}"
ARM = (
    f"SELECT memory_id FROM (SELECT memory_id, weights <#> $4::sparsevec AS distance {MATCHES}) AS matching "
    "ORDER BY distance, memory_id LIMIT $5"
)
COUNT = f"SELECT count(*) FROM (SELECT {MATCHES}) AS matching"
MOST_FREQUENT = (
    "SELECT term_id, memories FROM term_stat WHERE tenant_id = $1 AND term_id <> 0 ORDER BY memories DESC LIMIT $2"
)


async def measure(home: Home, tenant: str, texts: Texts, questions: int) -> list[dict[str, Any]]:
    """Measure every budget in one tenant."""
    async with directly(home, tenant) as direct:
        there = await read(home, tenant)
        asked = await direct.prepare(texts.asked[: min(questions, CACHED_QUESTIONS)])
        worst = {f"{count} most frequent words": await _frequent(direct, count) for count in (FREQUENT_WORDS, 1)}
        told = []
        for name, some in {"questions": asked, **{name: [one] for name, one in worst.items()}}.items():
            exact = [there.lexical(question.query) for question in some]
            for budget in BUDGETS:
                figures = await _budget(direct, there, some, exact, *budget)
                told.append({"asked": name, "memories": len(there.ids), **figures})
        return told


async def _budget(
    direct: Direct, there: Oracle, asked: Sequence[Prepared], exact: Sequence[Scores], words: int, pairs: int
) -> dict[str, Any]:
    shares, taken, scored, counts = [], [], [], []
    for again in range(ROUNDS):
        for question, scores in zip(asked, exact, strict=True):
            chosen = bm25.choose(
                question.words, question.frequencies, question.memories, postings_budget=words, pairs_budget=pairs
            )
            found, ms, count = await direct.run(partial(_arm, direct=direct, query=question.query, chosen=chosen))
            if again:
                places = [there.places[memory_id] for memory_id in found[:DEPTH]]
                shares.append(recall_at(DEPTH, places, _top(scores, places)))
                taken.append(ms)
                scored.append(count)
                counts.append(len(chosen.pairs))
    return {
        "budget": words,
        "of_pairs": pairs,
        "of_exact_50": round(float(np.mean(shares)), 3),
        "worst_tenth": round(float(np.percentile(shares, 10)), 3),
        "cpu_ms": round(float(np.mean(taken)), 2),
        "cpu_p95_ms": round(float(np.percentile(taken, 95)), 2),
        "scored": round(float(np.mean(scored))),
        "pairs": round(float(np.mean(counts)), 1),
    }


async def _arm(
    connection: Connection, direct: Direct, query: Query, chosen: bm25.Chosen
) -> tuple[list[UUID], float, int]:
    matching = (direct.tenant_id, list(chosen.terms), [term for pair in chosen.pairs for term in pair])
    words = SparseVector(dict(query.terms or ()), TERM_ID_LIMIT)
    session = connection.get_server_pid()
    before = cpu.of_session(session)
    rows = await connection.fetch(ARM, *matching, words, ARM_LIMIT)
    ms = cpu.of_session(session) - before
    return [row["memory_id"] for row in rows], ms, await connection.fetchval(COUNT, *matching)


async def _frequent(direct: Direct, count: int) -> Prepared:
    """Return the question that has the tenant's most frequent words only."""
    question = (await direct.prepare(["the most frequent words"]))[0]

    async def most(connection: Connection) -> dict[int, int]:
        rows = await connection.fetch(MOST_FREQUENT, direct.tenant_id, count)
        return {row["term_id"]: row["memories"] for row in rows}

    frequencies = await direct.run(most)
    terms = [(term, bm25.idf(count, question.memories)) for term, count in frequencies.items()]
    return replace(
        question, query=Query(None, terms, terms), words=tuple((term,) for term in frequencies), frequencies=frequencies
    )


def _top(scores: Scores, also: Sequence[int]) -> dict[int, float]:
    take = min(DEPTH, len(scores))
    best = np.argpartition(-scores, take - 1)[:take].tolist()
    return {place: float(scores[place]) for place in {*best, *also}}
