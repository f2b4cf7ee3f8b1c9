"""Runs agents through lives and prints what they remember and what it costs.

    python -m tests.bench.life --agents naive-turns,naive-facts --seeds 5

Rules: the figures are on the report half unless asked otherwise. --quick is one life, under a minute on two cores. The
full run also writes docs/benchmarks/life.json. Facts are the oracle's until a real extractor is named.
Tokens are words and marks; an extractor's own cost is not in them, since the oracle has none.
It does not know how agents work. Source: REQUIREMENTS D9.
"""

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

import numpy as np
from rich.console import Console
from rich.table import Table

from services.embed.onnx_provider import OnnxProvider
from tests.bench.life import synapse
from tests.bench.life.agents import Agent, Embed, Matrix, NaiveFacts, NaiveTurns
from tests.bench.life.canonical import oracle
from tests.bench.life.generator import generate
from tests.bench.life.metrics import Outcome, accuracy, by_kind, last_third, paired_difference, percentile, slope
from tests.bench.life.model import Half, Life
from tests.bench.life.runner import Run, run

OUT = Path(__file__).parents[3] / "docs" / "benchmarks" / "life.json"
TOKEN_BUDGET = 160  # the reference's recalls read 148 tokens on average, 184 at the 95th percentile (its published run)
BOOTSTRAP_SEED = 20260105
LIVE_STEP_DAYS = 20  # of the series of live memories in the file; slopes are over all days

Make = Callable[[Embed, Life], Agent]


AGENTS: dict[str, Make] = {
    "naive-turns": lambda embed, life: NaiveTurns(embed),
    "naive-turns-dated": lambda embed, life: NaiveTurns(embed, dated=True),
    "naive-turns-top6": lambda embed, life: NaiveTurns(embed, top_k=6),
    "naive-facts": lambda embed, life: NaiveFacts(embed, oracle(life), extractor="oracle"),
    "naive-facts-dated": lambda embed, life: NaiveFacts(embed, oracle(life), dated=True, extractor="oracle"),
    "naive-facts-dated-hybrid": lambda embed, life: NaiveFacts(
        embed, oracle(life), dated=True, lexical=True, extractor="oracle"
    ),
}


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


def summary(name: str, runs: Sequence[Run], first: Sequence[Outcome]) -> dict[str, object]:
    """Return the figures of one agent over its lives, against the first agent of the table."""
    outcomes = [outcome for run in runs for outcome in run.outcomes]
    tails = [slope(*last_third(run.live)) for run in runs]
    gain = paired_difference(outcomes, first, np.random.default_rng(BOOTSTRAP_SEED))
    return {
        "agent": name,
        "probes": len(outcomes),
        "accuracy": accuracy(outcomes),
        "difference_to_first": asdict(gain),
        "stale_answers": sum(outcome.stale for outcome in outcomes),
        "unanswered": sum(not outcome.answered for outcome in outcomes),
        "live_memories_at_end": fmean(run.live[-1][1] for run in runs),
        "slope_last_third_per_day": [asdict(tail) for tail in tails],
        "read_tokens_mean": fmean(outcome.read_tokens for outcome in outcomes),
        "read_tokens_p95": percentile([outcome.read_tokens for outcome in outcomes], 0.95),
        "written_tokens_per_turn": sum(run.written_tokens for run in runs) / sum(run.turns for run in runs),
        "recall_ms_p50": percentile([outcome.recall_ms for outcome in outcomes], 0.5),
        "kinds": {
            kind: {
                "probes": len(group),
                "accuracy": accuracy(group),
                "stale_answers": sum(outcome.stale for outcome in group),
            }
            for kind, group in by_kind(outcomes).items()
        },
        "live": {run.life: [point for point in run.live if point[0] % LIVE_STEP_DAYS == 0] for run in runs},
    }


