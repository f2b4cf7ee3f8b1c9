"""Uploads: lines of any size become messages, wrong ones are told apart, and nothing piles up in between."""

import asyncio
import base64
import json
import tracemalloc
from collections.abc import AsyncIterator, Iterable
from typing import Any

import anyio
import pytest
from candor.ingest.v1.bulk_pb2 import IMPORT_MODE_BULK, ImportLine, ImportMemoriesRequest, ImportMemoriesResponse
from starlette.types import Message

from gateway import uploads
from gateway.lines import MAX_LINE_BYTES, MAX_LINES, Lines
from shared.domain.errors import InvalidArgument, UpstreamUnavailable
from tests.gateway.conftest import TENANT, Gateway

pytestmark = pytest.mark.anyio
PATH = "/v1/memories:import"
NDJSON = {"content-type": "application/x-ndjson"}
GOOD = b'{"kind":"note","content":"a fact"}\n'


def received(gateway: Gateway) -> list[ImportLine]:
    """Return the lines that reached the service."""
    return [line for name, request in gateway.script.asked if name == "ImportMemories" for line in request.lines]


def header(gateway: Gateway) -> ImportMemoriesRequest:
    first: ImportMemoriesRequest = gateway.script.asked[0][1]
    return first


async def parts(pieces: Iterable[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def test_lines_become_memories_in_order(gateway: Gateway) -> None:
    gateway.script.answers["ImportMemories"] = [ImportMemoriesResponse(import_id="i", lines=3, written=3, next_line=4)]
    body = b"".join(
        json.dumps({"kind": "note", "content": f"fact {n}", "metadata": {"n": n}}).encode() + b"\r\n" for n in range(3)
    )
    asked = {"mode": "bulk", "reason": "because", "requestId": "i"}
    response = await gateway.client.post(PATH, params=asked, content=body, headers=NDJSON)
    assert response.status_code == 200
    assert response.json()["nextLine"] == 4
    first = header(gateway)
    assert (first.tenant_id, first.actor, first.request_id) == (TENANT, "admin-key", "i")
    assert (first.mode, first.reason) == (IMPORT_MODE_BULK, "because")
    assert [(line.number, line.memory.content) for line in received(gateway)] == [
        (n + 1, f"fact {n}") for n in range(3)
    ]
    assert received(gateway)[2].memory.metadata == '{"n":2}'


async def test_the_idempotency_key_names_the_upload_and_lines_go_on_where_it_says(gateway: Gateway) -> None:
    headers = {**NDJSON, "idempotency-key": "upload-7"}
    await gateway.client.post(f"{PATH}?firstLine=41", content=GOOD * 2, headers=headers)
    assert header(gateway).request_id == "upload-7"
    assert [line.number for line in received(gateway)] == [41, 42]


WRONG = (
    (b"{", "body", "JSON_INVALID"),
    (b'{"kind":"note","content":"\xff"}', "body", "JSON_INVALID"),
    (b"\xef\xbb\xbf{}", "body", "JSON_INVALID"),
    (b"[" * 100_000, "body", "JSON_TOO_DEEP"),
    (b"12", "body", "WRONG_TYPE"),
    (b'{"kind":"note","content":"a","colour":1}', "colour", "UNKNOWN_FIELD"),
    (b'{"kind":"note","content":"\\ud800"}', "content", "FORBIDDEN_CHARACTER"),
    (b'{"kind":"note","content":"\\u0000"}', "content", "FORBIDDEN_CHARACTER"),
    (b'{"kind":"note","content":"a","embedding":"!"}', "embedding", "WRONG_TYPE"),
    (b'{"kind":"note","content":"' + b"x" * MAX_LINE_BYTES + b'"}', "body", "LINE_TOO_LONG"),
)


async def test_lines_are_numbered_as_far_as_the_contract_counts(gateway: Gateway) -> None:
    last = {"firstLine": str(uploads.MAX_LINE_NUMBER)}
    response = await gateway.client.post(PATH, params=last, content=GOOD, headers=NDJSON)
    assert (response.status_code, received(gateway)[0].number) == (200, uploads.MAX_LINE_NUMBER)
    response = await gateway.client.post(PATH, params=last, content=GOOD * 2, headers=NDJSON)
    assert (response.status_code, response.json()["reason"]) == (400, "TOO_MANY_LINES")


async def test_wrong_lines_are_named_and_the_others_go_on(gateway: Gateway) -> None:
    body = b"\n".join(line for wrong, _, _ in WRONG for line in (GOOD.strip(), wrong))
    response = await gateway.client.post(PATH, content=parts([body]), headers=NDJSON)
    assert response.status_code == 200
    lines = received(gateway)
    assert [line.number for line in lines] == list(range(1, 2 * len(WRONG) + 1))
    assert all(line.memory.content == "a fact" for line in lines[::2])
    refused = [line.refused for line in lines[1::2]]
    assert [(one.field, one.reason) for one in refused] == [(field, reason) for _, field, reason in WRONG]
    assert [one.line for one in refused] == list(range(2, 2 * len(WRONG) + 1, 2))
    assert all(one.description for one in refused)


async def test_blank_lines_are_numbered_and_not_sent(gateway: Gateway) -> None:
    await gateway.client.post(PATH, content=b"\n" + GOOD + b" \r\n\n" + GOOD.strip(), headers=NDJSON)
    assert [line.number for line in received(gateway)] == [2, 5]


async def test_an_empty_body_is_an_upload_of_nothing(gateway: Gateway) -> None:
    assert (await gateway.client.post(PATH, headers=NDJSON)).status_code == 200
    assert received(gateway) == []


@pytest.mark.parametrize("key", ["admin-key", "write-key"])
async def test_vectors_are_for_administrators(gateway: Gateway, key: str) -> None:
    vector = base64.b64encode(b"\0\0\x80\x3f" * 2).decode()
    line = json.dumps({"kind": "note", "content": "a", "embedding": vector, "embeddingModel": "m"})
    headers = {**NDJSON, "authorization": f"Bearer {key}"}
    await gateway.client.post(PATH, content=line, headers=headers)
    [sent] = received(gateway)
    if key == "admin-key":
        assert (sent.memory.embedding, sent.memory.embedding_model) == (b"\0\0\x80\x3f" * 2, "m")
    else:
        assert (sent.refused.field, sent.refused.reason) == ("embedding", "FIELD_NOT_ALLOWED")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content-type": "application/json"}, 415),
        ({**NDJSON, "content-encoding": "gzip"}, 415),
        ({**NDJSON, "authorization": "Bearer read-key"}, 403),
        ({**NDJSON, "authorization": "Bearer nobody"}, 401),
        ({**NDJSON, "idempotency-key": "two words"}, 400),
    ],
)
async def test_what_is_refused_reaches_no_service(gateway: Gateway, headers: dict[str, str], status: int) -> None:
    assert (await gateway.client.post(PATH, content=GOOD, headers=headers)).status_code == status
    assert gateway.script.asked == []


