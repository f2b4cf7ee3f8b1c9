"""Checking a memory before it is written, and the identity by which an identical one is found again.

Rules: every field that is wrong is named, at most 20 of them. Text is stored in NFC; labels lose outer white space,
and a blank label is an absent one. Two drafts are the same memory when their identities are equal: the tags, the
importance and the type say how a memory is kept, not what it says, and are no part of it.
It does not know ids, clocks or the database.
Source: REQUIREMENTS A2, A3.
"""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from hashlib import sha256
from typing import TypeVar
from uuid import UUID

from shared.domain import metadata
from shared.domain.errors import InvalidArgument, Violation
from shared.domain.periods import canonical_period
from shared.domain.records import KEY_MAX_BYTES, record_key
from shared.domain.text import company_key, nfc, refused_character
from shared.domain.types import Draft, Guard, MemoryKind, MemoryType

CONTENT_MAX_CHARS = 32_000  # A3
LABEL_MAX_CHARS = 256  # company, counterparty, speaker, session: chosen, untested
RECORD_MAX_CHARS = 512  # record, source_ref and each reference: chosen, untested
TAG_MAX_CHARS = 128  # chosen, untested
TAGS_MAX = 64  # chosen, untested
REFERENCES_MAX = 64  # chosen, untested
DERIVED_FROM_MAX = 64  # chosen, untested
SOURCE_MEMORIES_MAX = 1_000  # the size of a batch (A4)
VIOLATIONS_MAX = 20  # more would not fit into the details of a gRPC status (16 KiB of metadata)

# The ends of the calendar: database drivers read them as infinite.
_FIRST_INSTANT, _LAST_INSTANT = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)

_E = TypeVar("_E", bound=StrEnum)


class _Checker:
    """Collects what is wrong while the fields are normalised one by one."""

    def __init__(self, prefix: str, zone: tzinfo | None) -> None:
        self._prefix = prefix
        self._zone = zone
        self.violations: list[Violation] = []

    def refuse(self, field: str, reason: str, description: str) -> None:
        self.violations.append(Violation(self._prefix + field, reason, description))

    def text(self, field: str, value: str, max_chars: int, too_long: str) -> str:
        name = refused_character(value)
        if name is not None:
            self.refuse(field, "FORBIDDEN_CHARACTER", f"holds {name}")
            return ""
        normal = nfc(value)
        if len(normal) > max_chars:
            self.refuse(field, too_long, f"has {len(normal)} characters; at most {max_chars}")
        return normal

    def content(self, value: str) -> str:
        before = len(self.violations)
        normal = self.text("content", value, CONTENT_MAX_CHARS, "CONTENT_TOO_LONG")
        if not normal.strip() and len(self.violations) == before:
            self.refuse("content", "CONTENT_EMPTY", "must not be blank")
        return normal

    def label(self, field: str, value: str | None, max_chars: int = LABEL_MAX_CHARS) -> str | None:
        return self.text(field, (value or "").strip(), max_chars, "LABEL_TOO_LONG") or None

    def company(self, field: str, value: str | None) -> str | None:
        normal = self.label(field, value)
        if normal and len(company_key(normal).encode()) > KEY_MAX_BYTES:
            self.refuse(field, "LABEL_TOO_LONG", f"folds to more than {KEY_MAX_BYTES} bytes")
        return normal

    def labels(
        self, field: str, values: Sequence[str], max_items: int, max_chars: int, too_many: str
    ) -> tuple[str, ...]:
        if len(values) > max_items:
            self.refuse(field, too_many, f"has {len(values)} entries; at most {max_items}")
            return ()
        found = (self.label(f"{field}[{position}]", value, max_chars) for position, value in enumerate(values))
        return tuple(dict.fromkeys(label for label in found if label))

    def ids(self, field: str, values: Sequence[UUID], max_items: int) -> tuple[UUID, ...]:
        if len(values) > max_items:
            self.refuse(field, "TOO_MANY_IDS", f"has {len(values)} entries; at most {max_items}")
            return ()
        return tuple(dict.fromkeys(values))

    def word(self, field: str, value: str, words: type[_E]) -> _E | None:
        try:
            return words(value)
        except ValueError:
            reason = f"{field.removeprefix('memory_').upper()}_{'UNKNOWN' if value else 'MISSING'}"
            self.refuse(field, reason, f"must be one of {', '.join(words)}")
            return None

    def period(self, value: str | None) -> str | None:
        label = self.label("period", value)
        canonical = canonical_period(label) if label else None
        if label and canonical is None:
            self.refuse("period", "PERIOD_INVALID", "must be YYYY, YYYY-Qn, YYYY-MM or YYYY-MM-DD")
        return canonical

    def importance(self, value: float | None) -> float | None:
        if value is not None and not (math.isfinite(value) and 0 <= value <= 1):
            self.refuse("importance", "IMPORTANCE_OUT_OF_RANGE", "must be between 0 and 1")
        return value

    def instant(self, field: str, value: datetime | None) -> datetime | None:
        if value is None:
            return None
        if value.utcoffset() is None:
            if self._zone is None:
                self.refuse(field, "TIME_NAIVE", "needs an offset from UTC, such as 2026-05-01T09:00:00Z")
                return None
            value = value.replace(tzinfo=self._zone)
        try:
            value = value.astimezone(UTC)
        except OverflowError:
            value = _FIRST_INSTANT
        if not _FIRST_INSTANT < value < _LAST_INSTANT:
            self.refuse(field, "TIME_INVALID", "is outside the years 1 to 9999")
            return None
        return value


