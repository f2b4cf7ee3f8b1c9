"""What every contract keeps, read from the descriptor set that the gateway and the API description are made from."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from candor.options.v1 import options_pb2
from google.api import annotations_pb2
from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    MethodOptions,
)

SET = Path(__file__).parents[2] / "shared" / "gen" / "candor.binpb"
FILES = [file for file in FileDescriptorSet.FromString(SET.read_bytes()).file if file.package.startswith("candor.")]
UNSIGNED = {
    FieldDescriptorProto.TYPE_UINT32,
    FieldDescriptorProto.TYPE_UINT64,
    FieldDescriptorProto.TYPE_FIXED32,
    FieldDescriptorProto.TYPE_FIXED64,
}
READS = MethodOptions.NO_SIDE_EFFECTS
HTTP: Any = annotations_pb2.http  # its published types know no extensions


def _messages() -> dict[str, DescriptorProto]:
    return {f".{file.package}.{message.name}": message for file in FILES for message in file.message_type}


def _methods() -> list[tuple[str, MethodDescriptorProto]]:
    return [
        (f"{file.package}.{service.name}/{method.name}", method)
        for file in FILES
        for service in file.service
        for method in service.method
    ]


MESSAGES = _messages()
METHODS = _methods()
every_method = pytest.mark.parametrize("method", [method for _, method in METHODS], ids=[name for name, _ in METHODS])
every_file = pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])


def bindings(method: MethodDescriptorProto) -> list[tuple[str, str, str]]:
    """Return (verb, path, body) of each public form."""
    if not method.options.HasExtension(HTTP):
        return []
    rule = method.options.Extensions[HTTP]
    forms = (rule, *rule.additional_bindings)
    return [(form.WhichOneof("pattern"), getattr(form, form.WhichOneof("pattern")), form.body) for form in forms]


def is_public(method: MethodDescriptorProto) -> bool:
    return bool(bindings(method))


def fields(method: MethodDescriptorProto) -> dict[str, FieldDescriptorProto]:
    return {field.name: field for field in MESSAGES[method.input_type].field}


def test_the_descriptor_set_holds_the_contracts() -> None:
    assert {file.package for file in FILES} == {
        f"candor.{name}.v1" for name in ("audit", "embed", "ingest", "judge", "memory", "options", "retrieve")
    }
    assert len(METHODS) >= 17


@every_method
def test_a_method_has_a_route_and_a_right_or_neither(method: MethodDescriptorProto) -> None:
    access = method.options.Extensions[options_pb2.access]
    assert is_public(method) == (access != options_pb2.ACCESS_UNSPECIFIED)


@every_method
def test_a_method_says_whether_it_may_be_repeated(method: MethodDescriptorProto) -> None:
    assert method.options.idempotency_level != MethodOptions.IDEMPOTENCY_UNKNOWN


@every_method
def test_only_writes_carry_a_request_id(method: MethodDescriptorProto) -> None:
    carries = "request_id" in fields(method)
    if method.options.idempotency_level == READS:
        assert not carries
    elif is_public(method):
        assert carries


@every_method
def test_a_get_only_reads_and_has_no_body(method: MethodDescriptorProto) -> None:
    for verb, path, body in bindings(method):
        assert verb in ("get", "post", "patch", "put", "delete")
        assert path.startswith("/")
        assert verb != "get" or (method.options.idempotency_level == READS and not body)


@every_method
def test_every_variable_of_a_path_is_a_field(method: MethodDescriptorProto) -> None:
    for _, path, _ in bindings(method):
        names = {part.split("}")[0].split("=")[0] for part in path.split("{")[1:]}
        assert names <= fields(method).keys()


@every_method
def test_the_tenant_of_a_public_method_comes_from_the_credential(method: MethodDescriptorProto) -> None:
    if is_public(method):
        tenant = fields(method)["tenant_id"]
        part = tenant.options.Extensions[options_pb2.from_principal]
        assert part == options_pb2.PRINCIPAL_PART_TENANT_ID


@every_method
def test_a_method_has_messages_of_its_own(method: MethodDescriptorProto) -> None:
    assert method.input_type.endswith(f".{method.name}Request")
    assert method.output_type.endswith(f".{method.name}Response")


def test_no_two_routes_are_the_same() -> None:
    routes = [(verb, path) for _, method in METHODS for verb, path, _ in bindings(method)]
    assert len(routes) == len(set(routes))


@every_file
def test_every_element_has_a_comment(file: FileDescriptorProto) -> None:
    locations = file.source_code_info.location
    commented = {tuple(location.path) for location in locations if location.leading_comments.strip()}
    missing = [name for path, name in _elements(file) if path not in commented]
    assert missing == []


@every_file
def test_fields_are_signed_and_enums_begin_unspecified(file: FileDescriptorProto) -> None:
    for message in file.message_type:
        assert [field.name for field in message.field if field.type in UNSIGNED] == []
    for enum in file.enum_type:
        assert enum.value[0].number == 0
        assert enum.value[0].name.endswith("_UNSPECIFIED")


def _elements(file: FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    """Yield each element's path in the file (field numbers of FileDescriptorProto and below) and its name."""
    for i, message in enumerate(file.message_type):
        yield from _of_message((4, i), message)
    for i, enum in enumerate(file.enum_type):
        yield (5, i), enum.name
        yield from (((5, i, 2, j), value.name) for j, value in enumerate(enum.value))
    for i, service in enumerate(file.service):
        yield (6, i), service.name
        yield from (((6, i, 2, j), method.name) for j, method in enumerate(service.method))
    yield from (((7, i), extension.name) for i, extension in enumerate(file.extension))


def _of_message(path: tuple[int, ...], message: DescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    if message.options.map_entry:
        return
    yield path, message.name
    yield from (((*path, 2, i), f"{message.name}.{field.name}") for i, field in enumerate(message.field))
    for i, nested in enumerate(message.nested_type):
        yield from _of_message((*path, 3, i), nested)
    for i, enum in enumerate(message.enum_type):
        yield (*path, 4, i), enum.name
        yield from (((*path, 4, i, 2, j), value.name) for j, value in enumerate(enum.value))
    synthetic = {field.oneof_index for field in message.field if field.proto3_optional}
    yield from (((*path, 8, i), o.name) for i, o in enumerate(message.oneof_decl) if i not in synthetic)
