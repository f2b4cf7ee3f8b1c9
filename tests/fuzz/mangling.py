"""Requests that no client library would send: what a generated one becomes when bytes, types or methods are mangled.

Rules: random from the generator that is given; what comes out may still be right. It does not know what is right.
"""

import random
from dataclasses import dataclass

CONTENT_TYPES = [
    "application/json; charset=latin-1",
    "application/json; charset=utf-8",
    "application/JSON",
    "application/x-ndjson",
    "multipart/form-data",
    "multipart/form-data; boundary=" + "x" * 300,
    "multipart/form-data; boundary=\u00e9",
    "text/plain",
    ",",
    "",
]
PIECES = [
    b"\0",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b'"\\ud800"',
    b"NaN",
    b"1e999",
    b"-0",
    b"9" * 400,
    b"[" * 300,
    b'{"a":' * 300,
    b"\xef\xbb\xbf",
    b",",
    b"null",
    b'"',
    b"--x\r\n",
]
QUERIES = [
    "%",
    "%ff=1",
    "a=%00",
    "&&&",
    "limit=5&limit=6",
    "limit=",
    "x" * 3000,
    "a=b;c=d",
    "kind=%F0%9F%98%80",
    "[]=1",
]
PATHS = ["%2F", "%00", "..", "%ff", "%E2%80%8B", ":", "//", ":undo", "x" * 3000, "%25", "\u00e9"]
HEADERS = {
    "Accept": ["*/*;q=x", "text/event-stream", "", "application/json;q=0, text/csv", "," * 50],
    "Accept-Language": ["*", "\u00e9"],
    "Content-Encoding": ["gzip", "identity", "br, gzip"],
    "Content-Length": ["-1", "0x10", "1" * 30],
    "Idempotency-Key": ["", " ", "\u00e9", "k" * 129, "a,b"],
    "X-Request-Id": ["", "\u00e9", "r" * 500],
    "X-API-Key": ["other", ""],
    "Traceparent": ["00-" + "0" * 32 + "-" + "0" * 16 + "-01", "x"],
    "X-Now-Time": ["2026-01-01T00:00:00Z", "x"],
    "Range": ["bytes=0-1", "x"],
    "If-None-Match": ["*"],
    "Transfer-Encoding": ["identity"],
    "Forwarded": ["for=x"],
}
METHODS = ["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS", "BREW"]


@dataclass(frozen=True, slots=True)
class Raw:
    """A request as it goes on the wire."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes


def mangled(request: Raw, chance: random.Random) -> Raw:
    """Return a request with one to three of its parts mangled."""
    for change in chance.choices(
        [_bytes, _bytes, _bytes, _type, _query, _path, _header, _method], k=chance.randint(1, 3)
    ):
        request = change(request, chance)
    return request


def _bytes(request: Raw, chance: random.Random) -> Raw:
    body = request.body
    start = chance.randint(0, len(body))
    end = chance.choice([start, start, min(len(body), start + chance.randint(0, 20)), len(body)])
    piece = chance.choice([*PIECES, b"", body[:start], chance.randbytes(chance.randint(1, 8))])
    headers = {name: value for name, value in request.headers.items() if name.lower() != "content-length"}
    return Raw(request.method, request.url, headers, body[:start] + piece + body[end:])


def _type(request: Raw, chance: random.Random) -> Raw:
    return _with(request, "Content-Type", chance.choice(CONTENT_TYPES))


def _header(request: Raw, chance: random.Random) -> Raw:
    name = chance.choice(list(HEADERS))
    return _with(request, name, chance.choice(HEADERS[name]))


def _with(request: Raw, name: str, value: str) -> Raw:
    others = {key: text for key, text in request.headers.items() if key.lower() != name.lower()}
    return Raw(request.method, request.url, {**others, name: value}, request.body)


def _query(request: Raw, chance: random.Random) -> Raw:
    mark = "&" if "?" in request.url else "?"
    return Raw(request.method, request.url + mark + chance.choice(QUERIES), request.headers, request.body)


def _path(request: Raw, chance: random.Random) -> Raw:
    path, mark, query = request.url.partition("?")
    return Raw(request.method, path + chance.choice(["", "/"]) + chance.choice(PATHS) + mark + query, *_rest(request))


def _rest(request: Raw) -> tuple[dict[str, str], bytes]:
    return request.headers, request.body


def _method(request: Raw, chance: random.Random) -> Raw:
    return Raw(chance.choice(METHODS), request.url, request.headers, request.body)
