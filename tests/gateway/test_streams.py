"""Server streams as lines: NDJSON and server-sent events, failures and clients that leave."""

import json
from typing import Any

import anyio
import pytest
from candor.audit.v1.fields_pb2 import AuditFieldsResponse, AuditSummary
from candor.memory.v1.finding_pb2 import Absence
from candor.memory.v1.memory_pb2 import Memory
from candor.retrieve.v1.memories_pb2 import StreamMemoriesResponse
from starlette.types import Message

from shared.domain.errors import InvalidArgument, UpstreamUnavailable
from tests.gateway.conftest import TENANT, Gateway

pytestmark = pytest.mark.anyio


def line(number: int, metadata: str = "{}") -> StreamMemoriesResponse:
    memory = Memory(id=str(number), content="two\nlines", metadata=metadata)
    return StreamMemoriesResponse(memory=memory, resume_token=f"t{number}")


async def test_each_message_is_a_line(gateway: Gateway) -> None:
    gateway.script.answers["StreamMemories"] = [line(1), line(2, '{\n"a": 1.0,\r\n"b":2}')]
    response = await gateway.client.get("/v1/memories:stream?kind=note")
    assert response.headers["content-type"] == "application/x-ndjson"
    lines = response.text.splitlines()
    assert [json.loads(one)["resumeToken"] for one in lines] == ["t1", "t2"]
    assert [json.loads(one)["result"]["memory"]["id"] for one in lines] == ["1", "2"]
    assert "1.0" in lines[1]
    assert set(json.loads(lines[0])["result"]) == {"memory"}
    assert gateway.script.asked[0][1].tenant_id == TENANT


async def test_only_the_member_of_a_oneof_that_is_set_is_printed(gateway: Gateway) -> None:
    absence = AuditFieldsResponse(absence=Absence(subject="PO-118"), resume_token="t1")
    summary = AuditFieldsResponse(summary=AuditSummary(audited=2))
    gateway.script.answers["AuditFields"] = [absence, summary]
    response = await gateway.client.post("/v1/audit/fields", json={})
    first, last = (json.loads(one) for one in response.text.splitlines())
    assert list(first["result"]) == ["absence"] and first["result"]["absence"]["subject"] == "PO-118"
    assert list(last["result"]) == ["summary"] and last["result"]["summary"]["ok"] is False


async def test_events_carry_the_same(gateway: Gateway) -> None:
    gateway.script.answers["StreamMemories"] = [line(1), line(2)]
    response = await gateway.client.get(
        "/v1/memories:stream", headers={"accept": "application/json;q=0.5, Text/Event-Stream"}
    )
    assert response.headers["content-type"].startswith("text/event-stream")
    events = response.text.split("\n\n")
    assert events.pop() == ""
    assert [json.loads(event.removeprefix("data: "))["resumeToken"] for event in events] == ["t1", "t2"]


async def test_an_empty_stream_is_empty(gateway: Gateway) -> None:
    response = await gateway.client.get("/v1/memories:stream")
    assert (response.status_code, response.content) == (200, b"")


async def test_head_makes_no_call(gateway: Gateway) -> None:
    response = await gateway.client.head("/v1/memories:stream")
    assert (response.status_code, response.headers["content-type"]) == (200, "application/x-ndjson")
    assert gateway.script.asked == []


async def test_what_fails_before_the_first_line_is_a_problem(gateway: Gateway) -> None:
    gateway.script.answers["StreamMemories"] = [InvalidArgument.of("resume_token", "RESUME_TOKEN_INVALID", "is old")]
    response = await gateway.client.get("/v1/memories:stream?resumeToken=x")
    assert (response.status_code, response.json()["reason"]) == (400, "RESUME_TOKEN_INVALID")


async def test_what_fails_later_is_the_last_line(gateway: Gateway) -> None:
    failure = UpstreamUnavailable("DATABASE_UNAVAILABLE", "The database went away.", retry_after_seconds=1)
    gateway.script.answers["StreamMemories"] = [line(1), failure]
    response = await gateway.client.get("/v1/memories:stream", headers={"x-request-id": "abc"})
    assert response.status_code == 200
    first, last = (json.loads(one) for one in response.text.splitlines())
    assert first["resumeToken"] == "t1"
    assert set(last) == {"problem"}
    assert (last["problem"]["reason"], last["problem"]["requestId"]) == ("DATABASE_UNAVAILABLE", "abc")


@pytest.mark.parametrize("lines_before", [0, 1])
async def test_a_client_that_leaves_cancels_the_call(gateway: Gateway, lines_before: int) -> None:
    waiting, left, heard = anyio.Event(), anyio.Event(), anyio.Semaphore(0)

    async def never() -> StreamMemoriesResponse:
        waiting.set()
        await anyio.sleep_forever()
        raise AssertionError

    gateway.script.answers["StreamMemories"] = [*[line(1)] * lines_before, never]
    incoming: list[Message] = [{"type": "http.request"}]
    sent: list[Any] = []

    async def receive() -> Message:
        if incoming:
            return incoming.pop()
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)
        if message["type"] == "http.response.body":
            heard.release()

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/v1/memories:stream",
        "raw_path": b"/v1/memories:stream",
        "query_string": b"",
        "headers": [(b"x-api-key", b"read-key")],
    }
    async with anyio.create_task_group() as group:
        group.start_soon(gateway.app, scope, receive, send)
        await waiting.wait()
        for _ in range(lines_before):
            await heard.acquire()
        left.set()
    bodies = [message["body"] for message in sent if message["type"] == "http.response.body"]
    assert len(bodies) == lines_before
    with anyio.fail_after(5):
        while not gateway.script.cancelled:
            await anyio.lowlevel.checkpoint()
    assert gateway.script.cancelled == ["StreamMemories"]
