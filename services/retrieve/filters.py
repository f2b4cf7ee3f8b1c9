"""From a request's filters to a scope.

Rules: every wrong field is named. Labels are compared in the form they are stored in (NFC, without outer white space),
keys after folding; a blank filter filters nothing. An instant in the future is now.
It does not know what a scope is read for.
Source: REQUIREMENTS B3.
"""

import math
from datetime import date, datetime
from typing import TypeAlias
from uuid import UUID

from candor.retrieve.v1.conflicts_pb2 import StreamConflictsRequest
from candor.retrieve.v1.memories_pb2 import CountMemoriesRequest, ListMemoriesRequest, StreamMemoriesRequest
from candor.retrieve.v1.recall_pb2 import RecallMemoriesRequest
from google.protobuf.message import Message

from shared.domain.draft import LABEL_MAX_CHARS, RECORD_MAX_CHARS, TAG_MAX_CHARS, TAGS_MAX
from shared.domain.errors import InvalidArgument, Violation
from shared.domain.periods import canonical_period, period_bounds
from shared.domain.records import reference_key
from shared.domain.text import company_key, nfc, refused_character
from shared.domain.types import MemoryState
from shared.rpc import wire
from shared.store.reads.conflicts import Limits
from shared.store.reads.scopes import Scope

Filtered: TypeAlias = RecallMemoriesRequest | ListMemoriesRequest | CountMemoriesRequest

LIMIT_MAX = 100  # of a list and of a recall; the contract's


class Reader:
    """Reads the filters of one request and collects what is wrong with them."""

    def __init__(self, request: Message) -> None:
        self._request = request
        self.violations: list[Violation] = []

    def refuse(self, field: str, reason: str, description: str) -> None:
        """Note a wrong field."""
        self.violations.append(Violation(field, reason, description))

    def check(self) -> None:
        """Raise InvalidArgument if any field was wrong."""
        if self.violations:
            raise InvalidArgument.of_all(tuple(self.violations))

    def label(self, field: str, max_chars: int = LABEL_MAX_CHARS) -> str | None:
        """Return a label as it would be stored; None where none is given."""
        return self._label(field, getattr(self._request, field), max_chars)

    def company(self) -> str | None:
        """Return the key of the company."""
        label = self.label("company")
        return company_key(label) if label else None

    def record(self) -> str | None:
        """Return the key of the record."""
        label = self.label("record", RECORD_MAX_CHARS)
        return reference_key(label) if label else None

    def period(self, field: str = "period") -> str | None:
        """Return a canonical period."""
        label = self.label(field)
        period = canonical_period(label) if label else None
        if label and period is None:
            self.refuse(field, "PERIOD_INVALID", "must be YYYY, YYYY-Qn, YYYY-MM or YYYY-MM-DD")
        return period

    def period_end(self, field: str, end: int) -> date | None:
        """Return the first (0) or the last (1) day of a period."""
        period = self.period(field)
        return period_bounds(period)[end] if period else None

    def tags(self) -> tuple[str, ...]:
        """Return the labels that a memory must carry."""
        given = self._request.tags  # type: ignore[attr-defined]  # every filtered request has it
        if len(given) > TAGS_MAX:
            self.refuse("tags", "TOO_MANY_TAGS", f"has {len(given)} entries; at most {TAGS_MAX}")
            return ()
        found = (self._label(f"tags[{place}]", tag, TAG_MAX_CHARS) for place, tag in enumerate(given))
        return tuple(dict.fromkeys(tag for tag in found if tag))

    def share(self, field: str, reason: str) -> float | None:
        """Return a number in [0, 1]; None where none is given."""
        if not self._request.HasField(field):
            return None
        value: float = getattr(self._request, field)
        if not (math.isfinite(value) and 0 <= value <= 1):
            self.refuse(field, reason, "must be between 0 and 1")
        return value

    def limit(self, default: int) -> int:
        """Return how many are asked for."""
        given: int = self._request.limit  # type: ignore[attr-defined]  # every list and recall has it
        if not 0 <= given <= LIMIT_MAX:
            self.refuse("limit", "LIMIT_OUT_OF_RANGE", f"must be between 1 and {LIMIT_MAX}")
        return given or default

    def _label(self, field: str, text: str, max_chars: int) -> str | None:
        name = refused_character(text)
        if name is not None:
            self.refuse(field, "FORBIDDEN_CHARACTER", f"holds {name}")
            return None
        if len(text) > max_chars:
            self.refuse(field, "LABEL_TOO_LONG", f"has {len(text)} characters; at most {max_chars}")
            return None
        return nfc(text).strip() or None


def scope_of(request: Filtered, reader: Reader, now: datetime) -> Scope:
    """Return the scope of a request; the reader collects what is wrong with it.

    Raises: InvalidArgument TENANT_INVALID, KIND_INVALID, STATE_INVALID, TIME_INVALID.
    """
    state = wire.state_of(request.state) or MemoryState.ACTIVE
    valid_at, known_at = wire.instant(request, "valid_at"), wire.instant(request, "known_at")
    if known_at is not None and known_at >= now:
        known_at = None
    return Scope(
        tenant_id=wire.tenant(request),
        kind=wire.kind_of(request.kind),
        company_key=reader.company(),
        period=reader.period(),
        period_from=reader.period_end("period_from", 0),
        period_to=reader.period_end("period_to", 1),
        record_key=reader.record(),
        source_ref=reader.label("source_ref", RECORD_MAX_CHARS),
        tags=reader.tags(),
        speaker=reader.label("speaker"),
        session=reader.label("session"),
        min_importance=reader.share("min_importance", "IMPORTANCE_OUT_OF_RANGE"),
        state=state,
        valid_at=valid_at,
        known_at=known_at,
        expired_at=_expired_at(state, valid_at, known_at or now),
    )


def stream_scope(request: StreamMemoriesRequest, known_at: datetime) -> Scope:
    """Return the scope of a stream as of an instant. Raises: InvalidArgument naming every wrong field."""
    reader = Reader(request)
    state = wire.state_of(request.state) or MemoryState.ACTIVE
    scope = Scope(
        tenant_id=wire.tenant(request),
        kind=wire.kind_of(request.kind),
        company_key=reader.company(),
        period=reader.period(),
        state=state,
        known_at=known_at,
        expired_at=_expired_at(state, None, known_at),
    )
    reader.check()
    return scope


def limits_of(request: StreamConflictsRequest) -> Limits:
    """Return what an audit looks at. Raises: InvalidArgument naming every wrong field."""
    reader = Reader(request)
    limits = Limits(wire.tenant(request), reader.company(), reader.period(), wire.kind_of(request.kind))
    reader.check()
    return limits


def memory_id_of(text: str) -> UUID:
    """Return the id of a memory. Raises: InvalidArgument MEMORY_ID_INVALID."""
    return wire.identifier(text, "memory_id", "MEMORY_ID_INVALID")


def _expired_at(state: MemoryState, valid_at: datetime | None, believed_at: datetime) -> datetime | None:
    """Return when an expiry counts: at the valid time asked for, else when the scope is believed.

    What ended in another way is found whether or not it has expired since.
    """
    if valid_at is not None:
        return valid_at
    return believed_at if state is MemoryState.ACTIVE else None
