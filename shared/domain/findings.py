"""What an audit reports: contradictions, supersessions, duplicates and absences, each under an id that stays the same.

Rules: lists of memories are sorted and capped, their counts are not. A finding keeps its id while its subject stays
the same, whatever its values do. LEAVES_OK says which kinds only inform.
It does not know how contradictions are found (opposition.py) nor where findings are kept.
Source: REQUIREMENTS C2, C8; order of reports as in the reference product's field audit.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum, unique
from hashlib import sha256
from uuid import UUID

from shared.domain.ladder import Carrier, Resolution, latest

MEMORIES_MAX = 100  # ids listed of the carriers of a value, the copies of a content, the referrers of a record
VALUES_MAX = 50  # values listed of one contradiction


@unique
class FindingKind(StrEnum):
    """What sort of finding it is; part of its id."""

    CONTRADICTION = "contradiction"
    SUPERSEDED = "superseded"
    DUPLICATE = "duplicate"
    ABSENCE = "absence"
    SEMANTIC = "semantic"
    STALE = "stale"


LEAVES_OK = frozenset((FindingKind.SUPERSEDED, FindingKind.DUPLICATE))


@unique
class FindingState(StrEnum):
    """Where a recorded finding stands."""

    OPEN = "open"
    ACKNOWLEDGED = "acknowledged"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class Value:
    """One value as its speaking memory wrote it, and who else carries it."""

    memory_id: UUID
    carrier_memory_ids: tuple[UUID, ...]  # sorted, at most MEMORIES_MAX, the speaking one always among them
    carrier_count: int
    source_ref: str | None
    session: str | None
    value: str  # one JSON scalar
    observed_at: datetime | None
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A record's attribute with different values that may hold at the same time.

    `counterparty_key`, `period` and `currency` are what all sides share, where given; `scope` is the part of them that
    the finding's id needs, because the record has several.
    """

    subject: str
    company: str | None
    company_key: str
    record_key: str
    attribute: str
    counterparty_key: str | None
    period: str | None
    currency: str | None
    scope: tuple[str, ...]
    values: tuple[Value, ...]  # oldest first, at most VALUES_MAX, the recommended one always among them
    value_count: int
    resolution: Resolution

    def id(self, tenant: UUID) -> str:
        """Return the finding's stable id."""
        kind = FindingKind.CONTRADICTION
        return finding_id(tenant, kind, self.company_key, self.record_key, self.attribute, *self.scope)


@dataclass(frozen=True, slots=True)
class Superseded:
    """A value that no longer holds and the one that took its place."""

    subject: str
    company: str | None
    company_key: str
    record_key: str
    attribute: str
    former: Value
    current: Value

    def id(self, tenant: UUID) -> str:
        """Return the finding's stable id, one for each pair of memories and moments."""
        pair = (str(self.former.memory_id), self.former.recorded_at.isoformat(), str(self.current.memory_id))
        return finding_id(tenant, FindingKind.SUPERSEDED, self.company_key, self.record_key, self.attribute, *pair)


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Memories of one record that say the same."""

    memory_ids: tuple[UUID, ...]  # sorted, at most MEMORIES_MAX
    memory_count: int
    company: str | None
    company_key: str
    record_key: str
    content_hash: bytes

    def id(self, tenant: UUID) -> str:
        """Return the finding's stable id."""
        content = self.content_hash.hex()
        return finding_id(tenant, FindingKind.DUPLICATE, self.company_key, self.record_key, content)


@dataclass(frozen=True, slots=True)
class Referrer:
    """A memory that refers to a record."""

    memory_id: UUID
    source_ref: str | None


@dataclass(frozen=True, slots=True)
class Absence:
    """A record that was never captured: one that is referred to, or the counterpart `expected` of the subject."""

    subject: str
    company: str | None
    company_key: str
    record_key: str
    referenced_by: tuple[Referrer, ...]  # by id, at most MEMORIES_MAX
    referrer_count: int
    expected: str | None = None

    def id(self, tenant: UUID) -> str:
        """Return the finding's stable id."""
        expected = (self.expected,) if self.expected else ()
        return finding_id(tenant, FindingKind.ABSENCE, self.company_key, self.record_key, *expected)


@dataclass(frozen=True, slots=True)
class Copy:
    """An open memory of a record, by its content."""

    memory_id: UUID
    company: str | None
    company_key: str
    record_key: str
    content_hash: bytes


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference from a memory to a record of its own company, any counterparty or period."""

    referrer: Referrer
    company: str | None
    company_key: str
    target: str
    target_key: str


def finding_id(tenant: UUID, kind: FindingKind, *parts: str) -> str:
    """Return 64 hexadecimal digits that are the same for the same tenant, kind and subject only."""
    digest = sha256(tenant.bytes)
    for part in (kind.value, *parts):
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.hexdigest()


def pair_finding_id(tenant: UUID, a: UUID, b: UUID) -> str:
    """Return the stable id of a finding about what two memories mean, whichever comes first."""
    return finding_id(tenant, FindingKind.SEMANTIC, *sorted((str(a), str(b))))


def value_of(carriers: Sequence[Carrier], speaking: Carrier, session: str | None) -> Value:
    """Return the report's entry for the carriers of one value."""
    ids = sorted({carrier.memory_id for carrier in carriers})
    listed = ids[:MEMORIES_MAX]
    if speaking.memory_id not in listed:
        listed = sorted([*ids[: MEMORIES_MAX - 1], speaking.memory_id])
    return Value(
        speaking.memory_id,
        tuple(listed),
        len(ids),
        speaking.source_ref,
        session,
        speaking.raw,
        speaking.observed_at,
        speaking.recorded_at,
    )


def speaker_of(carriers: Sequence[Carrier], resolution: Resolution) -> Carrier:
    """Return the recommended memory where it is among the carriers, else the latest one."""
    recommended = [carrier for carrier in carriers if carrier.memory_id == resolution.recommended_memory_id]
    return latest(recommended or carriers)


def duplicates(copies: Iterable[Copy]) -> tuple[Duplicate, ...]:
    """Return the groups of two or more memories of one record with equal content, by company, record and content."""
    groups: defaultdict[tuple[str, str, bytes], dict[UUID, Copy]] = defaultdict(dict)
    for copy in copies:
        groups[copy.company_key, copy.record_key, copy.content_hash][copy.memory_id] = copy
    found = []
    for (company_key, record_key, content_hash), members in sorted(groups.items()):
        if len(members) > 1:
            ids = sorted(members)
            label = members[ids[0]].company
            found.append(Duplicate(tuple(ids[:MEMORIES_MAX]), len(ids), label, company_key, record_key, content_hash))
    return tuple(found)


def absences(references: Iterable[Reference], known: Collection[tuple[str, str]]) -> tuple[Absence, ...]:
    """Return the records referred to and not known, by subject; `known` holds the (company key, record key) stored."""
    missing: defaultdict[tuple[str, str], dict[UUID, Reference]] = defaultdict(dict)
    for reference in references:
        key = (reference.company_key, reference.target_key)
        if key not in known:
            missing[key][reference.referrer.memory_id] = reference
    found = []
    for (company_key, record_key), by_referrer in missing.items():
        ordered = [by_referrer[memory_id] for memory_id in sorted(by_referrer)]
        referrers = tuple(reference.referrer for reference in ordered[:MEMORIES_MAX])
        first = ordered[0]
        found.append(Absence(first.target, first.company, company_key, record_key, referrers, len(ordered)))
    return tuple(sorted(found, key=lambda absence: (absence.subject, absence.company_key)))
