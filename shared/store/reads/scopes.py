"""Scopes: which memories a read is about, and how a statement says so.

Rules: a scope is always the parameters $1 to $15 of a statement, whatever filters it has; a statement is composed of
constant fragments, once for each shape. Without `known_at` a scope is read as it is now; with it, as it was believed
then, earlier revisions included.
It does not know how labels are folded or periods read: keys and days are given.
Source: REQUIREMENTS B3; PostgreSQL plans a custom plan with the parameters' values, so an unused filter costs nothing.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from uuid import UUID

from shared.domain.types import MemoryKind, MemoryState
from shared.store.statements import load

_PLACE = re.compile(r"(?<!:):(columns|explicit_record|filters|current|believed|last_believed)\b")


@dataclass(frozen=True, slots=True)
class Scope:
    """Filters joined by and; None filters nothing.

    Units: `period_from` and `period_to` are days; `valid_at` is an instant in the world, `known_at` one in recorded
    time; an expiry counts when it is not after `expired_at`.
    """

    tenant_id: UUID
    kind: MemoryKind | None = None
    company_key: str | None = None
    period: str | None = None
    period_from: date | None = None
    period_to: date | None = None
    record_key: str | None = None
    source_ref: str | None = None
    tags: tuple[str, ...] = ()
    speaker: str | None = None
    session: str | None = None
    min_importance: float | None = None
    state: MemoryState = MemoryState.ACTIVE
    valid_at: datetime | None = None
    known_at: datetime | None = None
    expired_at: datetime | None = None

    @property
    def is_filtered(self) -> bool:
        """Whether anything but state and expiry limits the scope."""
        given = (self.kind, self.company_key, self.period, self.period_from, self.period_to, self.record_key)
        exact = (self.source_ref, self.speaker, self.session, self.min_importance, self.valid_at)
        return bool(self.tags) or any(value is not None for value in (*given, *exact))

    @property
    def starts_from_tags(self) -> bool:
        """Whether the index of labels, which holds those of active memories, leads to the scope."""
        return bool(self.tags) and self.state is MemoryState.ACTIVE and self.known_at is None

    def parameters(self) -> tuple[object, ...]:
        """Return the values of $1 to $15."""
        return (
            self.tenant_id,
            self.kind,
            self.company_key,
            self.period,
            self.period_from,
            self.period_to,
            self.record_key,
            self.source_ref,
            list(self.tags) or None,
            self.speaker,
            self.session,
            self.min_importance,
            self.state,
            self.valid_at,
            self.expired_at,
        )


@cache
def compose(statement: str, *, tagged: bool = False) -> str:
    """Return a statement with the fragments of scopes put in; `tagged`: its `:source` starts from the labels' index."""
    fragments = load("reads/scope")
    source = fragments["tagged_memories" if tagged else "all_memories"]
    return _PLACE.sub(lambda place: fragments[place[1]], statement.replace(":source", source))
