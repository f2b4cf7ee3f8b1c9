"""Lets an agent live a life: turns in order, each probe at its time, live memories counted at the end of each day.

Rules: the agent sees nothing of labels, facts and keys. Every agent meets the same turns and probes; a probe is asked
after all turns up to its time. Answers are read by the extractive reader; where `answer` is given (a model over the
same lines) it is graded instead.
It does not know how an agent remembers.
"""

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from tests.bench.life.agents import Agent, count_tokens
from tests.bench.life.grader import grade
from tests.bench.life.metrics import Outcome
from tests.bench.life.model import Life, Probe
from tests.bench.life.reader import evidence, read

Answer = Callable[[Probe, Sequence[str]], Awaitable[str]]


@dataclass(frozen=True, slots=True)
class Run:
    """What came of one agent in one life. `live` holds (day, live memories)."""

    agent: str
    life: str
    turns: int
    outcomes: tuple[Outcome, ...]
    live: tuple[tuple[float, float], ...]
    written_tokens: int
    read_tokens: int


def first_days(life: Life, days: float) -> Life:
    """Return the first days of a life."""
    until = life.turns[0].at + timedelta(days=days)
    lived = sum(turn.at < until for turn in life.turns)
    probes = tuple(probe for probe in life.probes if probe.at < until)
    return replace(life, turns=life.turns[:lived], labels=life.labels[:lived], probes=probes)


async def run(agent: Agent, life: Life, token_budget: int, answer: Answer | None = None) -> Run:
    """Live a life with an agent."""
    outcomes: list[Outcome] = []
    live: list[tuple[float, float]] = []
    waiting = list(enumerate(life.probes))
    start = life.turns[0].at
    for number, turn in enumerate(life.turns):
        while waiting and waiting[0][1].at < turn.at:
            outcomes.append(await _asked(agent, life, *waiting.pop(0), token_budget, answer))
        await agent.observe(turn)
        following = life.turns[number + 1].at if number + 1 < len(life.turns) else None
        if following is None or following.date() != turn.at.date():
            live.append((_days(start, turn.at), float(await agent.live_count())))
    for waiting_probe in waiting:
        outcomes.append(await _asked(agent, life, *waiting_probe, token_budget, answer))
    return Run(
        agent.name, life.name, len(life.turns), tuple(outcomes), tuple(live), agent.written_tokens, agent.read_tokens
    )


def _days(start: datetime, at: datetime) -> float:
    return float((at.date() - start.date()).days)


async def _asked(
    agent: Agent, life: Life, number: int, probe: Probe, token_budget: int, answer: Answer | None
) -> Outcome:
    began = time.perf_counter()
    lines = await agent.recall(probe.question, probe.at, token_budget)
    took_ms = (time.perf_counter() - began) * 1e3
    text = await answer(probe, lines) if answer else read(probe, lines)
    await agent.used(evidence(probe, lines), probe.at)
    graded = grade(probe, text)
    read_tokens = sum(map(count_tokens, lines))
    return Outcome(
        life.name,
        number,
        probe.slot,
        probe.kind,
        graded.correct,
        graded.stale,
        graded.answered,
        read_tokens,
        took_ms,
        _days(life.turns[0].at, probe.at),
    )
