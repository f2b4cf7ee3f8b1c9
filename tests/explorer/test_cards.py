"""Cards: which sides are shown, and what a decision about them names."""

from typing import Any

import pytest

from gateway.explorer.answering import evidence, linked
from gateway.explorer.cards import MOST_SIDES, card


def conflict(count: int, *, recommended: int, carriers: int = 1, listed: int | None = None) -> dict[str, Any]:
    values = [
        {
            "memoryId": f"m{number}",
            "carrierMemoryIds": [f"m{number}", *(f"m{number}-{n}" for n in range(1, listed or carriers))],
            "carrierCount": carriers,
            "sourceRef": None,
            "session": None,
            "value": number,
            "observedAt": None,
            "recordedAt": "2026-04-01T09:00:00Z",
        }
        for number in range(count)
    ]
    resolution = {"recommendedMemoryId": f"m{recommended}", "rule": "recency", "confidence": 0.6, "rationale": ""}
    whole = {"findingId": "f", "subject": "s", "company": None, "attribute": "a", "period": None, "counterparty": None}
    return {**whole, "values": values, "valueCount": count, "resolution": resolution}


@pytest.mark.parametrize("recommended", [0, 7, 8, 49])
def test_the_recommended_side_is_always_shown(recommended: int) -> None:
    sides = card(conflict(50, recommended=recommended))["sides"]
    assert len(sides) == MOST_SIDES
    assert [side["memory_id"] for side in sides if side["recommended"]] == [f"m{recommended}"]


@pytest.mark.parametrize(
    ("shown", "names_all"),
    [
        (conflict(2, recommended=1), True),
        (conflict(9, recommended=1), False),  # not all values were seen
        (conflict(2, recommended=1, carriers=300, listed=20), False),  # nor all that carry them
        (conflict(2, recommended=1, carriers=50), False),  # more than a form names
    ],
)
def test_a_decision_names_what_was_seen_only_if_it_was_all(shown: dict[str, Any], names_all: bool) -> None:
    assert card(shown)["names_all"] is names_all


def test_only_marks_of_what_is_cited_are_links_and_all_else_is_text() -> None:
    (paragraph,) = linked("<b>Due</b> [1], not [7].\n\n", [{"marker": "[1]"}])
    assert paragraph.startswith("&lt;b&gt;Due&lt;/b&gt; <a ") and "[7]" in paragraph


def test_the_other_side_of_a_conflict_stands_behind_the_hits() -> None:
    memory = {"id": "a", "content": "x", "kind": "note", "sourceRef": None, "observedAt": None, "recordedAt": None}
    cited = {"marker": "[2]", "memoryId": "b", "content": "y", "kind": "note", "sourceRef": None}
    shown = evidence({"hits": [{"memory": memory, "score": 1.0}], "citations": [cited]})
    assert [(one["number"], one["id"], one["cited"]) for one in shown] == [(1, "a", False), (2, "b", True)]
