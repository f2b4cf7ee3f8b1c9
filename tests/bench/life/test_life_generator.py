"""The benchmark of a memory's life measures right: lives without leaks, keys that fit, a grader that is not fooled."""

import asyncio
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import combinations
from zlib import crc32

import numpy as np
import pytest

from tests.bench.life import synapse
from tests.bench.life.agents import Agent, Matrix, NaiveFacts, NaiveTurns, count_tokens, packed
from tests.bench.life.canonical import oracle
from tests.bench.life.generator import generate, leaks
from tests.bench.life.grader import grade
from tests.bench.life.metrics import Outcome, last_third, paired_difference, percentile, slope
from tests.bench.life.model import Half, Life, Mode, Probe, ProbeKind
from tests.bench.life.reader import UNKNOWN, read
from tests.bench.life.runner import run
from tests.bench.life.templates import PARTS, wordings
from tests.bench.life.wording import mentions, normal

SEEDS = range(5)
AT = datetime(2026, 6, 1, 12, tzinfo=UTC)
HOMES = (("Berlin",), ("Lisbon", "Lisboa"), ("Porto",))


@cache
def life(seed: int, half: Half = Half.REPORT) -> Life:
    return generate(seed, half)


def probe(
    *answers: Sequence[str],
    stale: Sequence[str] = (),
    mode: Mode = Mode.NOW,
    known: tuple[tuple[str, ...], ...] = HOMES,
) -> Probe:
    groups = tuple(tuple(group) for group in answers)
    return Probe(AT, "?", ProbeKind.CURRENT, groups, tuple(stale), AT, "slot", mode, known=known)


async def hashed(texts: Sequence[str]) -> Matrix:
    """Embed texts as counts of hashed words, of length 1."""
    rows = np.zeros((len(texts), 256), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in normal(text).split():
            rows[row, crc32(word.encode()) % 256] += 1
    units: Matrix = (rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)).astype(np.float32)
    return units


# ---- lives ----


@pytest.mark.parametrize("half", Half)
@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_told_before_it_is_true_and_fillers_tell_nothing(seed: int, half: Half) -> None:
    assert leaks(life(seed, half)) == []


def test_a_planted_leak_is_found() -> None:
    clean = life(0)
    later = next(fact for fact in clean.facts if fact.slot == "residence" and fact.kind == "oblique")
    spoiled = replace(clean.turns[0], assistant_text=f"Ever been to {later.value}?")
    assert len(leaks(replace(clean, turns=(spoiled, *clean.turns[1:])))) == 1
    filler = next(n for n, label in reversed(list(enumerate(clean.labels))) if label.act == "filler")
    turns = list(clean.turns)
    turns[filler] = replace(turns[filler], user_text=f"Lovely day, unlike in {later.value}.")
    assert len(leaks(replace(clean, turns=tuple(turns)))) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_life_is_long_and_lived_in_sessions(seed: int) -> None:
    turns = life(seed).turns
    times = [turn.at for turn in turns]
    sessions_of_day: dict[str, set[str]] = {}
    for turn in turns:
        sessions_of_day.setdefault(turn.session[:4], set()).add(turn.session)
    assert (times[-1] - times[0]).days >= 180 and len(turns) >= 600
    assert times == sorted(set(times))
    assert sum(len(sessions) > 1 for sessions in sessions_of_day.values()) > 150
    assert len({time.hour for time in times}) > 10


def test_five_seeds_give_a_thousand_probes_of_every_kind() -> None:
    found = [probe for seed in SEEDS for probe in life(seed).probes]
    assert len(found) >= 1_000
    assert {probe.kind for probe in found} == set(ProbeKind)


def test_a_life_depends_on_its_seed_alone() -> None:
    script = "from tests.bench.life.generator import generate; print(repr(generate(3)))"
    digests = {hashlib.sha256(f"{generate(3)!r}\n".encode()).hexdigest()}
    env = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    printed = subprocess.run([sys.executable, "-c", script], env=env, check=True, capture_output=True).stdout
    digests.add(hashlib.sha256(printed).hexdigest())
    assert len(digests) == 1
    assert generate(4).turns != generate(3).turns


