"""The words every layer shares: kinds, states, scopes, and the memory as its writer asks for it.

Rules: enum values are the words of the public API and of the database; they are never renamed. A `Draft` holds what
the caller said, checked by `draft.check` and not yet stored: it has no id and no recorded time.
It does not know how a memory is stored, ranked or audited.
Source: REQUIREMENTS A3, A8, F2.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum, unique
from typing import TypeAlias
from uuid import UUID

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | Decimal | bool | None"


@unique
class MemoryKind(StrEnum):
    """What sort of statement a memory is."""

    DOCUMENT = "document"
    PAYROLL_EVENT = "payroll_event"
    VALIDATION = "validation"
    INSIGHT = "insight"
    INVOICE = "invoice"
    ACTION = "action"
    NOTE = "note"
    TURN = "turn"


@unique
class MemoryState(StrEnum):
    """Whether a memory is believed now, and if not, which of the distinct ends it met."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    INCORRECT = "incorrect"
    MERGED = "merged"
    FORGOTTEN = "forgotten"
    ERASED = "erased"


@unique
class MemoryType(StrEnum):
    """How a memory ages: an event, a lasting fact, or a digest of several memories."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    CONSOLIDATED = "consolidated"


@unique
class Guard(StrEnum):
    """What keeps a statement from fading, beside a pin and an open finding."""

    NONE = "none"
    SAFETY = "safety"
    EXPLICIT = "explicit"
    COMMITMENT = "commitment"


@unique
class Scope(StrEnum):
    """What a credential may do."""

    READ = "read"
    WRITE = "write"
    AUDIT = "audit"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory as its writer asks for it: checked, normalised to NFC, not yet stored.

    Units: `importance` 0..1, None when nobody flagged one; `observed_at` and `expires_at` are aware instants.
    """

    kind: MemoryKind
    content: str
    company: str | None = None
    period: str | None = None  # YYYY, YYYY-Qn, YYYY-MM or YYYY-MM-DD
    record: str | None = None
    source_ref: str | None = None
    counterparty: str | None = None
    speaker: str | None = None
    session: str | None = None
    tags: tuple[str, ...] = ()
    metadata_json: str = "{}"  # the JSON object as the caller wrote it
    importance: float | None = None
    pinned: bool = False
    observed_at: datetime | None = None
    expires_at: datetime | None = None
    memory_type: MemoryType | None = None
    references: tuple[str, ...] = ()  # record ids this memory points at
    derived_from: tuple[UUID, ...] = ()  # memories whose recalled text it repeats
    source_memory_ids: tuple[UUID, ...] = ()  # memories it was consolidated from, or the turn it was told in
    protection: Guard = Guard.NONE  # given by enrichment, never by a caller
