"""Every request as a value: verb, path, what is sent, and what comes back. Both clients send these.

Rules: a call that writes carries an Idempotency-Key, made once, so that sending it again has no second effect; any
other call only reads. All may therefore be repeated. Instants need an offset. It does not know how a call is sent.
Source: docs/api.md; DESIGN 5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from .moving import ImportProgress
from .options import (
    AccountOptions,
    AskOptions,
    AuditOptions,
    ChatOptions,
    DocumentFields,
    Filters,
    MeaningOptions,
    MemoryFields,
    RecallOptions,
    ResolveOptions,
)
from .papers import DocumentsRead, ProfitAndLoss
from .reading import camel
from .reports import AuditReport, Decision, Job, Key, MeaningReport, NewKey, RotatedKey
from .results import Answer, Found, Heard, Memory, Recall, Reply, Talk, Text, WrittenMemory

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request. `inside` names the field of the answer that holds the result; empty: the whole answer.

    With `files` (names and bytes) it is a form, and `body` has its fields. `now`: the instant that is taken for now.
    """

    verb: str
    path: str
    result: type[T]
    inside: str = ""
    body: Mapping[str, Any] | None = None
    query: Mapping[str, Any] = field(default_factory=dict)
    request_id: str = ""
    files: Sequence[tuple[str, bytes]] = ()
    now: datetime | None = None

    def page(self, token: str) -> "Call[T]":
        """Return the same call for another page."""
        return replace(self, query={**self.query, "pageToken": token})


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


def chat(message: str, options: ChatOptions, now: datetime | None, request_id: str) -> Call[Talk]:
    """Return the call that says something."""
    body = _sent({"message": message, **options})
    _sent({"now": now})  # refuses one without an offset
    return Call("POST", "/v1/chat", Talk, body=body, request_id=request_id, now=now)


def chat_stream(message: str, options: ChatOptions, now: datetime | None, request_id: str) -> Call[Any]:
    """Return the call that says something and streams the reply."""
    return replace(chat(message, options, now, request_id), path="/v1/chat:stream")


ANSWER_EVENTS: Mapping[str, type[Any]] = {"found": Found, "text": Text, "answer": Answer}
CHAT_EVENTS: Mapping[str, type[Any]] = {"heard": Heard, "text": Text, "reply": Reply}


def audit(options: AuditOptions) -> Call[AuditReport]:
    """Return the call that audits."""
    return Call("POST", "/v1/audit", AuditReport, body=_sent(dict(options)))


def audit_meaning(options: MeaningOptions) -> Call[MeaningReport]:
    """Return the call that audits by meaning."""
    return Call("POST", "/v1/audit/meaning", MeaningReport, body=_sent(dict(options)))


def account(options: AccountOptions) -> Call[ProfitAndLoss]:
    """Return the call that reads the profit and loss account."""
    return Call("GET", "/v1/pnl", ProfitAndLoss, query=_sent(dict(options)))


def documents(files: Sequence[tuple[str, bytes]], fields: DocumentFields, request_id: str) -> Call[DocumentsRead]:
    """Return the call that has documents read."""
    body = _sent(dict(fields))
    return Call("POST", "/v1/documents", DocumentsRead, body=body, request_id=request_id, files=files)


def documents_of(job_id: str) -> Call[DocumentsRead]:
    """Return the call that reads what a job made of documents."""
    return Call("GET", f"/v1/documents/{_segment(job_id)}", DocumentsRead, "outcome")


def imported(import_id: str) -> Call[ImportProgress]:
    """Return the call that reads how far an import is."""
    return Call("GET", f"/v1/imports/{_segment(import_id)}", ImportProgress)


def export(resume_token: str = "") -> Call[Any]:
    """Return the call that streams all there is, or what comes after a line."""
    return Call("GET", "/v1/export", object, query=_sent({"resume_token": resume_token or None}))


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