def check(
    *,
    kind: str,
    content: str,
    company: str | None = None,
    period: str | None = None,
    record: str | None = None,
    source_ref: str | None = None,
    counterparty: str | None = None,
    speaker: str | None = None,
    session: str | None = None,
    tags: Sequence[str] = (),
    metadata_json: str | None = None,
    importance: float | None = None,
    pinned: bool = False,
    observed_at: datetime | None = None,
    expires_at: datetime | None = None,
    memory_type: str | None = None,
    references: Sequence[str] = (),
    derived_from: Sequence[UUID] = (),
    source_memory_ids: Sequence[UUID] = (),
    protection: Guard = Guard.NONE,
    zone: tzinfo | None = None,
    prefix: str = "",
) -> Draft:
    """Return the draft, normalised; `zone` reads naive times, `prefix` goes before every field name (`memories[3].`).

    Raises: InvalidArgument naming every wrong field, at most 20.
    """
    checker = _Checker(prefix, zone)
    written = metadata_json or "{}"
    checker.violations.extend(metadata.violations_of(written, f"{prefix}metadata"))
    draft = Draft(
        kind=checker.word("kind", kind, MemoryKind) or MemoryKind.DOCUMENT,
        content=checker.content(content),
        company=checker.company("company", company),
        period=checker.period(period),
        record=checker.label("record", record, RECORD_MAX_CHARS),
        source_ref=checker.label("source_ref", source_ref, RECORD_MAX_CHARS),
        counterparty=checker.company("counterparty", counterparty),
        speaker=checker.label("speaker", speaker),
        session=checker.label("session", session),
        tags=checker.labels("tags", tags, TAGS_MAX, TAG_MAX_CHARS, "TOO_MANY_TAGS"),
        metadata_json=written,
        importance=checker.importance(importance),
        pinned=pinned,
        observed_at=checker.instant("observed_at", observed_at),
        expires_at=checker.instant("expires_at", expires_at),
        memory_type=checker.word("memory_type", memory_type, MemoryType) if memory_type else None,
        references=checker.labels("references", references, REFERENCES_MAX, RECORD_MAX_CHARS, "TOO_MANY_REFERENCES"),
        derived_from=checker.ids("derived_from", derived_from, DERIVED_FROM_MAX),
        source_memory_ids=checker.ids("source_memory_ids", source_memory_ids, SOURCE_MEMORIES_MAX),
        protection=protection,
    )
    if draft.observed_at and draft.expires_at and draft.expires_at <= draft.observed_at:
        checker.refuse("expires_at", "TIME_INVALID", "must be after observed_at")
    if checker.violations:
        raise InvalidArgument.of_all(tuple(checker.violations[:VIOLATIONS_MAX]))
    return draft


def identity(draft: Draft) -> tuple[str | None, ...]:
    """Return what makes two drafts of one tenant the same memory; None marks what was not given."""
    return (
        draft.kind.value,
        company_key(draft.company or "") or None,
        draft.period,
        record_key(draft.record, draft.source_ref),
        company_key(draft.counterparty or "") or None,
        draft.content,
        metadata.canonical_json(metadata.parse(draft.metadata_json)),
        draft.observed_at.astimezone(UTC).isoformat(timespec="microseconds") if draft.observed_at else None,
        draft.speaker,
        draft.session,
        draft.source_ref,
    )


def identity_hash(tenant: UUID, draft: Draft) -> bytes:
    """Return 32 bytes that are equal for identical drafts of one tenant only."""
    digest = sha256(tenant.bytes)
    for part in identity(draft):
        encoded = b"" if part is None else part.encode()
        # A length before each part keeps ("ab", "c") and ("a", "bc") apart; -1 keeps absent and empty apart.
        digest.update((-1 if part is None else len(encoded)).to_bytes(8, "big", signed=True))
        digest.update(encoded)
    return digest.digest()
