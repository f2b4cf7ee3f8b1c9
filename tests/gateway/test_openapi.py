"""The OpenAPI document is valid, complete, and true of what is read and printed."""

import copy
from typing import Any

import pytest
from google.protobuf.message_factory import GetMessageClass
from hypothesis import given, settings
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate

from gateway import contracts, docs, openapi
from gateway.encode import compile_message
from tests.gateway.conftest import Gateway
from tests.gateway.strategies import messages, plain

BINDINGS = contracts.bindings()
DOCUMENT = openapi.document(BINDINGS)
UNARY = [binding for binding in BINDINGS if not binding.method.server_streaming]


def operation(binding: contracts.Binding) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][binding.template][binding.verb.lower()]
    return found


def validator(schema: dict[str, Any]) -> Any:
    return OAS31Validator({**schema, "components": DOCUMENT["components"]})


def test_it_is_valid() -> None:
    validate(DOCUMENT)


@pytest.mark.parametrize("binding", BINDINGS, ids=lambda b: f"{b.verb} {b.template}")
def test_every_rule_has_an_operation_with_its_comment(binding: contracts.Binding) -> None:
    found = operation(binding)
    assert found["summary"] and found["description"].startswith(found["summary"])
    assert all(parameter["description"] for parameter in found["parameters"])
    assert ("requestBody" in found) == bool(binding.body)


def test_operation_ids_are_unique() -> None:
    ids = [operation(binding)["operationId"] for binding in BINDINGS]
    assert len(set(ids)) == len(ids)


def test_every_element_has_a_description() -> None:
    for name, schema in DOCUMENT["components"]["schemas"].items():
        assert schema["description"], name
        if name != "Problem":
            assert all(field.get("description") for field in schema["properties"].values()), name


def test_private_fields_are_nowhere() -> None:
    text = str(DOCUMENT)
    assert "tenantId" not in text and "embeddingModel" in text and "'embedding':" not in text


def test_what_a_comment_calls_required_is_required() -> None:
    schema = DOCUMENT["components"]["schemas"]["NewMemory"]
    assert schema["required"] == ["kind", "content"]
    assert schema["additionalProperties"] is False
    assert not schema["properties"]["content"]["description"].startswith("Required")


@pytest.mark.parametrize("binding", UNARY, ids=lambda b: f"{b.verb} {b.template}")
def test_every_answer_fits_its_schema(binding: contracts.Binding) -> None:
    check = validator(operation(binding)["responses"]["200"]["content"]["application/json"]["schema"])
    encode = compile_message(binding.method.output_type)
    check.validate(plain(encode(GetMessageClass(binding.method.output_type)())))

    @settings(max_examples=20)
    @given(messages(binding.method.output_type))
    def fits(message: Any) -> None:
        check.validate(plain(encode(message)))

    fits()


def test_the_page_lists_every_operation_and_loads_nothing() -> None:
    page = docs.page(DOCUMENT)
    for binding in BINDINGS:
        assert f"<code>{binding.verb} {binding.template}</code>" in page
    assert "<script" not in page and "http://" not in page and "https://" not in page
    assert page.count("<pre>curl -X ") == len(BINDINGS)


@pytest.mark.parametrize(
    ("method", "body"),
    [
        ("CreateMemory", """'{"kind": "document", "content": "text"}'"""),
        ("BatchCreateMemories", """'{"memories": [{"kind": "document", "content": "text"}]}'"""),
        ("UpdateMemory", """'{"patch": {"content": "text"}}'"""),
        ("CreateKey", """'{"name": "text", "scopes": ["read"]}'"""),
        ("GetAuditReport", "'{}'"),
    ],
)
def test_a_command_without_an_example_carries_what_is_required(method: str, body: str) -> None:
    binding = next(b for b in BINDINGS if b.method.name == method)
    bare = copy.deepcopy(operation(binding))
    del bare["requestBody"]["content"]["application/json"]["example"]
    command = docs.example(DOCUMENT, binding.template, binding.verb, bare)
    assert command.endswith(f"-d {body}")
    assert "{memory_id}" not in command


@pytest.mark.parametrize("binding", BINDINGS, ids=lambda b: f"{b.verb} {b.template}")
def test_every_example_fits_its_schema(binding: contracts.Binding) -> None:
    found = operation(binding)
    for parameter in found["parameters"]:
        if "example" in parameter:
            validator(parameter["schema"]).validate(parameter["example"])
    for content in found.get("requestBody", {}).get("content", {}).values():
        if "example" in content:
            validator(content["schema"]).validate(content["example"])
    if binding.body == "*" or binding.method.client_streaming:
        assert next(iter(found["requestBody"]["content"].values()))["example"] is not None


def test_markup_in_a_comment_is_text() -> None:
    document = {**DOCUMENT, "info": {"title": "<b>", "summary": "<script>"}}
    page = docs.page(document)
    assert "<b>" not in page and "<script>" not in page


@pytest.mark.anyio
async def test_both_are_served_without_a_key(gateway: Gateway) -> None:
    del gateway.client.headers["authorization"]
    answer = await gateway.client.get("/openapi.json")
    assert (answer.status_code, answer.json()) == (200, DOCUMENT)
    page = await gateway.client.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
