"""What the code below the envelope may know of the call it runs in: its id, its deadline, and the role this is.

Rules: set by the envelope (and by the gateway for an HTTP request), read by the clients, so that a call made on behalf
of a call carries the same id and never outlives it. It does not decide anything and holds no content.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeAlias

import grpc.aio

# Quoted: generic in the published types only.
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
"""gRPC's own context, which every servicer's method gets beside the request."""

REQUEST_ID_KEY = "x-request-id"
"""The metadata key, and the HTTP header, that carries the request id."""
REQUEST_ID = re.compile(r"[!-~]{1,128}")
"""What is taken as a request id from outside: visible ASCII, without spaces."""
NOW_TIME_KEY = "x-now-time"
"""The metadata key, and the HTTP header, that carries the instant a request takes for the present (CANDOR_CLOCK)."""

REPLAYED_KEY = "x-replayed"
"""The trailing metadata of an answer that was given before: it cost nothing."""


@dataclass(frozen=True, slots=True)
class Call:
    """The call that is being served.

    Units: `deadline_seconds` is an instant of `time.monotonic`; None: no deadline. `now_time`: None: the real present.
    """

    request_id: str
    deadline_seconds: float | None
    now_time: datetime | None = None
    told: dict[str, str] = field(default_factory=dict)
    """What goes back beside the answer, as trailing metadata."""

    def remaining_seconds(self) -> float | None:
        """Return how long the caller still waits, at least 0; None without a deadline."""
        return None if self.deadline_seconds is None else max(self.deadline_seconds - time.monotonic(), 0.0)


_current: ContextVar[Call | None] = ContextVar("candor_call", default=None)
_role: ContextVar[str] = ContextVar("candor_role", default="client")


def current() -> Call | None:
    """Return the call that is being served, if any."""
    return _current.get()


def note_replay() -> None:
    """Say that the call being served is answered as it was before."""
    call = current()
    if call is not None:
        call.told[REPLAYED_KEY] = "1"


async def is_replayed(call: Any) -> bool:
    """Return whether a unary call that has ended was answered as it was before."""
    return any(key == REPLAYED_KEY for key, _ in await call.trailing_metadata() or ())


def role() -> str:
    """Return the role that this code was started as."""
    return _role.get()


@contextmanager
def serving(request_id: str, seconds: float | None, now_time: datetime | None = None) -> Iterator[Call]:
    """Make a call the current one. Units: `seconds` is the time its caller still waits."""
    call = Call(request_id, None if seconds is None else time.monotonic() + seconds, now_time)
    token = _current.set(call)
    try:
        yield call
    finally:
        _current.reset(token)


@contextmanager
def acting_as(name: str) -> Iterator[None]:
    """Name the role for the clients that are made inside."""
    token = _role.set(name)
    try:
        yield
    finally:
        _role.reset(token)