@pytest.mark.parametrize(("one", "other"), [*combinations(Half, 2)])
def test_the_halves_share_keys_but_no_wording(one: Half, other: Half) -> None:
    for part in PARTS:
        build, report = wordings(one, part), wordings(other, part)
        assert Half.THIRD in (one, other) or build.keys() == report.keys()
        bare = [{_bare(text) for texts in found.values() for text in texts} for found in (build, report)]
        assert bare[0] & bare[1] == set()
        if part in ("STATEMENTS", "QUESTIONS"):
            alike = [(a, b) for a in sorted(bare[0]) for b in sorted(bare[1]) if _overlap(a, b) > 0.7]
            assert alike == []


def _bare(text: str) -> str:
    return normal(re.sub(r"{\w+}", "§", text))


def _overlap(one: str, other: str) -> float:
    a, b = set(one.split()), set(other.split())
    return len(a & b) / len(a | b)


def test_floods_restate_one_value_many_times_in_several_wordings() -> None:
    for seed in SEEDS:
        told: dict[tuple[str, str], list[str]] = {}
        for turn, label in zip(life(seed).turns, life(seed).labels, strict=True):
            if label.act == "restate":
                told.setdefault((label.slot, label.sentences[0]), []).append(turn.user_text)
        floods = [texts for texts in told.values() if len(texts) >= 5]
        assert len(floods) >= 3
        assert all(len(set(texts)) >= 4 for texts in floods)


# ---- probes ----


@pytest.mark.parametrize("seed", SEEDS)
def test_every_probe_can_be_answered_when_it_is_asked(seed: int) -> None:
    lived = life(seed)
    for asked in lived.probes:
        assert asked.at > asked.answerable_from
        # the turns up to the one that told it, newest first: any later ones can only repeat it
        heard = [turn.user_text for turn in reversed(lived.turns) if turn.at <= asked.answerable_from]
        plain = [group for group in asked.answers if not group[0].startswith("re:")]
        assert all(any(mentions(key, text) for text in heard for key in group) for group in plain), asked
        assert not {normal(s) for s in asked.stale} & {normal(s) for group in asked.answers for s in group}


