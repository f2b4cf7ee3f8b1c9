"""JSON schemas of the public messages, as the decoders read and the encoders print them.

Rules: a request's object takes no other keys and requires the fields whose comment says so; a response's object lists
as required what is always printed, null where it may be absent. Each message is one named component; a message that is
both read and printed has two. It does not know paths.
Source: OpenAPI 3.1; JSON Schema 2020-12.
"""

from collections.abc import Mapping
from typing import Any

from candor.options.v1 import options_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from gateway.comments import REQUIRED
from gateway.contracts import enum_words, is_private, is_raw_json, object_type, real_oneof, string_type

Schema = dict[str, Any]


class Schemas:
    """Makes components as they are referred to. Ties: a second use of a message's short name gets a suffix."""

    def __init__(self, comments: Mapping[str, str]) -> None:
        self._comments = comments
        self._names: dict[tuple[str, bool], str] = {}
        self.components: dict[str, Schema] = {}

    def comment(self, full_name: str) -> str:
        """Return the comment on an element of a contract."""
        return self._comments.get(full_name, "")

    def request(self, descriptor: Descriptor, without: frozenset[str] = frozenset()) -> Schema:
        """Return the schema of a request's body; `without` names fields that are given elsewhere."""
        if not without:
            return self._reference(descriptor, reading=True)
        return self._object(descriptor, reading=True, without=without)

    def response(self, descriptor: Descriptor, without: frozenset[str] = frozenset()) -> Schema:
        """Return the schema of an answer."""
        if not without:
            return self._reference(descriptor, reading=False)
        return self._object(descriptor, reading=False, without=without)

    def field(self, field: FieldDescriptor, *, reading: bool) -> Schema:
        """Return the schema of one field with its comment."""
        one = self._value(field, reading=reading)
        schema: Schema = {"type": "array", "items": one} if field.is_repeated else one
        printed_as_null = not reading and _may_be_null(field)
        if printed_as_null:
            schema = {"anyOf": [schema, {"type": "null"}]} if "$ref" in schema else _or_null(schema)
        comment = self.comment(field.full_name).removeprefix(REQUIRED).strip()
        return {**schema, "description": comment} if comment else schema

    def is_required(self, field: FieldDescriptor) -> bool:
        """Return whether a request must carry a field."""
        return self.comment(field.full_name).startswith(REQUIRED)

    def _reference(self, descriptor: Descriptor, *, reading: bool) -> Schema:
        key = (descriptor.full_name, reading)
        if key not in self._names:
            taken = set(self._names.values())
            candidates = (descriptor.name, descriptor.name + ("Input" if reading else "Output"))
            name = next((name for name in candidates if name not in taken), None)
            if name is None:
                raise ValueError(f"{descriptor.full_name}: two other public messages have this short name")
            self._names[key] = name
            self.components[name] = self._object(descriptor, reading=reading)
        return {"$ref": f"#/components/schemas/{self._names[key]}"}

    def _object(self, descriptor: Descriptor, *, reading: bool, without: frozenset[str] = frozenset()) -> Schema:
        fields = [f for f in descriptor.fields if not is_private(f) and f.name not in without]
        required = [f.json_name for f in fields if (self.is_required(f) if reading else _always_printed(f))]
        schema: Schema = {
            "type": "object",
            "properties": {f.json_name: self.field(f, reading=reading) for f in fields},
            "description": self.comment(descriptor.full_name),
        }
        if required:
            schema["required"] = required
        if reading:
            schema["additionalProperties"] = False
        return schema

    def _value(self, field: FieldDescriptor, *, reading: bool) -> Schema:
        if is_raw_json(field):
            return {}  # any JSON value
        if message := object_type(field):
            return self._reference(message, reading=reading)
        if string_type(field):
            return {"type": "string", "format": "date-time"} if string_type(field) == "Timestamp" else _STRING
        if field.enum_type is not None:
            return {"type": "string", "enum": list(enum_words(field.enum_type).values())}
        if field.type == FieldDescriptor.TYPE_BYTES:
            return {"type": "string", "contentEncoding": "base64"}
        return _SCALARS[field.cpp_type]


_STRING: Schema = {"type": "string"}
_SCALARS: Mapping[int, Schema] = {
    FieldDescriptor.CPPTYPE_STRING: _STRING,
    FieldDescriptor.CPPTYPE_BOOL: {"type": "boolean"},
    FieldDescriptor.CPPTYPE_INT32: {"type": "integer", "format": "int32"},
    FieldDescriptor.CPPTYPE_INT64: {"type": "string", "format": "int64"},
    FieldDescriptor.CPPTYPE_DOUBLE: {"type": "number", "format": "double"},
}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "type": [schema["type"], "null"]} if "type" in schema else schema


def _prints_absent(field: FieldDescriptor) -> bool:
    message = field.containing_type
    return message is not None and message.GetOptions().Extensions[options_pb2.print_absent]


def _may_be_null(field: FieldDescriptor) -> bool:
    return not field.is_repeated and real_oneof(field) is None and field.has_presence and _prints_absent(field)


def _always_printed(field: FieldDescriptor) -> bool:
    return real_oneof(field) is None and (not field.has_presence or _prints_absent(field))
