"""A small OpenAI-compatible server on loopback that misbehaves on demand.

    with OpenAIServer() as server:
        server.next("/v1/embeddings", Behaviour.RATE_LIMITED, Behaviour.OK)
        server.say('{"1": 0.5}', lambda body: "the second answer")

Rules: each request to a path takes that path's next scripted behaviour; without one it answers well. Vectors are a
function of the text alone. What a chat completion says is scripted too: each one that gets as far as an answer takes
the next content given to `say`, a text or a function of the request's body, and when there is none the default of
`say_ever`. A behaviour then spoils that content. Streams are served as events where the request asks for them. Every
request is kept, with its path, headers and body. It runs on a thread of its own, so tests of any kind can use it.
"""

import asyncio
import contextlib
import hashlib
import re
import socket
import threading
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import TracebackType
from typing import Any, Self, TypeAlias

import numpy as np
import orjson
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

DIMENSIONS = 16
"""Of a vector, unless the request asks for another number."""

RETRY_AFTER_SECONDS = 7


class Behaviour(Enum):
    OK = auto()
    SLOW = auto()  # answers only when the server stops, or forgets
    RATE_LIMITED = auto()  # 429 without advice
    RATE_LIMITED_LONG = auto()  # 429 with Retry-After
    SERVER_ERROR = auto()
    BAD_GATEWAY_HTML = auto()
    UNAUTHORIZED = auto()
    BAD_REQUEST = auto()
    CUT_STREAM = auto()  # promises more bytes than it sends
    EMPTY_OBJECT = auto()
    NOT_JSON = auto()
    WRONG_DIMENSIONS = auto()
    NOT_A_NUMBER = auto()  # the JSON extension NaN
    HUGE_NUMBER = auto()  # finite JSON that overflows float32
    TEXT_VECTOR = auto()  # strings in place of numbers
    ZERO_VECTOR = auto()
    FEWER_ROWS = auto()
    REPEATED_INDEX = auto()
    SHUFFLED_INDEX = auto()  # all rows, in another order: right by their index
    # of chat completions
    HELD = auto()  # answers well, once the test calls release()
    REDIRECTED = auto()  # 307 to another path of this server
    FENCED = auto()
    THINKING = auto()  # a think block before the answer
    THINKING_UNOPENED = auto()  # of which the opening mark is lost
    THINKING_UNCLOSED = auto()  # and nothing else
    TRUNCATED = auto()  # half the content, finish_reason length
    PROSE = auto()  # words around the content
    SCHEMA_ECHO = auto()  # the JSON schema that was asked for, or one like it
    EMPTY_CONTENT = auto()
    EMPTY_JSON = auto()  # the content `{}`
    MISSING_KEY = auto()
    WRONG_KEYS = auto()
    REPEATED_KEY = auto()
    FALSE_AS_TEXT = auto()  # every value is the string "false"
    TRUE_VALUES = auto()  # every value is the boolean true
    INFINITE_NUMBER = auto()  # 1e999
    OUT_OF_RANGE = auto()
    FILTERED = auto()  # finish_reason content_filter
    DECLINED = auto()  # the model's own refusal
    NO_CHOICES = auto()
    LIST_CONTENT = auto()  # the content is not a text
    UNCOUNTED = auto()  # no usage
    LYING_COUNT = auto()  # usage that is not numbers of tokens
    UNFINISHED_STREAM = auto()  # ends early, without a word
    STALLED_STREAM = auto()  # half of it, then nothing until the server stops, or forgets
    ERROR_IN_STREAM = auto()  # half of it, then an error event
    BROKEN_CHUNK = auto()  # an event that is not JSON


STATUSES: Mapping[Behaviour, int] = {
    Behaviour.RATE_LIMITED: 429,
    Behaviour.RATE_LIMITED_LONG: 429,
    Behaviour.SERVER_ERROR: 500,
    Behaviour.UNAUTHORIZED: 401,
    Behaviour.BAD_REQUEST: 400,
}


@dataclass(frozen=True, slots=True)
class Received:
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


