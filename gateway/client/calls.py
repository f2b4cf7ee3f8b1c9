"""Every request as a value: verb, path, what is sent, and what comes back. Both clients send these.

Rules: a call that writes carries an Idempotency-Key, made once, so that sending it again has no second effect; any
other call only reads. All may therefore be repeated. Instants need an offset. It does not know how a call is sent.
Source: docs/api.md; DESIGN 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, TypedDict, TypeVar
from urllib.parse import quote

from .reading import camel
from .reports import AuditReport, Decision, Job, Key, NewKey, RotatedKey
from .results import Answer, Found, Heard, Memory, Recall, Reply, Text, WrittenMemory

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request. `inside` names the field of the answer that holds the result; empty: the whole answer."""

    verb: str
    path: str
    result: type[T]
    inside: str = ""
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    request_id: str = ""

    def page(self, token: str) -> "Call[T]":
        """Return the same call for another page."""
        return replace(self, query={**self.query, "pageToken": token})


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


def remember(content: str, kind: str, fields: MemoryFields, request_id: str) -> Call[WrittenMemory]:
    """Return the call that writes a memory."""
    body = _sent({"content": content, "kind": kind, **fields})
    return Call("POST", "/v1/memories", WrittenMemory, "memory", body, request_id=request_id)


def memory(memory_id: str, known_at: datetime | None) -> Call[Memory]:
    """Return the call that reads a memory."""
    return Call("GET", f"/v1/memories/{_segment(memory_id)}", Memory, "memory", query=_sent({"known_at": known_at}))


def memories(filters: Filters, state: str) -> Call[Memory]:
    """Return the call that lists memories."""
    return Call("GET", "/v1/memories", Memory, "items", query=_sent({**filters, "state": state or None}))


def recall(query: str, options: RecallOptions) -> Call[Recall]:
    """Return the call that ranks memories."""
    return Call("POST", "/v1/recall", Recall, body=_sent({"query": query, **options}))


def ask(question: str, options: AskOptions, request_id: str) -> Call[Answer]:
    """Return the call that answers a question."""
    return Call("POST", "/v1/answer", Answer, body=_sent({"question": question, **options}), request_id=request_id)


def ask_stream(question: str, options: AskOptions, request_id: str) -> Call[Any]:
    """Return the call that streams an answer."""
    return replace(ask(question, options, request_id), path="/v1/answer:stream")


def chat_stream(message: str, options: ChatOptions, request_id: str) -> Call[Any]:
    """Return the call that says something and streams the reply."""
    body = _sent({"message": message, **options})
    return Call("POST", "/v1/chat:stream", Reply, body=body, request_id=request_id)


ANSWER_EVENTS: Mapping[str, type[Any]] = {"found": Found, "text": Text, "answer": Answer}
CHAT_EVENTS: Mapping[str, type[Any]] = {"heard": Heard, "text": Text, "reply": Reply}


def audit(options: AuditOptions) -> Call[AuditReport]:
    """Return the call that audits."""
    return Call("POST", "/v1/audit", AuditReport, body=_sent(dict(options)))


def resolve(
    subject: str, attribute: str, selected_memory_id: str, reason: str, options: ResolveOptions, request_id: str
) -> Call[Decision]:
    """Return the call that decides a conflict."""
    named = {"subject": subject, "attribute": attribute, "selected_memory_id": selected_memory_id, "reason": reason}
    return Call("POST", "/v1/conflicts:resolve", Decision, body=_sent({**named, **options}), request_id=request_id)


def jobs(status: str, kind: str) -> Call[Job]:
    """Return the call that lists jobs."""
    return Call("GET", "/v1/jobs", Job, "jobs", query=_sent({"status": status or None, "kind": kind or None}))


def job(job_id: str) -> Call[Job]:
    """Return the call that reads a job."""
    return Call("GET", f"/v1/jobs/{_segment(job_id)}", Job, "job")


def keys() -> Call[Key]:
    """Return the call that lists keys."""
    return Call("GET", "/v1/keys", Key, "keys")


def create_key(name: str, scopes: Sequence[str], expires_at: datetime | None, request_id: str) -> Call[NewKey]:
    """Return the call that makes a key."""
    body = _sent({"name": name, "scopes": scopes, "expires_at": expires_at})
    return Call("POST", "/v1/keys", NewKey, body=body, request_id=request_id)


def rotate_key(key_id: str, grace_seconds: int | None, request_id: str) -> Call[RotatedKey]:
    """Return the call that replaces a key."""
    body = _sent({"grace_seconds": grace_seconds})
    return Call("POST", f"/v1/keys/{_segment(key_id)}:rotate", RotatedKey, body=body, request_id=request_id)


def revoke_key(key_id: str, force: bool, request_id: str) -> Call[Any]:
    """Return the call that ends a key."""
    body = _sent({"force": force or None})
    return Call("POST", f"/v1/keys/{_segment(key_id)}:revoke", object, body=body, request_id=request_id)


def _segment(text: str) -> str:
    """Return an id as one segment of a path, so that no id leads elsewhere."""
    return quote(text, safe="")


def _sent(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that are given, by their wire names. Raises: ValueError for an instant without an offset."""
    return {camel(name): _wire(name, value) for name, value in fields.items() if value is not None}


def _wire(name: str, value: Any) -> Any:
    if not isinstance(value, datetime):
        return value if isinstance(value, str | Mapping) or not isinstance(value, Sequence) else list(value)
    if value.tzinfo is None:
        raise ValueError(f"{name} needs a time zone: {value.isoformat()} could be any of 24 hours")
    return value.isoformat()