async def test_many_short_lines_are_several_messages(gateway: Gateway) -> None:
    await gateway.client.post(PATH, content=b"{}\n" * (2 * MAX_LINES + 1), headers=NDJSON)
    sizes = [len(request.lines) for name, request in gateway.script.asked if name == "ImportMemories"]
    assert sizes == [0, MAX_LINES, MAX_LINES, 1, 0]


class Body:
    """A body that comes part by part, as often as it is asked for."""

    def __init__(self, part: bytes, count: int, *, ends: bool = True) -> None:
        self.part, self.count, self.ends = part, count, ends
        self.given = 0
        self.sent: list[Message] = []
        self.left = asyncio.Event()

    async def receive(self) -> Message:
        if self.given < self.count:
            self.given += 1
            await asyncio.sleep(0)
            return {"type": "http.request", "body": self.part, "more_body": not self.ends or self.given < self.count}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    async def post(self, gateway: Gateway) -> None:
        headers = [(b"x-api-key", b"write-key"), (b"content-type", b"application/x-ndjson")]
        raw: dict[str, Any] = {"path": PATH, "raw_path": PATH.encode(), "query_string": b"", "headers": headers}
        await gateway.app({"type": "http", "method": "POST", **raw}, self.receive, self.send)

    def answer(self) -> Any:
        return json.loads(b"".join(message.get("body", b"") for message in self.sent))


