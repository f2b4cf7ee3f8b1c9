"""The labelled audit fixtures are well formed, cover what they claim to cover, and their labels name what is there."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from shared.domain.ladder import RULES
from shared.domain.periods import canonical_period
from shared.domain.text import fold
from shared.domain.types import MemoryKind

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "audit"
HALVES = ("build", "report")
GROUPS_MIN = 320
PAIRS_MIN = 240
PAIRS_OF_A_LANGUAGE_MIN = 10  # in each half
SHARE_OF_CONTRADICTIONS = (0.40, 0.50)
COVERS = frozenset(
    """
    other-subject multi-valued conditional-preference additive-role plan-vs-present two-currencies different-periods
    different-counterparties code-text free-text number percent money-sibling money-in-value money-sign date boolean
    units locale-dot-comma locale-comma-dot locale-space locale-apostrophe locale-yen locale-won locale-full-width
    locale-indian locale-other tolerance-edge closure tolerance-setting minor-units record-vs-source missing-period
    missing-counterparty dash-variant case-variant no-record observed-interval stateful leading-zero phone version
    numeric-id duplicate dangling resolved three-way asserts-nothing importance source-authority needs-reading
    """.split()
)
ONE_SIDED = frozenset("no-record dangling importance source-authority needs-reading".split())
CATEGORIES = frozenset(
    """
    lexical-polarity negated cue-free numeric units temporal complementary other-subject conditional plan-vs-present
    restatement exclusive-slot comparative prompt-injection
    """.split()
)
LANGUAGES = frozenset("en ko zh de".split())
LABELS = frozenset("contradiction consistent superseded".split())
TEXTS = frozenset("content company period record sourceRef counterparty speaker session".split())
MEMORY_FIELDS = TEXTS | frozenset("kind metadata references observedAt expiresAt importance".split())
SETTINGS = frozenset("stateful multi_valued tolerances".split())
PAIR_FIELDS = frozenset("id category language subject a b label why".split())
PAIR_TIMES = frozenset("period_a period_b observed_a observed_b".split())

Item = dict[str, Any]


@cache
def _read(name: str) -> list[Item]:
    def once(pairs: list[tuple[str, Any]]) -> Item:
        assert len(dict(pairs)) == len(pairs), f"a key stands twice: {pairs}"
        return dict(pairs)

    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    items: list[Item] = json.loads(text, object_pairs_hook=once, parse_float=Decimal)
    return items


def _groups() -> list[Item]:
    return _read("field")


def _pairs(half: str) -> list[Item]:
    return _read(f"meaning_{half}")


def _memories(group: Item) -> dict[str, Item]:
    return {entry["id"]: entry["memory"] for entry in group["memories"]}


def _record(memory: Item) -> str:
    return fold(memory.get("record") or memory.get("sourceRef") or "")


def _contradictions() -> Iterator[tuple[Item, Item]]:
    return ((group, found) for group in _groups() for found in group["expected"].get("contradictions", ()))


def _repeated(values: list[str]) -> list[str]:
    return [value for value, count in Counter(values).items() if count > 1]


def test_ids_are_unique() -> None:
    assert _repeated([group["id"] for group in _groups()]) == []
    assert _repeated([pair["id"] for half in HALVES for pair in _pairs(half)]) == []


def test_a_group_holds_two_to_five_memories_of_the_api() -> None:
    for group in _groups():
        memories = _memories(group)
        assert list(memories) == list("abcde"[: len(group["memories"])]), group["id"]
        assert len(memories) >= 2, group["id"]
        for memory in memories.values():
            assert set(memory) <= MEMORY_FIELDS, group["id"]
            assert all(isinstance(memory[field], str) and memory[field] for field in TEXTS & set(memory)), group["id"]
            MemoryKind(memory["kind"])
            assert isinstance(memory["metadata"], dict), group["id"]
            assert "period" not in memory or canonical_period(memory["period"]), group["id"]
            assert 0 <= memory.get("importance", 0) <= 1, group["id"]
            for field in ("observedAt", "expiresAt"):
                assert field not in memory or datetime.fromisoformat(memory[field]).utcoffset() is not None, group["id"]


def test_settings_name_attributes_that_are_there() -> None:
    for group in _groups():
        attributes = {name for memory in _memories(group).values() for name in memory["metadata"]}
        settings = group.get("settings", {})
        assert set(settings) <= SETTINGS, group["id"]
        assert all(set(named) <= attributes for named in settings.values()), group["id"]
        assert all(Decimal(tolerance) >= 0 for tolerance in settings.get("tolerances", {}).values()), group["id"]


def test_no_record_stands_in_two_groups() -> None:
    home: dict[tuple[str, str], str] = {}
    for group in _groups():
        for memory in _memories(group).values():
            if _record(memory):
                key = fold(memory.get("company", "")), _record(memory)
                assert home.setdefault(key, group["id"]) == group["id"], key


def test_there_are_enough_groups_and_half_of_them_are_silent() -> None:
    groups = _groups()
    silent = [group for group in groups if group["label"] == "silent"]
    assert len(groups) >= GROUPS_MIN
    assert 2 * len(silent) >= len(groups)


def test_every_tag_is_covered_on_both_sides() -> None:
    sides = Counter((tag, group["label"]) for group in _groups() for tag in group["covers"])
    assert {tag for tag, _ in sides} == COVERS
    assert [tag for tag in COVERS - ONE_SIDED if not (sides[tag, "finding"] and sides[tag, "silent"])] == []


def test_a_label_says_whether_something_is_wrong() -> None:
    for group in _groups():
        expected = group["expected"]
        wrong = bool(expected.get("contradictions") or expected.get("absences"))
        assert group["label"] == ("finding" if wrong else "silent"), group["id"]


def test_an_expected_contradiction_quotes_its_memories() -> None:
    for group, found in _contradictions():
        memories = _memories(group)
        attribute, chosen = found["attribute"], found["recommendedMemory"]
        assert found["rule"] in RULES, group["id"]
        assert memories[chosen]["metadata"][attribute] == found["recommendedValue"], group["id"]
        if found["values"] is None:
            assert "closure" in group["covers"], group["id"]
            continue
        carriers = [name for value in found["values"] for name in value["memories"]]
        assert len(found["values"]) >= 2 and len(set(carriers)) == len(carriers), group["id"]
        assert chosen in carriers, group["id"]
        for value in found["values"]:
            assert [memories[name]["metadata"][attribute] for name in value["memories"]] == value["raw"], group["id"]
            assert {_record(memories[name]) for name in value["memories"]} == {fold(found["subject"])}, group["id"]


def test_other_expectations_quote_their_memories() -> None:
    for group in _groups():
        memories, expected = _memories(group), group["expected"]
        for found in expected.get("superseded", ()):
            for side in (found["former"], found["current"]):
                assert memories[side["memory"]]["metadata"][found["attribute"]] == side["value"], group["id"]
        for found in expected.get("duplicates", ()):
            same = [memories[name] for name in found["memories"]]
            assert len(same) >= 2, group["id"]
            assert len({fold(memory["content"]) for memory in same}) == 1, group["id"]
            assert len({memory["session"] for memory in same}) == len(same), group["id"]
        for found in expected.get("absences", ()):
            missing = fold(found["subject"])
            for name in found["referencedBy"]:
                assert missing in map(fold, memories[name]["references"]), group["id"]
            companies = {fold(memories[name]["company"]) for name in found["referencedBy"]}
            assert not any(
                _record(memory) == missing and fold(memory["company"]) in companies for memory in memories.values()
            ), group["id"]


@pytest.mark.parametrize("half", HALVES)
def test_a_pair_is_well_formed(half: str) -> None:
    for pair in _pairs(half):
        assert PAIR_FIELDS <= set(pair) <= PAIR_FIELDS | PAIR_TIMES, pair["id"]
        assert all(isinstance(value, str) and value.strip() for value in pair.values()), pair["id"]
        assert pair["category"] in CATEGORIES and pair["language"] in LANGUAGES and pair["label"] in LABELS, pair["id"]
        assert pair["id"].startswith(f"{half}-{pair['category']}-{pair['language']}-"), pair["id"]
        assert pair["a"] != pair["b"], pair["id"]
        for side in ("a", "b"):
            assert canonical_period(pair.get(f"period_{side}", "2026")), pair["id"]
            assert datetime.fromisoformat(pair.get(f"observed_{side}", "2026-01-01T00:00:00Z")).utcoffset() is not None


@pytest.mark.parametrize("half", HALVES)
def test_a_half_is_balanced(half: str) -> None:
    pairs = _pairs(half)
    low, high = SHARE_OF_CONTRADICTIONS
    assert 2 * len(pairs) >= PAIRS_MIN
    assert low <= sum(pair["label"] == "contradiction" for pair in pairs) / len(pairs) <= high
    assert {pair["category"] for pair in pairs} == CATEGORIES
    languages = Counter(pair["language"] for pair in pairs)
    assert [tongue for tongue in LANGUAGES if languages[tongue] < PAIRS_OF_A_LANGUAGE_MIN] == []
    injected = {pair["label"] for pair in pairs if pair["category"] == "prompt-injection"}
    assert {"contradiction", "consistent"} <= injected


def test_what_superseded_another_was_observed_later() -> None:
    for pair in (pair for half in HALVES for pair in _pairs(half) if pair["label"] == "superseded"):
        assert pair["observed_a"] < pair["observed_b"], pair["id"]


def test_the_halves_share_no_text_and_no_subject() -> None:
    build, report = (_pairs(half) for half in HALVES)
    for fields in (("a", "b"), ("subject",)):
        shared = {fold(pair[field]) for pair in build for field in fields} & {
            fold(pair[field]) for pair in report for field in fields
        }
        assert shared == set()
