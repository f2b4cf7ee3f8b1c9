"""Dependencies: a memory that rests on a fact of a record, and whether that fact is still the one it rested on.

Rules: a writer names the records in the metadata key `depends_on`: one record id or a list of them. The memory is stale
when an attribute of such a record had a value at the instant the memory was recorded, has one now, and no value of then
agrees with one of now that speaks of the same counterparty and period. A contradiction is no change: while the former
value is still believed, nothing is stale. Of a stateful attribute only the values observed last count; a multi-valued
one never changes. Recording the memory anew, by a patch, confirms it. It does not know how dependencies are found.
Source: REQUIREMENTS C2.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from shared.domain import equality
from shared.domain.findings import FindingKind, Value, finding_id, value_of
from shared.domain.ladder import latest
from shared.domain.metadata import NumberLiteral, parse_literals
from shared.domain.opposition import Assertion
from shared.domain.setting import NOTHING_DECLARED, Policy

DEPENDENCY_KEY = "depends_on"
DEPENDENCIES_MAX = 64  # as many as references; the rest of a longer list is not looked at


@dataclass(frozen=True, slots=True)
class Dependent:
    """A memory that depends on a record. `recorded_at` is of its current revision."""

    memory_id: UUID
    source_ref: str | None
    record: str | None  # its own, as written
    company: str | None
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Stale:
    """A memory that rests on a value which has another one's place taken since."""

    dependent: Dependent
    depends_on: str
    company_key: str
    record_key: str
    attribute: str
    former: Value
    current: Value

    def id(self, tenant: UUID) -> str:
        """Return the finding's stable id."""
        parts = (self.company_key, self.record_key, self.attribute, str(self.dependent.memory_id))
        return finding_id(tenant, FindingKind.STALE, *parts)


def dependencies_of(metadata_json: str) -> tuple[str, ...]:
    """Return the record ids that a checked metadata text names as what its memory depends on, in its order."""
    if DEPENDENCY_KEY not in metadata_json and "\\" not in metadata_json:
        return ()  # spares most memories a second reading
    given = parse_literals(metadata_json).get(DEPENDENCY_KEY)
    entries = given if isinstance(given, list) else [given]
    named = [entry for entry in entries if isinstance(entry, NumberLiteral | str) and entry.strip()]
    return tuple(dict.fromkeys(str(entry) for entry in named))[:DEPENDENCIES_MAX]


def stale(
    dependent: Dependent, groups: Iterable[Sequence[Assertion]], policy: Policy = NOTHING_DECLARED
) -> tuple[Stale, ...]:
    """Return what changed of a record since the memory was recorded; a group is all that was said of one attribute."""
    found = []
    for group in groups:
        attribute = group[0].claim.attribute
        if policy.is_multi_valued(attribute):
            continue
        is_stateful = policy.is_stateful(attribute)
        then = _held([a for a in group if _believed_at(a, dependent.recorded_at)], is_stateful)
        now = _held([a for a in group if a.ended_at is None], is_stateful)
        pairs = [(a, b) for a in _distinct(then) for b in _distinct(now) if _meet(a, b)]
        tolerance = policy.tolerances.get(attribute)
        if pairs and not any(len(equality.buckets((a.claim, b.claim), tolerance)) == 1 for a, b in pairs):
            former, current = _latest([a for a, _ in pairs]), _latest([b for _, b in pairs])
            found.append(
                Stale(
                    dependent=dependent,
                    depends_on=current.record,
                    company_key=current.company_key,
                    record_key=current.record_key,
                    attribute=attribute,
                    former=_value(former, then),
                    current=_value(current, now),
                )
            )
    return tuple(found)


def _believed_at(assertion: Assertion, moment: datetime) -> bool:
    begun = assertion.carrier.recorded_at <= moment
    return begun and (assertion.ended_at is None or assertion.ended_at > moment)


def _held(believed: Sequence[Assertion], is_stateful: bool) -> Sequence[Assertion]:
    dated = [a.carrier.observed_at for a in believed if a.carrier.observed_at]
    if not is_stateful or not dated:
        return believed
    return [a for a in believed if a.carrier.observed_at == max(dated)]


def _distinct(assertions: Sequence[Assertion]) -> Sequence[Assertion]:
    """Keep the latest of those that say the same of the same counterparty and period."""
    kept: dict[tuple[str, str | None, str | None], Assertion] = {}
    for one in assertions:
        key = (one.claim.canonical, one.counterparty_key, one.period)
        kept[key] = _latest([kept[key], one]) if key in kept else one
    return tuple(kept.values())


def _meet(a: Assertion, b: Assertion) -> bool:
    axes = ((a.counterparty_key, b.counterparty_key), (a.period, b.period))
    return all(x is None or y is None or x == y for x, y in axes)


def _latest(assertions: Sequence[Assertion]) -> Assertion:
    carrier = latest([a.carrier for a in assertions])
    return next(a for a in assertions if a.carrier is carrier)


def _value(speaking: Assertion, held: Sequence[Assertion]) -> Value:
    same = [a.carrier for a in held if a.claim.canonical == speaking.claim.canonical]
    return value_of(same, speaking.carrier, speaking.session)
