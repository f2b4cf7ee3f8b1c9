"""What recall must be worth on our labelled fixture, with the local model: robust facts only, no figures."""

import logging
from collections.abc import AsyncIterator

import numpy as np
import pytest
import structlog

from shared.store import migrate
from tests.bench.recall import cases, conditions
from tests.bench.recall.metrics import NAMES, measures
from tests.bench.recall.product import Condition, Product, Remembered, product

pytestmark = pytest.mark.anyio

POINTS_FOR_MEANING = 0.5  # by which the dense arm beats the same with shuffled vectors


@pytest.fixture
async def asked(database: migrate.Dsns) -> AsyncIterator[Product]:
    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    async with product(database) as started:
        yield started
    structlog.configure(**before)


async def figures(asked: Product, condition: Condition, remembered: Remembered) -> dict[str, float]:
    rows = [
        measures(await asked.order(condition, remembered, q.text), q.relevant, remembered.corpus.groups)
        for q in remembered.corpus.questions
    ]
    return dict(zip(NAMES, np.mean(rows, axis=0), strict=True))


async def test_both_arms_together_are_no_worse_than_either_and_meaning_counts(asked: Product) -> None:
    (remembered,) = await asked.remember([cases.fixture()])
    shuffled = await figures(asked, conditions.SHUFFLED, remembered)
    lexical = await figures(asked, conditions.LEXICAL, remembered)
    dense = await figures(asked, conditions.DENSE, remembered)
    for condition in (conditions.HYBRID, conditions.FULL):
        hybrid = await figures(asked, condition, remembered)
        for name in ("R@3", "R@5"):
            assert hybrid[name] >= max(dense[name], lexical[name]), (condition.name, name)
    for name in ("R@3", "R@5"):
        assert shuffled[name] <= dense[name] - POINTS_FOR_MEANING, name
