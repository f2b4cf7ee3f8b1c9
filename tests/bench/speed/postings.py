"""Part `postings`: what a budget of postings costs and brings.

Rules: the lexical arm's statement alone, for budgets that differ, against exact BM25 over every memory (oracle.py):
how much of the exact best 50 it finds, how many postings it reads, and the session's CPU. For ordinary questions, and
for the worst one: the most frequent words of the tenant, of which one at least is always taken.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from pgvector import SparseVector

from shared.domain import bm25
from shared.domain.tokens import TERM_ID_LIMIT
from shared.store.pool import Connection
from shared.store.reads.recall import ARM_LIMIT, Query
from tests.bench.speed import cpu
from tests.bench.speed.direct import Direct, Prepared, directly
from tests.bench.speed.figures import recall_at
from tests.bench.speed.homes import Home
from tests.bench.speed.oracle import Oracle, Scores, read
from tests.bench.speed.recalls import CACHED_QUESTIONS
from tests.bench.speed.texts import Texts

BUDGETS = (500, 1_000, 2_000, 4_000, 8_000, 16_000)
DEPTH = 50
FREQUENT_WORDS = 8
ROUNDS = 2  # the first one warms up
ARM = (
    "SELECT memory_id FROM memory_lexical WHERE tenant_id = $1 AND terms && $2::int[] "
    "ORDER BY weights <#> $3::sparsevec, memory_id LIMIT $4"
)
MOST_FREQUENT = (
    "SELECT term_id, memories FROM term_stat WHERE tenant_id = $1 AND term_id <> 0 ORDER BY memories DESC LIMIT $2"
)


async def measure(home: Home, tenant: str, texts: Texts, questions: int) -> list[dict[str, Any]]:
    """Measure every budget in one tenant."""
    async with directly(home, tenant) as direct:
        there = await read(home, tenant)
        asked = await direct.prepare(texts.asked[: min(questions, CACHED_QUESTIONS)])
        worst = await _frequent(direct)
        scores = [there.lexical(question.query) for question in (*asked, worst)]
        told = []
        for name, some, exact in (("questions", asked, scores[:-1]), ("frequent words only", [worst], scores[-1:])):
            for budget in BUDGETS:
                told.append(
                    {"asked": name, "memories": len(there.ids), **await _budget(direct, there, some, exact, budget)}
                )
        return told


async def _budget(
    direct: Direct, there: Oracle, asked: Sequence[Prepared], exact: Sequence[Scores], budget: int
) -> dict[str, Any]:
    shares, taken, postings, terms = [], [], [], []
    for again in range(ROUNDS):
        for question, scores in zip(asked, exact, strict=True):
            chosen = bm25.choose_terms(question.frequencies, question.memories, postings_budget=budget)
            found, ms = await direct.run(partial(_arm, direct=direct, query=question.query, chosen=chosen))
            if again:
                places = [there.places[memory_id] for memory_id in found[:DEPTH]]
                shares.append(recall_at(DEPTH, places, _top(scores, places)))
                taken.append(ms)
                postings.append(sum(question.frequencies[term] for term, _ in chosen))
                terms.append(len(chosen) / len(question.frequencies))
    return {
        "budget": budget,
        "of_exact_50": round(float(np.mean(shares)), 3),
        "worst_question": round(min(shares), 3),
        "cpu_ms": round(float(np.mean(taken)), 2),
        "cpu_p95_ms": round(float(np.percentile(taken, 95)), 2),
        "postings": round(float(np.mean(postings))),
        "terms_taken": round(float(np.mean(terms)), 2),
    }


async def _arm(
    connection: Connection, direct: Direct, query: Query, chosen: Sequence[tuple[int, float]]
) -> tuple[list[Any], float]:
    words = SparseVector(dict(query.terms or ()), TERM_ID_LIMIT)
    session = connection.get_server_pid()
    before = cpu.of_session(session)
    rows = await connection.fetch(ARM, direct.tenant_id, [term for term, _ in chosen], words, ARM_LIMIT)
    return [row["memory_id"] for row in rows], cpu.of_session(session) - before


async def _frequent(direct: Direct) -> Prepared:
    """Return the question that has the tenant's most frequent words only."""
    question = (await direct.prepare(["the most frequent words"]))[0]

    async def most(connection: Connection) -> dict[int, int]:
        rows = await connection.fetch(MOST_FREQUENT, direct.tenant_id, FREQUENT_WORDS)
        return {row["term_id"]: row["memories"] for row in rows}

    frequencies = await direct.run(most)
    terms = [(term, bm25.idf(count, question.memories)) for term, count in frequencies.items()]
    return replace(question, query=Query(None, terms, terms), frequencies=frequencies)


def _top(scores: Scores, also: Sequence[int]) -> dict[int, float]:
    take = min(DEPTH, len(scores))
    best = np.argpartition(-scores, take - 1)[:take].tolist()
    return {place: float(scores[place]) for place in {*best, *also}}
