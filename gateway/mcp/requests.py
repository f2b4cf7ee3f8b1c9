"""The arguments of a tool as the HTTP request that says the same.

Rules: an argument that the tool does not offer is refused, and so is one twice; the values go into the request as they
were written, where the gateway checks them as it does everybody's. The schema that a client sees is made from the same
fields. It does not send anything.
Source: JSON Schema 2020-12; the contracts' own comments.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from urllib.parse import urlencode

from candor.options.v1.options_pb2 import Access
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from gateway.contracts import Binding, object_type
from gateway.json_text import Json, Wrong, verbatim
from gateway.mcp.tools import Call, Tool
from gateway.schemas import Schema, Schemas
from shared.domain.errors import InvalidArgument, Violation

KEY_ARGUMENT = "idempotencyKey"
KEY_HEADER = "Idempotency-Key"
_KEY_SCHEMA: Schema = {
    "type": "string",
    "description": "Makes a repetition safe: the same key with the same arguments gives the same answer, without a "
    "second effect. 1 to 128 visible ASCII characters.",
}
Arguments = tuple[tuple[str, Json], ...]


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """What goes to the gateway's own routes."""

    verb: str
    path: str
    query: bytes
    body: bytes
    key: str


class BoundCall:
    """One RPC of a tool, with the HTTP rule it is reached by."""

    def __init__(self, call: Call, binding: Binding, renamed: dict[str, str]) -> None:
        self._binding = binding
        self._fixed = dict(call.fixed)
        self.access = binding.access
        names = {field: argument for argument, field in renamed.items()}
        message = _body_type(binding)
        self._fields = [message.fields_by_name[name] for name in call.fields]
        self._arguments = {names.get(field.name, field.json_name): field for field in self._fields}
        self._accepted = {field.name: name for name, field in self._arguments.items()} | {n: n for n in self._arguments}
        if not binding.body and any(f.cpp_type not in _TEXTS for f in self._fields):
            raise ValueError(f"{call.method}: only strings are taken from a query without a change of type")

    def schema(self, schemas: Schemas) -> tuple[dict[str, Schema], list[str]]:
        """Return the schemas of the arguments, and which are required."""
        found = {name: _for_agents(schemas.field(field, reading=True)) for name, field in self._arguments.items()}
        return found, [name for name, field in self._arguments.items() if schemas.is_required(field)]

    def request(self, arguments: Arguments, key: str) -> ToolRequest:
        """Return the request. Raises: InvalidArgument UNKNOWN_ARGUMENT, DUPLICATE_ARGUMENT, WRONG_TYPE."""
        given: dict[str, Json] = {}
        for name, value in arguments:
            argument = self._accepted.get(name)
            if argument is None:
                takes = ", ".join(self._arguments)
                raise InvalidArgument.of(name[:200], "UNKNOWN_ARGUMENT", f"is not taken here; this takes {takes}")
            if argument in given:
                raise InvalidArgument.of(argument, "DUPLICATE_ARGUMENT", "is given twice")
            given[argument] = value
        fields = {self._arguments[name].json_name: value for name, value in given.items()} | self._fixed
        verb, path = self._binding.verb, self._binding.template
        if self._binding.body:
            try:
                return ToolRequest(verb, path, b"", _text(fields), key)
            except InvalidArgument as error:
                raise self.named(error) from None
        return ToolRequest(verb, path, urlencode(list(_parameters(given, fields))).encode(), b"", key)

    def named(self, error: InvalidArgument) -> InvalidArgument:
        """Return an error with the arguments' own names."""
        names = {field.json_name: name for name, field in self._arguments.items() if field.json_name != name}
        names[KEY_HEADER] = KEY_ARGUMENT
        if not any(v.field in names for v in error.violations):
            return error
        return InvalidArgument.of_all(
            tuple(Violation(names.get(v.field, v.field), v.reason, v.description) for v in error.violations)
        )


class BoundTool:
    """One tool, with its RPCs."""

    def __init__(self, tool: Tool, bindings: dict[str, Binding]) -> None:
        self.tool = tool
        self._calls = [
            BoundCall(call, bindings[call.method], dict(tool.renamed)) for call in (tool.call, tool.other) if call
        ]

    def may(self, allowed: Collection[int]) -> bool:
        """Return whether somebody with these scopes can call it."""
        return any(call.access in allowed for call in self._calls) or Access.ACCESS_ADMIN in allowed

    def schema(self, schemas: Schemas) -> Schema:
        """Return the schema of the arguments."""
        properties: dict[str, Schema] = {}
        required: list[str] = []
        for call in self._calls:
            found, needed = call.schema(schemas)
            properties |= {name: schema for name, schema in found.items() if name not in properties}
            required += needed
        if self.tool.switch:
            properties[self.tool.switch] = {"type": "boolean", "description": self.tool.switch_description}
        if self.tool.takes_key:
            properties[KEY_ARGUMENT] = _KEY_SCHEMA
        schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
        return {**schema, "required": required} if required else schema

    def choose(self, arguments: Arguments) -> tuple[BoundCall, ToolRequest]:
        """Return the call that the arguments mean, and its request. Raises: InvalidArgument."""
        own = {self.tool.switch} if self.tool.switch else set()
        own |= {KEY_ARGUMENT} if self.tool.takes_key else set()
        said: dict[str, Json] = {}
        for name, value in arguments:
            if name in own:
                if name in said:
                    raise InvalidArgument.of(name, "DUPLICATE_ARGUMENT", "is given twice")
                said[name] = value
        is_other = said.get(self.tool.switch) or False
        if not isinstance(is_other, bool):
            raise InvalidArgument.of(self.tool.switch, "WRONG_TYPE", "must be true or false")
        call = self._calls[is_other]
        key = said.get(KEY_ARGUMENT) or ""
        if type(key) is not str:
            raise InvalidArgument.of(KEY_ARGUMENT, "WRONG_TYPE", "must be a string")
        return call, call.request(tuple(pair for pair in arguments if pair[0] not in own), key)


def _body_type(binding: Binding) -> Descriptor:
    request = binding.method.input_type
    inner = object_type(request.fields_by_name[binding.body]) if binding.body not in ("", "*") else None
    return inner or request


def _for_agents(schema: Schema) -> Schema:
    """Leave out what a model has no use for: the value of an enum that says nothing, and formats of numbers."""
    found = {key: value for key, value in schema.items() if key != "format" or value == "date-time"}
    if "enum" in found:
        found["enum"] = [word for word in found["enum"] if word != "unspecified"]
    return found


def _text(fields: dict[str, Json]) -> bytes:
    try:
        return verbatim(tuple(fields.items())).encode()
    except Wrong as wrong:
        raise InvalidArgument.of(wrong.inside.lstrip(".") or "body", wrong.reason, wrong.description) from None


def _parameters(given: dict[str, Json], fields: dict[str, Json]) -> Iterable[tuple[str, str]]:
    for argument, (name, value) in zip(given, fields.items(), strict=False):
        for one in value if isinstance(value, list) else [value]:
            if one is None:
                continue
            if type(one) is not str:
                raise InvalidArgument.of(argument, "WRONG_TYPE", "must be a string")
            try:
                one.encode()
            except UnicodeEncodeError:
                raise InvalidArgument.of(argument, "FORBIDDEN_CHARACTER", "holds a lone surrogate") from None
            yield name, one


_TEXTS = frozenset({FieldDescriptor.CPPTYPE_STRING, FieldDescriptor.CPPTYPE_ENUM})
