"""The one tree of errors Candor speaks, from the domain to the HTTP problem.

    CandorError
    ├── InvalidArgument      the request is wrong in itself; names each field
    ├── Unauthenticated      no credential, or not one of ours
    ├── PermissionDenied     a known credential without the needed scope
    ├── NotFound             absent, or of another tenant: the two are not told apart
    ├── Conflict             another effect already holds the id, the revision or the key
    ├── FailedPrecondition   the state of the memory does not allow it
    ├── TooLarge             a body or a batch over its documented limit
    ├── UnsupportedMedia     a content type that is not read here
    ├── RateLimited          a rate or quota is used up
    ├── Overloaded           a bounded queue is full
    ├── UpstreamUnavailable  an embedder, model or database does not answer
    └── Internal             a defect: opaque to callers, logged with its request id

Rules: `reason` is UPPER_SNAKE and never changes meaning; every dynamic part of the message is also in `metadata`.
It does not know gRPC codes or HTTP numbers; the edges map `kind`.
Source: AIP-193 (canonical code + reason + domain + metadata).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique
from types import MappingProxyType
from typing import ClassVar


@unique
class Kind(Enum):
    """What went wrong, independent of any wire."""

    INVALID_ARGUMENT = "invalid_argument"
    UNAUTHENTICATED = "unauthenticated"
    PERMISSION_DENIED = "permission_denied"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    FAILED_PRECONDITION = "failed_precondition"
    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA = "unsupported_media"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    UPSTREAM_UNAVAILABLE = "upstream_unavailable"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Violation:
    """One field that is wrong, by its path in the request (`metadata.total`, `memories[3].content`)."""

    field: str
    reason: str
    description: str


class CandorError(Exception):
    """Carries kind, reason, message, metadata, violations and, where waiting helps, seconds to wait."""

    kind: ClassVar[Kind]

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        metadata: Mapping[str, str] | None = None,
        violations: tuple[Violation, ...] = (),
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata: Mapping[str, str] = MappingProxyType(dict(metadata or {}))
        self.violations = violations
        self.retry_after_seconds = retry_after_seconds


class InvalidArgument(CandorError):
    """The request is wrong in itself, whatever the state of the system."""

    kind = Kind.INVALID_ARGUMENT

    @classmethod
    def of(cls, field: str, reason: str, description: str) -> "InvalidArgument":
        """Return the error for one wrong field."""
        return cls(
            reason,
            f"{field}: {description}",
            metadata={"field": field},
            violations=(Violation(field, reason, description),),
        )

    @classmethod
    def of_all(cls, violations: tuple[Violation, ...]) -> "InvalidArgument":
        """Return one error for all wrong fields; the first one gives the reason."""
        first = violations[0]
        return cls(
            first.reason,
            "; ".join(f"{v.field}: {v.description}" for v in violations[:3]),
            metadata={"field": first.field},
            violations=violations,
        )


class Unauthenticated(CandorError):
    """No credential, or not one of ours."""

    kind = Kind.UNAUTHENTICATED


class PermissionDenied(CandorError):
    """A known credential without the needed scope."""

    kind = Kind.PERMISSION_DENIED


class NotFound(CandorError):
    """Absent, or of another tenant."""

    kind = Kind.NOT_FOUND


class Conflict(CandorError):
    """Another effect already holds the id, the revision or the key."""

    kind = Kind.CONFLICT


class FailedPrecondition(CandorError):
    """The state of the memory does not allow it."""

    kind = Kind.FAILED_PRECONDITION


class TooLarge(CandorError):
    """A body or a batch over its documented limit."""

    kind = Kind.TOO_LARGE


class UnsupportedMedia(CandorError):
    """A content type that is not read here."""

    kind = Kind.UNSUPPORTED_MEDIA


class RateLimited(CandorError):
    """A rate or a quota is used up."""

    kind = Kind.RATE_LIMITED


class Overloaded(CandorError):
    """A bounded queue is full; try again later."""

    kind = Kind.OVERLOADED


class UpstreamUnavailable(CandorError):
    """An embedder, a model or the database does not answer; nothing was written."""

    kind = Kind.UPSTREAM_UNAVAILABLE


class Internal(CandorError):
    """A defect: opaque to callers, logged with its request id."""

    kind = Kind.INTERNAL


ERRORS_BY_KIND: Mapping[Kind, type[CandorError]] = MappingProxyType(
    {cls.kind: cls for cls in CandorError.__subclasses__()}
)