@pytest.mark.parametrize("seed", SEEDS)
def test_the_key_is_the_truth_at_the_time(seed: int) -> None:
    lived = life(seed)
    for asked in lived.probes:
        if asked.mode is not Mode.NOW or asked.slot == "spoken":
            continue
        told = [fact for fact in lived.facts if fact.slot == asked.slot and fact.said_at < asked.at]
        latest = max(told, key=lambda fact: fact.said_at)
        assert latest.said_at == asked.answerable_from
        assert not latest.value or any(latest.value.split("|")[0] in key for key in asked.answers[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_critical_facts_are_told_once_and_asked_once_at_their_lag(seed: int) -> None:
    lived = life(seed)
    lags = {ProbeKind.CRITICAL_30: 30, ProbeKind.CRITICAL_60: 60, ProbeKind.CRITICAL_120: 120}
    for fact in (fact for fact in lived.facts if fact.critical):
        (asked,) = [probe for probe in lived.probes if probe.slot == fact.slot]
        assert lags[asked.kind] == (asked.at - fact.said_at).days
        assert sum(label.slot == fact.slot for label in lived.labels) == 1


@pytest.mark.parametrize("half", Half)
@pytest.mark.parametrize("source", ["turns", "facts"])
def test_a_perfect_memory_with_dates_answers_everything(half: Half, source: str) -> None:
    """Recalling every line of the slot, dated, must suffice: what is lost below this is the memory's fault."""
    lived = life(1, half)
    wrong = []
    for asked in lived.probes:
        lines = []
        for turn, label in zip(lived.turns, lived.labels, strict=True):
            if turn.at < asked.at and label.slot.partition(".")[0] == asked.slot.partition(".")[0]:
                said = [f"user: {turn.user_text}"] if source == "turns" else label.sentences
                lines += [f"[{turn.at:%Y-%m-%d}] {text}" for text in said]
        answer = read(asked, lines)
        if not grade(asked, answer).correct:
            wrong.append((asked.slot, asked.answers, answer))
    assert wrong == []


# ---- grader and reader ----

LISBON = probe(["Lisbon", "Lisboa"], stale=["Berlin"])
DUE = probe(["date:2026-06-12"], stale=["date:2026-05-30"])
RENT = probe(["1240"], stale=["980"])


@pytest.mark.parametrize(
    ("asked", "answer", "correct", "stale"),
    [
        (LISBON, "You live in Lisbon.", True, False),
        (LISBON, "LISBOA!", True, False),
        (LISBON, "You live in Berlin.", False, True),
        (LISBON, "You used to live in Berlin, but now you live in Lisbon.", True, False),
        (LISBON, "You moved from Berlin to Lisbon.", True, False),
        (LISBON, "Lisbon, not Berlin.", True, False),
        (LISBON, "You live in Berlin and in Lisbon.", False, True),
        (LISBON, "You no longer live in Lisbon.", False, False),
        (LISBON, "Lisbon. Before that it was Berlin.", True, False),
        (LISBON, "I just moved to Lisbon. Berlin didn't work out long term.", True, False),
        (LISBON, "You swapped Berlin for Lisbon.", True, False),
        (LISBON, "I've lived in Lisbon since April.", True, False),
        (LISBON, "Your former city is Berlin.", False, False),
        (LISBON, "You are a Lisboner.", False, False),
        (LISBON, UNKNOWN, False, False),
        (DUE, "It's due on 12 June.", True, False),
        (DUE, "The 12th of June, 2026", True, False),
        (DUE, "2026-06-12", True, False),
        (DUE, "June 12th instead of May 30th", True, False),
        (DUE, "12.06.2026", True, False),
        (DUE, "12 June 2025", False, False),
        (DUE, "30 May", False, True),
        (RENT, "1,240 euros", True, False),
        (RENT, "€1.240 a month, up from 980", True, False),
        (RENT, "One thousand two hundred and forty euros.", True, False),
        (RENT, "12401 euros", False, False),
        (RENT, "980", False, True),
        (probe(["Lisbon"], stale=["Berlin"], mode=Mode.BEFORE), "Berlin, before you moved to Lisbon", True, False),
        (probe(["French"], ["Greek"], stale=["Polish"], mode=Mode.ALL), "French and Greek.", True, False),
        (probe(["French"], ["Greek"], stale=["Polish"], mode=Mode.ALL), "French.", False, False),
        (probe(["French"], ["Greek"], stale=["Polish"], mode=Mode.ALL), "French, Greek, Polish.", False, True),
        (probe(["date:2026-05-04/3"], mode=Mode.SINCE), "Since 2 May 2026.", True, False),
        (probe(["date:2026-05-04/3"], mode=Mode.SINCE), "Since 9 May 2026.", False, False),
        (probe(["morphine"]), "You must never be given morphine.", True, False),
        (probe(["latex"]), "Your skin doesn't tolerate latex.", True, False),
    ],
)
def test_the_grader_tells_right_from_stale(asked: Probe, answer: str, correct: bool, stale: bool) -> None:
    found = grade(asked, answer)
    assert (found.correct, found.stale) == (correct, stale)


def test_a_plan_in_place_of_the_present_is_wrong_but_not_stale() -> None:
    found = grade(replace(LISBON, wrong=("Porto",)), "You live in Porto.")
    assert (found.correct, found.stale, found.answered) == (False, False, True)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([], UNKNOWN),
        (["The user likes rain."], UNKNOWN),
        (["I live in Berlin.", "I live in Lisbon."], "I live in Berlin."),
        (["I live in Berlin.", "I just moved to Lisbon."], "I just moved to Lisbon."),
        (["[2026-01-02] I live in Berlin.", "[2026-04-02] Lisbon is lovely."], "Lisbon is lovely."),
        (["[2026-05-02] assistant: Berlin, nice!", "[2026-04-02] user: I live in Lisbon."], "I live in Lisbon."),
        (["[2026-01-02 to 2026-04-02] I live in Berlin.", "I live in Lisbon."], "I live in Lisbon."),
        (["I left Berlin.", "I live in Berlin.", "I live in Porto."], "I live in Porto."),
    ],
)
def test_the_reader_knows_only_what_lines_say(lines: list[str], expected: str) -> None:
    assert read(LISBON, lines) == expected


