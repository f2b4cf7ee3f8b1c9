"""The Python clients: what they send again and what never, what they raise, how they page and stream, what they read.

Rules: the asynchronous one speaks to a running gateway, the synchronous one to answers that a test writes. stamina's
waits are left out; how long they would be is tested apart.
"""

import dataclasses
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx2
import pytest
import stamina
from candor.ingest.v1.memories_pb2 import CreateMemoryResponse
from candor.memory.v1.memory_pb2 import Memory
from candor.retrieve.v1.memories_pb2 import ListMemoriesResponse

from gateway import client, contracts, openapi
from gateway.client import papers, problems, reading, reports, results, sending
from shared.domain.errors import Overloaded
from tests.gateway.conftest import Gateway
from tests.house.tree import ROOT

pytestmark = pytest.mark.anyio
RESULTS = [
    kind
    for module in (results, reports, papers)
    for kind in vars(module).values()
    if dataclasses.is_dataclass(kind) and isinstance(kind, type) and kind.__module__ == module.__name__
]
SCHEMAS = {
    "Recall": "RecallMemoriesResponse",
    "AuditReport": "GetAuditReportResponse",
    "Decision": "ResolveConflictResponse",
    "NewKey": "CreateKeyResponse",
    "RotatedKey": "RotateKeyResponse",
    "Answer": "AnswerQuestionResponse",
    "Talk": "ChatResponse",
    "MeaningReport": "AuditMeaningResponse",
    "DocumentsRead": "IngestDocumentsResponse",
    "ProfitAndLoss": "GetProfitAndLossResponse",
}


@pytest.fixture(autouse=True)
def without_waits() -> Iterator[None]:
    with stamina.set_testing(True, attempts=sending.ATTEMPTS):
        yield


def answering(*answers: httpx2.Response | Exception) -> tuple[client.Candor, list[httpx2.Request]]:
    """Return a client that gets these answers, and what it sent."""
    left, sent = list(answers), []

    def answer(request: httpx2.Request) -> httpx2.Response:
        sent.append(request)
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        return given

    return client.Candor("http://candor", "a-key", transport=httpx2.MockTransport(answer)), sent


def problem(status: int, reason: str, **headers: str) -> httpx2.Response:
    body = {"status": status, "reason": reason, "detail": "No.", "requestId": "r-1"}
    return httpx2.Response(status, json=body, headers=headers)


WRITTEN = {"memory": {"memoryId": "m-1", "revision": 1, "existing": False, "vectorPending": False}}


def test_a_write_is_sent_again_under_the_same_key() -> None:
    candor, sent = answering(
        problem(503, "OVERLOADED"), httpx2.ConnectError("gone"), httpx2.Response(200, json=WRITTEN)
    )
    with candor:
        assert candor.remember("x").memory_id == "m-1"
    keys = [request.headers["idempotency-key"] for request in sent]
    assert len(keys) == 3
    assert len(set(keys)) == 1
    assert keys[0]


def test_two_writes_have_two_keys_and_a_given_one_is_kept() -> None:
    candor, sent = answering(*[httpx2.Response(200, json=WRITTEN) for _ in range(3)])
    with candor:
        candor.remember("x")
        candor.remember("x")
        candor.remember("x", request_id="mine")
    first, second, third = (request.headers["idempotency-key"] for request in sent)
    assert first != second
    assert third == "mine"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, problems.InvalidRequest),
        (401, problems.Unauthenticated),
        (403, problems.PermissionDenied),
        (404, problems.NotFound),
        (409, problems.Conflict),
        (413, problems.InvalidRequest),
        (429, problems.RateLimited),
        (500, problems.ServerFault),
    ],
)
def test_what_does_not_pass_by_itself_is_raised_at_once(status: int, kind: type[problems.Problem]) -> None:
    candor, sent = answering(problem(status, "WHY"))
    with candor, pytest.raises(problems.Problem) as raised:
        candor.recall("x")
    assert type(raised.value) is kind
    assert (raised.value.status, raised.value.reason, raised.value.request_id) == (status, "WHY", "r-1")
    assert len(sent) == 1


