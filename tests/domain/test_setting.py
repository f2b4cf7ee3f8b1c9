"""What a tenant declares, and what follows for values: fixtures with settings, tolerances, and what is refused."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shared.domain.errors import InvalidArgument
from shared.domain.findings import Contradiction
from shared.domain.opposition import Assertion, judge_group, opposed
from shared.domain.setting import NOTHING_DECLARED, Change, Policy, changed, of_json, to_json
from tests.domain.audit_cases import START, assertion, claim

FIELD = Path(__file__).parents[2] / "fixtures" / "audit" / "field.json"


def contradictions(policy: Policy, *values: Assertion) -> tuple[Contradiction, ...]:
    return judge_group(values, policy).contradictions


def totals(*values: object, currency: str | None = None) -> list[Assertion]:
    return [assertion(value, f"m{n}", currency=currency) for n, value in enumerate(values)]


def tolerance(text: str) -> Policy:
    return Policy(tolerances={"total": Decimal(text)})


@pytest.mark.parametrize(
    ("declared", "values", "currency", "buckets"),
    [
        (None, (400, 401), None, 2),
        ("2", (400, 401), None, 1),
        ("2", (400, 402), None, 1),
        ("2", (400, "402.01"), None, 2),
        ("0", (9250, "9250.1"), None, 2),
        ("0", (9250, "9,250.00"), None, 1),
        (None, ("8400.00", "8400.05"), "EUR", 2),
        ("0.10", ("8400.00", "8400.05"), "EUR", 1),
        ("0.10", ("8400.00", "8400.15"), "EUR", 2),
        ("5", ("120 mm", "123 mm"), None, 1),  # in the unit that is stated
        ("5", ("120 mm", "12.6 cm"), None, 2),  # in the smaller one of two
        ("5", ("120 mm", "12.4 cm"), None, 1),
        ("1", (1, 2, 3, 4), None, 1),
        ("1", (1, 2, 3, 4, 5), None, 3),  # wider than three tolerances: cut into parts of one
        ("100", ("red", "blue"), None, 2),
    ],
)
def test_a_declared_tolerance_takes_the_place_of_the_general_one(
    declared: str | None, values: tuple[object, ...], currency: str | None, buckets: int
) -> None:
    policy = tolerance(declared) if declared else NOTHING_DECLARED
    found = contradictions(policy, *totals(*values, currency=currency))
    assert [len(found), *(f.value_count for f in found)] == ([0] if buckets == 1 else [1, buckets])


def test_it_holds_for_its_attribute_alone() -> None:
    policy = Policy(tolerances={"width": Decimal(100)})
    assert len(contradictions(policy, *totals(1, 2))) == 1


def test_values_of_a_multi_valued_attribute_never_oppose_each_other() -> None:
    policy = Policy(multi_valued=frozenset({"total"}))
    assert contradictions(policy, *totals("a", "b", "c")) == ()
    ended = assertion("z", "old", ended_at=START, ended_reason="superseded")
    assert len(judge_group([*totals("a"), ended], policy).superseded) == 1


def test_the_sides_of_a_contradiction_hold_everyone() -> None:
    values = [assertion(n % 2, f"m{n}") for n in range(300)]
    [one] = opposed(values)
    assert [len(side) for side in one.sides] == [150, 150]
    assert [value.carrier_count for value in one.contradiction.values] == [150, 150]
    assert max(len(value.carrier_memory_ids) for value in one.contradiction.values) == 100


def test_a_policy_is_read_back_and_leaves_what_others_declare() -> None:
    policy = Policy(frozenset({"a"}), frozenset({"b"}), {"c": Decimal("2.50")})
    text = to_json(policy, '{"zone": "Asia/Seoul", "stateful_attributes": ["old"]}')
    assert of_json(text) == policy
    assert json.loads(text)["zone"] == "Asia/Seoul"
    assert of_json("{}") == NOTHING_DECLARED


def test_what_is_not_changed_stays() -> None:
    policy = Policy(frozenset({"a"}), frozenset({"b"}), {"c": Decimal(1)})
    assert changed(policy, Change()) == policy
    assert changed(policy, Change(stateful=[])) == Policy(frozenset(), policy.multi_valued, policy.tolerances)
    with pytest.raises(InvalidArgument) as caught:
        changed(policy, Change(stateful=["b"]))
    assert caught.value.reason == "SETTINGS_CONTRADICTORY"


def test_every_wrong_field_is_named() -> None:
    with pytest.raises(InvalidArgument) as caught:
        changed(NOTHING_DECLARED, Change(stateful=["", "\0"], tolerances=[("a", "x"), ("a", "1")]), "settings.")
    assert [violation.field for violation in caught.value.violations] == [
        "settings.stateful_attributes[0]",
        "settings.stateful_attributes[1]",
        "settings.tolerances[0].value",
        "settings.tolerances[1].attribute",
    ]


def labelled() -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = json.loads(FIELD.read_text(encoding="utf-8"))
    return [group for group in groups if group.get("settings")]


@pytest.mark.parametrize("group", labelled(), ids=lambda group: str(group["id"]))
def test_the_labelled_groups_with_settings_come_out_as_labelled(group: dict[str, Any]) -> None:
    settings = group["settings"]
    policy = Policy(
        frozenset(settings.get("stateful", ())),
        frozenset(settings.get("multi_valued", ())),
        {name: Decimal(text) for name, text in settings.get("tolerances", {}).items()},
    )
    memories = [one["memory"] for one in group["memories"]]
    found = set()
    for attribute in {name for memory in memories for name in memory.get("metadata", {})}:
        carriers = [
            replace(
                assertion(0, f"m{n}", observed_at=observed(memory)),
                claim=claim(memory["metadata"][attribute], attribute),
            )
            for n, memory in enumerate(memories)
            if attribute in memory.get("metadata", {})
        ]
        if contradictions(policy, *carriers):
            found.add(attribute)
    assert found == {one["attribute"] for one in group["expected"].get("contradictions", ())}


def observed(memory: dict[str, Any]) -> datetime | None:
    text = memory.get("observedAt")
    return datetime.fromisoformat(text) if text else None


def test_slots_of_turns_need_no_declaration() -> None:
    assert NOTHING_DECLARED.is_stateful("slot.residence") and not NOTHING_DECLARED.is_multi_valued("slot.residence")
    assert NOTHING_DECLARED.is_multi_valued("slots.allergy") and not NOTHING_DECLARED.is_stateful("slots.allergy")
    assert not NOTHING_DECLARED.is_stateful("slotted") and not NOTHING_DECLARED.is_multi_valued("residence")


def test_what_is_declared_of_a_slot_goes_before_its_name() -> None:
    declared = Policy(stateful=frozenset(("slots.mood",)), multi_valued=frozenset(("slot.home",)))
    assert declared.is_stateful("slots.mood") and not declared.is_multi_valued("slots.mood")
    assert declared.is_multi_valued("slot.home") and not declared.is_stateful("slot.home")


def of_slot(attribute: str, *values: str) -> list[Assertion]:
    dated = [assertion(value, f"m{n}", observed_at=START + timedelta(days=n)) for n, value in enumerate(values)]
    return [replace(one, claim=replace(one.claim, attribute=attribute)) for one in dated]


def test_of_two_dated_values_of_a_slot_the_later_holds_and_several_stand_beside_each_other() -> None:
    homes = judge_group(of_slot("slot.residence", "Berlin", "Lisbon"))
    assert not homes.contradictions and len(homes.superseded) == 1
    assert judge_group(of_slot("residence", "Berlin", "Lisbon")).contradictions
    assert not judge_group(of_slot("slots.allergy", "nuts", "milk")).contradictions
