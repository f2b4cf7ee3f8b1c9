"""What goes wrong in a request, as exceptions that keep the reason and the request id.

Rules: every answer that is no success is a `Problem`; its class says what kind, `reason` (stable, UPPER_SNAKE) what
exactly. What never reached a server, or broke off, is `Unreachable`. It does not know how requests are sent.
Source: RFC 9457; docs/api.md, "Problems".
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Violation:
    """A field that is wrong, and why."""

    field: str
    reason: str
    description: str


class Problem(Exception):
    """A request that failed. `status` is the HTTP status, 0 where there was no answer."""

    def __init__(
        self,
        detail: str,
        *,
        status: int = 0,
        reason: str = "",
        request_id: str = "",
        metadata: Mapping[str, Any] | None = None,
        violations: tuple[Violation, ...] = (),
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(f"{reason}: {detail}" if reason else detail)
        self.detail = detail
        self.status = status
        self.reason = reason
        self.request_id = request_id
        self.metadata = dict(metadata or {})
        self.violations = violations
        self.retry_after_seconds = retry_after_seconds


class InvalidRequest(Problem):
    """The request is wrong; nothing was written (400, 405, 413, 415)."""


class Unauthenticated(Problem):
    """There is no key, or it is not a working one (401)."""


class PermissionDenied(Problem):
    """The key lacks a scope (403)."""


class NotFound(Problem):
    """Nobody's id, or somebody else's (404)."""


class Conflict(Problem):
    """What is there by now stands against it (409)."""


class RateLimited(Problem):
    """Too much was asked for; `retry_after_seconds` says when to come back (429)."""


class QuotaExhausted(RateLimited):
    """The day's work units are used up: `left` of `limit` until `reset_at` (429 QUOTA_EXHAUSTED)."""

    @property
    def limit(self) -> int | None:
        """Units of a day."""
        return _count(self.metadata.get("limit"))

    @property
    def left(self) -> int | None:
        """Units that are left, fewer than the call takes."""
        return _count(self.metadata.get("left"))

    @property
    def reset_at(self) -> datetime | None:
        """When all are there again."""
        try:
            return datetime.fromisoformat(str(self.metadata.get("reset_at")))
        except ValueError:
            return None


class Unavailable(Problem):
    """It cannot answer for the moment; repeating is safe (502, 503, 504)."""


class Unreachable(Unavailable):
    """No answer came, or it broke off."""


class ServerFault(Problem):
    """A defect of the server; its request id finds it in the log (500)."""


_BY_STATUS: Mapping[int, type[Problem]] = {
    401: Unauthenticated,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    429: RateLimited,
    502: Unavailable,
    503: Unavailable,
    504: Unavailable,
}

_BY_REASON: Mapping[str, type[Problem]] = {"QUOTA_EXHAUSTED": QuotaExhausted}


def from_answer(status: int, headers: Mapping[str, str], text: str) -> Problem:
    """Return the exception of an answer; what is not ours (a proxy's page) still tells its status."""
    try:
        body = json.loads(text)
    except ValueError:
        body = None
    if not isinstance(body, dict):
        body = {"detail": f"The answer was HTTP {status} without a problem."}
    return from_body(body, status=status, retry_after=headers.get("retry-after"))


def from_body(body: Mapping[str, Any], *, status: int = 0, retry_after: str | None = None) -> Problem:
    """Return the exception of a problem document, as an answer or as the last line of a stream."""
    status = status or int(body.get("status", 500))
    kind = _BY_STATUS.get(status, ServerFault if status >= 500 else InvalidRequest)
    kind = _BY_REASON.get(str(body.get("reason")), kind)
    return kind(
        str(body.get("detail", "")),
        status=status,
        reason=str(body.get("reason", "")),
        request_id=str(body.get("requestId", "")),
        metadata=body.get("metadata"),
        violations=tuple(
            Violation(str(v.get("field", "")), str(v.get("reason", "")), str(v.get("description", "")))
            for v in body.get("violations", ())
        ),
        retry_after_seconds=_seconds(retry_after),
    )


def _count(text: object) -> int | None:
    return int(str(text)) if str(text).isdigit() else None


def _seconds(text: str | None) -> float | None:
    """Return the seconds of a Retry-After; its other form, a date, is none of ours and is left to the backoff."""
    return float(text) if text is not None and text.strip().isdigit() else None
