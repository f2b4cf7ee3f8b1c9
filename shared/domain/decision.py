"""What a person decides about a conflict: which assertions lose, and whether that is what the ladder had recommended.

Rules: a decision about one attribute ends the assertions on the other sides of every conflict that the selected memory
is on a side of, and nothing else. It is taken on what the person saw: when the carriers are no longer those named, or
the recommendation that was accepted is no longer given, it is refused and the difference named. A deferred conflict
stays as it is. A human decision weighs as much as a flag of DECIDED_IMPORTANCE.
It does not know the database, nor how a decision is undone.
Source: REQUIREMENTS C9; the importance is the reference product's.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from uuid import UUID

from shared.domain.errors import Conflict
from shared.domain.findings import Contradiction
from shared.domain.opposition import Assertion, opposed
from shared.domain.setting import Policy

DECIDED_IMPORTANCE = 0.95  # the reference product's
NAMED_MAX = 20  # ids named in an error; more would not fit into a gRPC status


@unique
class Action(StrEnum):
    """What was decided: about a conflict the first three, about one memory the others."""

    ACCEPT = "accept"
    OVERRIDE = "override"
    DEFER = "defer"
    CORRECT = "correct"
    INCORRECT = "incorrect"


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person asks for. `action` None: accept or override, whichever it is; `targets` None: all who oppose."""

    selected: UUID | None
    action: Action | None = None
    targets: frozenset[UUID] | None = None
    finding_id: str | None = None


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a choice amounts to. `carriers` are all memories on any side, `losers` those of the other sides."""

    action: Action
    conflicts: tuple[Contradiction, ...]
    carriers: frozenset[UUID]
    losers: frozenset[UUID]


def rule(assertions: Sequence[Assertion], policy: Policy, tenant: UUID, choice: Choice) -> Ruling:
    """Return what a choice about one attribute of a record amounts to.

    Raises: Conflict CONFLICT_CHANGED, RECOMMENDATION_CHANGED.
    """
    found = [
        one
        for one in opposed(assertions, policy)
        if choice.finding_id in (None, one.contradiction.id(tenant))
        and (choice.selected is None or choice.selected in _memories(one.sides))
    ]
    carriers = {memory_id for one in found for memory_id in _memories(one.sides)}
    if not found:
        believed = {a.carrier.memory_id for a in assertions if a.ended_at is None}
        raise Conflict(
            "CONFLICT_CHANGED",
            "there is no such conflict any more that the selected memory is part of",
            metadata={"carriers": _named(believed)},
        )
    own = {
        memory_id
        for one in found
        for side in one.sides
        if choice.selected in (members := _memories([side]))
        for memory_id in members
    }
    losers = frozenset(carriers - own) if choice.selected is not None else frozenset[UUID]()
    check_seen(choice, losers, carriers)
    is_recommended = choice.selected is not None and all(
        one.contradiction.resolution.recommended_memory_id in own for one in found
    )
    contradictions = tuple(one.contradiction for one in found)
    recommended = contradictions[0].resolution.recommended_memory_id
    return Ruling(action_of(choice, recommended, is_recommended), contradictions, frozenset(carriers), losers)


def action_of(choice: Choice, recommended: UUID, is_recommended: bool) -> Action:
    """Return what a choice is, given whom the ladder recommends.

    Raises: Conflict RECOMMENDATION_CHANGED for a recommendation that is accepted and not given.
    """
    if choice.action is Action.DEFER:
        return Action.DEFER
    if choice.action is Action.ACCEPT and not is_recommended:
        raise Conflict(
            "RECOMMENDATION_CHANGED",
            f"memory {recommended} is recommended now",
            metadata={"recommended_memory_id": str(recommended)},
        )
    return Action.ACCEPT if is_recommended else Action.OVERRIDE


def check_seen(choice: Choice, losers: Collection[UUID], carriers: Collection[UUID]) -> None:
    """Compare the targets that a person named with those there are; who agrees with the selected one may be named too.

    Raises: Conflict CONFLICT_CHANGED.
    """
    if choice.targets is None:
        return
    missing, surplus = set(losers) - choice.targets, choice.targets - set(carriers)
    if missing or surplus:
        raise Conflict(
            "CONFLICT_CHANGED",
            f"the memories that carry another value have changed: {len(missing)} more, {len(surplus)} fewer than named",
            metadata={"not_named": _named(missing), "not_carriers": _named(surplus)},
        )


def _memories(sides: Sequence[Sequence[Assertion]]) -> set[UUID]:
    return {assertion.carrier.memory_id for side in sides for assertion in side}


def _named(memory_ids: Collection[UUID]) -> str:
    listed = sorted(map(str, memory_ids))[:NAMED_MAX]
    return ", ".join(listed) + (", …" if len(memory_ids) > NAMED_MAX else "")
