"""The fresh pairs of statements are well formed, balanced, and apart from each other and from the first set.

Rules: it reads fields, labels and shared texts only, and names a pair by its id, so that a failure tells no text of the
reporting half.
It does not know any judge.
Source: fixtures/README.md, "Fresh pairs" and "Third pairs".
"""

import json
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from shared.domain.periods import canonical_period
from shared.domain.text import fold

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "audit"
SIZES = {"fresh_build": 120, "fresh_report": 200, "third_report": 150}
FRESH = ("fresh_build", "fresh_report")
CATEGORIES = frozenset(
    """
    lexical-polarity negated cue-free numeric units temporal complementary other-subject conditional plan-vs-present
    multi-valued two-currencies periods restatement attributed prompt-injection
    """.split()
)
LABELS = frozenset("contradiction consistent superseded".split())
FIELDS = frozenset("id category language subject a b label why".split())
TIMES = frozenset("period_a period_b observed_a observed_b".split())
SHARE_OF_CONFLICTS = (0.38, 0.45)  # contradiction and superseded; the set was ordered with about 0.40
SHARE_OF_ENGLISH = (0.55, 0.65)  # ordered with 0.60
PAIRS_OF_A_LANGUAGE_MIN = 15  # in each half

Pair = dict[str, str]


def _pairs(name: str) -> list[Pair]:
    pairs: list[Pair] = json.loads((FOLDER / f"meaning_{name}.json").read_text(encoding="utf-8"))
    return pairs


@pytest.mark.parametrize("half", SIZES)
def test_a_fresh_pair_is_well_formed(half: str) -> None:
    pairs = _pairs(half)
    assert len(pairs) == len({pair["id"] for pair in pairs}) == SIZES[half]
    wrong = [
        pair["id"]
        for pair in pairs
        if not (
            FIELDS <= set(pair) <= FIELDS | TIMES
            and all(value.strip() for value in pair.values())
            and pair["label"] in LABELS
            and pair["id"].startswith(f"{half.replace('_', '-')}-{pair['category']}-{pair['language']}-")
            and pair["a"] != pair["b"]
        )
    ]
    assert wrong == []


@pytest.mark.parametrize("half", SIZES)
def test_times_are_read_and_what_superseded_came_later(half: str) -> None:
    for pair in _pairs(half):
        for side in ("a", "b"):
            assert canonical_period(pair.get(f"period_{side}", "2026")), pair["id"]
            assert datetime.fromisoformat(pair.get(f"observed_{side}", "2026-01-01T00:00:00Z")).utcoffset() is not None
        if pair["label"] == "superseded":
            earlier, later = pair["observed_a"], pair["observed_b"]
            in_order = earlier < later
            assert in_order, pair["id"]


@pytest.mark.parametrize("half", FRESH)
def test_a_fresh_half_is_balanced(half: str) -> None:
    pairs = _pairs(half)
    languages = Counter(pair["language"] for pair in pairs)
    conflicts = sum(pair["label"] != "consistent" for pair in pairs) / len(pairs)
    assert {pair["category"] for pair in pairs} == CATEGORIES
    assert SHARE_OF_CONFLICTS[0] <= conflicts <= SHARE_OF_CONFLICTS[1]
    assert SHARE_OF_ENGLISH[0] <= languages["en"] / len(pairs) <= SHARE_OF_ENGLISH[1]
    assert sorted(languages) == ["de", "en", "ko", "zh"] and min(languages.values()) >= PAIRS_OF_A_LANGUAGE_MIN
    assert {pair["label"] for pair in pairs if "observed_a" in pair} == LABELS


@pytest.mark.parametrize("fields", [("a", "b"), ("subject",)])
def test_no_text_and_no_subject_stands_in_two_sets(fields: tuple[str, ...]) -> None:
    seen = Counter(
        text
        for name in ("build", "report", "fresh_build", "fresh_report", "third_report")
        for text in {fold(pair[field]) for pair in _pairs(name) for field in fields}
    )
    assert sum(times > 1 for times in seen.values()) == 0
