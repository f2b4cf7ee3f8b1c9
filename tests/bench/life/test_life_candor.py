"""The first weeks of a life through the real services: what the benchmark measures must work at all, in a minute.

Rules: wordings of the half that extraction was built on; the figures are in docs/benchmarks, not here. It does not know
the other half.
"""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.bench.life.candor import Candor
from tests.bench.life.generator import generate
from tests.bench.life.metrics import accuracy
from tests.bench.life.model import Half, Life
from tests.bench.life.runner import Run, run
from tests.bench.life.services import running

pytestmark = pytest.mark.anyio
TURNS = 120
BUDGET = 160


@cache
def weeks() -> Life:
    """The first month of a life, and what is asked of it until then."""
    life = generate(0, Half.BUILD)
    turns = life.turns[:TURNS]
    asked = tuple(probe for probe in life.probes if probe.at < turns[-1].at)
    return replace(life, turns=turns, labels=life.labels[:TURNS], probes=asked)


@pytest.fixture(scope="module")
async def lived(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder: Path = tmp_path_factory.mktemp("life")
    async with running(folder) as services:
        return await run(Candor(services, weeks().name), weeks(), BUDGET)


async def test_questions_are_answered_within_the_budget(lived: Run) -> None:
    assert len(lived.outcomes) == len(weeks().probes) > 10
    assert accuracy(lived.outcomes) >= 0.8
    assert not any(outcome.stale for outcome in lived.outcomes)
    assert all(0 < outcome.read_tokens <= BUDGET for outcome in lived.outcomes)


async def test_small_talk_fades_while_the_life_goes_on(lived: Run) -> None:
    counts = [count for _, count in lived.live]
    assert counts[-1] < TURNS / 2
    assert any(later < earlier for earlier, later in pairwise(counts))
