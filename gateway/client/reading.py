"""JSON into the frozen dataclasses of results, by their annotations.

Rules: lowerCamelCase on the wire, snake_case here. A field the server does not send is its default, else None, 0, "" or
() as its type has it; a field that is not known here is passed over, so that an older client reads a newer server. A
fraction in free-form values is a Decimal: 18400.00 stays 18400.00. It does not know any result.
Source: the proto3 JSON mapping.
"""

import json
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
_EMPTY: Mapping[Any, Any] = {str: "", int: 0, float: 0.0, bool: False}


def parse(text: str | bytes) -> Any:
    """Return what JSON says, with every fraction as it was written. Raises: ValueError."""
    return json.loads(text, parse_float=Decimal)


def read(kind: type[T], data: Mapping[str, Any]) -> T:
    """Return a result made of a JSON object."""
    values = {}
    for name, wire, hint, default in _plan(cast(Any, kind)):
        if data.get(wire) is not None:
            values[name] = _value(hint, data[wire])
        elif default is MISSING:
            values[name] = _absent(hint)
    return kind(**values)


def camel(name: str) -> str:
    """Return the wire's name of a field."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


@cache
def _plan(kind: Any) -> tuple[tuple[str, str, Any, Any], ...]:
    hints = get_type_hints(kind)
    return tuple((f.name, camel(f.name), hints[f.name], f.default) for f in fields(kind))


def _value(hint: Any, data: Any) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _value(next(one for one in inner if one is not type(None)), data)
    if origin is tuple:
        return tuple(_value(inner[0], item) for item in data)
    if hint is datetime:
        return datetime.fromisoformat(data)
    if hint is Decimal:
        return Decimal(data)
    if hint is float:
        return float(data)
    if isinstance(hint, type) and is_dataclass(hint):
        return read(cast(type[Any], hint), data)
    return data


def _absent(hint: Any) -> Any:
    origin = get_origin(hint)
    if origin is tuple:
        return ()
    if origin in (Union, types.UnionType) or hint is Any:
        return None
    if isinstance(hint, type) and is_dataclass(hint):
        return read(cast(type[Any], hint), {})
    return _EMPTY.get(hint)
