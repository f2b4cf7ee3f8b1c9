"""Choosing weights: each conversation ranked by the weights that rank the other ones best.

Rules: what the arms and sessions brought is read once, by the product's own statements; only the pure part, fusion and
structure, runs again for each setting. A setting is chosen by nDCG@10 over categories 1 to 4 of the other
conversations. The ideas themselves were thought up on LoCoMo, which no leaving out undoes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product as combinations

import numpy as np
from candor.retrieve.v1.recall_pb2 import MODE_HYBRID

from services.retrieve import ranking
from services.retrieve.hints import Hints
from services.retrieve.question import Question as Ready
from services.retrieve.ranking import Asked
from shared import clock
from shared.domain import bm25
from shared.domain.names import named
from shared.domain.ranking_weights import RankingWeights, weights_for
from shared.store.pool import Connection, run
from shared.store.reads import recall, statistics
from shared.store.reads.recall import Candidates, Keeping, Neighbour, Query
from shared.store.reads.scopes import Scope
from tests.bench.recall.cases import ADVERSARIAL
from tests.bench.recall.metrics import NAMES, Matrix, measures
from tests.bench.recall.product import DEPTH, Product, Remembered
from tests.bench.recall.token_match import WEIGHTS as TOKEN_WEIGHTS
from tests.bench.recall.token_match import Matches

MODEL = "all-MiniLM-L6-v2"
CRITERION = NAMES.index("nDCG@10")


@dataclass(frozen=True, slots=True)
class Brought:
    """All that the order of one question is made of, but the weights."""

    candidates: Candidates
    beside: Sequence[Neighbour]
    question: Ready
    keeping: Keeping
    asked: Asked
    speakers: frozenset[str]
    is_adversarial: bool


def settings() -> Iterator[RankingWeights]:
    """Yield what is tried: around the table's row, each part smaller and larger or left out."""
    base = weights_for(MODEL)
    for dense, neighbour, session, asks, speaker in combinations(
        (0.4, 0.5, 0.6), (0.3, 0.4, 0.5), (0.0, 0.2), (0.15, 0.25), (0.1, 0.2)
    ):
        yield RankingWeights(
            replace(base.fusion, dense=dense, lexical=1 - dense),
            replace(base.structure, neighbour=neighbour, session=session, asks=asks, speaker=speaker),
        )


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The figures of every question by settings chosen on other conversations, and what was chosen for each one."""

    figures: Matrix
    chosen: list[str]


def held_out(
    conversations: Sequence[Remembered], brought: Sequence[Sequence[Brought]]
) -> tuple[HeldOut, list[RankingWeights]]:
    """Choose weights; categories 1 to 4 count."""
    tried = list(settings())
    figures = [
        [_figures(found, remembered, weights) for weights in tried]
        for found, remembered in zip(brought, conversations, strict=True)
    ]
    best = _best_elsewhere(figures)
    rows = np.concatenate([by_weights[place] for by_weights, place in zip(figures, best, strict=True)])
    return HeldOut(rows, [_said(tried[place]) for place in best]), [tried[place] for place in best]


def tokens_held_out(
    conversations: Sequence[Remembered],
    brought: Sequence[Sequence[Brought]],
    chosen: Sequence[RankingWeights],
    matches: Sequence[Matches],
) -> HeldOut:
    """Choose what matched tokens count beside the weights that were chosen."""
    parts = list(zip(conversations, brought, chosen, matches, strict=True))
    figures = [
        [_figures(found, remembered, weights, match, weight) for weight in TOKEN_WEIGHTS]
        for remembered, found, weights, match in parts
    ]
    best = _best_elsewhere(figures)
    rows = np.concatenate([by_weights[place] for by_weights, place in zip(figures, best, strict=True)])
    return HeldOut(rows, [f"tokens {TOKEN_WEIGHTS[place]}" for place in best])


def _best_elsewhere(figures: Sequence[Sequence[Matrix]]) -> list[int]:
    """Return for each conversation the place of the setting that is best in all others together."""
    totals = np.array([[rows[:, CRITERION].sum() for rows in by_setting] for by_setting in figures])
    return [int(np.argmax(totals.sum(axis=0) - own)) for own in totals]


def _said(weights: RankingWeights) -> str:
    s = weights.structure
    return f"dense {weights.fusion.dense} neighbour {s.neighbour} session {s.session} asks {s.asks} speaker {s.speaker}"


def _figures(
    brought: Sequence[Brought],
    remembered: Remembered,
    weights: RankingWeights,
    matches: Matches | None = None,
    token_weight: float = 0.0,
) -> Matrix:
    rows = []
    for found, question in zip(brought, remembered.corpus.questions, strict=True):
        if not found.is_adversarial:
            order = ranking._order(
                found.candidates, found.beside, found.question, found.keeping, weights, found.asked, found.speakers
            )
            ranked = [(remembered.ids[str(item.key)], item.score) for item in order]
            hits = matches.order(question.id, ranked, token_weight) if matches else [turn for turn, _ in ranked]
            rows.append(measures(hits[:DEPTH], question.relevant, remembered.corpus.groups))
    return np.array(rows)


async def bring(product: Product, remembered: Remembered) -> list[Brought]:
    """Read what the orders of all questions of a conversation are made of."""
    tenant, weights, now = remembered.tenant_id, weights_for(MODEL), clock.now()
    generation = await run(product.pool, tenant, statistics.current_generation, read_only=True)
    assert generation is not None
    known = await run(
        product.pool,
        tenant,
        lambda c: Hints().read_tenant(c, tenant, product.questions.language_ids(tenant), now),
        read_only=True,
    )
    found = []
    for question in remembered.corpus.questions:
        ready = await product.questions.read(tenant, question.text, MODE_HYBRID, known)
        asked = Asked(question.text, Scope(tenant, expired_at=now), DEPTH, is_ungrouped=True)

        category = question.slices["category"]

        async def read(
            connection: Connection, ready: Ready = ready, asked: Asked = asked, category: str = category
        ) -> Brought:
            assert ready.embedding is not None
            common = await statistics.frequencies(connection, tenant, ready.term_ids or ())
            terms = list(bm25.idfs(ready.words or (), common.by_term, common.memories).items())
            query = Query(ready.embedding.vector, terms, terms)
            keeping = ranking._keeping(asked, ready, query, weights)
            brought = await recall.candidates(
                connection, asked.scope, query, generation, keeping, tenant_memories=common.memories
            )
            turns = ranking._turns(brought, asked, weights)
            beside = (
                await recall.neighbours(connection, asked.scope, query, generation, brought, turns) if turns else []
            )
            is_adversarial = category.startswith(ADVERSARIAL)
            return Brought(brought, beside, ready, keeping, asked, named(asked.text, known.speakers), is_adversarial)

        found.append(await run(product.pool, tenant, read, read_only=True))
    return found
