"""What a question asks for: the request of an answer, checked.

Rules: every wrong field is named. Filters mean what they mean in a recall, and are read by the same code. It does not
know how an answer comes about.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from candor.retrieve.v1 import answer_pb2 as pb
from candor.retrieve.v1.recall_pb2 import MODE_DENSE, MODE_HYBRID, RecallMemoriesRequest

from services.retrieve.filters import Reader, scope_of
from services.retrieve.ranking import Asked
from services.retrieve.recall import query_text

Request: TypeAlias = pb.AnswerQuestionRequest | pb.StreamAnswerRequest

DEFAULT_LIMIT, LIMIT_MAX = 5, 20  # the contract's
REQUEST_ID_MAX_CHARS = 128  # the contract's
_FILTERS = frozenset(RecallMemoriesRequest.DESCRIPTOR.fields_by_name) - {"limit", "rerank"}


@dataclass(frozen=True, slots=True)
class Wish:
    """A checked request. `request_id` is empty where none was given; `max_total_tokens` 0: no ceiling."""

    asked: Asked
    request_id: str
    rerank: bool
    reinforce: bool
    max_total_tokens: int


def wish_of(request: Request, now: datetime) -> Wish:
    """Check a request. Raises: InvalidArgument naming every wrong field."""
    filters = _filters(request)
    reader = Reader(filters)
    text = query_text(reader, "question", request.question)
    scope = scope_of(filters, reader, now)
    if not 0 <= request.limit <= LIMIT_MAX:
        reader.refuse("limit", "LIMIT_OUT_OF_RANGE", f"must be between 1 and {LIMIT_MAX}")
    if request.max_total_tokens < 0:
        reader.refuse("max_total_tokens", "TOKENS_OUT_OF_RANGE", "must not be negative")
    if len(request.request_id) > REQUEST_ID_MAX_CHARS:
        reader.refuse("request_id", "REQUEST_ID_TOO_LONG", f"must have at most {REQUEST_ID_MAX_CHARS} characters")
    reader.check()
    mode = MODE_HYBRID if _or_true(request, "hybrid") else MODE_DENSE
    return Wish(
        Asked(text, scope, request.limit or DEFAULT_LIMIT, mode),
        request.request_id,
        _or_true(request, "rerank"),
        _or_true(request, "reinforce") and not request.public,
        request.max_total_tokens,
    )


def _filters(request: Request) -> RecallMemoriesRequest:
    """Return the request of a recall with the same tenant and filters."""
    filters = RecallMemoriesRequest()
    for field, value in request.ListFields():
        if field.name not in _FILTERS:
            continue
        if field.is_repeated:
            getattr(filters, field.name).extend(value)
        elif field.message_type is not None:
            getattr(filters, field.name).CopyFrom(value)
        else:
            setattr(filters, field.name, value)
    return filters


def _or_true(request: Request, field: str) -> bool:
    return bool(getattr(request, field)) if request.HasField(field) else True  # type: ignore[arg-type]  # any field
