"""Dependencies: what a writer names, and when what a memory rests on has changed."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from shared.domain.dependency import DEPENDENCIES_MAX, Dependent, dependencies_of, stale
from shared.domain.opposition import Assertion
from shared.domain.setting import Policy
from tests.domain.audit_cases import START, assertion

DAY = timedelta(days=1)
DEPENDENT = Dependent(UUID(int=1), None, "RULE", "Acme", START + DAY)


@pytest.mark.parametrize(
    ("metadata", "named"),
    [
        ('{"depends_on": "A"}', ("A",)),
        ('{"depends_on": ["A", " ", "B", "A", 17, null, {"x": 1}]}', ("A", "B", "17")),
        ('{"depends\\u005fon": "A"}', ("A",)),
        ('{"depends_on": null, "other": "A"}', ()),
        ('{"depends_on": true}', ()),
        ("{}", ()),
    ],
)
def test_what_a_writer_names(metadata: str, named: tuple[str, ...]) -> None:
    assert dependencies_of(metadata) == named


def test_a_long_list_is_cut() -> None:
    entries = ", ".join(f'"R-{number}"' for number in range(DEPENDENCIES_MAX + 5))
    assert len(dependencies_of(f'{{"depends_on": [{entries}]}}')) == DEPENDENCIES_MAX


def before(
    value: object, ended_after: timedelta | None = 2 * DAY, reason: str = "superseded", **given: Any
) -> Assertion:
    """What was believed when the memory was recorded, until it ended."""
    ended: dict[str, Any] = {} if ended_after is None else {"ended_at": START + ended_after, "ended_reason": reason}
    return assertion(value, f"before {value}", recorded_at=START, **ended, **given)


def since(value: object, **given: Any) -> Assertion:
    """What is said since two days later."""
    return assertion(value, f"since {value}", recorded_at=START + 2 * DAY, **given)


def changes(*group: Assertion, policy: Policy | None = None) -> list[tuple[str, str]]:
    found = stale(DEPENDENT, [group], policy or Policy())
    return [(one.former.value, one.current.value) for one in found]


@pytest.mark.parametrize("reason", ["superseded", "incorrect", "decided"])
def test_another_value_in_the_place_of_the_former_is_a_change(reason: str) -> None:
    assert changes(before(100, reason=reason), since(200)) == [("100", "200")]


@pytest.mark.parametrize(
    "group",
    [
        (before(100), since(100)),  # says the same
        (before(9250), since(9250.3)),  # agrees
        (before(100),),  # nothing is said now
        (before(100, None), since(200)),  # both are believed: a contradiction
        (since(200),),  # nothing was believed then
        (before(100, timedelta(hours=5)), since(200)),  # had ended before the memory was recorded
        (before(100, period="2026-04"), since(200, period="2026-05")),
        (before(100, counterparty_key="globex"), since(200, counterparty_key="initech")),
    ],
)
def test_no_change(group: tuple[Assertion, ...]) -> None:
    assert changes(*group) == []


def test_declared_attributes() -> None:
    observed = (before(100, None, observed_at=START), since(200, observed_at=START + DAY))
    assert changes(*observed) == []
    assert changes(*observed, policy=Policy(stateful=frozenset(["total"]))) == [("100", "200")]
    changed = (before(100), since(200))
    assert changes(*changed, policy=Policy(multi_valued=frozenset(["total"]))) == []


def test_the_id_is_of_memory_and_fact() -> None:
    (first,) = stale(DEPENDENT, [(before(100), since(200))])
    (later,) = stale(DEPENDENT, [(before(100), since(300))])
    assert first.id(UUID(int=9)) == later.id(UUID(int=9)) != first.id(UUID(int=8))