def table(title: str, found: Sequence[dict[str, object]]) -> Table:
    """Return the figures as a table, one column an agent."""
    shown = Table(title=title)
    shown.add_column("")
    for column in found:
        shown.add_column(str(column["agent"]), justify="right")
    for label, key, form in (
        ("accuracy", "accuracy", "{:.1%}"),
        ("stale answers", "stale_answers", "{}"),
        ("unanswered", "unanswered", "{}"),
        ("live memories at end", "live_memories_at_end", "{:.0f}"),
        ("read tokens, mean", "read_tokens_mean", "{:.0f}"),
        ("read tokens, p95", "read_tokens_p95", "{:.0f}"),
        ("written tokens a turn", "written_tokens_per_turn", "{:.1f}"),
        ("recall, p50 ms, vectors at hand", "recall_ms_p50", "{:.1f}"),
    ):
        shown.add_row(label, *(form.format(column[key]) for column in found))
    rows: list[tuple[str, Callable[[dict[str, object]], str]]] = [
        ("less the first, 95 % interval", lambda c: _interval(c["difference_to_first"], 100, "points")),
        ("live memories a day, last third", lambda c: _interval(c["slope_last_third_per_day"], 1, "")),
    ]
    for label, text in rows:
        shown.add_row(label, *(text(column) for column in found))
    kinds = found[0]["kinds"]
    assert isinstance(kinds, dict)
    shown.add_section()
    for kind, first in kinds.items():
        shown.add_row(f"{kind} ({first['probes']})", *(_of_kind(column["kinds"], kind) for column in found))
    return shown


def _of_kind(kinds: object, kind: str) -> str:
    assert isinstance(kinds, dict)
    return f"{kinds[kind]['accuracy']:.1%}"


def _interval(found: object, scale: float, unit: str) -> str:
    """Return an interval as text; of several the one with the largest value."""
    one = max(found, key=lambda item: float(item["value"])) if isinstance(found, list) else found
    assert isinstance(one, dict)
    value, low, high = (scale * float(one[key]) for key in ("value", "low", "high"))
    return f"{value:+.2f} ({low:+.2f} to {high:+.2f}) {unit}".strip()


async def measure(names: Sequence[str], lives: Sequence[Life], budget: int, embed: Embed) -> list[dict[str, object]]:
    """Run every agent through every life."""
    for life in lives:  # embedded beforehand, so that the time of a recall is the memory's own
        texts = [text for turn in life.turns for text in (turn.user_text, turn.assistant_text) if text]
        texts += [sentence for label in life.labels for sentence in label.sentences]
        await embed([*texts, *(probe.question for probe in life.probes)])
    found: list[dict[str, object]] = []
    first: list[Outcome] = []
    for name in names:
        runs = [await run(AGENTS[name](embed, life), life, budget) for life in lives]
        first = first or [outcome for run in runs for outcome in run.outcomes]
        found.append(summary(runs[0].agent, runs, first))
    return found


async def main(arguments: argparse.Namespace) -> None:
    """Run the benchmark."""
    names = arguments.agents.split(",")
    unknown = sorted(set(names) - AGENTS.keys())
    if unknown:
        sys.exit(f"unknown agents {', '.join(unknown)}; there are {', '.join(AGENTS)}")
    provider = OnnxProvider(workers=1)
    embed = remembering(provider)
    half = Half(arguments.half)
    lives = [generate(seed, half) for seed in range(1 if arguments.quick else arguments.seeds)]
    scenarios = {f"{len(lives)} generated lives, {half} half": lives}
    if synapse.LOG.is_file():
        scenarios["public log of 44 days, mended"] = [synapse.load()]
    console = Console(width=None if sys.stdout.isatty() else 160)
    report: dict[str, object] = {"token_budget": arguments.budget, "half": half, "seeds": len(lives)}
    for title, scenario in scenarios.items():
        found = await measure(names, scenario, arguments.budget, embed)
        console.print(table(f"{title}; budget {arguments.budget} tokens", found))
        report[title] = found
    await provider.close()
    out = arguments.out or (None if arguments.quick else OUT)
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        console.print(f"written to {out}")


def parsed(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.life", description=__doc__.partition("\n")[0])
    parser.add_argument("--agents", default="naive-turns,naive-turns-dated,naive-facts,naive-facts-dated")
    parser.add_argument("--seeds", type=int, default=5, help="lives to live (default 5)")
    parser.add_argument("--half", choices=list(Half), default=Half.REPORT, help="which half of the templates")
    parser.add_argument("--budget", type=int, default=TOKEN_BUDGET, help="tokens a recall may return")
    parser.add_argument("--quick", action="store_true", help="one life only; writes no file unless --out is given")
    parser.add_argument("--out", type=Path, help="where to write the figures as JSON")
    return parser.parse_args(words)


if __name__ == "__main__":
    asyncio.run(main(parsed()))
