"""The audit on labelled public data: the reference product's own sets, and facts of which 161 slots conflict."""

import json
import re
from collections import defaultdict
from datetime import timedelta

from shared.domain.ladder import Carrier
from shared.domain.opposition import Assertion, judge_group
from shared.domain.records import reference_key
from shared.domain.types import MemoryKind
from tests.domain.audit_cases import START, absences_of, claim, contradictions_of, memory_id, of_memories, read

CONFIDENCES = {"INV-3001": 0.58, "CUST-88": 0.78, "POLICY-1": 0.9, "ACCT-7": 0.75}


def test_the_consistency_set_is_found_whole_and_without_a_false_positive() -> None:
    data = read("archon", "consistency.json")
    assertions, references = of_memories(data["memories"])
    found = contradictions_of(assertions)
    assert [{"subject": c.subject, "attribute": c.attribute} for c in found] == data["expectContradictions"]
    assert [absence.subject for absence in absences_of(references, data["memories"])] == data["expectAbsences"]
    for ours, theirs in zip(found, data["reference_report"]["contradictions"], strict=True):
        assert [json.loads(value.value) for value in ours.values] == [value["value"] for value in theirs["values"]]
        assert ours.resolution.confidence == theirs["resolution"]["confidence"]


def test_the_resolution_set_is_recommended_by_the_same_rules() -> None:
    data = read("archon", "resolution.json")
    found = contradictions_of(of_memories(data["memories"])[0])
    assert [
        (c.subject, c.attribute, c.resolution.recommended_memory_id, c.resolution.rule, c.resolution.confidence)
        for c in found
    ] == [
        (e["subject"], e["attribute"], memory_id(e["winnerMemoryId"]), e["rule"], CONFIDENCES[e["subject"]])
        for e in data["expect"]
    ]


def test_all_conflicting_facts_are_found_no_other_and_the_newer_is_recommended() -> None:
    slots = read("factconsolidation", "conflicting_slots_6k.json")
    context = read("factconsolidation", "context_6k.txt")
    facts = [(int(n), text) for n, text in re.findall(r"^(\d+)\. (.+)\.$", context, re.MULTILINE)]
    expected = {slot["slot"]: max(slot["values"], key=lambda value: value["serial"]) for slot in slots}
    prefixes = sorted(expected, key=len, reverse=True)
    groups: defaultdict[str, list[Assertion]] = defaultdict(list)
    for serial, text in facts:
        slot = next((p for p in prefixes if text.startswith(p + " ")), text)
        groups[slot].extend(_written_twice(serial, slot, text[len(slot) :].strip() or text))
    found = {slot: judge_group(group).contradictions for slot, group in groups.items()}
    assert (len(facts), len(groups)) == (455, 294)
    assert {slot for slot, contradictions in found.items() if contradictions} == set(expected)
    assert len(expected) == 161
    for slot, newest in expected.items():
        (one,) = found[slot]
        assert json.loads(one.resolution.recommended_value) == newest["value"]
        assert [value.carrier_count for value in one.values] == [2, 2]


def _written_twice(serial: int, slot: str, value: str) -> list[Assertion]:
    found = claim(value, "value")
    key = reference_key(slot)
    assert key is not None
    observed_at = START + timedelta(seconds=serial)
    return [
        Assertion(
            Carrier(
                memory_id(f"{serial}/{session}"),
                MemoryKind.DOCUMENT,
                None,
                False,
                None,
                observed_at,
                START,
                slot,
                found.raw,
            ),
            found,
            None,
            "",
            slot,
            key,
            session=session,
        )
        for session in ("s1", "s2")
    ]
