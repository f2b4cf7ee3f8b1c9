"""Errors as RFC 9457 problems.

Rules: a problem carries the reason, the request id, the metadata and every violation of its error; what is no error of
ours is an opaque 500. 401 names the scheme, 405 the verbs, and where waiting helps Retry-After says how long. It does
not know where an error came from.
Source: RFC 9457; RFC 9110; DESIGN 6.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType

from gateway.names import kebab
from shared.domain.errors import CandorError, Internal, InvalidArgument, Kind, NotFound

CONTENT_TYPE = b"application/problem+json"
TYPE_PREFIX = "urn:candor:problem:"

STATUSES: Mapping[Kind, int] = MappingProxyType(
    {
        Kind.INVALID_ARGUMENT: 400,
        Kind.UNAUTHENTICATED: 401,
        Kind.PERMISSION_DENIED: 403,
        Kind.NOT_FOUND: 404,
        Kind.CONFLICT: 409,
        Kind.FAILED_PRECONDITION: 400,
        Kind.TOO_LARGE: 413,
        Kind.UNSUPPORTED_MEDIA: 415,
        Kind.RATE_LIMITED: 429,
        Kind.OVERLOADED: 503,
        Kind.UPSTREAM_UNAVAILABLE: 503,
        Kind.INTERNAL: 500,
    }
)


class MethodNotAllowed(InvalidArgument):
    """A path that is served, but not by this verb."""

    def __init__(self, verb: str, allowed: str) -> None:
        super().__init__(
            "METHOD_NOT_ALLOWED",
            f"{verb} is not served here; use {allowed}.",
            metadata={"method": verb, "allowed": allowed},
        )


def route_not_found() -> NotFound:
    """Return the error for a path that nothing serves."""
    return NotFound("ROUTE_NOT_FOUND", "Nothing is served under this path; /docs lists what is.")


def status_of(error: CandorError) -> int:
    """Return the HTTP status of an error."""
    return 405 if isinstance(error, MethodNotAllowed) else STATUSES[error.kind]


def body_of(error: CandorError, request_id: str) -> dict[str, object]:
    """Return the problem's members. An Internal says nothing but its request id."""
    opaque = isinstance(error, Internal)
    reason = "INTERNAL" if opaque else error.reason
    problem: dict[str, object] = {
        "type": TYPE_PREFIX + kebab(reason),
        "title": error.kind.value.replace("_", " ").capitalize(),
        "status": status_of(error),
        "detail": "Something went wrong here; the request id finds it in the log." if opaque else error.message,
        "reason": reason,
        "requestId": request_id,
        "metadata": {} if opaque else dict(error.metadata),
    }
    if error.violations and not opaque:
        problem["violations"] = [
            {"field": v.field, "reason": v.reason, "description": v.description} for v in error.violations
        ]
    return problem


def headers_of(error: CandorError) -> list[tuple[bytes, bytes]]:
    """Return the headers that belong to an error, its content type first."""
    headers = [(b"content-type", CONTENT_TYPE)]
    if error.retry_after_seconds is not None:
        headers.append((b"retry-after", str(max(1, math.ceil(error.retry_after_seconds))).encode()))
    if error.kind is Kind.UNAUTHENTICATED:
        headers.append((b"www-authenticate", b'Bearer realm="candor"'))
    if isinstance(error, MethodNotAllowed):
        headers.append((b"allow", error.metadata["allowed"].encode()))
    return headers
