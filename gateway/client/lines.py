"""A body that comes in parts, as lines.

Rules: a line ends at a line feed and at nothing else: a text may hold U+2028 and its kind, at which `iter_lines` of an
HTTP client would cut. Blank lines are left out. It does not know what a line says.
Source: NDJSON, as at github.com/ndjson/ndjson-spec.
"""

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator


class _Rest:
    """What has come of a line so far."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def ended(self, part: bytes) -> list[bytes]:
        """Take a part and return the lines that it ends."""
        *lines, rest = part.split(b"\n")
        if lines:
            lines[0] = b"".join(self._parts) + lines[0]
            self._parts = []
        self._parts.append(rest)
        return [line for line in lines if line.strip()]


def split(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a body."""
    rest = _Rest()
    for part in parts:
        yield from rest.ended(part)
    yield from rest.ended(b"\n")


async def asplit(parts: AsyncIterable[bytes]) -> AsyncIterator[bytes]:
    """Yield the lines of a body that comes asynchronously."""
    rest = _Rest()
    async for part in parts:
        for line in rest.ended(part):
            yield line
    for line in rest.ended(b"\n"):
        yield line
