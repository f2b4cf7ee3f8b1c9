"""What memory says: memories, recalls, answers and chats as frozen results.

Rules: the names are those of the contracts, in snake_case; an instant has its offset; what is absent is None. Free-form
values (`metadata`, `value`) are as JSON has them, fractions as Decimal. It does not know where they come from.
Source: docs/api.md; `/openapi.json`, which tests hold these fields against.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class WrittenMemory:
    """A memory that was written, or (`existing`) was there already."""

    memory_id: str
    revision: int
    existing: bool
    vector_pending: bool
    recorded_at: datetime | None


@dataclass(frozen=True, slots=True)
class Memory:
    """One revision of a memory: what it says, where it is from, when it holds and when it was believed."""

    id: str
    revision: int
    kind: str
    content: str
    company: str | None
    period: str | None
    record: str | None
    source_ref: str | None
    counterparty: str | None
    speaker: str | None
    session: str | None
    tags: tuple[str, ...]
    metadata: Any
    importance: float | None
    pinned: bool
    memory_type: str
    references: tuple[str, ...]
    derived_from: tuple[str, ...]
    observed_at: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None
    recorded_at: datetime | None
    ended_at: datetime | None
    state: str
    state_reason: str | None
    superseded_by: str | None
    vector_pending: bool


@dataclass(frozen=True, slots=True)
class AssertedValue:
    """One side of a disagreement, and who says it."""

    memory_id: str
    carrier_memory_ids: tuple[str, ...]
    carrier_count: int
    source_ref: str | None
    session: str | None
    value: Any
    observed_at: datetime | None
    recorded_at: datetime | None


@dataclass(frozen=True, slots=True)
class Resolution:
    """Which side a stated policy would trust, by which rule; nothing was changed."""

    recommended_memory_id: str
    recommended_value: Any
    rule: str
    confidence: float
    rationale: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """An attribute of a record of which memory says more than one thing."""

    finding_id: str
    subject: str
    company: str | None
    period: str | None
    counterparty: str | None
    attribute: str
    values: tuple[AssertedValue, ...]
    value_count: int
    resolution: Resolution | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a hit ranks where it does."""

    dense: float | None
    dense_rank: int | None
    lexical: float | None
    lexical_rank: int | None
    fused: float
    reranked: float | None
    structure: float
    subject: float
    salience: float | None
    predecessor_of: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory that was found, and the findings it takes part in."""

    memory: Memory
    score: float
    explanation: Explanation | None
    conflict_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Recall:
    """What was found, best first, with every conflict the hits take part in."""

    hits: tuple[Hit, ...]
    conflicts: tuple[Contradiction, ...]
    text: str
    tokens_used: int
    next_page_token: str


@dataclass(frozen=True, slots=True)
class Citation:
    """A memory that an answer rests on; `marker` stands in the text."""

    marker: str
    memory_id: str
    kind: str
    score: float | None
    source_ref: str | None
    content: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """What the guard made of the drafts."""

    status: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer in sentences that cite; `degraded` says why it is a plain list. In a stream, hits come as `Found`."""

    answer: str
    citations: tuple[Citation, ...]
    model_id: str
    grounding: Grounding | None
    degraded: str | None
    degradation_code: str | None
    hits: tuple[Hit, ...] = ()
    conflicts: tuple[Contradiction, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What an answer will be written from."""

    hits: tuple[Hit, ...]
    conflicts: tuple[Contradiction, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A passage that passed the guard. The whole that comes last counts, not these together."""

    text: str


@dataclass(frozen=True, slots=True)
class Heard:
    """What was said is recorded. Pass `session` with the next message."""

    session: str
    turn_id: str
    hits: tuple[Hit, ...]
    conflicts: tuple[Contradiction, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """The whole reply of a chat."""

    text: str
    citations: tuple[Citation, ...]
    model_id: str
    grounding: Grounding | None
    degraded: str | None
    degradation_code: str | None
    reply_id: str | None


@dataclass(frozen=True, slots=True)
class Talk:
    """What was heard, and the reply."""

    heard: Heard
    reply: Reply


AnswerEvent: TypeAlias = Found | Text | Answer
ChatEvent: TypeAlias = Heard | Text | Reply
