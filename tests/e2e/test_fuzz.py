"""A small part of `make fuzz`: generated requests to every operation give no error of the server's own.

Rules: ends after a minute at the latest. The whole, 50,000 requests, is `make fuzz`.
Source: REQUIREMENTS F7.
"""

import time

from gateway import contracts, openapi
from tests.e2e.stack import Stack
from tests.fuzz.logs import defects_in_logs
from tests.fuzz.running import Fuzzer

SAMPLE_REQUESTS = 1_200
MOST_SECONDS = 50.0


def test_no_request_of_any_shape_breaks_it(stack: Stack) -> None:
    fuzzer = Fuzzer(stack, openapi.document(contracts.bindings()), first_seed=7)
    asked = set(fuzzer.run(SAMPLE_REQUESTS, until=time.monotonic() + MOST_SECONDS))
    assert fuzzer.outcome.counts.total() > len(asked) > 50
    assert fuzzer.outcome.defects == {}
    assert list(defects_in_logs(stack.own.home)) == []
