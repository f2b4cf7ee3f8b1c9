"""What the log line of a request tells, gathered while it is served.

Rules: names, ids and reasons only, never content. It travels in the ASGI scope.
"""

from dataclasses import dataclass, field

from starlette.types import Scope

_KEY = "candor.trace"


@dataclass(slots=True)
class Trace:
    """One request: its id, and what is found out about it on the way."""

    request_id: str
    route: str = ""
    tenant: str = ""
    reason: str = ""
    headers: dict[bytes, bytes] = field(default_factory=dict)
    """What the answer tells of the client's limits."""


def begin(scope: Scope, request_id: str) -> Trace:
    """Put a new trace into the scope."""
    trace = Trace(request_id)
    scope[_KEY] = trace
    return trace


def of(scope: Scope) -> Trace:
    """Return the trace of the request."""
    trace: Trace = scope[_KEY]
    return trace