def test_the_reader_reads_history_from_ended_lines() -> None:
    lines = ["[since 2026-04-02] The user lives in Lisbon.", "[2026-01-02 to 2026-04-02] The user lives in Berlin."]
    assert read(replace(LISBON, mode=Mode.BEFORE), lines) == "The user lives in Berlin."
    since = read(replace(LISBON, mode=Mode.SINCE, known=(("Lisbon",),)), lines)
    assert grade(probe(["date:2026-04-02"], mode=Mode.SINCE), since).correct


# ---- agents, runner, metrics ----


def test_naive_agents_live_a_life_within_the_budget() -> None:
    lived = replace(life(2), turns=life(2).turns[:120], labels=life(2).labels[:120])
    lived = replace(lived, probes=tuple(probe for probe in lived.probes if probe.at < lived.turns[-1].at))
    agents: list[Agent] = [
        NaiveTurns(hashed),
        NaiveFacts(hashed, oracle(lived), dated=True, lexical=True, extractor="oracle"),
    ]
    runs = [asyncio.run(run(agent, lived, 90)) for agent in agents]
    assert [found.agent for found in runs] == ["naive-turns", "naive-facts-dated-hybrid (oracle)"]
    for found in runs:
        assert len(found.outcomes) == len(lived.probes) > 10
        assert all(outcome.read_tokens <= 90 for outcome in found.outcomes)
        assert found.read_tokens == sum(outcome.read_tokens for outcome in found.outcomes) > 0
        assert any(outcome.correct for outcome in found.outcomes)
    assert runs[0].live[-1][1] == 240
    assert runs[1].live[-1][1] == sum(len(label.sentences) for label in lived.labels)


def test_lines_are_packed_best_first() -> None:
    assert packed(["one two", "three four five", "six"], 5) == ["one two", "three four five"]
    assert packed(["one two", "three four five", "six"], 4) == ["one two"]
    assert packed(["one", "two", "three"], 9, limit=2) == ["one", "two"]
    assert count_tokens("It's 8,400.") == 7


def _outcomes(*correct: bool) -> list[Outcome]:
    return [Outcome("a", n, f"slot-{n // 2}", "current", mark, False, True, 10, 1.0) for n, mark in enumerate(correct)]


def test_paired_differences_are_those_of_the_same_probes() -> None:
    rng = np.random.default_rng(1)
    ours, theirs = _outcomes(*[True] * 40), _outcomes(*[True, False] * 20)
    found = paired_difference(ours, theirs, rng)
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)  # every slot gains one of two
    mixed = paired_difference(_outcomes(*[True] * 20, *[False] * 20), theirs, rng)
    assert mixed.value == 0 and -0.5 < mixed.low < -0.1 and 0.1 < mixed.high < 0.5
    with pytest.raises(ValueError, match="same probes"):
        paired_difference(ours[1:], theirs, rng)


def test_slopes_and_percentiles_of_known_data() -> None:
    straight = slope([0, 1, 2, 3], [5, 7, 9, 11])
    assert straight.value == pytest.approx(2) and straight.high - straight.low == pytest.approx(0)
    flat = slope(list(range(60)), [100 + (-1) ** day for day in range(60)])
    assert flat.low < 0 < flat.high
    with pytest.raises(ValueError, match="three points"):
        slope([1, 1, 1], [1, 2, 3])
    assert last_third([(float(day), 1.0) for day in range(91)])[0][0] == 60
    assert percentile([5, 1, 4, 2, 3], 0.95) == 5 and percentile(list(range(100)), 0.95) == 94


def test_the_public_log_is_mended() -> None:
    if not synapse.LOG.is_file():
        pytest.skip("the public data set synapse is not beside the repo")
    lived = synapse.load()
    moved = next(turn.at for turn in lived.turns if "moved to Lisbon" in turn.user_text)
    assert not any(mentions("Lisbon", turn.user_text) for turn in lived.turns if turn.at < moved)
    assert all(probe.at > probe.answerable_from for probe in lived.probes)
    assert len(lived.probes) == 34  # seven at each of five checkpoints, less the deadline at the first
    times = [turn.at for turn in lived.turns]
    assert times == sorted(set(times))
    at_end = {probe.slot: probe for probe in lived.probes}
    assert (at_end["synapse-0"].answers, at_end["synapse-0"].stale) == ((("Lisbon",),), ("Berlin",))
    assert lived.turns[0].at + timedelta(days=35) < lived.probes[-1].at
