"""Runs agents through lives and prints what they remember and what it costs.

    python -m tests.bench.life --agents naive-turns,naive-facts --seeds 5

Rules: the figures are on the report half unless asked otherwise. --quick is a third of one life with ours and the one
that it must not fall behind, under a minute on two cores. The
full run also writes docs/benchmarks/life.json. Facts are the oracle's until a real extractor is named.
Tokens are words and marks; an extractor's own cost is not in them, since the oracle has none.
It does not know how agents work. Source: REQUIREMENTS D9.
"""

import argparse
import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

import numpy as np
from rich.console import Console

from services.embed.onnx_provider import OnnxProvider
from shared.rpc import logs
from tests.bench.life import synapse
from tests.bench.life.agents import Agent, Embed, Extract, Matrix, NaiveFacts, NaiveTurns
from tests.bench.life.candor import Candor
from tests.bench.life.canonical import oracle
from tests.bench.life.generator import generate
from tests.bench.life.grader import grade
from tests.bench.life.metrics import accuracy
from tests.bench.life.model import Half, Life, Probe, Turn
from tests.bench.life.pictures import draw
from tests.bench.life.reader import read
from tests.bench.life.report import summary, table
from tests.bench.life.runner import Answer, Run, first_days, run
from tests.bench.life.services import LIVES_AT_ONCE, Ledger, Services, running

OUT = Path(__file__).parents[3] / "docs" / "benchmarks" / "life.json"
TOKEN_BUDGET = 160  # the reference's recalls read 148 tokens on average, 184 at the 95th percentile (its published run)


@dataclass(frozen=True, slots=True)
class Bench:
    """What agents are made of. `extracted` has for each life what Candor, who lives it first, was given as facts."""

    embed: Embed
    services: Services | None = None
    extracted: dict[str, Ledger] = field(default_factory=dict)
    lived: dict[str, "Lived"] = field(default_factory=dict)

    def candor(self, life: Life, **policies: bool) -> Candor:
        assert self.services is not None
        return Candor(self.services, life.name, **policies)

    def same_facts(self, life: Life) -> Extract:
        """Return the extractor that finds what Candor's found."""

        def extract(turn: Turn) -> Sequence[str]:
            return self.extracted[life.name].facts[int(turn.at.timestamp()), turn.user_text]

        return extract


Make = Callable[[Bench, Life], Agent]
OURS = "candor"
SAME_FACTS = "same facts"


AGENTS: dict[str, Make] = {
    "naive-turns": lambda bench, life: NaiveTurns(bench.embed),
    "naive-turns-dated": lambda bench, life: NaiveTurns(bench.embed, dated=True),
    "naive-turns-top6": lambda bench, life: NaiveTurns(bench.embed, top_k=6),
    "naive-facts": lambda bench, life: NaiveFacts(bench.embed, bench.same_facts(life), extractor=SAME_FACTS),
    "naive-facts-dated": lambda bench, life: NaiveFacts(
        bench.embed, bench.same_facts(life), dated=True, extractor=SAME_FACTS
    ),
    "naive-oracle-dated": lambda bench, life: NaiveFacts(bench.embed, oracle(life), dated=True, extractor="oracle"),
    "candor": lambda bench, life: bench.candor(life),
    "candor-no-decay": lambda bench, life: bench.candor(life, decay=False),
    "candor-no-consolidation": lambda bench, life: bench.candor(life, consolidation=False),
    "candor-no-supersession": lambda bench, life: bench.candor(life, supersession=False),
    "candor-no-protection": lambda bench, life: bench.candor(life, protection=False),
}
AGENTS_QUICK = ("naive-facts-dated", OURS)
QUICK_DAYS = 67.0  # a third of a life
AGENTS_USUAL = tuple(name for name in AGENTS if name not in ("naive-turns-top6", "naive-oracle-dated"))


def remembering(provider: OnnxProvider) -> Embed:
    """Return an embedder that embeds no text twice: the agents read the same turns."""
    known: dict[str, Matrix] = {}

    async def embed(texts: Sequence[str]) -> Matrix:
        fresh = list(dict.fromkeys(text for text in texts if text not in known))
        if fresh:
            embedded = await provider.embed(fresh)
            known.update(zip(fresh, embedded.vectors, strict=True))
        return np.stack([known[text] for text in texts])

    return embed


def _printing(bench: Bench, name: str, life: Life) -> Answer:
    """Return the reader, which prints what was answered wrong from which lines."""

    async def answer(probe: Probe, lines: Sequence[str]) -> str:
        text = read(probe, lines)
        graded = grade(probe, text)
        if not graded.correct:
            mark = "STALE" if graded.stale else "WRONG" if graded.answered else "NONE"
            print(f"{mark} {name} {life.name} {probe.at:%Y-%m-%d} {probe.kind} {probe.slot}: {probe.question}")
            print(f"   wanted {probe.answers}, told {probe.answerable_from:%Y-%m-%d}; got {text!r}")
            print("".join(f"      {line}\n" for line in lines), end="")
        return text

    return answer


