"""One JSON value to one protobuf value, and from a query's or path's text to a JSON value first.

Rules: no coercion: a string is never a number, a number never a boolean; an integer is written as one. An enum value is
its lower-case word or its full name. A time is RFC 3339 with an offset; one without is told apart from nonsense. It
does not know which field the value is for.
Source: the proto3 JSON mapping, made strict; RFC 3339.
"""

import base64
import binascii
import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

from gateway.contracts import enum_words, string_type
from gateway.json_text import Json, NotFinite, Number, Wrong, refuse_forbidden
from gateway.names import snake

Convert: TypeAlias = Callable[[Json], object]
MAX_NUMBER_CHARACTERS = 400  # above the 309 digits of the largest double; chosen, untested

_INTEGER = re.compile(r"-?\d{1,19}")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+-])([01]\d|2[0-3]):([0-5]\d))?", re.ASCII
)
_PATHS = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*")


def of_field(field: FieldDescriptor) -> Convert:
    """Return the converter of a field that is no plain message. Raises: ValueError for a type no contract uses."""
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            return binary if field.type == FieldDescriptor.TYPE_BYTES else string
        case FieldDescriptor.CPPTYPE_BOOL:
            return boolean
        case FieldDescriptor.CPPTYPE_INT32:
            return _integer(31, quoted=False)
        case FieldDescriptor.CPPTYPE_INT64:
            return _integer(63, quoted=True)
        case FieldDescriptor.CPPTYPE_DOUBLE:
            return double
        case FieldDescriptor.CPPTYPE_ENUM:
            return _enum(field)
        case FieldDescriptor.CPPTYPE_MESSAGE if string_type(field):
            return timestamp if string_type(field) == "Timestamp" else field_mask
    raise ValueError(f"{field.full_name}: no public form for this type")


def from_text(field: FieldDescriptor) -> Callable[[str], Json]:
    """Return what turns the text of a query parameter or a path segment into the JSON value meant by it."""
    if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
        return lambda text: {"true": True, "false": False}.get(text, text)
    if field.cpp_type in (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_DOUBLE):
        return lambda text: Number(text) if _NUMBER.fullmatch(text) else text
    if string_type(field) == "Timestamp":
        return lambda text: text.replace(" ", "+")  # a plus sign that was not encoded; a time holds no space
    return lambda text: text


def string(value: Json) -> str:
    """Take a string."""
    if type(value) is not str:
        raise Wrong("WRONG_TYPE", "must be a string")
    refuse_forbidden(value)
    return value


def boolean(value: Json) -> bool:
    """Take true or false."""
    if not isinstance(value, bool):
        raise Wrong("WRONG_TYPE", "must be true or false")
    return value


def double(value: Json) -> float:
    """Take a number that a double holds."""
    if isinstance(value, NotFinite):
        raise Wrong("NUMBER_NOT_FINITE", f"{value} is not JSON")
    if not isinstance(value, Number):
        raise Wrong("WRONG_TYPE", "must be a number")
    number = float(value) if len(value) <= MAX_NUMBER_CHARACTERS else math.inf
    if math.isinf(number):
        raise Wrong("NUMBER_OUT_OF_RANGE", "is more than a double holds")
    return number


def _integer(bits: int, *, quoted: bool) -> Convert:
    def convert(value: Json) -> int:
        if not isinstance(value, Number) and not (quoted and type(value) is str):
            raise Wrong("WRONG_TYPE", "must be an integer")
        if not _INTEGER.fullmatch(value):
            if _INTEGER.match(value) and value.lstrip("-").isdecimal():
                raise Wrong("NUMBER_OUT_OF_RANGE", f"does not fit into {bits + 1} bits")
            raise Wrong("WRONG_TYPE", "must be an integer")
        number = int(value)
        if not -(1 << bits) <= number < 1 << bits:
            raise Wrong("NUMBER_OUT_OF_RANGE", f"does not fit into {bits + 1} bits")
        return number

    return convert


def _enum(field: FieldDescriptor) -> Convert:
    words = enum_words(field.enum_type)
    full = {value.name: value.number for value in field.enum_type.values} if field.enum_type else {}
    numbers = {word: number for number, word in words.items()} | full
    choice = ", ".join(word for number, word in words.items() if number)

    def convert(value: Json) -> int:
        if type(value) is not str:
            raise Wrong("WRONG_TYPE", f"must be one of {choice}")
        number = numbers.get(value)
        if number is None:
            raise Wrong("VALUE_UNKNOWN", f"must be one of {choice}")
        return number

    return convert


def timestamp(value: Json) -> Message:
    """Take an RFC 3339 time with an offset; nanoseconds are kept."""
    if type(value) is not str:
        raise Wrong("WRONG_TYPE", "must be a string: an RFC 3339 time")
    match = _TIME.fullmatch(value)
    if match is None:
        raise Wrong("TIME_INVALID", "is not an RFC 3339 time such as 2026-04-01T09:00:00Z")
    date, clock, fraction, zulu, sign, hours, minutes = match.groups()
    if zulu is None and sign is None:
        raise Wrong("TIME_NAIVE", "has no offset: end it with Z or an offset such as +02:00")
    try:
        moment = datetime.fromisoformat(f"{date}T{clock}+00:00")
        if sign is not None:
            offset = timedelta(hours=int(hours), minutes=int(minutes))
            moment = moment - offset if sign == "+" else moment + offset
    except (ValueError, OverflowError):
        raise Wrong("TIME_INVALID", "is not a time between the years 1 and 9999") from None
    seconds = (moment - _EPOCH) // _SECOND
    return Timestamp(seconds=seconds, nanos=int((fraction or "").ljust(9, "0")))


def field_mask(value: Json) -> Message:
    """Take field names joined by commas, in either spelling."""
    if type(value) is not str:
        raise Wrong("WRONG_TYPE", "must be a string: field names joined by commas")
    names = value.split(",") if value else []
    if not all(_PATHS.fullmatch(name) for name in names):
        raise Wrong("FIELD_MASK_INVALID", "must be field names joined by commas")
    return FieldMask(paths=[snake(name) for name in names])


def binary(value: Json) -> bytes:
    """Take base64, plain or URL-safe."""
    if type(value) is not str:
        raise Wrong("WRONG_TYPE", "must be a string: base64")
    try:
        return base64.b64decode(value.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        raise Wrong("WRONG_TYPE", "must be base64") from None


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)
