"""The examples of the OpenAPI document run: each is sent as it stands, but for the ids it invents.

Rules: what an id stands for is made afresh, so that the examples do not depend on each other. Every public method has
an example.
Source: REQUIREMENTS F4.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx2
import pytest

from gateway import contracts, examples, openapi, streams
from tests.e2e.asking import get, post
from tests.e2e.stack import Stack

DOCUMENT = openapi.document(contracts.bindings())
OPERATIONS = {
    f"{verb.upper()} {path}": operation
    for path, item in DOCUMENT["paths"].items()
    for verb, operation in item.items()
    if operation["tags"] != ["Operation"]
}
Eventually = Callable[[Callable[[], bool]], None]
NEEDS_MODEL = {"POST /v1/agent": "AGENT_NEEDS_MODEL"}
NOTE = {"kind": "note", "company": "Northwind", "record": "LEASE-7", "content": "The landlord lives in Bergen."}


class Ground:
    """Somebody's memory, in which there is one of everything that an example may name."""

    def __init__(self, client: httpx2.Client, eventually: Eventually) -> None:
        self.client = client
        self._eventually = eventually
        self._made = 0

    def named(self, name: str) -> Any:
        """Return a value for a field that names something; None for any other field."""
        one: dict[str, Callable[[], str]] = {
            "memoryId": self.memory,
            "selectedMemoryId": lambda: chosen(self.finding()),
            "findingId": lambda: self.finding()["findingId"],
            "decisionId": self.decision,
            "operationId": self.operation,
            "keyId": lambda: post(self.client, "/v1/keys", {"name": "k", "scopes": ["read"]})["keyId"],
            "jobId": self.job,
            "importId": self.upload,
        }
        name = _camel(name)
        if name.endswith("Ids"):
            return [one[name.removesuffix("s")]()]
        return one[name]() if name in one else None

    def memory(self, **given: Any) -> str:
        self._made += 1
        made = post(self.client, "/v1/memories", {**NOTE, "content": f"{NOTE['content']} {self._made}", **given})
        return str(made["memory"]["memoryId"])

    def ended(self) -> str:
        memory_id = self.memory()
        post(self.client, f"/v1/memories/{memory_id}:invalidate", {"state": "incorrect", "reason": "so"})
        return memory_id

    def finding(self) -> Any:
        for ends in ("2027", "2028"):
            self.memory(metadata={"ends": ends})
        post(self.client, "/v1/audit:record", {})
        return get(self.client, "/v1/findings", state="open", kind="contradiction")["findings"][0]

    def decision(self) -> str:
        finding = self.finding()
        body = {"subject": "LEASE-7", "attribute": "ends", "selectedMemoryId": chosen(finding), "reason": "so"}
        return str(post(self.client, "/v1/conflicts:resolve", body)["decisionId"])

    def operation(self) -> str:
        plan = post(self.client, "/v1/memories:forget", {"preview": True, "memoryIds": [self.memory()]})
        return str(post(self.client, "/v1/memories:forget", {"planId": plan["planId"]})["operationId"])

    def job(self) -> str:
        paper = {"content": "INVOICE\nTotal: EUR 1.00", "company": "Northwind", "period": "2026-05"}
        job_id = post(self.client, "/v1/documents", {"documents": [paper], "background": True})["jobId"]
        self._eventually(lambda: get(self.client, f"/v1/jobs/{job_id}")["job"]["status"] == "done")
        return str(job_id)

    def upload(self) -> str:
        headers = {"Content-Type": streams.NDJSON, "Idempotency-Key": "an-upload"}
        return str(
            self.client.post("/v1/memories:import", content=json.dumps(NOTE), headers=headers).json()["importId"]
        )


def chosen(finding: Any) -> str:
    return str(finding["contradiction"]["values"][0]["memoryId"])


def _camel(name: str) -> str:
    first, *more = name.split("_")
    return first + "".join(part.capitalize() for part in more)


@pytest.fixture
def ground(stack: Stack, eventually: Eventually) -> Iterator[Ground]:
    with stack.client(stack.new_tenant().key) as client:
        yield Ground(client, eventually)


def test_every_method_has_an_example() -> None:
    known = examples.load()
    methods = {binding.method.full_name for binding in contracts.bindings()}
    assert set(known) == methods


@pytest.mark.parametrize("name", OPERATIONS)
def test_it_runs(ground: Ground, name: str) -> None:
    verb, _, path = name.partition(" ")
    operation = OPERATIONS[name]
    query = {}
    for parameter in operation["parameters"]:
        if "example" in parameter:
            named = ground.ended() if path.endswith(":restore") else ground.named(parameter["name"])
            value = named or parameter["example"]
            if parameter["in"] == "path":
                path = path.replace(f"{{{parameter['name']}}}", str(value))
            else:
                query[parameter["name"]] = value
    content, media = None, ""
    if "requestBody" in operation:
        media, described = next(iter(operation["requestBody"]["content"].items()))
        example = described["example"]
        if isinstance(example, dict):
            example = {field: ground.named(field) or value for field, value in example.items()}
        content = json.dumps(example)
    answer = ground.client.request(verb, path, params=query, content=content, headers={"Content-Type": media})
    if name in NEEDS_MODEL and answer.status_code != 200:
        assert (answer.status_code, answer.json()["reason"]) == (400, NEEDS_MODEL[name])
        return
    assert answer.status_code == 200, answer.text
    if answer.headers["content-type"].startswith(streams.NDJSON):
        assert all("problem" not in json.loads(line) for line in answer.text.splitlines())
