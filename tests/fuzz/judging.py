"""What may never come back, whatever was asked: an error of the server's own, an answer unlike its schema, no answer.

Rules: 503 is right only with Retry-After; a problem in a line of a stream counts like a status; an answer must fit the
status codes, media types and schemas of the document. It does not know how requests are made.
Source: REQUIREMENTS F7; DESIGN 6; RFC 9457.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from schemathesis import Case, Response
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

NEVER = frozenset({500, 502, 504})
OVERLOADED = 503
PROBLEM, NDJSON, EVENTS = "application/problem+json", "application/x-ndjson", "text/event-stream"
MOST_DETAIL_CHARACTERS = 400
_CONFORMANCE = [content_type_conformance, response_schema_conformance, status_code_conformance]
UNREADABLE = object()


@dataclass(frozen=True, slots=True)
class Seen:
    """An answer as it came."""

    status: int
    media: str
    headers: Mapping[str, Any]
    content: bytes
    parsed: Any

    @classmethod
    def of(cls, status: int, headers: Mapping[str, Any], content: bytes) -> "Seen":
        """Return what was seen; the headers may have lists of values."""
        lower = {name.lower(): value[0] if isinstance(value, list) else value for name, value in headers.items()}
        media = lower.get("content-type", "").partition(";")[0].strip().lower()
        return cls(status, media, lower, content, _parsed(media, content))

    @property
    def request_id(self) -> str:
        """What finds the request in the logs."""
        return str(self.headers.get("x-request-id", ""))


def _parsed(media: str, content: bytes) -> Any:
    """Return an answer's JSON, or the list of its lines; None where it is neither, UNREADABLE where it is wrong."""
    try:
        if media == NDJSON:
            return [json.loads(line) for line in content.splitlines()]
        if media == EVENTS:
            return [json.loads(line[5:]) for line in content.splitlines() if line.startswith(b"data:")]
        return json.loads(content) if media.endswith("json") else None
    except ValueError:
        return UNREADABLE


def problems(seen: Seen, method: str) -> Iterator[str]:
    """Yield what is wrong with an answer by itself."""
    content = seen.parsed
    told: list[tuple[Any, Any]] = [(seen.status, content.get("reason", "") if isinstance(content, dict) else "")]
    if isinstance(content, list):
        lines = (line.get("problem") for line in content if isinstance(line, dict))
        told += [(line.get("status"), line.get("reason")) for line in lines if isinstance(line, dict)]
    yield from (f"{number} {reason}" for number, reason in told if number in NEVER)
    if seen.status == OVERLOADED and "retry-after" not in seen.headers:
        yield f"503 {told[0][1]} without Retry-After"
    if seen.status >= 400 and seen.media != PROBLEM:
        yield f"{seen.status} that is no problem document"
    if content is UNREADABLE and method != "HEAD":
        yield f"{seen.media} that cannot be read"


def differences(case: "Case[Any]", answer: Response) -> Iterator[str]:
    """Yield how an answer differs from the document."""
    try:
        case.validate_response(answer, checks=_CONFORMANCE)
    except FailureGroup as group:
        for failure in group.exceptions:
            yield f"{type(failure).__name__}: {' '.join(str(failure).split())[:MOST_DETAIL_CHARACTERS]}"
