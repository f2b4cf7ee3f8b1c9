"""A small OpenAI-compatible server on loopback that misbehaves on demand.

    with OpenAIServer() as server:
        server.next("/v1/embeddings", Behaviour.RATE_LIMITED, Behaviour.OK)

Rules: each request to a path takes that path's next scripted behaviour; without one it answers well. Vectors are a
function of the text alone. Every request is kept, with its path, headers and body. It runs on a thread of its own, so
tests of any kind can use it. A further endpoint is one function from the request's body to a good answer, registered in
`ANSWERS`; the behaviours that are not about embeddings work for every path.
"""

import asyncio
import contextlib
import hashlib
import socket
import threading
from collections import defaultdict, deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from types import TracebackType
from typing import Any, Self

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
    SLOW = auto()  # answers only when the server stops
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


ANSWERS: Mapping[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"/v1/embeddings": embeddings_answer}


class OpenAIServer:
    """Serves on a free loopback port between enter and exit."""

    def __init__(self) -> None:
        self.received: list[Received] = []
        self._script: dict[str, deque[Behaviour]] = defaultdict(deque)
        routes = [Route(path, self._handle, methods=["POST"]) for path in ANSWERS]
        config = uvicorn.Config(Starlette(routes=routes), log_config=None, lifespan="off", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._socket = socket.create_server(("127.0.0.1", 0))  # listens before the thread runs: no wait for a start
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._stopping = threading.Event()

    @property
    def base_url(self) -> str:
        host, port = self._socket.getsockname()
        return f"http://{host}:{port}/v1"

    def next(self, path: str, *behaviours: Behaviour) -> None:
        """Add behaviours for the coming requests to a path."""
        self._script[path].extend(behaviours)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self._socket.close()

    async def _handle(self, request: Request) -> Response:
        path = request.url.path
        body = orjson.loads(await request.body())
        self.received.append(Received(path, dict(request.headers), body))
        behaviour = self._script[path].popleft() if self._script[path] else Behaviour.OK
        if behaviour in STATUSES:
            headers = {"retry-after": str(RETRY_AFTER_SECONDS)} if behaviour is Behaviour.RATE_LIMITED_LONG else {}
            problem = {"error": {"message": f"no: {body}", "type": "scripted", "code": "scripted"}}
            return Response(orjson.dumps(problem), STATUSES[behaviour], headers, "application/json")
        if behaviour is Behaviour.BAD_GATEWAY_HTML:
            return Response("<html>bad gateway</html>", 502, media_type="text/html")
        if behaviour is Behaviour.NOT_JSON:
            return Response("certainly! here are", media_type="application/json")
        if behaviour is Behaviour.EMPTY_OBJECT:
            return Response("{}", media_type="application/json")
        if behaviour is Behaviour.SLOW:
            await asyncio.to_thread(self._stopping.wait)
        good = ANSWERS[path](body)
        answer = orjson.dumps(spoil_embeddings(behaviour, good) if path == "/v1/embeddings" else good)
        if behaviour is Behaviour.NOT_A_NUMBER:
            answer = answer.replace(b'"embedding":[', b'"embedding":[NaN,')
        if behaviour is Behaviour.CUT_STREAM:
            return StreamingResponse(_half(answer), headers={"content-length": str(len(answer))})
        return Response(answer, media_type="application/json")


async def _half(answer: bytes) -> AsyncIterator[bytes]:
    yield answer[: len(answer) // 2]


@contextlib.contextmanager
def closed_port() -> Iterator[str]:
    """Give a base URL where nothing listens, and nothing else can start to listen meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/v1"