def vector_of(text: str, dimensions: int = DIMENSIONS) -> list[float]:
    """Return the vector this server gives to a text: not of length 1."""
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
    return [float(value) for value in np.random.default_rng(seed).normal(size=dimensions) * 3.0]


def embeddings_answer(body: dict[str, Any]) -> dict[str, Any]:
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    dimensions = body.get("dimensions", DIMENSIONS)
    rows = [
        {"object": "embedding", "index": index, "embedding": vector_of(text, dimensions)}
        for index, text in enumerate(texts)
    ]
    return {"object": "list", "model": body["model"], "data": rows, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def spoil_embeddings(behaviour: Behaviour, answer: dict[str, Any]) -> dict[str, Any]:
    rows: list[dict[str, Any]] = answer["data"]
    match behaviour:
        case Behaviour.WRONG_DIMENSIONS:
            rows = [row | {"embedding": row["embedding"][:-1]} for row in rows]
        case Behaviour.TEXT_VECTOR:
            rows = [row | {"embedding": ["much"] * len(row["embedding"])} for row in rows]
        case Behaviour.HUGE_NUMBER:
            rows = [row | {"embedding": [1e300] * len(row["embedding"])} for row in rows]
        case Behaviour.ZERO_VECTOR:
            rows = [row | {"embedding": [0.0] * len(row["embedding"])} for row in rows]
        case Behaviour.FEWER_ROWS:
            rows = rows[:-1]
        case Behaviour.REPEATED_INDEX:
            rows = [row | {"index": 0} for row in rows]
        case Behaviour.SHUFFLED_INDEX:
            rows = rows[1:] + rows[:1]
    return answer | {"data": rows}


Content: TypeAlias = "str | Callable[[dict[str, Any]], str]"

PROMPT_TOKENS = 11
"""Of every chat request, as this server counts."""

PIECE_CHARS = 7
"""Of one event of a stream: sentences and think blocks are cut in their midst."""


def completion_tokens_of(content: str) -> int:
    return len(content.split())


def _object_of(content: str) -> dict[str, Any]:
    parsed: dict[str, Any] = orjson.loads(content)
    return parsed


def spoil_content(behaviour: Behaviour, content: str, body: dict[str, Any]) -> str:
    match behaviour:
        case Behaviour.FENCED:
            return f"```json\n{content}\n```"
        case Behaviour.THINKING:
            return f'<think>\nPerhaps {{"1": 0.9}}? Yes.\n</think>\n\n{content}'
        case Behaviour.THINKING_UNOPENED:
            return f"Perhaps. Yes.\n</think>\n\n{content}"
        case Behaviour.THINKING_UNCLOSED:
            return "<think>\nPerhaps, or perhaps"
        case Behaviour.TRUNCATED:
            return content[: len(content) // 2]
        case Behaviour.PROSE:
            return f"Certainly! Here it is:\n{content}\nAnything else?"
        case Behaviour.SCHEMA_ECHO:
            asked = body.get("response_format", {}).get("json_schema", {}).get("schema")
            return orjson.dumps(asked or {"type": "object", "properties": {"1": {"type": "number"}}}).decode()
        case Behaviour.EMPTY_CONTENT:
            return ""
        case Behaviour.EMPTY_JSON:
            return "{}"
        case Behaviour.MISSING_KEY:
            return orjson.dumps(dict(list(_object_of(content).items())[:-1])).decode()
        case Behaviour.WRONG_KEYS:
            return orjson.dumps({f"score_{key}": value for key, value in _object_of(content).items()}).decode()
        case Behaviour.REPEATED_KEY:
            return content[:-1] + "," + content[1:]
        case Behaviour.FALSE_AS_TEXT:
            return orjson.dumps(dict.fromkeys(_object_of(content), "false")).decode()
        case Behaviour.TRUE_VALUES:
            return orjson.dumps(dict.fromkeys(_object_of(content), True)).decode()
        case Behaviour.OUT_OF_RANGE:
            return orjson.dumps(dict.fromkeys(_object_of(content), 7)).decode()
        case Behaviour.NOT_A_NUMBER:
            return re.sub(r"(: ?)[\d.]+", r"\1NaN", content, count=1)
        case Behaviour.INFINITE_NUMBER:
            return re.sub(r"(: ?)[\d.]+", r"\g<1>1e999", content, count=1)
    return content


def _finish(behaviour: Behaviour) -> str:
    words = {Behaviour.TRUNCATED: "length", Behaviour.FILTERED: "content_filter"}
    return words.get(behaviour, "stop")


def _usage(behaviour: Behaviour, content: str) -> dict[str, Any]:
    if behaviour is Behaviour.UNCOUNTED:
        return {}
    if behaviour is Behaviour.LYING_COUNT:
        return {"usage": {"prompt_tokens": -5, "completion_tokens": "many", "total_tokens": True}}
    tokens = completion_tokens_of(content)
    counts = {"prompt_tokens": PROMPT_TOKENS, "completion_tokens": tokens, "total_tokens": PROMPT_TOKENS + tokens}
    return {"usage": counts}


def chat_answer(behaviour: Behaviour, content: str, body: dict[str, Any]) -> dict[str, Any]:
    said: object = [{"type": "text", "text": content}] if behaviour is Behaviour.LIST_CONTENT else content
    message = {"role": "assistant", "content": said}
    if behaviour is Behaviour.DECLINED:
        message = {"role": "assistant", "content": None, "refusal": "I will not."}
    choices = [{"index": 0, "finish_reason": _finish(behaviour), "message": message}]
    if behaviour is Behaviour.NO_CHOICES:
        choices = []
    about = {"id": "chat-1", "object": "chat.completion", "created": 1, "model": body["model"]}
    return about | {"choices": choices} | _usage(behaviour, content)


def chat_events(behaviour: Behaviour, content: str, body: dict[str, Any]) -> list[bytes]:
    """Return the events of a streamed completion, half of them where the behaviour cuts it."""
    about = {"id": "chat-1", "object": "chat.completion.chunk", "created": 1, "model": body["model"]}

    def event(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
        return about | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    pieces = [content[start : start + PIECE_CHARS] for start in range(0, len(content), PIECE_CHARS)]
    said = [{"content": piece} for piece in pieces]
    events = [event({"role": "assistant", "content": ""}), *map(event, said), event({}, _finish(behaviour))]
    if body.get("stream_options", {}).get("include_usage"):
        events.append(about | {"choices": []} | _usage(behaviour, content))
    lines = [b"data: " + orjson.dumps(each) + b"\n\n" for each in events]
    half = lines[: len(lines) // 2]
    match behaviour:
        case Behaviour.UNFINISHED_STREAM | Behaviour.STALLED_STREAM:
            return half
        case Behaviour.ERROR_IN_STREAM:
            return [*half, b'data: {"error": {"message": "scripted", "code": "scripted"}}\n\n']
        case Behaviour.BROKEN_CHUNK:
            return [*half, b"data: {certainly\n\n"]
    return [*lines, b"data: [DONE]\n\n"]


EMBEDDINGS = "/v1/embeddings"
CHAT = "/v1/chat/completions"


class OpenAIServer:
    """Serves on a free loopback port between enter and exit."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self.most_in_flight = 0
        self._script: dict[str, deque[Behaviour]] = defaultdict(deque)
        self._contents: deque[Content] = deque()
        self._always: Content = "{}"
        self._changed = threading.Condition()
        self._in_flight = 0
        self._released = threading.Event()
        routes = [Route(path, self._handle, methods=["POST"]) for path in (EMBEDDINGS, CHAT, "/elsewhere")]
        config = uvicorn.Config(Starlette(routes=routes), log_config=None, lifespan="off", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._socket = socket.create_server(("127.0.0.1", 0))  # listens before the thread runs: no wait for a start
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._stuck = threading.Event()

    @property
    def base_url(self) -> str:
        host, port = self._socket.getsockname()
        return f"http://{host}:{port}/v1"

    def next(self, path: str, *behaviours: Behaviour) -> None:
        """Add behaviours for the coming requests to a path."""
        self._script[path].extend(behaviours)

    def say(self, *contents: Content) -> None:
        """Add what the coming chat completions say."""
        self._contents.extend(contents)

    def say_ever(self, content: Content) -> None:
        """Set what a chat completion says for which nothing else was scripted."""
        self._always = content

    def forget(self) -> None:
        """Start anew: let stuck requests go, drop the script and what was received."""
        self._stuck.set()
        self._released.set()
        with self._changed:
            self._stuck, self._released = threading.Event(), threading.Event()
            self._script.clear()
            self._contents.clear()
            self._always = "{}"
            self.received = []
            self.most_in_flight = 0

    def release(self) -> None:
        """Let every held request go on, now and from now on."""
        self._released.set()

    async def arrived(self, count: int) -> None:
        """Wait until this many requests have come in."""

        def wait() -> bool:
            with self._changed:
                return self._changed.wait_for(lambda: len(self.received) >= count, timeout=10)

        assert await asyncio.to_thread(wait), f"{len(self.received)} requests came, not {count}"

    def bodies(self, path: str = CHAT) -> list[dict[str, Any]]:
        """Return the bodies of the requests to a path, in order."""
        return [request.body for request in self.received if request.path == path]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stuck.set()
        self._released.set()
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self._socket.close()

    async def _handle(self, request: Request) -> Response:
        path = request.url.path
        body = orjson.loads(await request.body())
        with self._changed:
            self.received.append(Received(path, dict(request.headers), body))
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            self._changed.notify_all()
        try:
            return await self._answer(path, body)
        finally:
            with self._changed:
                self._in_flight -= 1

    async def _answer(self, path: str, body: dict[str, Any]) -> Response:
        behaviour = self._script[path].popleft() if self._script[path] else Behaviour.OK
        if behaviour in STATUSES:
            headers = {"retry-after": str(RETRY_AFTER_SECONDS)} if behaviour is Behaviour.RATE_LIMITED_LONG else {}
            problem = {"error": {"message": f"no: {body}", "type": "scripted", "code": "scripted"}}
            return Response(orjson.dumps(problem), STATUSES[behaviour], headers, "application/json")
        match behaviour:
            case Behaviour.REDIRECTED:
                return Response(status_code=307, headers={"location": "/elsewhere"})
            case Behaviour.BAD_GATEWAY_HTML:
                return Response("<html>bad gateway</html>", 502, media_type="text/html")
            case Behaviour.NOT_JSON:
                return Response("certainly! here are", media_type="application/json")
            case Behaviour.EMPTY_OBJECT:
                return Response("{}", media_type="application/json")
            case Behaviour.SLOW:
                await asyncio.to_thread(self._stuck.wait)
            case Behaviour.HELD:
                await asyncio.to_thread(self._released.wait)
        if path == EMBEDDINGS:
            answer = orjson.dumps(spoil_embeddings(behaviour, embeddings_answer(body)))
            if behaviour is Behaviour.NOT_A_NUMBER:
                answer = answer.replace(b'"embedding":[', b'"embedding":[NaN,')
        else:
            content = self._contents.popleft() if self._contents else self._always
            content = spoil_content(behaviour, content if isinstance(content, str) else content(body), body)
            if body.get("stream"):
                return self._stream(behaviour, chat_events(behaviour, content, body))
            answer = orjson.dumps(chat_answer(behaviour, content, body))
        if behaviour is Behaviour.CUT_STREAM:
            return StreamingResponse(_half(answer), headers={"content-length": str(len(answer))})
        return Response(answer, media_type="application/json")

    def _stream(self, behaviour: Behaviour, events: list[bytes]) -> Response:
        if behaviour is Behaviour.CUT_STREAM:
            length = {"content-length": str(sum(map(len, events)))}
            return StreamingResponse(_half(b"".join(events)), headers=length, media_type="text/event-stream")

        async def sent() -> AsyncIterator[bytes]:
            for event in events:
                yield event
            if behaviour is Behaviour.STALLED_STREAM:
                await asyncio.to_thread(self._stuck.wait)

        return StreamingResponse(sent(), media_type="text/event-stream")


async def _half(answer: bytes) -> AsyncIterator[bytes]:
    yield answer[: len(answer) // 2]


@contextlib.contextmanager
def closed_port() -> Iterator[str]:
    """Give a base URL where nothing listens, and nothing else can start to listen meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
