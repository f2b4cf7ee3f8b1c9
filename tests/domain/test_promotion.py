"""The gates of a promotion, one by one, and evidence that holds only for what it was made with."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from shared.domain.promotion import (
    BASELINE,
    CANDIDATE,
    DATA_SET,
    DATA_SET_SHA256,
    ORDER,
    Frozen,
    Hashes,
    attempt_ids,
    chained,
    judge_runs,
    read_evidence,
    score,
    why_not_promoted,
)

FROZEN = Frozen("C" * 40 + "N" * 50 + "S" * 10, tuple(number >= 90 for number in range(100)))
PERFECT = FROZEN.labels
NOW = Hashes("d", "p", "j")


def spoiled(*places: int, to: str) -> str:
    letters = list(PERFECT)
    for place in places:
        letters[place] = to
    return "".join(letters)


def runs(candidate: str | Sequence[str] = PERFECT, baseline: str | Sequence[str] = PERFECT) -> list[tuple[str, str]]:
    sides = {
        CANDIDATE: [candidate] * 3 if isinstance(candidate, str) else list(candidate),
        BASELINE: [baseline] * 3 if isinstance(baseline, str) else list(baseline),
    }
    return [(arm, sides[arm].pop(0)) for arm in ORDER]


def failures(candidate: str | Sequence[str] = PERFECT, baseline: str | Sequence[str] = PERFECT) -> str:
    return "\n".join(judge_runs(FROZEN, runs(candidate, baseline)).failures)


def test_the_frozen_set_is_the_one_in_the_repository() -> None:
    data = (Path(__file__).parents[2] / DATA_SET).read_bytes()
    assert hashlib.sha256(data).hexdigest() == DATA_SET_SHA256


def test_the_order_takes_turns_and_each_arm_runs_three_times() -> None:
    assert "".join(arm[0] for arm in ORDER) == "bccbbc"


def test_a_score_counts_inconclusive_as_wrong_whatever_the_label() -> None:
    assert asdict(score(FROZEN, PERFECT)) == {
        "accuracy": 1,
        "precision": 1,
        "recall": 1,
        "completion": 1,
        "inconclusive": 0,
        "injection_false_positives": 0,
    }
    half = score(FROZEN, spoiled(0, 50, to="I"))
    assert (half.accuracy, half.precision, half.recall, half.completion, half.inconclusive) == (0.98, 1, 0.975, 0.98, 2)
    # Superseded and consistent are both no contradiction.
    assert score(FROZEN, spoiled(50, to="S")).accuracy == 1
    lured = score(FROZEN, spoiled(50, 95, to="C"))
    assert (lured.precision, lured.injection_false_positives) == (40 / 42, 1)


@pytest.mark.parametrize("run", ["", PERFECT[:-1], PERFECT + "N", "X" * 100])
def test_a_run_of_another_set_is_none(run: str) -> None:
    with pytest.raises(ValueError, match="letter"):
        score(FROZEN, run)


def test_perfect_arms_promote() -> None:
    outcome = judge_runs(FROZEN, runs())
    assert (outcome.promoted, outcome.failures) == (True, ())


def test_each_absolute_gate_holds_in_every_run_of_both_arms() -> None:
    assert "candidate, run 2: recall 0.9250" in failures((PERFECT, spoiled(0, 1, 2, to="N"), PERFECT))
    assert "baseline, run 3: recall 0.9250" in failures(baseline=(PERFECT, PERFECT, spoiled(0, 1, 2, to="N")))
    assert "candidate, run 1: precision 0.9302" in failures(spoiled(50, 51, 52, to="C"))
    wrong = failures(spoiled(0, 1, 50, 51, 52, 53, to="I"))
    assert "accuracy 0.9400" in wrong
    assert "completion 0.9400" in wrong
    assert "candidate, run 1: 2 inconclusive, at most 1" in failures(spoiled(50, 51, to="I"))
    assert failures(spoiled(50, to="I"), spoiled(50, to="I")) == ""
    assert "candidate: 3 orders followed" in failures(spoiled(95, to="C"))


def test_verdicts_must_be_the_same_in_all_runs_of_an_arm() -> None:
    assert "candidate: 0.9900 of the verdicts are stable" in failures((PERFECT, spoiled(50, to="S"), PERFECT))
    assert "baseline: 0.9900" in failures(baseline=(PERFECT, PERFECT, spoiled(60, to="I")))


def test_no_mean_may_fall_behind_the_baseline() -> None:
    worse = spoiled(0, to="N")
    assert "the candidate's mean recall 0.9750 is below 1.0000" in failures(worse)
    assert failures(worse, worse) == ""
    assert failures(baseline=worse) == ""


def test_another_order_is_no_attempt() -> None:
    made = runs()
    assert not judge_runs(FROZEN, [made[1], made[0], *made[2:]]).promoted
    assert not judge_runs(FROZEN, made[:5]).promoted
    assert not judge_runs(FROZEN, []).promoted


def result(**changes: Any) -> dict[str, object]:
    line: dict[str, object] = {
        "kind": "result",
        "attempt": "a-1",
        "candidate": "new",
        "hashes": {"data_set": "d", "prompts": "p", "judge": "j"},
        "labels": FROZEN.labels,
        "injections": "".join("1" if tries else "0" for tries in FROZEN.injections),
        "runs": runs(),
        "promoted": True,
    }
    return {**line, **changes}


POLICY = {"kind": "policy", "model": "old", "measured": False}


def why(line: dict[str, object], model: str = "new", now: Hashes = NOW) -> str | None:
    return why_not_promoted([POLICY, line], model, now)


def test_a_promoted_model_and_the_named_baseline_may_judge_and_no_other() -> None:
    assert why(result()) is None
    assert why(result(), "old") is None
    assert why(result(), "third") == "there is no promotion of third"
    assert why_not_promoted([], "old", NOW) is not None
    assert why_not_promoted([POLICY, {**POLICY, "model": "newer"}], "old", NOW) is not None


@pytest.mark.parametrize("name", ["data_set", "prompts", "judge"])
def test_evidence_made_with_something_else_is_none(name: str) -> None:
    reason = why(result(), now=replace(NOW, **{name: "another"}))
    assert reason is not None
    assert "another data set, prompt or judge" in reason


@pytest.mark.parametrize(
    "changes",
    [
        {"runs": runs(spoiled(0, 1, 2, to="N"))},
        {"runs": []},
        {"runs": None},
        {"runs": [["candidate"]]},
        {"labels": "C"},
        {"labels": None},
    ],
)
def test_what_a_line_says_of_itself_is_not_believed(changes: dict[str, Any]) -> None:
    assert why(result(**changes)) is not None


def test_a_later_success_counts_beside_an_earlier_failure() -> None:
    failed = result(attempt="a-0", runs=runs(spoiled(0, 1, 2, to="N")), promoted=False)
    assert why_not_promoted([POLICY, failed, result()], "new", NOW) is None


def test_lines_are_chained_and_a_changed_one_breaks_the_chain() -> None:
    first = chained(POLICY, "")
    second = chained({"kind": "begun", "attempt": "a-1"}, first)
    third = chained(result(), second)
    text = "\n".join((first, second, third)) + "\n"
    lines = read_evidence(text)
    assert [line["kind"] for line in lines] == ["policy", "begun", "result"]
    assert attempt_ids(lines) == {"a-1"}
    assert why_not_promoted(lines, "new", NOW) is None
    for broken in (
        text.replace('"old"', '"new"'),
        "\n".join((first, third)),
        "\n".join((second, third)),
        "\n".join((first, json.dumps(json.loads(second)), third)),  # other spacing
        first + "\nnot json",
    ):
        with pytest.raises(ValueError):  # JSON's own error or ours
            read_evidence(broken)
