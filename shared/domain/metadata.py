"""Metadata: one JSON object, read strictly and written canonically.

Rules: numbers stay decimal and are never binary floats; a key may occur once; NaN and Infinity are not JSON; nothing
PostgreSQL cannot hold gets through. What is wrong is *returned* as violations, so that a caller hears of all of it at
once.
It does not know which keys mean what (claims.py).
Source: RFC 8259; limits from REQUIREMENTS A3.
"""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from json.encoder import encode_basestring
from typing import NoReturn

from shared.domain.errors import Violation
from shared.domain.text import refused_character
from shared.domain.types import Json

METADATA_MAX_BYTES = 64 * 1024  # A3
METADATA_MAX_DEPTH_LEVELS = 8  # A3; the object itself is level 1
NUMBER_MAX_DIGITS = 400  # chosen, untested: above a double's 309, and cheap to write out in full
NUMBER_MAX_EXPONENT = 400  # chosen, untested: 1e400 written out is 401 digits

_BRACKET_OR_STRING = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]', re.DOTALL)


class NumberLiteral(str):
    """A JSON number as it was written."""

    __slots__ = ()


class _Refusal(ValueError):
    """JSON that Python would accept and we do not."""


def violations_of(text: str, field: str = "metadata") -> tuple[Violation, ...]:
    """Return what is wrong with a metadata text; empty when nothing is."""
    size_bytes = len(text.encode("utf-8", "surrogatepass"))
    if size_bytes > METADATA_MAX_BYTES:
        return (Violation(field, "METADATA_TOO_LARGE", f"is {size_bytes} bytes; at most {METADATA_MAX_BYTES}"),)
    if _depth(text) > METADATA_MAX_DEPTH_LEVELS:
        return (Violation(field, "METADATA_TOO_DEEP", f"nests deeper than {METADATA_MAX_DEPTH_LEVELS} levels"),)
    try:
        value = _decode(text)
    except ValueError as error:
        return (Violation(field, "METADATA_INVALID", f"is not a JSON object we accept: {_reason(error)}"),)
    if not isinstance(value, dict):
        return (Violation(field, "METADATA_INVALID", "must be a JSON object"),)
    return tuple(_forbidden_characters(value, field))


def parse(text: str) -> dict[str, Json]:
    """Read a metadata text that `violations_of` has passed.

    Raises: ValueError when the text was not checked before.
    """
    value = _decode(text)
    if not isinstance(value, dict):
        raise ValueError("metadata is not an object")
    return value


def parse_literals(text: str) -> dict[str, object]:
    """Read the top level of a checked metadata text, keeping each number as the `NumberLiteral` that was written."""
    value = json.loads(text, parse_float=NumberLiteral, parse_int=NumberLiteral)
    if not isinstance(value, dict):
        raise ValueError("metadata is not an object")
    return value


def overlaid(text: str, changes: str) -> str:
    """Return a checked metadata text with the entries of another one in place of its own; null removes an entry.

    Numbers stay as they were written. Source: RFC 7396, for the top level only.
    """
    entries = parse_literals(text)
    for key, value in parse_literals(changes).items():
        entries.pop(key, None)
        if value is not None:
            entries[key] = value
    return _written(entries)


def canonical_json(value: Json) -> str:
    """Write a JSON value so that equal values give equal text: keys sorted, numbers plain, no white space."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Decimal():
            return plain_decimal(value)
        case str():
            return encode_basestring(value)
        case list():
            return "[" + ",".join(map(canonical_json, value)) + "]"
        case dict():
            return "{" + ",".join(f"{encode_basestring(k)}:{canonical_json(value[k])}" for k in sorted(value)) + "}"


def plain_decimal(number: Decimal) -> str:
    """Write a finite decimal without exponent and without zeros that say nothing: 8400.00 is 8400, -0 is 0."""
    text = format(number, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _written(value: object) -> str:
    match value:
        case NumberLiteral():
            return str(value)
        case dict():
            return "{" + ", ".join(f"{_written(key)}: {_written(item)}" for key, item in value.items()) + "}"
        case list():
            return "[" + ", ".join(map(_written, value)) + "]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _decode(text: str) -> object:
    return json.loads(
        text, parse_float=_number, parse_int=_integer, parse_constant=_refuse_constant, object_pairs_hook=_object
    )


def _integer(literal: str) -> int:
    if len(literal) > NUMBER_MAX_DIGITS:
        raise _Refusal(f"a number has more than {NUMBER_MAX_DIGITS} digits")
    return int(literal)


def _number(literal: str) -> Decimal:
    # The exponent is bounded as text: Decimal itself refuses an exponent of twenty digits with another error.
    mantissa, _, exponent = literal.lower().partition("e")
    if len(mantissa) > NUMBER_MAX_DIGITS or len(exponent) > 5 or abs(int(exponent or "0")) > NUMBER_MAX_EXPONENT:
        raise _Refusal(f"a number is beyond {NUMBER_MAX_DIGITS} digits or 1e±{NUMBER_MAX_EXPONENT}")
    return Decimal(literal)


def _refuse_constant(literal: str) -> NoReturn:
    raise _Refusal(f"{literal} is not a JSON number")


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise _Refusal(f"the key {key[:64]!r} occurs twice")
        found[key] = value
    return found


def _reason(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.pos}"
    return str(error)


def _depth(text: str) -> int:
    level = deepest = 0
    for match in _BRACKET_OR_STRING.finditer(text):
        token = match.group()
        if token in "[{":
            level += 1
            deepest = max(deepest, level)
        elif token in "]}":
            level -= 1
    return deepest


def _forbidden_characters(value: object, path: str) -> Iterator[Violation]:
    if isinstance(value, str):
        name = refused_character(value)
        if name is not None:
            yield Violation(path, "FORBIDDEN_CHARACTER", f"holds {name}")
    elif isinstance(value, list):
        for position, item in enumerate(value):
            yield from _forbidden_characters(item, f"{path}[{position}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            name = refused_character(key)
            if name is not None:
                yield Violation(path, "FORBIDDEN_CHARACTER", f"has a key that holds {name}")
            else:
                yield from _forbidden_characters(item, f"{path}.{key[:64]}")
