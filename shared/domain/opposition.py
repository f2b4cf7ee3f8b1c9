"""Where assertions about one attribute of one record oppose each other, and what time or a writer has settled.

Rules: assertions with different given counterparties, periods or currencies never meet; one that gives none meets
all, so the group is looked at once for each combination given. Within it, values that do not agree (equality.py) are
a contradiction when their valid times can overlap; a time that is not known overlaps all. The time of writing alone
settles nothing: two sessions that remembered a record differently *is* the finding. Superseded is what its writer
ended as such, and, for attributes declared stateful, an observation older than another one. What ended otherwise
(incorrect, merged, forgotten, decided) says nothing any more. Values of an attribute declared multi-valued never oppose
each other.
It does not know the database; the caller brings all assertions of one (company key, record key, attribute).
Source: REQUIREMENTS C2, C4; order of values as in the reference product's field audit.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

from shared.domain import equality
from shared.domain.claims import Claim
from shared.domain.findings import VALUES_MAX, Contradiction, Superseded, Value, speaker_of, value_of
from shared.domain.ladder import Carrier, Side, latest, resolve
from shared.domain.setting import NOTHING_DECLARED, Policy
from shared.domain.types import MemoryState

SHARED_MAX_COPIES = 100_000  # of assertions that meet all scopes; 2,000 in 2,000 scopes took 22 s, cut to this 2 s

_BEGINNING = datetime.min.replace(tzinfo=UTC)
_END = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Assertion:
    """What one memory claims of one attribute of a record. Valid from `carrier.observed_at`, inclusive."""

    carrier: Carrier
    claim: Claim
    company: str | None
    company_key: str
    record: str
    record_key: str
    counterparty_key: str | None = None
    period: str | None = None
    session: str | None = None
    valid_to: datetime | None = None  # exclusive
    ended_at: datetime | None = None
    ended_reason: str | None = None

    @property
    def valid(self) -> tuple[datetime, datetime]:
        """The interval in which the fact may hold: start inclusive, end exclusive."""
        return self.carrier.observed_at or _BEGINNING, self.valid_to or _END


@dataclass(frozen=True, slots=True)
class GroupVerdict:
    """All that is to be said about one attribute of one record."""

    contradictions: tuple[Contradiction, ...] = ()
    superseded: tuple[Superseded, ...] = ()


Bucket = list[Assertion]
_Scope = tuple[str | None, ...]
_AXES = ("counterparty", "period", "currency")


@dataclass(frozen=True, slots=True)
class Opposed:
    """A contradiction with everyone on its sides: the report's lists are capped, these are not."""

    contradiction: Contradiction
    sides: tuple[tuple[Assertion, ...], ...]


def judge_group(assertions: Sequence[Assertion], policy: Policy = NOTHING_DECLARED) -> GroupVerdict:
    """Judge all assertions of one company key, record key and attribute by what the tenant has declared.

    Raises: ValueError when the assertions are of different attributes or records.
    """
    superseded: list[Superseded] = []
    contradictions = tuple(found.contradiction for found in _judged(assertions, policy, superseded))
    return GroupVerdict(contradictions, tuple(dict.fromkeys(superseded)))


def opposed(assertions: Sequence[Assertion], policy: Policy = NOTHING_DECLARED) -> tuple[Opposed, ...]:
    """Return the contradictions of a group with all that is on their sides.

    Raises: ValueError when the assertions are of different attributes or records.
    """
    return tuple(_judged(assertions, policy, []))


def _judged(assertions: Sequence[Assertion], policy: Policy, superseded: list[Superseded]) -> Iterator[Opposed]:
    """Yield the contradictions of a group and collect its supersessions."""
    if len({(a.company_key, a.record_key, a.claim.attribute) for a in assertions}) > 1:
        raise ValueError("a group is of one company, record and attribute")
    ordered = sorted(assertions, key=_order)
    believed = [assertion for assertion in ordered if assertion.ended_at is None]
    superseded.extend(_ended_by_writer(ordered, believed))
    if not believed or policy.is_multi_valued(believed[0].claim.attribute):
        return
    attribute = believed[0].claim.attribute
    several = tuple(len({given for a in believed if (given := _given(a)[axis])}) > 1 for axis in range(len(_AXES)))
    for scope, members in _scopes(believed):
        buckets = _buckets(members, policy.tolerances.get(attribute))
        if len(buckets) < 2:
            continue
        if policy.is_stateful(attribute):
            buckets, settled = _settle_by_time(buckets)
            superseded.extend(settled)
        sides = _overlapping(buckets)
        if len(sides) > 1:
            needed = tuple(f"{axis}={given}" for axis, given, many in zip(_AXES, scope, several, strict=True) if many)
            yield Opposed(_contradiction(sides, scope, needed), tuple(map(tuple, sides)))


def _order(assertion: Assertion) -> tuple[datetime, datetime, str, str]:
    carrier = assertion.carrier
    return carrier.effective_at, carrier.recorded_at, carrier.memory_id.hex, carrier.raw


def _given(assertion: Assertion) -> _Scope:
    return assertion.counterparty_key, assertion.period, assertion.claim.currency


