"""The matcher, and that every public RPC has its route."""

from dataclasses import dataclass

import pytest
from candor.options.v1 import options_pb2
from google.protobuf.message_factory import GetMessageClass

from gateway import contracts
from gateway.requests import RequestReader
from gateway.routes import Router, path_fields, segments


@dataclass(frozen=True)
class Rule:
    verb: str
    template: str


RULES = [
    Rule("GET", "/v1/things"),
    Rule("POST", "/v1/things"),
    Rule("GET", "/v1/things:count"),
    Rule("GET", "/v1/things/{thing_id}"),
    Rule("POST", "/v1/things/{thing_id}:restore"),
    Rule("GET", "/v1/things/{thing_id}/parts/{part}"),
    Rule("GET", "/v1/things/{thing_id}/parts/first"),
]
MATCHES = [
    (b"/v1/things", "/v1/things", {}),
    (b"/v1/things:count", "/v1/things:count", {}),
    (b"/v1/things/7", "/v1/things/{thing_id}", {"thing_id": "7"}),
    (b"/v1/things/things:count", "/v1/things/{thing_id}", {"thing_id": "things:count"}),
    (b"/v1/things/7:restore", "/v1/things/{thing_id}:restore", {"thing_id": "7"}),
    (b"/v1/things/a:b:restore", "/v1/things/{thing_id}:restore", {"thing_id": "a:b"}),
    (b"/v1/things/:restore", "/v1/things/{thing_id}", {"thing_id": ":restore"}),
    (b"/v1/things/7/parts/last", "/v1/things/{thing_id}/parts/{part}", {"thing_id": "7", "part": "last"}),
    (b"/v1/things/7/parts/first", "/v1/things/{thing_id}/parts/first", {"thing_id": "7"}),
    (b"/v1/things/a%2Fb/parts/%F0%9F%94%91", "/v1/things/{thing_id}/parts/{part}", {"thing_id": "a/b", "part": "🔑"}),
]


@pytest.mark.parametrize(("path", "template", "fields"), MATCHES)
def test_a_path_finds_its_template(path: bytes, template: str, fields: dict[str, str]) -> None:
    match = Router(reversed(RULES)).match(path)
    assert match is not None
    assert {rule.template for rule in match.rules.values()} == {template}
    assert match.fields == fields


@pytest.mark.parametrize(
    "path", [b"", b"/", b"/v1", b"/v1/things/", b"/v1//things", b"/v1/things/7/parts", b"/v1/things/%ff", b"/v1/\xff"]
)
def test_other_paths_find_nothing(path: bytes) -> None:
    assert Router(RULES).match(path) is None


def test_a_match_names_all_its_verbs() -> None:
    match = Router(RULES).match(b"/v1/things")
    assert match is not None and match.allowed == "GET, HEAD, POST"


@pytest.mark.parametrize("template", ["v1/things", "/v1/{a=things/*}", "/v1/*", "/v1/{a.b}", "/v1/{a}x", "/v1/things/"])
def test_other_template_syntax_is_refused_at_start_up(template: str) -> None:
    with pytest.raises(ValueError, match="template"):
        segments(template)


def test_a_rule_declared_twice_is_refused_at_start_up() -> None:
    with pytest.raises(ValueError, match="twice"):
        Router([RULES[0], Rule("GET", "/v1/things")])


def test_every_method_with_a_scope_has_a_route_and_the_others_have_none() -> None:
    bindings = contracts.bindings()
    public = {
        method.full_name
        for _, service in contracts.services()
        for method in service.methods
        if method.GetOptions().Extensions[options_pb2.access]
    }
    assert {binding.method.full_name for binding in bindings} == public
    router = Router(bindings)
    for binding in bindings:
        path = binding.template
        for name in path_fields(path):
            path = path.replace(f"{{{name}}}", "x")
        match = router.match(path.encode())
        assert match is not None and match.rules[binding.verb] is binding


def test_the_routes_of_the_reference_are_there() -> None:
    """Those that the present contracts can answer."""
    served = {(binding.verb, binding.template) for binding in contracts.bindings()}
    assert {("POST", "/consistency"), ("GET", "/memory/count"), ("GET", "/memory/list")} <= served


@pytest.mark.parametrize("binding", contracts.bindings(), ids=lambda b: f"{b.verb} {b.template}")
def test_every_request_carries_the_tenant_of_the_principal(binding: contracts.Binding) -> None:
    filled = {field.name for field in binding.method.input_type.fields if contracts.principal_part(field)}
    assert "tenant_id" in filled
    reader = RequestReader(binding)
    fields = dict.fromkeys(path_fields(binding.template), "x")
    from gateway.auth import Principal

    message = reader.read(fields, b"", b"", "key-1", Principal("tenant-1", "actor-1", frozenset()))
    assert isinstance(message, GetMessageClass(binding.method.input_type))
    values = {field.name: value for field, value in message.ListFields()}
    assert values["tenant_id"] == "tenant-1"
    assert values.get("actor", "actor-1") == "actor-1"
    assert ("request_id" in values) == ("request_id" in binding.method.input_type.fields_by_name)
