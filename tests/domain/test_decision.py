"""Ruling on a choice: who loses, on what was seen, and whether that is what was recommended."""

from uuid import UUID

import pytest

from shared.domain.decision import Action, Choice, Ruling, rule
from shared.domain.errors import Conflict
from shared.domain.opposition import Assertion, judge_group
from shared.domain.setting import NOTHING_DECLARED, Policy
from tests.domain.audit_cases import START, assertion, memory_id

TENANT = UUID(int=1)
A, B, C, D = (memory_id(name) for name in "abcd")


def ruled(*assertions: Assertion, policy: Policy = NOTHING_DECLARED, **choice: object) -> Ruling:
    return rule(assertions, policy, TENANT, Choice(**{"selected": A, **choice}))  # type: ignore[arg-type]


def test_the_other_sides_lose() -> None:
    ruling = ruled(assertion(1, "a"), assertion(2, "b"), assertion(3, "c"), assertion("1.0", "d"))
    assert ruling.losers == {B, C}
    assert ruling.carriers == {A, B, C, D}


def test_accepting_is_what_the_ladder_says() -> None:
    group = (assertion(1, "a", importance=0.9), assertion(2, "b"))
    assert ruled(*group).action == Action.ACCEPT
    assert ruled(*group, selected=B).action == Action.OVERRIDE
    assert ruled(*group, action=Action.OVERRIDE).action == Action.ACCEPT
    with pytest.raises(Conflict) as caught:
        ruled(*group, selected=B, action=Action.ACCEPT)
    assert (caught.value.reason, caught.value.metadata["recommended_memory_id"]) == ("RECOMMENDATION_CHANGED", str(A))


def test_whoever_agrees_with_the_recommended_memory_is_as_good() -> None:
    group = (assertion(1, "a"), assertion(1, "b", importance=0.9), assertion(2, "c"))
    assert ruled(*group, action=Action.ACCEPT).losers == {C}


def test_scopes_are_kept_apart_and_a_memory_without_one_is_in_all() -> None:
    group = [assertion(n, name, counterparty_key=key) for n, name, key in ((1, "a", "x"), (2, "b", "x"), (3, "c", "y"))]
    assert ruled(*group).losers == {B}
    free = assertion(4, "d")
    assert ruled(*group, free, selected=D).losers == {A, B, C}
    first = next(c for c in judge_group([*group, free]).contradictions if c.counterparty_key == "y")
    assert ruled(*group, free, selected=D, finding_id=first.id(TENANT)).losers == {C}


def test_what_ended_and_what_agrees_by_declaration_is_no_side() -> None:
    ended = assertion(2, "b", ended_at=START, ended_reason="decided")
    with pytest.raises(Conflict) as caught:
        ruled(assertion(1, "a"), ended)
    assert (caught.value.reason, caught.value.metadata["carriers"]) == ("CONFLICT_CHANGED", str(A))
    with pytest.raises(Conflict):
        ruled(assertion(1, "a"), assertion(2, "b"), policy=Policy(multi_valued=frozenset({"total"})))
    with pytest.raises(Conflict):
        ruled()


def test_the_difference_to_what_was_seen_is_named() -> None:
    group = (assertion(1, "a"), assertion(2, "b"), assertion(3, "c"))
    assert ruled(*group, targets=frozenset({B, C})).losers == {B, C}
    with pytest.raises(Conflict) as caught:
        ruled(*group, targets=frozenset({B, D}))
    assert caught.value.metadata == {"not_named": str(C), "not_carriers": str(D)}


def test_a_deferral_chooses_nobody() -> None:
    group = (assertion(1, "a"), assertion(2, "b"))
    ruling = ruled(*group, selected=None, action=Action.DEFER)
    assert (ruling.action, ruling.losers, len(ruling.conflicts)) == (Action.DEFER, frozenset(), 1)