@dataclass(slots=True)
class Lived:
    """What came of the agents so far: by name the runs, life by life, and what writing cost ours."""

    runs: dict[str, list[Run]] = field(default_factory=lambda: defaultdict(list))
    costs: dict[str, list[dict[str, float]]] = field(default_factory=lambda: defaultdict(list))

    def figures(self, names: Sequence[str]) -> list[dict[str, object]]:
        """Return the figures of each agent, beside the others on the lives that both have lived."""
        lived = [name for name in names if self.runs.get(name)]
        found = []
        for name in lived:
            others = [other for other in lived if not other.startswith(OURS) or (other == OURS and name != OURS)]
            if not name.startswith(OURS):
                others = [other for other in others if other != OURS]
            own = {run.life for run in self.runs[name]}
            theirs = {
                other: [outcome for run in self.runs[other] if run.life in own for outcome in run.outcomes]
                for other in others
            }
            costs = self.costs[name]
            found.append(summary(self.runs[name][0].agent, self.runs[name], theirs, mean_of(costs)))
        return found


async def live(
    bench: Bench, lived: Lived, names: Sequence[str], lives: Sequence[Life], budget: int, *, misses: bool
) -> None:
    """Let agents live lives, some at once; ours first, whose facts others are given."""
    gate = asyncio.Semaphore(LIVES_AT_ONCE)

    async def one(life: Life) -> None:
        async with gate:
            texts = [text for turn in life.turns for text in (turn.user_text, turn.assistant_text) if text]
            await bench.embed([*texts, *(probe.question for probe in life.probes)])  # a recall's time is the memory's
            for name in sorted(names, key=lambda name: (name != OURS, not name.startswith(OURS))):
                agent = AGENTS[name](bench, life)
                printing = _printing(bench, name, life) if misses and name.startswith(OURS) else None
                lived.runs[name].append(await run(agent, life, budget, printing))
                if isinstance(agent, Candor):
                    lived.costs[name].append(agent.costs)
                    if name == OURS:
                        bench.extracted[life.name] = agent.ledger
                print(f"{life.name}: {name} {accuracy(lived.runs[name][-1].outcomes):.1%}", file=sys.stderr, flush=True)

    await asyncio.gather(*map(one, lives))


def mean_of(costs: Sequence[dict[str, float]]) -> dict[str, float]:
    """Return the mean of each cost."""
    return {kind: fmean(each.get(kind, 0.0) for each in costs) for kind in sorted({k for each in costs for k in each})}


async def main(arguments: argparse.Namespace) -> None:
    """Run the benchmark."""
    names = arguments.agents.split(",") if arguments.agents else AGENTS_QUICK if arguments.quick else AGENTS_USUAL
    if arguments.misses and arguments.half in (Half.REPORT, Half.THIRD):
        sys.exit("--misses is not for what is reported on: rules are not to be mended on it")
    unknown = sorted(set(names) - AGENTS.keys())
    if unknown:
        sys.exit(f"unknown agents {', '.join(unknown)}; there are {', '.join(AGENTS)}")
    async with AsyncExitStack() as stack:
        provider = OnnxProvider(workers=1)
        stack.push_async_callback(provider.close)
        services = None
        if any(name.startswith(OURS) for name in names):
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="candor-life-")))
            services = await stack.enter_async_context(running(folder))
        await _measured(arguments, names, Bench(remembering(provider), services))


async def _measured(arguments: argparse.Namespace, names: Sequence[str], bench: Bench) -> None:
    half = Half(arguments.half)
    first = arguments.first_seed
    lives = [generate(first + seed, half) for seed in range(1 if arguments.quick else arguments.seeds)]
    if arguments.quick:
        lives = [first_days(life, QUICK_DAYS) for life in lives]
    scenarios = {f"{len(lives)} generated lives, {half} half": lives}
    if synapse.LOG.is_file() and not arguments.quick:
        scenarios["public log of 44 days, mended"] = [synapse.load()]
    console = Console(width=None if sys.stdout.isatty() else 220)
    report: dict[str, object] = {"token_budget": arguments.budget, "half": half, "seeds": len(lives)}
    out = arguments.out or (None if arguments.quick else OUT)
    ablations = [name for name in names if name.startswith(OURS) and name != OURS]
    whole = [name for name in names if name not in ablations]
    for some in (whole, ablations):
        for title, scenario in scenarios.items():
            lived = bench.lived.setdefault(title, Lived())
            shared = scenario if some is whole else scenario[: arguments.ablation_seeds]
            await live(bench, lived, some, shared, arguments.budget, misses=arguments.misses)
            report[title] = found = lived.figures(names)
            if some:
                console.print(table(f"{title}; budget {arguments.budget} tokens", found))
            if some and out and scenario is lives:
                draw({name: of for name, of in lived.runs.items() if of}, arguments.budget, out.parent)
        if out:
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            console.print(f"written to {out}")


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.life", description=__doc__.partition("\n")[0])
    parser.add_argument("--agents", help=f"default {','.join(AGENTS_USUAL)}; with --quick {','.join(AGENTS_QUICK)}")
    parser.add_argument("--seeds", type=int, default=5, help="lives to live (default 5)")
    parser.add_argument("--ablation-seeds", type=int, default=2, help="of them, lives without a policy (default 2)")
    parser.add_argument("--half", choices=list(Half), default=Half.REPORT, help="which half of the templates")
    parser.add_argument("--first-seed", type=int, default=0, help="the first life's seed (default 0)")
    parser.add_argument(
        "--misses", action="store_true", help="print what ours answer wrong (not on what is reported on)"
    )
    parser.add_argument("--budget", type=int, default=TOKEN_BUDGET, help="tokens a recall may return")
    parser.add_argument("--quick", action="store_true", help="part of one life; writes no file unless --out is given")
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    return parser.parse_args(words)


if __name__ == "__main__":
    logs.configure("error")
    asyncio.run(main(parsed()))
