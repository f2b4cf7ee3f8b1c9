"""How a call becomes a request and an answer becomes a result, and when it is sent again: all but the sending itself.

Rules: sent again is what may pass by itself (no answer, 429, 502, 503, 504), at most `attempts` times, with a growing
wait, or the one that Retry-After names; one longer than LONGEST_WAIT_SECONDS is left to the caller. Nothing is sent
again that ran into the timeout, or once a stream has begun. It does not know what is asked.
Source: stamina's backoff; RFC 9110, 10.2.3; DESIGN 6.
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeVar

import httpx2

from . import problems, reading
from .calls import Call

T = TypeVar("T")
ATTEMPTS = 4  # chosen, untested: with the waits below about 4 s until a service that restarts is given up
FIRST_WAIT_SECONDS = 0.2  # chosen, untested
LONGEST_WAIT_SECONDS = 30.0  # that a program is held up without being asked; chosen, untested
TIMEOUT_SECONDS = 120.0  # of one request: an answer by a model may take that long; chosen, untested
TIMED_OUT = "TIMED_OUT"
_MARKED = re.compile(r'"\\u0000(-?[0-9.]+)"')
DEFAULT_URL = "http://127.0.0.1:7100"


def again(error: Exception) -> bool | float:
    """Say whether to send again: False, True for the usual wait, or after so many seconds."""
    if not isinstance(error, problems.Unavailable | problems.RateLimited) or error.reason == TIMED_OUT:
        return False
    wait = error.retry_after_seconds
    if wait is None:
        return not isinstance(error, problems.RateLimited)
    return wait if wait <= LONGEST_WAIT_SECONDS else False


def backoff(attempts: int) -> dict[str, Any]:
    """Return the arguments of stamina.retry_context."""
    return {"on": again, "attempts": attempts, "timeout": None, "wait_initial": FIRST_WAIT_SECONDS}


def request(call: Call[Any], accept: str = "application/json") -> dict[str, Any]:
    """Return the arguments of an HTTP client's request."""
    headers = {"Accept": accept}
    if call.request_id:
        headers["Idempotency-Key"] = call.request_id
    if call.now is not None:
        headers["X-Now-Time"] = call.now.isoformat()
    made: dict[str, Any] = {"method": call.verb, "url": call.path, "headers": headers, "params": _query(call.query)}
    if call.files:
        made["files"] = [("files", file) for file in call.files]
        made["data"] = _query(call.body or {})
    elif call.body is not None:
        headers["Content-Type"] = "application/json"
        made["content"] = _body(call.body)
    return made


def checked(response: httpx2.Response) -> str:
    """Return the text of an answer that was read. Raises: Problem."""
    if not response.is_success:
        raise problems.from_answer(response.status_code, response.headers, response.text)
    return response.text


def result(call: Call[T], text: str) -> T:
    """Return what an answer says."""
    data = _object(text)
    return reading.read(call.result, data.get(call.inside) or {} if call.inside else data)


def page(call: Call[T], text: str) -> tuple[tuple[T, ...], str]:
    """Return one page of results and the token of the next one, empty at the end."""
    data = _object(text)
    items = tuple(reading.read(call.result, item) for item in data.get(call.inside, ()))
    return items, data.get("nextPageToken") or ""


def event(line: str | bytes, kinds: Mapping[str, type[Any]]) -> Any:
    """Return what a line of a stream says, None for one that is not known here. Raises: Problem."""
    data = _object(line)
    if "problem" in data:
        raise problems.from_body(data["problem"])
    for name, kind in kinds.items():
        if name in data.get("result", {}):
            value = data["result"][name]
            return kind(value) if isinstance(value, str) else reading.read(kind, value)
    return None


def unreachable(error: httpx2.RequestError, url: str) -> problems.Unreachable:
    """Return the exception of a request without a whole answer."""
    if isinstance(error, httpx2.ReadTimeout):
        return problems.Unreachable(f"{url} took too long to answer", reason=TIMED_OUT)
    return problems.Unreachable(f"{url} does not answer: {str(error) or type(error).__name__}", reason="UNREACHABLE")


def headers(key: str) -> dict[str, str]:
    """Return what every request carries. Raises: ValueError for a key that no header can hold."""
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ValueError("the key is not one: it has spaces, line ends or signs beyond ASCII")  # never printed
    return {"Authorization": f"Bearer {key}"} if key else {}


def _query(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in fields.items()}


def _object(text: str | bytes) -> dict[str, Any]:
    try:
        data = reading.parse(text)
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise problems.ServerFault("The answer is no JSON object; is this Candor?", reason="ANSWER_INVALID")
    return data


def _body(fields: Mapping[str, Any]) -> bytes:
    text = json.dumps(fields, ensure_ascii=False, allow_nan=False, default=_marked)
    return _MARKED.sub(r"\1", text).encode()


def _marked(value: Any) -> str:
    """Mark a Decimal, whose digits json cannot print, with a character that no text may hold."""
    if isinstance(value, Decimal) and value.is_finite():
        return f"\0{value:f}"
    raise TypeError(f"{value!r} is nothing that JSON can say")
