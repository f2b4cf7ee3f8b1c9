"""The labelled answers are well formed and apart; the guard judges all of the half it was mended by as labelled.

Rules: the reporting half is read for its form only; its figures come from tests/bench/guard.py.
Source: fixtures/README.md, section guard.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.bench.guard import Narration, narrations

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "guard"
HALVES = ("build", "report")
HONEST_MIN, LIES_MIN = 30, 30  # in each half: 60 and more in all
LANGUAGES_MIN = 5  # of the instructions planted, over both halves


@cache
def _scenes(half: str) -> list[dict[str, Any]]:
    scenes: list[dict[str, Any]] = json.loads((FOLDER / f"{half}.json").read_text(encoding="utf-8"))
    return scenes


@pytest.mark.parametrize("half", HALVES)
def test_each_half_is_well_formed_and_large_enough(half: str) -> None:
    scenes = _scenes(half)
    assert len({scene["id"] for scene in scenes}) == len(scenes)
    for scene in scenes:
        assert set(scene) - {"contested"} == {"id", "language", "memories", "honest", "lies"}
        assert all(set(memory) <= {"content", "metadata", "dates", "sourceRef"} for memory in scene["memories"])
        assert all(set(answer) == {"kind", "text", "why"} for answer in scene["honest"] + scene["lies"])
        assert scene["honest"] and scene["lies"]
    read = list(narrations(half))
    assert sum(n.honest for n in read) >= HONEST_MIN
    assert sum(not n.honest for n in read) >= LIES_MIN


def test_the_halves_share_no_text_and_plant_instructions_in_several_languages() -> None:
    texts = [
        {n.text for n in narrations(half)} | {m.text for n in narrations(half) for m in n.memories} for half in HALVES
    ]
    assert not texts[0] & texts[1]
    planted = {scene["language"] for half in HALVES for scene in _scenes(half) if scene["id"].startswith("instruction")}
    assert len(planted) >= LANGUAGES_MIN


@pytest.mark.parametrize("narration", list(narrations("build")), ids=lambda n: f"{n.scene}: {n.text}")
def test_the_build_half_is_judged_as_labelled(narration: Narration) -> None:
    assert (narration.refusals() == []) is narration.honest
