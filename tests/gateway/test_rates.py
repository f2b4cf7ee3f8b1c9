"""Token buckets: how many requests at once, how many over time, and what a client is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway import rates
from gateway.rates import Rates
from shared.domain.errors import RateLimited


class Seconds:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.time = 1_000.0

    def __call__(self) -> float:
        return self.time


def taken(bucket: Rates, client: str, times: int) -> int:
    count = 0
    for _ in range(times):
        try:
            bucket.take(client)
        except RateLimited:
            continue
        count += 1
    return count


@given(
    per_minute=st.integers(1, 100_000),
    burst=st.integers(1, 200),
    steps=st.lists(st.tuples(st.floats(0, 120), st.integers(1, 50)), max_size=20),
)
def test_never_more_than_the_burst_and_what_flowed_in(
    per_minute: int, burst: int, steps: list[tuple[float, int]]
) -> None:
    clock = Seconds()
    bucket = Rates("key", per_minute=per_minute, burst=burst, clock=clock)
    assert taken(bucket, "a", burst + 5) == burst  # a full bucket holds exactly the burst
    total = burst
    for seconds, asks in steps:
        clock.time += seconds
        total += taken(bucket, "a", asks)
        assert total <= burst + (clock.time - 1_000.0) * per_minute / 60 + 1e-2


def test_an_empty_bucket_says_how_long_to_wait_and_then_gives() -> None:
    clock = Seconds()
    bucket = Rates("key", per_minute=60, burst=3, clock=clock)
    assert taken(bucket, "a", 10) == 3
    with pytest.raises(RateLimited) as caught:
        bucket.take("a")
    assert caught.value.reason == "RATE_LIMITED"
    assert caught.value.retry_after_seconds == pytest.approx(1.0)
    assert taken(bucket, "b", 10) == 3  # each client has a bucket of its own
    clock.time += caught.value.retry_after_seconds or 0
    assert taken(bucket, "a", 10) == 1


def test_the_headers_tell_policy_and_rest() -> None:
    bucket = Rates("key", per_minute=60, burst=3, clock=Seconds())
    told = [dict(bucket.take("a")) for _ in range(3)]
    assert {headers[b"ratelimit-policy"] for headers in told} == {b'"key";q=3;w=3'}
    assert [headers[b"ratelimit"] for headers in told] == [b'"key";r=2;t=1', b'"key";r=1;t=2', b'"key";r=0;t=3']


def test_requiring_takes_nothing() -> None:
    bucket = Rates("address", per_minute=60, burst=2, clock=Seconds())
    for _ in range(5):
        bucket.require("a")
    assert taken(bucket, "a", 5) == 2
    with pytest.raises(RateLimited):
        bucket.require("a")


def test_no_limit_keeps_nothing_of_anybody() -> None:
    bucket = Rates("key", per_minute=0, burst=1, clock=Seconds())
    assert [bucket.take("a") for _ in range(3)] == [(), (), ()]
    bucket.require("a")


def test_the_quietest_clients_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MAX_CLIENTS", 2)
    bucket = Rates("key", per_minute=60, burst=1, clock=Seconds())
    for client in ("a", "b", "c"):
        bucket.take(client)
    assert [taken(bucket, client, 1) for client in ("c", "b")] == [0, 0]
    assert taken(bucket, "a", 1) == 1
