"""A message into what orjson prints, by encoders compiled once per descriptor.

Rules: lowerCamelCase names; enum values in lower case without prefix; int64 as a string; times with three fraction
digits and Z; a raw JSON string is embedded as it is, an empty one is null. Absent optional fields and messages are null
where the message says so, else left out; every other field is always printed; of a oneof only the member that is set.
Fields without a public form are left out. It does not know what is encoded.
Source: the proto3 JSON mapping; measured in tests/bench/encode.py against json_format.
"""

import base64
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import lru_cache
from operator import itemgetter
from typing import Any, TypeAlias

import orjson
from candor.options.v1 import options_pb2
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from gateway.contracts import enum_words, is_private, is_raw_json, object_type, real_oneof, string_type
from gateway.names import camel

Encode: TypeAlias = Callable[[Message], dict[str, object]]
Convert: TypeAlias = Callable[[Any], object]

_plain_list: Convert = itemgetter(slice(None))  # a slice of a repeated field is a list, made in one step
_FRACTIONS = tuple(f".{milliseconds:03d}Z" for milliseconds in range(1_000))  # formatting takes as long as all the rest
_EPOCH = datetime(1970, 1, 1)  # noqa: DTZ001  # naive on purpose: the Z is written by hand


class _Words(dict[int, str | int]):
    """Enum words by number; a number that only a newer service knows stays one."""

    def __missing__(self, number: int) -> int:
        return number


def compile_message(descriptor: Descriptor, known: dict[str, Encode] | None = None) -> Encode:
    """Return the encoder of a message type."""
    known = {} if known is None else known
    if descriptor.full_name in known:
        return known[descriptor.full_name]
    # A type that contains itself meets this stand-in while its encoder is still being built.
    known[descriptor.full_name] = lambda message: encode(message)
    print_absent = descriptor.GetOptions().Extensions[options_pb2.print_absent]
    fields = [field for field in descriptor.fields if not is_private(field)]
    blank = {
        field.json_name: _absent(field)
        for field in fields
        if real_oneof(field) is None and (print_absent or not field.has_presence)
    }
    table = {field: (field.json_name, _convert(field, known)) for field in descriptor.fields}
    hidden = {field.json_name for field in descriptor.fields if is_private(field)}

    def encode(message: Message) -> dict[str, object]:
        out = blank.copy()
        # One call that brings every field that is set: asking field by field costs twice as much (measured).
        for field, value in message.ListFields():
            name, convert = table[field]
            out[name] = convert(value) if convert else value
        for name in hidden:
            out.pop(name, None)
        return out

    known[descriptor.full_name] = encode
    return encode


def _absent(field: FieldDescriptor) -> object:
    """Return what stands for a field that is not set. A list is shared: what is encoded is only ever printed."""
    if field.is_repeated:
        return []
    if field.has_presence or is_raw_json(field):
        return None
    if field.cpp_type == FieldDescriptor.CPPTYPE_ENUM:
        return enum_words(field.enum_type)[0]
    if field.cpp_type == FieldDescriptor.CPPTYPE_INT64:
        return "0"
    return "" if field.type == FieldDescriptor.TYPE_BYTES else field.default_value


def _convert(field: FieldDescriptor, known: dict[str, Encode]) -> Convert | None:
    """Return what turns a field's value into its JSON form; None where it is that already."""
    one = _convert_one(field, known)
    if not field.is_repeated:
        return one
    return (lambda values: [one(value) for value in values]) if one else _plain_list


def _convert_one(field: FieldDescriptor, known: dict[str, Encode]) -> Convert | None:
    if message := object_type(field):
        return compile_message(message, known)
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_MESSAGE:
            return timestamp if string_type(field) == "Timestamp" else _field_mask
        case FieldDescriptor.CPPTYPE_ENUM:
            return _Words(enum_words(field.enum_type)).__getitem__
        case FieldDescriptor.CPPTYPE_INT64:
            return str
        case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
            return lambda value: base64.b64encode(value).decode()
        case FieldDescriptor.CPPTYPE_STRING if is_raw_json(field):
            return _raw
        case FieldDescriptor.CPPTYPE_STRING | FieldDescriptor.CPPTYPE_BOOL:
            return None
        case FieldDescriptor.CPPTYPE_INT32 | FieldDescriptor.CPPTYPE_DOUBLE:
            return None
    raise ValueError(f"{field.full_name}: no public form for this type")


def _raw(text: str) -> object:
    if not text:
        return None
    # White space between tokens; a line of a stream must stay one line.
    if "\n" in text or "\r" in text:
        text = text.replace("\r", " ").replace("\n", " ")
    return orjson.Fragment(text)


def timestamp(stamp: Timestamp) -> str:
    """Return an instant as it is printed."""
    return _second(stamp.seconds) + _FRACTIONS[stamp.nanos // 1_000_000]


@lru_cache(4096)  # entries; the same instants come again within a response and from one request to the next
def _second(seconds: int) -> str:
    return (_EPOCH + timedelta(0, seconds)).isoformat()


def _field_mask(mask: FieldMask) -> str:
    return ",".join(camel(path) for path in mask.paths)