def _scopes(members: Sequence[Assertion], scope: _Scope = ()) -> Iterator[tuple[_Scope, Sequence[Assertion]]]:
    """Yield each combination of given counterparty, period and currency with what gives it or nothing."""
    axis = len(scope)
    if axis == len(_AXES):
        yield scope, members
        return
    by_given: dict[str | None, Bucket] = {}
    for member in members:
        by_given.setdefault(_given(member)[axis], []).append(member)
    free = by_given.pop(None, [])
    if not by_given:
        yield from _scopes(members, (*scope, None))
        return
    free = free[-max(SHARED_MAX_COPIES // len(by_given), 1) :]  # the latest, where there are too many
    for given in sorted(key for key in by_given if key is not None):
        both = sorted([*by_given[given], *free], key=_order) if free else by_given[given]
        yield from _scopes(both, (*scope, given))


def _buckets(members: Sequence[Assertion], declared: Decimal | None) -> list[Bucket]:
    if len({member.claim.canonical for member in members}) < 2:
        return [list(members)]
    return [[members[i] for i in bucket] for bucket in equality.buckets([member.claim for member in members], declared)]


def _settle_by_time(buckets: Sequence[Bucket]) -> tuple[list[Bucket], list[Superseded]]:
    """Take out the dated assertions that a later dated one with another value has overtaken."""
    dated = [(a.carrier.observed_at, i) for i, bucket in enumerate(buckets) for a in bucket if a.carrier.observed_at]
    if not dated:
        return list(buckets), []
    newest = max(moment for moment, _ in dated)
    current = {i for moment, i in dated if moment == newest}
    kept, settled = [], []
    for i, bucket in enumerate(buckets):
        old = [] if i in current else [a for a in bucket if a.carrier.observed_at]
        if old:
            holder = [a for j in sorted(current) for a in buckets[j] if a.carrier.observed_at == newest]
            settled.append(_superseded(old, holder))
        kept.append([a for a in bucket if a not in old] if old else bucket)
    return [bucket for bucket in kept if bucket], settled


def _overlapping(buckets: Sequence[Bucket]) -> list[Bucket]:
    """Keep the assertions whose valid time overlaps that of one in another bucket."""
    whole = _Intervals([a for bucket in buckets for a in bucket])
    found = []
    for bucket in buckets:
        own = _Intervals(bucket)
        kept = [a for a in bucket if whole.overlapping(a) > own.overlapping(a)]
        if kept:
            found.append(kept)
    return found


class _Intervals:
    """Counts overlaps by two binary searches instead of comparing every pair."""

    def __init__(self, assertions: Sequence[Assertion]) -> None:
        real = [(start, end) for start, end in (a.valid for a in assertions) if start < end]
        self._starts = sorted(start for start, _ in real)
        self._ends = sorted(end for _, end in real)

    def overlapping(self, assertion: Assertion) -> int:
        start, end = assertion.valid
        if start >= end:
            return 0
        return bisect_left(self._starts, end) - bisect_right(self._ends, start)


def _contradiction(buckets: Sequence[Bucket], scope: _Scope, needed: tuple[str, ...]) -> Contradiction:
    sides = [[a.carrier for a in bucket] for bucket in buckets]
    resolution = resolve([Side(latest(carriers).raw, tuple(carriers)) for carriers in sides])
    values = sorted(
        (_value(bucket, speaker_of(side, resolution)) for bucket, side in zip(buckets, sides, strict=True)),
        key=lambda value: (value.observed_at or value.recorded_at, value.recorded_at, value.memory_id, value.value),
    )
    first = min((a for bucket in buckets for a in bucket), key=_order)
    return Contradiction(
        subject=first.record,
        company=first.company,
        company_key=first.company_key,
        record_key=first.record_key,
        attribute=first.claim.attribute,
        counterparty_key=scope[0],
        period=scope[1],
        currency=scope[2],
        scope=needed,
        values=tuple(_capped(values, resolution.recommended_memory_id.int)),
        value_count=len(values),
        resolution=resolution,
    )


def _capped(values: Sequence[Value], recommended: int) -> Sequence[Value]:
    if len(values) <= VALUES_MAX:
        return values
    winner = next(i for i, value in enumerate(values) if value.memory_id.int == recommended)
    return values[:VALUES_MAX] if winner < VALUES_MAX else [*values[: VALUES_MAX - 1], values[winner]]


def _value(bucket: Sequence[Assertion], speaking: Carrier) -> Value:
    session = next(a.session for a in bucket if a.carrier is speaking)
    return value_of([a.carrier for a in bucket], speaking, session)


def _ended_by_writer(ordered: Sequence[Assertion], believed: Sequence[Assertion]) -> Iterator[Superseded]:
    """Yield each former value that its writer superseded and that differs from the value now believed in its scope."""
    former: dict[tuple[str | None, str | None, str], Bucket] = {}
    for assertion in ordered:
        if assertion.ended_at is not None and assertion.ended_reason == MemoryState.SUPERSEDED:
            key = (assertion.counterparty_key, assertion.period, assertion.claim.canonical)
            former.setdefault(key, []).append(assertion)
    for (counterparty_key, period, _), bucket in former.items():
        current = [
            a
            for a in believed
            if _meet(a.counterparty_key, counterparty_key) and _meet(a.period, period)
        ]  # fmt: skip
        holder = max(current, key=_order, default=None)
        if holder is not None and not equality.agree(holder.claim, bucket[0].claim):
            yield _superseded(bucket, [holder])


def _meet(a: str | None, b: str | None) -> bool:
    return a is None or b is None or a == b


def _superseded(former: Sequence[Assertion], current: Sequence[Assertion]) -> Superseded:
    holder = latest([a.carrier for a in current])
    first = current[0]
    return Superseded(
        subject=first.record,
        company=first.company,
        company_key=first.company_key,
        record_key=first.record_key,
        attribute=first.claim.attribute,
        former=_value(former, latest([a.carrier for a in former])),
        current=_value(current, holder),
    )