async def test_a_body_is_read_only_as_fast_as_the_service_takes_it(gateway: Gateway) -> None:
    gateway.script.taking = asyncio.Semaphore(1)
    body = Body(b'{"kind":"note","content":"' + b"x" * 30_000 + b'"}\n', 2_000)  # 60 MB
    tracemalloc.start()
    posting = asyncio.create_task(body.post(gateway))
    before = -1
    while before != body.given:  # as long as more is taken
        before = body.given
        await asyncio.sleep(0.5)
    held_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert body.given < 600
    assert held_bytes < 40_000_000
    for _ in range(1_000):
        gateway.script.taking.release()
    await posting
    assert body.sent[0]["status"] == 200
    assert len(received(gateway)) == 2_000


async def test_what_the_service_refuses_at_once_keeps_its_reason(gateway: Gateway) -> None:
    gateway.script.failing = InvalidArgument.of("first_line", "IMPORT_GAP", "is not the next line")
    response = await gateway.client.post(PATH, content=GOOD, headers=NDJSON)
    assert (response.status_code, response.json()["reason"]) == (400, "IMPORT_GAP")


async def test_an_upload_that_the_service_ends_is_answered_while_the_body_still_comes(gateway: Gateway) -> None:
    failure = UpstreamUnavailable("DATABASE_UNAVAILABLE", "gone", retry_after_seconds=1)
    gateway.script.failing_later = failure
    body = Body(GOOD * 20_000, 2, ends=False)
    with anyio.fail_after(10):
        await body.post(gateway)
    assert body.sent[0]["status"] == 503
    # A message that was being sent at that instant loses the service's own reason on the way.
    assert body.answer()["reason"] in ("DATABASE_UNAVAILABLE", "UPLOAD_INTERRUPTED")


async def test_a_client_that_leaves_ends_the_upload(gateway: Gateway) -> None:
    body = Body(GOOD, 1, ends=False)
    posting = asyncio.create_task(body.post(gateway))
    with anyio.fail_after(10):
        while not received(gateway):  # sent after a pause, though it fills no message
            await anyio.lowlevel.checkpoint()
        body.left.set()
        await posting
        # gRPC may show the service a cancelled upload as one that has ended.
        while not gateway.script.cancelled and len(gateway.script.asked) < 3:
            await anyio.lowlevel.checkpoint()
    assert body.sent == []


def test_lines_do_not_depend_on_how_the_body_is_cut() -> None:
    body = b"one\n\ntwo\r\n" + b"x" * (MAX_LINE_BYTES + 5) + b"\nthree\n  \nfour"
    seen = []
    for size in (1 << 16, 1_000_003, len(body)):
        lines = Lines(1)
        for start in range(0, len(body), size):
            lines.feed(body[start : start + size])
        lines.finish()
        seen.append([(one.number, one.text.strip(), one.is_too_long) for part in lines.take() for one in part])
    assert seen[0] == seen[1] == seen[2]
    assert seen[0] == [
        (1, b"one", False),
        (3, b"two", False),
        (4, b"", True),
        (5, b"three", False),
        (7, b"four", False),
    ]


def test_a_line_without_an_end_is_not_held() -> None:
    lines = Lines(1)
    for _ in range(100):
        lines.feed(b"x" * 100_000)
        assert len(lines._rest) <= MAX_LINE_BYTES
    assert uploads.MESSAGE_BYTES < MAX_LINE_BYTES
