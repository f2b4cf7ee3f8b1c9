"""The public 44-day log of 163 turns as a life, with its two faults mended.

Rules: turns that tell of the move before it happened are left out (they are marked in the file), and no probe is asked
before its fact was first said. The turns of a day, all stamped 09:00, follow each other by a minute. Answer keys are
our own spellings of the file's answers. There are no assistant texts; the "facts" of a turn are its own words, for
anchor turns only.
It does not know agents.
Source: data/synapse beside the repo (MIT; its README names origin and licence); never copied into the repo.
"""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.bench.life.model import Half, Label, Life, Probe, ProbeKind, Turn

LOG = Path(__file__).parents[3].parent / "shared" / "data" / "synapse" / "conversation_log.json"
_KINDS = {
    "contradiction": ProbeKind.CHANGED,
    "stable_semantic": ProbeKind.CURRENT,
    "consolidation": ProbeKind.CURRENT,
    "low_importance_trivia": ProbeKind.TRIVIA,
}
# By number of the probe: (words of the file's answer, our spellings); the first whose words stand in it counts.
_KEYS: dict[int, tuple[tuple[str, tuple[str, ...]], ...]] = {
    0: (("Berlin", ("Berlin",)), ("Lisbon", ("Lisbon",))),
    1: (("Python", ("Python",)), ("Rust", ("Rust",))),
    2: (("shellfish", ("shellfish",)),),
    3: (("Synapse", ("Synapse",)),),
    4: (("flat white", ("flat white",)),),
    5: (("20 Jul", ("date:2026-07-20",)),),
    6: (("vegetarian", ("vegetarian",)),),
}


def load(path: Path = LOG) -> Life:
    """Read the log.

    Raises: FileNotFoundError where the data does not lie beside the repo.
    """
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    turns: list[Turn] = []
    labels: list[Label] = []
    last_of_day: dict[int, datetime] = {}
    said_at: dict[int, datetime] = {}
    for entry in data["turns"]:
        minute = sum(turn.session == f"day-{entry['day']}" for turn in turns)
        at = datetime.fromisoformat(entry["timestamp"]) + timedelta(minutes=minute)
        said_at[entry["index"]] = at
        if any(flag.startswith("leak") for flag in entry.get("fixture_flags", ())):
            continue
        text = entry["user_message"]
        turns.append(Turn(at, f"day-{entry['day']}", text, ""))
        labels.append(Label("", entry["kind"], (text,) if entry["kind"] == "anchor" else ()))
        last_of_day[entry["day"]] = at
    found = [
        probe
        for day in data["checkpoint_days"]
        for asked in data["probes"]
        if (probe := _probe(asked, day, last_of_day[day] + timedelta(minutes=30), said_at)) is not None
    ]
    return Life("synapse", Half.REPORT, tuple(turns), tuple(labels), (), tuple(found))


def _probe(asked: dict[str, Any], day: int, at: datetime, said_at: dict[int, datetime]) -> Probe | None:
    """Return the probe as it stands on a day, or None while its answer was not said."""
    answers = [a["answer"] for a in asked["answers_by_day"] if a["effective_from_day"] <= day]
    spelled = [next(key for words, key in _KEYS[asked["id"]] if words in answer) for answer in answers]
    said = [said_at[first["turn"]] for first in asked["first_stated"].values()][: len(spelled)]
    if said[-1] > at:
        return None
    stale = tuple(spelling for key in spelled[:-1] for spelling in key)
    return Probe(
        at,
        asked["question"],
        _KINDS[asked["category"]],
        (spelled[-1],),
        stale,
        said[-1],
        f"synapse-{asked['id']}",
        known=tuple(spelled),
    )
