"""Generated requests to a running Candor: what is asked of each operation, and what came back.

Rules: one request at a time, but for some that are sent again several times at once. Of the requests some fit the
document, some break it, some are mangled beyond it; some carry a wrong key or none. Ids and tokens of earlier answers
come again. The tenant is changed as soon as a request has ended its own access. The same seed asks the same but for
ids. It does not know what a right answer is.
Source: schemathesis, property-based testing of APIs.
"""

import json
import math
import random
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.core.result import Ok

from gateway import streams
from tests.e2e.stack import Stack, bearer
from tests.fuzz import examples, ground, judging
from tests.fuzz.known import Known
from tests.fuzz.mangling import Raw, mangled

Operation: TypeAlias = "APIOperation[Any, Any, Any, Any]"
HANG_SECONDS = 60.0
WRONG_KEY_SHARE, MANGLED_SHARE, IDEMPOTENT_SHARE, EXAMPLE_SHARE = 0.04, 0.2, 0.2, 0.5  # of requests; chosen, untested
SHARES = [(0.0, 0.0), (0.6, 0.3), (0.95, 0.9)]  # of known values put in, of other fields left out; chosen, untested
PATH_SHARE = 0.8  # of known ids in paths; chosen, untested
TWINS_SHARE, TWINS = 0.05, 4  # of requests that are sent again, several times at once; chosen, untested
REFRESH_REQUESTS = 2_000  # then the tenant is changed; chosen, untested
MOST_IN_A_TURN = 40  # requests to one operation before the next; chosen, untested
MOST_EXAMPLE_CHARACTERS = 1_500
WRONG_KEY = "ck_" + "x" * 43
MANGLED, TWIN = "(mangled)", "(at once)"
JSON = "application/json"


@schemathesis.serializer(streams.NDJSON)
def lines(_: schemathesis.SerializationContext, value: Any) -> bytes:
    """Write a body of lines: the value twice, around a line that is wrong."""
    text = json.dumps(value).encode()
    return b"\n".join([text, b"{", text])


