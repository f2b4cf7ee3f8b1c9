"""How often each client may ask: a token bucket for each, on this replica alone.

Rules: a bucket holds `burst` requests and fills evenly; one request takes one, and what is refused takes none. Only the
instant at which a bucket would be full is kept of a client; a full bucket is as good as none, so the clients that were
quiet longest are forgotten first. It does not know who a client is.
Source: the generic cell rate algorithm, ITU-T I.371, as the virtual scheduling form; the headers of
draft-ietf-httpapi-ratelimit-headers-10.
"""

import math
from collections import OrderedDict
from collections.abc import Callable

from shared.domain.errors import RateLimited

MAX_CLIENTS = 100_000  # about 15 MB; chosen, untested


class Rates:
    """The buckets of one kind of client. Units: `clock` tells seconds that only grow; `per_minute` 0: no limit."""

    def __init__(self, name: str, *, per_minute: int, burst: int, clock: Callable[[], float]) -> None:
        self._name = name
        self._burst = burst
        self._clock = clock
        self._seconds_each = 60 / per_minute if per_minute else 0.0
        self._full_at: OrderedDict[str, float] = OrderedDict()
        self._policy = f'"{name}";q={burst};w={math.ceil(burst * self._seconds_each)}'.encode()

    def take(self, client: str) -> tuple[tuple[bytes, bytes], ...]:
        """Take one request out of a client's bucket and return the headers that tell what is left.

        Raises: RateLimited RATE_LIMITED.
        """
        if not self._seconds_each:
            return ()
        now = self._clock()
        full_at = max(self._full_at.get(client, now), now) + self._seconds_each
        left = self._left(full_at, now)
        if left < 0:
            raise self._refusal(full_at - self._burst * self._seconds_each - now)
        self._full_at[client] = full_at
        self._full_at.move_to_end(client)
        if len(self._full_at) > MAX_CLIENTS:
            self._full_at.popitem(last=False)
        told = f'"{self._name}";r={left};t={math.ceil(full_at - now)}'.encode()
        return (b"ratelimit-policy", self._policy), (b"ratelimit", told)

    def require(self, client: str) -> None:
        """Refuse a client whose bucket is empty, and take nothing. Raises: RateLimited RATE_LIMITED."""
        full_at = self._full_at.get(client)
        if full_at is None:
            return
        short = full_at + self._seconds_each - self._burst * self._seconds_each - self._clock()
        if short > self._seconds_each / 1_000:  # beyond rounding
            raise self._refusal(short)

    def _left(self, full_at: float, now: float) -> int:
        # A bucket that was just full holds burst - 1 after one request, whatever the rounding.
        return math.floor(self._burst - (full_at - now) / self._seconds_each + 1e-3)

    def _refusal(self, wait_seconds: float) -> RateLimited:
        return RateLimited(
            "RATE_LIMITED",
            "Too many requests; slow down.",
            metadata={"policy": self._name, "requests_per_minute": str(round(60 / self._seconds_each))},
            retry_after_seconds=max(wait_seconds, self._seconds_each),
        )