def test_it_gives_up() -> None:
    candor, sent = answering(*[problem(503, "OVERLOADED") for _ in range(10)])
    with candor, pytest.raises(problems.Unavailable):
        candor.recall("x")
    assert len(sent) == sending.ATTEMPTS


@pytest.mark.parametrize(
    ("error", "wait"),
    [
        (problems.Unavailable("", retry_after_seconds=7.0), 7.0),
        (problems.RateLimited("", retry_after_seconds=2.0), 2.0),
        (problems.Unavailable(""), True),
        (problems.Unreachable(""), True),
        (problems.RateLimited(""), False),
        (problems.RateLimited("", retry_after_seconds=sending.LONGEST_WAIT_SECONDS + 1), False),
        (problems.Unreachable("", reason=sending.TIMED_OUT), False),
        (problems.InvalidRequest(""), False),
        (KeyError(), False),
    ],
)
def test_the_server_says_how_long_to_wait(error: Exception, wait: bool | float) -> None:
    assert sending.again(error) == wait


def test_retry_after_is_read_from_the_header() -> None:
    assert problems.from_answer(503, {"retry-after": "7"}, "").retry_after_seconds == 7.0
    assert problems.from_answer(503, {"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, "").retry_after_seconds is None


def test_a_page_of_a_proxy_is_a_problem_too() -> None:
    candor, _ = answering(*[httpx2.Response(502, text="<html>Bad gateway</html>") for _ in range(sending.ATTEMPTS)])
    with candor, pytest.raises(problems.Unavailable) as raised:
        candor.recall("x")
    assert raised.value.status == 502


def test_a_stream_that_has_begun_is_not_sent_again() -> None:
    lines = [{"result": {"text": "Yes."}}, {"problem": {"status": 503, "reason": "OVERLOADED", "requestId": "r-2"}}]
    candor, sent = answering(httpx2.Response(200, text="".join(json.dumps(line) + "\n" for line in lines)))
    with candor:
        events = candor.ask_stream("x")
        assert next(events) == results.Text("Yes.")
        with pytest.raises(problems.Unavailable) as raised:
            next(events)
    assert raised.value.request_id == "r-2"
    assert len(sent) == 1


def test_a_stream_that_has_not_begun_is_sent_again() -> None:
    line = json.dumps({"result": {"text": "Yes."}})
    candor, sent = answering(problem(503, "OVERLOADED"), httpx2.Response(200, text=line))
    with candor:
        assert list(candor.ask_stream("x")) == [results.Text("Yes.")]
    assert len(sent) == 2


def test_a_line_ends_at_a_line_feed_alone() -> None:
    text = "One.\u2028Two.\x85Three.\x0c"
    body = "".join(json.dumps({"result": {"text": part}}, ensure_ascii=False) + "\n" for part in (text, "end"))
    parts = [body.encode()[start : start + 3] for start in range(0, len(body.encode()), 3)]
    candor, _ = answering(httpx2.Response(200, content=iter(parts)))
    with candor:
        assert list(candor.ask_stream("x")) == [results.Text(text), results.Text("end")]


def test_a_used_up_quota_says_when_it_is_full_again() -> None:
    told = {"limit": "100", "left": "3", "reset_at": "2026-03-02T00:00:00+00:00"}
    body = {"status": 429, "reason": "QUOTA_EXHAUSTED", "detail": "No.", "requestId": "r-1", "metadata": told}
    candor, sent = answering(httpx2.Response(429, json=body, headers={"retry-after": "3600"}))
    with candor, pytest.raises(client.QuotaExhausted) as raised:
        candor.recall("x")
    assert isinstance(raised.value, client.RateLimited)
    assert (raised.value.limit, raised.value.left, raised.value.retry_after_seconds) == (100, 3, 3600.0)
    assert raised.value.reset_at == datetime(2026, 3, 2, tzinfo=UTC)
    assert len(sent) == 1


def test_numbers_keep_their_digits_both_ways() -> None:
    metadata = {"total": Decimal("18400.00"), "n": 12345678901234567890123, "word": "18400.00"}
    candor, sent = answering(httpx2.Response(200, json=WRITTEN))
    with candor:
        candor.remember("x", metadata=metadata)
    assert b'"total": 18400.00, "n": 12345678901234567890123, "word": "18400.00"' in sent[0].content
    assert reading.parse(sent[0].content)["metadata"] == metadata


def test_an_instant_without_a_zone_is_refused() -> None:
    candor, sent = answering()
    with candor, pytest.raises(ValueError, match="observed_at"):
        candor.remember("x", observed_at=datetime(2026, 1, 1))  # noqa: DTZ001
    assert sent == []


def test_an_id_stays_inside_its_segment() -> None:
    candor, sent = answering(problem(404, "MEMORY_NOT_FOUND"))
    with candor, pytest.raises(problems.NotFound):
        candor.memory("../keys?x=1")
    assert sent[0].url.raw_path == b"/v1/memories/..%2Fkeys%3Fx%3D1"


def test_a_key_is_in_no_repr_and_no_message() -> None:
    assert "ck_secret" not in repr(reports.NewKey("k-1", "ck_secret"))
    with pytest.raises(ValueError, match="the key is not one") as raised:
        client.Candor(key="ck_secret\n")
    assert "ck_secret" not in str(raised.value)


@pytest.mark.parametrize("kind", RESULTS, ids=lambda kind: kind.__name__)
def test_every_field_is_one_of_the_contract(kind: type[Any]) -> None:
    if kind is results.Text:
        return  # a word of a stream, no message
    schemas: Any = openapi.document(contracts.bindings())["components"]["schemas"]
    known = schemas[SCHEMAS.get(kind.__name__, kind.__name__)]["properties"]
    assert [field.name for field in dataclasses.fields(kind) if reading.camel(field.name) not in known] == []


def test_nothing_of_the_server_is_loaded() -> None:
    script = "import sys, gateway.client.cli; print(*sorted(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    ours = [name for name in run.stdout.split() if name.split(".")[0] in {"shared", "services", "candor", "gateway"}]
    allowed = {"gateway", "gateway.client"}
    assert [name for name in ours if name not in allowed and not name.startswith("gateway.client.")] == []
    assert "grpc" not in run.stdout.split()


def over(gateway: Gateway) -> client.AsyncCandor:
    return client.AsyncCandor("http://gateway", "admin-key", transport=httpx2.ASGITransport(gateway.app))


async def test_a_running_gateway_is_asked_again(gateway: Gateway) -> None:
    answers: list[Any] = [CreateMemoryResponse(operation_id="o-1")]
    answers[0].memory.memory_id = "m-1"
    gateway.script.answers["CreateMemory"] = answers
    async with over(gateway) as candor:
        gateway.script.answers["CreateMemory"] = [Overloaded("OVERLOADED", "Too much.", retry_after_seconds=1)]
        with pytest.raises(problems.Unavailable) as raised:
            await candor.remember("x", request_id="once")
        assert raised.value.retry_after_seconds == 1
        assert {request.request_id for _, request in gateway.script.asked} == {"once"}
        assert len(gateway.script.asked) >= sending.ATTEMPTS  # the channel within may ask again too
        gateway.script.answers["CreateMemory"] = answers
        assert (await candor.remember("x")).memory_id == "m-1"


async def test_pages_are_read_as_they_are_needed(gateway: Gateway) -> None:
    page = ListMemoriesResponse(items=[Memory(id="m-1"), Memory(id="m-2")], next_page_token="more")
    gateway.script.answers["ListMemories"] = [page]
    async with over(gateway) as candor:
        seen = candor.memories(tags=["a", "b"])
        assert [(await anext(seen)).id for _ in range(2)] == ["m-1", "m-2"]
        assert len(gateway.script.asked) == 1
        gateway.script.answers["ListMemories"] = [ListMemoriesResponse(items=[Memory(id="m-3")])]
        assert [memory.id async for memory in seen] == ["m-3"]
    first, second = (request for _, request in gateway.script.asked)
    assert second.page_token == "more"
    assert list(first.tags) == ["a", "b"]
