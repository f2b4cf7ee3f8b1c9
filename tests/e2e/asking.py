"""Calls that must succeed, and what a refusal looks like."""

import json
from dataclasses import dataclass
from typing import Any

import httpx2


def get(client: httpx2.Client, path: str, **params: Any) -> dict[str, Any]:
    return _answer(client.get(path, params=params))


def post(client: httpx2.Client, path: str, body: dict[str, Any], *, key: str | None = None) -> dict[str, Any]:
    return _answer(client.post(path, json=body, headers={"Idempotency-Key": key} if key else {}))


def patch(client: httpx2.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return _answer(client.patch(path, json=body))


def lines(client: httpx2.Client, verb: str, path: str, **options: Any) -> list[dict[str, Any]]:
    """Read a whole stream of newline-delimited JSON; each line has its result and where to go on."""
    with client.stream(verb, path, **options) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("application/x-ndjson")
        read: list[dict[str, Any]] = [json.loads(line) for line in answer.iter_lines()]
    assert [line["problem"] for line in read if "problem" in line] == []
    return read


def items(read: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """Return the results of one sort."""
    return [line["result"][name] for line in read if name in line["result"]]


@dataclass(frozen=True, slots=True)
class Refusal:
    """What a problem says: its status, its reason, and the fields it names."""

    status: int
    reason: str
    fields: tuple[str, ...] = ()


def refusal(answer: httpx2.Response) -> Refusal:
    """Read a problem and check its form (RFC 9457)."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["requestId"] == answer.headers["x-request-id"]
    assert problem["detail"]
    fields = tuple(violation["field"] for violation in problem.get("violations", ()))
    return Refusal(problem["status"], problem["reason"], fields)


def _answer(answer: httpx2.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    read: dict[str, Any] = answer.json()
    return read
