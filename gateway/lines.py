"""Lines of a body that comes in parts: numbered, each of bounded length.

Rules: a line ends at a line feed, the last one also without; a carriage return before it is white space. A blank line
has a number and is not shown. A line over the limit is dropped while it comes and shown as too long: neither it nor the
lines behind it are held. It does not know what a line says.
Source: NDJSON, as at github.com/ndjson/ndjson-spec.
"""

from collections.abc import Iterator
from dataclasses import dataclass

MAX_LINE_BYTES = 1024 * 1024
"""Above content and metadata at their limits, escaped, with a vector of 16,000 dimensions in base64."""
MAX_LINES = 1_000  # taken at once, as the contract says


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its number from 1, and its bytes; none where it is too long."""

    number: int
    text: bytes
    is_too_long: bool = False


class Lines:
    """Cuts parts into lines; `first` is the number of the first one."""

    def __init__(self, first: int) -> None:
        self._next = first
        self._rest = b""
        self._is_dropping = False
        self._ready: list[Line] = []
        self.held_bytes = 0

    def feed(self, part: bytes) -> None:
        """Take the next part of the body."""
        *ended, self._rest = (self._rest + part).split(b"\n")
        for text in ended:
            self._end(text)
        if len(self._rest) > MAX_LINE_BYTES:
            self._rest, self._is_dropping = b"", True

    def finish(self) -> None:
        """End the last line, which had no line feed."""
        text, self._rest = self._rest, b""
        if text or self._is_dropping:
            self._end(text)

    def take(self) -> Iterator[list[Line]]:
        """Yield the lines that have come, at most MAX_LINES at a time."""
        ready, self._ready, self.held_bytes = self._ready, [], 0
        for start in range(0, len(ready), MAX_LINES):
            yield ready[start : start + MAX_LINES]

    def _end(self, text: bytes) -> None:
        number, self._next = self._next, self._next + 1
        if self._is_dropping or len(text) > MAX_LINE_BYTES:
            self._ready.append(Line(number, b"", is_too_long=True))
        elif text and not text.isspace():
            self._ready.append(Line(number, text))
            self.held_bytes += len(text)
        self._is_dropping = False
