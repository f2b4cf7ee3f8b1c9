"""How calls go out and answers come in: once, again, page by page, and as streams.

Rules: `sending` says what is sent again. A stream that was begun is not, but for an export, which goes on behind its
last line. It does not know what is asked.
Source: DESIGN 6.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


class Transport:
    """A connection to Candor, over which calls are sent. Every method raises Problem."""

    def __init__(
        self,
        url: str = sending.DEFAULT_URL,
        key: str = "",
        *,
        attempts: int = sending.ATTEMPTS,
        timeout_seconds: float = sending.TIMEOUT_SECONDS,
        transport: httpx2.BaseTransport | None = None,
        new_request_id: Callable[[], str] = new_request_id,
    ) -> None:
        self._url = url
        self._attempts = attempts
        self.new_request_id = new_request_id
        self._http = httpx2.Client(
            base_url=url, headers=sending.headers(key), timeout=timeout_seconds, transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def send(self, call: Call[T]) -> T:
        """Send a call and return its result."""
        return sending.result(call, self.text(call))

    def text(self, call: Call[Any]) -> str:
        """Send a call and return the answer's JSON as it came."""
        for attempt in stamina.retry_context(**sending.backoff(self._attempts)):
            with attempt:
                try:
                    return sending.checked(self._http.request(**sending.request(call)))
                except httpx2.RequestError as error:
                    raise sending.unreachable(error, self._url) from error
        raise AssertionError("the last attempt returns or raises")

    def each(self, call: Call[T]) -> Iterator[T]:
        """Yield the results of a call page by page."""
        for text in self.pages(call):
            yield from sending.page(call, text)[0]

    def pages(self, call: Call[Any]) -> Iterator[str]:
        """Yield the JSON of each page as it came."""
        token = ""
        while True:
            text = self.text(call.page(token) if token else call)
            yield text
            token = sending.page(call, text)[1]
            if not token:
                return

    def archive(self) -> Iterator[moving.ArchiveLine]:
        """Yield all there is, line by line; a stream that is cut goes on behind its last line."""
        token, left = "", self._attempts
        while True:
            try:
                for line in self._lines(calls.export(token)):
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

    def upload(
        self, path: str, file: Path, query: Any, import_id: str, sent: Callable[[int], None] = uploading.quiet
    ) -> str:
        """Send a file of lines; what breaks off goes on behind the last line that is committed. Return the answer."""
        first = 1
        for attempt in stamina.retry_context(**sending.backoff(self._attempts)):
            with attempt:
                if attempt.num > 1:
                    first = self._next_line(import_id)
                try:
                    asked = uploading.request(path, query, import_id, first)
                    body = uploading.parts(file, first, sent)
                    return sending.checked(self._http.request(**asked, content=body))
                except httpx2.RequestError as error:
                    raise sending.unreachable(error, self._url) from error
        raise AssertionError("the last attempt returns or raises")

    def _next_line(self, import_id: str) -> int:
        try:
            return max(1, (self.send(calls.imported(import_id))).next_line)
        except NotFound:
            return 1

    def _events(self, call: Call[Any], kinds: Any) -> Iterator[Any]:
        for line in self._lines(call):
            if (event := sending.event(line, kinds)) is not None:
                yield event

    def _lines(self, call: Call[Any]) -> Iterator[bytes]:
        with self._opened(call) as response:
            try:
                yield from lines.split(response.iter_bytes())
            except httpx2.RequestError as error:
                raise sending.unreachable(error, self._url) from error

    @contextmanager
    def _opened(self, call: Call[Any]) -> Iterator[httpx2.Response]:
        response = self._open(call)
        try:
            yield response
        finally:
            response.close()

    def _open(self, call: Call[Any]) -> httpx2.Response:
        made = self._http.build_request(**sending.request(call, "application/x-ndjson"))
        for attempt in stamina.retry_context(**sending.backoff(self._attempts)):
            with attempt:
                try:
                    response = self._http.send(made, stream=True)
                    if not response.is_success:
                        response.read()
                        sending.checked(response)
                    return response
                except httpx2.RequestError as error:
                    raise sending.unreachable(error, self._url) from error
        raise AssertionError("the last attempt returns or raises")