@dataclass(slots=True)
class Outcome:
    """What came back: counts by operation and status, the slowest answers, and one request for each kind of defect."""

    counts: Counter[tuple[str, int]] = field(default_factory=Counter)
    slowest_seconds: dict[str, float] = field(default_factory=dict)
    defects: dict[tuple[str, str], str] = field(default_factory=dict)

    def note(self, operation: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self.counts[operation, status] += 1
        self.slowest_seconds[operation] = max(seconds, self.slowest_seconds.get(operation, 0.0))


def _raw(sent: Any) -> Raw:
    """Return a request as it was sent."""
    body = sent.body if isinstance(sent.body, bytes) else (sent.body or "").encode()
    return Raw(sent.method, sent.url, dict(sent.headers), body)


class Fuzzer:
    """Asks one Candor; what came back is in `outcome`."""

    def __init__(self, stack: Stack, document: dict[str, Any], first_seed: int, *, only: str = "") -> None:
        schema = schemathesis.openapi.from_dict(document)
        schema.config.generation.with_security_parameters = False
        every = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
        self._operations: list[Operation] = [one for one in every if only in one.label]
        self._examples = {one.label: examples.body(document, one.path, one.method) for one in every}
        self._stack = stack
        self._session = requests.Session()
        self._pool = ThreadPoolExecutor(TWINS)
        self._chance = random.Random(first_seed)
        self._known = Known(self._chance)
        self._seed = first_seed
        self._key = ""
        self.outcome = Outcome()
        self._change_tenant()

    def run(self, most_requests: int, until: float = math.inf) -> Iterator[str]:
        """Ask each operation in turn until that many requests were made; yield the operation that is next.

        Units: `until` in seconds of time.monotonic().
        """
        examples = max(1, min(MOST_IN_A_TURN, most_requests // (3 * len(self._operations))))
        while True:
            for operation in self._operations:
                for mode in GenerationMode:
                    left = most_requests - self.outcome.counts.total()
                    if left <= 0 or time.monotonic() > until:
                        return
                    yield operation.label
                    self._turn(operation, mode, min(examples, left))

    def _turn(self, operation: Operation, mode: GenerationMode, examples: int) -> None:
        """Make some requests to one operation."""
        self._seed += 1
        plan = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        ask = given(case=operation.as_strategy(generation_mode=mode))(self._ask)
        with suppress(Unsatisfiable):  # nothing breaks the document here, as of a path that may be any text
            seed(self._seed)(plan(ask))()

    def _ask(self, case: "Case[Any]") -> None:
        label = case.operation.label
        self._improve(case)
        right = self._chance.random() >= WRONG_KEY_SHARE
        wrong = self._chance.choice([bearer(WRONG_KEY), {}])
        began = time.monotonic()
        try:
            answer = case.call(
                base_url=self._stack.url,
                session=self._session,
                headers=bearer(self._key) if right else wrong,
                timeout=HANG_SECONDS,
            )
        except requests.exceptions.InvalidHeader:
            return  # refused by the client: it was never sent
        except requests.RequestException as error:
            self._defect(label, f"no answer: {type(error).__name__}", case.as_curl_command(base_url=self._stack.url))
            return
        seen = judging.Seen.of(answer.status_code, answer.headers, answer.content)
        self.outcome.note(label, seen.status, time.monotonic() - began)
        for what in (*judging.problems(seen, case.method), *judging.differences(case, answer)):
            self._defect(label, what, f"{seen.request_id} {case.as_curl_command(base_url=self._stack.url)}")
        self._known.learn(seen.parsed)
        if right and (seen.status == 401 or self.outcome.counts.total() % REFRESH_REQUESTS == 0):
            self._change_tenant()
        if self._chance.random() < MANGLED_SHARE:
            raw = mangled(_raw(answer.request), self._chance)
            self._judge(label, MANGLED, raw, *self._exchange(raw))
        if self._chance.random() < TWINS_SHARE:
            raw = _raw(answer.request)
            for exchanged in self._pool.map(self._exchange, [raw] * TWINS):
                self._judge(label, TWIN, raw, *exchanged)

    def _improve(self, case: "Case[Any]") -> None:
        if self._chance.random() >= IDEMPOTENT_SHARE:
            case.headers.pop("Idempotency-Key", None)
        share, sparse = self._chance.choice(SHARES)
        example = self._examples[case.operation.label]
        if example is not None and case.media_type == JSON and self._chance.random() < EXAMPLE_SHARE:
            case.body = examples.varied(example, case.body, self._chance)
            share, sparse = share / 4, 0.0
        for part in ("path_parameters", "query", "body"):
            value = getattr(case, part)
            if isinstance(value, dict | list):
                in_path = part == "path_parameters"
                setattr(case, part, self._known.better(value, *((PATH_SHARE, 0.0) if in_path else (share, sparse))))

    def _exchange(self, raw: Raw) -> tuple[judging.Seen | None, float]:
        """Send a request as it is; return its answer, None if there was none, and the seconds it took."""
        request = requests.PreparedRequest()
        request.method, request.url, request.body = raw.method, raw.url, raw.body
        request.headers = requests.structures.CaseInsensitiveDict(raw.headers)
        request.hooks = requests.hooks.default_hooks()
        began = time.monotonic()
        try:
            answer = self._session.send(request, timeout=HANG_SECONDS, allow_redirects=False)
        except (requests.RequestException, UnicodeError, ValueError):
            return None, time.monotonic() - began
        seen = judging.Seen.of(answer.status_code, dict(answer.headers), answer.content)
        return seen, time.monotonic() - began

    def _judge(self, label: str, how: str, raw: Raw, seen: judging.Seen | None, seconds: float) -> None:
        """Count an answer and note what is wrong with it by itself.

        An end of the connection is right where the client did not send, or the bytes were no HTTP; the HTTP server's
        own refusal of those never became a request.
        """
        if seconds >= HANG_SECONDS:
            self._defect(label, f"no answer {how}", repr(raw))
        elif seen is not None and (seen.status != 400 or seen.request_id):
            self.outcome.note(how, seen.status, seconds)
            for what in judging.problems(seen, raw.method):
                self._defect(label, f"{what} {how}", f"{seen.request_id} {raw}")

    def _defect(self, label: str, what: str, example: str) -> None:
        self.outcome.defects.setdefault((label, what), example[:MOST_EXAMPLE_CHARACTERS])

    def _change_tenant(self) -> None:
        """Go on as somebody else, whose memory holds a little of everything; the ids of before are foreign now."""
        self._key = self._stack.new_tenant().key
        with self._stack.client(self._key) as client:
            ground.lay(client, self._known)
