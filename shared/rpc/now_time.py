"""Simulated time: the instant that a request says is now, for tests and benchmarks.

Rules: a request may say so only where CANDOR_CLOCK=request, which production refuses; elsewhere it is refused, never
passed over. It goes along to every service that works for the request. It decides what is written, recalled, decayed
and forgotten; keys, quotas, deadlines and the schedule of jobs keep real time.
It does not know what the time is for.
Source: REQUIREMENTS D7.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from shared.domain.errors import FailedPrecondition, InvalidArgument
from shared.rpc import context as calls


def read(text: str) -> datetime:
    """Return the instant that a header names, to the millisecond. Raises: InvalidArgument NOW_TIME_INVALID."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        instant = None
    if instant is None or instant.tzinfo is None:
        told = "must be an instant with its zone, as in 2026-03-01T09:00:00Z"
        raise InvalidArgument.of(calls.NOW_TIME_KEY, "NOW_TIME_INVALID", told)
    instant = instant.astimezone(UTC)
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def write(instant: datetime) -> str:
    """Return the text of a header that names an instant."""
    return instant.isoformat()


def allowed(text: str, *, simulated: bool) -> datetime | None:
    """Return the instant that a request says is now; None where it says nothing.

    Raises: FailedPrecondition NOW_TIME_REFUSED; InvalidArgument NOW_TIME_INVALID.
    """
    if not text:
        return None
    if not simulated:
        raise FailedPrecondition("NOW_TIME_REFUSED", "time is real here: X-Now-Time needs CANDOR_CLOCK=request")
    return read(text)


def of_call(real: Callable[[], datetime]) -> Callable[[], datetime]:
    """Return a clock that shows what the call being served says is now, else the real present."""

    def now() -> datetime:
        call = calls.current()
        return call.now_time if call is not None and call.now_time is not None else real()

    return now
