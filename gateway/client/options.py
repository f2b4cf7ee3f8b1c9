"""What can be given with a request, by its names in Python.

Rules: the names are those of the contracts, in snake_case; what is absent is not sent. Instants need an offset. It
does not know how they are sent.
Source: docs/api.md.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict


class Filters(TypedDict, total=False):
    """Which memories. `valid_at`: what held then; `known_at`: what was believed then."""

    kind: str
    company: str
    period: str
    period_from: str
    period_to: str
    record: str
    source_ref: str
    tags: Sequence[str]
    speaker: str
    session: str
    min_importance: float
    valid_at: datetime
    known_at: datetime


class MemoryFields(TypedDict, total=False):
    """What a memory has besides its content and kind. Scalars of `metadata` are what audits compare."""

    company: str
    period: str
    record: str
    source_ref: str
    counterparty: str
    speaker: str
    session: str
    tags: Sequence[str]
    metadata: Mapping[str, Any]
    importance: float
    pinned: bool
    observed_at: datetime
    expires_at: datetime
    memory_type: str
    references: Sequence[str]
    derived_from: Sequence[str]


class RecallOptions(Filters, total=False):
    """How to recall: `mode` is hybrid, dense or lexical; with `token_budget` the result has `text`."""

    limit: int
    mode: str
    min_score: float
    state: str
    ungrouped: bool
    rerank: bool
    token_budget: int
    page_token: str


class AskOptions(Filters, total=False):
    """How to answer."""

    limit: int
    hybrid: bool
    rerank: bool
    reinforce: bool
    max_total_tokens: int


class AuditOptions(TypedDict, total=False):
    """What to audit. Absent: everything; `since`: what was written since a report's `next_since`."""

    company: str
    period: str
    kind: str
    since: str


class ResolveOptions(TypedDict, total=False):
    """Details of a decision; `target_memory_ids` names what was seen, so that what has changed since is a Conflict."""

    company: str
    action: str
    finding_id: str
    decision_id: str
    target_memory_ids: Sequence[str]


class ChatOptions(TypedDict, total=False):
    """How to talk: `session` goes on with a talk."""

    session: str
    speaker: str
    token_budget: int
    max_total_tokens: int
    reinforce: bool


class MeaningOptions(TypedDict, total=False):
    """What to audit by meaning. `max_pairs`: 1 to 25; `resume_token`: from an earlier report, the pairs after it."""

    company: str
    period: str
    kind: str
    similarity_threshold: float
    max_pairs: int
    resume_token: str


class AccountOptions(TypedDict, total=False):
    """Which account. `limit`: how many entries are listed of each side and currency."""

    company: str
    period: str
    period_from: str
    period_to: str
    valid_at: datetime
    known_at: datetime
    limit: int


class DocumentFields(TypedDict, total=False):
    """What holds for every document; what is absent is read from it. `background`: a job reads them."""

    company: str
    period: str
    currency: str
    event_ref: str
    declared_type: str
    dry_run: bool
    background: bool
    reason: str
