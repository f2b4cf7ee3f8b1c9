"""Opposed poles: what contradicts, what only differs, negation in four languages."""

import pytest

from shared.domain.polarity import AXES, clauses, contradiction


def _against(claim: str, memory: str) -> bool:
    return any(contradiction(clause, clauses(memory)) for clause in clauses(claim))


@pytest.mark.parametrize(
    ("claim", "memory"),
    [
        ("It was approved", "It was rejected"),
        ("It was approved", "It has not yet been approved"),
        ("It was approved", "It is awaiting approval"),
        ("The invoice is paid", "The invoice is unpaid"),
        ("The invoice was settled", "The invoice was not paid"),
        ("The shipment arrived on time", "The shipment was late"),
        ("The account is active", "The account is inactive"),
        ("The ticket is closed", "The ticket is open"),
        ("Orion is compliant", "Orion is in breach"),
        ("Revenue increased", "Revenue fell"),
        ("Orion was profitable", "Orion made a loss"),
        ("The supplier did not send the shipment", "The supplier sent the shipment"),
        ("INV-2 was rejected", "INV-1 was rejected. INV-2 was approved."),
        ("Das Budget wurde abgelehnt", "Das Budget wurde genehmigt"),
        ("Das Budget wurde nicht genehmigt", "Das Budget wurde genehmigt"),
        ("预算未批准", "预算已批准"),
        ("예산이 승인되었다", "예산이 승인되지 않았다"),
        ("예산은 지급됨", "예산은 미지급"),
    ],
)
def test_opposed_poles_contradict_both_ways(claim: str, memory: str) -> None:
    assert _against(claim, memory)


@pytest.mark.parametrize(
    ("claim", "memory"),
    [
        ("It was not approved", "It was rejected"),
        ("It is unpaid", "It has not been paid"),
        ("It is in breach", "It does not comply"),
        ("INV-1 was rejected while INV-2 was approved", "INV-1 was rejected. INV-2 was approved."),
        ("It may be approved", "It was rejected"),
        ("Revenue declined", "The budget was approved. Revenue fell."),
        ("Sales rose", "Revenue increased, while costs fell"),
        ("Not only was it approved", "It was approved"),
        ("It was paid no later than May", "It was paid"),
        ("Was it rejected?", "It was approved"),
        ("预算被批准", "预算已批准"),
    ],
)
def test_what_only_differs_does_not_contradict(claim: str, memory: str) -> None:
    assert not _against(claim, memory)


@pytest.mark.parametrize("axis", AXES, ids=lambda axis: axis.name)
def test_every_axis_opposes_its_poles(axis: object) -> None:
    assert axis in AXES
    first, second = next(a for a in AXES if a is axis).poles[:2]
    assert _against(f"It was {first[0]}", f"It was {second[0]}") or set(first) & set(second)


def test_there_are_enough_axes() -> None:
    assert len(AXES) >= 45
