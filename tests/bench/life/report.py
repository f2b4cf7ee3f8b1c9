"""What a run of the life benchmark says: the figures of each agent, as a table and for the file.

Rules: a difference is over the same probes, against the first agent of the table. Slopes are over all days; the file
keeps every twentieth. It does not know how agents work.
Source: REQUIREMENTS D9.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from statistics import fmean

import numpy as np
from rich.table import Table

from tests.bench.life.metrics import Outcome, accuracy, by_kind, last_third, mean, paired_difference, percentile, slope
from tests.bench.life.runner import Run

BOOTSTRAP_SEED = 20260105
LIVE_STEP_DAYS = 20


def summary(
    name: str, runs: Sequence[Run], others: Mapping[str, Sequence[Outcome]], costs: Mapping[str, float]
) -> dict[str, object]:
    """Return the figures of one agent over its lives, and how it compares with others over the same probes."""
    outcomes = [outcome for run in runs for outcome in run.outcomes]
    tails = [slope(*last_third(run.live)) for run in runs]
    return {
        "agent": name,
        "probes": len(outcomes),
        "accuracy": accuracy(outcomes),
        "less": {other: _gains(outcomes, theirs) for other, theirs in others.items()},
        "stale_answers": sum(outcome.stale for outcome in outcomes),
        "unanswered": sum(not outcome.answered for outcome in outcomes),
        "live_memories_at_end": fmean(run.live[-1][1] for run in runs),
        "slope_last_third_per_day": [asdict(tail) for tail in tails],
        "slope_mean_of_lives": asdict(mean([tail.value for tail in tails])),
        "read_tokens_mean": fmean(outcome.read_tokens for outcome in outcomes),
        "read_tokens_p95": percentile([outcome.read_tokens for outcome in outcomes], 0.95),
        "written_tokens_per_turn": sum(run.written_tokens for run in runs) / sum(run.turns for run in runs),
        "recall_ms_p50": percentile([outcome.recall_ms for outcome in outcomes], 0.5),
        "write_cost": dict(costs),
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


def _gains(ours: Sequence[Outcome], theirs: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """Return the difference in accuracy over all probes and by kind."""
    pairs = {"all": (ours, theirs)} | {kind: (group, by_kind(theirs)[kind]) for kind, group in by_kind(ours).items()}
    return {
        kind: asdict(paired_difference(*pair, np.random.default_rng(BOOTSTRAP_SEED))) for kind, pair in pairs.items()
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
    for other in dict.fromkeys(other for column in found for other in _names(column["less"])):
        shown.add_row(f"less {other}", *(_less(column["less"], other) for column in found))
    shown.add_row("live a day, last third", *(_interval(column["slope_last_third_per_day"], 1) for column in found))
    shown.add_row("the same, mean of lives", *(_interval(column["slope_mean_of_lives"], 1) for column in found))
    costs = sorted({kind for column in found for kind in _floats(column["write_cost"])})
    for kind in costs:
        shown.add_row(kind, *(_cost(_floats(column["write_cost"]).get(kind)) for column in found))
    kinds = found[0]["kinds"]
    assert isinstance(kinds, dict)
    shown.add_section()
    for kind, first in kinds.items():
        shown.add_row(f"{kind} ({first['probes']})", *(_of_kind(column["kinds"], kind) for column in found))
    return shown


def _of_kind(kinds: object, kind: str) -> str:
    assert isinstance(kinds, dict)
    return f"{kinds[kind]['accuracy']:.1%}"


def _floats(found: object) -> dict[str, float]:
    assert isinstance(found, dict)
    return found


def _cost(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _names(found: object) -> list[str]:
    assert isinstance(found, dict)
    return list(found)


def _less(found: object, other: str) -> str:
    assert isinstance(found, dict)
    return _interval(found[other]["all"], 100) if other in found else ""


def _interval(found: object, scale: float) -> str:
    """Return an interval as text; of several the one with the largest value."""
    one = max(found, key=lambda item: float(item["value"])) if isinstance(found, list) else found
    assert isinstance(one, dict)
    value, low, high = (scale * float(one[key]) for key in ("value", "low", "high"))
    return f"{value:+.2f} ({low:+.2f} to {high:+.2f})"
