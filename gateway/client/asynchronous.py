"""Candor from asynchronous Python.

    from candor_client import AsyncCandor

    async with AsyncCandor("http://127.0.0.1:7100", key) as candor:
        found = await candor.recall("until when can we stay in the building?")

Rules: every method sends one call of `calls`, or its pages; what may pass by itself is sent again as `sending` says.
Close it, or use it in a `with`. It does not know the wire.
Source: docs/cli.md.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx2
import stamina

from . import calls, lines, sending
from .calls import AskOptions, AuditOptions, Call, ChatOptions, Filters, MemoryFields, RecallOptions, ResolveOptions
from .ids import new_request_id
from .reports import AuditReport, Decision, Job, Key, NewKey, RotatedKey
from .results import Answer, AnswerEvent, ChatEvent, Memory, Recall, WrittenMemory

T = TypeVar("T")


class AsyncCandor:
    """A connection to Candor. Every method raises Problem; those that write take a `request_id`, or make one."""

    def __init__(
        self,
        url: str = sending.DEFAULT_URL,
        key: str = "",
        *,
        attempts: int = sending.ATTEMPTS,
        timeout_seconds: float = sending.TIMEOUT_SECONDS,
        transport: httpx2.AsyncBaseTransport | None = None,
        new_request_id: Callable[[], str] = new_request_id,
    ) -> None:
        self._url = url
        self._attempts = attempts
        self.new_request_id = new_request_id
        self._http = httpx2.AsyncClient(
            base_url=url, headers=sending.headers(key), timeout=timeout_seconds, transport=transport
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connection."""
        await self._http.aclose()

    async def remember(
        self, content: str, *, kind: str = "note", request_id: str = "", **fields: Unpack[MemoryFields]
    ) -> WrittenMemory:
        """Write a memory; one that is there already is named instead (`existing`)."""
        return await self.send(calls.remember(content, kind, fields, request_id or self.new_request_id()))

    async def memory(self, memory_id: str, *, known_at: datetime | None = None) -> Memory:
        """Read a memory, now or as it was known then."""
        return await self.send(calls.memory(memory_id, known_at))

    def memories(self, *, state: str = "", **filters: Unpack[Filters]) -> AsyncIterator[Memory]:
        """List memories, newest first, page by page as they are read."""
        return self.each(calls.memories(filters, state))

    async def recall(self, query: str, **options: Unpack[RecallOptions]) -> Recall:
        """Rank memories against a query, with every conflict they take part in."""
        return await self.send(calls.recall(query, options))

    async def ask(self, question: str, *, request_id: str = "", **options: Unpack[AskOptions]) -> Answer:
        """Answer a question in sentences that cite memories."""
        return await self.send(calls.ask(question, options, request_id or self.new_request_id()))

    def ask_stream(
        self, question: str, *, request_id: str = "", **options: Unpack[AskOptions]
    ) -> AsyncIterator[AnswerEvent]:
        """Answer as it comes: what was found, passages, and the whole, which counts."""
        return self._events(
            calls.ask_stream(question, options, request_id or self.new_request_id()), calls.ANSWER_EVENTS
        )

    def chat_stream(
        self, message: str, *, request_id: str = "", **options: Unpack[ChatOptions]
    ) -> AsyncIterator[ChatEvent]:
        """Say something; what was heard, passages of the reply, and the whole, which counts."""
        return self._events(calls.chat_stream(message, options, request_id or self.new_request_id()), calls.CHAT_EVENTS)

    async def audit(self, **options: Unpack[AuditOptions]) -> AuditReport:
        """Audit the whole memory; nothing is written."""
        return await self.send(calls.audit(options))

    async def resolve(
        self,
        subject: str,
        attribute: str,
        selected_memory_id: str,
        *,
        reason: str,
        request_id: str = "",
        **options: Unpack[ResolveOptions],
    ) -> Decision:
        """Decide a conflict: what the other sides say of this attribute ends, and nothing else."""
        named = request_id or self.new_request_id()
        return await self.send(calls.resolve(subject, attribute, selected_memory_id, reason, options, named))

    def jobs(self, *, status: str = "", kind: str = "") -> AsyncIterator[Job]:
        """List background jobs."""
        return self.each(calls.jobs(status, kind))

    async def job(self, job_id: str) -> Job:
        """Read a background job."""
        return await self.send(calls.job(job_id))

    def keys(self) -> AsyncIterator[Key]:
        """List the tenant's keys."""
        return self.each(calls.keys())

    async def create_key(
        self, name: str, scopes: Sequence[str], *, expires_at: datetime | None = None, request_id: str = ""
    ) -> NewKey:
        """Make a key; scopes are read, write, audit and admin."""
        return await self.send(calls.create_key(name, scopes, expires_at, request_id or self.new_request_id()))

    async def rotate_key(self, key_id: str, *, grace_seconds: int | None = None, request_id: str = "") -> RotatedKey:
        """Replace a key by a new one."""
        return await self.send(calls.rotate_key(key_id, grace_seconds, request_id or self.new_request_id()))

    async def revoke_key(self, key_id: str, *, force: bool = False, request_id: str = "") -> None:
        """End a key; the last one that makes others only with `force`."""
        await self.text(calls.revoke_key(key_id, force, request_id or self.new_request_id()))

    async def send(self, call: Call[T]) -> T:
        """Send a call and return its result."""
        return sending.result(call, await self.text(call))

    async def text(self, call: Call[Any]) -> str:
        """Send a call and return the answer's JSON as it came."""
        async for attempt in stamina.retry_context(**sending.backoff(self._attempts)):
            with attempt:
                try:
                    return sending.checked(await self._http.request(**sending.request(call)))
                except httpx2.RequestError as error:
                    raise sending.unreachable(error, self._url) from error
        raise AssertionError("the last attempt returns or raises")

    async def each(self, call: Call[T]) -> AsyncIterator[T]:
        """Yield the results of a call page by page."""
        async for text in self.pages(call):
            for item in sending.page(call, text)[0]:
                yield item

    async def pages(self, call: Call[Any]) -> AsyncIterator[str]:
        """Yield the JSON of each page as it came."""
        token = ""
        while True:
            text = await self.text(call.page(token) if token else call)
            yield text
            token = sending.page(call, text)[1]
            if not token:
                return

    async def _events(self, call: Call[Any], kinds: Any) -> AsyncIterator[Any]:
        async with self._opened(call) as response:
            try:
                async for line in lines.asplit(response.aiter_bytes()):
                    if (event := sending.event(line, kinds)) is not None:
                        yield event
            except httpx2.RequestError as error:
                raise sending.unreachable(error, self._url) from error

    @asynccontextmanager
    async def _opened(self, call: Call[Any]) -> AsyncIterator[httpx2.Response]:
        response = await self._open(call)
        try:
            yield response
        finally:
            await response.aclose()

    async def _open(self, call: Call[Any]) -> httpx2.Response:
        made = self._http.build_request(**sending.request(call, "application/x-ndjson"))
        async for attempt in stamina.retry_context(**sending.backoff(self._attempts)):
            with attempt:
                try:
                    response = await self._http.send(made, stream=True)
                    if not response.is_success:
                        await response.aread()
                        sending.checked(response)
                    return response
                except httpx2.RequestError as error:
                    raise sending.unreachable(error, self._url) from error
        raise AssertionError("the last attempt returns or raises")
