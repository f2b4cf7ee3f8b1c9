"""How asynchronous calls go out and answers come in: once, again, page by page, and as streams.

Rules: `sending` says what is sent again. A stream that was begun is not, but for an export, which goes on behind its
last line. Files are read in threads. It does not know what is asked.
Source: DESIGN 6.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
import stamina

from . import calls, lines, moving, sending, uploading
from .calls import Call
from .ids import new_request_id
from .problems import NotFound, Unavailable, Unreachable

T = TypeVar("T")


class AsyncTransport:
    """A connection to Candor, over which calls are sent. Every method raises Problem."""

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

    async def archive(self) -> AsyncIterator[moving.ArchiveLine]:
        """Yield all there is, line by line; a stream that is cut goes on behind its last line."""
        token, left = "", self._attempts
        while True:
            try:
                async for line in self._lines(calls.export(token)):
                    told = moving.archive_line(line)
                    token, left = told.resume_token, self._attempts
                    yield told
                    if told.is_last:
                        return
                raise Unreachable("The archive ended before its last line.", reason="ARCHIVE_CUT")
            except Unavailable as error:
                left -= 1
                if not token or not left or error.reason == sending.TIMED_OUT:
                    raise

    async def upload(
        self, path: str, file: Path, query: Any, import_id: str, sent: Callable[[int], None] = uploading.quiet
    ) -> str:
        """Send a file of lines; what breaks off goes on behind the last line that is committed. Return the answer."""
        first = 1
        async for attempt in stamina.retry_context(**sending.backoff(self._attempts)):
            with attempt:
                if attempt.num > 1:
                    first = await self._next_line(import_id)
                try:
                    asked = uploading.request(path, query, import_id, first)
                    body = uploading.asynchronously(file, first, sent)
                    return sending.checked(await self._http.request(**asked, content=body))
                except httpx2.RequestError as error:
                    raise sending.unreachable(error, self._url) from error
        raise AssertionError("the last attempt returns or raises")

    async def _next_line(self, import_id: str) -> int:
        try:
            return max(1, (await self.send(calls.imported(import_id))).next_line)
        except NotFound:
            return 1

    async def _events(self, call: Call[Any], kinds: Any) -> AsyncIterator[Any]:
        async for line in self._lines(call):
            if (event := sending.event(line, kinds)) is not None:
                yield event

    async def _lines(self, call: Call[Any]) -> AsyncIterator[bytes]:
        async with self._opened(call) as response:
            try:
                async for line in lines.asplit(response.aiter_bytes()):
                    yield line
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
