"""What looks after memory: audits, decisions, jobs and keys as frozen results.

Rules: as in `results`. A key's own text is in `NewKey` and `RotatedKey` alone and is left out of their repr, so that no
log shows it. It does not know where they come from.
Source: docs/api.md; `/openapi.json`, which tests hold these fields against.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from .results import AssertedValue, Contradiction, Resolution


@dataclass(frozen=True, slots=True)
class Supersession:
    """A value that a later one took the place of, as declared."""

    finding_id: str
    subject: str
    company: str | None
    attribute: str
    former: AssertedValue | None
    current: AssertedValue | None


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Memories that say the same."""

    finding_id: str
    subject: str | None
    company: str | None
    memory_ids: tuple[str, ...]
    memory_count: int


@dataclass(frozen=True, slots=True)
class Referrer:
    """A memory that names a record which is not there."""

    memory_id: str
    source_ref: str | None


@dataclass(frozen=True, slots=True)
class Absence:
    """A record that is named or expected, and never captured."""

    finding_id: str
    subject: str
    company: str | None
    referenced_by: tuple[Referrer, ...]
    referrer_count: int
    expected: str | None


@dataclass(frozen=True, slots=True)
class StaleDependency:
    """A memory that rests on what is no longer believed."""

    finding_id: str
    memory_id: str
    source_ref: str | None
    subject: str | None
    company: str | None
    depends_on: str
    attribute: str
    former: AssertedValue | None
    current: AssertedValue | None


@dataclass(frozen=True, slots=True)
class AuditReport:
    """An audit of the whole tenant, of at most 1,000 findings; `truncated` says when there are more."""

    audited: int
    subjects: int
    contradictions: tuple[Contradiction, ...]
    superseded: tuple[Supersession, ...]
    duplicates: tuple[Duplicate, ...]
    absences: tuple[Absence, ...]
    stale: tuple[StaleDependency, ...]
    ok: bool
    truncated: bool
    policy_version: str
    known_at: datetime | None
    next_since: str
    delta: bool


@dataclass(frozen=True, slots=True)
class AuditedMemory:
    """One side of a pair."""

    memory_id: str
    kind: str
    company: str | None
    period: str | None
    source_ref: str | None
    content: str
    observed_at: datetime | None
    recorded_at: datetime | None


@dataclass(frozen=True, slots=True)
class JudgeWord:
    """What a judge said of a pair; `confidence` orders verdicts and is no probability."""

    confidence: float
    reason: str
    model: str
    cached: bool


@dataclass(frozen=True, slots=True)
class SemanticContradiction:
    """Two memories that oppose each other in words, oldest first."""

    finding_id: str
    similarity: float
    memories: tuple[AuditedMemory, ...]
    judge: JudgeWord | None
    resolution: Resolution | None


@dataclass(frozen=True, slots=True)
class UnjudgedPair:
    """Two memories without a verdict, and why."""

    memory_ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class MeaningReport:
    """An audit by meaning, complete, partial or inconclusive; `resume_token` goes on with the next pairs."""

    total_memories: int
    audited: int
    candidate_pairs: int
    compared: int
    judged: int
    failed: int
    truncated: bool
    status: str
    errors: tuple[UnjudgedPair, ...]
    semantic_contradictions: tuple[SemanticContradiction, ...]
    superseded: tuple[SemanticContradiction, ...]
    ok: bool
    resume_token: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a decision about a conflict changed."""

    decision_id: str
    action: str
    subject: str
    attribute: str
    selected_memory_id: str | None
    superseded_memory_ids: tuple[str, ...]
    finding_ids: tuple[str, ...]
    actor: str
    reason: str
    resolved_at: datetime | None
    operation_id: str


@dataclass(frozen=True, slots=True)
class Job:
    """Work in the background: how far it is, and why not further."""

    id: str
    kind: str
    status: str
    attempts: int
    max_attempts: int
    due_at: datetime | None
    progress: int
    total: int | None
    last_error: str | None
    result: Any
    created_at: datetime | None
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class Key:
    """An API key without its text: what it may do, and how it is used."""

    key_id: str
    name: str
    scopes: tuple[str, ...]
    created_at: datetime | None
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    revoked_by: str
    replaced_by: str
    last_used_at: datetime | None
    recent_requests: int


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was made. `key` is shown this once."""

    key_id: str
    key: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class RotatedKey:
    """A key that takes the place of another, which works on until `old_expires_at`. `key` is shown this once."""

    key_id: str
    key: str = field(repr=False)
    old_expires_at: datetime | None
