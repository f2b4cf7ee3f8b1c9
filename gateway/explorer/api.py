"""What the Explorer asks: the gateway's public HTTP API, with the visitor's key.

Rules: the key travels in a header and nowhere else. Numbers keep their spelling (Decimal). Whatever is not a 2xx, and
a gateway that does not answer, is a Problem. It does not know pages.
"""

import json
from collections.abc import AsyncGenerator, Mapping
from decimal import Decimal
from typing import Any

import httpx2

Json = dict[str, Any]
TIMEOUT_SECONDS = 60.0  # above the gateway's deadline for an answer with a model (40 s)
OUT_OF_REACH = "GATEWAY_UNREACHABLE"


class Problem(Exception):
    """The gateway refused, or could not be reached (503, GATEWAY_UNREACHABLE)."""

    def __init__(self, status: int, reason: str, detail: str, request_id: str = "", retry_after: str = "") -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.detail = detail
        self.request_id = request_id
        self.retry_after = retry_after


class Api:
    """The API as one visitor may use it."""

    def __init__(self, client: httpx2.AsyncClient, key: str) -> None:
        self.client = client
        self._headers = {"authorization": f"Bearer {key}"}

    async def get(self, path: str, **query: object) -> Json:
        """Read. A query value that is None or empty is left out. Raises: Problem."""
        params = {name: str(value) for name, value in query.items() if value not in (None, "")}
        return await self._call("GET", path, params=params, headers=self._headers)

    async def post(self, path: str, body: Mapping[str, object], *, request_id: str = "") -> Json:
        """Send a body; a `request_id` makes a write idempotent. Raises: Problem."""
        headers = self._headers | ({"idempotency-key": request_id} if request_id else {})
        return await self._call("POST", path, json=body, headers=headers)

    async def stream(self, path: str, body: Mapping[str, object]) -> AsyncGenerator[Json, None]:
        """Yield the results of a server stream as they come. Raises: Problem, also midway."""
        try:
            async with self.client.stream("POST", path, json=body, headers=self._headers) as answer:
                if answer.status_code >= 300:
                    await answer.aread()
                    raise _problem(answer)
                async for line in answer.aiter_lines():
                    if line:
                        item = _decode(line)
                        if "problem" in item:
                            raise _told(item["problem"])
                        yield item["result"]
        except httpx2.TransportError:
            raise _unreachable() from None

    async def _call(self, verb: str, path: str, **request: Any) -> Json:
        try:
            answer = await self.client.request(verb, path, **request)
        except httpx2.TransportError:
            raise _unreachable() from None
        if answer.status_code >= 300:
            raise _problem(answer)
        return _decode(answer.text)


def client(url: str, transport: httpx2.AsyncBaseTransport | None = None) -> httpx2.AsyncClient:
    """Return the connection pool that all visitors share; it follows no redirect, which could carry a key elsewhere."""
    return httpx2.AsyncClient(
        base_url=url, timeout=TIMEOUT_SECONDS, transport=transport, follow_redirects=False, trust_env=False
    )


def _decode(text: str) -> Json:
    try:
        decoded: Json = json.loads(text, parse_float=Decimal)
    except ValueError:
        raise Problem(502, "ANSWER_UNREADABLE", "What answered is not a Candor gateway.") from None
    return decoded


def _unreachable() -> Problem:
    return Problem(503, OUT_OF_REACH, "The gateway does not answer. It may be starting; try again in a moment.")


def _problem(answer: httpx2.Response) -> Problem:
    if "problem+json" not in answer.headers.get("content-type", ""):
        return Problem(502, "ANSWER_UNREADABLE", "What answered is not a Candor gateway.")
    return _told(_decode(answer.text), answer.headers.get("retry-after", ""))


def _told(problem: Json, retry_after: str = "") -> Problem:
    return Problem(
        int(problem["status"]), problem["reason"], problem["detail"], problem.get("requestId", ""), retry_after
    )
